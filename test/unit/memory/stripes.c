/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/memory/stripes.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ffi_rt/memory/session.h"
#include "test/unit/base/failing.h"
#include "test/unit/memory/help.h"

/* ---------------------------------------------------------------- bytes --- */

static size_t allocated;

static int
add_up(size_t size)
{
    allocated += size;
    return 1;
}

/* As many sessions as fill their chunks and the pages of stripes. */
Test(stripes, bytes_of_a_session_and_of_a_pair)
{
    enum { SESSIONS = 63 * 84 };
    static frt_arena arenas[SESSIONS];
    size_t for_sessions;

    warm();
    allocated = 0;
    frti_allocator_gate(add_up);
    for (int i = 0; i < SESSIONS; i++)
        arenas[i] = open_shared();
    for_sessions = allocated;
    allocated = 0;
    for (int i = 0; i < SESSIONS; i++) {
        frt_ticket ticket = acquire(arenas[i]);

        cr_assert_eq(frt_session_release(&ticket), FRT_OK);
    }
    frti_allocator_gate(NULL);
    cr_assert_leq(for_sessions, SESSIONS * 256, "%zu a session",
                  for_sessions / SESSIONS);
    cr_assert_leq(allocated, SESSIONS * 64, "%zu a pair", allocated / SESSIONS);
    cr_assert_gt(allocated, 0);
}

/* -------------------------------------------------------------- memory --- */

