/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Close actions. */
#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/thread.h"
#include "test/unit/memory/help.h"

static char ran[100];
static pthread_t ran_on;

static void
note(void *letter)
{
    strcat(ran, letter);
    ran_on = pthread_self();
}

Test(arena_close, actions_run_once_last_added_first)
{
    size_t live = live_without_stripes();
    frt_arena arena = open_shared();
    frt_ticket ticket;

    cr_assert_eq(frt_arena_on_close(arena, note, (void *)"a"), FRT_OK);
    cr_assert_eq(frt_arena_on_close(arena, note, (void *)"b"), FRT_OK);
    cr_assert_eq(frt_arena_on_close(arena, note, (void *)"c"), FRT_OK);
    cr_assert_eq(frt_session_acquire(&ticket, frt_arena_session(arena)),
                 FRT_OK);
    cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
    cr_assert_str_eq(ran, "", "a refused close runs none");
    cr_assert_eq(frt_session_release(&ticket), FRT_OK);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    cr_assert_str_eq(ran, "cba");
    cr_assert_eq(frt_arena_close(arena), FRT_ALREADY_CLOSED);
    cr_assert_str_eq(ran, "cba");
    cr_assert_eq(frt_arena_close(open_shared()), FRT_OK);
    cr_assert_str_eq(ran, "cba", "the slot's next life has none");
    cr_assert_eq(live_without_stripes(), live + 1, "the thread's record");
}

static void *
close_it(void *arena)
{
    cr_assert_eq(frt_arena_close(*(frt_arena *)arena), FRT_OK);
    cr_assert(pthread_equal(ran_on, pthread_self()));
    return NULL;
}

Test(arena_close, actions_run_on_the_closing_thread)
{
    frt_arena arena = open_shared();
    pthread_t thread;

    cr_assert_eq(frt_arena_on_close(arena, note, (void *)"a"), FRT_OK);
    cr_assert_eq(pthread_create(&thread, NULL, close_it, &arena), 0);
    pthread_join(thread, NULL);
    cr_assert_str_eq(ran, "a");
}

Test(arena_close, global_has_no_close)
{
    size_t live;

    (void)frti_thread_record();
    live = live_without_stripes();
    cr_assert_eq(frt_arena_on_close(frt_arena_global(), note, NULL),
                 FRT_UNSUPPORTED);
    cr_assert_str_eq(frt_last_detail(), "the global arena is never closed");
    cr_assert_eq(live_without_stripes(), live);
}

struct inside {
    frt_arena own;
    frt_arena other;
    frt_segment segment;
    int runs;
};

/* All that an action may try. The memory of the arena is still there for it,
 * though not for segments. */
static void
look_around(void *context)
{
    struct inside *inside = context;
    frt_ticket ticket;
    frt_segment segment;
    int32_t value;

    inside->runs++;
    cr_assert(!frt_arena_is_open(inside->own));
    cr_assert_eq(frt_arena_close(inside->own), FRT_ALREADY_CLOSED);
    cr_assert_eq(frt_session_acquire(&ticket, frt_arena_session(inside->own)),
                 FRT_CLOSED);
    cr_assert_eq(frt_arena_on_close(inside->own, note, NULL), FRT_CLOSED);
    cr_assert_eq(frt_arena_allocate(&segment, inside->own, 1, 1), FRT_CLOSED);
    cr_assert_eq(frt_segment_get_i32(&value, &inside->segment, 0), FRT_CLOSED);
    cr_assert_eq(*(int32_t *)inside->segment.address, 42);
    cr_assert_eq(frt_arena_on_close(inside->other, note, (void *)"x"), FRT_OK);
    cr_assert_eq(frt_arena_close(inside->other), FRT_OK);
    cr_assert_str_eq(ran, "x");
    cr_assert_eq(frt_arena_close(open_shared()), FRT_OK);
}

Test(arena_close, inside_an_action)
{
    for (int i = 0; i < 2; i++) {
        struct inside inside = {.own = i == 0 ? open_confined() : open_shared(),
                                .other = open_shared()};

        ran[0] = 0;
        inside.segment = allocate(inside.own, 4, 4);
        cr_assert_eq(frt_segment_put_i32(&inside.segment, 0, 42), FRT_OK);
        cr_assert_eq(frt_arena_on_close(inside.own, look_around, &inside),
                     FRT_OK);
        cr_assert_eq(frt_arena_close(inside.own), FRT_OK);
        cr_assert_eq(inside.runs, 1);
    }
}

static void
leave_the_thread(void *unused)
{
    pthread_exit(unused);
}

static void *
close_and_leave(void *arena)
{
    (void)!frt_arena_close(*(frt_arena *)arena);
    cr_assert_fail("pthread_exit returned");
    return NULL;
}

/* An action that does not return does not keep the others from running, nor
 * the memory from being freed. */
Test(arena_close, an_action_that_does_not_return)
{
    size_t live = (warm(), live_without_stripes());
    frt_arena arena = open_shared();
    pthread_t thread;

    allocate(arena, 1000, 0);
    cr_assert_eq(frt_arena_on_close(arena, note, (void *)"a"), FRT_OK);
    cr_assert_eq(frt_arena_on_close(arena, leave_the_thread, NULL), FRT_OK);
    cr_assert_eq(frt_arena_on_close(arena, note, (void *)"b"), FRT_OK);
    cr_assert_eq(pthread_create(&thread, NULL, close_and_leave, &arena), 0);
    pthread_join(thread, NULL);
    cr_assert_str_eq(ran, "ba");
    cr_assert(!frt_arena_is_open(arena));
    cr_assert_eq(live_without_stripes(), live);
}
