/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/entry.h"

#include <pthread.h>

#include "abi/gate.h"
#include "ffi_rt/base/compiler.h"
#include "ffi_rt/base/own_text.h"
#include "ffi_rt/base/status.h"

/* As long as more entries can be had, one that was given back waits for so many
 * others before it is used again. */
#define ENTRY_QUARANTINE 1024

/* The slots of the table in our text, which gate.S finds by this name. */
extern struct frti_slot frti_entry_slots[];
_Alignas(64) struct frti_slot frti_entry_slots[FRTI_ENTRY_COUNT];

/* A table whose slots were not all used; the rest of its first unused slot
 * links them. */
struct entry_table {
    struct frti_slot *slots;
    ptrdiff_t shift; /* from the table in our text */
};

/* Nobody allocates or takes another lock under it. */
static pthread_mutex_t entry_lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry_table entry_fresh = {frti_entry_slots, 0};
static size_t entry_used;             /* of the fresh table */
static struct frti_slot *entry_spare; /* first slots of other fresh tables */
static struct frti_slot *entry_oldest;
static struct frti_slot *entry_newest;
static size_t entry_waiting;
static size_t entry_count = FRTI_ENTRY_COUNT;

static void
entries_lock(void)
{
    pthread_mutex_lock(&entry_lock);
}

static void
entries_unlock(void)
{
    pthread_mutex_unlock(&entry_lock);
}

FRTI_CONSTRUCTOR static void
entries_watch_fork(void)
{
    pthread_atfork(entries_lock, entries_unlock, entries_unlock);
}

/* All below up to the growth: under the lock. */

/* Two threads grew at once: the second table waits. */
static void
entry_add_table(struct frti_slot *slots)
{
    slots->next = entry_spare;
    entry_spare = slots;
    entry_count += FRTI_ENTRY_COUNT;
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

static struct frti_slot *
entry_take_fresh(void)
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

static struct frti_slot *
entry_take_oldest(size_t least)
{
    struct frti_slot *slot = entry_oldest;

    if (slot == NULL || entry_waiting < least)
        return NULL;
    entry_oldest = slot->next;
    if (entry_oldest == NULL)
        entry_newest = NULL;
    entry_waiting--;
    return slot;
}

static struct frti_slot *
entry_take(size_t least_waiting)
{
    struct frti_slot *slot;

    entries_lock();
    slot = entry_take_fresh();
    if (slot == NULL)
        slot = entry_take_oldest(least_waiting);
    entries_unlock();
    return slot;
}

static frt_status
entry_grow(void)
{
    struct frti_own_part code = {frti_entries,
                                 FRTI_ENTRY_COUNT * frti_entry_step};
    struct frti_own_part data = {frti_entry_slots, sizeof frti_entry_slots};
    ptrdiff_t shift;
    frt_status status = frti_own_text_again(&shift, code, data);

    if (status != FRT_OK)
        return status;
    entries_lock();
    entry_add_table(
        (struct frti_slot *)((uintptr_t)frti_entry_slots + (uintptr_t)shift));
    entries_unlock();
    return FRT_OK;
}

frt_status
frti_entry_take(struct frti_slot **out)
{
    struct frti_slot *slot = entry_take(ENTRY_QUARANTINE);
    frt_status status = FRT_OK;

    while (slot == NULL && status == FRT_OK) {
        status = entry_grow();
        slot = entry_take(status == FRT_OK ? ENTRY_QUARANTINE : 1);
    }
    if (slot == NULL)
        return status;
    *out = slot;
    return FRT_OK;
}

void
frti_entry_give_back(struct frti_slot *slot)
{
    slot->next = NULL;
    entries_lock();
    if (entry_newest == NULL)
        entry_oldest = slot;
    else
        entry_newest->next = slot;
    entry_newest = slot;
    entry_waiting++;
    entries_unlock();
}

size_t
frti_entry_count(void)
{
    size_t count;

    entries_lock();
    count = entry_count;
    entries_unlock();
    return count;
}

size_t
frti_entry_waiting(void)
{
    size_t count;

    entries_lock();
    count = entry_waiting;
    entries_unlock();
    return count;
}
