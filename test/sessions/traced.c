/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * traced private|held|many|single: for strace, which counts the system calls
 * between two marks (writes of no bytes to standard error).
 *
 *   private  1,000 lives of sessions that one thread makes, uses and closes
 *   held     1,000 closes that find a holder on another thread
 *   many     1,000 closes of sessions that two threads used, in one batch,
 *            while the other one runs
 *   single   the same, one by one
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ffi_rt/ffi_rt.h"

#define TIMES 1000

static frt_arena arenas[TIMES];
static frt_status statuses[TIMES];
static _Atomic int phase;

static void
need(int condition)
{
    if (condition)
        return;
    fprintf(stderr, "traced: %s\n", frt_last_detail());
    exit(EXIT_FAILURE);
}

static void
mark(void)
{
    (void)!write(2, "", 0);
}

static void
use(frt_arena arena)
{
    frt_ticket ticket;

    need(frt_session_acquire(&ticket, frt_arena_session(arena)) == FRT_OK);
    need(frt_session_release(&ticket) == FRT_OK);
}

static void
live(void)
{
    frt_arena arena;

    need(frt_arena_open_shared(&arena) == FRT_OK);
    use(arena);
    need(frt_arena_close(arena) == FRT_OK);
}

static void
run_private(void)
{
    live();
    mark();
    for (int i = 0; i < TIMES; i++)
        live();
    mark();
}

static void *
use_all_and_run(void *unused)
{
    for (int i = 0; i < TIMES; i++)
        use(arenas[i]);
    atomic_store(&phase, 1);
    while (atomic_load_explicit(&phase, memory_order_relaxed) == 1)
        continue;
    return unused;
}

static void
close_all(bool is_batch)
{
    if (is_batch) {
        need(frt_arena_close_many(statuses, arenas, TIMES) == FRT_OK);
        return;
    }
    for (int i = 0; i < TIMES; i++)
        need(frt_arena_close(arenas[i]) == FRT_OK);
}

static void
run_many(bool is_batch)
{
    pthread_t thread;

    for (int i = 0; i < TIMES; i++) {
        need(frt_arena_open_shared(&arenas[i]) == FRT_OK);
        use(arenas[i]);
    }
    need(pthread_create(&thread, NULL, use_all_and_run, NULL) == 0);
    while (atomic_load(&phase) != 1)
        continue;
    mark();
    close_all(is_batch);
    mark();
    atomic_store(&phase, 2);
    pthread_join(thread, NULL);
}

static void *
hold_and_run(void *unused)
{
    frt_ticket ticket;

    need(frt_session_acquire(&ticket, frt_arena_session(arenas[0])) == FRT_OK);
    atomic_store(&phase, 1);
    while (atomic_load_explicit(&phase, memory_order_relaxed) == 1)
        continue;
    need(frt_session_release(&ticket) == FRT_OK);
    return unused;
}

static void
run_held(void)
{
    pthread_t thread;

    need(frt_arena_open_shared(&arenas[0]) == FRT_OK);
    need(pthread_create(&thread, NULL, hold_and_run, NULL) == 0);
    while (atomic_load(&phase) != 1)
        continue;
    need(frt_arena_close(arenas[0]) == FRT_STILL_HELD);
    mark();
    for (int i = 0; i < TIMES; i++)
        need(frt_arena_close(arenas[0]) == FRT_STILL_HELD);
    mark();
    atomic_store(&phase, 2);
    pthread_join(thread, NULL);
}

int
main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";

    if (strcmp(what, "private") == 0)
        run_private();
    else if (strcmp(what, "held") == 0)
        run_held();
    else
        run_many(strcmp(what, "many") == 0);
    return EXIT_SUCCESS;
}
