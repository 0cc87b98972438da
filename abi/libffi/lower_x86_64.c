/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * x86-64: what travels in registers goes as scalars, an eightbyte each, which
 * libffi puts into the next register of their class, as the plan does. What
 * travels in memory goes as a struct that libffi must put there: its one
 * element is larger than any that it would look into.
 */
#include "abi/abi.h"
#include "abi/libffi/lower.h"
#include "ffi_rt/base/status.h"

#define LOWER_LARGE 40

static ffi_type *lower_large_elements[] = {&ffi_type_uint64, &ffi_type_uint64,
                                           &ffi_type_uint64, &ffi_type_uint64,
                                           &ffi_type_uint64, NULL};

static ffi_type lower_large = {.size = LOWER_LARGE,
                               .alignment = 8,
                               .type = FFI_TYPE_STRUCT,
                               .elements = lower_large_elements};

static void
lower_in_memory(struct frti_lowering *lowering, ffi_type **type, size_t size,
                size_t alignment)
{
    ffi_type *const elements[] = {&lower_large};

    *type = frti_lower_struct(lowering, size, alignment, elements, 1);
}

/* NULL: libffi moves eight bytes at most into a vector register. */
static ffi_type *
lower_register_type(const struct frti_piece *piece)
{
    if (piece->storage == FRT_STORAGE_GPR)
        return &ffi_type_uint64;
    if (piece->size > 8)
        return NULL;
    if (piece->extend == FRT_EXTEND_DOUBLE || piece->size > 4)
        return &ffi_type_double;
    return &ffi_type_float;
}

static frt_status
lower_wide(const frt_layout *layout)
{
    char text[128];

    frt_layout_print(text, sizeof text, layout);
    return frti_fail(FRT_UNSUPPORTED,
                     "libffi cannot pass `%s` by value: it moves 8 bytes at "
                     "most into a vector register",
                     text);
}

static frt_status
lower_on_stack(struct frti_lowering *lowering, const struct frti_plan *plan,
               size_t index)
{
    const struct frti_travel *travel = &plan->arguments[index];
    struct frti_piece piece = travel->pieces[0];
    size_t alignment = frti_travel_alignment(travel);
    ffi_type *type;

    if (alignment > 16 && piece.size > 8)
        return frti_fail(FRT_UNSUPPORTED,
                         "libffi cannot pass argument %zu by value: it does "
                         "not align the stack to %zu",
                         index + 1, alignment);
    if (piece.size < 8) {
        lower_in_memory(lowering, &type, 8, 8);
        frti_lower_piece(lowering, type, index, &piece);
    } else {
        lower_in_memory(lowering, &type, piece.size,
                        alignment < 8 ? 8 : alignment);
        frti_lower_carrier(lowering, type, true, index);
    }
    return FRT_OK;
}

static frt_status
lower_argument(struct frti_lowering *lowering, const struct frti_plan *plan,
               size_t index)
{
    const struct frti_travel *travel = &plan->arguments[index];

    for (size_t i = 0; i < travel->piece_count; i++) {
        const struct frti_piece *piece = &travel->pieces[i];
        ffi_type *type;

        if (piece->storage == FRT_STORAGE_STACK)
            return lower_on_stack(lowering, plan, index);
        type = lower_register_type(piece);
        if (type == NULL)
            return lower_wide(travel->layout);
        if (piece->size == 8 && piece->offset == 0 && travel->piece_count == 1)
            frti_lower_carrier(lowering, type, true, index);
        else
            frti_lower_piece(lowering, type, index, piece);
    }
    return FRT_OK;
}

/* One or two registers: eight bytes of the slot each. */
static frt_status
lower_result_registers(struct frti_lowering *lowering,
                       const struct frti_travel *travel)
{
    ffi_type *types[2] = {NULL, NULL};

    for (size_t i = 0; i < travel->piece_count; i++) {
        types[i] = lower_register_type(&travel->pieces[i]);
        if (types[i] == NULL)
            return lower_wide(travel->layout);
        /* a float alone in the second half is still an eightbyte */
        if (travel->piece_count == 2 && types[i] == &ffi_type_float)
            types[i] = &ffi_type_double;
    }
    if (travel->piece_count == 2)
        types[0] = frti_lower_struct(lowering, 16, 8, types, 2);
    frti_lower_result_slot(lowering, types[0], 16);
    for (size_t i = 0; i < travel->piece_count; i++)
        frti_lower_part(lowering, i * 8, &travel->pieces[i]);
    return FRT_OK;
}

static void
lower_result_x87(struct frti_lowering *lowering,
                 const struct frti_travel *travel)
{
    frti_lower_result_slot(lowering,
                           travel->piece_count == 1
                               ? &ffi_type_longdouble
                               : &ffi_type_complex_longdouble,
                           32);
    for (size_t i = 0; i < travel->piece_count; i++)
        frti_lower_part(lowering, i * 16, &travel->pieces[i]);
}

static frt_status
lower_result(struct frti_lowering *lowering, const struct frti_travel *travel)
{
    const struct frti_piece *piece = &travel->pieces[0];

    lowering->result_type = &ffi_type_void;
    if (travel->way == FRT_WAY_NONE)
        return FRT_OK;
    if (travel->way == FRT_WAY_REFERENCE) { /* an argument like any other */
        size_t slot = frti_lower_slot(lowering, sizeof(void *), 8);

        lowering->has_result_argument = true;
        frti_lower_carrier(lowering, &ffi_type_pointer, false, slot);
        return FRT_OK;
    }
    if (piece->storage == FRT_STORAGE_X87) {
        lower_result_x87(lowering, travel);
        return FRT_OK;
    }
    if (travel->piece_count == 1 && piece->size == 8) {
        lowering->result_type = lower_register_type(piece);
        lowering->result_way = FRTI_RESULT_DIRECT;
        return FRT_OK;
    }
    return lower_result_registers(lowering, travel);
}

frt_status
frti_lower_plan(struct frti_lowering *lowering, const struct frti_plan *plan)
{
    frt_status status = lower_result(lowering, &plan->result);

    for (size_t i = 0; status == FRT_OK && i < plan->count; i++)
        status = lower_argument(lowering, plan, i);
    return status == FRT_OK ? lowering->status : status;
}
