/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The conventions for 64-bit Arm: Linux's and, by fields of its row, Apple's.
 *
 * Procedure Call Standard for the Arm 64-bit Architecture (AAPCS64), 2023Q3;
 * "Writing ARM64 Code for Apple Platforms" for Apple's.
 */
#ifndef FRTI_ABI_AARCH64_AARCH64_H
#define FRTI_ABI_AARCH64_AARCH64_H

#include "abi/homogeneous.h"
#include "abi/plan.h"
#include "ffi_rt/ffi_rt.h"

enum aapcs_class {
    AAPCS_NOTHING,  /* void, or an empty aggregate */
    AAPCS_GENERAL,  /* an integer, a pointer, a composite of up to 16 bytes */
    AAPCS_VECTOR,   /* a floating-point value or short vector; an HFA or HVA */
    AAPCS_REFERENCE /* a larger composite */
};

struct aapcs_kind {
    enum aapcs_class class;
    struct frti_homogeneous elements; /* VECTOR */
    size_t alignment;                 /* natural */
};

/* Complete layouts and void. */
void frti_aarch64_classify(struct aapcs_kind *out, const frt_layout *layout);

#endif
