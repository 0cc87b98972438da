/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Sessions: the life of an arena, which holds can prolong.
 *
 * A session is a slot and a generation. Slots are never unmapped and never
 * change their kind, so that a stale handle can be looked at safely: its
 * generation is no longer in the slot's word.
 *
 *     word = generation, a multiple of 4, | state: OPEN 0, CLOSING 1, CLOSED 2
 *
 * so that the word of an open session is its generation. Between CLOSING and
 * CLOSED a closer counts; an acquire that comes then puts OPEN back (the veto),
 * and the closer finds that it lost.
 *
 *   operation   confined, by its owner   shared, by any thread
 *   open        store                    store; the handle publishes it
 *   check       load                     load
 *   acquire     holds + 1                own stripe + 1; then the word decides
 *   release     holds - 1                own stripe - 1, or its remote count
 *   close       holds 0 -> CLOSED        CLOSING; barrier; sum 0 -> CLOSED
 *   recycle     to the free list, under its lock: the next life counts on
 *
 * A shared acquire is two plain stores' worth of work: the hold is published
 * by an instruction that orders nothing. Who closes makes every other thread
 * fence once (base/barrier.h) between CLOSING and the count: either the
 * closer sees the hold, or the acquirer sees CLOSING. test/model has the
 * protocol as a model, with every step a mistake would leave out.
 *
 * The shared count is for those who have no stripe: signal handlers, threads
 * whose thread-local data is gone, and when there is no memory for a record.
 *
 * The global session is always open, and nothing is counted. In segments it is
 * a NULL slot. A slot whose generation would wrap is retired.
 */
#ifndef FRTI_MEMORY_SESSION_H
#define FRTI_MEMORY_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "ffi_rt/base/atomic.h"
#include "ffi_rt/base/barrier.h"
#include "ffi_rt/base/compiler.h"
#include "ffi_rt/base/thread.h"
#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/memory/arena.h"
#include "ffi_rt/memory/hold.h"
#include "ffi_rt/memory/stripes.h"

enum frti_session_kind {
    FRTI_SESSION_CONFINED,
    FRTI_SESSION_SHARED,
    FRTI_SESSION_GLOBAL
};

struct frti_session {
    frti_counter word;
    frti_counter owner;   /* the thread of a confined one */
    frti_counter holds;   /* of a confined one */
    uint32_t stripe_page; /* of a shared one; else FRTI_SESSION_NO_PAGE */
    uint16_t stripe_offset;
    uint8_t kind;
    union {
        struct frti_arena arena;   /* while it is open, and when it ends */
        struct frti_session *next; /* in the free list */
    };
};

#define FRTI_SESSION_NO_PAGE UINT32_MAX

/* One line each: neighbours do not slow each other down. */
#define FRTI_SESSION_ALIGNMENT 64
_Static_assert(sizeof(struct frti_session) == FRTI_SESSION_ALIGNMENT,
               "a session is one line");

/* What is written when a thread comes new to a shared session, and by closers,
 * is on a line of its own. */
struct frti_shared_session {
    struct frti_session session;
    _Alignas(FRTI_SESSION_ALIGNMENT) frti_counter count; /* of no stripe:
                                           generation (32) | count (32) */
    frti_pointer binder; /* the one record that used this life; NULL: none */
    frti_counter closer; /* the closers' lock: 0 free, 1 taken, 2 wanted */
};

/* A binder that is no record: more than one used it. */
#define FRTI_SESSION_SEVERAL ((void *)&frti_stripe_nothing)

#define FRTI_SESSION_MOST_HOLDS UINT32_C(0x3fffffff)

#define FRTI_SESSION_CLOSING UINT64_C(1)
#define FRTI_SESSION_CLOSED UINT64_C(2)
#define FRTI_SESSION_STATES UINT64_C(3)
#define FRTI_SESSION_GENERATION UINT64_C(4) /* from one life to the next */

extern struct frti_session frti_session_global;

/* Of one that is held, or the caller's own. */
static inline uint64_t
frti_session_generation(struct frti_session *slot)
{
    /* relaxed: so it stays as it is */
    return frti_counter_get_relaxed(&slot->word) & ~FRTI_SESSION_STATES;
}

static inline struct frti_shared_session *
frti_session_shared(struct frti_session *slot)
{
    return (struct frti_shared_session *)slot;
}

/* The word is that of the open session. */
static inline bool
frti_session_is_word_open(uint64_t word, uint64_t generation)
{
    return (word & ~FRTI_SESSION_CLOSING) == generation;
}

