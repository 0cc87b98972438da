/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Random signatures. Shapes come in families, so that those on which
 * conventions turn (small mixed structs, homogeneous ones, bit-fields, packed
 * ones) are all drawn often; a daring signature may also have what is known
 * to be refused on some backend.
 */
#include <string.h>

#include "test/abi/shape.h"
#include "test/abi/values.h"

#define DRAW_DEPTH 3
#define DRAW_PARAMETERS 20
#define DRAW_MANY 300

struct draw {
    struct signature *signature;
    uint64_t random;
    bool is_aarch64;
    bool is_daring;
    bool has_rare; /* may have what clang lacks */
};

static struct shape *draw_aggregate(struct draw *draw, unsigned depth);

static size_t
draw_below(struct draw *draw, size_t limit)
{
    draw->random = value_mix(draw->random);
    return (draw->random >> 11) % limit;
}

static bool
draw_one_in(struct draw *draw, size_t n)
{
    return draw_below(draw, n) == 0;
}

/* ------------------------------------------------------------ scalars --- */

static struct shape *
draw_kind(struct draw *draw, frt_kind kind)
{
    /* clang 14 has no _Float16 on x86-64, and _Float128 nowhere */
    if (kind == FRT_KIND_FLOAT128 ||
        (kind == FRT_KIND_FLOAT16 && !draw->is_aarch64)) {
        if (!draw->has_rare)
            return draw_kind(draw, FRT_KIND_FLOAT);
        draw->signature->only_gcc = true;
    }
    return signature_shape(draw->signature, kind);
}

static struct shape *
draw_of(struct draw *draw, frt_kind kind, struct shape *element, size_t count)
{
    struct shape *shape = signature_shape(draw->signature, kind);

    shape->element = element;
    shape->count = count;
    return shape;
}

static struct shape *
draw_integer(struct draw *draw)
{
    return draw_kind(draw,
                     FRT_KIND_BOOL +
                         draw_below(draw, FRT_KIND_ULLONG - FRT_KIND_BOOL + 1));
}

static struct shape *
draw_enum(struct draw *draw)
{
    static const frt_kind kinds[] = {FRT_KIND_UINT, FRT_KIND_INT,
                                     FRT_KIND_SCHAR, FRT_KIND_USHORT,
                                     FRT_KIND_ULONG};

    return draw_of(draw, FRT_KIND_ENUM,
                   draw_kind(draw, kinds[draw_below(draw, 5)]), 0);
}

static struct shape *
draw_complex(struct draw *draw)
{
    static const frt_kind kinds[] = {FRT_KIND_FLOAT,       FRT_KIND_FLOAT,
                                     FRT_KIND_DOUBLE,      FRT_KIND_DOUBLE,
                                     FRT_KIND_LONG_DOUBLE, FRT_KIND_FLOAT16};

    return draw_of(draw, FRT_KIND_COMPLEX,
                   draw_kind(draw, kinds[draw_below(draw, 6)]), 2);
}

/* Those of 16 bytes and more are what libffi cannot pass on x86-64. */
static size_t
draw_vector_size(struct draw *draw)
{
    switch (draw_below(draw, 8)) {
    case 0:
        return (size_t)1 << draw_below(draw, 3);
    case 1:
        if (!draw->is_daring)
            return 8;
        draw->signature->is_wide = !draw->is_aarch64;
        return 32;
    case 2:
    case 3:
    case 4:
        return draw->is_daring || draw->is_aarch64 ? 16 : 8;
    default:
        return 8;
    }
}

static struct shape *
draw_vector(struct draw *draw)
{
    static const frt_kind kinds[] = {
        FRT_KIND_SCHAR,  FRT_KIND_UCHAR,  FRT_KIND_SHORT, FRT_KIND_USHORT,
        FRT_KIND_INT,    FRT_KIND_FLOAT,  FRT_KIND_FLOAT, FRT_KIND_LONG,
        FRT_KIND_DOUBLE, FRT_KIND_FLOAT16};
    struct shape *element = draw_kind(draw, kinds[draw_below(draw, 10)]);
    size_t least = frt_layout_size(frt_layout_value(element->kind, NULL));
    size_t size = draw_vector_size(draw);

    return draw_of(draw, FRT_KIND_VECTOR, element,
                   size < least ? 1 : size / least);
}

static struct shape *
draw_uncommon_float(struct draw *draw)
{
    if (draw_one_in(draw, 3) && (draw->is_daring || draw->is_aarch64))
        return draw_kind(draw, FRT_KIND_FLOAT128);
    return draw_kind(draw, draw_one_in(draw, 2) ? FRT_KIND_FLOAT16
                                                : FRT_KIND_LONG_DOUBLE);
}

