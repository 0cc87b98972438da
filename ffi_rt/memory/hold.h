/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Holds: sessions that calls under way keep open.
 *
 * They stand on a stack in the thread's record, not in the frames of the
 * calls: a longjmp leaves them there, and frt_unwind_to finds them.
 *
 *     block: | held | held | let go | held ... top | free ... | -> next block
 *
 * A call that ends pops its holds. If it is not the last one (fibers take
 * turns on a thread) or if it ends on another thread (a fiber moved), its
 * holds are released and marked as let go, and popped later. Only the owner
 * moves the top; letting go is a relaxed store, for a hold belongs to its call
 * alone until then.
 *
 * Where there is no memory for a stack, up to FRTI_HOLD_SPARES holds are in the
 * frame of the call: a longjmp over it leaves the sessions held.
 */
#ifndef FRTI_MEMORY_HOLD_H
#define FRTI_MEMORY_HOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "ffi_rt/base/atomic.h"
#include "ffi_rt/base/compiler.h"
#include "ffi_rt/base/thread.h"
#include "ffi_rt/ffi_rt.h"

struct frti_stripe;
struct frti_stripe_record;

struct frti_hold {
    struct frti_stripe *stripe; /* NULL: confined, or on the shared counter */
    frti_pointer slot;          /* NULL: let go */
};

#define FRTI_HOLDS 30 /* of a block, or more if a call has more */
#define FRTI_HOLD_SPARES 8

struct frti_hold_block {
    struct frti_hold_block *below;
    struct frti_hold *holds;
    size_t room;
    size_t base; /* how many are below */
};

/* In a record. The current top is in frti_here while the record has an owner.
 */
struct frti_hold_stack {
    struct frti_hold_block *block; /* the current one */
    struct frti_hold *top;         /* while there is no owner */
    struct frti_hold_block first;
    struct frti_hold holds[FRTI_HOLDS];
};

/* The holds of one call. */
struct frti_holding {
    struct frti_hold *first;
    struct frti_hold *end;
    struct frti_stripe_record *record; /* whose stack it is; NULL: spares */
    struct frti_hold spares[FRTI_HOLD_SPARES];
};

/* Room for `most` on the stack, or elsewhere.   -> NO_MEMORY */
frt_status frti_holding_begin_slow(struct frti_holding *holding, size_t most);
/* What a holding has, which may so be in registers. */
void frti_holding_end_slow(struct frti_hold *first, struct frti_hold *end,
                           struct frti_stripe_record *record);

void frti_hold_stack_init(struct frti_hold_stack *stack);
/* The thread's stack goes back into the record, or comes out of it. */
void frti_hold_stack_park(struct frti_hold_stack *stack);
void frti_hold_stack_take(struct frti_hold_stack *stack);

/* Is the session among the holds of calls under way on this thread? */
bool frti_hold_is_here(const struct frti_session *slot);
/* The same of upcalls, by the floor that has them; NULL: there are none. */
extern bool (*frti_hold_is_inside)(const struct frti_session *slot);

#endif