/* The sentence for `why`: CLOSED, WRONG_THREAD, TOO_MANY_HOLDS. */
FRTI_COLD frt_status frti_session_refuse(frt_status why,
                                         struct frti_session *slot);
/* The same of a ticket: BAD_ARGUMENT. */
FRTI_COLD frt_status frti_ticket_refuse(const frt_ticket *ticket);
FRTI_COLD frt_status frti_session_never_opened(void);

const char *frti_session_kind_name(const struct frti_session *slot);

/* A new life. Only its creator knows it until the handle is passed on.
 *   -> NO_MEMORY, BAD_ARGUMENT (FRT_SESSIONS is no mode) */
frt_status frti_session_open(frt_session *out, enum frti_session_kind kind);
/* Ends the life; the slot is the caller's until it recycles it.
 *   -> as frt_arena_close */
frt_status frti_session_close(struct frti_session *slot, uint64_t generation);
/* The same of many: statuses[i] is FRT_OK where it is ended, and sentences are
 * those of the last that is not. */
void frti_session_close_many(frt_status *statuses, const frt_arena *arenas,
                             size_t count);
void frti_session_recycle(struct frti_session *slot);
/* Instead of that, for a shared one: its next life; 0: there is none left. */
uint64_t frti_session_open_again(struct frti_session *slot);

/* The mode's name, or why there is none. */
const char *frti_session_mode(void);
/* Once a shared session was opened. */
enum frti_barrier_mode frti_session_mode_chosen(void);

/* For a shared or global session's arena; a confined one has no need. */
void frti_session_lock(struct frti_session *slot);
void frti_session_unlock(struct frti_session *slot);

void frti_closers_after_fork_in_child(void);

/* Every shared slot that ever was, for the child of a fork. */
void frti_session_each_shared(void (*visit)(struct frti_shared_session *slot));

static inline bool
frti_session_is_open(struct frti_session *slot, uint64_t generation)
{
    /* relaxed: what the session protects was published with its handle */
    return slot == NULL ||
           frti_session_is_word_open(frti_counter_get_relaxed(&slot->word),
                                     generation);
}

/* A confined session's owner. Whoever reads the owner of a later life is not
 * it: that thread would have seen the later word. */
static inline bool
frti_session_is_owner(struct frti_session *slot)
{
    return frti_counter_get_relaxed(&slot->owner) == frti_thread_number();
}

/* The session is open, and this thread may use it. A shared one can be closed
 * right after, unless it is held.   -> CLOSED, WRONG_THREAD */
static inline frt_status
frti_session_check(struct frti_session *slot, uint64_t generation)
{
    if (FRTI_UNLIKELY(!frti_session_is_open(slot, generation)))
        return frti_session_refuse(FRT_CLOSED, slot);
    if (slot != NULL && slot->kind == FRTI_SESSION_CONFINED &&
        FRTI_UNLIKELY(!frti_session_is_owner(slot)))
        return frti_session_refuse(FRT_WRONG_THREAD, slot);
    return FRT_OK;
}

/* ------------------------------------------------------ striped holds --- */

/* After a hold was published: does it hold? An acquire that comes while a
 * closer counts must not take its hold back and try again: the closer may have
 * seen it, and refused for its sake. */
FRTI_INLINE bool
frti_session_judge(struct frti_session *slot, uint64_t generation)
{
    /* seq_cst: in the modes fence and rmw this pairs with the closer's CAS and
     * fence; in membarrier the closer's barrier has done it */
    uint64_t word = frti_counter_get_seq_cst(&slot->word);

    while (word == (generation | FRTI_SESSION_CLOSING))
        /* the veto; seq_cst: the hold is published before OPEN is, for the
         * closer that comes next */
        if (frti_counter_replace_seq_cst(&slot->word, &word, generation))
            return true;
    return word == generation;
}

/* With the fence that the mode asks for; makes the stripe if need be. *out is
 * NULL where the shared count was taken.   -> CLOSED, TOO_MANY_HOLDS */
FRTI_NOINLINE frt_status frti_stripe_acquire_slow(struct frti_stripe **out,
                                                  struct frti_session *slot,
                                                  uint64_t generation);
/* Without a stripe, and without a sentence. */
frt_status frti_session_acquire_counted(struct frti_session *slot,
                                        uint64_t generation);
/* False: nothing is held there. */
bool frti_session_release_counted(struct frti_session *slot,
                                  uint64_t generation);
/* On another thread than the owner's. False: nothing is held there. */
bool frti_stripe_release_remote(struct frti_stripe *stripe,
                                uint64_t generation);

