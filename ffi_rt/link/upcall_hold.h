/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* How a call holds its upcall and the arena, and lets them go. */
#ifndef FRTI_LINK_UPCALL_HOLD_H
#define FRTI_LINK_UPCALL_HOLD_H

#include "ffi_rt/link/upcall_inside.h"
#include "ffi_rt/memory/session.h"

/* The life that was read may be over before it is held, and a torn one may
 * even be somebody else's: what is held is compared with what is there. */
FRTI_INLINE bool
frti_upcall_hold_own(struct frti_inside *inside, struct frti_upcall *upcall)
{
    for (;;) {
        /* acquire: pairs with the release of upcall_publish */
        uint64_t generation = frti_counter_get_acquire(&upcall->own_generation);
        /* relaxed, here and below: confirmed once it is held */
        uint64_t slot = frti_counter_get_relaxed(&upcall->own_slot);
        struct frti_session *session = (struct frti_session *)(uintptr_t)slot;
        struct frti_stripe *stripe = NULL;

        if (frti_stripe_acquire(&stripe, session, generation) != FRT_OK)
            return false;
        inside->own.stripe = stripe;
        inside->own.slot = session;
        inside->own.generation = generation;
        if (FRTI_LIKELY(frti_counter_get_relaxed(&upcall->own_slot) == slot &&
                        frti_counter_get_relaxed(&upcall->own_generation) ==
                            generation))
            return true;
        (void)frti_session_release(&inside->own);
    }
}

/*   -> as frt_session_acquire */
FRTI_INLINE frt_status
frti_upcall_hold_arena(struct frti_inside *inside,
                       const struct frti_upcall *upcall)
{
    struct frti_session *slot = upcall->session.slot;
    struct frti_hold hold = {0};
    frt_status status;

    if (slot == NULL)
        return FRT_OK;
    status = frti_hold_take(&hold, slot, upcall->session.generation);
    if (FRTI_UNLIKELY(status != FRT_OK))
        return status;
    inside->arena.stripe = hold.stripe;
    inside->arena.slot = slot;
    inside->arena.generation = upcall->session.generation;
    return FRT_OK;
}

/* Confined, or on the shared counter; or a fiber has moved to another thread
 * meanwhile. */
FRTI_NOINLINE void frti_inside_release_slow(frt_ticket *ticket);

FRTI_INLINE void
frti_inside_release(frt_ticket *ticket)
{
    struct frti_stripe *stripe = ticket->stripe;

    if (FRTI_UNLIKELY(!frti_stripe_is_mine(stripe))) {
        frti_inside_release_slow(ticket);
        return;
    }
    /* release: pairs with the acquires of frti_stripe_held */
    frti_counter_own_down_release(&stripe->balance);
    ticket->slot = NULL;
}

/* For a handler's failure, where nothing was put together in the scratch. */
FRTI_COLD void frti_upcall_fail_simple(frt_status status,
                                       const struct frti_inside *inside,
                                       unsigned char *image);

#endif
