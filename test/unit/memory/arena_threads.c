/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* A shared arena under many threads, and fork. */
#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/memory/session.h"
#include "test/unit/base/child.h"
#include "test/unit/memory/help.h"

#define THREADS 8
#define PIECES 10000

static void
count_up(void *counter)
{
    ++*(int *)counter;
}

static pthread_barrier_t barrier;

struct worker {
    frt_arena arena;
    unsigned char byte;
    int actions;
};

static void *
allocate_and_fill(void *context)
{
    struct worker *worker = context;
    frt_segment *pieces;
    frt_segment list = allocate(worker->arena, PIECES * sizeof *pieces, 8);

    pieces = list.address;
    pthread_barrier_wait(&barrier);
    /* no assertion that holds: it would keep the threads apart */
    for (int i = 0; i < PIECES; i++) {
        size_t size = i % 500 == 7 ? 40000 : (size_t)(i % 50);

        if (frt_arena_allocate(&pieces[i], worker->arena, size,
                               (size_t)1 << (i % 6)) != FRT_OK)
            cr_assert_fail("piece %d: %s", i, frt_last_detail());
        if (!is_filled(&pieces[i], 0))
            cr_assert_fail("piece %d is not zeroed", i);
        memset(pieces[i].address, worker->byte, size);
    }
    for (int i = 0; i < PIECES; i++)
        if (!is_filled(&pieces[i], worker->byte))
            cr_assert_fail("piece %d was written by another thread", i);
    cr_assert_eq(frt_arena_on_close(worker->arena, count_up, &worker->actions),
                 FRT_OK);
    return NULL;
}

Test(arena_threads, shared_by_threads)
{
    size_t live = live_without_stripes();
    frt_arena arena = open_shared();
    struct worker workers[THREADS];
    pthread_t threads[THREADS];

    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        workers[i] =
            (struct worker){.arena = arena, .byte = (unsigned char)(i + 1)};
        cr_assert_eq(
            pthread_create(&threads[i], NULL, allocate_and_fill, &workers[i]),
            0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(workers[i].actions, 1);
    cr_assert_eq(live_without_stripes(), live);
}

struct waiter {
    frt_arena arena;
    frti_counter is_done;
};

static void *
allocate_and_tell(void *context)
{
    struct waiter *waiter = context;

    allocate(waiter->arena, 1, 1);
    frti_counter_add_relaxed(&waiter->is_done, 1);
    return NULL;
}

/* On few cores two threads hardly ever meet in the few instructions that cut
 * a piece off: that they wait for the lock is seen with the lock held. */
Test(arena_threads, allocation_waits_for_the_lock)
{
    struct waiter waiter = {.arena = open_shared(), .is_done = FRTI_COUNTER(0)};
    pthread_t thread;

    frti_session_lock(waiter.arena.slot);
    cr_assert_eq(pthread_create(&thread, NULL, allocate_and_tell, &waiter), 0);
    while (frt_session_holders(NULL, 0, frt_arena_session(waiter.arena)) == 0)
        usleep(100);
    usleep(50000); /* from there to the lock */
    cr_assert_eq(frti_counter_get_relaxed(&waiter.is_done), 0);
    cr_assert_eq(frt_arena_close(waiter.arena), FRT_STILL_HELD);
    frti_session_unlock(waiter.arena.slot);
    pthread_join(thread, NULL);
    cr_assert_eq(frti_counter_get_relaxed(&waiter.is_done), 1);
    cr_assert_eq(frt_arena_close(waiter.arena), FRT_OK);
}

static int actions_run;

static void *
allocate_until_closed(void *context)
{
    frt_arena arena = *(frt_arena *)context;
    frt_segment segment;
    frt_status status;
    int action_count = 0;

    do {
        status = frt_arena_allocate(&segment, arena, 100, 0);
        if (status == FRT_OK && ++action_count < 100)
            status = frt_arena_on_close(arena, count_up, &actions_run);
        sched_yield(); /* so that the closer has a chance */
    } while (status == FRT_OK);
    cr_assert_eq(status, FRT_CLOSED);
    return NULL;
}

/* A close comes between two allocations or is refused; no block is lost. */
Test(arena_threads, close_against_allocate)
{
    size_t live = live_without_stripes();

    for (int round = 0; round < 50; round++) {
        frt_arena arena = open_shared();
        pthread_t threads[3];
        frt_status status;

        for (int i = 0; i < 3; i++)
            cr_assert_eq(pthread_create(&threads[i], NULL,
                                        allocate_until_closed, &arena),
                         0);
        do {
            sched_yield();
            status = frt_arena_close(arena);
        } while (status == FRT_STILL_HELD);
        cr_assert_eq(status, FRT_OK);
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
    }
    /* no failure here, or this thread has its record now */
    cr_assert_leq(live_without_stripes(), live + 1);
}

static frt_arena gated;
static frt_status gated_status;

static int
close_in_the_gate(size_t size)
{
    (void)size;
    gated_status = frt_arena_close(gated);
    return 1;
}

/* However the two meet: the session is held while memory is got for it. */
Test(arena_threads, close_within_an_allocation)
{
    static frt_arena (*const open[])(void) = {open_confined, open_shared};
    frt_segment segment;

    warm();
    for (int i = 0; i < 2; i++) {
        gated = open[i]();
        frti_allocator_gate(close_in_the_gate);
        cr_assert_eq(frt_arena_allocate(&segment, gated, 100, 0), FRT_OK);
        cr_assert_eq(gated_status, FRT_STILL_HELD);
        gated_status = FRT_OK;
        cr_assert_eq(frt_arena_on_close(gated, count_up, &actions_run), FRT_OK);
        cr_assert_eq(gated_status, FRT_STILL_HELD);
        frti_allocator_gate(NULL);
        cr_assert_eq(frt_arena_close(gated), FRT_OK);
    }
}

static bool is_over;

static void *
use_global_until_over(void *unused)
{
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
        frt_arena arena = open_shared();

        allocate(arena, 100, 0);
        allocate(frt_arena_global(), 16, 0);
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
        sched_yield();
    }
    return unused;
}

/* A child that is forked while another thread allocates is not stuck. */
Test(arena_threads, fork)
{
    pthread_t thread;

    cr_assert_eq(pthread_create(&thread, NULL, use_global_until_over, NULL), 0);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();

        cr_assert_geq(child, 0);
        if (child == 0) {
            frt_arena arena;

            alarm(20);
            arena = open_shared();
            allocate(arena, 100, 0);
            allocate(frt_arena_global(), 100, 0);
            end_child(frt_arena_close(arena) == FRT_OK);
        }
        wait_for_child(child);
    }
    __atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
}

static void *
lock_for_a_while(void *context)
{
    struct frti_session *slot = ((frt_arena *)context)->slot;

    frti_session_lock(slot);
    pthread_barrier_wait(&barrier);
    usleep(50000);
    frti_session_unlock(slot);
    return NULL;
}

/* The lock of an arena is free in the child, though a thread that the child
 * does not have held it. */
Test(arena_threads, fork_under_a_lock)
{
    frt_arena arena = open_shared();
    pthread_t thread;
    pid_t child;

    pthread_barrier_init(&barrier, NULL, 2);
    cr_assert_eq(pthread_create(&thread, NULL, lock_for_a_while, &arena), 0);
    pthread_barrier_wait(&barrier);
    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        alarm(20);
        allocate(arena, 100, 0);
        end_child(frt_arena_close(arena) == FRT_OK);
    }
    wait_for_child(child);
    pthread_join(thread, NULL);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}
