/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/link/upcall.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/options.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/link/upcall_hold.h"
#include "ffi_rt/link/upcall_house.h"
#include "ffi_rt/link/upcall_inside.h"
#include "ffi_rt/link/upcall_queue.h"
#include "ffi_rt/memory/session.h"

static pthread_mutex_t upcall_lock = PTHREAD_MUTEX_INITIALIZER;

void
frti_upcall_lock(void)
{
    pthread_mutex_lock(&upcall_lock);
}

void
frti_upcall_unlock(void)
{
    pthread_mutex_unlock(&upcall_lock);
}

FRTI_CONSTRUCTOR_LATER(2)
static void
upcalls_watch_fork(void)
{
    pthread_atfork(frti_upcall_lock, frti_upcall_unlock, frti_upcall_unlock);
}

static uint64_t
upcall_generation(struct frti_upcall *upcall)
{
    /* relaxed: of an open upcall, which the caller's handle published */
    return frti_counter_get_relaxed(&upcall->generation);
}

/* -------------------------------------------------------------- open --- */

/* What was made so far; what is still there at the end is given back. */
struct opening {
    frt_ticket ticket; /* of the arena */
    const struct frti_receiver *receiver;
    void *default_result;
    struct frti_house *house;
    struct frti_queue *queue;
    struct frti_slot *slot;
    uint64_t generation; /* of the slot's own session; 0: it is closed */
};

static void
upcall_free_default(void *default_result, const struct frti_receiver *receiver)
{
    if (default_result != NULL)
        frti_free(default_result, receiver->result_size, 16);
}

/* Nobody else knows it: the close cannot be refused. */
static void
opening_close_own(const struct opening *opening)
{
    struct frti_upcall *upcall;

    if (opening->generation == 0)
        return;
    upcall = frti_upcall_of_slot(opening->slot);
    if (frti_session_close(upcall->own, opening->generation) != FRT_OK)
        abort();
}

static void
opening_abandon(struct opening *opening)
{
    opening_close_own(opening);
    if (opening->slot != NULL)
        frti_entry_give_back(opening->slot);
    frti_queue_drop(opening->queue);
    frti_house_drop(opening->house);
    upcall_free_default(opening->default_result, opening->receiver);
    frti_receiver_drop(opening->receiver);
    if (opening->ticket.slot != NULL)
        (void)frti_session_release(&opening->ticket);
}

/* What AUTO means.   -> BAD_ARGUMENT (the environment's word) */
static frt_status
upcall_choose_thread(frt_upcall_thread *out, frt_upcall_thread asked)
{
    const char *word = NULL;

    if ((unsigned)asked > FRT_UPCALL_THREAD_QUEUE)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "frt_upcall_options: there is no thread %d",
                         (int)asked);
    *out = asked;
    if (asked != FRT_UPCALL_THREAD_AUTO)
        return FRT_OK;
    word = secure_getenv("FRT_UPCALL_THREAD");
    *out = FRT_UPCALL_THREAD_ANY;
    if (word == NULL || strcmp(word, "any") == 0)
        return FRT_OK;
    *out = FRT_UPCALL_THREAD_OWNER;
    if (strcmp(word, "owner") == 0)
        return FRT_OK;
    return frti_fail(FRT_BAD_ARGUMENT,
                     "FRT_UPCALL_THREAD is '%.32s', not any or owner", word);
}

static frt_status
upcall_check_options(frt_upcall_options *options,
                     const frt_descriptor *descriptor)
{
    const frt_layout *result = frt_descriptor_result(descriptor);
    bool is_void = frt_layout_kind(result) == FRT_KIND_VOID;
    frt_status status = upcall_choose_thread(&options->thread, options->thread);

    if (status != FRT_OK)
        return status;
    if ((unsigned)options->late > FRT_UPCALL_LATE_ZERO)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "frt_upcall_options: late calls cannot do %d",
                         (int)options->late);
    if (options->post && options->thread != FRT_UPCALL_THREAD_QUEUE)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "frt_upcall_options: only queued calls are posted");
    if (options->post && !is_void)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "frt_upcall_options: a posted call cannot have a "
                         "result, and the descriptor has one");
    if (options->default_result != NULL && is_void)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "frt_upcall_options: a default result for void");
    if (options->hooks != NULL && options->hooks->attach == NULL)
        return frti_fail(FRT_BAD_ARGUMENT, "frt_thread_hooks: attach is NULL");
    if (options->name == NULL)
        options->name = "upcall";
    return FRT_OK;
}

