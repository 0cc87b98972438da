/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The System V convention for x86-64.
 *
 * System V Application Binary Interface, AMD64 Architecture Processor
 * Supplement, version 1.0 ("psABI" below).
 */
#ifndef FRTI_ABI_X86_64_X86_64_H
#define FRTI_ABI_X86_64_X86_64_H

#include "abi/plan.h"
#include "ffi_rt/ffi_rt.h"

/* The classes of an eightbyte, psABI section 3.2.3. */
enum sysv_class {
    SYSV_NO_CLASS,
    SYSV_INTEGER,
    SYSV_SSE,
    SYSV_SSEUP,
    SYSV_X87,
    SYSV_X87UP,
    SYSV_COMPLEX_X87,
    SYSV_MEMORY
};

/* The most eightbytes that are not simply MEMORY: a 32-byte vector. */
#define SYSV_EIGHTBYTES 4

struct sysv_classes {
    size_t count;                        /* eightbytes; 0: nothing to pass */
    enum sysv_class of[SYSV_EIGHTBYTES]; /* of[0] MEMORY: all of it is */
};

/* Complete layouts alone. */
void frti_x86_64_classify(struct sysv_classes *out, const frt_layout *layout);

#endif
