/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <sched.h>
#include <unistd.h>

#include "ffi_rt/base/thread.h"
#include "ffi_rt/memory/session.h"
#include "test/unit/base/child.h"
#include "test/unit/memory/help.h"

static pthread_barrier_t barrier;

struct closer {
    frt_arena *arena;
    frt_status status;
};

#define CLOSER_ROUNDS 2000

static void *
close_each_round(void *context)
{
    struct closer *closer = context;

    for (int i = 0; i < CLOSER_ROUNDS; i++) {
        pthread_barrier_wait(&barrier);
        closer->status = frt_arena_close(*closer->arena);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

Test(session_threads, two_closers_at_once)
{
    struct closer closers[2];
    pthread_t threads[2];
    frt_arena arena;

    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 2; i++) {
        closers[i].arena = &arena;
        cr_assert_eq(
            pthread_create(&threads[i], NULL, close_each_round, &closers[i]),
            0);
    }
    for (int i = 0; i < CLOSER_ROUNDS; i++) {
        arena = open_shared();
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        if (!((closers[0].status == FRT_OK &&
               closers[1].status == FRT_ALREADY_CLOSED) ||
              (closers[1].status == FRT_OK &&
               closers[0].status == FRT_ALREADY_CLOSED)))
            cr_assert_fail("round %d: %s and %s", i,
                           frt_status_name(closers[0].status),
                           frt_status_name(closers[1].status));
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

/* Acquirers against a closer: whoever got a ticket sees the arena's memory
 * until he gives it back; the close action takes the mark away. */
struct race {
    frt_arena arena;
    frti_counter is_marked;
    frti_counter seen_after;
};

static void
take_the_mark(void *context)
{
    frti_counter_set_relaxed(&((struct race *)context)->is_marked, 0);
}

static void *
acquire_until_closed(void *context)
{
    struct race *race = context;
    frt_session session = frt_arena_session(race->arena);
    frt_ticket ticket;

    while (frt_session_acquire(&ticket, session) == FRT_OK) {
        for (int i = 0; i < 20; i++)
            if (frti_counter_get_relaxed(&race->is_marked) == 0)
                frti_counter_add_relaxed(&race->seen_after, 1);
        cr_assert_eq(frt_session_release(&ticket), FRT_OK);
        sched_yield(); /* so that the closer has a chance */
    }
    check_detail("the shared session is closed");
    return NULL;
}

Test(session_threads, close_against_acquire)
{
    for (int round = 0; round < 100; round++) {
        struct race race = {.is_marked = FRTI_COUNTER(1)};
        pthread_t threads[3];
        frt_status status;

        race.arena = open_shared();
        cr_assert_eq(frt_arena_on_close(race.arena, take_the_mark, &race),
                     FRT_OK);
        for (int i = 0; i < 3; i++)
            cr_assert_eq(
                pthread_create(&threads[i], NULL, acquire_until_closed, &race),
                0);
        do {
            sched_yield();
            status = frt_arena_close(race.arena);
        } while (status == FRT_STILL_HELD);
        cr_assert_eq(status, FRT_OK);
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
        cr_assert_eq(frti_counter_get_relaxed(&race.seen_after), 0);
    }
}

/* A thread that is gone leaves its hold, which somebody else gives back. */
struct shared {
    frt_arena arena;
    frt_ticket ticket;
};

static void *
acquire_and_leave(void *context)
{
    struct shared *shared = context;

    shared->ticket = acquire(shared->arena);
    return NULL;
}

#define REOPEN_ROUNDS 200000

struct reopener {
    frt_arena arena; /* the first; the others are later lives of its slot */
    uint64_t owner;
    frti_counter generation; /* 0: not open yet; 1: no more */
};

static void *
reopen(void *context)
{
    struct reopener *reopener = context;

    reopener->owner = frt_thread_number();
    for (int i = 0; i < REOPEN_ROUNDS; i++) {
        frt_arena arena = open_confined();
        frt_ticket ticket = acquire(arena);

        if (i == 0)
            reopener->arena = arena;
        if (arena.slot == reopener->arena.slot)
            frti_counter_set_release(&reopener->generation, arena.generation);
        cr_assert_eq(frt_session_release(&ticket), FRT_OK);
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
    }
    frti_counter_set_release(&reopener->generation, 1);
    return NULL;
}

/* One hold of the owner or none: never what is there between two lives. */
Test(session_threads, holders_of_a_confined_session_that_closes)
{
    static struct reopener reopener;
    pthread_t thread;
    uint64_t generation;

    cr_assert_eq(pthread_create(&thread, NULL, reopen, &reopener), 0);
    while ((generation = frti_counter_get_acquire(&reopener.generation)) != 1) {
        frt_session session = {reopener.arena.slot, generation};
        frt_holder holder = {reopener.owner, 1};
        size_t count =
            generation == 0 ? 0 : frt_session_holders(&holder, 1, session);

        if (count > 1 || holder.thread != reopener.owner || holder.count != 1)
            cr_assert_fail("%zu holders: thread %llu, %llu times", count,
                           (unsigned long long)holder.thread,
                           (unsigned long long)holder.count);
    }
    pthread_join(thread, NULL);
}

Test(session_threads, a_thread_that_exits_holding)
{
    struct shared shared;

    shared.arena = open_shared();
    elsewhere(acquire_and_leave, &shared);
    cr_assert_eq(frt_arena_close(shared.arena), FRT_STILL_HELD);
    cr_assert_eq(frt_session_release(&shared.ticket), FRT_OK);
    cr_assert_eq(frt_arena_close(shared.arena), FRT_OK);
}

static pthread_key_t late_key;
static int late_runs;

/* In a destructor of the thread, before and after the library's. */
static void
use_late(void *context)
{
    frt_arena *arena = context;
    frt_ticket ticket = acquire(*arena);
    frt_arena own = open_confined();

    cr_assert_eq(frt_session_release(&ticket), FRT_OK);
    cr_assert_eq(frt_session_release(&ticket), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_arena_close(own), FRT_OK);
    if (late_runs++ == 0)
        pthread_setspecific(late_key, arena);
}

static void *
end_with_late_use(void *arena)
{
    (void)frti_thread_record();
    pthread_setspecific(late_key, arena);
    return NULL;
}

Test(session_threads, in_a_thread_local_destructor)
{
    frt_arena arena = open_shared();

    pthread_key_create(&late_key, use_late);
    elsewhere(end_with_late_use, &arena);
    cr_assert_eq(late_runs, 2);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

/* ---------------------------------------------------------------- fork --- */

static void *
hold_until_told(void *context)
{
    frt_ticket ticket = acquire(*(frt_arena *)context);

    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    cr_assert_eq(frt_session_release(&ticket), FRT_OK);
    return NULL;
}

static bool
run_child(frt_arena held, frt_arena free, frt_arena confined)
{
    frt_arena arena;

    /* the forking thread still owns what is confined to it */
    return frt_arena_close(held) == FRT_STILL_HELD &&
           frt_arena_close(free) == FRT_OK &&
           frt_arena_close(confined) == FRT_OK &&
           frt_arena_open_shared(&arena) == FRT_OK &&
           frt_arena_close(arena) == FRT_OK;
}

Test(session_threads, fork)
{
    frt_arena held = open_shared();
    frt_arena free = open_shared();
    frt_arena confined = open_confined();
    pthread_t thread;
    pid_t child;

    pthread_barrier_init(&barrier, NULL, 2);
    cr_assert_eq(pthread_create(&thread, NULL, hold_until_told, &held), 0);
    pthread_barrier_wait(&barrier);
    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0)
        end_child(run_child(held, free, confined));
    wait_for_child(child);
    cr_assert_eq(frt_arena_close(held), FRT_STILL_HELD);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    cr_assert_eq(frt_arena_close(held), FRT_OK);
    cr_assert_eq(frt_arena_close(free), FRT_OK, "the child's was its own");
    cr_assert_eq(frt_arena_close(confined), FRT_OK);
}
