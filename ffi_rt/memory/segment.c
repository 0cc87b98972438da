/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/memory/segment.h"

#include "ffi_rt/base/status.h"

frt_status
frti_segment_out_of_bounds(const frt_segment *segment, size_t offset,
                           size_t size)
{
    if (segment->address == NULL)
        return frti_fail(FRT_OUT_OF_BOUNDS,
                         "%zu byte%s at offset %zu of a segment that is NULL",
                         size, size == 1 ? "" : "s", offset);
    return frti_fail(FRT_OUT_OF_BOUNDS,
                     "%zu byte%s at offset %zu of a segment of %zu", size,
                     size == 1 ? "" : "s", offset, segment->size);
}

/* NULL has no bytes. */
static size_t
segment_size_at(const void *address, size_t size)
{
    return address == NULL ? 0 : size;
}

frt_segment
frt_segment_of_address(void *address, size_t size)
{
    return (frt_segment){.address = address,
                         .size = segment_size_at(address, size)};
}

frt_status
frt_segment_of_arena(frt_segment *out, void *address, size_t size,
                     frt_arena arena)
{
    if (out == NULL)
        return frti_null_argument("out");
    if (arena.slot == NULL)
        return frti_fail(FRT_BAD_ARGUMENT, "the arena was never opened");
    if (!frti_session_is_open(arena.slot, arena.generation))
        return frti_session_refuse(FRT_CLOSED, arena.slot);
    size = segment_size_at(address, size);
    if (size > UINTPTR_MAX - (uintptr_t)address)
        return frti_fail(FRT_OVERFLOW,
                         "%zu bytes at %p would pass the end of memory", size,
                         address);
    *out = frti_segment_of(address, size, arena);
    return FRT_OK;
}

frt_status
frt_segment_reinterpret(frt_segment *out, const frt_segment *segment,
                        size_t size, frt_arena arena)
{
    frt_segment result;
    frt_status status;

    if (segment == NULL)
        return frti_null_argument("segment");
    if (!frti_session_is_open(segment->slot, segment->generation))
        return frti_session_refuse(FRT_CLOSED, segment->slot);
    if (out == NULL)
        return frti_null_argument("out");
    status = frt_segment_of_arena(&result, segment->address, size, arena);
    if (status != FRT_OK)
        return status;
    result.flags = segment->flags;
    *out = result;
    return FRT_OK;
}

frt_status
frt_segment_slice(frt_segment *out, const frt_segment *segment, size_t offset,
                  size_t size)
{
    frt_segment result;

    if (out == NULL)
        return frti_null_argument("out");
    if (segment == NULL)
        return frti_null_argument("segment");
    if (!frti_segment_has(segment, offset, size))
        return frti_segment_out_of_bounds(segment, offset, size);
    result = *segment;
    if (result.address != NULL)
        result.address = (char *)result.address + offset;
    result.size = size;
    *out = result;
    return FRT_OK;
}

frt_segment
frt_segment_read_only(const frt_segment *segment)
{
    frt_segment result = {0};

    if (segment != NULL)
        result = *segment;
    result.flags |= FRT_SEGMENT_READ_ONLY;
    return result;
}

frt_session
frt_segment_session(const frt_segment *segment)
{
    if (segment == NULL)
        return (frt_session){0};
    if (segment->slot == NULL)
        return frt_arena_session(frt_arena_global());
    return (frt_session){.slot = segment->slot,
                         .generation = segment->generation};
}

bool
frt_segment_is_alive(const frt_segment *segment)
{
    return segment != NULL &&
           frti_session_is_open(segment->slot, segment->generation);
}

bool
frt_segment_is_null(const frt_segment *segment)
{
    return segment == NULL || segment->address == NULL;
}
