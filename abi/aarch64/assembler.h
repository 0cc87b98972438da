/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The few A64 instructions that a stub is made of, one function each.
 *
 * Arm Architecture Reference Manual for A-profile architecture (DDI 0487J.a),
 * chapter C6 and C7, has the encodings.
 */
#ifndef FRTI_ABI_AARCH64_ASSEMBLER_H
#define FRTI_ABI_AARCH64_ASSEMBLER_H

#include "abi/emitter.h"

/* x0 to x30 by number. 31 is sp as an address and in sums, else the zero. */
enum a64_register {
    A64_X0 = 0,
    A64_X8 = 8,
    A64_X9,
    A64_X10,
    A64_X11,
    A64_X12,
    A64_X13,
    A64_X16 = 16,
    A64_X29 = 29,
    A64_SP = 31,
    A64_ZERO = 31
};

/* [base + offset], -256 to 255 */
struct a64_place {
    enum a64_register base;
    int offset;
};

/* `size` 1, 2, 4 or 8; a load fills the whole register. */
void frti_a64_load(struct frti_emitter *e, size_t size, bool is_signed,
                   unsigned to, struct a64_place from);
void frti_a64_store(struct frti_emitter *e, size_t size, struct a64_place to,
                    unsigned from);
/* `size` 2, 4, 8 or 16 of a vector register. */
void frti_a64_vector_load(struct frti_emitter *e, size_t size, unsigned to,
                          struct a64_place from);
void frti_a64_vector_store(struct frti_emitter *e, size_t size,
                           struct a64_place to, unsigned from);
/* `size` 1, 2, 4, 8 (by x12) or 16 (by v16) bytes from [x10] to [x11], both
 * advanced. */
void frti_a64_copy_step(struct frti_emitter *e, size_t size);
/* The 8 bytes at base + 8 * index. */
void frti_a64_load_element(struct frti_emitter *e, unsigned to, unsigned base,
                           size_t index);

void frti_a64_move(struct frti_emitter *e, unsigned to, unsigned from);
/* to = from + value, value below 2^24; either may be sp. */
void frti_a64_add(struct frti_emitter *e, unsigned to, unsigned from,
                  uint32_t value);
void frti_a64_subtract(struct frti_emitter *e, unsigned to, unsigned from,
                       uint32_t value);
/* sp = from, its lowest bits cleared. */
void frti_a64_align_to_stack(struct frti_emitter *e, unsigned from,
                             size_t alignment);
/* to = low | high << bits */
void frti_a64_combine(struct frti_emitter *e, unsigned to, unsigned low,
                      unsigned high, unsigned bits);
void frti_a64_shift_right(struct frti_emitter *e, unsigned of, unsigned bits);
void frti_a64_load_number(struct frti_emitter *e, unsigned to, uint32_t value);
void frti_a64_float_to_double(struct frti_emitter *e, unsigned of);
void frti_a64_call(struct frti_emitter *e, unsigned target);
/* Counts x13 down and goes back by `instructions` until it is 0. */
void frti_a64_loop(struct frti_emitter *e, unsigned instructions);

#endif
