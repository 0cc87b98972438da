/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What gcc 12 and clang 14 are known to pass differently. The library follows
 * gcc.
 */
#include "test/abi/shape.h"

/* Scalars in front of which an __int128 has two registers left for certain:
 * the first two parameters, whatever they and the result are. */
#define DISPUTE_SAFE 2

typedef bool dispute_shape(const struct shape *shape, bool is_within);

static bool
dispute_members(const struct shape *shape, dispute_shape *disputes)
{
    for (size_t i = 0; i < shape->member_count; i++)
        if (!shape->members[i].is_bit_field &&
            disputes(shape->members[i].shape, true))
            return true;
    return false;
}

/* ------------------------------------------------------------- x86-64 --- */

/* clang counts unnamed bit-fields nowhere, gcc in their eightbyte, in a union
 * also those of width 0. And it takes those in unions, and those that fill an
 * integer, for integers, which within another type can be misaligned. */
static bool
x86_64_bit_field(const struct shape_member *member, bool is_union,
                 bool is_within)
{
    if (is_within && (is_union || member->width % 16 == 0))
        return true;
    return !member->is_named && (member->width != 0 || is_union);
}

static bool
x86_64_shape(const struct shape *shape, bool is_within)
{
    /* gcc counts an array of no elements that begins within an eightbyte, and
     * does not see that later elements are misaligned */
    if (shape->kind == FRT_KIND_ARRAY)
        return shape->count == 0 || shape->element->is_packed ||
               shape->element->pack != 0 || x86_64_shape(shape->element, true);
    /* a vector of one float: memory in gcc, by its size in clang */
    if (shape->kind == FRT_KIND_VECTOR)
        return shape->count == 1 && shape->element->kind >= FRT_KIND_FLOAT16;
    /* clang looks at the alignment of what is empty */
    if (shape_is_aggregate(shape) && shape->alignment > 1 &&
        shape_leaves(shape) == 0)
        return true;
    for (size_t i = 0; i < shape->member_count; i++) {
        const struct shape_member *member = &shape->members[i];

        /* clang packs no member that has its alignment by a typedef, and is
         * not asked whether one with a lower one is misaligned */
        if (member->shape->typedef_alignment != 0 ||
            (member->is_bit_field &&
             x86_64_bit_field(member, shape->kind == FRT_KIND_UNION,
                              is_within)))
            return true;
    }
    return dispute_members(shape, x86_64_shape);
}

/* clang 14 may pass half of an __int128 in the last register, and aligns it to
 * 8 on the stack. */
static bool
x86_64_parameter(const struct shape *shape, size_t index)
{
    return (shape->kind == FRT_KIND_INT128 ||
            shape->kind == FRT_KIND_UINT128) &&
           index >= DISPUTE_SAFE;
}

/* ------------------------------------------------------------ AArch64 --- */

static size_t
aarch64_vector_size(const struct shape *shape)
{
    return shape->count *
           frt_layout_size(frt_layout_value(shape->element->kind, NULL));
}

/* clang returns a small vector in v0; and whether a struct of floats with an
 * array of no elements, or with a bit-field of width 0, is homogeneous. */
static bool
aarch64_shape(const struct shape *shape, bool is_within)
{
    if (shape->kind == FRT_KIND_ARRAY)
        return shape->count == 0 || aarch64_shape(shape->element, true);
    if (shape->kind == FRT_KIND_VECTOR)
        return !is_within && aarch64_vector_size(shape) < 8;
    /* clang passes nothing for unnamed bit-fields, and aligns what is packed
     * by other rules on the stack */
    if (shape->member_count != 0 &&
        (shape_leaves(shape) == 0 || shape->is_packed || shape->pack != 0))
        return true;
    for (size_t i = 0; i < shape->member_count; i++)
        if (shape->members[i].is_bit_field && shape->members[i].width == 0)
            return true;
    return dispute_members(shape, aarch64_shape);
}

bool
signature_is_disputed(const struct signature *signature, bool is_aarch64)
{
    dispute_shape *disputes = is_aarch64 ? aarch64_shape : x86_64_shape;

    if (signature->result != NULL && disputes(signature->result, false))
        return true;
    for (size_t i = 0; i < signature->count; i++)
        if (disputes(signature->parameters[i], false) ||
            (!is_aarch64 && x86_64_parameter(signature->parameters[i], i)))
            return true;
    return false;
}