static struct shape *
draw_scalar(struct draw *draw)
{
    switch (draw_below(draw, 20)) {
    case 0:
        return draw_kind(draw, draw_one_in(draw, 2) ? FRT_KIND_INT128
                                                    : FRT_KIND_UINT128);
    case 1:
        return draw_uncommon_float(draw);
    case 2:
    case 3:
    case 4:
        return draw_kind(draw, FRT_KIND_FLOAT);
    case 5:
    case 6:
    case 7:
        return draw_kind(draw, FRT_KIND_DOUBLE);
    case 8:
        return draw_kind(draw, FRT_KIND_LONG_DOUBLE);
    case 9:
        return draw_complex(draw);
    case 10:
        return draw_vector(draw);
    case 11:
        return draw_enum(draw);
    case 12:
        return draw_kind(draw, FRT_KIND_POINTER);
    default:
        return draw_integer(draw);
    }
}

/* `aligned(n)` on a typedef, lower than natural as well as higher. */
static void
draw_typedef(struct draw *draw, struct shape *shape)
{
    if (draw_one_in(draw, 30))
        shape->typedef_alignment = (size_t)1 << draw_below(draw, 5);
}

/* ------------------------------------------------------------ members --- */

static void
draw_members(struct draw *draw, struct shape *shape, size_t most)
{
    shape->members = signature_allocate(draw->signature,
                                        (most + 1) * sizeof *shape->members);
}

/* gcc 12 counts a _Complex _Float16 that does not begin an eightbyte in the
 * next one, too: there it is one of float. */
static void
draw_no_halves(struct shape *shape)
{
    if (shape->kind == FRT_KIND_COMPLEX &&
        shape->element->kind == FRT_KIND_FLOAT16)
        shape->element->kind = FRT_KIND_FLOAT;
    if (shape->element != NULL)
        draw_no_halves(shape->element);
    for (size_t i = 0; i < shape->member_count; i++)
        draw_no_halves(shape->members[i].shape);
}

static struct shape_member *
draw_member(struct draw *draw, struct shape *shape, struct shape *type)
{
    struct shape_member *member = &shape->members[shape->member_count++];

    if (member != shape->members && shape->kind == FRT_KIND_STRUCT &&
        !draw->is_aarch64)
        draw_no_halves(type);
    member->shape = type;
    member->is_named = true;
    member->number = draw->signature->member_count++;
    return member;
}

static void
draw_bit_field(struct draw *draw, struct shape *shape)
{
    struct shape *base =
        draw_one_in(draw, 10) ? draw_enum(draw) : draw_integer(draw);
    frt_kind kind =
        base->kind == FRT_KIND_ENUM ? base->element->kind : base->kind;
    size_t bits = 8 * frt_layout_size(frt_layout_value(kind, NULL));
    struct shape_member *member = draw_member(draw, shape, base);

    member->is_bit_field = true;
    member->is_named = !draw_one_in(draw, 4);
    if (base->kind == FRT_KIND_BOOL)
        bits = 1;
    member->width =
        (unsigned)(draw_one_in(draw, 4) ? bits : 1 + draw_below(draw, bits));
    if (!member->is_named && draw_one_in(draw, 2))
        member->width = 0;
}

static struct shape *
draw_array(struct draw *draw, struct shape *element)
{
    size_t count = draw_one_in(draw, 12) ? 0 : 1 + draw_below(draw, 3);

    /* gcc takes such an array of vectors for one without a length */
    if (element->kind == FRT_KIND_VECTOR && count == 0)
        count = 1;
    return draw_of(draw, FRT_KIND_ARRAY, element, count);
}

/* An unnamed struct or union stands in the text where it is used, so the
 * pragma around the whole holds for it, too. */
static void
draw_pack_within(struct shape *shape, size_t pack)
{
    shape->pack = pack;
    for (size_t i = 0; i < shape->member_count; i++)
        if (!shape->members[i].is_named &&
            shape_is_aggregate(shape->members[i].shape))
            draw_pack_within(shape->members[i].shape, pack);
}

static void
draw_nested(struct draw *draw, struct shape *shape, unsigned depth)
{
    struct shape *inner = draw_aggregate(draw, depth + 1);
    bool is_named = !draw_one_in(draw, 4);

    if (!is_named)
        draw_pack_within(inner, 0);
    else if (draw_one_in(draw, 4))
        inner = draw_array(draw, inner);
    draw_member(draw, shape, inner)->is_named = is_named;
}

/* Of over 16 bytes on the stack: libffi on x86-64 refuses them. */
static size_t
draw_alignment(struct draw *draw)
{
    return (size_t)8 << draw_below(draw,
                                   draw->is_daring || draw->is_aarch64 ? 4 : 2);
}

