/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/memory/stripes.h"

#include <pthread.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/thread.h"

/* Of a record's first directory: 336 sessions. */
#define STRIPES_FIRST_ROOM 4

/* Free records with holds of an ended thread: so many are passed over for a new
 * one, so that what the ended thread left is not told as another's. */
#define STRIPES_MOST_LEFT 32

struct frti_stripe_page frti_stripe_nothing;
uint64_t frti_stripe_tag;

/* Guards the free list, and who is put into the list of all. Nobody allocates
 * under it. */
static pthread_mutex_t stripes_lock = PTHREAD_MUTEX_INITIALIZER;
static struct frti_stripe_record *stripes_free;
static frti_pointer stripes_all;

struct frti_stripe_record *
frti_stripe_records(void)
{
    /* acquire: pairs with the release of stripes_enlist */
    return frti_pointer_get_acquire(&stripes_all);
}

/* ---------------------------------------------------------------- pages --- */

static size_t
directory_bytes(size_t room)
{
    return sizeof(struct frti_stripe_directory) + room * sizeof(frti_pointer);
}

static struct frti_stripe_directory *
directory_new(size_t room, struct frti_stripe_directory *older)
{
    struct frti_stripe_directory *directory = frti_allocate(
        directory_bytes(room), _Alignof(struct frti_stripe_directory));

    if (directory == NULL)
        return NULL;
    directory->older = older;
    directory->room = room;
    /* relaxed: published with the directory */
    for (size_t i = 0; i < room; i++)
        frti_pointer_set_relaxed(
            &directory->pages[i],
            older != NULL && i < older->room
                ? frti_pointer_get_relaxed(&older->pages[i])
                : &frti_stripe_nothing);
    return directory;
}

/* The owner's. */
static void
record_show_here(struct frti_stripe_record *record)
{
    struct frti_stripe_directory *directory =
        frti_pointer_get_relaxed(&record->directory); /* its own */

    frti_here.stripe_pages = directory->pages;
    frti_here.stripe_room = directory->room;
    frti_here.stripe_record = record;
}

/* The older ones stay, for closers that read them: together they are smaller
 * than this one. */
static bool
record_grow(struct frti_stripe_record *record, size_t page)
{
    struct frti_stripe_directory *older =
        frti_pointer_get_relaxed(&record->directory); /* its own */
    struct frti_stripe_directory *directory;
    size_t room = older->room;

    while (room <= page)
        room *= 2;
    directory = directory_new(room, older);
    if (directory == NULL)
        return false;
    /* release: pairs with frti_stripe_of_record */
    frti_pointer_set_release(&record->directory, directory);
    record_show_here(record);
    return true;
}

struct frti_stripe *
frti_stripe_of_record(struct frti_stripe_record *record, uint32_t page,
                      uint16_t offset)
{
    /* acquire, both: pair with the releases of the owner, in record_grow and
     * frti_stripe_make */
    struct frti_stripe_directory *directory =
        frti_pointer_get_acquire(&record->directory);
    char *found;

    if (page >= directory->room)
        return NULL;
    found = frti_pointer_get_acquire(&directory->pages[page]);
    if (found == (char *)&frti_stripe_nothing)
        return NULL;
    return (struct frti_stripe *)(found + offset);
}

struct frti_stripe *
frti_stripe_make(struct frti_stripe_record *record, uint32_t page,
                 uint16_t offset)
{
    struct frti_stripe *stripe = frti_stripe_of_record(record, page, offset);
    struct frti_stripe_directory *directory =
        frti_pointer_get_relaxed(&record->directory); /* its own */
    struct frti_stripe_page *made;

    if (stripe != NULL)
        return stripe;
    if (page >= directory->room && !record_grow(record, page))
        return NULL;
    made = frti_allocate(sizeof *made, FRTI_STRIPE_PAGE);
    if (made == NULL)
        return NULL;
    made->record = record;
    directory = frti_pointer_get_relaxed(&record->directory); /* its own */
    /* release: pairs with frti_stripe_of_record */
    frti_pointer_set_release(&directory->pages[page], made);
    return (struct frti_stripe *)((char *)made + offset);
}

/* -------------------------------------------------------------- records --- */

/* Calls `visit` with each stripe that was ever used, until it says true. */
static bool
record_any(struct frti_stripe_record *record,
           bool (*visit)(struct frti_stripe *stripe, void *context),
           void *context)
{
    struct frti_stripe_directory *directory =
        frti_pointer_get_acquire(&record->directory); /* as of_record */

    for (size_t i = 0; i < directory->room; i++) {
        struct frti_stripe_page *page =
            frti_pointer_get_acquire(&directory->pages[i]);

        if (page == &frti_stripe_nothing)
            continue;
        for (size_t k = 0; k < FRTI_STRIPES; k++)
            if (visit(&page->stripes[k], context))
                return true;
    }
    return false;
}

static bool
stripe_is_held(struct frti_stripe *stripe, void *context)
{
    (void)context;
    return frti_stripe_held(stripe) != 0;
}

/* The first free record of which nothing is held; or, if there are many others,
 * the first one. Under the lock. */
