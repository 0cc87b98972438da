/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The gates of this CPU, as data: where a gate's register image has what, and
 * which gate a plan needs. The build chooses the file, CPU/gate.c.
 *
 * A gate saves the argument registers in an image on its stack, calls, and
 * loads the result's registers from the image.
 *
 *     image: | registers ... room for results | return address | arguments ...
 */
#ifndef FRTI_ABI_GATE_H
#define FRTI_ABI_GATE_H

#include <stddef.h>
#include <stdint.h>

#include "abi/plan.h"

struct frti_gate_image {
    uint32_t gprs;  /* offsets; 8 bytes each */
    uint32_t fprs;  /* `fpr_stride` bytes each */
    uint32_t stack; /* the caller's stack arguments, behind the image */
    uint32_t gpr_results;
    uint32_t fpr_results;
    uint32_t x87_results; /* 16 bytes each */
    uint32_t fpr_stride;
    uint32_t results; /* all three, and their size */
    uint32_t results_size;
};

extern const struct frti_gate_image frti_gate_image;

/* How a result of one register is loaded: as it was written, for wider loads
 * wait for the store. A small integer fills its register: callers of clang rely
 * on 32 bits of it. */
enum frti_fill {
    FRTI_FILL_NONE, /* as whole registers */
    FRTI_FILL_I8,
    FRTI_FILL_U8,
    FRTI_FILL_I16,
    FRTI_FILL_U16,
    FRTI_FILL_I32,
    FRTI_FILL_U32,
    FRTI_FILL_FLOAT,
    FRTI_FILLS
};

enum frti_fill frti_fill_of(const struct frti_travel *result);

/*   -> UNSUPPORTED (no gates on this CPU, registers that it lacks) */
frt_status frti_gate_choose(const void **out, const struct frti_plan *plan);

/* The table in our text, and the distance between two entries. */
extern const unsigned char frti_entries[];
extern const size_t frti_entry_step;

#endif
