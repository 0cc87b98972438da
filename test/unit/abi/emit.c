/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The code of stubs as bytes, for both conventions on any host. That it does
 * what it should is shown by stub.c and by the random signatures.
 */
#include "abi/emitter.h"

#include <stdio.h>
#include <stdlib.h>

#include "test/unit/abi/stubs.h"
#include "test/unit/base/failing.h"

static const char *const models[] = {"x86_64", "aarch64"};

static const char *const prototypes[] = {
    "void f(void)",
    "int f(int, int)",
    "void *f(void *, void *, void *)",
    "double f(int, double, int, double, int, double, int, double, int, double)",
    "struct { double x, y; } f(void)",
    "struct { double d[4]; } f(struct { double x, y; } p)",
    "struct { long a; float b; } f(struct { float a; long b; } p)",
    "struct { char c[3]; } f(struct { char c[5]; } p)",
    "struct { char c[13]; } f(struct { char c[15]; } p, struct { char c[7]; })",
    "struct { float a, b, c; } f(struct { float a, b, c; } p)",
    "long double f(long double)",
    "_Complex long double f(_Complex long double)",
    "_Complex double f(_Complex float)",
    "__int128 f(int, __int128, int)",
    "struct { _Float16 h[3]; } f(struct { _Float16 h; } p)",
    "int f(char, signed char, unsigned char, short, unsigned short, _Bool)",
    "int f(int, ...)",
    "void f(long, long, long, long, long, long, long, long, long, char, float)",
    "void f(struct { char c[300]; } p, struct { char c[10000]; } q)",
    "void f(struct { char c[99]; } p, struct { char c; } q)",
    "void f(struct { int i; } __attribute__((aligned(32))) p)",
    "struct { struct { } e; } f(struct { } p)",
};

#define PROTOTYPES (sizeof prototypes / sizeof prototypes[0])

static struct frti_plan *
plan_of(const char *prototype, const char *model)
{
    const frt_descriptor *descriptor = parse_for(prototype, model);
    struct frti_plan *plan = NULL;

    cr_assert_eq(
        frti_plan_new(&plan,
                      frti_convention_of(frt_descriptor_model(descriptor)),
                      descriptor),
        FRT_OK, "%s: %s", prototype, frt_last_detail());
    frt_descriptor_drop(descriptor);
    return plan;
}

static struct frti_emitter
emit(const char *prototype, const char *model)
{
    struct frti_plan *plan = plan_of(prototype, model);
    struct frti_emitter emitter = {0};

    plan->convention->emit(&emitter, plan);
    frti_plan_free(plan);
    return emitter;
}

Test(emit, the_same_plan_is_the_same_code)
{
    for (size_t m = 0; m < 2; m++)
        for (size_t i = 0; i < PROTOTYPES; i++) {
            struct frti_emitter one = emit(prototypes[i], models[m]);
            struct frti_emitter other = emit(prototypes[i], models[m]);

            cr_assert_gt(one.size, FRTI_STUB_ENTRY);
            cr_assert_not(one.is_full);
            cr_assert_null(one.refusal);
            cr_assert_eq(one.size, other.size);
            cr_assert_eq(memcmp(one.bytes, other.bytes, one.size), 0);
            frti_emitter_free(&one);
            frti_emitter_free(&other);
        }
}

/* A jump to the entry is allowed where the CPU guards jumps. */
Test(emit, the_entry_is_a_landing_pad)
{
    static const unsigned char pads[2][4] = {{0xf3, 0x0f, 0x1e, 0xfa},
                                             {0x5f, 0x24, 0x03, 0xd5}};

    for (size_t m = 0; m < 2; m++)
        for (size_t i = 0; i < PROTOTYPES; i++) {
            struct frti_emitter code = emit(prototypes[i], models[m]);

            cr_assert_eq(
                memcmp(code.bytes + FRTI_STUB_ENTRY, pads[m], sizeof pads[m]),
                0, "%s, %s", models[m], prototypes[i]);
            frti_emitter_free(&code);
        }
}

static void
check_code(const char *prototype, const char *model, const char *hex)
{
    struct frti_emitter code = emit(prototype, model);
    char text[1024];
    size_t length = 0;

    for (size_t i = FRTI_STUB_ENTRY; i < code.size; i++)
        length += (size_t)sprintf(text + length, "%02x", code.bytes[i]);
    cr_assert_str_eq(text, hex, "%s", prototype);
    frti_emitter_free(&code);
}

