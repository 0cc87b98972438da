/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Checked access to what a segment holds.
 *
 * A shared session is held while its memory is touched, so that a close on
 * another thread is refused and frees nothing under the access. The others
 * need no hold: this thread alone could close them, and it is here.
 *
 * The order of the checks: arguments, life, thread, read-only, bounds,
 * alignment, value. Nothing is touched unless all of them pass.
 */
#include <string.h>

#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/memory/segment.h"

static inline frt_status
access_begin(struct frti_hold *out, const frt_segment *segment)
{
    if (segment->slot != NULL && segment->slot->kind == FRTI_SESSION_SHARED)
        return frti_hold_take(out, segment->slot, segment->generation);
    frti_pointer_set_relaxed(&out->slot, NULL); /* this thread's own */
    return frti_session_check(segment->slot, segment->generation);
}

static inline void
access_end(struct frti_hold *hold)
{
    if (frti_pointer_get_relaxed(&hold->slot) != NULL) /* as above */
        frti_hold_give(hold);
}

FRTI_COLD static frt_status
access_read_only(const frt_segment *segment)
{
    return frti_fail(FRT_READ_ONLY, "the segment of %zu bytes is read-only",
                     segment->size);
}

FRTI_COLD static frt_status
access_unaligned(const frt_segment *segment, size_t offset, size_t alignment)
{
    return frti_fail(FRT_BAD_ALIGNMENT,
                     "offset %zu of the segment at %p is not aligned to %zu "
                     "bytes",
                     offset, segment->address, alignment);
}

static inline void *
access_at(const frt_segment *segment, size_t offset)
{
    return (char *)segment->address + offset;
}

static inline frt_status
access_check_read(const frt_segment *segment, size_t offset, size_t size,
                  size_t alignment)
{
    if (FRTI_UNLIKELY(!frti_segment_has(segment, offset, size)))
        return frti_segment_out_of_bounds(segment, offset, size);
    if (FRTI_UNLIKELY(alignment > 1 &&
                      !frti_is_aligned(access_at(segment, offset), alignment)))
        return access_unaligned(segment, offset, alignment);
    return FRT_OK;
}

static inline frt_status
access_check_write(const frt_segment *segment, size_t offset, size_t size,
                   size_t alignment)
{
    if (FRTI_UNLIKELY((segment->flags & FRT_SEGMENT_READ_ONLY) != 0))
        return access_read_only(segment);
    return access_check_read(segment, offset, size, alignment);
}

static inline frt_status
access_get(void *out, const frt_segment *segment, size_t offset, size_t size,
           size_t alignment)
{
    struct frti_hold hold;
    frt_status status;

    if (FRTI_UNLIKELY(out == NULL))
        return frti_null_argument("out");
    if (FRTI_UNLIKELY(segment == NULL))
        return frti_null_argument("segment");
    status = access_begin(&hold, segment);
    if (FRTI_UNLIKELY(status != FRT_OK))
        return status;
    status = access_check_read(segment, offset, size, alignment);
    if (FRTI_LIKELY(status == FRT_OK) && size != 0)
        memcpy(out, access_at(segment, offset), size);
    access_end(&hold);
    return status;
}

static inline frt_status
access_put(const frt_segment *segment, size_t offset, const void *value,
           size_t size, size_t alignment)
{
    struct frti_hold hold;
    frt_status status;

    if (FRTI_UNLIKELY(segment == NULL))
        return frti_null_argument("segment");
    status = access_begin(&hold, segment);
    if (FRTI_UNLIKELY(status != FRT_OK))
        return status;
    status = access_check_write(segment, offset, size, alignment);
    if (FRTI_LIKELY(status == FRT_OK) && size != 0)
        memcpy(access_at(segment, offset), value, size);
    access_end(&hold);
    return status;
}

#define ACCESS_TYPED(name, type)                                               \
    frt_status frt_segment_get_##name(type *out, const frt_segment *segment,   \
                                      size_t offset)                           \
    {                                                                          \
        return access_get(out, segment, offset, sizeof(type), _Alignof(type)); \
    }                                                                          \
    frt_status frt_segment_put_##name(const frt_segment *segment,              \
                                      size_t offset, type value)               \
    {                                                                          \
        return access_put(segment, offset, &value, sizeof(type),               \
                          _Alignof(type));                                     \
    }
FRT_ACCESS_TABLE(ACCESS_TYPED)
#undef ACCESS_TYPED

frt_status
frt_segment_get_bytes(void *out, const frt_segment *segment, size_t offset,
                      size_t size)
{
    return access_get(out, segment, offset, size, 1);
}

