/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/entry.h"

#include <pthread.h>

#include "ffi_rt/base/compiler.h"

/* As long as more entries can be had, one that was given back waits for so many
 * others before it is used again. */
#define ENTRY_QUARANTINE 1024

/* Nobody allocates or takes another lock under it. */
static pthread_mutex_t entry_lock = PTHREAD_MUTEX_INITIALIZER;
static struct frti_slot *entry_oldest;
static struct frti_slot *entry_newest;
static size_t entry_waiting;
static size_t entry_grown;

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

/* Under the lock. */
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
    slot = frti_entry_fresh();
    if (slot == NULL)
        slot = entry_take_oldest(least_waiting);
    entries_unlock();
    return slot;
}

static frt_status
entry_grow(void)
{
    struct frti_slot *more;
    frt_status status = frti_entry_more(&more);

    if (status != FRT_OK)
        return status;
    entries_lock();
    entry_grown += frti_entry_add(more);
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
    count = frti_entry_first + entry_grown;
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
