/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Values in memory, by the library's layouts: the bits of each leaf are made
 * from the formats' rules, not by this program's compiler.
 */
#include <float.h>
#include <string.h>

#include "test/abi/shape.h"
#include "test/abi/values.h"

typedef unsigned __int128 leaf_bits;

struct leaf {
    unsigned char *at;
    frt_kind kind;
    unsigned bit_offset;
    unsigned width; /* in bits; 0: the kind's */
};

struct leaves {
    uint64_t key;
    uint32_t number; /* of the next one */
    bool is_putting;
    bool is_wrong; /* `wrong` is the first that differs */
    uint32_t wrong;
};

/* ------------------------------------------------------------ formats --- */

/* Quarters in an IEEE format; one with an explicit leading bit has it within
 * the fraction. */
static leaf_bits
leaf_encode(int64_t quarters, unsigned exponent_bits, unsigned fraction_bits,
            bool is_explicit)
{
    uint64_t size = quarters < 0 ? -(uint64_t)quarters : (uint64_t)quarters;
    unsigned stored = fraction_bits + is_explicit;
    unsigned top;
    leaf_bits exponent;
    leaf_bits fraction;

    if (size == 0)
        return 0;
    top = 63 - (unsigned)__builtin_clzll(size);
    exponent = top - 2 + (1u << (exponent_bits - 1)) - 1;
    fraction = (leaf_bits)size << (fraction_bits - top);
    if (!is_explicit)
        fraction &= ((leaf_bits)1 << fraction_bits) - 1;
    return fraction | exponent << stored |
           (leaf_bits)(quarters < 0) << (stored + exponent_bits);
}

static leaf_bits
leaf_number(frt_kind kind, uint64_t key, uint32_t number)
{
    switch (kind) {
    case FRT_KIND_FLOAT16:
        return leaf_encode(value_quarters(key, number, 11), 5, 10, false);
    case FRT_KIND_FLOAT:
        return leaf_encode(value_quarters(key, number, 24), 8, 23, false);
    case FRT_KIND_DOUBLE:
        return leaf_encode(value_quarters(key, number, 53), 11, 52, false);
    case FRT_KIND_LONG_DOUBLE:
        if (LDBL_MANT_DIG == 64)
            return leaf_encode(value_quarters(key, number, 64), 15, 63, true);
        /* fall through */
    default:
        return leaf_encode(value_quarters(key, number, 64), 15, 112, false);
    }
}

static unsigned
leaf_width(frt_kind kind)
{
    if (kind == FRT_KIND_POINTER)
        return 64;
    if (kind == FRT_KIND_LONG_DOUBLE && LDBL_MANT_DIG == 64)
        return 80;
    return (unsigned)(8 * frt_layout_size(frt_layout_value(kind, NULL)));
}

static leaf_bits
leaf_value(frt_kind kind, uint64_t key, uint32_t number)
{
    if (kind >= FRT_KIND_FLOAT16 && kind <= FRT_KIND_FLOAT128)
        return leaf_number(kind, key, number);
    return value_bits(key, number) | (leaf_bits)value_high_bits(key, number)
                                         << 64;
}

/* ------------------------------------------------------------- access --- */

static void
leaf_put(const struct leaf *leaf, leaf_bits value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned bit = leaf->bit_offset + i;
        unsigned char mask = (unsigned char)(1 << bit % 8);

        if (value >> i & 1)
            leaf->at[bit / 8] |= mask;
        else
            leaf->at[bit / 8] &= (unsigned char)~mask;
    }
}

static bool
leaf_is(const struct leaf *leaf, leaf_bits value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned bit = leaf->bit_offset + i;

        if ((leaf->at[bit / 8] >> bit % 8 & 1) != (unsigned)(value >> i & 1))
            return false;
    }
    return true;
}

static void
leaf_visit(struct leaves *leaves, const struct leaf *leaf)
{
    uint32_t number = leaves->number++;
    leaf_bits value = leaf_value(leaf->kind, leaves->key, number);
    unsigned width = leaf->width == 0 ? leaf_width(leaf->kind) : leaf->width;

    if (leaf->kind == FRT_KIND_BOOL) { /* a whole byte is 0 or 1 */
        value &= 1;
        width = leaf->width == 0 ? 8 : width;
    }
    if (leaves->is_putting) {
        leaf_put(leaf, value, width);
    } else if (!leaves->is_wrong && !leaf_is(leaf, value, width)) {
        leaves->is_wrong = true;
        leaves->wrong = number;
    }
}

/* --------------------------------------------------------------- walk --- */

static void leaves_walk(struct leaves *leaves, const struct shape *shape,
                        const frt_layout *layout, unsigned char *at);

static void
leaves_walk_member(struct leaves *leaves, const struct shape *shape,
                   const frt_layout *layout, unsigned char *at, size_t index)
{
    const struct shape_member *member = &shape->members[index];
    const struct shape *base = member->shape;
    frt_place place;

    if (frt_layout_member(&place, layout, index) != FRT_OK ||
        (member->is_bit_field && !member->is_named))
        return;
    if (!member->is_bit_field) {
        leaves_walk(leaves, base, place.layout, at + place.offset);
        return;
    }
    leaf_visit(leaves, &(struct leaf){.at = at + place.offset,
                                      .kind = base->element == NULL
                                                  ? base->kind
                                                  : base->element->kind,
                                      .bit_offset = place.bit_offset,
                                      .width = place.bit_width});
}

static void
leaves_walk_elements(struct leaves *leaves, const struct shape *shape,
                     const frt_layout *layout, unsigned char *at)
{
    const frt_layout *element = frt_layout_element(layout);

    for (size_t i = 0; i < shape->count; i++)
        leaves_walk(leaves, shape->element, element,
                    at + i * frt_layout_size(element));
}

static void
leaves_walk(struct leaves *leaves, const struct shape *shape,
            const frt_layout *layout, unsigned char *at)
{
    switch (shape->kind) {
    case FRT_KIND_STRUCT:
        for (size_t i = 0; i < shape->member_count; i++)
            leaves_walk_member(leaves, shape, layout, at, i);
        break;
    case FRT_KIND_UNION:
        if (shape->member_count != 0)
            leaves_walk_member(leaves, shape, layout, at, shape->active);
        break;
    case FRT_KIND_ARRAY:
    case FRT_KIND_VECTOR:
    case FRT_KIND_COMPLEX:
        leaves_walk_elements(leaves, shape, layout, at);
        break;
    case FRT_KIND_ENUM:
        leaf_visit(leaves,
                   &(struct leaf){.at = at, .kind = shape->element->kind});
        break;
    default:
        leaf_visit(leaves, &(struct leaf){.at = at, .kind = shape->kind});
    }
}

void
leaves_put(void *at, const struct shape *shape, const frt_layout *layout,
           uint64_t key, uint32_t first)
{
    struct leaves leaves = {.key = key, .number = first, .is_putting = true};

    leaves_walk(&leaves, shape, layout, at);
}

bool
leaves_match(uint32_t *wrong, const void *at, const struct shape *shape,
             const frt_layout *layout, uint64_t key, uint32_t first)
{
    struct leaves leaves = {.key = key, .number = first};

    leaves_walk(&leaves, shape, layout, (unsigned char *)at);
    if (leaves.is_wrong)
        *wrong = leaves.wrong;
    return !leaves.is_wrong;
}
