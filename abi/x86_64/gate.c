/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/gate.h"

#include "abi/x86_64/gate_image.h"
#include "ffi_rt/base/cpu.h"
#include "ffi_rt/base/status.h"

/* Never made: it ties the offsets together. */
struct x86_image {
    uint64_t gprs[6];
    void *stack;
    uint64_t unused;
    uint64_t gpr_results[2];
    unsigned char x87_results[2][16];
    unsigned char also_unused[16];
    _Alignas(32) unsigned char fpr_results[2][32];
    unsigned char fprs[8][32];
};

_Static_assert(offsetof(struct x86_image, gprs) == X86_IMAGE_GPRS, "gate.S");
_Static_assert(offsetof(struct x86_image, stack) == X86_IMAGE_STACK, "gate.S");
_Static_assert(offsetof(struct x86_image, gpr_results) == X86_IMAGE_GPR_RESULTS,
               "gate.S");
_Static_assert(offsetof(struct x86_image, x87_results) == X86_IMAGE_X87_RESULTS,
               "gate.S");
_Static_assert(offsetof(struct x86_image, fpr_results) == X86_IMAGE_FPR_RESULTS,
               "gate.S");
_Static_assert(offsetof(struct x86_image, fprs) == X86_IMAGE_FPRS, "gate.S");
_Static_assert(sizeof(struct x86_image) == X86_IMAGE_SIZE, "gate.S");

const struct frti_gate_image frti_gate_image = {
    .gprs = X86_IMAGE_GPRS,
    .fprs = X86_IMAGE_FPRS,
    .stack = X86_IMAGE_STACK,
    .gpr_results = X86_IMAGE_GPR_RESULTS,
    .fpr_results = X86_IMAGE_FPR_RESULTS,
    .x87_results = X86_IMAGE_X87_RESULTS,
    .fpr_stride = 32,
    .results = X86_IMAGE_GPR_RESULTS,
    .results_size = X86_IMAGE_FPRS - X86_IMAGE_GPR_RESULTS,
};

const size_t frti_entry_step = X86_ENTRY_STEP;

/* gate.S: they differ in what they save. */
extern const unsigned char frti_x86_64_gate_general[];
extern const unsigned char frti_x86_64_gate_vector[];
extern const unsigned char frti_x86_64_gate_wide[];

static bool
gate_is_wide(const struct frti_travel *travel)
{
    return travel->piece_count != 0 &&
           travel->pieces[0].storage == FRT_STORAGE_FPR &&
           travel->pieces[0].size > 16;
}

static bool
gate_has_wide(const struct frti_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        if (gate_is_wide(&plan->arguments[i]))
            return true;
    return false;
}

static unsigned
gate_exit(const struct frti_travel *result)
{
    if (gate_is_wide(result))
        return X86_EXIT_WIDE;
    if (result->piece_count == 0)
        return X86_EXIT_PLAIN;
    if (result->pieces[0].storage == FRT_STORAGE_FPR &&
        result->pieces[0].size > 8)
        return X86_EXIT_VECTOR;
    if (result->pieces[0].storage != FRT_STORAGE_X87)
        return X86_EXIT_PLAIN;
    return result->piece_count == 1 ? X86_EXIT_X87 : X86_EXIT_X87_TWO;
}

frt_status
frti_gate_choose(struct frti_gate_choice *out, const struct frti_plan *plan)
{
    bool has_wide = gate_has_wide(plan);
    unsigned exit = gate_exit(&plan->result);

    if ((has_wide || exit == X86_EXIT_WIDE) && !frti_cpu_has_wide_vectors())
        return frti_fail(FRT_UNSUPPORTED,
                         "this CPU has no registers for vectors of 32 bytes");
    out->gate = has_wide          ? frti_x86_64_gate_wide
                : plan->fprs != 0 ? frti_x86_64_gate_vector
                                  : frti_x86_64_gate_general;
    out->exit = exit;
    return FRT_OK;
}
