/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The entries and gates of upcalls, AAPCS64.
 *
 * Entry i, called as any function: x17 = the address of slot i, then a jump
 * to where the slot's first word says. The slot is found by distance, so that
 * the table works wherever its pages are mapped with slots as far away.
 *
 * A gate, with x17 = slot: saves registers, calls
 *
 *   void (*receive)(struct frti_slot *slot, unsigned char *image)
 *
 * loads the result's registers and returns to the caller of the entry. There is
 * one for each set of registers to save and each kind of result. The frame; its
 * offsets are in gate_image.h:
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

        .macro  save_two
        stp     x0, x1, [sp, #A64_IMAGE_GPRS]
        str     x8, [sp, #A64_IMAGE_GPRS + 64]
        .endm

        .macro  save_general
        save_two
        stp     x2, x3, [sp, #A64_IMAGE_GPRS + 16]
        stp     x4, x5, [sp, #A64_IMAGE_GPRS + 32]
        stp     x6, x7, [sp, #A64_IMAGE_GPRS + 48]
        .endm

        .macro  save_vector
        save_general
        stp     q0, q1, [sp, #A64_IMAGE_FPRS]
        stp     q2, q3, [sp, #A64_IMAGE_FPRS + 32]
        stp     q4, q5, [sp, #A64_IMAGE_FPRS + 64]
        stp     q6, q7, [sp, #A64_IMAGE_FPRS + 96]
        .endm

        .macro  load_plain
        ldp     x0, x1, [sp, #A64_IMAGE_GPR_RESULTS]
        ldp     q0, q1, [sp, #A64_IMAGE_FPR_RESULTS]
        ldp     q2, q3, [sp, #A64_IMAGE_FPR_RESULTS + 32]
        .endm

        .macro  load_i8
        ldrsb   x0, [sp, #A64_IMAGE_GPR_RESULTS]
        .endm

        .macro  load_u8
        ldrb    w0, [sp, #A64_IMAGE_GPR_RESULTS]
        .endm

        .macro  load_i16
        ldrsh   x0, [sp, #A64_IMAGE_GPR_RESULTS]
        .endm

        .macro  load_u16
        ldrh    w0, [sp, #A64_IMAGE_GPR_RESULTS]
        .endm

        .macro  load_i32
        ldrsw   x0, [sp, #A64_IMAGE_GPR_RESULTS]
        .endm

        .macro  load_u32
        ldr     w0, [sp, #A64_IMAGE_GPR_RESULTS]
        .endm

        .macro  load_float
        ldr     s0, [sp, #A64_IMAGE_FPR_RESULTS]
        .endm

        .macro  gate saved, result
        .balign A64_GATE_STEP
        .type   gate_\saved\()_\result, %function
gate_\saved\()_\result:
        .cfi_startproc
        hint    #34                     /* bti c */
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     x29, sp
        .cfi_def_cfa x29, 16
        sub     sp, sp, #A64_IMAGE_SIZE
        save_\saved
        ldr     x9, [x17, #FRTI_ENTRY_RECEIVE]
        mov     x0, x17
        mov     x1, sp
        blr     x9
        load_\result
        mov     sp, x29
        .cfi_def_cfa sp, 16
        ldp     x29, x30, [sp], #16
        .cfi_restore x29
        .cfi_restore x30
        .cfi_def_cfa_offset 0
        ret
        .cfi_endproc
        .size   gate_\saved\()_\result, . - gate_\saved\()_\result
        .if     . - gate_\saved\()_\result > A64_GATE_STEP
        .error  "a gate is larger than their distance"
        .endif
        .endm

        /* in the order of enum a64_saved, gate.c, and enum frti_fill */
        .globl  frti_aarch64_gates
        .hidden frti_aarch64_gates
        .balign A64_GATE_STEP
frti_aarch64_gates:
        .irp    saved, two, general, vector
        .irp    result, plain, i8, u8, i16, u16, i32, u32, float
        gate    \saved, \result
        .endr
        .endr

        .section .note.GNU-stack, "", %progbits
