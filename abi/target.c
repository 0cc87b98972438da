/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The table of conventions: a row each. */
#include "abi/abi.h"

#include <string.h>

#include "ffi_rt/base/compiler.h"

static const char *const x86_64_gprs[] = {"rdi", "rsi", "rdx",
                                          "rcx", "r8",  "r9"};
static const char *const x86_64_fprs[] = {"xmm0", "xmm1", "xmm2", "xmm3",
                                          "xmm4", "xmm5", "xmm6", "xmm7"};
static const char *const x86_64_wide_fprs[] = {"ymm0", "ymm1", "ymm2", "ymm3",
                                               "ymm4", "ymm5", "ymm6", "ymm7"};
static const char *const x86_64_results[] = {"rax", "rdx"};
static const char *const aarch64_gprs[] = {"x0", "x1", "x2", "x3", "x4",
                                           "x5", "x6", "x7", "x8"};
static const char *const aarch64_fprs[] = {"v0", "v1", "v2", "v3",
                                           "v4", "v5", "v6", "v7"};

static const struct frti_convention target_rows[] = {
    {
        .model = "x86_64",
        .name = "System V x86-64",
        .arrange = frti_x86_64_arrange,
        .describe = frti_x86_64_describe,
        .emit = frti_x86_64_emit,
        .gpr_names = x86_64_gprs,
        .fpr_names = x86_64_fprs,
        .fpr_wide_names = x86_64_wide_fprs,
        .gpr_results = x86_64_results,
        .gpr_count = 6,
        .fpr_count = 8,
        .gpr_result_count = 2,
        .fpr_result_count = 2,
        .result_pointer_gpr = 0,
    },
    {
        .model = "aarch64",
        .name = "AAPCS64",
        .arrange = frti_aarch64_arrange,
        .describe = frti_aarch64_describe,
        .emit = frti_aarch64_emit,
        .gpr_names = aarch64_gprs,
        .fpr_names = aarch64_fprs,
        .gpr_results = aarch64_gprs,
        .gpr_count = 8,
        .fpr_count = 8,
        .gpr_result_count = 2,
        .fpr_result_count = 4,
        .result_pointer_gpr = 8,
        .even_pairs = true,
    },
    {
        .model = "aarch64-apple",
        .name = "Apple's AAPCS64",
        .arrange = frti_aarch64_arrange,
        .describe = frti_aarch64_describe,
        .gpr_names = aarch64_gprs,
        .fpr_names = aarch64_fprs,
        .gpr_results = aarch64_gprs,
        .gpr_count = 8,
        .fpr_count = 8,
        .gpr_result_count = 2,
        .fpr_result_count = 4,
        .result_pointer_gpr = 8,
        .declared_alignment = true,
        .tight_stack = true,
        .variadic_on_stack = true,
    },
};

const struct frti_convention *
frti_convention_of(const frt_model *model)
{
    const char *name = frt_model_name(model);

    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(target_rows); i++)
        if (strcmp(target_rows[i].model, name) == 0)
            return &target_rows[i];
    return NULL;
}
