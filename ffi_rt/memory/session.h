/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Sessions: the life of an arena, which holds can prolong.
 *
 * A session is a slot and a generation. Slots are never unmapped and never
 * change their kind, so that a stale handle can be looked at safely: its
 * generation is no longer in the slot's word.
 *
 *     word = generation (32) | state (2) | holds (30)
 *
 *   operation   confined, by its owner   shared, by any thread
 *   open        store                    store; the handle publishes it
 *   check       load                     load
 *   acquire     word + 1                 CAS word + 1, relaxed
 *   release     word - 1                 CAS word - 1, release
 *   close       OPEN, 0 -> CLOSED        CAS OPEN, 0 -> CLOSED, acquire
 *   recycle     to the free list, under its lock: the next life counts on
 *
 * The global session is always open, and nothing is counted. In segments it is
 * a NULL slot. A slot whose generation would wrap is retired.
 *
 * A ticket names no holder. A second release of the same variable is always
 * seen, one of a copy only when nothing is held any more or the session is
 * closed: else it takes the hold of somebody else.
 */
#ifndef FRTI_MEMORY_SESSION_H
#define FRTI_MEMORY_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "ffi_rt/base/atomic.h"
#include "ffi_rt/base/compiler.h"
#include "ffi_rt/base/thread.h"
#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/memory/arena.h"

enum frti_session_kind {
    FRTI_SESSION_CONFINED,
    FRTI_SESSION_SHARED,
    FRTI_SESSION_GLOBAL
};

struct frti_session {
    frti_counter word;
    frti_counter owner;        /* the thread of a confined one */
    struct frti_session *next; /* in the free list */
    enum frti_session_kind kind;
    struct frti_arena arena;
};

/* One line each: neighbours do not slow each other down. */
#define FRTI_SESSION_ALIGNMENT 64
_Static_assert(sizeof(struct frti_session) == FRTI_SESSION_ALIGNMENT,
               "a session is one line");

#define FRTI_SESSION_HOLD_BITS 30
#define FRTI_SESSION_MOST_HOLDS ((UINT64_C(1) << FRTI_SESSION_HOLD_BITS) - 1)
#define FRTI_SESSION_CLOSED UINT64_C(0)
#define FRTI_SESSION_OPEN UINT64_C(1)

extern struct frti_session frti_session_global;

static inline uint64_t
frti_session_word(uint64_t generation, uint64_t state)
{
    return generation << 32 | state << FRTI_SESSION_HOLD_BITS;
}

static inline uint64_t
frti_session_word_generation(uint64_t word)
{
    return word >> 32;
}

/* The word is that of the open session, however often it is held. */
static inline bool
frti_session_is_word_open(uint64_t word, uint64_t generation)
{
    return frti_session_word_generation(word) == generation &&
           (uint32_t)word >> FRTI_SESSION_HOLD_BITS == FRTI_SESSION_OPEN;
}

static inline uint64_t
frti_session_word_holds(uint64_t word)
{
    return word & FRTI_SESSION_MOST_HOLDS;
}

/* The sentence for `why`: CLOSED, WRONG_THREAD, TOO_MANY_HOLDS. */
FRTI_COLD frt_status frti_session_refuse(frt_status why,
                                         struct frti_session *slot);
/* The same of a ticket: BAD_ARGUMENT. */
FRTI_COLD frt_status frti_ticket_refuse(const frt_ticket *ticket);

/* A new life. Only its creator knows it until the handle is passed on.
 *   -> NO_MEMORY */
frt_status frti_session_open(frt_session *out, enum frti_session_kind kind);
/* Ends the life; the slot is the caller's until it recycles it.
 *   -> as frt_arena_close */
frt_status frti_session_close(struct frti_session *slot, uint64_t generation);
void frti_session_recycle(struct frti_session *slot);

/* For a shared or global session's arena; a confined one has no need. */
void frti_session_lock(struct frti_session *slot);
void frti_session_unlock(struct frti_session *slot);

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

