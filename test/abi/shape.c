/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/abi/shape.h"

#include <stdlib.h>

struct chunk {
    struct chunk *next;
    max_align_t memory[];
};

void *
signature_allocate(struct signature *signature, size_t size)
{
    struct chunk *chunk = calloc(1, sizeof *chunk + size);

    if (chunk == NULL)
        abort();
    chunk->next = signature->chunks;
    signature->chunks = chunk;
    return chunk->memory;
}

struct shape *
signature_shape(struct signature *signature, frt_kind kind)
{
    struct shape *shape = signature_allocate(signature, sizeof *shape);

    shape->kind = kind;
    shape->tag = signature->tag_count++;
    return shape;
}

void
signature_free(struct signature *signature)
{
    while (signature->chunks != NULL) {
        struct chunk *chunk = signature->chunks;

        signature->chunks = chunk->next;
        free(chunk);
    }
}

const char *
shape_enum_tag(frt_kind underlying)
{
    switch (underlying) {
    case FRT_KIND_UINT:
        return "e_uint";
    case FRT_KIND_INT:
        return "e_int";
    case FRT_KIND_SCHAR:
        return "e_schar";
    case FRT_KIND_USHORT:
        return "e_ushort";
    default:
        return "e_ulong";
    }
}

bool
shape_is_aggregate(const struct shape *shape)
{
    return shape->kind == FRT_KIND_STRUCT || shape->kind == FRT_KIND_UNION;
}

static uint32_t
shape_member_leaves(const struct shape_member *member)
{
    return member->is_bit_field ? member->is_named
                                : shape_leaves(member->shape);
}

uint32_t
shape_leaves(const struct shape *shape)
{
    uint32_t leaves = 0;

    switch (shape->kind) {
    case FRT_KIND_COMPLEX:
        return 2;
    case FRT_KIND_VECTOR:
        return (uint32_t)shape->count;
    case FRT_KIND_ARRAY:
        return (uint32_t)shape->count * shape_leaves(shape->element);
    case FRT_KIND_UNION:
        return shape->member_count == 0
                   ? 0
                   : shape_member_leaves(&shape->members[shape->active]);
    case FRT_KIND_STRUCT:
        for (size_t i = 0; i < shape->member_count; i++)
            leaves += shape_member_leaves(&shape->members[i]);
        return leaves;
    default:
        return 1;
    }
}

/* ------------------------------------------------------------ layouts --- */

static frt_status
shape_aligned(const frt_layout **layout, size_t alignment)
{
    const frt_layout *plain = *layout;
    frt_status status;

    if (alignment == 0)
        return FRT_OK;
    status = frt_layout_align_to(layout, plain, alignment);
    if (status == FRT_OK)
        frt_layout_drop(plain);
    return status;
}

/* On a member, `aligned` lowers nothing unless the whole is packed. */
static size_t
shape_member_alignment(const struct shape_member *member,
                       const frt_layout *layout, bool is_packed)
{
    if (!is_packed && member->alignment < frt_layout_alignment(layout))
        return 0;
    return member->alignment;
}

static frt_status shape_plain_layout(const frt_layout **out,
                                     const struct shape *shape);

static frt_status
shape_member_layout(frt_member *out, const struct shape_member *member,
                    bool is_packed, char *name)
{
    const frt_layout *layout;
    /* within a packed struct the alignment of a typedef is nothing */
    frt_status status =
        (is_packed ? shape_plain_layout : shape_layout)(&layout, member->shape);

    if (status == FRT_OK && member->is_bit_field) {
        const frt_layout *base = layout;

        status = frt_layout_bit_field(&layout, base, member->width);
        frt_layout_drop(base);
    }
    if (status == FRT_OK)
        status = shape_aligned(
            &layout, shape_member_alignment(member, layout, is_packed));
    sprintf(name, "m%u", member->number);
    *out = (frt_member){member->is_named ? name : NULL, layout};
    return status;
}

static frt_status
shape_aggregate_layout(const frt_layout **out, const struct shape *shape)
{
    size_t count = shape->member_count;
    frt_member *members = calloc(count + 1, sizeof *members);
    char(*names)[16] = calloc(count + 1, sizeof *names);
    frt_aggregate_options options = {.size = sizeof options,
                                     .alignment = shape->alignment,
                                     .pack = shape->pack,
                                     .packed = shape->is_packed};
    frt_status status = FRT_OK;

    if (members == NULL || names == NULL)
        abort();
    for (size_t i = 0; status == FRT_OK && i < count; i++)
        status = shape_member_layout(&members[i], &shape->members[i],
                                     shape->is_packed, names[i]);
    if (status == FRT_OK)
        status = (shape->kind == FRT_KIND_UNION
                      ? frt_layout_union
                      : frt_layout_struct)(out, members, count, &options);
    for (size_t i = 0; i < count; i++)
        frt_layout_drop(members[i].layout);
    free(members);
    free(names);
    return status;
}

static frt_status
shape_compound_layout(const frt_layout **out, const struct shape *shape)
{
    const frt_layout *element;
    frt_status status = shape_layout(&element, shape->element);

    if (status != FRT_OK)
        return status;
    switch (shape->kind) {
    case FRT_KIND_COMPLEX:
        status = frt_layout_complex(out, element);
        break;
    case FRT_KIND_VECTOR:
        status = frt_layout_vector(out, element, shape->count);
        break;
    case FRT_KIND_ENUM:
        status =
            frt_layout_enum(out, element, shape_enum_tag(shape->element->kind));
        break;
    default:
        status = frt_layout_array(out, element, shape->count);
    }
    frt_layout_drop(element);
    return status;
}

/* Without a typedef of its own. */
static frt_status
shape_plain_layout(const frt_layout **out, const struct shape *shape)
{
    if (shape_is_aggregate(shape))
        return shape_aggregate_layout(out, shape);
    if (shape->element != NULL)
        return shape_compound_layout(out, shape);
    if (shape->kind == FRT_KIND_POINTER)
        *out = frt_layout_keep(FRT_POINTER);
    else
        *out = frt_layout_keep(frt_layout_value(shape->kind, NULL));
    return FRT_OK;
}

frt_status
shape_layout(const frt_layout **out, const struct shape *shape)
{
    frt_status status = shape_plain_layout(out, shape);

    return status == FRT_OK ? shape_aligned(out, shape->typedef_alignment)
                            : status;
}

frt_status
signature_descriptor(const frt_descriptor **out,
                     const struct signature *signature)
{
    size_t count = signature->count;
    const frt_layout **layouts = calloc(count + 1, sizeof *layouts);
    const frt_layout *result = NULL;
    frt_status status = FRT_OK;

    if (layouts == NULL)
        abort();
    if (signature->result != NULL)
        status = shape_layout(&result, signature->result);
    for (size_t i = 0; status == FRT_OK && i < count; i++)
        status = shape_layout(&layouts[i], signature->parameters[i]);
    if (status == FRT_OK)
        status = signature->is_variadic
                     ? frt_descriptor_of_variadic(out, result, layouts, count,
                                                  signature->fixed)
                     : frt_descriptor_of(out, result, layouts, count);
    for (size_t i = 0; i < count; i++)
        frt_layout_drop(layouts[i]);
    frt_layout_drop(result);
    free(layouts);
    return status;
}
