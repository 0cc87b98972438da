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

/* gate.S: they differ in what they save. */
extern const unsigned char frti_aarch64_gate_two[]; /* x0, x1 and x8 */
extern const unsigned char frti_aarch64_gate_general[];
extern const unsigned char frti_aarch64_gate_vector[];

/* They differ in what they load. */
extern const unsigned char frti_aarch64_exit_plain[]; /* x0, x1, v0 to v3 */
extern const unsigned char frti_aarch64_exit_i8[];
extern const unsigned char frti_aarch64_exit_u8[];
extern const unsigned char frti_aarch64_exit_i16[];
extern const unsigned char frti_aarch64_exit_u16[];
extern const unsigned char frti_aarch64_exit_i32[];
extern const unsigned char frti_aarch64_exit_u32[];
extern const unsigned char frti_aarch64_exit_float[];

static const unsigned char *const gate_exits[FRTI_FILLS] = {
    [FRTI_FILL_NONE] = frti_aarch64_exit_plain,
    [FRTI_FILL_I8] = frti_aarch64_exit_i8,
    [FRTI_FILL_U8] = frti_aarch64_exit_u8,
    [FRTI_FILL_I16] = frti_aarch64_exit_i16,
    [FRTI_FILL_U16] = frti_aarch64_exit_u16,
    [FRTI_FILL_I32] = frti_aarch64_exit_i32,
    [FRTI_FILL_U32] = frti_aarch64_exit_u32,
    [FRTI_FILL_FLOAT] = frti_aarch64_exit_float,
};

frt_status
frti_gate_choose(struct frti_gate_choice *out, const struct frti_plan *plan)
{
    out->gate = plan->fprs != 0  ? frti_aarch64_gate_vector
                : plan->gprs > 2 ? frti_aarch64_gate_general
                                 : frti_aarch64_gate_two;
    out->exit = gate_exits[frti_fill_of(&plan->result)];
    return FRT_OK;
}
