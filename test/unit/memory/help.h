/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What the tests of this floor share. */
#ifndef TEST_UNIT_MEMORY_HELP_H
#define TEST_UNIT_MEMORY_HELP_H

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/memory/stripes.h"

static inline frt_arena
open_confined(void)
{
    frt_arena arena;

    cr_assert_eq(frt_arena_open_confined(&arena), FRT_OK);
    return arena;
}

static inline frt_arena
open_shared(void)
{
    frt_arena arena;

    cr_assert_eq(frt_arena_open_shared(&arena), FRT_OK);
    return arena;
}

static inline frt_segment
allocate(frt_arena arena, size_t size, size_t alignment)
{
    frt_segment segment;

    cr_assert_eq(frt_arena_allocate(&segment, arena, size, alignment), FRT_OK,
                 "%s", frt_last_detail());
    return segment;
}

static inline frt_ticket
acquire(frt_arena arena)
{
    frt_ticket ticket;

    cr_assert_eq(frt_session_acquire(&ticket, frt_arena_session(arena)),
                 FRT_OK);
    return ticket;
}

/* What this thread has once it used a shared session. */
static inline void
warm(void)
{
    frt_arena arena = open_shared();
    frt_ticket ticket = acquire(arena);

    cr_assert_eq(frt_session_release(&ticket), FRT_OK);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

/* Live allocations without the stripes, which are never freed. */
static inline size_t
live_without_stripes(void)
{
    size_t live = frti_allocator_live();

    for (struct frti_stripe_record *record = frti_stripe_records();
         record != NULL; record = record->next) {
        struct frti_stripe_directory *directory = record->directory.value;

        live--;
        for (size_t i = 0; i < directory->room; i++)
            live -= directory->pages[i].value != (void *)&frti_stripe_nothing;
        for (; directory != NULL; directory = directory->older)
            live--;
    }
    return live;
}

/* The last sentence has `part`. */
static inline void
check_detail(const char *part)
{
    cr_assert_not_null(strstr(frt_last_detail(), part), "'%s' is not in '%s'",
                       part, frt_last_detail());
}

static inline bool
is_filled(const frt_segment *segment, unsigned char byte)
{
    const unsigned char *bytes = segment->address;

    for (size_t i = 0; i < segment->size; i++)
        if (bytes[i] != byte)
            return false;
    return true;
}

/* Runs it on a thread of its own, to the end. */
static inline void
elsewhere(void *(*run)(void *), void *context)
{
    pthread_t thread;

    cr_assert_eq(pthread_create(&thread, NULL, run, context), 0);
    pthread_join(thread, NULL);
}

#endif
