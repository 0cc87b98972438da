/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Closing: many at once, with patience, and who is in the way. */
#include <stdio.h>
#include <time.h>

#include "ffi_rt/base/barrier.h"
#include "ffi_rt/memory/session.h"
#include "test/unit/base/failing.h"
#include "test/unit/memory/help.h"

static void
release(frt_ticket *ticket)
{
    cr_assert_eq(frt_session_release(ticket), FRT_OK, "%s", frt_last_detail());
}

/* ------------------------------------------------------------- holders --- */

Test(close, holders_are_told)
{
    frt_arena arena = open_shared();
    frt_session session = frt_arena_session(arena);
    frt_holder holders[2];
    frt_ticket tickets[3];
    char expected[100];

    cr_assert_eq(frt_session_holders(holders, 2, session), 0);
    tickets[0] = acquire(arena);
    tickets[1] = acquire(arena);
    cr_assert_eq(frt_session_holders(holders, 2, session), 1);
    cr_assert_eq(holders[0].thread, frt_thread_number());
    cr_assert_eq(holders[0].count, 2);
    cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
    snprintf(expected, sizeof expected,
             "the shared session is still held 2 times: by thread %llu (2 "
             "times)",
             (unsigned long long)frt_thread_number());
    cr_assert_str_eq(frt_last_detail(), expected);
    cr_assert_eq(frt_session_acquire_signal(&tickets[2], session), FRT_OK);
    cr_assert_eq(frt_session_holders(holders, 2, session), 2);
    cr_assert_eq(holders[1].thread, 0);
    cr_assert_eq(holders[1].count, 1);
    cr_assert_eq(frt_session_holders(holders, 1, session), 2,
                 "there are more than fit");
    cr_assert_eq(frt_session_holders(NULL, 7, session), 2);
    for (int i = 0; i < 3; i++)
        release(&tickets[i]);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    cr_assert_eq(frt_session_holders(holders, 2, session), 0);
    cr_assert_eq(frt_session_holders(holders, 2, (frt_session){0}), 0);
}

