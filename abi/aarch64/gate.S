/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The entries and gates of upcalls, AAPCS64.
 *
 * Entry i, called as any function: x17 = the address of slot i, then a jump
 * to where the slot's first word says. The slot is found by distance, so that
 * the table works wherever its pages are mapped with slots as far away.
 *
 * A gate, with x17 = slot: calls
 *
 *   unsigned (*receive)(struct frti_slot *slot, unsigned char *image)
 *
 * and returns to the caller of the entry. Its frame:
 *
 *   x29 + 16   the stack arguments
 *   x29        the caller's x29, return address
 *   sp         the image; its offsets are in gate_image.h
 */
#include "abi/entry_size.h"
#include "abi/aarch64/gate_image.h"

        .text
        .globl  frti_entries
        .hidden frti_entries
        .hidden frti_entry_slots
        .type   frti_entries, %function
        .balign 4096
frti_entries:
        .cfi_startproc
        .set    slot, 0
        .rept   FRTI_ENTRY_COUNT
        hint    #34                     /* bti c */
        adrp    x17, frti_entry_slots + slot
        add     x17, x17, :lo12:frti_entry_slots + slot
        ldr     x16, [x17]
        br      x16
        .set    slot, slot + FRTI_ENTRY_SLOT
        .endr
        .cfi_endproc
        .size   frti_entries, . - frti_entries

        .macro  gate name
        .globl  \name
        .hidden \name
        .type   \name, %function
        .balign 64
\name:
        .cfi_startproc
        hint    #34                     /* bti c */
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     x29, sp
        .cfi_def_cfa x29, 16
        sub     sp, sp, #A64_IMAGE_SIZE
        stp     x0, x1, [sp, #A64_IMAGE_GPRS]
        stp     x2, x3, [sp, #A64_IMAGE_GPRS + 16]
        stp     x4, x5, [sp, #A64_IMAGE_GPRS + 32]
        stp     x6, x7, [sp, #A64_IMAGE_GPRS + 48]
        add     x9, x29, #16
        stp     x8, x9, [sp, #A64_IMAGE_GPRS + 64]
        .endm

        .macro  gate_end name
        ldr     x9, [x17, #FRTI_ENTRY_RECEIVE]
        mov     x0, x17
        mov     x1, sp
        blr     x9
        ldp     x0, x1, [sp, #A64_IMAGE_GPR_RESULTS]
        ldp     q0, q1, [sp, #A64_IMAGE_FPR_RESULTS]
        ldp     q2, q3, [sp, #A64_IMAGE_FPR_RESULTS + 32]
        mov     sp, x29
        .cfi_def_cfa sp, 16
        ldp     x29, x30, [sp], #16
        .cfi_restore x29
        .cfi_restore x30
        .cfi_def_cfa_offset 0
        ret
        .cfi_endproc
        .size   \name, . - \name
        .endm

        gate    frti_aarch64_gate_general
        gate_end frti_aarch64_gate_general

        gate    frti_aarch64_gate_vector
        stp     q0, q1, [sp, #A64_IMAGE_FPRS]
        stp     q2, q3, [sp, #A64_IMAGE_FPRS + 32]
        stp     q4, q5, [sp, #A64_IMAGE_FPRS + 64]
        stp     q6, q7, [sp, #A64_IMAGE_FPRS + 96]
        gate_end frti_aarch64_gate_vector

        .section .note.GNU-stack, "", %progbits
