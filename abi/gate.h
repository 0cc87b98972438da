/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The gates of this CPU, as data: where a gate's register image has what, and
 * which gate a plan needs. The build chooses the file, CPU/gate.c.
 *
 * An image has the argument registers as they came, the address of the stack
 * arguments, and room for the result's registers. It is 32-aligned.
 */
#ifndef FRTI_ABI_GATE_H
#define FRTI_ABI_GATE_H

#include <stddef.h>
#include <stdint.h>

#include "abi/plan.h"

struct frti_gate_image {
    uint32_t gprs; /* offsets; 8 bytes each */
    uint32_t fprs; /* `fpr_stride` bytes each */
    uint32_t stack;
    uint32_t gpr_results;
    uint32_t fpr_results;
    uint32_t x87_results; /* 16 bytes each */
    uint32_t fpr_stride;
    uint32_t results; /* all three, and their size */
    uint32_t results_size;
};

extern const struct frti_gate_image frti_gate_image;

struct frti_gate_choice {
    const void *gate;
    unsigned exit; /* what receive tells the gate for this plan's result */
};

/*   -> UNSUPPORTED (no gates on this CPU, registers that it lacks) */
frt_status frti_gate_choose(struct frti_gate_choice *out,
                            const struct frti_plan *plan);

/* The table in our text, and the distance between two entries. */
extern const unsigned char frti_entries[];
extern const size_t frti_entry_step;

#endif
