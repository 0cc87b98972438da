/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * leave CALLEE: calls that are left sideways: longjmp, pthread_exit,
 * pthread_cancel; a thread that ends over them.
 */
#include <pthread.h>
#include <setjmp.h>
#include <unistd.h>

#include "test/sessions/check.h"

static struct scene scene;
static jmp_buf back;
static bool was_held;

static int
jump(void *memory)
{
    (void)memory;
    was_held = frt_arena_close(scene.arena) == FRT_STILL_HELD;
    longjmp(back, 1);
}

static int deep;

/* An upcall calls again, a few times, and then the jump is over all. */
static int
jump_from_below(void *memory)
{
    int result;

    if (++deep == 50)
        return jump(memory);
    (void)scene_call(&scene, jump_from_below, &result);
    return 0;
}

/* The call to jump over; calls that go on above its frame are lost with it. */
static void
jump_over(int (*function)(void *), bool unwinds)
{
    volatile frt_height height = frt_mark();
    int result;

    was_held = false;
    if (setjmp(back) == 0)
        (void)scene_call(&scene, function, &result);
    if (unwinds)
        need(frt_unwind_to((frt_height)height) == FRT_OK, "to unwind");
}

static void
test_longjmp(void)
{
    frt_height bottom = frt_mark();

    jump_over(jump, true);
    check(was_held, "the call held the arena");
    check(!scene_is_held(&scene), "E26: frt_unwind_to gives it back");
    jump_over(jump_from_below, true);
    check(deep == 50 && !scene_is_held(&scene), "from under fifty calls, too");
    jump_over(jump, false);
    check(scene_is_held(&scene), "what is not unwound stays held");
    check(frt_unwind_to(bottom) == FRT_OK && !scene_is_held(&scene),
          "until a mark below it is unwound to");
}

static int
leave_thread(void *memory)
{
    (void)memory;
    was_held = scene_is_held(&scene);
    pthread_exit(NULL);
}

static int
wait_to_be_cancelled(void *memory)
{
    *(volatile int *)memory = 1;
    while (*(volatile int *)memory == 1)
        pause();
    return 0;
}

static void *
call_on_thread(void *function)
{
    int (*call)(void *) = *(int (**)(void *))function;
    int result;

    (void)!scene_call(&scene, call, &result);
    return &was_held; /* not reached */
}

static void
test_threads(void)
{
    int (*exits)(void *) = leave_thread;
    int (*waits)(void *) = wait_to_be_cancelled;
    pthread_t thread;
    void *result;

    was_held = false;
    need(pthread_create(&thread, NULL, call_on_thread, &exits) == 0, "thread");
    pthread_join(thread, &result);
    check(was_held && result == NULL && !scene_is_held(&scene),
          "pthread_exit under a call releases");
    *(volatile int *)scene.block.address = 0;
    need(pthread_create(&thread, NULL, call_on_thread, &waits) == 0, "thread");
    while (*(volatile int *)scene.block.address == 0)
        usleep(1000);
    check(frt_arena_close(scene.arena) == FRT_STILL_HELD,
          "a call that waits holds");
    pthread_cancel(thread);
    pthread_join(thread, &result);
    check(result == PTHREAD_CANCELED && !scene_is_held(&scene),
          "pthread_cancel releases");
}

static void *
jump_and_end(void *unused)
{
    jump_over(jump, false);
    return unused;
}

/* Nothing knows whether somebody still uses what the thread left. */
static void
test_thread_that_ends(void)
{
    struct scene other;
    frt_holder holder = {0};
    pthread_t thread;

    other = scene;
    need(frt_arena_open_shared(&scene.arena) == FRT_OK, "an arena");
    need(frt_arena_allocate(&scene.block, scene.arena, 16, 0) == FRT_OK,
         "memory");
    need(pthread_create(&thread, NULL, jump_and_end, NULL) == 0, "thread");
    pthread_join(thread, NULL);
    check(frt_session_holders(&holder, 1, frt_arena_session(scene.arena)) ==
                  1 &&
              holder.thread == 0 && holder.count == 1,
          "what an ended thread left is told");
    check(frt_arena_close(scene.arena) == FRT_STILL_HELD,
          "and is never freed under anybody");
    scene = other;
}

int
main(int argc, char **argv)
{
    need(argc == 2, "usage: leave CALLEE");
    scene_open(&scene, argv[1], 16);
    test_longjmp();
    test_threads();
    test_thread_that_ends();
    check(frt_arena_close(scene.arena) == FRT_OK, "the arena can be closed");
    frt_function_free(scene.apply);
    return check_end();
}
