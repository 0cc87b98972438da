/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The register image of the x86-64 gates: offsets for C and for assembly. */
#ifndef FRTI_ABI_X86_64_GATE_IMAGE_H
#define FRTI_ABI_X86_64_GATE_IMAGE_H

#define X86_IMAGE_GPRS 0          /* rdi, rsi, rdx, rcx, r8, r9 */
#define X86_IMAGE_GPR_RESULTS 48  /* rax, rdx */
#define X86_IMAGE_FPR_RESULTS 64  /* xmm0, xmm1: 32 bytes each */
#define X86_IMAGE_X87_RESULTS 128 /* st0, st1 */
#define X86_IMAGE_FPRS 160        /* xmm0 to xmm7: 32 bytes each */
#define X86_IMAGE_SIZE 424        /* 16-aligned, above a return address */
#define X86_IMAGE_STACK 432

#define X86_ENTRY_STEP 16
#define X86_GATE_STEP 256

#endif