frt_status
frt_segment_put_bytes(const frt_segment *segment, size_t offset,
                      const void *bytes, size_t size)
{
    if (bytes == NULL)
        return frti_null_argument("bytes");
    return access_put(segment, offset, bytes, size, 1);
}

/* ---------------------------------------------------------- bit-fields --- */

/* The bytes that hold a field: up to 9 for 64 bits that start within one. */
struct access_field {
    size_t offset;
    size_t bytes;
    unsigned shift;
    unsigned width;
    bool is_signed;
};

static frt_status
access_field_of(struct access_field *out, size_t offset, const frt_place *place)
{
    struct access_field field;

    if (place == NULL)
        return frti_null_argument("place");
    if (place->layout == NULL)
        return frti_null_argument("place->layout");
    if (place->bit_width == 0 || place->bit_width > 64 || place->bit_offset > 7)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "%s is not a bit-field of 1 to 64 bits: width %u, "
                         "first bit %u",
                         place->name != NULL ? place->name : "the place",
                         place->bit_width, place->bit_offset);
    if (!frti_add(&field.offset, offset, place->offset))
        field.offset = SIZE_MAX; /* outside of any segment */
    field.shift = place->bit_offset;
    field.width = place->bit_width;
    field.bytes = (field.shift + field.width + 7) / 8;
    field.is_signed = frt_layout_is_signed(place->layout);
    *out = field;
    return FRT_OK;
}

