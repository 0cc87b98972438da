/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A stub for AAPCS64:
 *
 *     x0 target, x1 result, x2 arguments          as it is entered
 *     x16 target, [x29 - 8] result, x9 arguments  while it runs
 *
 *     | outgoing stack area | copies | ... | result | x29 | x30 |
 *     ^ sp                                          ^ x29
 *
 * What an argument does not displace stays where it came, and a slot for the
 * result's address is there only where registers have to be stored in it.
 * Copies and stack pieces go first; then the vector registers, then the general
 * ones. x10 to x13 and v16 are for copying.
 */
#include "abi/aarch64/assembler.h"
#include "abi/abi.h"

#define EMIT_PAGE 4096
/* A copy of more bytes is a loop. */
#define EMIT_COPY_LOOP 256

static const struct a64_place emit_result_slot = {A64_X29, -8};

static struct a64_place
at(enum a64_register base, size_t offset)
{
    return (struct a64_place){base, (int)offset};
}

/* The registers of what came in x0 and x2: arguments may displace them. */
struct emission {
    struct frti_emitter *e;
    unsigned target;
    unsigned arguments;
};

static struct emission
emission_of(struct frti_emitter *e, const struct frti_plan *plan)
{
    return (struct emission){.e = e,
                             .target = plan->gprs > 0 ? A64_X16 : 0,
                             .arguments = plan->gprs > 2 ? A64_X9 : 2};
}

/* The address of argument `index`, to x10. */
static void
emit_argument_address(const struct emission *emission, size_t index)
{
    frti_a64_load_element(emission->e, A64_X10, emission->arguments, index);
}

static size_t
emit_round_up(size_t value, size_t alignment)
{
    return (value + alignment - 1) & ~(alignment - 1);
}

/* ------------------------------------------------------------ frames --- */

/* Where the copies of what travels by reference are, above the stack area. */
struct frame {
    size_t size;
    size_t alignment;
};

/* The copy of an argument goes to the next place; *end is past it. */
static size_t
frame_copy_place(size_t *end, const struct frti_travel *travel)
{
    size_t alignment = frti_travel_alignment(travel);
    size_t place = emit_round_up(*end, alignment < 8 ? 8 : alignment);

    *end = place + frt_layout_size(travel->layout);
    return place;
}

static struct frame
frame_of(const struct frti_plan *plan)
{
    struct frame frame = {.alignment = 16};
    size_t end = plan->stack_size;

    for (size_t i = 0; i < plan->count; i++)
        if (plan->arguments[i].way == FRT_WAY_REFERENCE) {
            size_t alignment = frti_travel_alignment(&plan->arguments[i]);

            (void)frame_copy_place(&end, &plan->arguments[i]);
            if (alignment > frame.alignment)
                frame.alignment = alignment;
        }
    frame.size = emit_round_up(end, frame.alignment) +
                 (plan->result.way == FRT_WAY_VALUE ? 16 : 0);
    return frame;
}

/* ------------------------------------------------------------ copies --- */

/* `size` bytes from [x10] to [x11]. */
static void
emit_copy(struct frti_emitter *e, size_t size)
{
    if (size > EMIT_COPY_LOOP) {
        frti_a64_load_number(e, A64_X13, (uint32_t)(size / 16));
        frti_a64_copy_step(e, 16);
        frti_a64_loop(e, 2);
        size %= 16;
    }
    for (size_t step = 16; size != 0;) {
        if (step > size) {
            step /= 2;
            continue;
        }
        frti_a64_copy_step(e, step);
        size -= step;
    }
}

/* --------------------------------------------------- whole registers --- */

/* 3, 5, 6 or 7 bytes: two loads that meet or overlap. */
static void
emit_load_odd(struct frti_emitter *e, unsigned to, size_t offset, size_t size)
{
    size_t half = size < 4 ? 2 : 4;

    frti_a64_load(e, half, false, A64_X11, at(A64_X10, offset));
    frti_a64_load(e, half, false, A64_X12, at(A64_X10, offset + size - half));
    frti_a64_combine(e, to, A64_X11, A64_X12, (unsigned)(8 * (size - half)));
}

static void
emit_load(struct frti_emitter *e, unsigned to, const struct frti_piece *piece)
{
    bool is_whole = (piece->size & (piece->size - 1)) == 0;

    if (is_whole)
        frti_a64_load(e, piece->size, piece->extend == FRT_EXTEND_SIGN, to,
                      at(A64_X10, piece->offset));
    else
        emit_load_odd(e, to, piece->offset, piece->size);
}

