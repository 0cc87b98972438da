/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A stub for System V x86-64:
 *
 *     rdi target, rsi result, rdx arguments          as it is entered
 *     r11 target, [rbp - 8] result, r10 arguments    while it runs
 *
 *     | outgoing stack area | ... | result | rbp | return address |
 *     ^ rsp                                ^ rbp
 *
 * What an argument does not displace stays where it came, and a slot for the
 * result's address is there only where registers have to be stored in it. Stack
 * pieces go first, for they need registers to copy with; then the vector
 * registers, then the general ones.
 */
#include "abi/abi.h"
#include "abi/x86_64/assembler.h"
#include "ffi_rt/base/cpu.h"

#define EMIT_PAGE 4096
/* A copy of more bytes is a string move; of fewer it is moves of 16. */
#define EMIT_COPY_STRING 256

static const enum x86_register emit_gprs[] = {X86_RDI, X86_RSI, X86_RDX,
                                              X86_RCX, X86_R8,  X86_R9};
static const enum x86_register emit_result_gprs[] = {X86_RAX, X86_RDX};

static const struct x86_place emit_result_slot = {X86_RBP, (uint32_t)-8};

/* The registers of what came in rdi and rdx: arguments may displace them. */
struct emission {
    struct frti_emitter *e;
    enum x86_register target;
    enum x86_register arguments;
};

static struct emission
emission_of(struct frti_emitter *e, const struct frti_plan *plan)
{
    return (struct emission){.e = e,
                             .target = plan->gprs > 0 ? X86_R11 : X86_RDI,
                             .arguments = plan->gprs > 2 ? X86_R10 : X86_RDX};
}

static struct x86_place
at(enum x86_register base, size_t offset)
{
    return (struct x86_place){base, (uint32_t)offset};
}

/* The address of argument `index`, to rax. */
static void
emit_argument_address(const struct emission *emission, size_t index)
{
    frti_x86_load(emission->e, X86_LOAD_64, X86_RAX,
                  at(emission->arguments, index * 8));
}

/* --------------------------------------------------- whole registers --- */

static enum x86_load
emit_load_of(const struct frti_piece *piece)
{
    bool is_signed = piece->extend == FRT_EXTEND_SIGN;

    switch (piece->size) {
    case 1:
        return is_signed ? X86_LOAD_8_SIGNED : X86_LOAD_8;
    case 2:
        return is_signed ? X86_LOAD_16_SIGNED : X86_LOAD_16;
    case 4:
        return is_signed ? X86_LOAD_32_SIGNED : X86_LOAD_32;
    default:
        return X86_LOAD_64;
    }
}

/* 3, 5, 6 or 7 bytes: two loads that meet or overlap. rax is lost. */
static void
emit_load_odd(struct frti_emitter *e, enum x86_register to,
              struct x86_place from, size_t size)
{
    size_t half = size < 4 ? 2 : 4;
    enum x86_load load = size < 4 ? X86_LOAD_16 : X86_LOAD_32;

    frti_x86_load(e, load, to, at(from.base, from.offset + size - half));
    frti_x86_load(e, load, X86_RAX, from);
    frti_x86_shift_left(e, to, (uint8_t)(8 * (size - half)));
    frti_x86_or(e, to, X86_RAX);
}

static bool
emit_is_odd(size_t size)
{
    return size != 1 && size != 2 && size != 4 && size != 8;
}

static void
emit_load(struct frti_emitter *e, enum x86_register to,
          const struct frti_piece *piece)
{
    struct x86_place from = at(X86_RAX, piece->offset);

    if (emit_is_odd(piece->size))
        emit_load_odd(e, to, from, piece->size);
    else
        frti_x86_load(e, emit_load_of(piece), to, from);
}

/* 2 or 6 bytes of halves: word by word. */
static void
emit_vector_load_words(struct frti_emitter *e, unsigned to,
                       struct x86_place from, size_t size)
{
    size_t done = 0;

    if (size >= 4) {
        frti_x86_vector_load(e, X86_MOVE_SS, to, from);
        done = 4;
    } else {
        frti_x86_vector_clear(e, to);
    }
    for (; done < size; done += 2)
        frti_x86_word_insert(e, to, at(from.base, from.offset + done),
                             (uint8_t)(done / 2));
}