/* Nothing is there that the plan does not need. */
Test(emit, short_x86_64)
{
    check_code("void f(void)", "x86_64",
               "f30f1efa"   /* endbr64 */
               "4885ff"     /* test rdi, rdi */
               "74e7"       /* jz */
               "554889e5"   /* push rbp; mov rbp, rsp */
               "ffd7"       /* call rdi */
               "5d31c0c3"); /* pop rbp; xor eax, eax; ret */
    check_code("int f(int, int)", "x86_64",
               "f30f1efa4885ff74e7554889e5"
               "4883ec10"   /* sub rsp, 16 */
               "488975f8"   /* mov [rbp - 8], rsi */
               "4989fb"     /* mov r11, rdi */
               "488b02"     /* mov rax, [rdx] */
               "486338"     /* movsxd rdi, [rax] */
               "488b4208"   /* mov rax, [rdx + 8] */
               "486330"     /* movsxd rsi, [rax] */
               "41ffd3"     /* call r11 */
               "488b4df8"   /* mov rcx, [rbp - 8] */
               "8901"       /* mov [rcx], eax */
               "4883c410"   /* add rsp, 16 */
               "5d31c0c3"); /* pop rbp; xor eax, eax; ret */
    check_code("struct { double d[4]; } f(void)", "x86_64",
               "f30f1efa4885ff74e7554889e5"
               "4989fb" /* mov r11, rdi */
               "4889f7" /* mov rdi, rsi */
               "41ffd3" /* call r11 */
               "5d31c0c3");
}

Test(emit, short_aarch64)
{
    check_code("void f(void)", "aarch64",
               "5f2403d5"   /* bti c */
               "60ffffb4"   /* cbz x0 */
               "fd7bbfa9"   /* stp x29, x30, [sp, #-16]! */
               "fd030091"   /* mov x29, sp */
               "00003fd6"   /* blr x0 */
               "fd7bc1a8"   /* ldp x29, x30, [sp], #16 */
               "00008052"   /* mov w0, #0 */
               "c0035fd6"); /* ret */
    check_code("int f(int, int)", "aarch64",
               "5f2403d560ffffb4fd7bbfa9fd030091"
               "ff4300d1" /* sub sp, sp, #16 */
               "a1831ff8" /* stur x1, [x29, #-8] */
               "f00300aa" /* mov x16, x0 */
               "4a0040f9" /* ldr x10, [x2] */
               "400180b8" /* ldursw x0, [x10] */
               "4a0440f9" /* ldr x10, [x2, #8] */
               "410180b8" /* ldursw x1, [x10] */
               "00023fd6" /* blr x16 */
               "aa835ff8" /* ldur x10, [x29, #-8] */
               "400100b8" /* stur w0, [x10] */
               "bf030091" /* mov sp, x29 */
               "fd7bc1a800008052c0035fd6");
}

Test(emit, no_memory)
{
    for (size_t m = 0; m < 2; m++)
        for (size_t i = 0; i < PROTOTYPES; i++) {
            struct frti_plan *plan = plan_of(prototypes[i], models[m]);
            size_t live = frti_allocator_live();

            for (size_t n = 1;; n++) {
                struct frti_emitter emitter = {0};

                failing_begin(n);
                plan->convention->emit(&emitter, plan);
                if (!failing_end()) {
                    frti_emitter_free(&emitter);
                    break;
                }
                cr_assert(emitter.is_full);
                frti_emitter_free(&emitter);
                cr_assert_eq(frti_allocator_live(), live);
            }
            frti_plan_free(plan);
        }
}

/* The code of each argument is short and does not grow with its index. */
Test(emit, thousands_of_arguments)
{
    size_t count = 5000;
    char *prototype = malloc(count * 5 + 20);
    size_t length = (size_t)sprintf(prototype, "void f(int");

    for (size_t i = 1; i < count; i++)
        length += (size_t)sprintf(prototype + length, ",int");
    strcpy(prototype + length, ")");
    for (size_t m = 0; m < 2; m++) {
        struct frti_emitter code = emit(prototype, models[m]);

        cr_assert_gt(code.size, count * 8);
        cr_assert_lt(code.size, count * 32);
        frti_emitter_free(&code);
    }
    free(prototype);
}
