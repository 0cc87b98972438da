/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/layout/packing.h"

#include "ffi_rt/base/bits.h"

/* What a bit-field asks for, in bits; 1 as alignment: any place will do. */
struct field {
    size_t width;
    size_t unit;           /* size of its base */
    size_t unit_alignment; /* of its base */
    size_t align;          /* declared on the field, or 1 */
    bool is_named;
    bool is_packed;
    bool is_whole; /* it fills an integer of its width, in that one's place */
};

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t
most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void
packing_raise(struct frti_packing *packing, size_t alignment)
{
    packing->alignment = most(packing->alignment, alignment);
}

/* `packed` takes the type's alignment away, but not one that the member itself
 * declares; #pragma pack caps both. */
size_t
frti_packing_alignment(const frt_layout *member, bool is_packed, size_t pack)
{
    size_t alignment = member->alignment;

    if (is_packed && member->plain == NULL)
        alignment = 1;
    return pack == 0 ? alignment : least(alignment, pack);
}

static bool
packing_add_plain(struct frti_packing *packing, frt_place *member)
{
    size_t alignment = frti_packing_alignment(
        member->layout, packing->is_packed, packing->pack);
    size_t offset = 0;
    size_t end;

    if (!packing->is_union &&
        (!frti_add(&offset, packing->bytes, packing->bits != 0) ||
         !frti_align_up(&offset, offset, alignment)))
        return false;
    if (!frti_add(&end, offset, member->layout->size) || end > PTRDIFF_MAX)
        return false;
    packing_raise(packing, alignment);
    packing->bytes = most(packing->bytes, end);
    packing->bits = 0;
    member->offset = offset;
    member->bit_offset = 0;
    member->bit_width = 0;
    return true;
}

/* ---------------------------------------------------------- bit-fields --- */

static struct field
field_of(const struct frti_packing *packing, const frt_place *member)
{
    const frt_layout *layout = member->layout;
    const frt_layout *base = layout->element;
    struct field field = {.width = layout->count,
                          .unit = base->size * 8,
                          .unit_alignment = base->alignment * 8,
                          .align = 1,
                          .is_named = member->name != NULL,
                          .is_packed = packing->is_packed};

    if (layout->plain != NULL && layout->alignment == 1)
        field.is_packed = true;
    else if (layout->plain != NULL)
        field.align = layout->alignment * 8;
    return field;
}

/* Only alignments of a byte and more move a position. */
static bool
packing_is_at(const struct frti_packing *packing, size_t bits)
{
    return packing->is_union ||
           (packing->bits == 0 && packing->bytes % (bits / 8) == 0);
}

static bool
packing_move_to(struct frti_packing *packing, size_t bits)
{
    if (bits == 1 || packing_is_at(packing, bits))
        return true;
    if (!frti_add(&packing->bytes, packing->bytes, packing->bits != 0) ||
        !frti_align_up(&packing->bytes, packing->bytes, bits / 8))
        return false;
    packing->bits = 0;
    return packing->bytes <= PTRDIFF_MAX;
}

/* Where the field must begin. One that fills an integer is treated as that
 * integer, if it happens to stand in its place; one of width 0 ends the unit,
 * whatever is packed. */
static size_t
field_alignment(const struct frti_packing *packing, struct field *field)
{
    size_t width = field->width;

    if (width == 0)
        return most(field->align, field->unit_alignment);
    if (width >= 8 && frti_is_power_of_two(width) &&
        (width == 8 || !field->is_packed) && packing_is_at(packing, width)) {
        field->is_whole = true;
        return most(field->align, width);
    }
    return field->align;
}

/* What the field makes the whole ask for: its base's alignment. */
static size_t
field_raises_to(const struct frti_packing *packing, const struct field *field)
{
    if (field->width == 0)
        return field->unit_alignment;
    if (packing->pack != 0)
        return least(field->unit_alignment, packing->pack * 8);
    return field->is_packed ? 8 : field->unit_alignment;
}

/* System V ABI, AMD64 supplement 1.0, 3.1.2, and Procedure Call Standard for
 * AArch64, 2023Q3, 10.1.8.1: a bit-field lies within a storage unit of its
 * declared type. As gcc reads it: it spans no more of its type's alignments
 * than the type itself does. */
static bool
field_spans_too_much(const struct frti_packing *packing,
                     const struct field *field)
{
    size_t step = field->unit_alignment;
    size_t begin = packing->bytes % (step / 8) * 8 + packing->bits;

    return (begin + field->width + step - 1) / step > field->unit / step;
}

static bool
packing_position(struct frti_packing *packing, const struct field *field,
                 size_t alignment)
{
    if (!packing_move_to(packing, alignment))
        return false;
    if (field->width != 0 && !field->is_whole && !field->is_packed &&
        packing->pack == 0 && field_spans_too_much(packing, field))
        return packing_move_to(packing, field->unit_alignment);
    return true;
}

static bool
packing_take(struct frti_packing *packing, size_t width)
{
    size_t bits = packing->bits + width;

    if (!frti_add(&packing->bytes, packing->bytes, bits / 8))
        return false;
    packing->bits = bits % 8;
    return packing->bytes < PTRDIFF_MAX;
}

static bool
packing_add_bit_field(struct frti_packing *packing, frt_place *member)
{
    struct field field = field_of(packing, member);
    size_t alignment = field_alignment(packing, &field);

    if (packing->pack != 0 && field.width != 0)
        alignment = least(alignment, packing->pack * 8);
    if (field.is_named || packing->model->unnamed_bit_fields_align)
        packing_raise(packing,
                      most(alignment, field_raises_to(packing, &field)) / 8);
    member->bit_width = (unsigned)field.width;
    if (packing->is_union) {
        packing->bytes = most(packing->bytes, (field.width + 7) / 8);
        return true;
    }
    if (!packing_position(packing, &field, alignment))
        return false;
    member->offset = packing->bytes;
    member->bit_offset = packing->bits;
    return packing_take(packing, field.width);
}

bool
frti_packing_add(struct frti_packing *packing, frt_place *member)
{
    return member->layout->kind == FRT_KIND_BIT_FIELD
               ? packing_add_bit_field(packing, member)
               : packing_add_plain(packing, member);
}

bool
frti_packing_size(size_t *size, const struct frti_packing *packing,
                  size_t alignment)
{
    size_t sum;

    if (!frti_add(&sum, packing->bytes, packing->bits != 0) ||
        !frti_align_up(&sum, sum, alignment) || sum > PTRDIFF_MAX)
        return false;
    *size = sum;
    return true;
}