static void
emit_vector_load(struct frti_emitter *e, unsigned to,
                 const struct frti_piece *piece)
{
    struct x86_place from = at(X86_RAX, piece->offset);

    if (piece->extend == FRT_EXTEND_DOUBLE)
        frti_x86_float_to_double(e, to, from);
    else if (piece->size == 32)
        frti_x86_vector_load(e, X86_MOVE_YMM, to, from);
    else if (piece->size == 16)
        frti_x86_vector_load(e, X86_MOVE_UPS, to, from);
    else if (piece->size == 8)
        frti_x86_vector_load(e, X86_MOVE_SD, to, from);
    else if (piece->size == 4)
        frti_x86_vector_load(e, X86_MOVE_SS, to, from);
    else
        emit_vector_load_words(e, to, from, piece->size);
}

/* ------------------------------------------------------------- stack --- */

/* rdi and rsi are kept: the target and the result may still be there. */
static void
emit_copy_string(struct frti_emitter *e, struct x86_place to,
                 struct x86_place from, size_t size)
{
    static const uint8_t rep_movsb[] = {0xf3, 0xa4};

    frti_x86_move(e, X86_R8, X86_RDI);
    frti_x86_move(e, X86_R9, X86_RSI);
    frti_x86_address(e, X86_RDI, to);
    frti_x86_address(e, X86_RSI, from);
    frti_x86_load_number(e, X86_RCX, (uint32_t)size);
    frti_emit_bytes(e, rep_movsb, sizeof rep_movsb);
    frti_x86_move(e, X86_RDI, X86_R8);
    frti_x86_move(e, X86_RSI, X86_R9);
}

/* The largest step of 16, 8, 4, 2, 1. */
static size_t
emit_copy_step(size_t left)
{
    size_t step = 16;

    while (step > left)
        step /= 2;
    return step;
}

/* Exactly `size` bytes, by rcx and xmm0. */
static void
emit_copy(struct frti_emitter *e, struct x86_place to, struct x86_place from,
          size_t size)
{
    static const enum x86_load loads[] = {[1] = X86_LOAD_8,
                                          [2] = X86_LOAD_16,
                                          [4] = X86_LOAD_32,
                                          [8] = X86_LOAD_64};

    if (size > EMIT_COPY_STRING) {
        emit_copy_string(e, to, from, size);
        return;
    }
    while (size != 0) {
        size_t step = emit_copy_step(size);

        if (step == 16) {
            frti_x86_vector_load(e, X86_MOVE_UPS, 0, from);
            frti_x86_vector_store(e, X86_MOVE_UPS, to, 0);
        } else {
            frti_x86_load(e, loads[step], X86_RCX, from);
            frti_x86_store(e, step, to, X86_RCX);
        }
        from.offset += (uint32_t)step;
        to.offset += (uint32_t)step;
        size -= step;
    }
}

static void
emit_to_stack(struct frti_emitter *e, const struct frti_piece *piece)
{
    struct x86_place to = at(X86_RSP, piece->place);
    struct x86_place from = at(X86_RAX, piece->offset);

    if (piece->extend == FRT_EXTEND_DOUBLE) {
        frti_x86_float_to_double(e, 0, from);
        frti_x86_vector_store(e, X86_MOVE_SD, to, 0);
    } else if (piece->extend != FRT_EXTEND_NONE) {
        emit_load(e, X86_RCX, piece);
        frti_x86_store(e, 8, to, X86_RCX);
    } else {
        emit_copy(e, to, from, piece->size);
    }
}

/* --------------------------------------------------------- arguments --- */

static void
emit_to_register(struct frti_emitter *e, const struct frti_piece *piece)
{
    if (piece->storage == FRT_STORAGE_GPR)
        emit_load(e, emit_gprs[piece->place], piece);
    else
        emit_vector_load(e, piece->place, piece);
}

/* The pieces of one argument that go to one kind of place. */
static void
emit_pieces(const struct emission *emission, const struct frti_travel *travel,
            size_t index, frt_storage storage)
{
    bool has_address = false;

    for (size_t i = 0; i < travel->piece_count; i++) {
        const struct frti_piece *piece = &travel->pieces[i];

        if (piece->storage != storage)
            continue;
        if (!has_address)
            emit_argument_address(emission, index);
        has_address = true;
        if (storage == FRT_STORAGE_STACK)
            emit_to_stack(emission->e, piece);
        else
            emit_to_register(emission->e, piece);
    }
}

static void
emit_arguments(const struct emission *emission, const struct frti_plan *plan)
{
    static const frt_storage order[] = {FRT_STORAGE_STACK, FRT_STORAGE_FPR,
                                        FRT_STORAGE_GPR};

    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < plan->count; i++)
            emit_pieces(emission, &plan->arguments[i], i, order[k]);
}

