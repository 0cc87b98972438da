/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A CPU without a convention of ours: libffi's own classification of plain
 * types. What it is known to get wrong, or cannot describe, is refused. For
 * little-endian CPUs with registers of 64 bits.
 */
#include "abi/libffi/lower.h"
#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/layout/layout.h"

/* The members of a struct, or elements of an array, that libffi is told of. */
#define PLAIN_ELEMENTS 4096

static ffi_type *plain_type(struct frti_lowering *lowering,
                            const frt_layout *layout);

static frt_status
plain_refuse(const frt_layout *layout)
{
    struct frti_layout_text text;

    return frti_fail(FRT_UNSUPPORTED,
                     "`%s` cannot travel by value on this CPU, for which only "
                     "plain types can",
                     frti_layout_text(&text, layout));
}

static ffi_type *
plain_integer(size_t size, bool is_signed)
{
    switch (size) {
    case 1:
        return is_signed ? &ffi_type_sint8 : &ffi_type_uint8;
    case 2:
        return is_signed ? &ffi_type_sint16 : &ffi_type_uint16;
    case 4:
        return is_signed ? &ffi_type_sint32 : &ffi_type_uint32;
    case 8:
        return is_signed ? &ffi_type_sint64 : &ffi_type_uint64;
    default:
        return NULL;
    }
}

/* libffi places members as their types ask for. */
static bool
plain_is_placed(const ffi_type *type, const frt_layout *layout)
{
    size_t end = 0;
    size_t alignment = 1;

    for (size_t i = 0; i < layout->count; i++) {
        const ffi_type *element = type->elements[i];

        if (!frti_align_up(&end, end, element->alignment) ||
            end != layout->members[i].offset)
            return false;
        end += element->size;
        if (element->alignment > alignment)
            alignment = element->alignment;
    }
    return alignment == layout->alignment &&
           frti_align_up(&end, end, alignment) && end == layout->size;
}

static ffi_type *
plain_struct(struct frti_lowering *lowering, const frt_layout *layout)
{
    size_t count = layout->count;
    ffi_type *type;

    if (count == 0 || count > PLAIN_ELEMENTS || layout->has_bit_fields)
        return NULL;
    type = frti_lower_struct(lowering, layout->size, layout->alignment, NULL,
                             count);
    for (size_t i = 0; type != NULL && i < count; i++) {
        type->elements[i] = plain_type(lowering, layout->members[i].layout);
        if (type->elements[i] == NULL)
            return NULL;
    }
    return type != NULL && plain_is_placed(type, layout) ? type : NULL;
}

/* libffi has no arrays: a struct of as many elements. */
static ffi_type *
plain_array(struct frti_lowering *lowering, const frt_layout *layout)
{
    ffi_type *element;
    ffi_type *type;

    if (layout->count == 0 || layout->count > PLAIN_ELEMENTS)
        return NULL;
    element = plain_type(lowering, layout->element);
    if (element == NULL || element->alignment != layout->alignment)
        return NULL;
    type = frti_lower_struct(lowering, layout->size, layout->alignment, NULL,
                             layout->count);
    for (size_t i = 0; type != NULL && i < layout->count; i++)
        type->elements[i] = element;
    return type;
}

static ffi_type *
plain_type(struct frti_lowering *lowering, const frt_layout *layout)
{
    switch (layout->kind) {
    case FRT_KIND_VOID:
        return &ffi_type_void;
    case FRT_KIND_FLOAT:
        return &ffi_type_float;
    case FRT_KIND_DOUBLE:
        return &ffi_type_double;
    case FRT_KIND_POINTER:
    case FRT_KIND_SEGMENT:
        return &ffi_type_pointer;
    case FRT_KIND_STRUCT:
        return plain_struct(lowering, layout);
    case FRT_KIND_ARRAY:
        return plain_array(lowering, layout);
    default:
        return frt_layout_is_integer(layout)
                   ? plain_integer(layout->size, layout->is_signed)
                   : NULL;
    }
}

/* Integers go as a whole register, extended. */
static frt_status
plain_argument(struct frti_lowering *lowering, const frt_layout *layout,
               size_t index, bool is_variadic)
{
    ffi_type *type = plain_type(lowering, layout);
    struct frti_piece piece = {.size = (uint32_t)layout->size,
                               .extend = (uint8_t)frti_extend_of(layout)};

    if (type == NULL)
        return lowering->status != FRT_OK ? lowering->status
                                          : plain_refuse(layout);
    if (is_variadic && layout->kind == FRT_KIND_FLOAT) {
        piece.extend = FRT_EXTEND_DOUBLE;
        type = &ffi_type_double;
    } else if (piece.extend != FRT_EXTEND_NONE) {
        type = &ffi_type_sint64;
    }
    if (piece.extend == FRT_EXTEND_NONE)
        frti_lower_carrier(lowering, type, true, index);
    else
        frti_lower_piece(lowering, type, index, &piece);
    return lowering->status;
}

/* libffi widens a small integer result to a whole register. */
static frt_status
plain_result(struct frti_lowering *lowering, const frt_layout *layout)
{
    ffi_type *type = plain_type(lowering, layout);
    struct frti_piece piece = {.size = (uint32_t)layout->size};

    if (type == NULL)
        return lowering->status != FRT_OK ? lowering->status
                                          : plain_refuse(layout);
    lowering->result_type = type;
    if (frti_extend_of(layout) == FRT_EXTEND_NONE) {
        lowering->result_way = layout->kind == FRT_KIND_VOID
                                   ? FRTI_RESULT_NONE
                                   : FRTI_RESULT_DIRECT;
        return FRT_OK;
    }
    frti_lower_result_slot(
        lowering, layout->is_signed ? &ffi_type_sint64 : &ffi_type_uint64, 8);
    frti_lower_part(lowering, 0, &piece);
    return lowering->status;
}

frt_status
frti_lower(struct frti_lowering *lowering, const frt_descriptor *descriptor)
{
    size_t fixed = frt_descriptor_fixed(descriptor);
    frt_status status =
        plain_result(lowering, frt_descriptor_result(descriptor));

    if (frt_descriptor_is_variadic(descriptor))
        lowering->fixed_count = fixed;
    for (size_t i = 0; status == FRT_OK && i < frt_descriptor_count(descriptor);
         i++)
        status = plain_argument(
            lowering, frt_descriptor_parameter(descriptor, i), i, i >= fixed);
    return status;
}