static frt_status
opening_copy_default(struct opening *opening, const void *given)
{
    size_t size = opening->receiver->result_size;

    if (given == NULL)
        return FRT_OK;
    opening->default_result = frti_allocate(size, 16);
    if (opening->default_result == NULL)
        return frti_no_memory(size, "an upcall's default result");
    memcpy(opening->default_result, given, size);
    return FRT_OK;
}

/* A life for the slot. One that has had them all is not used again. */
static frt_status
opening_begin_own(struct opening *opening)
{
    frt_session first;
    frt_status status = FRT_OK;

    while (status == FRT_OK && opening->generation == 0) {
        struct frti_upcall *upcall;

        opening->slot = NULL;
        status = frti_entry_take(&opening->slot);
        if (status != FRT_OK)
            return status;
        upcall = frti_upcall_of_slot(opening->slot);
        if (upcall->own != NULL) {
            opening->generation = frti_session_open_again(upcall->own);
            continue;
        }
        status = frti_session_open(&first, FRTI_SESSION_SHARED);
        if (status == FRT_OK) {
            upcall->own = first.slot;
            opening->generation = first.generation;
        }
    }
    return status;
}

static frt_status
opening_prepare(struct opening *opening, frt_arena arena,
                const frt_descriptor *descriptor,
                const frt_upcall_options *options)
{
    frt_status status =
        frti_session_acquire(&opening->ticket, arena.slot, arena.generation);

    if (status == FRT_OK)
        status = frti_receiver_of(&opening->receiver, descriptor);
    if (status == FRT_OK)
        status = opening_copy_default(opening, options->default_result);
    if (status == FRT_OK)
        status = frti_house_find(&opening->house, arena);
    if (status == FRT_OK && options->thread == FRT_UPCALL_THREAD_QUEUE)
        status = frti_queue_of_thread(&opening->queue);
    if (status == FRT_OK)
        status = opening_begin_own(opening);
    return status;
}

static void
upcall_dig_tomb(struct frti_tomb *tomb, const struct frti_receiver *receiver,
                const frt_upcall_options *options)
{
    *tomb = (struct frti_tomb){
        .result = receiver->result,
        .result_size = (uint32_t)receiver->result_size,
        .in_memory = receiver->in_memory,
        .late = (uint8_t)options->late,
    };
    snprintf(tomb->name, sizeof tomb->name, "%s", options->name);
}

/* Everything but the generation, which opens it to calls. */
static void
upcall_fill(struct frti_upcall *upcall, const struct opening *opening,
            frt_arena arena, const frt_upcall_options *options)
{
    bool is_confined = arena.slot->kind == FRTI_SESSION_CONFINED;
    bool has_owner = is_confined || options->thread != FRT_UPCALL_THREAD_ANY;

    upcall->receiver = opening->receiver;
    upcall->session =
        opening->house == NULL ? (frt_session){0} : frt_arena_session(arena);
    upcall->owner = has_owner ? frti_thread_number() : 0;
    upcall->is_guarded = has_owner || options->hooks != NULL;
    upcall->sets_errno = options->sets_errno;
    upcall->posts = options->post;
    upcall->default_result = opening->default_result;
    upcall->hooks = options->hooks;
    upcall->queue = opening->queue;
    upcall->house = opening->house;
}

static void
upcall_publish(frt_upcall *out, struct opening *opening,
               const frt_upcall_options *options)
{
    struct frti_upcall *upcall = frti_upcall_of_slot(opening->slot);

    frti_upcall_lock();
    upcall_dig_tomb(&upcall->tomb, opening->receiver, options);
    if (upcall->house != NULL)
        frti_house_enter(upcall->house, upcall);
    out->slot = upcall;
    /* relaxed: under the lock, and the handle publishes it */
    out->generation = frti_counter_add_relaxed(&upcall->life, 1) + 1;
    /* release: pairs with the acquires of inside_hold_own and simple_hold_own
     */
    frti_counter_set_release(&upcall->generation, opening->generation);
    frti_upcall_unlock();
}

