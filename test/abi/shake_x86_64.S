/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * int shake_call(frt_entry *entry, void *target, void *result,
 *                void *const *arguments, const frt_downcall *downcall)
 *
 * At the call: rbx and r12 to r15 have junk that the callee must keep, rax,
 * r8 to r11 and xmm0 to xmm15 junk that it may use, and so has the stack:
 *
 *   rbp - 40   the five registers that this function keeps
 *   rbp - 48   entry
 *   rsp        8 KiB below it: junk
 */
        .text
        .globl  shake_call
        .hidden shake_call
        .type   shake_call, @function
shake_call:
        .cfi_startproc
        endbr64
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        pushq   %rbx
        .cfi_offset %rbx, -24
        pushq   %r12
        .cfi_offset %r12, -32
        pushq   %r13
        .cfi_offset %r13, -40
        pushq   %r14
        .cfi_offset %r14, -48
        pushq   %r15
        .cfi_offset %r15, -56
        pushq   %rdi                    /* entry; the stack is 16-aligned */

        movabsq $0xa5c3a5c3a5c3a5c3, %rax
        movq    %rcx, %r11
        leaq    -8192(%rsp), %rdi
        movl    $1024, %ecx
        rep stosq

        movq    %rsi, %rdi
        movq    %rdx, %rsi
        movq    %r11, %rdx
        movq    %r8, %rcx
        movq    %rax, %r8
        movq    %rax, %r9
        movq    %rax, %r10
        movq    %rax, %r11
        movq    %rax, %xmm0
        punpcklqdq %xmm0, %xmm0
        movdqa  %xmm0, %xmm1
        movdqa  %xmm0, %xmm2
        movdqa  %xmm0, %xmm3
        movdqa  %xmm0, %xmm4
        movdqa  %xmm0, %xmm5
        movdqa  %xmm0, %xmm6
        movdqa  %xmm0, %xmm7
        movdqa  %xmm0, %xmm8
        movdqa  %xmm0, %xmm9
        movdqa  %xmm0, %xmm10
        movdqa  %xmm0, %xmm11
        movdqa  %xmm0, %xmm12
        movdqa  %xmm0, %xmm13
        movdqa  %xmm0, %xmm14
        movdqa  %xmm0, %xmm15
        leaq    1(%rax), %rbx
        leaq    2(%rax), %r12
        leaq    3(%rax), %r13
        leaq    4(%rax), %r14
        leaq    5(%rax), %r15
        call    *(%rsp)

        movabsq $0xa5c3a5c3a5c3a5c3, %rdx
        subq    %rdx, %rbx
        subq    %rdx, %r12
        subq    %rdx, %r13
        subq    %rdx, %r14
        subq    %rdx, %r15
        cmpq    $1, %rbx
        jne     1f
        cmpq    $2, %r12
        jne     1f
        cmpq    $3, %r13
        jne     1f
        cmpq    $4, %r14
        jne     1f
        cmpq    $5, %r15
        jne     1f
        leaq    48(%rsp), %rdx
        cmpq    %rdx, %rbp
        je      2f
1:      addl    $256, %eax
2:      movq    -8(%rbp), %rbx
        movq    -16(%rbp), %r12
        movq    -24(%rbp), %r13
        movq    -32(%rbp), %r14
        movq    -40(%rbp), %r15
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   shake_call, . - shake_call
        .section .note.GNU-stack, "", @progbits
