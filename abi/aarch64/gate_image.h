/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The register image of the AArch64 gates: offsets for C and for assembly. */
#ifndef FRTI_ABI_AARCH64_GATE_IMAGE_H
#define FRTI_ABI_AARCH64_GATE_IMAGE_H

#define A64_IMAGE_GPRS 0         /* x0 to x8 */
#define A64_IMAGE_GPR_RESULTS 80 /* x0, x1 */
#define A64_IMAGE_FPR_RESULTS 96 /* v0 to v3: 16 bytes each */
#define A64_IMAGE_FPRS 160       /* v0 to v7: 16 bytes each */
#define A64_IMAGE_SIZE 288
#define A64_IMAGE_STACK 304

#define A64_ENTRY_STEP 20
#define A64_GATE_STEP 128

#endif