static void
draw_any_member(struct draw *draw, struct shape *shape, unsigned depth)
{
    struct shape *type;
    struct shape_member *member;

    if (draw_one_in(draw, 5)) {
        draw_bit_field(draw, shape);
        return;
    }
    if (depth < DRAW_DEPTH && draw_one_in(draw, 5)) {
        draw_nested(draw, shape, depth);
        return;
    }
    type = draw_scalar(draw);
    if (draw_one_in(draw, 6))
        type = draw_array(draw, type);
    else
        draw_typedef(draw, type);
    member = draw_member(draw, shape, type);
    if (draw_one_in(draw, 15))
        member->alignment = draw_alignment(draw);
}

/* ----------------------------------------------------------- families --- */

/* One to five of one floating-point type, nested and in arrays. */
static void
draw_homogeneous(struct draw *draw, struct shape *shape, unsigned depth)
{
    static const frt_kind kinds[] = {FRT_KIND_FLOAT,   FRT_KIND_DOUBLE,
                                     FRT_KIND_FLOAT,   FRT_KIND_DOUBLE,
                                     FRT_KIND_FLOAT16, FRT_KIND_LONG_DOUBLE};
    size_t count = 1 + draw_below(draw, 4);
    size_t i = draw_below(draw, 8);
    struct shape *element = i < 6    ? draw_kind(draw, kinds[i])
                            : i == 6 ? draw_complex(draw)
                                     : draw_vector(draw);

    draw_members(draw, shape, count);
    while (count-- != 0) {
        struct shape *type = element;

        if (draw_one_in(draw, 5))
            type = draw_array(draw, type);
        if (draw_one_in(draw, 5) && depth < DRAW_DEPTH) {
            struct shape *inner =
                signature_shape(draw->signature, FRT_KIND_STRUCT);

            draw_members(draw, inner, 1);
            draw_member(draw, inner, type);
            type = inner;
        }
        draw_member(draw, shape, type);
    }
    if (draw_one_in(draw, 12))
        shape->members[0].alignment = draw_alignment(draw);
}

static void
draw_small(struct draw *draw, struct shape *shape)
{
    static const frt_kind kinds[] = {
        FRT_KIND_CHAR,   FRT_KIND_BOOL,  FRT_KIND_SHORT,  FRT_KIND_INT,
        FRT_KIND_UINT,   FRT_KIND_LONG,  FRT_KIND_FLOAT,  FRT_KIND_FLOAT,
        FRT_KIND_DOUBLE, FRT_KIND_UCHAR, FRT_KIND_POINTER};
    size_t count = 1 + draw_below(draw, 4);

    draw_members(draw, shape, count);
    while (count-- != 0)
        draw_member(draw, shape, draw_kind(draw, kinds[draw_below(draw, 11)]));
}

static void
draw_bits(struct draw *draw, struct shape *shape)
{
    size_t count = 1 + draw_below(draw, 5);

    draw_members(draw, shape, count);
    while (count-- != 0)
        if (draw_one_in(draw, 3))
            draw_member(draw, shape,
                        draw_one_in(draw, 2) ? draw_kind(draw, FRT_KIND_FLOAT)
                                             : draw_integer(draw));
        else
            draw_bit_field(draw, shape);
}

static void
draw_long_array(struct draw *draw, struct shape *shape)
{
    struct shape *element =
        draw_one_in(draw, 3) ? draw_scalar(draw) : draw_integer(draw);
    size_t count = draw_one_in(draw, 50) ? 4096 : 1 + draw_below(draw, 20);

    draw_members(draw, shape, 2);
    draw_member(draw, shape, draw_of(draw, FRT_KIND_ARRAY, element, count));
    if (draw_one_in(draw, 3))
        draw_member(draw, shape, draw_scalar(draw));
}

static void
draw_anything(struct draw *draw, struct shape *shape, unsigned depth)
{
    size_t count = draw_below(draw, depth == 0 ? 7 : 4);

    draw_members(draw, shape, count);
    while (count-- != 0)
        draw_any_member(draw, shape, depth);
}

static void
draw_attributes(struct draw *draw, struct shape *shape)
{
    shape->is_packed = draw_one_in(draw, 12);
    if (draw_one_in(draw, 14))
        draw_pack_within(shape, (size_t)1 << draw_below(draw, 5));
    if (draw_one_in(draw, 14))
        shape->alignment = (size_t)1 << draw_below(draw, 5);
    if ((draw->is_daring || draw->is_aarch64) && draw_one_in(draw, 20))
        shape->alignment = (size_t)32 << draw_below(draw, 2);
}