static frti_receive *
upcall_receive_of(const struct frti_upcall *upcall)
{
    struct frti_session *arena = upcall->session.slot;
    bool is_confined = arena != NULL && arena->kind == FRTI_SESSION_CONFINED;

    if (!upcall->receiver->is_simple || upcall->sets_errno ||
        upcall->hooks != NULL || upcall->queue != NULL ||
        (upcall->owner != 0 && !is_confined))
        return frti_upcall_receive;
    if (is_confined)
        return frti_upcall_receive_confined;
    return arena == NULL ? frti_upcall_receive_global
                         : frti_upcall_receive_shared;
}

static frt_status
upcall_open(frt_upcall *out, frt_arena arena, const frt_descriptor *descriptor,
            frt_upcall_fn function, void *context,
            const frt_upcall_options *options)
{
    FRTI_CLEANUP(opening_abandon) struct opening opening = {0};
    frt_status status = opening_prepare(&opening, arena, descriptor, options);
    struct frti_upcall *upcall;
    frt_ticket ticket;

    if (status != FRT_OK)
        return status;
    upcall = frti_upcall_of_slot(opening.slot);
    upcall->function = function;
    upcall->context = context;
    upcall_fill(upcall, &opening, arena, options);
    status = frti_entry_arm(opening.slot, opening.receiver,
                            upcall_receive_of(upcall));
    if (status != FRT_OK)
        return status;
    upcall_publish(out, &opening, options);
    ticket = opening.ticket;
    opening = (struct opening){.ticket = ticket}; /* the rest is the upcall's */
    return FRT_OK;
}

frt_status
frt_upcall_open(frt_upcall *out, frt_arena arena,
                const frt_descriptor *descriptor, frt_upcall_fn function,
                void *context, const frt_upcall_options *options)
{
    frt_upcall_options read;
    frt_status status =
        frti_options_read(&read, sizeof read, options, "frt_upcall_options");

    if (status != FRT_OK)
        return status;
    if (out == NULL || descriptor == NULL || function == NULL)
        return frti_null_argument(out == NULL          ? "out"
                                  : descriptor == NULL ? "descriptor"
                                                       : "function");
    if (arena.slot == NULL)
        return frti_fail(FRT_BAD_ARGUMENT, "the arena was never opened");
    if (frt_descriptor_model(descriptor) != frt_model_native())
        return frti_fail(FRT_BAD_LAYOUT,
                         "the descriptor is for %s, not for this machine",
                         frt_model_name(frt_descriptor_model(descriptor)));
    status = upcall_check_options(&read, descriptor);
    if (status != FRT_OK)
        return status;
    return upcall_open(out, arena, descriptor, function, context, &read);
}

/* ------------------------------------------------------------- close --- */

static uint64_t
upcall_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* This thread's own calls of the upcall do not keep it open. */
static void
own_calls_release(struct frti_upcall *upcall)
{
    for (struct frti_inside *call = frti_here.upcalls.top; call != NULL;
         call = call->up)
        if (call->upcall == upcall && call->own.slot != NULL)
            frti_inside_release_slow(&call->own);
}

static void
own_calls_acquire(struct frti_upcall *upcall)
{
    uint64_t generation = upcall_generation(upcall);

    for (struct frti_inside *call = frti_here.upcalls.top; call != NULL;
         call = call->up)
        if (call->upcall == upcall && call->own.slot == NULL)
            (void)frti_inside_acquire(&call->own, upcall->own, generation);
}

/* The outermost of this thread's calls is the last to end; false: none. */
static bool
own_calls_retire(struct frti_upcall *upcall)
{
    struct frti_inside *outermost = NULL;

    for (struct frti_inside *call = frti_here.upcalls.top; call != NULL;
         call = call->up)
        if (call->upcall == upcall)
            outermost = call;
    if (outermost != NULL)
        outermost->is_retiring = true;
    return outermost != NULL;
}

