/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A call of an upcall: hold, frame, run, give back.
 *
 * What a call took is given back by a cleanup, so that an exception that passes
 * through it gives it back too.
 */
#include <errno.h>
#include <string.h>

#include "ffi_rt/base/error_number.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/link/upcall.h"
#include "ffi_rt/link/upcall_hold.h"
#include "ffi_rt/link/upcall_queue.h"
#include "ffi_rt/memory/buffer_stack.h"

/* Scratch of up to this size is on the C stack; more is a frame. */
#define ENTER_SCRATCH 256

/* ---------------------------------------------------- hold, give back --- */

static void
inside_push(struct frti_inside *inside, struct frti_upcall *upcall)
{
    inside->upcall = upcall;
    inside->up = frti_here.upcalls.top;
    inside->pending = frti_here.upcalls.pending;
    inside->sets_errno = upcall->sets_errno;
    inside->is_retiring = false;
    frti_here.upcalls.top = inside;
}

void
frti_inside_release_slow(struct frti_inside_hold *inside_hold)
{
    struct frti_hold hold = {.stripe = NULL};
    frt_ticket ticket = {inside_hold->stripe, inside_hold->slot, 0};

    if (ticket.slot == NULL)
        return;
    inside_hold->stripe = NULL;
    inside_hold->slot = NULL;
    if (ticket.slot->kind == FRTI_SESSION_CONFINED) {
        frti_pointer_set_relaxed(&hold.slot, ticket.slot); /* nobody else's */
        frti_hold_give(&hold);
        return;
    }
    ticket.generation = frti_session_generation(ticket.slot);
    (void)frti_session_release(&ticket);
}

static inline bool
inside_hold_own(struct frti_inside *inside, struct frti_upcall *upcall)
{
    /* acquire: pairs with the release of upcall_publish */
    return frti_inside_acquire(&inside->own, upcall->own,
                               frti_counter_get_acquire(&upcall->generation)) ==
           FRT_OK;
}

/*   -> as frt_session_acquire */
static inline frt_status
inside_hold_arena(struct frti_inside *inside, const struct frti_upcall *upcall)
{
    if (upcall->session.slot == NULL)
        return FRT_OK;
    return frti_inside_acquire(&inside->arena, upcall->session.slot,
                               upcall->session.generation);
}

static void
inside_leave(struct frti_inside *inside)
{
    struct frti_here *here = frti_here_anew();

    if (inside->upcall != NULL)
        here->upcalls.top = inside->up;
    frti_inside_release(&inside->own, here);
    if (FRTI_UNLIKELY(inside->is_retiring))
        frti_upcall_retire(inside->upcall);
    frti_inside_release(&inside->arena, here);
    if (!inside->sets_errno)
        *frti_error_number() = inside->error_number;
}

/* --------------------------------------------------------------- run --- */

static void
upcall_give_default(const struct frti_upcall *upcall,
                    unsigned char *const *bases)
{
    static const _Alignas(32) unsigned char zero[64];
    const struct frti_receiver *receiver = upcall->receiver;
    const void *bytes = upcall->default_result;
    void *place;

    /* of what is put together, the pieces come from the bytes themselves */
    if (receiver->result.base == FRTI_TAKE_SCRATCH) {
        frti_receive_result(receiver, bases, bytes == NULL ? zero : bytes);
        return;
    }
    place = frti_receive_address(&receiver->result, bases);
    if (bytes != NULL)
        memcpy(place, bytes, receiver->result_size);
    else
        memset(place, 0, receiver->result_size);
    frti_receive_result(receiver, bases, place);
}

/* A result in the image or the scratch begins as zero; each has 8 bytes. */
static inline void *
upcall_result(const struct frti_receiver *receiver, unsigned char *const *bases)
{
    void *place = frti_receive_address(&receiver->result, bases);

    if (receiver->in_memory)
        return place;
    memset(place, 0, 8);
    if (FRTI_UNLIKELY(receiver->result_size > 8))
        memset(place, 0, receiver->result_size);
    return place;
}

static inline frt_status
upcall_run(const struct frti_upcall *upcall, void *const *arguments,
           unsigned char *const *bases)
{
    const struct frti_receiver *receiver = upcall->receiver;
    void *result = upcall_result(receiver, bases);
    frt_status status = upcall->function(upcall->context, result, arguments);

    if (FRTI_LIKELY(status == FRT_OK))
        frti_receive_result(receiver, bases, result);
    else
        upcall_give_default(upcall, bases);
    return status;
}

static void
upcall_run_here(const struct frti_inside *inside, unsigned char *const *bases)
{
    const struct frti_upcall *upcall = inside->upcall;
    frt_status status = upcall_run(
        upcall, frti_receive_arguments(upcall->receiver, bases), bases);

    if (FRTI_UNLIKELY(status != FRT_OK))
        frti_upcall_note_failure(upcall->tomb.name, status, inside);
}

