/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ffi_rt/link/upcall_queue.h"
#include "test/unit/link/upcall_thread.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static void *fallback = &fallback;

static frt_status
never(void *context, void *result, void *const *arguments)
{
    cr_assert_fail("it must not be called here");
    return FRT_OK;
}

static frt_status
seven(void *context, void *result, void *const *arguments)
{
    *(pthread_t *)context = pthread_self();
    RESULT(int) = ARGUMENT(int, 0) + 7;
    return FRT_OK;
}

static void *
call_int(void *code)
{
    int (*f)(int) = code;

    return (void *)(intptr_t)f(0);
}

static const frt_upcall_options queued = {
    .size = sizeof(frt_upcall_options),
    .name = "queued",
    .thread = FRT_UPCALL_THREAD_QUEUE,
};

Test(upcall_queue, e12_a_queued_call_waits_and_returns_7)
{
    pthread_t seen;
    frt_upcall upcall =
        upcall_of(frt_arena_global(), "int f(int)", seven, &seen, &queued);
    pthread_t thread = start(call_int, frt_upcall_address(upcall));
    size_t ran = 0;

    CHECK_STATUS(FRT_OK, frt_upcall_poll(&ran, -1));
    cr_assert_eq(ran, 1);
    cr_assert_eq((intptr_t)join(thread), 7);
    cr_assert(pthread_equal(seen, pthread_self()));
    /* the owner itself does not wait */
    cr_assert_eq(((int (*)(int))frt_upcall_address(upcall))(1), 8);
    CHECK_STATUS(FRT_OK, frt_upcall_poll(&ran, 0));
    cr_assert_eq(ran, 0);
    CHECK_STATUS(FRT_OK, frt_upcall_poll(&ran, 20));
    cr_assert_eq(ran, 0);
    CHECK_STATUS(FRT_OK, frt_upcall_close(upcall));
}

static frt_status
fail_queued(void *context, void *result, void *const *arguments)
{
    return frt_fail(FRT_OVERFLOW, "not on my watch");
}

/* The failure is the caller's, not the poll's. */
Test(upcall_queue, a_queued_failure_goes_to_its_caller)
{
    frt_upcall_options options = queued;
    struct other_thread other = {0};
    frt_upcall upcall;
    pthread_t thread;
    size_t ran;

    options.default_result = &fallback;
    upcall =
        upcall_of_pointers(frt_arena_global(), fail_queued, NULL, &options);
    other.code = frt_upcall_address(upcall);
    thread = start(call_and_raise, &other);
    CHECK_STATUS(FRT_OK, frt_upcall_poll(&ran, -1));
    cr_assert_eq(join(thread), fallback);
    cr_assert_eq(other.raised, FRT_UPCALL_FAILED);
    cr_assert_not_null(strstr(other.detail, "not on my watch"), "%s",
                       other.detail);
    CHECK_STATUS(FRT_OK, frt_upcall_close(upcall));
}

static void
wait_for_callers(frt_upcall upcall, size_t count)
{
    while (frti_queue_count(upcall.slot->queue) < count)
        usleep(100);
}

/* Whoever waits when the arena closes gets the default. */
Test(upcall_queue, a_close_lets_queued_callers_go)
{
    int nine = 9;
    frt_upcall_options options = queued;
    frt_arena arena;
    frt_upcall upcall;
    pthread_t threads[4];
    void *code;

    options.default_result = &nine;
    options.late = FRT_UPCALL_LATE_ZERO;
    CHECK_STATUS(FRT_OK, frt_arena_open_confined(&arena));
    upcall = upcall_of(arena, "int f(int)", never, NULL, &options);
    code = frt_upcall_address(upcall);
    for (int i = 0; i < 4; i++)
        threads[i] = start(call_int, code);
    wait_for_callers(upcall, 4);
    CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    for (int i = 0; i < 4; i++)
        cr_assert_eq((intptr_t)join(threads[i]), 9);
}

/* A queued call that runs, seen from another thread and from inside. */
struct running {
    frt_arena arena;
    frt_upcall upcall;
    int ran;
};

static void *
close_from_outside(void *context)
{
    struct running *running = context;

    CHECK_STATUS(FRT_STILL_HELD, frt_upcall_close(running->upcall));
    check_detail("another thread is inside the upcall 'queued'");
    CHECK_STATUS(FRT_STILL_HELD, frt_arena_close(running->arena));
    return NULL;
}

static frt_status
be_closed(void *context, void *result, void *const *arguments)
{
    struct running *running = context;

    running->ran++;
    join(start(close_from_outside, running));
    /* nor can this thread close what its own call holds */
    CHECK_STATUS(FRT_STILL_HELD, frt_arena_close(running->arena));
    CHECK_STATUS(FRT_OK, frt_upcall_close(running->upcall));
    RESULT(int) = 7;
    return FRT_OK;
}