static struct frti_stripe_record *
stripes_pop(void)
{
    struct frti_stripe_record **link = &stripes_free;
    struct frti_stripe_record *record;
    size_t left = 0;

    while (*link != NULL && left < STRIPES_MOST_LEFT &&
           record_any(*link, stripe_is_held, NULL)) {
        link = &(*link)->next_free;
        left++;
    }
    if (left == STRIPES_MOST_LEFT)
        link = &stripes_free;
    record = *link;
    if (record != NULL)
        *link = record->next_free;
    return record;
}

static struct frti_stripe_record *
record_reuse(void)
{
    struct frti_stripe_record *record;

    pthread_mutex_lock(&stripes_lock);
    record = stripes_pop();
    pthread_mutex_unlock(&stripes_lock);
    return record;
}

static struct frti_stripe_record *
record_new(void)
{
    struct frti_stripe_record *record =
        frti_allocate(sizeof *record, _Alignof(struct frti_stripe_record));
    struct frti_stripe_directory *directory;

    if (record == NULL)
        return NULL;
    directory = directory_new(STRIPES_FIRST_ROOM, NULL);
    if (directory == NULL) {
        frti_free(record, sizeof *record, _Alignof(struct frti_stripe_record));
        return NULL;
    }
    frti_pointer_set_relaxed(&record->directory, directory); /* see below */
    frti_hold_stack_init(&record->holds);
    pthread_mutex_lock(&stripes_lock);
    record->next = frti_pointer_get_relaxed(&stripes_all); /* under the lock */
    /* release: pairs with the acquire of frti_stripe_records */
    frti_pointer_set_release(&stripes_all, record);
    pthread_mutex_unlock(&stripes_lock);
    return record;
}

/* At the thread's end. What it still holds stays held: a fiber that moved away
 * may be inside a call, and other threads may have its tickets. */
static void
record_end(void)
{
    struct frti_stripe_record *record = frti_here.stripe_record;

    frti_hold_stack_park(&record->holds);
    frti_here.stripe_pages = NULL;
    frti_here.stripe_room = 0;
    frti_here.stripe_record = NULL;
    /* relaxed: for people; whoever takes it over has the lock first */
    frti_counter_set_relaxed(&record->thread, 0);
    pthread_mutex_lock(&stripes_lock);
    record->next_free = stripes_free;
    stripes_free = record;
    pthread_mutex_unlock(&stripes_lock);
}

struct frti_stripe_record *
frti_stripe_record_mine(void)
{
    struct frti_stripe_record *record = frti_here.stripe_record;
    struct frti_thread *thread;

    if (record != NULL)
        return record;
    thread = frti_thread_record();
    if (thread == NULL)
        return NULL;
    record = record_reuse();
    if (record == NULL)
        record = record_new();
    if (record == NULL)
        return NULL;
    frti_counter_set_relaxed(&record->thread, frti_thread_number()); /* ditto */
    frti_hold_stack_take(&record->holds);
    record_show_here(record);
    thread->at_end[FRTI_THREAD_END_HOLDS] = record_end;
    return record;
}

/* ----------------------------------------------------------------- fork --- */

void
frti_stripes_before_fork(void)
{
    pthread_mutex_lock(&stripes_lock);
}

void
frti_stripes_after_fork(void)
{
    pthread_mutex_unlock(&stripes_lock);
}

/* The records of the threads that are not here have no owner; what they hold
 * stays held until it is given up. */
void
frti_stripes_after_fork_in_child(void)
{
    struct frti_stripe_record *record = frti_stripe_records();

    pthread_mutex_unlock(&stripes_lock);
    for (; record != NULL; record = record->next) {
        if (record == frti_here.stripe_record ||
            frti_counter_get_relaxed(&record->thread) == 0) /* one thread */
            continue;
        record->is_lost = true;
        frti_counter_set_relaxed(&record->thread, 0);
    }
}

/* Counts what is held as released elsewhere. */
static bool
stripe_drop(struct frti_stripe *stripe, void *dropped)
{
    frti_counter *remote = frti_stripe_remote(stripe);
    uint32_t held = frti_stripe_held(stripe);
    uint64_t seen = frti_counter_get_relaxed(remote); /* judged by the CAS */

    *(size_t *)dropped += held;
    while (!frti_counter_replace_seq_cst(remote, &seen,
                                         (seen & ~(uint64_t)UINT32_MAX) |
                                             (uint32_t)((uint32_t)seen + held)))
        continue;
    return false;
}

size_t
frti_stripes_drop_lost(void)
{
    struct frti_stripe_record *record = frti_stripe_records();
    size_t dropped = 0;

    for (; record != NULL; record = record->next) {
        pthread_mutex_lock(&stripes_lock);
        if (record->is_lost) {
            record->is_lost = false;
            (void)record_any(record, stripe_drop, &dropped);
            frti_hold_stack_init(&record->holds);
            record->next_free = stripes_free;
            stripes_free = record;
        }
        pthread_mutex_unlock(&stripes_lock);
    }
    return dropped;
}
