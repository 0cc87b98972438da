/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Acquire and release: what is not inlined, and tickets. */
#include "ffi_rt/base/status.h"
#include "ffi_rt/memory/session.h"

/* -------------------------------------------------------------- striped --- */

/* More than one: for good, in this life. A read-modify-write even if it is
 * known: see stripe_bind. */
static void
session_name_binder(struct frti_shared_session *shared,
                    struct frti_stripe_record *record)
{
    void *seen = NULL;

    if (frti_pointer_replace_seq_cst(&shared->binder, &seen, record))
        return;
    while (!frti_pointer_replace_seq_cst(&shared->binder, &seen,
                                         seen == record ? (void *)record
                                                        : FRTI_SESSION_SEVERAL))
        continue;
}

/* The stripe's first use in this life. The closer that finds itself alone does
 * without a barrier: it stores CLOSING, fences, and reads the binder. Here the
 * binder is written, then a fence, then the word is read: one sees the other.
 */
static void
stripe_bind(struct frti_stripe *stripe, struct frti_session *slot,
            uint64_t generation)
{
    frti_counter *remote = frti_stripe_remote(stripe);
    uint64_t seen = frti_counter_get_relaxed(remote); /* judged by the CAS */

    /* seq_cst, with the CASes of stale tickets: each is judged by one life */
    while (!frti_counter_replace_seq_cst(remote, &seen,
                                         generation << 32 | (uint32_t)seen))
        continue;
    session_name_binder(frti_session_shared(slot),
                        frti_stripe_page_of(stripe)->record);
    /* release: pairs with frti_stripe_generation_acquire */
    frti_counter_set_release(&stripe->generation, generation | frti_stripe_tag);
    frti_fence_seq_cst();
}

static void
stripe_publish(struct frti_stripe *stripe)
{
    switch (frti_session_mode_chosen()) {
    case FRTI_BARRIER_MEMBARRIER:
        frti_counter_own_up(&stripe->balance);
        break;
    case FRTI_BARRIER_FENCE:
        frti_counter_own_up(&stripe->balance);
        /* pairs with the closer's fence */
        frti_fence_seq_cst();
        break;
    case FRTI_BARRIER_RMW:
        /* seq_cst: pairs with the closer's CAS */
        frti_counter_add_seq_cst(&stripe->balance, 1);
        break;
    }
}

static struct frti_stripe *
stripe_mine(struct frti_session *slot)
{
    struct frti_stripe_record *record = frti_stripe_record_mine();

    return record == NULL ? NULL
                          : frti_stripe_make(record, slot->stripe_page,
                                             slot->stripe_offset);
}

static frt_status
session_refuse_counted(frt_status status, struct frti_session *slot)
{
    return status == FRT_OK ? FRT_OK : frti_session_refuse(status, slot);
}

frt_status
frti_stripe_acquire_slow(struct frti_stripe **out, struct frti_session *slot,
                         uint64_t generation)
{
    struct frti_stripe *stripe;

    if (!frti_session_is_open(slot, generation))
        return frti_session_refuse(FRT_CLOSED, slot);
    stripe = stripe_mine(slot);
    *out = stripe;
    if (stripe == NULL)
        return session_refuse_counted(
            frti_session_acquire_counted(slot, generation), slot);
    if (frti_stripe_generation_acquire(stripe) != generation)
        stripe_bind(stripe, slot, generation);
    stripe_publish(stripe);
    if (FRTI_LIKELY(frti_session_judge(slot, generation)))
        return FRT_OK;
    frti_counter_own_down_release(&stripe->balance);
    return frti_session_refuse(FRT_CLOSED, slot);
}

/* Valid: what is held stays held until this has counted, so that neither the
 * life nor the balance can say no. Not valid: it is not counted, whatever
 * happens meanwhile, for the life stands in the word that is replaced. */
bool
frti_stripe_release_remote(struct frti_stripe *stripe, uint64_t generation)
{
    frti_counter *remote = frti_stripe_remote(stripe);
    uint64_t seen = frti_counter_get_relaxed(remote); /* judged by the CAS */

    do {
        /* relaxed: the ticket was handed over, and its acquire with it */
        uint64_t balance = frti_counter_get_relaxed(&stripe->balance);

        if (seen >> 32 != generation || (uint32_t)balance == (uint32_t)seen)
            return false;
        /* seq_cst, of which the release pairs with frti_stripe_held */
    } while (!frti_counter_replace_seq_cst(
        remote, &seen, generation << 32 | (uint32_t)((uint32_t)seen + 1)));
    return true;
}

