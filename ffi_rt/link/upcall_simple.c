/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Simple calls: no hooks, no queue, errno as it was, every argument where it
 * lies, the result in one register. A way for each kind of arena, with nothing
 * in it that such a call does not need; whatever is not as it should be goes to
 * frti_upcall_receive, which says why.
 *
 * An upcall of a confined arena is opened, called and closed by one thread:
 * such a call holds the arena alone, and to see that the upcall is open is
 * enough.
 */
#include <string.h>

#include "ffi_rt/base/error_number.h"
#include "ffi_rt/link/upcall_hold.h"

enum simple_kind { SIMPLE_GLOBAL, SIMPLE_SHARED, SIMPLE_CONFINED };

/* A call, and what the compiler knows of it. */
struct simple {
    struct frti_inside *inside;
    enum simple_kind kind;
};

FRTI_INLINE bool
simple_hold_confined(struct frti_inside *inside, struct frti_upcall *upcall)
{
    /* acquire: pairs with the release of upcall_publish */
    uint64_t generation = frti_counter_get_acquire(&upcall->generation);
    struct frti_session *arena = upcall->session.slot;

    /* relaxed: of this thread's own, or it is found closed or not its own */
    if (frti_counter_get_relaxed(&upcall->own->word) != generation ||
        upcall->owner != frti_here.thread ||
        !frti_hold_take_confined(arena, upcall->session.generation))
        return false;
    inside->own.slot = NULL;
    inside->arena.slot = arena;
    return true;
}

/* As inside_hold_own of upcall_enter.c, where it takes no call. */
FRTI_INLINE bool
simple_hold_own(struct frti_inside *inside, struct frti_upcall *upcall)
{
    inside->own.slot = upcall->own;
    /* acquire: pairs with the release of upcall_publish */
    return frti_stripe_acquire_fast(
        &inside->own.stripe, upcall->own,
        frti_counter_get_acquire(&upcall->generation));
}

FRTI_INLINE bool
simple_hold(struct frti_inside *inside, struct frti_upcall *upcall,
            enum simple_kind kind)
{
    if (kind == SIMPLE_CONFINED)
        return simple_hold_confined(inside, upcall);
    if (!simple_hold_own(inside, upcall))
        return false;
    if (kind == SIMPLE_GLOBAL)
        return true;
    inside->arena.slot = upcall->session.slot;
    if (frti_stripe_acquire_fast(&inside->arena.stripe, upcall->session.slot,
                                 upcall->session.generation))
        return true;
    frti_counter_own_down_release(&inside->own.stripe->balance);
    return false;
}

/* Its upcall was closed by this thread, or not quite; or a fiber has moved. */
static FRTI_COLD void
simple_leave_slow(struct frti_inside *inside)
{
    frti_inside_release_slow(&inside->own);
    if (inside->is_retiring)
        frti_upcall_retire(inside->upcall);
}

FRTI_INLINE void
simple_let_go(struct frti_inside *inside, const struct frti_here *here,
              enum simple_kind kind)
{
    struct frti_session *arena = inside->arena.slot;
    struct frti_stripe *stripe = inside->own.stripe;

    if (kind == SIMPLE_CONFINED) {
        if (FRTI_UNLIKELY(inside->is_retiring || inside->own.slot != NULL))
            simple_leave_slow(inside);
        /* relaxed, both: its owner's own */
        frti_counter_set_relaxed(&arena->holds,
                                 frti_counter_get_relaxed(&arena->holds) - 1);
        return;
    }
    if (FRTI_LIKELY(frti_stripe_is_of(stripe, here)))
        /* release: pairs with the acquires of frti_stripe_held */
        frti_counter_own_down_release(&stripe->balance);
    else
        simple_leave_slow(inside);
    if (kind == SIMPLE_SHARED)
        frti_inside_release(&inside->arena, here);
}

FRTI_INLINE void
simple_leave(struct simple *left)
{
    struct frti_inside *inside = left->inside;
    struct frti_here *here = frti_here_anew();

    *frti_error_number_near(here) = inside->error_number;
    here->upcalls.top = inside->up;
    simple_let_go(inside, here, left->kind);
}

FRTI_INLINE void
simple_push(struct frti_inside *inside, struct frti_upcall *upcall)
{
    struct frti_here *here = frti_here_anew();

    inside->upcall = upcall;
    inside->up = here->upcalls.top;
    inside->error_number = *frti_error_number_near(here);
    inside->pending = here->upcalls.pending;
    inside->is_retiring = false;
    here->upcalls.top = inside;
}

FRTI_INLINE void
simple_run(struct simple entered, unsigned char *image)
{
    FRTI_CLEANUP(simple_leave) struct simple call = entered;
    const struct frti_upcall *upcall = call.inside->upcall;
    const struct frti_receiver *receiver = upcall->receiver;
    void *arguments[FRTI_SIMPLE_ARGUMENTS];
    unsigned char *result = image + receiver->result.offset;
    frt_status status;

    for (size_t i = 0; i < receiver->count; i++)
        arguments[i] = image + receiver->takes[i].offset;
    memset(result, 0, 8);
    status = upcall->function(upcall->context, result, arguments);
    if (FRTI_UNLIKELY(status != FRT_OK))
        frti_upcall_fail_simple(status, call.inside, image);
}

FRTI_INLINE void
simple_receive(struct frti_slot *slot, unsigned char *image,
               enum simple_kind kind)
{
    struct frti_upcall *upcall = frti_upcall_of_slot(slot);
    struct frti_inside inside;

    if (FRTI_UNLIKELY(!simple_hold(&inside, upcall, kind))) {
        frti_upcall_receive(slot, image);
        return;
    }
    simple_push(&inside, upcall);
    simple_run((struct simple){&inside, kind}, image);
}

void
frti_upcall_receive_global(struct frti_slot *slot, unsigned char *image)
{
    simple_receive(slot, image, SIMPLE_GLOBAL);
}

void
frti_upcall_receive_shared(struct frti_slot *slot, unsigned char *image)
{
    simple_receive(slot, image, SIMPLE_SHARED);
}

void
frti_upcall_receive_confined(struct frti_slot *slot, unsigned char *image)
{
    simple_receive(slot, image, SIMPLE_CONFINED);
}
