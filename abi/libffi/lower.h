/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Lowering: a plan becomes carriers, values that libffi cannot get wrong.
 *
 * A carrier is one argument of the prepared cif. Its bytes are the caller's
 * own argument, or a slot of the run's scratch memory that moves fill first:
 *
 *   scratch:  | values[carriers] | slots ... | result slot |
 *
 * The build chooses one lowering for the CPU: lower_x86_64.c, lower_aarch64.c,
 * or lower_plain.c, which trusts libffi's own classification.
 */
#ifndef FRTI_ABI_LIBFFI_LOWER_H
#define FRTI_ABI_LIBFFI_LOWER_H

#include <ffi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/plan.h"
#include "ffi_rt/ffi_rt.h"

struct frti_carrier {
    ffi_type *type;
    bool is_direct; /* the caller's argument itself */
    uint32_t place; /* its index; or the slot's offset in the scratch */
};

struct frti_move {
    uint32_t argument;
    uint32_t offset; /* in the argument's bytes */
    uint32_t size;
    uint32_t slot;      /* offset in the scratch */
    uint8_t extend;     /* frt_extend: fills 8 bytes unless NONE */
    bool is_address;    /* the slot gets the address of `copy` */
    uint32_t copy;      /* offset in the scratch, filled from the argument */
    uint32_t alignment; /* of the copy */
};

/* Bytes of the result that libffi stores, and where they belong. */
struct frti_part {
    uint32_t slot;
    uint32_t offset;
    uint32_t size;
};

enum frti_result_way {
    FRTI_RESULT_NONE,   /* nothing comes back */
    FRTI_RESULT_DIRECT, /* libffi writes the result's place itself */
    FRTI_RESULT_SLOT    /* libffi writes a slot; parts of it are copied */
};

/* A type of ours for libffi: preset size and alignment. */
struct frti_own_type {
    ffi_type type;
    struct frti_own_type *next;
    size_t count;
    ffi_type *elements[]; /* and a NULL */
};

/* Grows while a plan is lowered; then the call keeps it. */
struct frti_lowering {
    struct frti_carrier *carriers;
    size_t carrier_count;
    size_t carrier_capacity;
    struct frti_move *moves;
    size_t move_count;
    size_t move_capacity;
    struct frti_own_type *own_types;
    ffi_type **types; /* of the carriers, once a cif is made */
    ffi_type *result_type;
    enum frti_result_way result_way;
    size_t fixed_count; /* of carriers before a `...`, where libffi has to know;
                           else 0 */
    bool has_result_argument; /* carrier 0 is the address of the result */
    size_t result_slot;
    struct frti_part parts[FRTI_PIECES];
    size_t part_count;
    size_t slot_size;  /* of all slots so far */
    frt_status status; /* of the first step that failed */
};

/* Fills `lowering` (zeroed by the caller, who frees it whatever happens). The
 * status says what libffi cannot be led to pass.   -> NO_MEMORY, UNSUPPORTED */
frt_status frti_lower(struct frti_lowering *lowering,
                      const frt_descriptor *descriptor);
/* The part of it that differs between conventions. */
frt_status frti_lower_plan(struct frti_lowering *lowering,
                           const struct frti_plan *plan);
/* libffi's own description; it lasts as long as the lowering.
 *   -> NO_MEMORY, UNSUPPORTED */
frt_status frti_lowering_make_cif(ffi_cif *out, struct frti_lowering *lowering);
void frti_lowering_free(struct frti_lowering *lowering);

/* The steps; after a failure they do nothing. */
size_t frti_lower_slot(struct frti_lowering *lowering, size_t size,
                       size_t alignment);
void frti_lower_carrier(struct frti_lowering *lowering, ffi_type *type,
                        bool is_direct, size_t place);
void frti_lower_move(struct frti_lowering *lowering, struct frti_move move);
/* A slot of its own for bytes of an argument, and its carrier. */
void frti_lower_piece(struct frti_lowering *lowering, ffi_type *type,
                      size_t argument, const struct frti_piece *piece);
/* The address of a copy of an argument, and its carrier. */
void frti_lower_reference(struct frti_lowering *lowering, size_t argument,
                          const struct frti_travel *travel);
/* NULL after a failure. Without `elements` the caller fills them in. */
ffi_type *frti_lower_struct(struct frti_lowering *lowering, size_t size,
                            size_t alignment, ffi_type *const *elements,
                            size_t count);
/* The result comes back in a slot of `size` bytes. */
void frti_lower_result_slot(struct frti_lowering *lowering, ffi_type *type,
                            size_t size);
void frti_lower_part(struct frti_lowering *lowering, size_t in_slot,
                     const struct frti_piece *piece);

#endif
