/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/memory/session.h"

#include <stdlib.h>

#include "ffi_rt/base/allocator.h"
#include "test/unit/base/failing.h"
#include "test/unit/memory/help.h"

typedef frt_status opener(frt_arena *out);

static opener *const openers[] = {frt_arena_open_confined,
                                  frt_arena_open_shared};

static frt_arena
open_by(opener *open)
{
    frt_arena arena;

    cr_assert_eq(open(&arena), FRT_OK);
    return arena;
}

Test(session, open_and_closed)
{
    for (int i = 0; i < 2; i++) {
        frt_arena arena = open_by(openers[i]);

        cr_assert(frt_arena_is_open(arena));
        cr_assert(frt_session_is_open(frt_arena_session(arena)));
        cr_assert_eq(frti_session_check(arena.slot, arena.generation), FRT_OK);
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
        cr_assert(!frt_arena_is_open(arena));
        cr_assert(!frt_session_is_open(frt_arena_session(arena)));
        cr_assert_eq(frti_session_check(arena.slot, arena.generation),
                     FRT_CLOSED);
        check_detail("session is closed");
    }
}

Test(session, never_opened)
{
    frt_arena arena = {0};
    frt_ticket ticket;

    cr_assert(!frt_arena_is_open(arena));
    cr_assert(!frt_session_is_open(frt_arena_session(arena)));
    cr_assert_eq(frt_arena_close(arena), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "the arena was never opened");
    cr_assert_eq(frt_session_acquire(&ticket, frt_arena_session(arena)),
                 FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "the session was never opened");
}

Test(session, null_arguments)
{
    frt_arena arena = open_by(frt_arena_open_shared);

    cr_assert_eq(frt_arena_open_confined(NULL), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "out is NULL");
    cr_assert_eq(frt_arena_open_shared(NULL), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_session_acquire(NULL, frt_arena_session(arena)),
                 FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_session_release(NULL), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "ticket is NULL");
    cr_assert_eq(frt_arena_close(arena), FRT_OK, "nothing was held");
}

Test(session, closed_twice)
{
    for (int i = 0; i < 2; i++) {
        frt_arena arena = open_by(openers[i]);

        cr_assert_eq(frt_arena_close(arena), FRT_OK);
        cr_assert_eq(frt_arena_close(arena), FRT_ALREADY_CLOSED);
        check_detail("was closed before");
    }
}

Test(session, a_hold_keeps_it_open)
{
    for (int i = 0; i < 2; i++) {
        frt_arena arena = open_by(openers[i]);
        frt_ticket first = acquire(arena);
        frt_ticket second = acquire(arena);

        cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
        check_detail("still held 2 times");
        cr_assert_eq(frt_session_release(&first), FRT_OK);
        cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
        check_detail("still held 1 time");
        cr_assert(frt_arena_is_open(arena), "a refused close changes nothing");
        cr_assert_eq(frt_session_release(&second), FRT_OK);
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
    }
}

Test(session, acquire_of_a_closed_one)
{
    for (int i = 0; i < 2; i++) {
        frt_arena arena = open_by(openers[i]);
        frt_ticket ticket = {.stripe = &ticket, .generation = 77};

        cr_assert_eq(frt_arena_close(arena), FRT_OK);
        cr_assert_eq(frt_session_acquire(&ticket, frt_arena_session(arena)),
                     FRT_CLOSED);
        check_detail(i == 0 ? "the confined session is closed"
                            : "the shared session is closed");
        cr_assert(ticket.stripe == &ticket && ticket.generation == 77,
                  "outputs are written on success alone");
    }
}

Test(session, nested_a_million_times)
{
    for (int i = 0; i < 2; i++) {
        frt_arena arena = open_by(openers[i]);
        frt_ticket last = {0};
        const int depth = 1000000;

        for (int n = 0; n < depth; n++) {
            last = acquire(arena);
            if ((n & (n - 1)) == 0)
                cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
        }
        for (int n = 0; n < depth; n++) {
            frt_ticket ticket = last; /* one is as good as the other */

            if ((n & (n - 1)) == 0)
                cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
            if (frt_session_release(&ticket) != FRT_OK)
                cr_assert_fail("release %d: %s", n, frt_last_detail());
        }
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
    }
}

/* As if the session were held that much more often by this thread. */
static void
pretend_holds(frt_arena arena, const frt_ticket *ticket, uint64_t more)
{
    struct frti_stripe *stripe = ticket->stripe;

    if (stripe != NULL)
        stripe->balance.value += more;
    else
        arena.slot->holds.value += more;
}

