/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/aarch64/aarch64.h"

#include "test/unit/abi/planning.h"

static void
check_class(const char *type, enum aapcs_class wanted)
{
    const frt_layout *layout = parse_type("aarch64", type);
    struct aapcs_kind kind;

    frti_aarch64_classify(&kind, layout);
    cr_assert_eq(kind.class, wanted, "%s: %d", type, (int)kind.class);
    frt_layout_drop(layout);
}

Test(aarch64, classes)
{
    check_class("struct { }", AAPCS_NOTHING);
    check_class("struct { int a[0]; }", AAPCS_NOTHING);
    check_class("char", AAPCS_GENERAL);
    check_class("__int128", AAPCS_GENERAL);
    check_class("struct { char c[16]; }", AAPCS_GENERAL);
    check_class("struct { char c[17]; }", AAPCS_REFERENCE);
    check_class("int __attribute__((vector_size(4)))", AAPCS_GENERAL);
    check_class("int __attribute__((vector_size(32)))", AAPCS_REFERENCE);
    check_class("float", AAPCS_VECTOR);
    check_class("int __attribute__((vector_size(16)))", AAPCS_VECTOR);
    /* homogeneous before the size is looked at */
    check_class("struct { double d[4]; }", AAPCS_VECTOR);
    check_class("struct { long double d[4]; }", AAPCS_VECTOR);
    check_class("struct { double d[5]; }", AAPCS_REFERENCE);
    check_class("long double _Complex", AAPCS_VECTOR);
}

Test(aarch64, homogeneous_aggregates)
{
    check_prototype("aarch64",
                    "struct { float x, y, z; } f(struct { float x, y, z; },"
                    " struct { double d[4]; }, struct { float f[2]; }, float)",
                    "#1: 0-3 -> v0, 4-7 -> v1, 8-11 -> v2\n"
                    "#2: 0-7 -> v3, 8-15 -> v4, 16-23 -> v5, 24-31 -> v6\n"
                    /* one register is left, and left alone from here on */
                    "#3: 0-7 -> stack+0\n"
                    "#4: 0-3 -> stack+8\n"
                    "result: 0-3 <- v0, 4-7 <- v1, 8-11 <- v2\n"
                    "stack: 16 bytes, aligned to 16\n");
    check_prototype("aarch64",
                    "struct { float v[2] __attribute__((vector_size(16))); }"
                    " f(struct { float v[3] __attribute__((vector_size(8)));"
                    " })",
                    "#1: 0-7 -> v0, 8-15 -> v1, 16-23 -> v2\n"
                    "result: 0-15 <- v0, 16-31 <- v1\n"
                    "stack: 0 bytes, aligned to 16\n");
}

Test(aarch64, pairs_start_at_an_even_register)
{
    check_prototype(
        "aarch64",
        "void f(int, __int128, int, struct { _Alignas(16) long a; },"
        " int)",
        "#1: 0-3 -> x0 sign-extended\n"
        "#2: 0-7 -> x2, 8-15 -> x3\n"
        "#3: 0-3 -> x4 sign-extended\n"
        "#4: 0-7 -> x6, 8-15 -> x7\n"
        "#5: 0-3 -> stack+0 sign-extended\n"
        "result: nothing\n"
        "stack: 8 bytes, aligned to 16\n");
}

/* An attribute of the whole struct is not looked at. */
Test(aarch64, natural_alignment)
{
    check_prototype("aarch64",
                    "void f(int, struct __attribute__((aligned(16)))"
                    " { long a, b; }, int)",
                    "#1: 0-3 -> x0 sign-extended\n"
                    "#2: 0-7 -> x1, 8-15 -> x2\n"
                    "#3: 0-3 -> x3 sign-extended\n"
                    "result: nothing\n"
                    "stack: 0 bytes, aligned to 16\n");
}

Test(aarch64, what_does_not_fit_ends_the_registers)
{
    check_prototype("aarch64",
                    "void f(long, long, long, long, long, long, long,"
                    " struct { long a, b; }, int, double)",
                    "#1: 0-7 -> x0\n"
                    "#2: 0-7 -> x1\n"
                    "#3: 0-7 -> x2\n"
                    "#4: 0-7 -> x3\n"
                    "#5: 0-7 -> x4\n"
                    "#6: 0-7 -> x5\n"
                    "#7: 0-7 -> x6\n"
                    "#8: 0-15 -> stack+0\n"
                    "#9: 0-3 -> stack+16 sign-extended\n"
                    "#10: 0-7 -> v0\n"
                    "result: nothing\n"
                    "stack: 24 bytes, aligned to 16\n");
}

Test(aarch64, references)
{
    check_prototype("aarch64",
                    "struct { char c[17]; } f(struct { char c[17]; },"
                    " struct { double d[5]; }, int)",
                    "#1: address of a copy -> x0\n"
                    "#2: address of a copy -> x1\n"
                    "#3: 0-3 -> x2 sign-extended\n"
                    "result: at the address in x8\n"
                    "stack: 0 bytes, aligned to 16\n");
    check_prototype("aarch64", "void f(" LONGS_8 "struct { char c[17]; })",
                    LONGS_8_PLAN "#9: address of a copy -> stack+0\n"
                                 "result: nothing\n"
                                 "stack: 8 bytes, aligned to 16\n");
}