Test(upcall_queue, a_running_call_ends_before_a_close)
{
    int nine = 9;
    int sum = 0;
    struct running running = {0};
    frt_upcall_options options = queued;
    pthread_t threads[3];
    size_t ran = 0;

    options.default_result = &nine;
    CHECK_STATUS(FRT_OK, frt_arena_open_shared(&running.arena));
    running.upcall =
        upcall_of(running.arena, "int f(int)", be_closed, &running, &options);
    for (int i = 0; i < 3; i++)
        threads[i] = start(call_int, frt_upcall_address(running.upcall));
    wait_for_callers(running.upcall, 3);
    CHECK_STATUS(FRT_OK, frt_upcall_poll(&ran, -1));
    for (int i = 0; i < 3; i++)
        sum += (int)(intptr_t)join(threads[i]);
    /* the first has its result, those that waited the default */
    cr_assert_eq(sum, 7 + 9 + 9);
    cr_assert_eq(running.ran, 1);
    cr_assert_eq(ran, 1);
    CHECK_STATUS(FRT_OK, frt_arena_close(running.arena));
}

/* It is cancelled meanwhile, and after that nothing ends it any more. */
static void *
poll_a_while(void *context)
{
    CHECK_STATUS(FRT_OK, frt_upcall_poll(NULL, 200));
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    return context;
}

Test(upcall_queue, a_poll_is_no_cancellation_point)
{
    pthread_t thread = start(poll_a_while, &fallback);

    usleep(50000);
    cr_assert_eq(pthread_cancel(thread), 0);
    cr_assert_eq(join(thread), &fallback);
}

struct owner {
    pthread_barrier_t ready;
    void *code;
};

static void *
own_and_end(void *context)
{
    struct owner *owner = context;
    frt_upcall upcall =
        upcall_of(frt_arena_global(), "int f(int)", never, NULL, &queued);

    owner->code = frt_upcall_address(upcall);
    pthread_barrier_wait(&owner->ready);
    wait_for_callers(upcall, 1);
    return NULL;
}

Test(upcall_queue, callers_of_an_owner_that_ends_go_on)
{
    struct seen_report seen = {0};
    struct owner owner;
    pthread_t thread;

    frt_upcall_on_report(see_report, &seen);
    pthread_barrier_init(&owner.ready, NULL, 2);
    thread = start(own_and_end, &owner);
    pthread_barrier_wait(&owner.ready);
    cr_assert_eq((intptr_t)call_int(owner.code), 0); /* waited for its end */
    join(thread);
    cr_assert_eq((intptr_t)call_int(owner.code), 0);
    cr_assert_eq(seen.count, 1);
    cr_assert_not_null(strstr(seen.sentence, "has ended"), "%s", seen.sentence);
}

struct big {
    double d[4];
};

struct posted {
    int count;
    double sum;
};

static frt_status
take_posted(void *context, void *result, void *const *arguments)
{
    struct posted *posted = context;
    struct big big = ARGUMENT(struct big, 1);

    posted->count += ARGUMENT(int, 0);
    posted->sum += big.d[0] + big.d[3];
    return FRT_OK;
}

static void *
post_some(void *code)
{
    void (*f)(int, struct big) = code;

    for (int i = 0; i < 5; i++)
        f(i, (struct big){{0.5, 0, 0, i}});
    return NULL;
}

Test(upcall_queue, posted_calls_do_not_wait)
{
    struct posted posted = {0};
    frt_upcall_options options = queued;
    frt_upcall upcall;
    size_t ran = 0;
    size_t live;

    options.post = true;
    upcall =
        upcall_of(frt_arena_global(), "void f(int, struct { double d[4]; })",
                  take_posted, &posted, &options);
    join(start(post_some, frt_upcall_address(upcall)));
    cr_assert_eq(posted.count, 0);
    CHECK_STATUS(FRT_OK, frt_upcall_poll(&ran, 0));
    cr_assert_eq(ran, 5);
    cr_assert_eq(posted.count, 10);
    cr_assert_eq(posted.sum, 12.5);
    /* and those that nobody runs are dropped */
    live = warm_live();
    join(start(post_some, frt_upcall_address(upcall)));
    cr_assert_geq(frti_allocator_live(), live + 5);
    CHECK_STATUS(FRT_OK, frt_upcall_close(upcall));
    cr_assert_lt(frti_allocator_live(), live + 5);
    cr_assert_eq(posted.count, 10);
}

static atomic_bool stop_closing;

static void *
open_and_close(void *context)
{
    while (!atomic_load(&stop_closing)) {
        frt_arena arena;

        CHECK_STATUS(FRT_OK, frt_arena_open_shared(&arena));
        (void)upcall_of(arena, "void f(void)", never, NULL, &queued);
        CHECK_STATUS(FRT_OK, frt_arena_close(arena));
    }
    return context;
}

/* A close takes several locks, and so does a fork: in the same order, or both
 * stand still. */
Test(upcall_queue, a_fork_while_other_threads_close, .timeout = 60)
{
    pthread_t threads[2] = {start(open_and_close, NULL),
                            start(open_and_close, NULL)};

    for (int i = 0; i < 100; i++) {
        pid_t child = fork();
        int status;

        cr_assert_geq(child, 0);
        while (child == 0) {
            alarm(60);
            pause();
        }
        /* nobody is to look for leaks of what the other threads had */
        cr_assert_eq(kill(child, SIGKILL), 0);
        cr_assert_eq(waitpid(child, &status, 0), child);
    }
    atomic_store(&stop_closing, true);
    join(threads[0]);
    join(threads[1]);
}