/* ------------------------------------------------------------ result --- */

/* `size` bytes of a register, low to high; it is lost. */
static void
emit_store(struct frti_emitter *e, enum x86_register from,
           const struct frti_piece *piece)
{
    size_t offset = piece->offset;
    size_t left = piece->size;

    for (size_t step = 8; left != 0; step /= 2) {
        if (left < step)
            continue;
        frti_x86_store(e, step, at(X86_RCX, offset), from);
        offset += step;
        left -= step;
        if (left != 0)
            frti_x86_shift_right(e, from, (uint8_t)(8 * step));
    }
}

static void
emit_vector_store(struct frti_emitter *e, unsigned from,
                  const struct frti_piece *piece)
{
    struct x86_place to = at(X86_RCX, piece->offset);
    size_t done = 0;

    if (piece->size >= 8) {
        frti_x86_vector_store(e,
                              piece->size == 32   ? X86_MOVE_YMM
                              : piece->size == 16 ? X86_MOVE_UPS
                                                  : X86_MOVE_SD,
                              to, from);
        return;
    }
    if (piece->size >= 4) {
        frti_x86_vector_store(e, X86_MOVE_SS, to, from);
        done = 4;
    }
    for (; done < piece->size; done += 2) {
        frti_x86_word_extract(e, X86_R8, from, (uint8_t)(done / 2));
        frti_x86_store(e, 2, at(X86_RCX, piece->offset + done), X86_R8);
    }
}

static void
emit_result(struct frti_emitter *e, const struct frti_travel *travel)
{
    if (travel->way != FRT_WAY_VALUE)
        return;
    frti_x86_load(e, X86_LOAD_64, X86_RCX, emit_result_slot);
    for (size_t i = 0; i < travel->piece_count; i++) {
        const struct frti_piece *piece = &travel->pieces[i];

        if (piece->storage == FRT_STORAGE_GPR)
            emit_store(e, emit_result_gprs[piece->place], piece);
        else if (piece->storage == FRT_STORAGE_FPR)
            emit_vector_store(e, piece->place, piece);
        else
            frti_x86_x87_store(e, at(X86_RCX, piece->offset));
        if (piece->size == 32)
            frti_x86_clear_upper_halves(e);
    }
}

/* ------------------------------------------------------------- frame --- */

/* sub or add (by its opcode's extension) rsp, size */
static void
emit_move_stack(struct frti_emitter *e, uint8_t which, size_t size)
{
    const uint8_t form[] = {0x48, size <= INT8_MAX ? 0x83 : 0x81,
                            (uint8_t)(0xc4 | which << 3)};

    frti_emit_bytes(e, form, sizeof form);
    if (size <= INT8_MAX)
        frti_emit_8(e, (uint8_t)size);
    else
        frti_emit_32(e, (uint32_t)size);
}

static void
emit_grow_stack(struct frti_emitter *e, size_t size)
{
    emit_move_stack(e, 5, size);
}

/* Page by page, each touched, so that the guard page is met. */
static void
emit_grow_stack_probed(struct frti_emitter *e, size_t size)
{
    static const uint8_t loop[] = {
        0x48, 0x81, 0xec, 0x00, 0x10, 0x00, 0x00, /* sub rsp, 4096 */
        0x48, 0x83, 0x0c, 0x24, 0x00,             /* or qword [rsp], 0 */
        0xff, 0xc8,                               /* dec eax */
        0x75, 0xf0,                               /* jnz to the start */
    };

    frti_x86_load_number(e, X86_RAX, (uint32_t)(size / EMIT_PAGE));
    frti_emit_bytes(e, loop, sizeof loop);
    if (size % EMIT_PAGE != 0)
        emit_grow_stack(e, size % EMIT_PAGE);
}

/* The result's slot, the stack area, and what keeps the stack aligned. */
static size_t
emit_frame_size(const struct frti_plan *plan)
{
    size_t slot = plan->result.way == FRT_WAY_VALUE ? 16 : 0;
    size_t alignment = plan->stack_alignment;
    size_t area = (plan->stack_size + alignment - 1) & ~(alignment - 1);

    return slot + area + (alignment > 16 ? alignment - 16 : 0);
}

static void
emit_make_frame(struct frti_emitter *e, size_t size)
{
    static const uint8_t pointer[] = {
        0x55,             /* push rbp */
        0x48, 0x89, 0xe5, /* mov rbp, rsp */
    };

    frti_emit_bytes(e, pointer, sizeof pointer);
    if (size > EMIT_PAGE)
        emit_grow_stack_probed(e, size);
    else if (size != 0)
        emit_grow_stack(e, size);
}

