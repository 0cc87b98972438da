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
 *   const void *(*receive)(struct frti_slot *slot, unsigned char *image)
 *
 * and jumps to what this returns: an exit, which returns to the caller of the
 * entry. The frame of both; its offsets are in gate_image.h:
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

        .macro  begin name
        .globl  \name
        .hidden \name
        .type   \name, @function
        .balign 32
\name:
        .cfi_startproc
        endbr64
        .endm

        .macro  end name
        .cfi_endproc
        .size   \name, . - \name
        .endm

        .macro  gate_few name
        begin   \name
        subq    $X86_IMAGE_SIZE, %rsp
        .cfi_adjust_cfa_offset X86_IMAGE_SIZE
        movq    %rdi, X86_IMAGE_GPRS(%rsp)
        movq    %rsi, X86_IMAGE_GPRS + 8(%rsp)
        .endm

        .macro  gate name
        gate_few \name
        movq    %rdx, X86_IMAGE_GPRS + 16(%rsp)
        movq    %rcx, X86_IMAGE_GPRS + 24(%rsp)
        movq    %r8, X86_IMAGE_GPRS + 32(%rsp)
        movq    %r9, X86_IMAGE_GPRS + 40(%rsp)
        .endm

        .macro  gate_end name
        movq    %r10, %rdi
        movq    %rsp, %rsi
        call    *FRTI_ENTRY_RECEIVE(%r10)
        jmp     *%rax
        end     \name
        .endm

        gate_few frti_x86_64_gate_two
        gate_end frti_x86_64_gate_two

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
        vmovups %ymm0, X86_IMAGE_FPRS(%rsp)
        vmovups %ymm1, X86_IMAGE_FPRS + 32(%rsp)
        vmovups %ymm2, X86_IMAGE_FPRS + 64(%rsp)
        vmovups %ymm3, X86_IMAGE_FPRS + 96(%rsp)
        vmovups %ymm4, X86_IMAGE_FPRS + 128(%rsp)
        vmovups %ymm5, X86_IMAGE_FPRS + 160(%rsp)
        vmovups %ymm6, X86_IMAGE_FPRS + 192(%rsp)
        vmovups %ymm7, X86_IMAGE_FPRS + 224(%rsp)
        vzeroupper
        gate_end frti_x86_64_gate_wide

        .macro  exit name
        begin   \name
        .cfi_adjust_cfa_offset X86_IMAGE_SIZE
        .endm

        .macro  exit_end name
        addq    $X86_IMAGE_SIZE, %rsp
        .cfi_adjust_cfa_offset -X86_IMAGE_SIZE
        ret
        end     \name
        .endm

        .macro  exit_gpr name, load, register
        exit    \name
        \load  X86_IMAGE_GPR_RESULTS(%rsp), \register
        exit_end \name
        .endm

        exit_gpr frti_x86_64_exit_i8, movsbq, %rax
        exit_gpr frti_x86_64_exit_u8, movzbl, %eax
        exit_gpr frti_x86_64_exit_i16, movswq, %rax
        exit_gpr frti_x86_64_exit_u16, movzwl, %eax
        exit_gpr frti_x86_64_exit_i32, movslq, %rax
        exit_gpr frti_x86_64_exit_u32, movl, %eax

        exit    frti_x86_64_exit_float
        movss   X86_IMAGE_FPR_RESULTS(%rsp), %xmm0
        exit_end frti_x86_64_exit_float

        exit    frti_x86_64_exit_plain
        movq    X86_IMAGE_GPR_RESULTS(%rsp), %rax
        movq    X86_IMAGE_GPR_RESULTS + 8(%rsp), %rdx
        movq    X86_IMAGE_FPR_RESULTS(%rsp), %xmm0
        movq    X86_IMAGE_FPR_RESULTS + 32(%rsp), %xmm1
        exit_end frti_x86_64_exit_plain

        exit    frti_x86_64_exit_vector
        movaps  X86_IMAGE_FPR_RESULTS(%rsp), %xmm0
        exit_end frti_x86_64_exit_vector

        exit    frti_x86_64_exit_wide
        vmovups X86_IMAGE_FPR_RESULTS(%rsp), %ymm0
        exit_end frti_x86_64_exit_wide

        exit    frti_x86_64_exit_x87
        fldt    X86_IMAGE_X87_RESULTS(%rsp)
        exit_end frti_x86_64_exit_x87

        exit    frti_x86_64_exit_x87_two
        fldt    X86_IMAGE_X87_RESULTS + 16(%rsp)
        fldt    X86_IMAGE_X87_RESULTS(%rsp)
        exit_end frti_x86_64_exit_x87_two

        .section .note.GNU-stack, "", @progbits