#define FLOATS_8 "float, float, float, float, float, float, float, float, "
#define FLOATS_8_PLAN                                                          \
    "#1: 0-3 -> v0\n#2: 0-3 -> v1\n#3: 0-3 -> v2\n#4: 0-3 -> v3\n"             \
    "#5: 0-3 -> v4\n#6: 0-3 -> v5\n#7: 0-3 -> v6\n#8: 0-3 -> v7\n"

/* Nothing on the stack is aligned to more than 16. */
Test(aarch64, homogeneous_aligned_to_32)
{
    check_prototype("aarch64",
                    "void f(" FLOATS_8 "float,"
                    " struct { _Alignas(32) double a[4]; }, float)",
                    FLOATS_8_PLAN "#9: 0-3 -> stack+0\n"
                                  "#10: 0-31 -> stack+16\n"
                                  "#11: 0-3 -> stack+48\n"
                                  "result: nothing\n"
                                  "stack: 56 bytes, aligned to 16\n");
}

/* There a homogeneous one is as an array of its elements. */
Test(aarch64, apple_aligns_elements)
{
    check_prototype("aarch64-apple",
                    "void f(" FLOATS_8 "float, struct { float a, b; }, float,"
                    " struct { _Alignas(32) double a[4]; }, float,"
                    " struct { float v __attribute__((vector_size(16))); })",
                    FLOATS_8_PLAN "#9: 0-3 -> stack+0\n"
                                  "#10: 0-7 -> stack+4\n"
                                  "#11: 0-3 -> stack+12\n"
                                  "#12: 0-31 -> stack+16\n"
                                  "#13: 0-3 -> stack+48\n"
                                  "#14: 0-15 -> stack+64\n"
                                  "result: nothing\n"
                                  "stack: 80 bytes, aligned to 16\n");
}

Test(aarch64, variadic_values_travel_as_others_do)
{
    check_variadic("aarch64", "int f(int, ...)",
                   "float, struct { float a, b; }",
                   "#1: 0-3 -> x0 sign-extended\n"
                   "#2: 0-3 -> v0 as double\n"
                   "#3: 0-3 -> v1, 4-7 -> v2\n"
                   "result: 0-3 <- x0\n"
                   "stack: 0 bytes, aligned to 16\n");
}

Test(aarch64, apple_puts_variadic_values_on_the_stack)
{
    check_variadic("aarch64-apple", "int f(int, double, ...)",
                   "char, float, struct { float a, b; }, __int128,"
                   " struct { char c[17]; }",
                   "#1: 0-3 -> x0 sign-extended\n"
                   "#2: 0-7 -> v0\n"
                   "#3: 0-0 -> stack+0 sign-extended\n"
                   "#4: 0-3 -> stack+8 as double\n"
                   "#5: 0-7 -> stack+16\n"
                   "#6: 0-15 -> stack+32\n"
                   "#7: address of a copy -> stack+48\n"
                   "result: 0-3 <- x0\n"
                   "stack: 56 bytes, aligned to 16\n");
}

Test(aarch64, apple_has_no_even_pairs)
{
    check_prototype("aarch64-apple", "void f(int, __int128)",
                    "#1: 0-3 -> x0 sign-extended\n"
                    "#2: 0-7 -> x1, 8-15 -> x2\n"
                    "result: nothing\n"
                    "stack: 0 bytes, aligned to 16\n");
}

/* There an attribute of the whole struct is looked at. */
Test(aarch64, apple_declared_alignment)
{
    check_prototype("aarch64-apple",
                    "void f(" LONGS_8
                    "char, struct __attribute__((aligned(16))) { int i; },"
                    " char)",
                    LONGS_8_PLAN "#9: 0-0 -> stack+0 sign-extended\n"
                                 "#10: 0-15 -> stack+16\n"
                                 "#11: 0-0 -> stack+32 sign-extended\n"
                                 "result: nothing\n"
                                 "stack: 40 bytes, aligned to 16\n");
}

Test(aarch64, results)
{
    check_prototype("aarch64", "struct { long a; double d; } f(void)",
                    "result: 0-7 <- x0, 8-15 <- x1\n"
                    "stack: 0 bytes, aligned to 16\n");
    check_prototype("aarch64", "struct { } f(void)",
                    "result: nothing\n"
                    "stack: 0 bytes, aligned to 16\n");
    check_prototype("aarch64", "__int128 f(void)",
                    "result: 0-7 <- x0, 8-15 <- x1\n"
                    "stack: 0 bytes, aligned to 16\n");
    check_prototype("aarch64", "struct { long double d[4]; } f(void)",
                    "result: 0-15 <- v0, 16-31 <- v1, 32-47 <- v2,"
                    " 48-63 <- v3\n"
                    "stack: 0 bytes, aligned to 16\n");
}

Test(aarch64, vectors_under_8_bytes)
{
    const frt_descriptor *descriptor = parse_prototype(
        "aarch64", "void f(float __attribute__((vector_size(4))))");
    struct frti_plan *plan = NULL;

    check_prototype("aarch64",
                    "int f(double, short __attribute__((vector_size(4))))",
                    "#1: 0-7 -> v0\n"
                    "#2: 0-3 -> x0\n"
                    "result: 0-3 <- x0\n"
                    "stack: 0 bytes, aligned to 16\n");
    cr_assert_eq(
        frti_plan_new(&plan,
                      frti_convention_of(frt_descriptor_model(descriptor)),
                      descriptor),
        FRT_UNSUPPORTED);
    cr_assert_not_null(strstr(frt_last_detail(), "a vector of 4 bytes"));
    frt_descriptor_drop(descriptor);
}
