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

FRTI_INLINE bool
simple_hold_confined(struct frti_inside *inside, struct frti_upcall *upcall)
{
    /* acquire: pairs with the release of upcall_publish */
    uint64_t generation = frti_counter_get_acquire(&upcall->own_generation);
    /* relaxed: of this thread's own, or it is found closed or not its own */
    struct frti_session *own =
        (struct frti_session *)(uintptr_t)frti_counter_get_relaxed(
            &upcall->own_slot);
    struct frti_session *arena = upcall->session.slot;

    inside->own.slot = NULL;
    if (frti_counter_get_relaxed(&own->word) != generation ||
        upcall->owner != frti_here.thread ||
        !frti_hold_take_confined(arena, upcall->session.generation))
        return false;
    inside->arena.slot = arena;
    return true;
}

FRTI_INLINE bool
simple_hold(struct frti_inside *inside, struct frti_upcall *upcall,
            enum simple_kind kind)
{
    inside->arena.slot = NULL;
    if (kind == SIMPLE_CONFINED)
        return simple_hold_confined(inside, upcall);
    if (!frti_upcall_hold_own(inside, upcall))
        return false;
    if (kind == SIMPLE_GLOBAL ||
        frti_upcall_hold_arena(inside, upcall) == FRT_OK)
        return true;
    frti_inside_release(&inside->own);
    return false;
}

FRTI_INLINE void
simple_let_go(struct frti_inside *inside)
{
    struct frti_session *arena = inside->arena.slot;

    if (inside->own.slot != NULL)
        frti_inside_release(&inside->own);
    if (FRTI_UNLIKELY(inside->is_retiring))
        frti_upcall_retire(inside->upcall);
    if (arena == NULL)
        return;
    if (arena->kind == FRTI_SESSION_CONFINED)
        /* relaxed, both: its owner's own */
        frti_counter_set_relaxed(
            &arena->use.holds, frti_counter_get_relaxed(&arena->use.holds) - 1);
    else
        frti_inside_release(&inside->arena);
}

FRTI_INLINE void
simple_leave(struct frti_inside **left)
{
    struct frti_inside *inside = *left;
    struct frti_here_upcalls *here = &frti_here_anew()->upcalls;

    *frti_error_number() = inside->error_number;
    here->top = inside->up;
    simple_let_go(inside);
}

FRTI_INLINE void
simple_push(struct frti_inside *inside, struct frti_upcall *upcall)
{
    struct frti_here_upcalls *here = &frti_here.upcalls;

    inside->upcall = upcall;
    inside->up = here->top;
    inside->pending = here->pending;
    inside->error_number = *frti_error_number();
    inside->is_retiring = false;
    here->top = inside;
}

FRTI_INLINE void
simple_run(struct frti_inside *entered, const struct frti_upcall *upcall,
           const struct frti_receiver *receiver, unsigned char *image)
{
    FRTI_CLEANUP(simple_leave) struct frti_inside *inside = entered;
    void *arguments[FRTI_SIMPLE_ARGUMENTS];
    unsigned char *result = image + receiver->result.offset;
    unsigned char *stack;
    frt_status status;

    memcpy(&stack, image + frti_gate_image.stack, sizeof stack);
    for (size_t i = 0; i < receiver->count; i++) {
        const struct frti_take *take = &receiver->takes[i];

        arguments[i] =
            (take->base == FRTI_TAKE_IMAGE ? image : stack) + take->offset;
    }
    memset(result, 0, 8);
    status = upcall->function(upcall->context, result, arguments);
    if (FRTI_UNLIKELY(status != FRT_OK))
        frti_upcall_fail_simple(status, inside, image);
    else
        frti_receive_extend(receiver, result);
}

FRTI_INLINE unsigned
simple_receive(struct frti_slot *slot, unsigned char *image,
               enum simple_kind kind)
{
    struct frti_upcall *upcall = frti_upcall_of_slot(slot);
    const struct frti_receiver *receiver;
    struct frti_inside inside;
    unsigned way_out;

    if (FRTI_UNLIKELY(!simple_hold(&inside, upcall, kind)))
        return frti_upcall_receive(slot, image);
    receiver = upcall->receiver;
    way_out = receiver->choice.exit; /* a handler may close its upcall */
    simple_push(&inside, upcall);
    simple_run(&inside, upcall, receiver, image);
    return way_out;
}

unsigned
frti_upcall_receive_global(struct frti_slot *slot, unsigned char *image)
{
    return simple_receive(slot, image, SIMPLE_GLOBAL);
}

unsigned
frti_upcall_receive_shared(struct frti_slot *slot, unsigned char *image)
{
    return simple_receive(slot, image, SIMPLE_SHARED);
}

unsigned
frti_upcall_receive_confined(struct frti_slot *slot, unsigned char *image)
{
    return simple_receive(slot, image, SIMPLE_CONFINED);
}