/* Under the lock. Its receiver is still there. */
static void
upcall_bury(struct frti_upcall *upcall)
{
    struct frti_tomb *tomb = &upcall->tomb;

    frt_descriptor_print(tomb->type, sizeof tomb->type,
                         upcall->receiver->descriptor, tomb->name);
    tomb->closed_at = upcall_clock();
    tomb->closed_by = frti_thread_number();
    frti_house_leave(upcall);
    frti_queue_forget(upcall);
}

void
frti_upcall_retire(struct frti_upcall *upcall)
{
    upcall_free_default(upcall->default_result, upcall->receiver);
    frti_receiver_drop(upcall->receiver);
    frti_queue_discard(upcall->dropped);
    frti_queue_drop(upcall->queue);
    frti_house_drop(upcall->house);
    frti_entry_give_back(frti_slot_of_upcall(upcall));
}

/* Under the lock; the handle is the open upcall's. */
static frt_status
upcall_shut(struct frti_upcall *upcall)
{
    frt_status status;

    own_calls_release(upcall);
    status = frti_session_close(upcall->own, upcall_generation(upcall));
    if (status == FRT_OK)
        upcall_bury(upcall);
    else
        own_calls_acquire(upcall);
    return status;
}

/* The arena is closed: nobody is inside, but a call that is about to see that
 * may hold `own` for a moment. */
static struct frti_upcall *
house_shut_first(struct frti_house *house)
{
    struct frti_upcall *upcall;

    for (;;) {
        frt_status status = FRT_OK;

        frti_upcall_lock();
        upcall = frti_house_first(house);
        if (upcall != NULL)
            status = upcall_shut(upcall);
        frti_upcall_unlock();
        if (status == FRT_OK)
            return upcall;
        sched_yield();
    }
}

void
frti_house_close(void *context)
{
    struct frti_house *house = context;
    struct frti_upcall *upcall;

    while ((upcall = house_shut_first(house)) != NULL)
        frti_upcall_retire(upcall);
    frti_house_drop(house);
}

static bool
upcall_is_open(frt_upcall upcall)
{
    uint64_t generation;

    if (upcall.slot == NULL)
        return false;
    /* acquire: pairs with the release of upcall_publish: who sees that of a
     * later life sees the life, too. relaxed: the handle published its own. */
    generation = frti_counter_get_acquire(&upcall.slot->generation);
    return frti_counter_get_relaxed(&upcall.slot->life) == upcall.generation &&
           frti_session_is_open(upcall.slot->own, generation);
}

static frt_status
upcall_refuse_close(frt_status status, const char *name)
{
    if (status != FRT_STILL_HELD)
        return status;
    return frti_fail(status, "another thread is inside the upcall '%s'", name);
}

static frt_status
upcall_check_close(frt_upcall upcall)
{
    if (!upcall_is_open(upcall))
        return frti_fail(FRT_ALREADY_CLOSED, "the upcall was closed before");
    if (upcall.slot->session.slot != NULL &&
        upcall.slot->session.slot->kind == FRTI_SESSION_CONFINED)
        return frti_session_check(upcall.slot->session.slot,
                                  upcall.slot->session.generation);
    return FRT_OK;
}

frt_status
frt_upcall_close(frt_upcall upcall)
{
    char name[FRTI_UPCALL_NAME];
    frt_status status;
    bool is_inside = false;

    (void)frti_thread_record(); /* for the sentence: not under the lock */
    if (upcall.slot == NULL)
        return frti_fail(FRT_BAD_ARGUMENT, "the upcall was never opened");
    frti_upcall_lock();
    status = upcall_check_close(upcall);
    if (status == FRT_OK) {
        memcpy(name, upcall.slot->tomb.name, sizeof name);
        status = upcall_refuse_close(upcall_shut(upcall.slot), name);
        is_inside = status == FRT_OK && own_calls_retire(upcall.slot);
    }
    frti_upcall_unlock();
    if (status == FRT_OK && !is_inside)
        frti_upcall_retire(upcall.slot);
    return status;
}

void *
frt_upcall_address(frt_upcall upcall)
{
    return upcall_is_open(upcall) ? frti_slot_of_upcall(upcall.slot)->code
                                  : NULL;
}

bool
frt_upcall_is_open(frt_upcall upcall)
{
    return upcall_is_open(upcall);
}
