/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Upcalls: what stands in an entry's slot, and its life.
 *
 * A slot has a shared session of its own, `own`, for good, with a life for each
 * of the slot's: a call holds that, and so the close of one upcall is refused
 * while another thread is inside. The call also holds the session of the arena
 * that the upcall lives in. A slot's memory is never unmapped, so that a call
 * that comes too late can look at it.
 *
 *   field              written by                    read by
 *   own                the first open                any call
 *   generation, life   open; generation last, with   any call
 *                      release
 *   what a call needs  open, before that             calls that hold `own`
 *   the tomb           open and close, locked        late calls, locked
 *   the house's ring   open and close, locked        close of the arena, locked
 *
 *   an upcall of ...        lives until                  a call holds
 *   the global arena        it is closed                 own
 *   another arena           that, or the arena closes    own, then the arena
 */
#ifndef FRTI_LINK_UPCALL_H
#define FRTI_LINK_UPCALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/entry.h"
#include "abi/receive.h"
#include "ffi_rt/base/atomic.h"
#include "ffi_rt/ffi_rt.h"

#define FRTI_UPCALL_NAME 40

struct frti_house;
struct frti_queue;
struct frti_queued;

/* What is known of an upcall after its end. */
struct frti_tomb {
    char name[FRTI_UPCALL_NAME];
    char type[80];           /* "" while it is open */
    uint64_t closed_at;      /* nanoseconds of the monotonic clock */
    uint64_t closed_by;      /* thread */
    struct frti_take result; /* how zero is returned */
    uint32_t result_size;
    bool in_memory;
    uint8_t late; /* frt_upcall_late */
};

struct frti_upcall {
    struct frti_session *own;
    frti_counter generation; /* of its own life */

    /* what a call needs */
    const struct frti_receiver *receiver;
    frt_upcall_fn function;
    void *context;
    frt_session session; /* of the arena; slot NULL: global */
    uint64_t owner;      /* a thread; 0: any may call */
    bool is_guarded;     /* there is an owner, or there are hooks */
    bool sets_errno;
    bool posts;
    void *default_result; /* NULL: zero */
    const frt_thread_hooks *hooks;
    struct frti_queue *queue;    /* NULL: calls of others are refused */
    struct frti_queued *dropped; /* posted, not run before the close */

    frti_counter life; /* of handles; counts on with each open */
    struct frti_house *house;
    struct frti_upcall *next; /* in its house */
    struct frti_upcall *before;
    struct frti_tomb tomb;
};

_Static_assert(sizeof(struct frti_upcall) <=
                   sizeof(((struct frti_slot *)0)->data),
               "an upcall fits in its slot");

static inline struct frti_upcall *
frti_upcall_of_slot(struct frti_slot *slot)
{
    return (struct frti_upcall *)(void *)slot->data;
}

static inline struct frti_slot *
frti_slot_of_upcall(struct frti_upcall *upcall)
{
    return (struct frti_slot *)(void *)((char *)upcall -
                                        offsetof(struct frti_slot, data));
}

/* Guards tombs, houses and closes. Taken before any other lock; nobody
 * allocates under it. */
void frti_upcall_lock(void);
void frti_upcall_unlock(void);

/* What the entry of an open upcall calls: any (upcall_enter.c), and one that is
 * simple, by the kind of its arena (upcall_simple.c). */
frti_receive frti_upcall_receive;
frti_receive frti_upcall_receive_global;
frti_receive frti_upcall_receive_shared;
frti_receive frti_upcall_receive_confined;

/* The last call inside a closed upcall has ended: its slot can be used again.
 */
void frti_upcall_retire(struct frti_upcall *upcall);

#endif
