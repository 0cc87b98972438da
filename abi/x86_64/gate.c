/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/gate.h"

#include "abi/x86_64/gate_image.h"
#include "ffi_rt/base/cpu.h"
#include "ffi_rt/base/status.h"

/* Never made: it ties the offsets together. */
struct x86_image {
    uint64_t gprs[6];
    uint64_t gpr_results[2];
    unsigned char fpr_results[2][32];
    unsigned char x87_results[2][16];
    unsigned char fprs[8][32];
    uint64_t unused;
    void *return_address;
    uint64_t stack[];
};

_Static_assert(offsetof(struct x86_image, gprs) == X86_IMAGE_GPRS, "gate.S");
_Static_assert(offsetof(struct x86_image, gpr_results) == X86_IMAGE_GPR_RESULTS,
               "gate.S");
_Static_assert(offsetof(struct x86_image, fpr_results) == X86_IMAGE_FPR_RESULTS,
               "gate.S");
_Static_assert(offsetof(struct x86_image, x87_results) == X86_IMAGE_X87_RESULTS,
               "gate.S");
_Static_assert(offsetof(struct x86_image, fprs) == X86_IMAGE_FPRS, "gate.S");
_Static_assert(offsetof(struct x86_image, return_address) == X86_IMAGE_SIZE,
               "gate.S");
_Static_assert(offsetof(struct x86_image, stack) == X86_IMAGE_STACK &&
                   X86_IMAGE_STACK % 16 == 0,
               "gate.S");

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

/* A gate each, in this order. */
enum x86_saved {
    X86_SAVED_TWO, /* rdi and rsi */
    X86_SAVED_GENERAL,
    X86_SAVED_VECTOR,
    X86_SAVED_WIDE
};

enum x86_result {
    X86_RESULT_FILL, /* and enum frti_fill, of which NONE is rax, rdx, and 8
                        bytes of xmm0 and xmm1 */
    X86_RESULT_VECTOR = FRTI_FILLS, /* all of xmm0 */
    X86_RESULT_WIDE,                /* ymm0 */
    X86_RESULT_X87,                 /* st0 */
    X86_RESULT_X87_TWO,
    X86_RESULTS
};

extern const unsigned char frti_x86_64_gates[];

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
gate_result(const struct frti_travel *result)
{
    const struct frti_piece *first = &result->pieces[0];

    if (gate_is_wide(result))
        return X86_RESULT_WIDE;
    if (result->piece_count == 0)
        return X86_RESULT_FILL + FRTI_FILL_NONE;
    if (first->storage == FRT_STORAGE_FPR && first->size > 8)
        return X86_RESULT_VECTOR;
    if (first->storage != FRT_STORAGE_X87)
        return X86_RESULT_FILL + frti_fill_of(result);
    return result->piece_count == 1 ? X86_RESULT_X87 : X86_RESULT_X87_TWO;
}

static unsigned
gate_saved(const struct frti_plan *plan)
{
    if (gate_has_wide(plan))
        return X86_SAVED_WIDE;
    if (plan->fprs != 0)
        return X86_SAVED_VECTOR;
    return plan->gprs > 2 ? X86_SAVED_GENERAL : X86_SAVED_TWO;
}

frt_status
frti_gate_choose(const void **out, const struct frti_plan *plan)
{
    unsigned saved = gate_saved(plan);
    unsigned result = gate_result(&plan->result);

    if ((saved == X86_SAVED_WIDE || result == X86_RESULT_WIDE) &&
        !frti_cpu_has_wide_vectors())
        return frti_fail(FRT_UNSUPPORTED,
                         "this CPU has no registers for vectors of 32 bytes");
    *out = frti_x86_64_gates + (saved * X86_RESULTS + result) * X86_GATE_STEP;
    return FRT_OK;
}
