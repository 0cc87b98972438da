/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The register image of the x86-64 gates: offsets for C and for assembly. */
#ifndef FRTI_ABI_X86_64_GATE_IMAGE_H
#define FRTI_ABI_X86_64_GATE_IMAGE_H

#define X86_IMAGE_GPRS 0 /* rdi, rsi, rdx, rcx, r8, r9 */
#define X86_IMAGE_STACK 48
#define X86_IMAGE_GPR_RESULTS 64  /* rax, rdx */
#define X86_IMAGE_X87_RESULTS 80  /* st0, st1 */
#define X86_IMAGE_FPR_RESULTS 128 /* xmm0, xmm1: 32 bytes each */
#define X86_IMAGE_FPRS 192        /* xmm0 to xmm7: 32 bytes each */
#define X86_IMAGE_SIZE 448

/* How the result comes back, beside rax, rdx and 8 bytes of xmm0 and xmm1. More
 * bytes than were stored at once are slow to load. */
#define X86_EXIT_PLAIN 0
#define X86_EXIT_X87 1     /* st0 */
#define X86_EXIT_X87_TWO 2 /* st0 and st1 */
#define X86_EXIT_VECTOR 3  /* all of xmm0 */
#define X86_EXIT_WIDE 4    /* ymm0 */

#define X86_ENTRY_STEP 16

#endif