static inline frt_status
frti_session_acquire_shared(struct frti_session *slot, uint64_t generation)
{
    /* relaxed: as in frti_session_is_open; closers see it in the same word */
    uint64_t word = frti_counter_get_relaxed(&slot->word);

    do {
        if (FRTI_UNLIKELY(!frti_session_is_word_open(word, generation)))
            return frti_session_refuse(FRT_CLOSED, slot);
        if (FRTI_UNLIKELY(frti_session_word_holds(word) ==
                          FRTI_SESSION_MOST_HOLDS))
            return frti_session_refuse(FRT_TOO_MANY_HOLDS, slot);
    } while (!frti_counter_replace_weak_relaxed(&slot->word, &word, word + 1));
    return FRT_OK;
}

static inline frt_status
frti_session_acquire_confined(struct frti_session *slot, uint64_t generation)
{
    frt_status status = frti_session_check(slot, generation);
    uint64_t word = frti_counter_get_relaxed(&slot->word); /* its owner's own */

    if (FRTI_UNLIKELY(status != FRT_OK))
        return status;
    if (FRTI_UNLIKELY(frti_session_word_holds(word) == FRTI_SESSION_MOST_HOLDS))
        return frti_session_refuse(FRT_TOO_MANY_HOLDS, slot);
    frti_counter_set_relaxed(&slot->word, word + 1);
    return FRT_OK;
}

/* As frt_session_acquire. A NULL slot is the global session. */
static inline frt_status
frti_session_acquire(frt_ticket *out, struct frti_session *slot,
                     uint64_t generation)
{
    frt_status status;

    if (slot == NULL)
        slot = &frti_session_global;
    if (slot->kind == FRTI_SESSION_SHARED)
        status = frti_session_acquire_shared(slot, generation);
    else if (slot->kind == FRTI_SESSION_CONFINED)
        status = frti_session_acquire_confined(slot, generation);
    else
        status = FRT_OK;
    if (FRTI_UNLIKELY(status != FRT_OK))
        return status;
    out->stripe = NULL;
    out->slot = slot;
    out->generation = generation;
    return FRT_OK;
}

static inline frt_status
frti_session_release_shared(const frt_ticket *ticket)
{
    frti_counter *counter = &ticket->slot->word;
    uint64_t word = frti_counter_get_relaxed(counter); /* judged by the CAS */

    do {
        if (FRTI_UNLIKELY(!frti_session_is_word_open(word, ticket->generation)))
            return frti_ticket_refuse(ticket);
        if (FRTI_UNLIKELY(frti_session_word_holds(word) == 0))
            return frti_ticket_refuse(ticket);
        /* release: pairs with the acquire of frti_session_close */
    } while (!frti_counter_replace_weak_release(counter, &word, word - 1));
    return FRT_OK;
}

static inline frt_status
frti_session_release_confined(const frt_ticket *ticket)
{
    frti_counter *counter = &ticket->slot->word;
    uint64_t word = frti_counter_get_relaxed(counter); /* its owner's own */

    if (FRTI_UNLIKELY(!frti_session_is_word_open(word, ticket->generation)))
        return frti_ticket_refuse(ticket);
    if (FRTI_UNLIKELY(!frti_session_is_owner(ticket->slot)))
        return frti_session_refuse(FRT_WRONG_THREAD, ticket->slot);
    if (FRTI_UNLIKELY(frti_session_word_holds(word) == 0))
        return frti_ticket_refuse(ticket);
    frti_counter_set_relaxed(counter, word - 1);
    return FRT_OK;
}

/* As frt_session_release. */
static inline frt_status
frti_session_release(frt_ticket *ticket)
{
    frt_status status;

    if (FRTI_UNLIKELY(ticket->slot == NULL))
        return frti_ticket_refuse(ticket);
    if (ticket->slot->kind == FRTI_SESSION_SHARED)
        status = frti_session_release_shared(ticket);
    else if (ticket->slot->kind == FRTI_SESSION_CONFINED)
        status = frti_session_release_confined(ticket);
    else
        status = FRT_OK;
    if (FRTI_LIKELY(status == FRT_OK))
        *ticket = (frt_ticket){0};
    return status;
}

#endif
