/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* A shared arena under many threads, and fork. */
#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#include "ffi_rt/base/allocator.h"
#include "test/unit/base/child.h"
#include "test/unit/memory/help.h"

#define THREADS 8
#define PIECES 3000

static void
count_up(void *counter)
{
    ++*(int *)counter;
}

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
    for (int i = 0; i < PIECES; i++) {
        size_t size = i % 500 == 7 ? 40000 : (size_t)(i % 100);

        pieces[i] = allocate(worker->arena, size, (size_t)1 << (i % 6));
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
    size_t live = frti_allocator_live();
    frt_arena arena = open_shared();
    struct worker workers[THREADS];
    pthread_t threads[THREADS];

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
    cr_assert_eq(frti_allocator_live(), live);
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
    size_t live = frti_allocator_live();

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
    cr_assert_leq(frti_allocator_live(), live + 1);
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
            frt_arena arena = open_shared();

            alarm(20);
            allocate(arena, 100, 0);
            allocate(frt_arena_global(), 100, 0);
            end_child(frt_arena_close(arena) == FRT_OK);
        }
        wait_for_child(child);
    }
    __atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
}