/* -------------------------------------------------------------- counted --- */

frt_status
frti_session_acquire_counted(struct frti_session *slot, uint64_t generation)
{
    frti_counter *count = &frti_session_shared(slot)->count;
    uint64_t seen = frti_counter_get_relaxed(count); /* judged by the CAS */

    do {
        if (seen >> 32 != generation)
            return FRT_CLOSED;
        if ((uint32_t)seen >= FRTI_SESSION_MOST_HOLDS)
            return FRT_TOO_MANY_HOLDS;
    } while (!frti_counter_replace_seq_cst(count, &seen, seen + 1));
    /* with the CAS: pairs with the closer's CAS and fence */
    frti_fence_seq_cst();
    if (frti_session_judge(slot, generation))
        return FRT_OK;
    (void)frti_session_release_counted(slot, generation);
    return FRT_CLOSED;
}

bool
frti_session_release_counted(struct frti_session *slot, uint64_t generation)
{
    frti_counter *count = &frti_session_shared(slot)->count;
    uint64_t seen = frti_counter_get_relaxed(count); /* judged by the CAS */

    do {
        if (seen >> 32 != generation || (uint32_t)seen == 0)
            return false;
        /* release: pairs with the acquire of tally_counted in close.c */
    } while (!frti_counter_replace_weak_release(count, &seen, seen - 1));
    return true;
}

/* ---------------------------------------------------------------- holds --- */

frt_status
frti_hold_take_slow(struct frti_session *slot, uint64_t generation)
{
    frt_status status = frti_session_check(slot, generation);

    if (status != FRT_OK || slot->kind == FRTI_SESSION_GLOBAL)
        return status;
    if (frti_hold_take_confined(slot, generation))
        return FRT_OK; /* the thread had no number yet */
    return frti_session_refuse(FRT_TOO_MANY_HOLDS, slot);
}

/* A call with a confined session that ends on another thread breaks that
 * session's rule: it stays held. */
void
frti_hold_give_slow(struct frti_hold *hold)
{
    struct frti_session *slot =
        frti_pointer_get_relaxed(&hold->slot); /* this thread's own */
    uint64_t word = frti_counter_get_relaxed(&slot->word); /* it is held */
    uint64_t holds;

    if (slot->kind == FRTI_SESSION_SHARED) {
        (void)frti_session_release_counted(slot, word & ~FRTI_SESSION_STATES);
    } else if (slot->kind == FRTI_SESSION_CONFINED &&
               frti_session_is_owner(slot)) {
        holds = frti_counter_get_relaxed(&slot->holds); /* its owner's */
        frti_counter_set_relaxed(&slot->holds, holds - 1);
    }
}

/* -------------------------------------------------------------- tickets --- */

/* The public ones are never inlined, not by a whole-program optimiser either:
 * a fiber may have moved between two of them, and the address of thread-local
 * data is not to be kept from one to the other. */

frt_status
frti_ticket_refuse(const frt_ticket *ticket)
{
    if (ticket->slot == NULL)
        return frti_fail(FRT_BAD_ARGUMENT, "the ticket was released before, or "
                                           "never acquired");
    return frti_fail(
        FRT_BAD_ARGUMENT, "the ticket was released before: its %s session %s",
        frti_session_kind_name(ticket->slot),
        frti_session_is_open(ticket->slot, ticket->generation) ? "is not held"
                                                               : "is closed");
}

/* Holds of calls under way are bounded by their stacks, tickets by this. */
static frt_status
ticket_acquire_shared(struct frti_stripe **out, frt_session session)
{
    struct frti_stripe *stripe = NULL;
    frt_status status =
        frti_stripe_acquire(&stripe, session.slot, session.generation);

    if (status == FRT_OK && stripe != NULL &&
        FRTI_UNLIKELY(frti_stripe_held(stripe) > FRTI_SESSION_MOST_HOLDS)) {
        frti_counter_own_down_release(&stripe->balance);
        return frti_session_refuse(FRT_TOO_MANY_HOLDS, session.slot);
    }
    *out = stripe;
    return status;
}