static inline bool
frti_stripe_is_of(const struct frti_stripe *stripe,
                  const struct frti_here *here)
{
    return stripe != NULL &&
           frti_stripe_page_of(stripe)->record == here->stripe_record;
}

static inline bool
frti_stripe_is_mine(const struct frti_stripe *stripe)
{
    return frti_stripe_is_of(stripe, &frti_here);
}

/* Where it takes no call. False: nothing is held; the slow one knows why. */
FRTI_INLINE bool
frti_stripe_acquire_fast(struct frti_stripe **out, struct frti_session *slot,
                         uint64_t generation)
{
    struct frti_stripe *stripe =
        frti_stripe_here(slot->stripe_page, slot->stripe_offset);

    /* relaxed: its owner's own, who is here */
    if (FRTI_UNLIKELY(stripe == NULL || frti_counter_get_relaxed(
                                            &stripe->generation) != generation))
        return false;
    /* ordered against the word by the closer's barrier: pairs with
     * frti_barrier in close.c */
    frti_counter_own_up(&stripe->balance);
    *out = stripe;
    /* relaxed: an acquire load would wait for the release before it, on
     * AArch64; what the session protects was published with its handle */
    if (FRTI_LIKELY(frti_counter_get_relaxed(&slot->word) == generation) ||
        frti_session_judge(slot, generation))
        return true;
    frti_counter_own_down_release(&stripe->balance);
    return false;
}

/* Of a shared session.   -> as frti_stripe_acquire_slow */
FRTI_INLINE frt_status
frti_stripe_acquire(struct frti_stripe **out, struct frti_session *slot,
                    uint64_t generation)
{
    if (FRTI_LIKELY(frti_stripe_acquire_fast(out, slot, generation)))
        return FRT_OK;
    return frti_stripe_acquire_slow(out, slot, generation);
}

/* ---------------------------------------------- holds of our own making --- */

/* These are balanced by construction: what is released was acquired once. */

/* Global; or confined, and refused.   -> as frt_session_acquire */
FRTI_NOINLINE frt_status frti_hold_take_slow(struct frti_session *slot,
                                             uint64_t generation);
FRTI_NOINLINE void frti_hold_give_slow(struct frti_hold *hold);

FRTI_INLINE bool
frti_hold_take_confined(struct frti_session *slot, uint64_t generation)
{
    uint64_t holds;

    /* relaxed, all: its owner's own, or else it is refused */
    if (FRTI_UNLIKELY(frti_counter_get_relaxed(&slot->word) != generation ||
                      frti_counter_get_relaxed(&slot->owner) !=
                          frti_here.thread))
        return false;
    holds = frti_counter_get_relaxed(&slot->holds);
    if (FRTI_UNLIKELY(holds >= FRTI_SESSION_MOST_HOLDS))
        return false;
    frti_counter_set_relaxed(&slot->holds, holds + 1);
    return true;
}

/* Not of a NULL slot.   -> as frt_session_acquire */
FRTI_INLINE frt_status
frti_hold_take(struct frti_hold *out, struct frti_session *slot,
               uint64_t generation)
{
    /* relaxed: another thread lets it go only after it was handed over */
    frti_pointer_set_relaxed(&out->slot, slot);
    if (FRTI_LIKELY(slot->kind == FRTI_SESSION_SHARED))
        return frti_stripe_acquire(&out->stripe, slot, generation);
    out->stripe = NULL;
    if (FRTI_LIKELY(slot->kind == FRTI_SESSION_CONFINED &&
                    frti_hold_take_confined(slot, generation)))
        return FRT_OK;
    return frti_hold_take_slow(slot, generation);
}

/* On the thread that took it. */
FRTI_INLINE void
frti_hold_give(struct frti_hold *hold)
{
    if (FRTI_LIKELY(hold->stripe != NULL))
        /* release: pairs with the acquires of frti_stripe_held */
        frti_counter_own_down_release(&hold->stripe->balance);
    else
        frti_hold_give_slow(hold);
}

/* ------------------------------------------------------ tickets of ours --- */

/* For what outlives a function. As frt_session_acquire; a NULL slot is the
 * global session. */
static inline frt_status
frti_session_acquire(frt_ticket *out, struct frti_session *slot,
                     uint64_t generation)
{
    struct frti_hold hold = {0};
    frt_status status;

    if (slot == NULL)
        slot = &frti_session_global;
    status = frti_hold_take(&hold, slot, generation);
    if (FRTI_UNLIKELY(status != FRT_OK))
        return status;
    out->stripe = hold.stripe;
    out->slot = slot;
    out->generation = generation;
    return FRT_OK;
}