/* ------------------------------------------------------------- guards --- */

static void
upcall_refuse_thread(struct frti_inside *inside,
                     const struct frti_upcall *upcall, const char *why)
{
    frti_upcall_report_thread(upcall, why);
    frti_upcall_note_failure(upcall->tomb.name, FRT_WRONG_THREAD, inside);
}

/* The default result stands already; the call holds nothing while it waits. */
static void
upcall_wait(struct frti_inside *inside, struct frti_upcall *upcall,
            unsigned char *const *bases)
{
    char name[FRTI_UPCALL_NAME];
    struct frti_queued call = {
        .upcall = upcall,
        .generation = frti_session_generation(upcall->own),
        .arguments = frti_receive_arguments(upcall->receiver, bases),
        .bases = bases,
    };

    memcpy(name, upcall->tomb.name, sizeof name);
    if (!frti_queue_append(upcall->queue, &call)) {
        upcall_refuse_thread(inside, upcall, "has ended");
        return;
    }
    frti_inside_release_slow(&inside->own);
    frti_queue_wait(&call);
    if (call.status == FRT_OK)
        return;
    (void)frti_fail(call.status, "%s", call.sentence);
    frti_upcall_note_failure(name, call.status, inside);
}

static void
upcall_post(struct frti_inside *inside, struct frti_upcall *upcall,
            unsigned char *const *bases)
{
    struct frti_queued *call;
    frt_status status =
        frti_queued_new(&call, upcall->receiver,
                        frti_receive_arguments(upcall->receiver, bases));

    if (status != FRT_OK) {
        frti_upcall_note_failure(upcall->tomb.name, status, inside);
        return;
    }
    call->upcall = upcall;
    call->generation = frti_session_generation(upcall->own);
    if (!frti_queue_append(upcall->queue, call)) {
        frti_queue_discard(call);
        upcall_refuse_thread(inside, upcall, "has ended");
    }
}

/* A call of a thread that is not the owner; it holds `own`. */
static void
upcall_of_other(struct frti_inside *inside, struct frti_upcall *upcall,
                unsigned char *const *bases)
{
    upcall_give_default(upcall, bases);
    if (upcall->queue == NULL)
        upcall_refuse_thread(inside, upcall, "is another");
    else if (upcall->posts)
        upcall_post(inside, upcall, bases);
    else
        upcall_wait(inside, upcall, bases);
}

static void
upcall_detach(const frt_thread_hooks *hooks)
{
    if (hooks->detach != NULL)
        hooks->detach(hooks->context);
}

static void
upcall_run_attached(struct frti_inside *inside, unsigned char *const *bases)
{
    const frt_thread_hooks *hooks = inside->upcall->hooks;
    bool is_brief = false;
    frt_status status =
        hooks == NULL ? FRT_OK : frti_upcall_attach(&is_brief, hooks);

    if (status == FRT_OK) {
        upcall_run_here(inside, bases);
        if (is_brief)
            upcall_detach(hooks);
        return;
    }
    upcall_give_default(inside->upcall, bases);
    frti_upcall_note_failure(inside->upcall->tomb.name, status, inside);
}

/* ------------------------------------------------------------- receive --- */

/* It holds `own`; the arena is closed or held too often. */
static FRTI_COLD void
upcall_refuse_arena(struct frti_inside *inside, struct frti_upcall *upcall,
                    frt_status status, unsigned char *const *bases)
{
    if (status == FRT_CLOSED) {
        frti_upcall_late(upcall, upcall->receiver->descriptor,
                         bases[FRTI_TAKE_IMAGE]);
        return;
    }
    upcall_give_default(upcall, bases);
    frti_upcall_note_failure(upcall->tomb.name, status, inside);
}

static FRTI_NOINLINE void
upcall_enter_guarded(struct frti_inside *inside, struct frti_upcall *upcall,
                     unsigned char *const *bases)
{
    frt_status status;

    if (upcall->owner != 0 && upcall->owner != frti_thread_number()) {
        upcall_of_other(inside, upcall, bases);
        return;
    }
    status = inside_hold_arena(inside, upcall);
    if (status != FRT_OK) {
        upcall_refuse_arena(inside, upcall, status, bases);
        return;
    }
    inside_push(inside, upcall);
    upcall_run_attached(inside, bases);
}

static inline void
upcall_enter(struct frti_inside *inside, struct frti_upcall *upcall,
             unsigned char *const *bases)
{
    frt_status status;

    if (FRTI_UNLIKELY(upcall->is_guarded)) {
        upcall_enter_guarded(inside, upcall, bases);
        return;
    }
    status = inside_hold_arena(inside, upcall);
    if (FRTI_UNLIKELY(status != FRT_OK)) {
        upcall_refuse_arena(inside, upcall, status, bases);
        return;
    }
    inside_push(inside, upcall);
    upcall_run_here(inside, bases);
}

