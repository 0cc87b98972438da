/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Entries: what native code calls when it calls back.
 *
 * Each of the 4,096 entries in our own text has a slot of plain memory at a
 * fixed distance. An entry loads its slot's address and jumps to the gate that
 * the slot's first word names; the gate saves the registers in an image, calls
 * `receive`, and loads the result's registers from the image. No code is ever
 * generated. More entries are the same pages of our file, mapped again beside
 * fresh slots.
 *
 *     entry i -> slot i { gate, receive } -> gate -> receive(slot, image)
 *
 * Slots are never unmapped. One that is given back waits behind the others, so
 * that whoever calls it too late is recognised for as long as can be.
 *
 *   operation   lock
 *   take        held, but for the growth: more threads may grow at once
 *   give back   held
 *   call        -: the slot's gate is read, and what receive makes of it
 */
#ifndef FRTI_ABI_ENTRY_H
#define FRTI_ABI_ENTRY_H

#include <stddef.h>

#include "abi/entry_size.h"
#include "ffi_rt/ffi_rt.h"

struct frti_receiver;
struct frti_slot;

/* What a gate calls. */
typedef void frti_receive(struct frti_slot *slot, unsigned char *image);

struct frti_slot {
    const void *gate;      /* where its entry jumps */
    frti_receive *receive; /* what that calls */
    void *code;            /* its entry */
    struct frti_slot *next;
    _Alignas(16) unsigned char data[FRTI_ENTRY_SLOT - 32]; /* of the taker */
};

_Static_assert(sizeof(struct frti_slot) == FRTI_ENTRY_SLOT,
               "the entries count on it");
_Static_assert(offsetof(struct frti_slot, receive) == FRTI_ENTRY_RECEIVE,
               "the gates count on it");

/* A slot for the caller's use; its data is as its last user left it, or zero.
 *   -> NO_CODE_MEMORY (there are no more entries, and none can be had) */
frt_status frti_entry_take(struct frti_slot **out);
/* Its entry leads to `receive` from now on, by the receiver's gate.
 *   -> NO_CODE_MEMORY (libffi refuses) */
frt_status frti_entry_arm(struct frti_slot *slot,
                          const struct frti_receiver *receiver,
                          frti_receive *receive);
/* Nobody may be inside. Calls go on arriving at `receive`. */
void frti_entry_give_back(struct frti_slot *slot);

/* Entries there are, and those that wait to be used again. */
size_t frti_entry_count(void);
size_t frti_entry_waiting(void);

/* Where they come from: the build chooses the file. */

extern const size_t frti_entry_first; /* that are there without growth */
/* One that was never used; NULL: there is none. Under the lock. */
struct frti_slot *frti_entry_fresh(void);
/* More of them, which are then added under the lock; how many they are.
 *   -> NO_CODE_MEMORY, NO_MEMORY */
frt_status frti_entry_more(struct frti_slot **out);
size_t frti_entry_add(struct frti_slot *more);

#endif