static void
emit_vector_load(struct frti_emitter *e, unsigned to,
                 const struct frti_piece *piece)
{
    frti_a64_vector_load(e, piece->size, to, at(A64_X10, piece->offset));
    if (piece->extend == FRT_EXTEND_DOUBLE)
        frti_a64_float_to_double(e, to);
}

/* ------------------------------------------------------------- stack --- */

/* The value at [x10], to its stack place. */
static void
emit_to_stack(struct frti_emitter *e, const struct frti_piece *piece)
{
    frti_a64_add(e, A64_X11, A64_SP, piece->place);
    if (piece->extend == FRT_EXTEND_DOUBLE) {
        emit_vector_load(e, 16, piece);
        frti_a64_vector_store(e, 8, at(A64_X11, 0), 16);
    } else if (piece->extend != FRT_EXTEND_NONE) {
        emit_load(e, A64_X12, piece);
        frti_a64_store(e, 8, at(A64_X11, 0), A64_X12);
    } else {
        emit_copy(e, piece->size);
    }
}

/* A copy of the value at [x10]; its address to the stack, if that is its
 * place. */
static void
emit_reference(struct frti_emitter *e, const struct frti_travel *travel,
               size_t copy)
{
    const struct frti_piece *piece = &travel->pieces[0];

    frti_a64_add(e, A64_X11, A64_SP, (uint32_t)copy);
    emit_copy(e, frt_layout_size(travel->layout));
    if (piece->storage != FRT_STORAGE_STACK)
        return;
    frti_a64_add(e, A64_X12, A64_SP, (uint32_t)copy);
    frti_a64_add(e, A64_X11, A64_SP, piece->place);
    frti_a64_store(e, 8, at(A64_X11, 0), A64_X12);
}

static void
emit_memory(const struct emission *emission, const struct frti_plan *plan)
{
    size_t end = plan->stack_size;

    for (size_t i = 0; i < plan->count; i++) {
        const struct frti_travel *travel = &plan->arguments[i];

        if (travel->way == FRT_WAY_NONE ||
            (travel->way == FRT_WAY_VALUE &&
             travel->pieces[0].storage != FRT_STORAGE_STACK))
            continue;
        emit_argument_address(emission, i);
        if (travel->way == FRT_WAY_REFERENCE)
            emit_reference(emission->e, travel, frame_copy_place(&end, travel));
        else
            emit_to_stack(emission->e, &travel->pieces[0]);
    }
}

/* --------------------------------------------------------- registers --- */

static void
emit_pieces(const struct emission *emission, const struct frti_travel *travel,
            size_t index, frt_storage storage)
{
    struct frti_emitter *e = emission->e;

    if (travel->piece_count == 0 || travel->pieces[0].storage != storage)
        return;
    emit_argument_address(emission, index);
    for (size_t i = 0; i < travel->piece_count; i++)
        if (storage == FRT_STORAGE_GPR)
            emit_load(e, travel->pieces[i].place, &travel->pieces[i]);
        else
            emit_vector_load(e, travel->pieces[i].place, &travel->pieces[i]);
}

static void
emit_registers(const struct emission *emission, const struct frti_plan *plan)
{
    size_t end = plan->stack_size;

    for (size_t i = 0; i < plan->count; i++)
        if (plan->arguments[i].way == FRT_WAY_VALUE)
            emit_pieces(emission, &plan->arguments[i], i, FRT_STORAGE_FPR);
    for (size_t i = 0; i < plan->count; i++) {
        const struct frti_travel *travel = &plan->arguments[i];

        if (travel->way == FRT_WAY_VALUE) {
            emit_pieces(emission, travel, i, FRT_STORAGE_GPR);
        } else if (travel->way == FRT_WAY_REFERENCE) {
            size_t copy = frame_copy_place(&end, travel);

            if (travel->pieces[0].storage == FRT_STORAGE_GPR)
                frti_a64_add(emission->e, travel->pieces[0].place, A64_SP,
                             (uint32_t)copy);
        }
    }
}

/* ------------------------------------------------------------ result --- */