static unsigned char *
enter_align(void *scratch, size_t alignment)
{
    uintptr_t address = (uintptr_t)scratch;

    return (unsigned char *)((address + alignment - 1) & ~(alignment - 1));
}

static FRTI_NOINLINE void
upcall_enter_large(struct frti_inside *inside, struct frti_upcall *upcall,
                   unsigned char **bases)
{
    const struct frti_receiver *receiver = upcall->receiver;
    FRTI_CLEANUP(frti_frame_end) frt_frame frame = {0};
    frt_status status = frt_frame_push(&frame, receiver->scratch, 16);

    if (status != FRT_OK) {
        upcall_give_default(upcall, bases);
        frti_upcall_note_failure(upcall->tomb.name, status, inside);
        return;
    }
    bases[FRTI_TAKE_SCRATCH] =
        enter_align(frame.address, receiver->scratch_alignment);
    upcall_enter(inside, upcall, bases);
}

void
frti_upcall_receive(struct frti_slot *slot, unsigned char *image)
{
    struct frti_upcall *upcall = frti_upcall_of_slot(slot);
    _Alignas(16) unsigned char scratch[ENTER_SCRATCH];
    unsigned char *bases[FRTI_TAKE_BASES];
    FRTI_CLEANUP(inside_leave) struct frti_inside inside;

    inside.upcall = NULL;
    inside.own = (struct frti_inside_hold){NULL, NULL};
    inside.arena = (struct frti_inside_hold){NULL, NULL};
    inside.is_retiring = false;
    inside.sets_errno = false;
    inside.pending = frti_here.upcalls.pending;
    inside.error_number = errno;
    if (FRTI_UNLIKELY(!inside_hold_own(&inside, upcall))) {
        frti_upcall_late(upcall, NULL, image);
        return;
    }
    bases[FRTI_TAKE_IMAGE] = image;
    bases[FRTI_TAKE_SCRATCH] = scratch;
    if (FRTI_UNLIKELY(upcall->receiver->scratch > sizeof scratch)) {
        upcall_enter_large(&inside, upcall, bases);
        return;
    }
    if (FRTI_UNLIKELY(upcall->receiver->scratch_alignment > 16))
        bases[FRTI_TAKE_SCRATCH] =
            enter_align(scratch, upcall->receiver->scratch_alignment);
    upcall_enter(&inside, upcall, bases);
}

void
frti_upcall_fail_simple(frt_status status, const struct frti_inside *inside,
                        unsigned char *image)
{
    unsigned char *bases[FRTI_TAKE_BASES] = {image};

    upcall_give_default(inside->upcall, bases);
    frti_upcall_note_failure(inside->upcall->tomb.name, status, inside);
}

/* -------------------------------------------------------------- queued --- */

static void
queued_fail(struct frti_queued *call, frt_status status,
            const struct frti_inside *inside)
{
    if (call->bases == NULL) { /* nobody waits for it */
        frti_upcall_note_failure(call->upcall->tomb.name, status, inside);
        return;
    }
    call->status = status;
    strncpy(call->sentence, frti_upcall_sentence(status),
            sizeof call->sentence - 1);
}

static frt_status
queued_run(const struct frti_upcall *upcall, const struct frti_queued *call)
{
    if (call->bases == NULL)
        return upcall->function(upcall->context, NULL, call->arguments);
    return upcall_run(upcall, call->arguments, call->bases);
}

static frt_status
queued_run_attached(const struct frti_upcall *upcall,
                    const struct frti_queued *call)
{
    bool is_brief = false;
    frt_status status = FRT_OK;

    if (upcall->hooks != NULL)
        status = frti_upcall_attach(&is_brief, upcall->hooks);
    if (status == FRT_OK)
        status = queued_run(upcall, call);
    if (is_brief)
        upcall_detach(upcall->hooks);
    return status;
}

/* What is closed meanwhile is not run: its callers have the default. */
void
frti_queued_run(struct frti_queued *call)
{
    FRTI_CLEANUP(inside_leave)
    struct frti_inside inside = {.error_number = errno};
    frt_status status;

    if (frti_inside_acquire(&inside.own, call->upcall->own, call->generation) !=
            FRT_OK ||
        inside_hold_arena(&inside, call->upcall) != FRT_OK)
        return;
    inside_push(&inside, call->upcall);
    inside.sets_errno = false;
    status = queued_run_attached(call->upcall, call);
    if (status != FRT_OK)
        queued_fail(call, status, &inside);
}
