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
 *   const void *(*receive)(struct frti_slot *slot, unsigned char *image)
 *
 * and jumps to what this returns: an exit, which returns to the caller of the
 * entry. The frame of both; its offsets are in gate_image.h:
 *
 *   sp + A64_IMAGE_STACK   the stack arguments
 *   sp + A64_IMAGE_SIZE    the caller's x29, return address
 *   sp                     the image
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

        .macro  begin name
        .globl  \name
        .hidden \name
        .type   \name, %function
        .balign 32
\name:
        .cfi_startproc
        .endm

        .macro  end name
        .cfi_endproc
        .size   \name, . - \name
        .endm

        .macro  gate_few name
        begin   \name
        hint    #34                     /* bti c */
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     x29, sp
        .cfi_def_cfa x29, 16
        sub     sp, sp, #A64_IMAGE_SIZE
        stp     x0, x1, [sp, #A64_IMAGE_GPRS]
        str     x8, [sp, #A64_IMAGE_GPRS + 64]
        .endm

        .macro  gate name
        gate_few \name
        stp     x2, x3, [sp, #A64_IMAGE_GPRS + 16]
        stp     x4, x5, [sp, #A64_IMAGE_GPRS + 32]
        stp     x6, x7, [sp, #A64_IMAGE_GPRS + 48]
        .endm

        .macro  gate_end name
        ldr     x9, [x17, #FRTI_ENTRY_RECEIVE]
        mov     x0, x17
        mov     x1, sp
        blr     x9
        br      x0
        end     \name
        .endm

        gate_few frti_aarch64_gate_two
        gate_end frti_aarch64_gate_two

        gate    frti_aarch64_gate_general
        gate_end frti_aarch64_gate_general

        gate    frti_aarch64_gate_vector
        stp     q0, q1, [sp, #A64_IMAGE_FPRS]
        stp     q2, q3, [sp, #A64_IMAGE_FPRS + 32]
        stp     q4, q5, [sp, #A64_IMAGE_FPRS + 64]
        stp     q6, q7, [sp, #A64_IMAGE_FPRS + 96]
        gate_end frti_aarch64_gate_vector

        .macro  exit name
        begin   \name
        hint    #36                     /* bti j */
        .cfi_def_cfa x29, 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        .endm

        .macro  exit_end name
        mov     sp, x29
        .cfi_def_cfa sp, 16
        ldp     x29, x30, [sp], #16
        .cfi_restore x29
        .cfi_restore x30
        .cfi_def_cfa_offset 0
        ret
        end     \name
        .endm

        .macro  exit_gpr name, load, register
        exit    \name
        \load  \register, [sp, #A64_IMAGE_GPR_RESULTS]
        exit_end \name
        .endm

        exit_gpr frti_aarch64_exit_i8, ldrsb, x0
        exit_gpr frti_aarch64_exit_u8, ldrb, w0
        exit_gpr frti_aarch64_exit_i16, ldrsh, x0
        exit_gpr frti_aarch64_exit_u16, ldrh, w0
        exit_gpr frti_aarch64_exit_i32, ldrsw, x0
        exit_gpr frti_aarch64_exit_u32, ldr, w0

        exit    frti_aarch64_exit_float
        ldr     s0, [sp, #A64_IMAGE_FPR_RESULTS]
        exit_end frti_aarch64_exit_float

        exit    frti_aarch64_exit_plain
        ldp     x0, x1, [sp, #A64_IMAGE_GPR_RESULTS]
        ldp     q0, q1, [sp, #A64_IMAGE_FPR_RESULTS]
        ldp     q2, q3, [sp, #A64_IMAGE_FPR_RESULTS + 32]
        exit_end frti_aarch64_exit_plain

        .section .note.GNU-stack, "", %progbits
