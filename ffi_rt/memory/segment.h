/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Segments: an address, a size, and the session that both live by.
 *
 * The global session is a NULL slot here, so that memory of no arena costs no
 * check. A segment whose address is NULL holds nothing, whatever its size.
 */
#ifndef FRTI_MEMORY_SEGMENT_H
#define FRTI_MEMORY_SEGMENT_H

#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/memory/session.h"

static inline frt_segment
frti_segment_of(void *address, size_t size, frt_arena arena)
{
    bool is_global = arena.slot == &frti_session_global;

    return (frt_segment){
        .address = address,
        .size = size,
        .slot = is_global ? NULL : arena.slot,
        .generation = is_global ? 0 : (uint32_t)arena.generation,
    };
}

/* What may be read or written of it. */
static inline size_t
frti_segment_room(const frt_segment *segment)
{
    return segment->address == NULL ? 0 : segment->size;
}

/* The range is in the segment. */
static inline bool
frti_segment_has(const frt_segment *segment, size_t offset, size_t size)
{
    size_t room = frti_segment_room(segment);

    return offset <= room && size <= room - offset;
}

/* The sentence of a range that is not. */
FRTI_COLD frt_status frti_segment_out_of_bounds(const frt_segment *segment,
                                                size_t offset, size_t size);

#endif