/* `size` bytes of a register, low to high; it is lost. */
static void
emit_store(struct frti_emitter *e, unsigned from,
           const struct frti_piece *piece)
{
    size_t offset = piece->offset;
    size_t left = piece->size;

    for (size_t step = 8; left != 0; step /= 2) {
        if (left < step)
            continue;
        frti_a64_store(e, step, at(A64_X10, offset), from);
        offset += step;
        left -= step;
        if (left != 0)
            frti_a64_shift_right(e, from, (unsigned)(8 * step));
    }
}

static void
emit_result(struct frti_emitter *e, const struct frti_travel *travel)
{
    if (travel->way != FRT_WAY_VALUE)
        return;
    frti_a64_load(e, 8, false, A64_X10, emit_result_slot);
    for (size_t i = 0; i < travel->piece_count; i++) {
        const struct frti_piece *piece = &travel->pieces[i];

        if (piece->storage == FRT_STORAGE_GPR)
            emit_store(e, piece->place, piece);
        else
            frti_a64_vector_store(e, piece->size, at(A64_X10, piece->offset),
                                  piece->place);
    }
}

/* ------------------------------------------------------------- frame --- */

/* Page by page, each touched, so that the guard page is met. */
static void
emit_probes(struct frti_emitter *e, size_t pages)
{
    frti_a64_load_number(e, A64_X13, (uint32_t)pages);
    frti_a64_subtract(e, A64_SP, A64_SP, EMIT_PAGE);
    frti_a64_store(e, 8, at(A64_SP, 0), A64_ZERO);
    frti_a64_loop(e, 2);
}

static void
emit_grow_stack(struct frti_emitter *e, const struct frame *frame)
{
    size_t size = frame->size;

    if (size == 0)
        return;
    if (size > EMIT_PAGE) {
        emit_probes(e, size / EMIT_PAGE);
        size %= EMIT_PAGE;
    }
    if (frame->alignment <= 16) {
        frti_a64_subtract(e, A64_SP, A64_SP, (uint32_t)size);
        return;
    }
    frti_a64_subtract(e, A64_X10, A64_SP, (uint32_t)size);
    frti_a64_align_to_stack(e, A64_X10, frame->alignment);
}

/* The way out for a NULL target, then the entry. */
static void
emit_entry(struct frti_emitter *e)
{
    static const uint32_t leave[] = {
        0x58000050, /* ldr x16, the address */
        0xd61f0200, /* br x16 */
    };
    static const uint32_t check[] = {
        0xd503245f, /* bti c */
        0xb4ffff60, /* cbz x0, to the first byte */
        0xa9bf7bfd, /* stp x29, x30, [sp, #-16]! */
        0x910003fd, /* mov x29, sp */
    };

    frti_emit_bytes(e, leave, sizeof leave);
    frti_emit_64(e, (uint64_t)(uintptr_t)frti_stub_refuse);
    frti_emit_bytes(e, check, sizeof check);
}

/* What came in registers goes where the arguments leave it alone. */
static void
emit_set_aside(const struct emission *emission, const struct frti_plan *plan)
{
    if (plan->result.way == FRT_WAY_VALUE)
        frti_a64_store(emission->e, 8, emit_result_slot, 1);
    if (plan->result.way == FRT_WAY_REFERENCE)
        frti_a64_move(emission->e, A64_X8, 1);
    if (plan->count != 0 && emission->arguments != 2)
        frti_a64_move(emission->e, emission->arguments, 2);
    if (emission->target != 0)
        frti_a64_move(emission->e, emission->target, 0);
}

static void
emit_leave(struct frti_emitter *e, const struct frame *frame)
{
    static const uint32_t leave[] = {
        0xa8c17bfd, /* ldp x29, x30, [sp], #16 */
        0x52800000, /* mov w0, #0: FRT_OK */
        0xd65f03c0, /* ret */
    };

    if (frame->size != 0)
        frti_a64_add(e, A64_SP, A64_X29, 0);
    frti_emit_bytes(e, leave, sizeof leave);
}

void
frti_aarch64_emit(struct frti_emitter *emitter, const struct frti_plan *plan)
{
    const struct emission emission = emission_of(emitter, plan);
    const struct frame frame = frame_of(plan);

    emit_entry(emitter);
    emit_grow_stack(emitter, &frame);
    emit_set_aside(&emission, plan);
    emit_memory(&emission, plan);
    emit_registers(&emission, plan);
    frti_a64_call(emitter, emission.target);
    emit_result(emitter, &plan->result);
    emit_leave(emitter, &frame);
}
