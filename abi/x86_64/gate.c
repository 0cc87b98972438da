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

/* gate.S: they differ in what they save. */
extern const unsigned char frti_x86_64_gate_two[]; /* rdi and rsi */
extern const unsigned char frti_x86_64_gate_general[];
extern const unsigned char frti_x86_64_gate_vector[];
extern const unsigned char frti_x86_64_gate_wide[];

/* They differ in what they load. */
extern const unsigned char frti_x86_64_exit_plain[]; /* rax, rdx, and 8 bytes
                                                        of xmm0 and xmm1 */
extern const unsigned char frti_x86_64_exit_i8[];
extern const unsigned char frti_x86_64_exit_u8[];
extern const unsigned char frti_x86_64_exit_i16[];
extern const unsigned char frti_x86_64_exit_u16[];
extern const unsigned char frti_x86_64_exit_i32[];
extern const unsigned char frti_x86_64_exit_u32[];
extern const unsigned char frti_x86_64_exit_float[];
extern const unsigned char frti_x86_64_exit_vector[]; /* all of xmm0 */
extern const unsigned char frti_x86_64_exit_wide[];   /* ymm0 */
extern const unsigned char frti_x86_64_exit_x87[];    /* st0 */
extern const unsigned char frti_x86_64_exit_x87_two[];

static const unsigned char *const gate_exits[FRTI_FILLS] = {
    [FRTI_FILL_NONE] = frti_x86_64_exit_plain,
    [FRTI_FILL_I8] = frti_x86_64_exit_i8,
    [FRTI_FILL_U8] = frti_x86_64_exit_u8,
    [FRTI_FILL_I16] = frti_x86_64_exit_i16,
    [FRTI_FILL_U16] = frti_x86_64_exit_u16,
    [FRTI_FILL_I32] = frti_x86_64_exit_i32,
    [FRTI_FILL_U32] = frti_x86_64_exit_u32,
    [FRTI_FILL_FLOAT] = frti_x86_64_exit_float,
};

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

static const unsigned char *
gate_exit(const struct frti_travel *result)
{
    const struct frti_piece *first = &result->pieces[0];

    if (gate_is_wide(result))
        return frti_x86_64_exit_wide;
    if (result->piece_count == 0)
        return frti_x86_64_exit_plain;
    if (first->storage == FRT_STORAGE_FPR && first->size > 8)
        return frti_x86_64_exit_vector;
    if (first->storage != FRT_STORAGE_X87)
        return gate_exits[frti_fill_of(result)];
    return result->piece_count == 1 ? frti_x86_64_exit_x87
                                    : frti_x86_64_exit_x87_two;
}

frt_status
frti_gate_choose(struct frti_gate_choice *out, const struct frti_plan *plan)
{
    bool has_wide = gate_has_wide(plan);
    bool is_wide = gate_is_wide(&plan->result);

    if ((has_wide || is_wide) && !frti_cpu_has_wide_vectors())
        return frti_fail(FRT_UNSUPPORTED,
                         "this CPU has no registers for vectors of 32 bytes");
    out->gate = has_wide          ? frti_x86_64_gate_wide
                : plan->fprs != 0 ? frti_x86_64_gate_vector
                : plan->gprs > 2  ? frti_x86_64_gate_general
                                  : frti_x86_64_gate_two;
    out->exit = gate_exit(&plan->result);
    return FRT_OK;
}