static struct shape *
draw_aggregate(struct draw *draw, unsigned depth)
{
    struct shape *shape = signature_shape(
        draw->signature,
        draw_one_in(draw, 5) ? FRT_KIND_UNION : FRT_KIND_STRUCT);

    switch (draw_below(draw, 8)) {
    case 0:
    case 1:
        draw_homogeneous(draw, shape, depth);
        break;
    case 2:
    case 3:
    case 4:
        draw_small(draw, shape);
        break;
    case 5:
        draw_bits(draw, shape);
        break;
    case 6:
        if (draw_one_in(draw, 2)) {
            draw_long_array(draw, shape);
            break;
        }
        /* fall through */
    default:
        draw_anything(draw, shape, depth);
    }
    draw_attributes(draw, shape);
    if (shape->member_count != 0)
        shape->active = draw_below(draw, shape->member_count);
    return shape;
}

/* --------------------------------------------------------- signatures --- */

static struct shape *
draw_value(struct draw *draw)
{
    struct shape *shape =
        draw_one_in(draw, 2) ? draw_scalar(draw) : draw_aggregate(draw, 0);

    if (draw_one_in(draw, 2) && shape->typedef_alignment == 0)
        draw_typedef(draw, shape);
    return shape;
}

/* gcc's levels differ about a struct of unnamed bit-fields before a `...`. */
static struct shape *
draw_parameter(struct draw *draw)
{
    struct shape *shape = draw_value(draw);

    if (draw->signature->is_variadic && shape->member_count != 0 &&
        shape_leaves(shape) == 0)
        return draw_scalar(draw);
    return shape;
}

static size_t
draw_count(struct draw *draw)
{
    if (draw_one_in(draw, 100))
        return 100 + draw_below(draw, DRAW_MANY);
    return draw_one_in(draw, 2) ? draw_below(draw, 7)
                                : draw_below(draw, DRAW_PARAMETERS + 1);
}

static bool
draw_is_aligned_16(const struct shape *shape)
{
    const frt_layout *layout;
    bool is_16;

    if (!shape_is_aggregate(shape) || shape_layout(&layout, shape) != FRT_OK)
        return false;
    is_16 = frt_layout_size(layout) == 16 && frt_layout_alignment(layout) == 16;
    frt_layout_drop(layout);
    return is_16;
}

/* gcc 12's va_arg may load by movdqa, as if it were aligned, what asks for 16
 * out of the saved general registers, and what a typedef says does. */
static struct shape *
draw_variadic(struct draw *draw, struct shape *shape)
{
    if (draw->is_aarch64)
        return shape;
    shape->typedef_alignment = 0;
    return draw_is_aligned_16(shape) ? draw_integer(draw) : shape;
}

static bool
draw_has_union(const struct shape *shape)
{
    if (shape->kind == FRT_KIND_UNION)
        return true;
    for (size_t i = 0; i < shape->member_count; i++)
        if (draw_has_union(shape->members[i].shape))
            return true;
    return shape->element != NULL && draw_has_union(shape->element);
}

/* Around vectors of 32 bytes gcc 12 clears the upper half of a union that it
 * returns, and crashes on a va_arg of an aggregate; clang's callee does so on
 * the registers that it saves for a `...`. */
static void
draw_for_wide(struct signature *signature)
{
    if (signature->result != NULL && draw_has_union(signature->result))
        signature->result = NULL;
    if (!signature->is_variadic)
        return;
    signature->only_gcc = true;
    for (size_t i = signature->fixed; i < signature->count; i++)
        if (shape_is_aggregate(signature->parameters[i])) {
            signature->is_variadic = false;
            signature->fixed = signature->count;
            return;
        }
}

void
signature_draw(struct signature *out, uint64_t seed, uint32_t number,
               const frt_model *model)
{
    struct draw draw = {
        .signature = out,
        .random = value_mix(value_mix(seed) + number),
        .is_aarch64 = strcmp(frt_model_name(model), "aarch64") == 0,
    };

    *out = (struct signature){.number = number,
                              .frame_alignment = draw.is_aarch64 ? 1 : 16};
    draw.is_daring = draw_one_in(&draw, 10);
    draw.has_rare = draw_one_in(&draw, 5);
    out->count = draw_count(&draw);
    out->is_variadic = out->count != 0 && draw_one_in(&draw, 5);
    out->is_scribbling = draw_one_in(&draw, 4);
    out->fixed =
        out->is_variadic ? 1 + draw_below(&draw, out->count) : out->count;
    out->parameters =
        signature_allocate(out, (out->count + 1) * sizeof *out->parameters);
    if (!draw_one_in(&draw, 8))
        out->result = draw_value(&draw);
    for (size_t i = 0; i < out->count; i++)
        out->parameters[i] =
            out->count > DRAW_PARAMETERS && !draw_one_in(&draw, 8)
                ? draw_scalar(&draw)
                : draw_parameter(&draw);
    for (size_t i = out->fixed; i < out->count; i++)
        out->parameters[i] = draw_variadic(&draw, out->parameters[i]);
    if (out->is_wide)
        draw_for_wide(out);
    if (signature_is_disputed(out, draw.is_aarch64))
        out->only_gcc = true;
}