FRTI_NOINLINE frt_status
frt_session_acquire(frt_ticket *out, frt_session session)
{
    struct frti_hold hold = {0};
    frt_status status;

    if (FRTI_UNLIKELY(out == NULL))
        return frti_null_argument("out");
    if (FRTI_UNLIKELY(session.slot == NULL))
        return frti_session_never_opened();
    if (FRTI_LIKELY(session.slot->kind == FRTI_SESSION_SHARED))
        status = ticket_acquire_shared(&hold.stripe, session);
    else
        status = frti_hold_take(&hold, session.slot, session.generation);
    if (FRTI_UNLIKELY(status != FRT_OK))
        return status;
    out->stripe = hold.stripe;
    out->slot = session.slot;
    out->generation = session.generation;
    return FRT_OK;
}

FRTI_NOINLINE frt_status
frt_session_acquire_signal(frt_ticket *out, frt_session session)
{
    frt_status status = FRT_UNSUPPORTED;

    if (out == NULL || session.slot == NULL)
        return FRT_BAD_ARGUMENT;
    if (session.slot->kind == FRTI_SESSION_GLOBAL)
        status = FRT_OK;
    else if (session.slot->kind == FRTI_SESSION_SHARED)
        status = frti_session_acquire_counted(session.slot, session.generation);
    if (status != FRT_OK)
        return status;
    *out = (frt_ticket){.slot = session.slot, .generation = session.generation};
    return FRT_OK;
}

/* In a signal handler it may come in the middle of what the thread does to its
 * balance: where that is more than one instruction, the remote count takes it.
 */
static frt_status
ticket_release_striped(const frt_ticket *ticket)
{
    struct frti_stripe *stripe = ticket->stripe;

    if (!FRTI_COUNTER_OWN_IS_WHOLE ||
        FRTI_UNLIKELY(!frti_stripe_is_mine(stripe)))
        return frti_stripe_release_remote(stripe, ticket->generation)
                   ? FRT_OK
                   : frti_ticket_refuse(ticket);
    if (FRTI_UNLIKELY(frti_stripe_generation_acquire(stripe) !=
                          ticket->generation ||
                      frti_stripe_held(stripe) == 0))
        return frti_ticket_refuse(ticket);
    /* release: pairs with the acquires of frti_stripe_held */
    frti_counter_own_down_release(&stripe->balance);
    return FRT_OK;
}

static frt_status
ticket_release_confined(const frt_ticket *ticket)
{
    struct frti_session *slot = ticket->slot;
    uint64_t holds;

    if (!frti_session_is_open(slot, ticket->generation))
        return frti_ticket_refuse(ticket);
    if (!frti_session_is_owner(slot))
        return frti_session_refuse(FRT_WRONG_THREAD, slot);
    holds = frti_counter_get_relaxed(&slot->holds); /* its owner's own */
    if (holds == 0)
        return frti_ticket_refuse(ticket);
    frti_counter_set_relaxed(&slot->holds, holds - 1);
    return FRT_OK;
}

static frt_status
ticket_release_other(const frt_ticket *ticket)
{
    if (ticket->slot == NULL)
        return frti_ticket_refuse(ticket);
    if (ticket->slot->kind == FRTI_SESSION_CONFINED)
        return ticket_release_confined(ticket);
    if (ticket->slot->kind == FRTI_SESSION_SHARED &&
        !frti_session_release_counted(ticket->slot, ticket->generation))
        return frti_ticket_refuse(ticket);
    return FRT_OK;
}

FRTI_NOINLINE frt_status
frt_session_release(frt_ticket *ticket)
{
    frt_status status;

    if (FRTI_UNLIKELY(ticket == NULL))
        return frti_null_argument("ticket");
    if (FRTI_LIKELY(ticket->slot != NULL && ticket->stripe != NULL))
        status = ticket_release_striped(ticket);
    else
        status = ticket_release_other(ticket);
    if (FRTI_LIKELY(status == FRT_OK))
        *ticket = (frt_ticket){0};
    return status;
}