static unsigned __int128
access_field_load(const unsigned char *bytes, size_t count)
{
    unsigned __int128 value = 0;

    for (size_t i = count; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static void
access_field_store(unsigned char *bytes, size_t count, unsigned __int128 value)
{
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (unsigned char)value;
        value >>= 8;
    }
}

static uint64_t
access_field_mask(const struct access_field *field)
{
    return UINT64_MAX >> (64 - field->width);
}

static int64_t
access_field_extend(const struct access_field *field, uint64_t value)
{
    uint64_t sign = UINT64_C(1) << (field->width - 1);

    value &= access_field_mask(field);
    if (field->is_signed)
        value = (value ^ sign) - sign;
    return (int64_t)value;
}

frt_status
frt_segment_get_bits(int64_t *out, const frt_segment *segment, size_t offset,
                     const frt_place *place)
{
    unsigned char bytes[9];
    struct access_field field = {0};
    frt_status status;

    if (out == NULL)
        return frti_null_argument("out");
    if (segment == NULL)
        return frti_null_argument("segment");
    status = access_field_of(&field, offset, place);
    if (status != FRT_OK)
        return status;
    status = access_get(bytes, segment, field.offset, field.bytes, 1);
    if (status != FRT_OK)
        return status;
    *out = access_field_extend(
        &field,
        (uint64_t)(access_field_load(bytes, field.bytes) >> field.shift));
    return FRT_OK;
}

static frt_status
access_field_check(const frt_segment *segment, const struct access_field *field,
                   const frt_place *place, int64_t value)
{
    frt_status status =
        access_check_write(segment, field->offset, field->bytes, 1);

    if (status != FRT_OK)
        return status;
    if (access_field_extend(field, (uint64_t)value) != value)
        return frti_fail(FRT_OVERFLOW, "%lld does not fit in %s of %u %s bit%s",
                         (long long)value,
                         place->name != NULL ? place->name : "a bit-field",
                         field->width, field->is_signed ? "signed" : "unsigned",
                         field->width == 1 ? "" : "s");
    return FRT_OK;
}

frt_status
frt_segment_put_bits(const frt_segment *segment, size_t offset,
                     const frt_place *place, int64_t value)
{
    struct access_field field = {0};
    struct frti_hold hold;
    frt_status status;

    if (segment == NULL)
        return frti_null_argument("segment");
    status = access_field_of(&field, offset, place);
    if (status == FRT_OK)
        status = access_begin(&hold, segment);
    if (status != FRT_OK)
        return status;
    status = access_field_check(segment, &field, place, value);
    if (status == FRT_OK) {
        unsigned char *bytes = access_at(segment, field.offset);
        unsigned __int128 mask = (unsigned __int128)access_field_mask(&field)
                                 << field.shift;
        unsigned __int128 bits = (unsigned __int128)(uint64_t)value
                                 << field.shift;
        unsigned __int128 old = access_field_load(bytes, field.bytes);

        access_field_store(bytes, field.bytes, (old & ~mask) | (bits & mask));
    }
    access_end(&hold);
    return status;
}

/* ------------------------------------------------------------- strings --- */

/* The session is held. */
static frt_status
access_string_length(size_t *out, const frt_segment *segment, size_t offset)
{
    size_t room = frti_segment_room(segment);
    const char *start;
    const char *end;

    if (offset >= room)
        return frti_segment_out_of_bounds(segment, offset, 1);
    start = access_at(segment, offset);
    end = memchr(start, 0, room - offset);
    if (end == NULL)
        return frti_fail(FRT_OUT_OF_BOUNDS,
                         "no NUL ends a string at offset %zu of a segment of "
                         "%zu",
                         offset, segment->size);
    *out = (size_t)(end - start);
    return FRT_OK;
}

frt_status
frt_segment_get_string(size_t *length, char *buffer, size_t capacity,
                       const frt_segment *segment, size_t offset)
{
    struct frti_hold hold;
    frt_status status;
    size_t found = 0;

    if (length == NULL)
        return frti_null_argument("length");
    if (segment == NULL)
        return frti_null_argument("segment");
    status = access_begin(&hold, segment);
    if (status != FRT_OK)
        return status;
    status = access_string_length(&found, segment, offset);
    if (status == FRT_OK && buffer != NULL && found >= capacity)
        status = frti_fail(FRT_OVERFLOW,
                           "a string of %zu bytes and its NUL do not fit in "
                           "%zu",
                           found, capacity);
    if (status == FRT_OK && buffer != NULL)
        memcpy(buffer, access_at(segment, offset), found + 1);
    access_end(&hold);
    if (status == FRT_OK)
        *length = found;
    return status;
}

frt_status
frt_segment_put_string(const frt_segment *segment, size_t offset,
                       const char *text)
{
    if (text == NULL)
        return frti_null_argument("text");
    return access_put(segment, offset, text, strlen(text) + 1, 1);
}

/* -------------------------------------------------- segment to segment --- */

static frt_status
access_begin_both(struct frti_hold *one_out, struct frti_hold *other_out,
                  const frt_segment *one, const frt_segment *other)
{
    frt_status status = access_begin(one_out, one);

    if (status != FRT_OK)
        return status;
    status = access_begin(other_out, other);
    if (status != FRT_OK)
        access_end(one_out);
    return status;
}

frt_status
frt_segment_copy(const frt_segment *to, size_t to_offset,
                 const frt_segment *from, size_t from_offset, size_t size)
{
    struct frti_hold holds[2];
    frt_status status;

    if (to == NULL)
        return frti_null_argument("to");
    if (from == NULL)
        return frti_null_argument("from");
    status = access_begin_both(&holds[0], &holds[1], to, from);
    if (status != FRT_OK)
        return status;
    status = access_check_write(to, to_offset, size, 1);
    if (status == FRT_OK)
        status = access_check_read(from, from_offset, size, 1);
    if (status == FRT_OK && size != 0)
        memmove(access_at(to, to_offset), access_at(from, from_offset), size);
    access_end(&holds[1]);
    access_end(&holds[0]);
    return status;
}

frt_status
frt_segment_fill(const frt_segment *segment, size_t offset, size_t size,
                 uint8_t byte)
{
    struct frti_hold hold;
    frt_status status;

    if (segment == NULL)
        return frti_null_argument("segment");
    status = access_begin(&hold, segment);
    if (status != FRT_OK)
        return status;
    status = access_check_write(segment, offset, size, 1);
    if (status == FRT_OK && size != 0)
        memset(access_at(segment, offset), byte, size);
    access_end(&hold);
    return status;
}

/* The first difference; `size` if there is none. memcmp, which the machine
 * does fast, finds the stretch that has it. */
static size_t
access_difference(const unsigned char *one, const unsigned char *other,
                  size_t size)
{
    const size_t stretch = 256;
    size_t at = 0;

    while (size - at > stretch && memcmp(one + at, other + at, stretch) == 0)
        at += stretch;
    while (at < size && one[at] == other[at])
        at++;
    return at;
}

frt_status
frt_segment_compare(size_t *out, const frt_segment *one,
                    const frt_segment *other)
{
    struct frti_hold holds[2];
    frt_status status;
    size_t sizes[2];
    size_t shorter;
    size_t at;

    if (out == NULL)
        return frti_null_argument("out");
    if (one == NULL)
        return frti_null_argument("one");
    if (other == NULL)
        return frti_null_argument("other");
    status = access_begin_both(&holds[0], &holds[1], one, other);
    if (status != FRT_OK)
        return status;
    sizes[0] = frti_segment_room(one);
    sizes[1] = frti_segment_room(other);
    shorter = sizes[0] < sizes[1] ? sizes[0] : sizes[1];
    at = access_difference(one->address, other->address, shorter);
    access_end(&holds[1]);
    access_end(&holds[0]);
    *out = at == sizes[0] && at == sizes[1] ? SIZE_MAX : at;
    return FRT_OK;
}
