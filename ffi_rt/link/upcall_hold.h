/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* How a call holds its upcall and the arena, and lets them go. */
#ifndef FRTI_LINK_UPCALL_HOLD_H
#define FRTI_LINK_UPCALL_HOLD_H

#include "ffi_rt/link/upcall_inside.h"
#include "ffi_rt/memory/session.h"

/*   -> as frt_session_acquire */
FRTI_INLINE frt_status
frti_inside_acquire(struct frti_inside_hold *out, struct frti_session *slot,
                    uint64_t generation)
{
    struct frti_hold hold = {0};
    frt_status status = frti_hold_take(&hold, slot, generation);

    if (FRTI_UNLIKELY(status != FRT_OK))
        return status;
    out->stripe = hold.stripe;
    out->slot = slot;
    return FRT_OK;
}

/* None, confined, or on the shared counter; or a fiber has moved to another
 * thread meanwhile. */
FRTI_NOINLINE void frti_inside_release_slow(struct frti_inside_hold *hold);

/* `here` is of the thread that runs now. */
FRTI_INLINE void
frti_inside_release(struct frti_inside_hold *hold, const struct frti_here *here)
{
    struct frti_stripe *stripe = hold->stripe;

    if (FRTI_UNLIKELY(!frti_stripe_is_of(stripe, here))) {
        frti_inside_release_slow(hold);
        return;
    }
    /* release: pairs with the acquires of frti_stripe_held */
    frti_counter_own_down_release(&stripe->balance);
}

/* For a handler's failure, where nothing was put together in the scratch. */
FRTI_COLD void frti_upcall_fail_simple(frt_status status,
                                       const struct frti_inside *inside,
                                       unsigned char *image);

#endif
