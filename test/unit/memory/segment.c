/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Segments made and asked; their access has a file of its own. */
#include "ffi_rt/memory/segment.h"

#include <stdint.h>

#include "test/unit/memory/help.h"

Test(segment, is_small_and_begins_with_its_address)
{
    frt_segment segment = frt_segment_of_address(&segment, 8);

    cr_assert_eq(sizeof segment, 32);
    cr_assert_eq(*(void **)&segment, &segment);
}

Test(segment, of_address)
{
    int value = 5;
    frt_segment segment = frt_segment_of_address(&value, sizeof value);

    cr_assert_eq(segment.address, &value);
    cr_assert_eq(segment.size, sizeof value);
    cr_assert_null(segment.slot);
    cr_assert(frt_segment_is_alive(&segment));
    cr_assert(!frt_segment_is_null(&segment));
    cr_assert(frt_session_is_open(frt_segment_session(&segment)));
    cr_assert_eq(frt_segment_session(&segment).slot, frt_arena_global().slot);
}

Test(segment, null)
{
    frt_segment segment = frt_segment_of_address(NULL, 100);

    cr_assert(frt_segment_is_null(&segment));
    cr_assert(frt_segment_is_alive(&segment));
    cr_assert_eq(segment.size, 0, "NULL holds nothing");
    cr_assert(frt_segment_is_null(NULL));
    cr_assert(!frt_segment_is_alive(NULL));
    cr_assert(!frt_session_is_open(frt_segment_session(NULL)));
}

Test(segment, of_arena)
{
    char bytes[100];
    frt_arena arena = open_confined();
    frt_segment segment;

    cr_assert_eq(frt_segment_of_arena(&segment, bytes, 100, arena), FRT_OK);
    cr_assert_eq(segment.address, bytes);
    cr_assert_eq(segment.size, 100);
    cr_assert_eq(segment.flags, 0);
    cr_assert_eq(frt_segment_session(&segment).slot, arena.slot);
    cr_assert_eq(frt_segment_session(&segment).generation, arena.generation);
    cr_assert(frt_segment_is_alive(&segment));
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    cr_assert(!frt_segment_is_alive(&segment));
    cr_assert_eq(frt_segment_of_arena(&segment, bytes, 1, arena), FRT_CLOSED);
    cr_assert_eq(segment.size, 100, "outputs are written on success alone");
}

