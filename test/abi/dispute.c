/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * What gcc 12 and clang 14 are known to pass differently on x86-64. The
 * library follows gcc.
 */
#include "test/abi/shape.h"

/* Scalars in front of which an __int128 has two registers left for certain:
 * the first two parameters, whatever they and the result are. */
#define DISPUTE_SAFE 2

static bool dispute_shape(const struct shape *shape, bool is_within);

/* clang counts unnamed bit-fields nowhere, gcc in their eightbyte. In a union
 * gcc counts those of width 0, too, and takes all for integers of their own,
 * which within another type can be misaligned. */
static bool
dispute_bit_field(const struct shape_member *member, bool is_union,
                  bool is_within)
{
    if (is_union && is_within)
        return true;
    return !member->is_named && (member->width != 0 || is_union);
}

/* gcc counts an array of no elements that begins within an eightbyte. */
static bool
dispute_array(const struct shape *shape)
{
    return shape->count == 0 || dispute_shape(shape->element, true);
}

/* clang packs no member that has its alignment by a typedef, and is not asked
 * whether one with a lower one is misaligned. */
static bool
dispute_member(const struct shape_member *member, bool is_union, bool is_within)
{
    if (member->shape->typedef_alignment != 0)
        return true;
    return member->is_bit_field ? dispute_bit_field(member, is_union, is_within)
                                : dispute_shape(member->shape, true);
}

static bool
dispute_shape(const struct shape *shape, bool is_within)
{
    if (shape->kind == FRT_KIND_ARRAY)
        return dispute_array(shape);
    /* a vector of one float: memory in gcc, by its size in clang */
    if (shape->kind == FRT_KIND_VECTOR)
        return shape->count == 1 && shape->element->kind >= FRT_KIND_FLOAT16;
    for (size_t i = 0; i < shape->member_count; i++)
        if (dispute_member(&shape->members[i], shape->kind == FRT_KIND_UNION,
                           is_within))
            return true;
    return false;
}

/* clang 14 may pass half of an __int128 in the last register, and aligns it to
 * 8 on the stack. */
static bool
dispute_parameter(const struct shape *shape, size_t index)
{
    return (shape->kind == FRT_KIND_INT128 ||
            shape->kind == FRT_KIND_UINT128) &&
           index >= DISPUTE_SAFE;
}

bool
signature_is_disputed(const struct signature *signature)
{
    /* clang's function faults where it saves the registers for its `...` */
    if (signature->is_variadic && signature->is_wide)
        return true;
    if (signature->result != NULL && dispute_shape(signature->result, false))
        return true;
    for (size_t i = 0; i < signature->count; i++)
        if (dispute_shape(signature->parameters[i], false) ||
            dispute_parameter(signature->parameters[i], i))
            return true;
    return false;
}