static inline frt_status
frti_session_release(frt_ticket *ticket)
{
    return frt_session_release(ticket);
}

/* ---------------------------------------------------- holds of one call --- */

/* Until they stand, the caller has the first and the top in registers. What is
 * not stored in a call is not loaded with its neighbour in the next: gcc would
 * make one load of two words, of which the one before stored one. */

/*   -> NO_MEMORY (more than FRTI_HOLD_SPARES) */
FRTI_INLINE frt_status
frti_holding_begin(struct frti_holding *holding, size_t most)
{
    struct frti_hold *first = frti_here.hold_top;

    holding->first = first;
    holding->record = frti_here.stripe_record;
    if (FRTI_LIKELY((size_t)((char *)frti_here.hold_end - (char *)first) >=
                    most * sizeof(struct frti_hold)))
        return FRT_OK;
    return frti_holding_begin_slow(holding, most);
}

/* On the thread's stack as it is. */
FRTI_INLINE bool
frti_holding_has_room(size_t most)
{
    return (size_t)((char *)frti_here.hold_end - (char *)frti_here.hold_top) >=
           most * sizeof(struct frti_hold);
}

/* Where there is. */
FRTI_INLINE void
frti_holding_begin_fast(struct frti_holding *holding)
{
    holding->first = frti_here.hold_top;
    holding->record = frti_here.stripe_record;
}

/* The one in [first, top) that holds the slot; or top. */
FRTI_INLINE struct frti_hold *
frti_holding_find(struct frti_hold *first, struct frti_hold *top,
                  struct frti_session *slot)
{
    /* relaxed: what is held stays as it is */
    while (first != top && frti_pointer_get_relaxed(&first->slot) != slot)
        first++;
    return first;
}

/* Each distinct session once; the global one needs no hold.
 *   -> as frt_session_acquire */
FRTI_INLINE frt_status
frti_holding_add(struct frti_hold *first, struct frti_hold **top,
                 struct frti_session *slot, uint64_t generation)
{
    frt_status status;

    if (slot == NULL)
        return FRT_OK;
    if (frti_holding_find(first, *top, slot) != *top &&
        /* relaxed: it is held */
        FRTI_LIKELY(frti_session_is_word_open(
            frti_counter_get_relaxed(&slot->word), generation)))
        return FRT_OK;
    status = frti_hold_take(*top, slot, generation);
    if (FRTI_LIKELY(status == FRT_OK))
        ++*top;
    return status;
}

/* The same where it takes no call. False: nothing is taken; the other one knows
 * why. */
FRTI_INLINE bool
frti_holding_add_fast(struct frti_hold *first, struct frti_hold **top,
                      struct frti_session *slot, uint64_t generation)
{
    struct frti_hold *hold = *top;

    if (slot == NULL)
        return true;
    if (frti_holding_find(first, hold, slot) != hold)
        /* relaxed: it is held */
        return frti_session_is_word_open(frti_counter_get_relaxed(&slot->word),
                                         generation);
    if (FRTI_LIKELY(slot->kind == FRTI_SESSION_SHARED)) {
        if (!frti_stripe_acquire_fast(&hold->stripe, slot, generation))
            return false;
    } else {
        if (slot->kind != FRTI_SESSION_CONFINED ||
            !frti_hold_take_confined(slot, generation))
            return false;
        hold->stripe = NULL;
    }
    /* relaxed: as in frti_hold_take */
    frti_pointer_set_relaxed(&hold->slot, slot);
    *top = hold + 1;
    return true;
}

/* From now on they are on the stack. */
FRTI_INLINE void
frti_holding_stand(struct frti_holding *holding, struct frti_hold *top)
{
    holding->end = top;
    if (FRTI_LIKELY(holding->record != NULL))
        frti_here.hold_top = top;
}

/* A cleanup, after user code has run: it may have come back elsewhere. */
FRTI_INLINE void
frti_holding_end(struct frti_holding *holding)
{
    struct frti_here *here = frti_here_anew();
    struct frti_hold *first = holding->first;
    struct frti_hold *end = holding->end;

    if (FRTI_UNLIKELY(here->hold_top != end ||
                      here->stripe_record != holding->record)) {
        frti_holding_end_slow(first, end, holding->record);
        return;
    }
    while (end != first)
        frti_hold_give(--end);
    here->hold_top = end;
}

#endif
