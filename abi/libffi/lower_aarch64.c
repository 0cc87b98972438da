/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * 64-bit Arm: everything goes as scalars. A vector register's bytes go as
 * float, double or long double (all 16 bytes), a general one's as uint64.
 * Where the plan leaves a register or a stack word out, a filler takes it:
 * libffi then counts as the plan does, and the callee looks at none of them.
 */
#include "abi/abi.h"
#include "abi/homogeneous.h"
#include "abi/libffi/lower.h"
#include "ffi_rt/base/status.h"

#define LOWER_REGISTERS 8

/* What libffi has given out so far. */
struct counts {
    size_t gprs;
    size_t fprs;
    size_t stack;
    size_t filler; /* a slot of zeroes */
};

static ffi_type *
lower_vector_type(const struct frti_piece *piece)
{
    if (piece->size > 8)
        return &ffi_type_longdouble;
    if (piece->extend == FRT_EXTEND_DOUBLE || piece->size > 4)
        return &ffi_type_double;
    return &ffi_type_float;
}

/* Fillers up to a count of registers, or of stack bytes. */
static void
lower_fill(struct frti_lowering *lowering, struct counts *counts, size_t *count,
           size_t step, size_t until, ffi_type *type)
{
    for (; *count < until && lowering->status == FRT_OK; *count += step)
        frti_lower_carrier(lowering, type, false, counts->filler);
}

static void
lower_in_register(struct frti_lowering *lowering, struct counts *counts,
                  size_t argument, const struct frti_piece *piece)
{
    bool is_general = piece->storage == FRT_STORAGE_GPR;
    size_t *count = is_general ? &counts->gprs : &counts->fprs;
    ffi_type *type = is_general ? &ffi_type_uint64 : lower_vector_type(piece);

    lower_fill(lowering, counts, count, 1, piece->place,
               is_general ? &ffi_type_uint64 : &ffi_type_double);
    frti_lower_piece(lowering, type, argument, piece);
    ++*count;
}

/* Stack bytes go as words of the kind whose registers are all given out:
 * AAPCS64 has set that counter to its end (rules C.3 and C.11). */
static void
lower_on_stack(struct frti_lowering *lowering, struct counts *counts,
               const struct frti_travel *travel, size_t argument)
{
    struct frti_homogeneous elements;
    struct frti_piece piece = travel->pieces[0];
    bool is_vector = travel->way == FRT_WAY_VALUE &&
                     frti_homogeneous_of(&elements, travel->layout);
    ffi_type *word = is_vector ? &ffi_type_double : &ffi_type_uint64;
    size_t size = piece.size;

    lower_fill(lowering, counts, is_vector ? &counts->fprs : &counts->gprs, 1,
               LOWER_REGISTERS, word);
    lower_fill(lowering, counts, &counts->stack, 8, piece.place, word);
    for (size_t offset = 0; offset < size; offset += 8) {
        piece.offset = (uint32_t)offset;
        piece.size = (uint32_t)(size - offset < 8 ? size - offset : 8);
        frti_lower_piece(lowering, word, argument, &piece);
        counts->stack += 8;
    }
}

/* A reference travels as a general scalar, wherever its place is. */
static void
lower_reference(struct frti_lowering *lowering, struct counts *counts,
                const struct frti_travel *travel, size_t argument)
{
    const struct frti_piece *piece = &travel->pieces[0];

    if (piece->storage == FRT_STORAGE_GPR) {
        lower_fill(lowering, counts, &counts->gprs, 1, piece->place,
                   &ffi_type_uint64);
        counts->gprs++;
    } else {
        lower_fill(lowering, counts, &counts->gprs, 1, LOWER_REGISTERS,
                   &ffi_type_uint64);
        lower_fill(lowering, counts, &counts->stack, 8, piece->place,
                   &ffi_type_uint64);
        counts->stack += 8;
    }
    frti_lower_reference(lowering, argument, travel);
}

static void
lower_argument(struct frti_lowering *lowering, struct counts *counts,
               const struct frti_plan *plan, size_t index)
{
    const struct frti_travel *travel = &plan->arguments[index];

    if (travel->way == FRT_WAY_REFERENCE) {
        lower_reference(lowering, counts, travel, index);
        return;
    }
    for (size_t i = 0; i < travel->piece_count; i++)
        if (travel->pieces[i].storage == FRT_STORAGE_STACK)
            lower_on_stack(lowering, counts, travel, index);
        else
            lower_in_register(lowering, counts, index, &travel->pieces[i]);
}

/* One register is a scalar, several a struct of equal elements, which libffi
 * stores one after the other. */
static void
lower_result_registers(struct frti_lowering *lowering,
                       const struct frti_travel *travel)
{
    bool is_general = travel->pieces[0].storage == FRT_STORAGE_GPR;
    ffi_type *type =
        is_general ? &ffi_type_uint64 : lower_vector_type(&travel->pieces[0]);
    ffi_type *elements[FRTI_PIECES];
    size_t count = travel->piece_count;

    for (size_t i = 0; i < count; i++)
        elements[i] = type;
    frti_lower_result_slot(
        lowering,
        count == 1 ? type
                   : frti_lower_struct(lowering, count * type->size,
                                       type->alignment, elements, count),
        16 * FRTI_PIECES);
    for (size_t i = 0; i < count; i++)
        frti_lower_part(lowering, i * type->size, &travel->pieces[i]);
}

static void
lower_result(struct frti_lowering *lowering, const struct frti_travel *travel)
{
    ffi_type *const large[] = {&ffi_type_uint64, &ffi_type_uint64,
                               &ffi_type_uint64};

    lowering->result_type = &ffi_type_void;
    if (travel->way == FRT_WAY_REFERENCE) { /* libffi passes x8 */
        lowering->result_type = frti_lower_struct(lowering, 24, 8, large, 3);
        lowering->result_way = FRTI_RESULT_DIRECT;
    } else if (travel->way == FRT_WAY_VALUE) {
        lower_result_registers(lowering, travel);
    }
}

frt_status
frti_lower_plan(struct frti_lowering *lowering, const struct frti_plan *plan)
{
    struct counts counts = {.filler = frti_lower_slot(lowering, 16, 16)};

    lower_result(lowering, &plan->result);
    for (size_t i = 0; i < plan->count; i++)
        lower_argument(lowering, &counts, plan, i);
    return lowering->status;
}
