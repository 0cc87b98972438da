/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Entries in our own text: the table of gate.S, and the same pages of our file
 * mapped again. */
#include "abi/entry.h"
#include "abi/gate.h"
#include "abi/receive.h"
#include "ffi_rt/base/own_text.h"

/* The slots of the table in our text, which gate.S finds by this name. */
extern struct frti_slot frti_entry_slots[];
_Alignas(64) struct frti_slot frti_entry_slots[FRTI_ENTRY_COUNT];

/* A table whose slots were not all used; the rest of its first unused slot
 * links them. */
struct entry_table {
    struct frti_slot *slots;
    ptrdiff_t shift; /* from the table in our text */
};

static struct entry_table entry_fresh = {frti_entry_slots, 0};
static size_t entry_used;             /* of the fresh table */
static struct frti_slot *entry_spare; /* first slots of other fresh tables */

const size_t frti_entry_first = FRTI_ENTRY_COUNT;

/* Two threads grew at once: the second table waits. */
size_t
frti_entry_add(struct frti_slot *more)
{
    more->next = entry_spare;
    entry_spare = more;
    return FRTI_ENTRY_COUNT;
}

static bool
entry_next_table(void)
{
    if (entry_spare == NULL)
        return false;
    entry_fresh.slots = entry_spare;
    entry_fresh.shift = (char *)entry_spare - (char *)frti_entry_slots;
    entry_spare = entry_spare->next;
    entry_used = 0;
    return true;
}

struct frti_slot *
frti_entry_fresh(void)
{
    const unsigned char *code;
    struct frti_slot *slot;

    if (entry_used == FRTI_ENTRY_COUNT && !entry_next_table())
        return NULL;
    code = frti_entries + entry_used * frti_entry_step;
    slot = &entry_fresh.slots[entry_used++];
    slot->code = (void *)((uintptr_t)code + (uintptr_t)entry_fresh.shift);
    return slot;
}

frt_status
frti_entry_more(struct frti_slot **out)
{
    struct frti_own_part code = {frti_entries,
                                 FRTI_ENTRY_COUNT * frti_entry_step};
    struct frti_own_part data = {frti_entry_slots, sizeof frti_entry_slots};
    ptrdiff_t shift;
    frt_status status = frti_own_text_again(&shift, code, data);

    if (status != FRT_OK)
        return status;
    *out = (struct frti_slot *)((uintptr_t)frti_entry_slots + (uintptr_t)shift);
    return FRT_OK;
}

frt_status
frti_entry_arm(struct frti_slot *slot, const struct frti_receiver *receiver,
               frti_receive *receive)
{
    slot->gate = receiver->gate;
    slot->receive = receive;
    return FRT_OK;
}