Test(segment, of_arena_refused)
{
    frt_arena arena = open_shared();
    frt_segment segment;
    char byte;

    cr_assert_eq(frt_segment_of_arena(NULL, &byte, 1, arena), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_of_arena(&segment, &byte, 1, (frt_arena){0}),
                 FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "the arena was never opened");
    cr_assert_eq(frt_segment_of_arena(&segment, &byte, SIZE_MAX, arena),
                 FRT_OVERFLOW);
    check_detail("would pass the end of memory");
    cr_assert_eq(frt_segment_of_arena(&segment, &byte,
                                      SIZE_MAX - (uintptr_t)&byte, arena),
                 FRT_OK, "up to the last byte");
    cr_assert_eq(frt_segment_of_arena(&segment, NULL, SIZE_MAX, arena), FRT_OK);
    cr_assert(frt_segment_is_null(&segment) && segment.size == 0);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(segment, of_the_global_arena)
{
    frt_segment segment;
    char byte;

    cr_assert_eq(frt_segment_of_arena(&segment, &byte, 1, frt_arena_global()),
                 FRT_OK);
    cr_assert_null(segment.slot);
    cr_assert_eq(segment.generation, 0);
}

Test(segment, reinterpret)
{
    frt_arena arena = open_confined();
    frt_arena other = open_shared();
    frt_segment segment = allocate(arena, 8, 8);
    frt_segment read_only = frt_segment_read_only(&segment);
    frt_segment out = {.size = 77};

    cr_assert_eq(frt_segment_reinterpret(&out, &segment, 4, other), FRT_OK);
    cr_assert_eq(out.address, segment.address);
    cr_assert_eq(out.size, 4);
    cr_assert_eq(frt_segment_session(&out).slot, other.slot);
    cr_assert_eq(frt_segment_reinterpret(&out, &read_only, 8, other), FRT_OK);
    cr_assert_eq(out.flags, FRT_SEGMENT_READ_ONLY, "it stays so");
    cr_assert_eq(frt_segment_reinterpret(&out, &segment, SIZE_MAX, other),
                 FRT_OVERFLOW);
    cr_assert_eq(frt_segment_reinterpret(NULL, &segment, 8, other),
                 FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_reinterpret(&out, NULL, 8, other),
                 FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "segment is NULL");
    cr_assert_eq(frt_segment_reinterpret(&segment, &segment, 2, other), FRT_OK,
                 "in place");
    cr_assert_eq(segment.size, 2);
    cr_assert_eq(frt_arena_close(other), FRT_OK);
    cr_assert_eq(frt_segment_reinterpret(&out, &segment, 8, arena), FRT_CLOSED,
                 "the segment");
    check_detail("shared session is closed");
    cr_assert_eq(frt_segment_reinterpret(&out, &read_only, 8, other),
                 FRT_CLOSED, "the arena");
    cr_assert_eq(out.size, 8);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(segment, slice)
{
    frt_arena arena = open_confined();
    frt_segment segment = allocate(arena, 10, 1);
    frt_segment out;

    cr_assert_eq(frt_segment_slice(&out, &segment, 0, 10), FRT_OK);
    cr_assert_eq(memcmp(&out, &segment, sizeof out), 0);
    cr_assert_eq(frt_segment_slice(&out, &segment, 3, 4), FRT_OK);
    cr_assert_eq(out.address, (char *)segment.address + 3);
    cr_assert_eq(out.size, 4);
    cr_assert_eq(frt_segment_slice(&out, &out, 1, 2), FRT_OK, "in place");
    cr_assert_eq(out.address, (char *)segment.address + 4);
    cr_assert_eq(out.size, 2);
    cr_assert_eq(frt_segment_slice(&out, &segment, 10, 0), FRT_OK);
    cr_assert_eq(out.size, 0);
    cr_assert_eq(frt_segment_slice(&out, &segment, 11, 0), FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_slice(&out, &segment, 10, 1), FRT_OUT_OF_BOUNDS);
    cr_assert_str_eq(frt_last_detail(),
                     "1 byte at offset 10 of a segment of 10");
    cr_assert_eq(frt_segment_slice(&out, &segment, 2, SIZE_MAX),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_slice(&out, &segment, SIZE_MAX, 2),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_slice(NULL, &segment, 0, 0), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_slice(&out, NULL, 0, 0), FRT_BAD_ARGUMENT);
    cr_assert_eq(out.size, 0);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
    cr_assert(!frt_segment_is_alive(&out),
              "a slice lives as long as its whole");
}

Test(segment, slice_of_null)
{
    frt_segment null = frt_segment_of_address(NULL, 0);
    frt_segment made_up = {.address = NULL, .size = 100};
    frt_segment out;

    cr_assert_eq(frt_segment_slice(&out, &null, 0, 0), FRT_OK);
    cr_assert(frt_segment_is_null(&out));
    cr_assert_eq(frt_segment_slice(&out, &made_up, 8, 8), FRT_OUT_OF_BOUNDS);
    cr_assert_str_eq(frt_last_detail(),
                     "8 bytes at offset 8 of a segment that is NULL");
}

Test(segment, read_only)
{
    int value = 5;
    frt_segment segment = frt_segment_of_address(&value, sizeof value);
    frt_segment view = frt_segment_read_only(&segment);
    frt_segment slice;

    cr_assert_eq(view.address, &value);
    cr_assert_eq(view.flags, FRT_SEGMENT_READ_ONLY);
    cr_assert_eq(segment.flags, 0);
    cr_assert_eq(frt_segment_slice(&slice, &view, 1, 1), FRT_OK);
    cr_assert_eq(slice.flags, FRT_SEGMENT_READ_ONLY);
    view = frt_segment_read_only(NULL);
    cr_assert(frt_segment_is_null(&view));
}

Test(segment, stale_ones_stay_dead)
{
    enum { LIVES = 1000 };
    static frt_segment stale[LIVES];
    frt_arena arena;

    for (int i = 0; i < LIVES; i++) {
        arena = open_shared();
        stale[i] = allocate(arena, 4, 4);
        cr_assert_eq(frt_arena_close(arena), FRT_OK);
    }
    arena = open_shared();
    for (int i = 0; i < LIVES; i++) {
        int32_t value = 7;

        cr_assert(!frt_segment_is_alive(&stale[i]));
        cr_assert_eq(frt_segment_get_i32(&value, &stale[i], 0), FRT_CLOSED);
        cr_assert_eq(value, 7);
    }
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}
