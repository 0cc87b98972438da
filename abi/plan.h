/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A call plan: where each value of a signature travels, as data.
 *
 * A value travels in pieces. A piece is a run of the value's bytes and its
 * place: a register, or bytes of the outgoing stack area.
 *
 *   double f(struct { long a; float b; } s, int n)       on x86-64
 *
 *     s    bytes 0-7   -> gpr 0 (rdi)        value, 2 pieces
 *          bytes 8-11  -> fpr 0 (xmm0)
 *     n    bytes 0-3   -> gpr 1 (rsi)        value, 1 piece, sign-extended
 *     result  bytes 0-7 <- fpr 0 (xmm0)
 *
 * Register numbers count the convention's registers in its own order; its
 * table has their names. Results count from the first result register.
 * A plan is immutable once it has been verified, and knows no machine: any
 * convention's plan can be made and printed on any host.
 */
#ifndef FRTI_ABI_PLAN_H
#define FRTI_ABI_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ffi_rt/ffi_rt.h"

struct frti_convention;

struct frti_piece {
    uint8_t storage; /* frt_storage */
    uint8_t extend;  /* frt_extend */
    uint32_t place;  /* register number, or offset in the stack area */
    uint32_t offset; /* in the value */
    uint32_t size;   /* bytes of the value */
};

#define FRTI_PIECES 4

struct frti_travel {
    const frt_layout *layout; /* of the value as the caller gives it */
    uint8_t way;              /* frt_way */
    uint8_t piece_count;
    struct frti_piece pieces[FRTI_PIECES];
};

struct frti_plan {
    const struct frti_convention *convention;
    const frt_descriptor *descriptor; /* kept */
    size_t count;                     /* of arguments */
    size_t stack_size;                /* of the outgoing area, in bytes */
    size_t stack_alignment;           /* it asks of the stack pointer */
    unsigned gprs;                    /* argument registers in use */
    unsigned fprs;
    struct frti_travel result;
    struct frti_travel arguments[];
};

/* Arranges a descriptor by a convention and verifies the plan.
 *   -> NO_MEMORY, UNSUPPORTED (a shape that the convention cannot pass),
 *      OVERFLOW */
frt_status frti_plan_new(struct frti_plan **out,
                         const struct frti_convention *convention,
                         const frt_descriptor *descriptor);
void frti_plan_free(struct frti_plan *plan);

/* Whether nothing is written twice or out of bounds.   -> BAD_LAYOUT */
frt_status frti_plan_verify(const struct frti_plan *plan);

/* A register's name: of a result's own, or of an argument's, which a result's
 * address is, too. NULL: the piece is on the stack. */
const char *frti_piece_name(const struct frti_convention *convention,
                            const struct frti_piece *piece, bool is_result);

/* A line a value, for people and golden tests; as frt_layout_print. */
size_t frti_plan_print(char *buffer, size_t capacity,
                       const struct frti_plan *plan);

/* For the conventions: adds a piece to a travel. */
void frti_travel_add(struct frti_travel *travel, frt_storage storage,
                     size_t place, size_t offset, size_t size);

/* The next place in a stack area that ends at *end, which is moved behind it
 * and up to a multiple of `unit`.   -> OVERFLOW */
frt_status frti_stack_take(size_t *place, size_t *end, size_t size,
                           size_t alignment, size_t unit);

/* How an argument's only piece fills its place: small integers are extended; in
 * `...` a float becomes a double (ISO C11, section 6.5.2.2, paragraph 7). */
void frti_travel_extend(struct frti_travel *travel, bool is_variadic);

/* The alignment that a value has when it travels: `aligned` on a typedef of a
 * whole type adds nothing. */
size_t frti_travel_alignment(const struct frti_travel *travel);

/* The extension that an integer layout of up to 8 bytes has in a register. */
frt_extend frti_extend_of(const frt_layout *layout);

#endif
