/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The few x86-64 instructions that a stub is made of, one function each.
 *
 * Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2 (June
 * 2023), has the encodings.
 */
#ifndef FRTI_ABI_X86_64_ASSEMBLER_H
#define FRTI_ABI_X86_64_ASSEMBLER_H

#include "abi/emitter.h"

enum x86_register {
    X86_RAX,
    X86_RCX,
    X86_RDX,
    X86_RBX,
    X86_RSP,
    X86_RBP,
    X86_RSI,
    X86_RDI,
    X86_R8,
    X86_R9,
    X86_R10,
    X86_R11
};

/* [base + offset] */
struct x86_place {
    enum x86_register base;
    uint32_t offset;
};

/* How a load fills the register. */
enum x86_load {
    X86_LOAD_64,
    X86_LOAD_32, /* the upper half becomes 0 */
    X86_LOAD_32_SIGNED,
    X86_LOAD_16,
    X86_LOAD_16_SIGNED,
    X86_LOAD_8,
    X86_LOAD_8_SIGNED,
};

/* Moves between a vector register and memory, by their width. */
enum x86_vector_move {
    X86_MOVE_SS,
    X86_MOVE_SD,
    X86_MOVE_UPS, /* 16 bytes of any alignment */
    X86_MOVE_YMM, /* 32, of any alignment; AVX, registers below 8 */
};

void frti_x86_load(struct frti_emitter *e, enum x86_load how,
                   enum x86_register to, struct x86_place from);
/* `size` 1, 2, 4 or 8. */
void frti_x86_store(struct frti_emitter *e, size_t size, struct x86_place to,
                    enum x86_register from);
void frti_x86_move(struct frti_emitter *e, enum x86_register to,
                   enum x86_register from);
void frti_x86_address(struct frti_emitter *e, enum x86_register to,
                      struct x86_place from);
void frti_x86_shift_left(struct frti_emitter *e, enum x86_register of,
                         uint8_t bits);
void frti_x86_shift_right(struct frti_emitter *e, enum x86_register of,
                          uint8_t bits);
void frti_x86_or(struct frti_emitter *e, enum x86_register to,
                 enum x86_register from);
void frti_x86_load_number(struct frti_emitter *e, enum x86_register to,
                          uint32_t value);

void frti_x86_vector_load(struct frti_emitter *e, enum x86_vector_move how,
                          unsigned to, struct x86_place from);
void frti_x86_vector_store(struct frti_emitter *e, enum x86_vector_move how,
                           struct x86_place to, unsigned from);
void frti_x86_float_to_double(struct frti_emitter *e, unsigned to,
                              struct x86_place from);
/* The upper halves of all vector registers: what follows is not AVX. */
void frti_x86_clear_upper_halves(struct frti_emitter *e);
void frti_x86_vector_clear(struct frti_emitter *e, unsigned vector);
/* A 16-bit word of a vector register. */
void frti_x86_word_insert(struct frti_emitter *e, unsigned to,
                          struct x86_place from, uint8_t index);
void frti_x86_word_extract(struct frti_emitter *e, enum x86_register to,
                           unsigned from, uint8_t index);
void frti_x86_call(struct frti_emitter *e, enum x86_register target);
/* Pops st(0) as 10 bytes. */
void frti_x86_x87_store(struct frti_emitter *e, struct x86_place to);

#endif