/* Without memory for stripes the shared count is taken: nothing fails. */
Test(stripes, no_memory_for_the_nth_allocation)
{
    frt_arena arena = open_shared();

    (void)frti_thread_record();
    for (size_t n = 1;; n++) {
        frt_ticket ticket;
        bool failed;

        failing_begin(n);
        ticket = acquire(arena);
        failed = failing_end();
        cr_assert_eq(ticket.stripe == NULL, failed);
        cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
        cr_assert_eq(frt_session_release(&ticket), FRT_OK);
        if (!failed)
            break;
        cr_assert_lt(n, 10);
    }
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

/* Holds on the shared count, beside those of stripes. */
Test(stripes, shared_count)
{
    frt_arena arena = open_shared();
    frt_ticket counted, copy, striped;

    cr_assert_eq(frt_session_acquire_signal(&counted, frt_arena_session(arena)),
                 FRT_OK);
    cr_assert_null(counted.stripe);
    copy = counted;
    striped = acquire(arena);
    cr_assert_eq(frt_session_release(&striped), FRT_OK);
    cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
    cr_assert_eq(frt_session_release(&counted), FRT_OK);
    cr_assert_eq(frt_session_release(&copy), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    cr_assert_eq(frt_session_acquire_signal(&counted, frt_arena_session(arena)),
                 FRT_CLOSED);
    cr_assert_eq(frt_session_acquire_signal(NULL, frt_arena_session(arena)),
                 FRT_BAD_ARGUMENT);
    arena = open_confined();
    cr_assert_eq(frt_session_acquire_signal(&counted, frt_arena_session(arena)),
                 FRT_UNSUPPORTED);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

/* ------------------------------------------------------------- threads --- */

static size_t
count_records(void)
{
    size_t count = 0;

    for (struct frti_stripe_record *record = frti_stripe_records();
         record != NULL; record = record->next)
        count++;
    return count;
}

struct visit {
    frt_arena arena;
    frt_ticket ticket;
};

static void *
visit(void *context)
{
    struct visit *visit = context;

    visit->ticket = acquire(visit->arena);
    return NULL;
}

Test(stripes, a_record_is_used_again)
{
    struct visit one = {.arena = open_shared()};
    size_t records;

    elsewhere(visit, &one);
    cr_assert_eq(frt_session_release(&one.ticket), FRT_OK);
    records = count_records();
    for (int i = 0; i < 100; i++) {
        elsewhere(visit, &one);
        cr_assert_eq(frt_session_release(&one.ticket), FRT_OK);
    }
    cr_assert_eq(count_records(), records);
    cr_assert_eq(frt_arena_close(one.arena), FRT_OK);
}

/* Many threads that leave tickets: their records are used again all the same,
 * and each ticket still releases. */
Test(stripes, many_that_end_holding)
{
    enum { VISITS = 200 };
    static struct visit visits[VISITS];
    frt_arena arena = open_shared();

    for (int i = 0; i < VISITS; i++) {
        visits[i].arena = arena;
        elsewhere(visit, &visits[i]);
    }
    cr_assert_leq(count_records(), 40);
    for (int i = 0; i < VISITS; i++) {
        cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
        cr_assert_eq(frt_session_release(&visits[i].ticket), FRT_OK);
    }
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

/* A copy that is released on another thread, in every state of the first. */
Test(stripes, a_copy_released_elsewhere)
{
    struct visit one = {.arena = open_shared()};
    frt_ticket copies[3];

    elsewhere(visit, &one);
    copies[0] = copies[1] = copies[2] = one.ticket;
    cr_assert_eq(frt_session_release(&one.ticket), FRT_OK);
    cr_assert_eq(frt_session_release(&copies[0]), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_arena_close(one.arena), FRT_OK);
    cr_assert_eq(frt_session_release(&copies[1]), FRT_BAD_ARGUMENT);
    one.arena = open_shared();
    cr_assert_eq(one.arena.slot, copies[2].slot);
    elsewhere(visit, &one);
    cr_assert_eq(frt_session_release(&copies[2]), FRT_BAD_ARGUMENT,
                 "it is of an earlier life");
    cr_assert_eq(frt_arena_close(one.arena), FRT_STILL_HELD);
    cr_assert_eq(frt_session_release(&one.ticket), FRT_OK);
    cr_assert_eq(frt_arena_close(one.arena), FRT_OK);
}

/* Counts pass 2^32, as after that many releases elsewhere. */
Test(stripes, counts_that_wrap)
{
    struct visit one = {.arena = open_shared()};
    struct frti_stripe *stripe;
    frt_ticket mine = acquire(one.arena);

    stripe = mine.stripe;
    stripe->balance.value += UINT32_MAX - 1;
    frti_stripe_remote(stripe)->value += UINT32_MAX - 1;
    for (int i = 0; i < 4; i++) {
        one.ticket = acquire(one.arena);
        stripe = one.ticket.stripe;
        cr_assert_eq(frti_stripe_held(stripe), 2);
        cr_assert(frti_stripe_release_remote(stripe, one.arena.generation));
        cr_assert_eq(frti_stripe_held(stripe), 1);
        cr_assert_eq(frt_arena_close(one.arena), FRT_STILL_HELD);
    }
    cr_assert_eq(frt_session_release(&mine), FRT_OK);
    cr_assert_eq(frt_arena_close(one.arena), FRT_OK);
}

/* ----------------------------------------------------------------- fork --- */

static pthread_barrier_t gate;

/* A forked child does not have the thread, whose record a leak checker would
 * miss. */
static void *volatile known;

static void *
hold_until_told(void *context)
{
    struct visit *held = context;

    known = frti_thread_record();
    held->ticket = acquire(held->arena);
    pthread_barrier_wait(&gate);
    pthread_barrier_wait(&gate);
    return NULL;
}

/* What the other threads of the parent hold stays held, until it is said that
 * it is not. */
static int
in_child(struct visit *held, frt_ticket *own)
{
    frt_ticket stale = held->ticket;

    if (frt_arena_close(held->arena) != FRT_STILL_HELD)
        return 1;
    if (frt_fork_drop_holds() != 1 || frt_fork_drop_holds() != 0)
        return 2;
    if (frt_arena_close(held->arena) != FRT_STILL_HELD)
        return 3; /* its own */
    if (frt_session_release(&stale) != FRT_BAD_ARGUMENT ||
        frt_session_release(own) != FRT_OK)
        return 4;
    return frt_arena_close(held->arena) == FRT_OK ? 0 : 5;
}

Test(stripes, fork_and_three_generations)
{
    struct visit held = {.arena = open_shared()};
    frt_ticket own = acquire(held.arena);
    pthread_t thread;
    pid_t child;
    int ending = -1;

    pthread_barrier_init(&gate, NULL, 2);
    cr_assert_eq(pthread_create(&thread, NULL, hold_until_told, &held), 0);
    pthread_barrier_wait(&gate);
    cr_assert_eq(frt_fork_drop_holds(), 0, "nobody is lost here");
    child = fork();
    if (child == 0) {
        pid_t grandchild = fork();

        if (grandchild == 0)
            _exit(in_child(&held, &own));
        if (waitpid(grandchild, &ending, 0) != grandchild || ending != 0)
            _exit(100);
        _exit(in_child(&held, &own));
    }
    cr_assert_eq(waitpid(child, &ending, 0), child);
    cr_assert_eq(ending, 0, "%x", ending);
    pthread_barrier_wait(&gate);
    pthread_join(thread, NULL);
    cr_assert_eq(frt_session_release(&held.ticket), FRT_OK);
    cr_assert_eq(frt_session_release(&own), FRT_OK);
    cr_assert_eq(frt_arena_close(held.arena), FRT_OK);
}
