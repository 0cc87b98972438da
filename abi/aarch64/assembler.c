/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/aarch64/assembler.h"

/* Loads and stores: the fields size, V and opc of C4.1, "Loads and Stores". */
struct transfer {
    uint32_t size;
    uint32_t vector;
    uint32_t operation;
};

#define TRANSFER_UNSCALED 0x38000000u
#define TRANSFER_POST_INDEX 0x38000400u

static void
emit_transfer(struct frti_emitter *e, uint32_t form,
              const struct transfer *transfer, unsigned reg,
              struct a64_place place)
{
    uint32_t offset = (uint32_t)place.offset & 0x1ff;

    frti_emit_32(e, form | transfer->size << 30 | transfer->vector << 26 |
                        transfer->operation << 22 | offset << 12 |
                        (uint32_t)place.base << 5 | reg);
}

static struct transfer
general_transfer(size_t size, bool is_load, bool is_signed)
{
    return (struct transfer){.size = (uint32_t)__builtin_ctzl(size),
                             .operation = !is_load                 ? 0
                                          : is_signed && size != 8 ? 2
                                                                   : 1};
}

/* 16 bytes have size 0 and another operation. */
static struct transfer
vector_transfer(size_t size, bool is_load)
{
    return (struct transfer){
        .size = size == 16 ? 0 : (uint32_t)__builtin_ctzl(size),
        .vector = 1,
        .operation = (uint32_t)is_load | (size == 16 ? 2u : 0u)};
}

void
frti_a64_load(struct frti_emitter *e, size_t size, bool is_signed, unsigned to,
              struct a64_place from)
{
    struct transfer transfer = general_transfer(size, true, is_signed);

    emit_transfer(e, TRANSFER_UNSCALED, &transfer, to, from);
}

void
frti_a64_store(struct frti_emitter *e, size_t size, struct a64_place to,
               unsigned from)
{
    struct transfer transfer = general_transfer(size, false, false);

    emit_transfer(e, TRANSFER_UNSCALED, &transfer, from, to);
}

void
frti_a64_vector_load(struct frti_emitter *e, size_t size, unsigned to,
                     struct a64_place from)
{
    struct transfer transfer = vector_transfer(size, true);

    emit_transfer(e, TRANSFER_UNSCALED, &transfer, to, from);
}

void
frti_a64_vector_store(struct frti_emitter *e, size_t size, struct a64_place to,
                      unsigned from)
{
    struct transfer transfer = vector_transfer(size, false);

    emit_transfer(e, TRANSFER_UNSCALED, &transfer, from, to);
}

void
frti_a64_copy_step(struct frti_emitter *e, size_t size)
{
    bool is_vector = size == 16;
    unsigned by = is_vector ? 16 : A64_X12;
    struct transfer load = is_vector ? vector_transfer(size, true)
                                     : general_transfer(size, true, false);
    struct transfer store = is_vector ? vector_transfer(size, false)
                                      : general_transfer(size, false, false);

    emit_transfer(e, TRANSFER_POST_INDEX, &load, by,
                  (struct a64_place){A64_X10, (int)size});
    emit_transfer(e, TRANSFER_POST_INDEX, &store, by,
                  (struct a64_place){A64_X11, (int)size});
}

void
frti_a64_load_element(struct frti_emitter *e, unsigned to, unsigned base,
                      size_t index)
{
    if (index < 4096) { /* LDR (immediate, unsigned offset) */
        frti_emit_32(e, 0xf9400000u | (uint32_t)index << 10 | base << 5 | to);
        return;
    }
    frti_a64_load_number(e, to, (uint32_t)index * 8);
    frti_emit_32(e, 0xf8606800u | to << 16 | base << 5 | to);
}

/* -------------------------------------------------------- arithmetic --- */

void
frti_a64_move(struct frti_emitter *e, unsigned to, unsigned from)
{
    frti_emit_32(e, 0xaa0003e0u | from << 16 | to);
}

static void
emit_sum(struct frti_emitter *e, uint32_t form, unsigned to, unsigned from,
         uint32_t value)
{
    uint32_t low = value & 0xfff;
    uint32_t high = value >> 12;

    if (high != 0) {
        frti_emit_32(e, form | 1u << 22 | high << 10 | from << 5 | to);
        from = to;
    }
    if (low != 0 || high == 0)
        frti_emit_32(e, form | low << 10 | from << 5 | to);
}

void
frti_a64_add(struct frti_emitter *e, unsigned to, unsigned from, uint32_t value)
{
    emit_sum(e, 0x91000000u, to, from, value);
}

void
frti_a64_subtract(struct frti_emitter *e, unsigned to, unsigned from,
                  uint32_t value)
{
    emit_sum(e, 0xd1000000u, to, from, value);
}

/* AND (immediate): a run of ones from bit log2(alignment) up. */
void
frti_a64_align_to_stack(struct frti_emitter *e, unsigned from, size_t alignment)
{
    uint32_t zeroes = (uint32_t)__builtin_ctzl(alignment);

    frti_emit_32(e, 0x92400000u | (64 - zeroes) << 16 | (63 - zeroes) << 10 |
                        from << 5 | A64_SP);
}

void
frti_a64_combine(struct frti_emitter *e, unsigned to, unsigned low,
                 unsigned high, unsigned bits)
{
    frti_emit_32(e, 0xaa000000u | high << 16 | bits << 10 | low << 5 | to);
}

void
frti_a64_shift_right(struct frti_emitter *e, unsigned of, unsigned bits)
{
    frti_emit_32(e, 0xd340fc00u | bits << 16 | of << 5 | of);
}

void
frti_a64_load_number(struct frti_emitter *e, unsigned to, uint32_t value)
{
    frti_emit_32(e, 0xd2800000u | (value & 0xffff) << 5 | to);
    if (value >> 16 != 0)
        frti_emit_32(e, 0xf2a00000u | (value >> 16) << 5 | to);
}

void
frti_a64_float_to_double(struct frti_emitter *e, unsigned of)
{
    frti_emit_32(e, 0x1e22c000u | of << 5 | of);
}

void
frti_a64_call(struct frti_emitter *e, unsigned target)
{
    frti_emit_32(e, 0xd63f0000u | target << 5);
}

void
frti_a64_loop(struct frti_emitter *e, unsigned instructions)
{
    uint32_t back = (0u - (instructions + 1)) & 0x7ffff;

    frti_emit_32(e, 0xf1000400u | A64_X13 << 5 | A64_X13); /* subs #1 */
    frti_emit_32(e, 0x54000001u | back << 5);              /* b.ne */
}
