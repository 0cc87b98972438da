/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The entries and gates of upcalls, System V x86-64.
 *
 * Entry i, called as any function: r10 = the address of slot i, then a jump
 * to where the slot's first word says. The slot is found by distance, so that
 * the table works wherever its pages are mapped with slots as far away.
 *
 * A gate, with r10 = slot: calls
 *
 *   unsigned (*receive)(struct frti_slot *slot, unsigned char *image)
 *
 * and returns to the caller of the entry. Its frame:
 *
 *   rbp + 16   the stack arguments
 *   rbp + 8    return address
 *   rbp        the caller's rbp
 *   rsp        the image, 32-aligned; its offsets are in gate_image.h
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

        .macro  gate name
        .globl  \name
        .hidden \name
        .type   \name, @function
        .balign 64
\name:
        .cfi_startproc
        endbr64
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq    $X86_IMAGE_SIZE, %rsp
        andq    $-32, %rsp
        movq    %rdi, X86_IMAGE_GPRS(%rsp)
        movq    %rsi, X86_IMAGE_GPRS + 8(%rsp)
        movq    %rdx, X86_IMAGE_GPRS + 16(%rsp)
        movq    %rcx, X86_IMAGE_GPRS + 24(%rsp)
        movq    %r8, X86_IMAGE_GPRS + 32(%rsp)
        movq    %r9, X86_IMAGE_GPRS + 40(%rsp)
        leaq    16(%rbp), %rax
        movq    %rax, X86_IMAGE_STACK(%rsp)
        .endm

        .macro  gate_end name
        movq    %r10, %rdi
        movq    %rsp, %rsi
        call    *FRTI_ENTRY_RECEIVE(%r10)
        testl   %eax, %eax
        jne     1f
        movq    X86_IMAGE_GPR_RESULTS(%rsp), %rax
        movq    X86_IMAGE_GPR_RESULTS + 8(%rsp), %rdx
        movq    X86_IMAGE_FPR_RESULTS(%rsp), %xmm0
        movq    X86_IMAGE_FPR_RESULTS + 32(%rsp), %xmm1
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_restore_state
1:      cmpl    $X86_EXIT_X87_TWO, %eax
        ja      3f
        jne     2f
        fldt    X86_IMAGE_X87_RESULTS + 16(%rsp)
2:      fldt    X86_IMAGE_X87_RESULTS(%rsp)
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_restore_state
3:      cmpl    $X86_EXIT_VECTOR, %eax
        jne     4f
        movaps  X86_IMAGE_FPR_RESULTS(%rsp), %xmm0
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_restore_state
4:      vmovaps X86_IMAGE_FPR_RESULTS(%rsp), %ymm0
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   \name, . - \name
        .endm

        gate    frti_x86_64_gate_general
        gate_end frti_x86_64_gate_general

        gate    frti_x86_64_gate_vector
        movaps  %xmm0, X86_IMAGE_FPRS(%rsp)
        movaps  %xmm1, X86_IMAGE_FPRS + 32(%rsp)
        movaps  %xmm2, X86_IMAGE_FPRS + 64(%rsp)
        movaps  %xmm3, X86_IMAGE_FPRS + 96(%rsp)
        movaps  %xmm4, X86_IMAGE_FPRS + 128(%rsp)
        movaps  %xmm5, X86_IMAGE_FPRS + 160(%rsp)
        movaps  %xmm6, X86_IMAGE_FPRS + 192(%rsp)
        movaps  %xmm7, X86_IMAGE_FPRS + 224(%rsp)
        gate_end frti_x86_64_gate_vector

        gate    frti_x86_64_gate_wide
        vmovaps %ymm0, X86_IMAGE_FPRS(%rsp)
        vmovaps %ymm1, X86_IMAGE_FPRS + 32(%rsp)
        vmovaps %ymm2, X86_IMAGE_FPRS + 64(%rsp)
        vmovaps %ymm3, X86_IMAGE_FPRS + 96(%rsp)
        vmovaps %ymm4, X86_IMAGE_FPRS + 128(%rsp)
        vmovaps %ymm5, X86_IMAGE_FPRS + 160(%rsp)
        vmovaps %ymm6, X86_IMAGE_FPRS + 192(%rsp)
        vmovaps %ymm7, X86_IMAGE_FPRS + 224(%rsp)
        vzeroupper
        gate_end frti_x86_64_gate_wide

        .section .note.GNU-stack, "", @progbits