Test(session, too_many_holds)
{
    for (int i = 0; i < 2; i++) {
        frt_arena arena = open_by(openers[i]);
        frt_ticket ticket = acquire(arena);
        frt_ticket first = ticket;
        frt_ticket other = {0};

        pretend_holds(arena, &first, FRTI_SESSION_MOST_HOLDS - 1);
        cr_assert_eq(frt_session_acquire(&other, frt_arena_session(arena)),
                     FRT_TOO_MANY_HOLDS);
        check_detail("is held 1073741823 times already");
        cr_assert_null(other.slot);
        cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
        cr_assert_eq(frt_session_release(&ticket), FRT_OK);
        cr_assert_eq(frt_session_acquire(&ticket, frt_arena_session(arena)),
                     FRT_OK);
        pretend_holds(arena, &first, -(uint64_t)(FRTI_SESSION_MOST_HOLDS - 1));
        cr_assert_eq(frt_session_release(&ticket), FRT_OK);
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
    }
}

/* ------------------------------------------------------------- tickets --- */

Test(session, double_release)
{
    for (int i = 0; i < 2; i++) {
        frt_arena arena = open_by(openers[i]);
        frt_ticket other = acquire(arena);
        frt_ticket ticket = acquire(arena);

        cr_assert_eq(frt_session_release(&ticket), FRT_OK);
        cr_assert_eq(frt_session_release(&ticket), FRT_BAD_ARGUMENT);
        check_detail("the ticket was released before, or never acquired");
        cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD,
                     "it was not counted");
        cr_assert_eq(frt_session_release(&other), FRT_OK);
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
    }
}

Test(session, release_of_a_copy)
{
    for (int i = 0; i < 2; i++) {
        frt_arena arena = open_by(openers[i]);
        frt_ticket ticket = acquire(arena);
        frt_ticket copies[3] = {ticket, ticket, ticket};

        cr_assert_eq(frt_session_release(&ticket), FRT_OK);
        cr_assert_eq(frt_session_release(&copies[0]), FRT_BAD_ARGUMENT);
        check_detail("session is not held");
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
        cr_assert_eq(frt_session_release(&copies[1]), FRT_BAD_ARGUMENT);
        check_detail("session is closed");
        /* the slot's next life */
        arena = open_by(openers[i]);
        cr_assert_eq(arena.slot, copies[2].slot);
        ticket = acquire(arena);
        cr_assert_eq(frt_session_release(&copies[2]), FRT_BAD_ARGUMENT);
        cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
        cr_assert_eq(frt_session_release(&ticket), FRT_OK);
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
    }
}

static void *
release_it(void *ticket)
{
    cr_assert_eq(frt_session_release(ticket), FRT_OK);
    return NULL;
}

