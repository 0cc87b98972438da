/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/gate.h"

#include "abi/aarch64/gate_image.h"
#include "ffi_rt/base/status.h"

/* Never made: it ties the offsets together. */
struct a64_image {
    _Alignas(16) uint64_t gprs[9];
    uint64_t unused;
    uint64_t gpr_results[2];
    unsigned char fpr_results[4][16];
    unsigned char fprs[8][16];
    uint64_t frame[2];
    uint64_t stack[];
};

_Static_assert(offsetof(struct a64_image, gprs) == A64_IMAGE_GPRS, "gate.S");
_Static_assert(offsetof(struct a64_image, gpr_results) == A64_IMAGE_GPR_RESULTS,
               "gate.S");
_Static_assert(offsetof(struct a64_image, fpr_results) == A64_IMAGE_FPR_RESULTS,
               "gate.S");
_Static_assert(offsetof(struct a64_image, fprs) == A64_IMAGE_FPRS, "gate.S");
_Static_assert(offsetof(struct a64_image, frame) == A64_IMAGE_SIZE, "gate.S");
_Static_assert(offsetof(struct a64_image, stack) == A64_IMAGE_STACK, "gate.S");

const struct frti_gate_image frti_gate_image = {
    .gprs = A64_IMAGE_GPRS,
    .fprs = A64_IMAGE_FPRS,
    .stack = A64_IMAGE_STACK,
    .gpr_results = A64_IMAGE_GPR_RESULTS,
    .fpr_results = A64_IMAGE_FPR_RESULTS,
    .x87_results = 0, /* there are none */
    .fpr_stride = 16,
    .results = A64_IMAGE_GPR_RESULTS,
    .results_size = A64_IMAGE_FPRS - A64_IMAGE_GPR_RESULTS,
};

const size_t frti_entry_step = A64_ENTRY_STEP;

/* A gate each, in this order. */
enum a64_saved {
    A64_SAVED_TWO, /* x0, x1 and x8 */
    A64_SAVED_GENERAL,
    A64_SAVED_VECTOR
};

/* By that and enum frti_fill, of which NONE is x0, x1 and v0 to v3. */
extern const unsigned char frti_aarch64_gates[];

static unsigned
gate_saved(const struct frti_plan *plan)
{
    if (plan->fprs != 0)
        return A64_SAVED_VECTOR;
    return plan->gprs > 2 ? A64_SAVED_GENERAL : A64_SAVED_TWO;
}

frt_status
frti_gate_choose(const void **out, const struct frti_plan *plan)
{
    unsigned gate = gate_saved(plan) * FRTI_FILLS + frti_fill_of(&plan->result);

    *out = frti_aarch64_gates + gate * A64_GATE_STEP;
    return FRT_OK;
}
