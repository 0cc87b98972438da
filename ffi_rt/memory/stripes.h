/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Stripes: what each thread counts of each shared session.
 *
 *     record  one a thread, recycled and never freed
 *       directory -> page, page, ...        by session index / 84
 *         page: 84 stripes, 84 remote counters, the record
 *
 *     held by a stripe = balance - remote count          (modulo 2^32)
 *     held of a session = sum over its stripes + its shared count
 *
 *   field                 written by            read by
 *   stripe.generation     the owner: release    closers: acquire; the owner
 *   stripe.balance        the owner, in one     closers: acquire; releases
 *                         instruction, if it    elsewhere: relaxed
 *                         has one
 *   remotes[]             CAS, by whoever releases on another thread than it
 *                         acquired, or a ticket where no one instruction does
 *                         it; the owner, for a new life's generation
 *   directory, its pages  the owner: release    closers: acquire
 *   list of records       added to for ever     closers: acquire
 *
 * Counts are never reset. A stripe of an earlier life is as good as one of
 * none: its balance and its remote count are equal then, or the session could
 * not have ended. A remote count has its generation in the same word, so that
 * a stale ticket is never counted.
 *
 * In the modes fence and rmw a stripe's generation is tagged: the inlined
 * acquire, which has no fence, never finds its own.
 *
 * When a thread ends, its record goes to the next one that needs one, with all
 * its stripes: tickets that are out still release.
 */
#ifndef FRTI_MEMORY_STRIPES_H
#define FRTI_MEMORY_STRIPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ffi_rt/base/atomic.h"
#include "ffi_rt/base/compiler.h"
#include "ffi_rt/memory/hold.h"

struct frti_stripe {
    frti_counter generation; /* and tag; 0: never used */
    frti_counter balance;
};

/* The owner's lines are its own: remote counters are on others. */
#define FRTI_STRIPE_PAGE 2048
#define FRTI_STRIPES 84

struct frti_stripe_page {
    struct frti_stripe stripes[FRTI_STRIPES];
    frti_counter remotes[FRTI_STRIPES]; /* generation (32) | count (32) */
    struct frti_stripe_record *record;
    uint64_t unused[3];
};
_Static_assert(sizeof(struct frti_stripe_page) == FRTI_STRIPE_PAGE,
               "a stripe's page is found by its address");
_Static_assert(offsetof(struct frti_stripe_page, remotes) % 64 == 0,
               "remote counters begin a line");

struct frti_stripe_directory {
    struct frti_stripe_directory *older; /* closers may still read it */
    size_t room;
    frti_pointer pages[]; /* frti_stripe_nothing: not used yet */
};

struct frti_stripe_record {
    frti_pointer directory;
    frti_counter thread;             /* its owner's number; 0: it has none */
    struct frti_stripe_record *next; /* set before it is in the list */
    struct frti_stripe_record *next_free; /* under the lock */
    bool is_lost;                         /* its thread was not forked along */
    struct frti_hold_stack holds;
};

/* The page of all that were never used: no generation is 0. */
extern struct frti_stripe_page frti_stripe_nothing;

/* What generations are tagged with: 0 in the mode membarrier. */
#define FRTI_STRIPE_TAG UINT64_C(1)
extern uint64_t frti_stripe_tag;

/* The newest record; the others follow by next. */
struct frti_stripe_record *frti_stripe_records(void);

/* Around fork. */
void frti_stripes_before_fork(void);
void frti_stripes_after_fork(void);
void frti_stripes_after_fork_in_child(void);

/* This thread's, made if need be. NULL: no memory, or the thread has ended. */
struct frti_stripe_record *frti_stripe_record_mine(void);

/* The record's stripe at a place; NULL: never used. */
struct frti_stripe *frti_stripe_of_record(struct frti_stripe_record *record,
                                          uint32_t page, uint16_t offset);

/* The same, made if need be, by the owner. NULL: no memory. */
struct frti_stripe *frti_stripe_make(struct frti_stripe_record *record,
                                     uint32_t page, uint16_t offset);

/* Gives up what the threads hold that a forked child does not have. */
size_t frti_stripes_drop_lost(void);

static inline struct frti_stripe_page *
frti_stripe_page_of(const struct frti_stripe *stripe)
{
    return (struct frti_stripe_page *)((uintptr_t)stripe &
                                       ~(uintptr_t)(FRTI_STRIPE_PAGE - 1));
}

static inline frti_counter *
frti_stripe_remote(const struct frti_stripe *stripe)
{
    struct frti_stripe_page *page = frti_stripe_page_of(stripe);

    return &page->remotes[stripe - page->stripes];
}

static inline uint64_t
frti_stripe_generation_acquire(struct frti_stripe *stripe)
{
    /* acquire: pairs with the release of the binding owner */
    return frti_counter_get_acquire(&stripe->generation) & ~FRTI_STRIPE_TAG;
}

/* What is held, from both counts. The remote one is read first: then the
 * balance has all that was released meanwhile, and the result is never too
 * small. */
static inline uint32_t
frti_stripe_held(struct frti_stripe *stripe)
{
    /* acquire, both: pair with the releases of what is held here, so that all
     * that was done under them comes before what the reader does */
    uint32_t remote =
        (uint32_t)frti_counter_get_acquire(frti_stripe_remote(stripe));

    return (uint32_t)frti_counter_get_acquire(&stripe->balance) - remote;
}

/* This thread's own stripe at a place; NULL: ask the slow path. Its generation
 * may be another. */
FRTI_INLINE struct frti_stripe *
frti_stripe_here(uint32_t page, uint16_t offset)
{
    if (FRTI_UNLIKELY(page >= frti_here.stripe_room))
        return NULL;
    /* relaxed: written by this thread */
    return (struct frti_stripe *)((char *)frti_pointer_get_relaxed(
                                      &frti_here.stripe_pages[page]) +
                                  offset);
}

#endif