Test(session, released_on_another_thread)
{
    frt_arena arena = open_by(frt_arena_open_shared);
    frt_ticket ticket = acquire(arena);

    elsewhere(release_it, &ticket);
    cr_assert_null(ticket.slot);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(session, released_in_any_order)
{
    frt_arena arena = open_by(frt_arena_open_shared);
    frt_ticket tickets[4];

    for (int i = 0; i < 4; i++)
        tickets[i] = acquire(arena);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(frt_arena_close(arena), FRT_STILL_HELD);
        cr_assert_eq(frt_session_release(&tickets[(i * 3 + 1) % 4]), FRT_OK);
    }
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

/* ------------------------------------------------------------ confined --- */

struct confined {
    frt_arena arena;
    frt_ticket ticket;
};

static void *
use_of_another_thread(void *context)
{
    struct confined *confined = context;
    frt_arena arena = confined->arena;
    frt_ticket ticket;

    cr_assert(frt_arena_is_open(arena), "anybody may ask");
    cr_assert_eq(frti_session_check(arena.slot, arena.generation),
                 FRT_WRONG_THREAD);
    check_detail("the confined session belongs to thread ");
    cr_assert_eq(frt_session_acquire(&ticket, frt_arena_session(arena)),
                 FRT_WRONG_THREAD);
    cr_assert_eq(frt_session_release(&confined->ticket), FRT_WRONG_THREAD);
    cr_assert_not_null(confined->ticket.slot);
    cr_assert_eq(frt_arena_close(arena), FRT_WRONG_THREAD);
    return NULL;
}

static void *
close_of_a_closed_one(void *arena)
{
    cr_assert_eq(frt_arena_close(*(frt_arena *)arena), FRT_ALREADY_CLOSED);
    return NULL;
}

Test(session, confined_is_refused_elsewhere)
{
    struct confined confined;

    confined.arena = open_by(frt_arena_open_confined);
    confined.ticket = acquire(confined.arena);
    elsewhere(use_of_another_thread, &confined);
    cr_assert_eq(frt_session_release(&confined.ticket), FRT_OK);
    cr_assert_eq(frt_arena_close(confined.arena), FRT_OK);
    elsewhere(close_of_a_closed_one, &confined.arena);
}

/* A stale handle of a slot that another thread has now is closed, not another
 * thread's. */
static void *
open_and_leave(void *out)
{
    cr_assert_eq(frt_arena_open_confined(out), FRT_OK);
    return NULL;
}

Test(session, stale_handle_of_another_owner)
{
    frt_arena stale = open_by(frt_arena_open_confined);
    frt_arena other;

    cr_assert_eq(frt_arena_close(stale), FRT_OK);
    elsewhere(open_and_leave, &other);
    cr_assert_eq(other.slot, stale.slot);
    cr_assert_eq(frti_session_check(stale.slot, stale.generation), FRT_CLOSED);
    cr_assert_eq(frt_arena_close(stale), FRT_ALREADY_CLOSED);
    cr_assert_eq(frt_arena_close(other), FRT_WRONG_THREAD);
}

/* -------------------------------------------------------------- global --- */

Test(session, global)
{
    frt_arena arena = frt_arena_global();
    frt_ticket ticket;

    cr_assert(frt_arena_is_open(arena));
    for (int i = 0; i < 10; i++)
        ticket = acquire(arena);
    cr_assert_eq(frt_session_release(&ticket), FRT_OK);
    cr_assert_eq(frt_session_release(&ticket), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_arena_close(arena), FRT_UNSUPPORTED);
    cr_assert_str_eq(frt_last_detail(), "the global session is never closed");
    cr_assert_eq(frti_session_check(NULL, 0), FRT_OK, "as segments name it");
}

/* --------------------------------------------------------- generations --- */

Test(session, stale_over_many_generations)
{
    enum { LIVES = 10000 };
    static frt_arena stale[LIVES];
    frt_ticket ticket;

    for (int i = 0; i < LIVES; i++) {
        stale[i] = open_by(frt_arena_open_shared);
        cr_assert_eq(stale[i].slot, stale[0].slot, "the slot is recycled");
        cr_assert_eq(frt_arena_close(stale[i]), FRT_OK);
    }
    open_by(frt_arena_open_shared);
    for (int i = 0; i < LIVES; i++) {
        if (frt_arena_is_open(stale[i]))
            cr_assert_fail("life %d is open", i);
        if (frt_session_acquire(&ticket, frt_arena_session(stale[i])) !=
            FRT_CLOSED)
            cr_assert_fail("life %d was acquired", i);
        if (frt_arena_close(stale[i]) != FRT_ALREADY_CLOSED)
            cr_assert_fail("life %d was closed again", i);
    }
}

Test(session, retired_before_it_would_wrap)
{
    for (int i = 0; i < 2; i++) {
        frt_arena arena = open_by(openers[i]);
        struct frti_session *slot = arena.slot;
        const uint64_t last = UINT32_MAX - FRTI_SESSION_STATES;

        cr_assert_eq(frt_arena_close(arena), FRT_OK);
        slot->word.value =
            (last - FRTI_SESSION_GENERATION) | FRTI_SESSION_CLOSED;
        arena = open_by(openers[i]);
        cr_assert_eq(arena.slot, slot);
        cr_assert_eq(arena.generation, last);
        cr_assert(frt_arena_is_open(arena));
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
        for (int life = 0; life < 200; life++) {
            frt_arena other = open_by(openers[i]);

            cr_assert_neq(other.slot, slot);
        }
        cr_assert(!frt_arena_is_open(arena));
    }
}

/* Handles that are no value of this library's: no part of them is cut off. */
Test(session, generation_that_no_slot_has)
{
    frt_arena arena = open_by(frt_arena_open_shared);
    frt_arena wrong = arena;

    for (int bit = 32; bit < 64; bit++) {
        wrong.generation = arena.generation | UINT64_C(1) << bit;
        cr_assert(!frt_arena_is_open(wrong));
        cr_assert_eq(frt_arena_close(wrong), FRT_ALREADY_CLOSED);
    }
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(session, a_hundred_thousand_at_once)
{
    enum { SESSIONS = 100000 };
    frt_arena *arenas = calloc(SESSIONS, sizeof *arenas);
    size_t made;

    for (int i = 0; i < SESSIONS; i++)
        arenas[i] = open_by(openers[i % 2]);
    for (int i = 0; i < SESSIONS; i++)
        if (!frt_arena_is_open(arenas[i]) ||
            frt_arena_close(arenas[i]) != FRT_OK ||
            frt_arena_is_open(arenas[i]))
            cr_assert_fail("session %d", i);
    made = frti_allocator_made();
    for (int i = 0; i < SESSIONS; i++)
        arenas[i] = open_by(openers[i % 2]);
    cr_assert_eq(frti_allocator_made(), made, "slots are used again");
    free(arenas);
}

Test(session, no_memory_for_a_chunk)
{
    for (int i = 0; i < 2; i++) {
        frt_arena arena = {0};
        int opened = 0;
        size_t live;

        frt_last_detail();
        (void)frti_thread_record();
        live = frti_allocator_live();
        failing_begin_always();
        while (openers[i](&arena) == FRT_OK)
            opened++;
        cr_assert(failing_end());
        cr_assert_eq(opened, 16, "the first slots need no memory");
        check_detail("no memory for sessions");
        cr_assert_eq(openers[i](&arena), FRT_OK, "once there is memory again");
        cr_assert_eq(frti_allocator_live(), live + 1);
    }
}
