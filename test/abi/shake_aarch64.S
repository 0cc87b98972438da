/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * int shake_call(frt_entry *entry, void *target, void *result,
 *                void *const *arguments, const frt_downcall *downcall)
 *
 * At the call: x19 to x28 and the low halves of v8 to v15 have junk that the
 * callee must keep; x4 to x15 and the other vector registers junk that it may
 * use, and so has the stack:
 *
 *   sp          frame record, x19 to x28, d8 to d15: 160 bytes
 *   sp - 8192   junk
 */
        .text
        .globl  shake_call
        .hidden shake_call
        .type   shake_call, %function
        .p2align 2
shake_call:
        .cfi_startproc
        hint    #34                     /* bti c */
        stp     x29, x30, [sp, #-160]!
        .cfi_def_cfa_offset 160
        .cfi_offset 29, -160
        .cfi_offset 30, -152
        mov     x29, sp
        .cfi_def_cfa_register 29
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        stp     x23, x24, [sp, #48]
        stp     x25, x26, [sp, #64]
        stp     x27, x28, [sp, #80]
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        .cfi_offset 19, -144
        .cfi_offset 20, -136
        .cfi_offset 21, -128
        .cfi_offset 22, -120
        .cfi_offset 23, -112
        .cfi_offset 24, -104
        .cfi_offset 25, -96
        .cfi_offset 26, -88
        .cfi_offset 27, -80
        .cfi_offset 28, -72
        .cfi_offset 72, -64
        .cfi_offset 73, -56
        .cfi_offset 74, -48
        .cfi_offset 75, -40
        .cfi_offset 76, -32
        .cfi_offset 77, -24
        .cfi_offset 78, -16
        .cfi_offset 79, -8

        movz    x5, #0xa5c3
        movk    x5, #0xa5c3, lsl #16
        movk    x5, #0xa5c3, lsl #32
        movk    x5, #0xa5c3, lsl #48
        sub     x6, sp, #8192
1:      stp     x5, x5, [x6], #16
        cmp     x6, x29
        b.ne    1b

        mov     x16, x0
        mov     x0, x1
        mov     x1, x2
        mov     x2, x3
        mov     x3, x4
        mov     x4, x5
        mov     x6, x5
        mov     x7, x5
        mov     x8, x5
        mov     x9, x5
        mov     x10, x5
        mov     x11, x5
        mov     x12, x5
        mov     x13, x5
        mov     x14, x5
        mov     x15, x5
        .irp    n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        dup     v\n\().2d, x5
        .endr
        add     x19, x5, #1
        add     x20, x5, #2
        add     x21, x5, #3
        add     x22, x5, #4
        add     x23, x5, #5
        add     x24, x5, #6
        add     x25, x5, #7
        add     x26, x5, #8
        add     x27, x5, #9
        add     x28, x5, #10
        blr     x16

        movz    x5, #0xa5c3
        movk    x5, #0xa5c3, lsl #16
        movk    x5, #0xa5c3, lsl #32
        movk    x5, #0xa5c3, lsl #48
        mov     x6, #0                  /* bits that differ */
        .irp    n, 8,9,10,11,12,13,14,15
        fmov    x7, d\n
        eor     x7, x7, x5
        orr     x6, x6, x7
        .endr
        .macro  kept register
        add     x5, x5, #1
        eor     x7, \register, x5
        orr     x6, x6, x7
        .endm
        kept    x19
        kept    x20
        kept    x21
        kept    x22
        kept    x23
        kept    x24
        kept    x25
        kept    x26
        kept    x27
        kept    x28
        mov     x7, sp
        eor     x7, x7, x29
        orr     x6, x6, x7
        cbz     x6, 2f
        add     w0, w0, #256
2:      ldp     x19, x20, [sp, #16]
        ldp     x21, x22, [sp, #32]
        ldp     x23, x24, [sp, #48]
        ldp     x25, x26, [sp, #64]
        ldp     x27, x28, [sp, #80]
        ldp     d8, d9, [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        ldp     x29, x30, [sp], #160
        .cfi_def_cfa sp, 0
        ret
        .cfi_endproc
        .size   shake_call, . - shake_call
        .section .note.GNU-stack, "", %progbits
