/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The entries and gates of upcalls, System V x86-64.
 *
 * Entry i, called as any function: r10 = the address of slot i, then a jump
 * to where the slot's first word says. The slot is found by distance, so that
 * the table works wherever its pages are mapped with slots as far away.
 *
 * A gate, with r10 = slot: saves registers, calls
 *
 *   void (*receive)(struct frti_slot *slot, unsigned char *image)
 *
 * loads the result's registers and returns to the caller of the entry. There is
 * one for each set of registers to save and each kind of result. The frame; its
 * offsets are in gate_image.h:
 *
 *   rsp + X86_IMAGE_STACK   the stack arguments
 *   rsp + X86_IMAGE_SIZE    return address
 *   rsp                     the image, 16-aligned
 */
#include "abi/entry_size.h"
#include "abi/x86_64/gate_image.h"

        .text
        .globl  frti_entries
        .hidden frti_entries
        .hidden frti_entry_slots
        .type   frti_entries, @function
        .balign 4096
frti_entries:
        .cfi_startproc
        .set    slot, 0
        .rept   FRTI_ENTRY_COUNT
        endbr64
        leaq    frti_entry_slots + slot(%rip), %r10
        jmp     *(%r10)
        .balign X86_ENTRY_STEP
        .set    slot, slot + FRTI_ENTRY_SLOT
        .endr
        .cfi_endproc
        .size   frti_entries, . - frti_entries

        .macro  save_two
        movq    %rdi, X86_IMAGE_GPRS(%rsp)
        movq    %rsi, X86_IMAGE_GPRS + 8(%rsp)
        .endm

        .macro  save_general
        save_two
        movq    %rdx, X86_IMAGE_GPRS + 16(%rsp)
        movq    %rcx, X86_IMAGE_GPRS + 24(%rsp)
        movq    %r8, X86_IMAGE_GPRS + 32(%rsp)
        movq    %r9, X86_IMAGE_GPRS + 40(%rsp)
        .endm

        .macro  save_vector
        save_general
        movaps  %xmm0, X86_IMAGE_FPRS(%rsp)
        movaps  %xmm1, X86_IMAGE_FPRS + 32(%rsp)
        movaps  %xmm2, X86_IMAGE_FPRS + 64(%rsp)
        movaps  %xmm3, X86_IMAGE_FPRS + 96(%rsp)
        movaps  %xmm4, X86_IMAGE_FPRS + 128(%rsp)
        movaps  %xmm5, X86_IMAGE_FPRS + 160(%rsp)
        movaps  %xmm6, X86_IMAGE_FPRS + 192(%rsp)
        movaps  %xmm7, X86_IMAGE_FPRS + 224(%rsp)
        .endm

        .macro  save_wide
        save_general
        vmovups %ymm0, X86_IMAGE_FPRS(%rsp)
        vmovups %ymm1, X86_IMAGE_FPRS + 32(%rsp)
        vmovups %ymm2, X86_IMAGE_FPRS + 64(%rsp)
        vmovups %ymm3, X86_IMAGE_FPRS + 96(%rsp)
        vmovups %ymm4, X86_IMAGE_FPRS + 128(%rsp)
        vmovups %ymm5, X86_IMAGE_FPRS + 160(%rsp)
        vmovups %ymm6, X86_IMAGE_FPRS + 192(%rsp)
        vmovups %ymm7, X86_IMAGE_FPRS + 224(%rsp)
        vzeroupper
        .endm

        .macro  load_plain
        movq    X86_IMAGE_GPR_RESULTS(%rsp), %rax
        movq    X86_IMAGE_GPR_RESULTS + 8(%rsp), %rdx
        movq    X86_IMAGE_FPR_RESULTS(%rsp), %xmm0
        movq    X86_IMAGE_FPR_RESULTS + 32(%rsp), %xmm1
        .endm

        .macro  load_i8
        movsbq  X86_IMAGE_GPR_RESULTS(%rsp), %rax
        .endm

        .macro  load_u8
        movzbl  X86_IMAGE_GPR_RESULTS(%rsp), %eax
        .endm

        .macro  load_i16
        movswq  X86_IMAGE_GPR_RESULTS(%rsp), %rax
        .endm

        .macro  load_u16
        movzwl  X86_IMAGE_GPR_RESULTS(%rsp), %eax
        .endm

        .macro  load_i32
        movslq  X86_IMAGE_GPR_RESULTS(%rsp), %rax
        .endm

        .macro  load_u32
        movl    X86_IMAGE_GPR_RESULTS(%rsp), %eax
        .endm

        .macro  load_float
        movss   X86_IMAGE_FPR_RESULTS(%rsp), %xmm0
        .endm

        .macro  load_vector
        movaps  X86_IMAGE_FPR_RESULTS(%rsp), %xmm0
        .endm

        .macro  load_wide
        vmovups X86_IMAGE_FPR_RESULTS(%rsp), %ymm0
        .endm

        .macro  load_x87
        fldt    X86_IMAGE_X87_RESULTS(%rsp)
        .endm

        .macro  load_x87_two
        fldt    X86_IMAGE_X87_RESULTS + 16(%rsp)
        load_x87
        .endm

        .macro  gate saved, result
        .balign X86_GATE_STEP
        .type   gate_\saved\()_\result, @function
gate_\saved\()_\result:
        .cfi_startproc
        endbr64
        subq    $X86_IMAGE_SIZE, %rsp
        .cfi_adjust_cfa_offset X86_IMAGE_SIZE
        save_\saved
        movq    %r10, %rdi
        movq    %rsp, %rsi
        call    *FRTI_ENTRY_RECEIVE(%r10)
        load_\result
        addq    $X86_IMAGE_SIZE, %rsp
        .cfi_adjust_cfa_offset -X86_IMAGE_SIZE
        ret
        .cfi_endproc
        .size   gate_\saved\()_\result, . - gate_\saved\()_\result
        .if     . - gate_\saved\()_\result > X86_GATE_STEP
        .error  "a gate is larger than their distance"
        .endif
        .endm

        /* in the order of enum x86_saved and enum x86_result, gate.c */
        .globl  frti_x86_64_gates
        .hidden frti_x86_64_gates
        .balign X86_GATE_STEP
frti_x86_64_gates:
        .irp    saved, two, general, vector, wide
        .irp    result, plain, i8, u8, i16, u16, i32, u32, float, vector, wide, x87, x87_two
        gate    \saved, \result
        .endr
        .endr

        .section .note.GNU-stack, "", @progbits