/* and rsp, -alignment */
static void
emit_align_stack(struct frti_emitter *e, size_t alignment)
{
    static const uint8_t form[] = {0x48, 0x81, 0xe4};

    if (alignment <= 16)
        return;
    frti_emit_bytes(e, form, sizeof form);
    frti_emit_32(e, (uint32_t)-alignment);
}

/* The way out for a NULL target, then the entry. */
static void
emit_entry(struct frti_emitter *e)
{
    static const uint8_t load[] = {0x48, 0xb8}; /* mov rax, ... */
    static const uint8_t leave[] = {
        0xff, 0xe0,             /* jmp rax */
        0xcc, 0xcc, 0xcc, 0xcc, /* never reached */
    };
    static const uint8_t check[] = {
        0xf3, 0x0f, 0x1e, 0xfa, /* endbr64 */
        0x48, 0x85, 0xff,       /* test rdi, rdi */
        0x74, 0xe7,             /* jz to the first byte */
    };

    frti_emit_bytes(e, load, sizeof load);
    frti_emit_64(e, (uint64_t)(uintptr_t)frti_stub_refuse);
    frti_emit_bytes(e, leave, sizeof leave);
    frti_emit_bytes(e, check, sizeof check);
}

/* What came in registers goes where the arguments leave it alone. */
static void
emit_set_aside(const struct emission *emission, const struct frti_plan *plan)
{
    if (plan->result.way == FRT_WAY_VALUE)
        frti_x86_store(emission->e, 8, emit_result_slot, X86_RSI);
    if (plan->count != 0 && emission->arguments != X86_RDX)
        frti_x86_move(emission->e, emission->arguments, X86_RDX);
    if (emission->target != X86_RDI)
        frti_x86_move(emission->e, emission->target, X86_RDI);
    if (plan->result.way == FRT_WAY_REFERENCE)
        frti_x86_move(emission->e, X86_RDI, X86_RSI);
}

static void
emit_call(const struct emission *emission, const struct frti_plan *plan)
{
    /* psABI section 3.2.3: the vector registers in use, in al */
    if (frt_descriptor_is_variadic(plan->descriptor))
        frti_x86_load_number(emission->e, X86_RAX, plan->fprs);
    frti_x86_call(emission->e, emission->target);
}

/* By rsp where it is known: rbp has only just been loaded by the callee. */
static void
emit_leave(struct frti_emitter *e, size_t frame, size_t alignment)
{
    static const uint8_t leave[] = {
        0x5d,       /* pop rbp */
        0x31, 0xc0, /* xor eax, eax: FRT_OK */
        0xc3,       /* ret */
    };
    static const uint8_t restore[] = {0x48, 0x89, 0xec}; /* mov rsp, rbp */

    if (alignment > 16)
        frti_emit_bytes(e, restore, sizeof restore);
    else if (frame != 0)
        emit_move_stack(e, 0, frame);
    frti_emit_bytes(e, leave, sizeof leave);
}

/* psABI section 3.2.1: a vector of 32 bytes is in the whole of a register. */
static bool
emit_is_wide(const struct frti_travel *travel)
{
    return travel->piece_count == 1 && travel->pieces[0].size == 32 &&
           travel->pieces[0].storage == FRT_STORAGE_FPR;
}

static void
emit_check_machine(struct frti_emitter *e, const struct frti_plan *plan)
{
    bool is_wide = emit_is_wide(&plan->result);

    for (size_t i = 0; i < plan->count; i++)
        is_wide = is_wide || emit_is_wide(&plan->arguments[i]);
    if (is_wide && !frti_cpu_has_wide_vectors())
        e->refusal = "vectors of 32 bytes by value need a CPU with AVX";
}

void
frti_x86_64_emit(struct frti_emitter *emitter, const struct frti_plan *plan)
{
    const struct emission emission = emission_of(emitter, plan);
    size_t frame = emit_frame_size(plan);

    emit_check_machine(emitter, plan);
    emit_entry(emitter);
    emit_make_frame(emitter, frame);
    emit_align_stack(emitter, plan->stack_alignment);
    emit_set_aside(&emission, plan);
    emit_arguments(&emission, plan);
    emit_call(&emission, plan);
    emit_result(emitter, &plan->result);
    emit_leave(emitter, frame, plan->stack_alignment);
}