Test(close, holders_of_a_confined_one)
{
    frt_arena arena = open_confined();
    frt_holder holder;
    frt_ticket ticket = acquire(arena);

    cr_assert_eq(frt_session_holders(&holder, 1, frt_arena_session(arena)), 1);
    cr_assert_eq(holder.thread, frt_thread_number());
    cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
    check_detail("still held 1 time: by thread ");
    release(&ticket);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

struct leaving {
    frt_arena arena;
    frt_ticket ticket;
    uint64_t thread;
};

static void *
acquire_and_end(void *context)
{
    struct leaving *leaving = context;

    leaving->ticket = acquire(leaving->arena);
    leaving->thread = frt_thread_number();
    return NULL;
}

static void *
just_use(void *context)
{
    frt_ticket ticket = acquire(*(frt_arena *)context);

    release(&ticket);
    return NULL;
}

/* What an ended thread left is not told as the next one's. */
Test(close, holders_that_ended)
{
    struct leaving leaving = {.arena = open_shared()};
    frt_holder holder;

    elsewhere(acquire_and_end, &leaving);
    elsewhere(just_use, &leaving.arena);
    cr_assert_eq(
        frt_session_holders(&holder, 1, frt_arena_session(leaving.arena)), 1);
    cr_assert_eq(holder.thread, 0);
    cr_assert_eq(frt_arena_close(leaving.arena), FRT_STILL_HELD);
    check_detail("by no thread that is known (1 time)");
    release(&leaving.ticket);
    cr_assert_eq(frt_arena_close(leaving.arena), FRT_OK);
}

/* ---------------------------------------------------------------- many --- */

static int ended;

static void
count_end(void *unused)
{
    (void)unused;
    ended++;
}

#define MANY 1000

static frt_arena many[MANY];
static frt_status statuses[MANY];

static void *
use_many(void *unused)
{
    for (int i = 0; i < MANY; i++)
        just_use(&many[i]);
    return unused;
}

static void
open_many(void)
{
    for (int i = 0; i < MANY; i++) {
        many[i] = open_shared();
        cr_assert_eq(frt_arena_on_close(many[i], count_end, NULL), FRT_OK);
    }
}

Test(close, many_for_one_barrier)
{
    uint64_t before;

    open_many();
    elsewhere(use_many, NULL);
    use_many(NULL);
    before = frti_barrier_count();
    cr_assert_eq(frt_arena_close_many(statuses, many, MANY), FRT_OK);
    cr_assert_eq(ended, MANY);
    for (int i = 0; i < MANY; i++) {
        cr_assert_eq(statuses[i], FRT_OK);
        cr_assert(!frt_arena_is_open(many[i]));
    }
    cr_assert_leq(frti_barrier_count() - before, 1);
    cr_assert_eq(frt_arena_close_many(statuses, many, MANY),
                 FRT_ALREADY_CLOSED);
    cr_assert_eq(ended, MANY);
    cr_assert_leq(frti_barrier_count() - before, 1);
}

Test(close, many_without_memory_for_the_list)
{
    uint64_t before;

    open_many();
    elsewhere(use_many, NULL);
    use_many(NULL);
    before = frti_barrier_count();
    failing_begin_always();
    cr_assert_eq(frt_arena_close_many(statuses, many, MANY), FRT_OK);
    cr_assert(failing_end());
    cr_assert_eq(ended, MANY);
    cr_assert_leq(frti_barrier_count() - before, MANY / 32 + 1);
}

/* Each for itself, and a session that is named twice closes once. */
Test(close, many_that_differ)
{
    frt_arena closed = open_shared();
    frt_arena held = open_shared();
    frt_arena twice = open_shared();
    frt_arena confined = open_confined();
    frt_ticket ticket = acquire(held);
    frt_arena list[] = {
        closed, held, twice, twice, confined, frt_arena_global(), {0}};
    frt_status expected[] = {
        FRT_ALREADY_CLOSED, FRT_STILL_HELD,  FRT_OK, FRT_ALREADY_CLOSED, FRT_OK,
        FRT_UNSUPPORTED,    FRT_BAD_ARGUMENT};

    cr_assert_eq(frt_arena_on_close(twice, count_end, NULL), FRT_OK);
    cr_assert_eq(frt_arena_close(closed), FRT_OK);
    cr_assert_eq(frt_arena_close_many(statuses, list, 7), FRT_ALREADY_CLOSED);
    for (int i = 0; i < 7; i++)
        cr_assert_eq(statuses[i], expected[i], "%d: %s", i,
                     frt_status_name(statuses[i]));
    cr_assert_eq(ended, 1);
    cr_assert(frt_arena_is_open(held));
    release(&ticket);
    cr_assert_eq(frt_arena_close(held), FRT_OK);
    cr_assert_eq(frt_arena_close_many(NULL, NULL, 0), FRT_OK);
    cr_assert_eq(frt_arena_close_many(NULL, list, 1), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_arena_close_many(statuses, NULL, 1), FRT_BAD_ARGUMENT);
}

static void
fail_in_something_else(void *unused)
{
    cr_assert_eq(frt_arena_close(frt_arena_global()), FRT_UNSUPPORTED);
    (void)unused;
}

Test(close, many_with_an_action_that_fails)
{
    frt_arena list[] = {open_shared(), open_shared()};
    frt_ticket ticket = acquire(list[0]);

    cr_assert_eq(frt_arena_on_close(list[1], fail_in_something_else, NULL),
                 FRT_OK);
    cr_assert_eq(frt_arena_close_many(statuses, list, 2), FRT_STILL_HELD);
    check_detail("still held");
    release(&ticket);
    cr_assert_eq(frt_arena_close(list[0]), FRT_OK);
}

static void
leave(void *unused)
{
    pthread_exit(unused);
}

static void *
close_them(void *unused)
{
    (void)!frt_arena_close_many(statuses, many, 3);
    cr_assert_fail("pthread_exit returned");
    return unused;
}

Test(close, many_with_an_action_that_does_not_return)
{
    for (int i = 0; i < 3; i++) {
        many[i] = open_shared();
        cr_assert_eq(
            frt_arena_on_close(many[i], i == 1 ? leave : count_end, NULL),
            FRT_OK);
    }
    elsewhere(close_them, NULL);
    cr_assert_eq(ended, 2);
}

/* ------------------------------------------------------------ patience --- */

static void
sleep_ms(long ms)
{
    const struct timespec span = {0, ms * 1000000};

    nanosleep(&span, NULL);
}

static void *
release_soon(void *ticket)
{
    sleep_ms(30);
    release(ticket);
    return NULL;
}

Test(close, waits_for_a_release)
{
    frt_arena arena = open_shared();
    frt_ticket ticket = acquire(arena);
    pthread_t thread;

    cr_assert_eq(pthread_create(&thread, NULL, release_soon, &ticket), 0);
    cr_assert_eq(frt_arena_close_wait(arena, UINT64_C(20000000000)), FRT_OK);
    cr_assert_null(ticket.slot);
    pthread_join(thread, NULL);
}

Test(close, waits_no_longer_than_told)
{
    frt_arena arena = open_shared();
    frt_ticket ticket = acquire(arena);
    uint64_t barriers = frti_barrier_count();

    cr_assert_eq(frt_arena_close_wait(arena, 0), FRT_STILL_HELD);
    cr_assert_eq(frt_arena_close_wait(arena, 3000000), FRT_STILL_HELD);
    check_detail("still held 1 time");
    cr_assert_eq(frti_barrier_count(), barriers, "a holder is seen without");
    release(&ticket);
    cr_assert_eq(frt_arena_close_wait(arena, 0), FRT_OK);
    cr_assert_eq(frt_arena_close_wait(arena, 1000000), FRT_ALREADY_CLOSED);
    cr_assert_eq(frt_arena_close_wait((frt_arena){0}, 1000000),
                 FRT_BAD_ARGUMENT);
}

/* ------------------------------------------------------------ barriers --- */

static void
live_once(void)
{
    frt_arena arena = open_shared();

    just_use(&arena);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(close, a_session_of_one_thread_needs_no_barrier)
{
    uint64_t before;

    live_once();
    before = frti_barrier_count();
    for (int i = 0; i < 1000; i++)
        live_once();
    cr_assert_eq(frti_barrier_count(), before);
}

Test(close, one_that_another_thread_used_does)
{
    frt_arena arena = open_shared();
    uint64_t before = frti_barrier_count();

    just_use(&arena);
    elsewhere(just_use, &arena);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    if (frti_session_mode_chosen() == FRTI_BARRIER_MEMBARRIER)
        cr_assert_eq(frti_barrier_count(), before + 1);
    else
        cr_assert_eq(frti_barrier_count(), before);
}

#define CLOSERS 64

static pthread_barrier_t start;

static void *
close_at_once(void *context)
{
    pthread_barrier_wait(&start);
    cr_assert_eq(frt_arena_close(*(frt_arena *)context), FRT_OK);
    return NULL;
}

/* Closers that wait share barriers: there are fewer than closers. */
Test(close, sixty_four_at_once)
{
    static frt_arena arenas[CLOSERS];
    pthread_t threads[CLOSERS];
    uint64_t before;

    pthread_barrier_init(&start, NULL, CLOSERS);
    for (int i = 0; i < CLOSERS; i++) {
        arenas[i] = open_shared();
        just_use(&arenas[i]);
        elsewhere(just_use, &arenas[i]);
    }
    before = frti_barrier_count();
    for (int i = 0; i < CLOSERS; i++)
        cr_assert_eq(
            pthread_create(&threads[i], NULL, close_at_once, &arenas[i]), 0);
    for (int i = 0; i < CLOSERS; i++)
        pthread_join(threads[i], NULL);
    cr_assert_leq(frti_barrier_count() - before, CLOSERS);
}
