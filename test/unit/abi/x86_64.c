/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/x86_64/x86_64.h"

#include "test/unit/abi/planning.h"

static void
check_classes(const char *type, const char *wanted)
{
    static const char *const names[] = {"NO_CLASS", "INTEGER", "SSE",
                                        "SSEUP",    "X87",     "X87UP",
                                        "COMPLEX",  "MEMORY"};
    const frt_layout *layout = parse_type("x86_64", type);
    struct sysv_classes classes;
    char text[128] = "";

    frti_x86_64_classify(&classes, layout);
    for (size_t i = 0; i < classes.count; i++) {
        if (i != 0)
            strcat(text, " ");
        strcat(text, names[classes.of[i]]);
        if (classes.of[0] == SYSV_MEMORY || classes.of[0] == SYSV_COMPLEX_X87)
            break;
    }
    cr_assert_str_eq(text, wanted, "%s: %s, not %s", type, text, wanted);
    frt_layout_drop(layout);
}

Test(x86_64, scalars)
{
    check_classes("_Bool", "INTEGER");
    check_classes("char", "INTEGER");
    check_classes("unsigned long", "INTEGER");
    check_classes("void *", "INTEGER");
    check_classes("enum { A }", "INTEGER");
    check_classes("__int128", "INTEGER INTEGER");
    check_classes("_Float16", "SSE");
    check_classes("float", "SSE");
    check_classes("double", "SSE");
    check_classes("_Float128", "SSE SSEUP");
    check_classes("long double", "X87 X87UP");
    check_classes("float _Complex", "SSE");
    check_classes("double _Complex", "SSE SSE");
    check_classes("long double _Complex", "COMPLEX");
}

Test(x86_64, integer_wins_within_an_eightbyte)
{
    check_classes("struct { float f; int i; }", "INTEGER");
    check_classes("struct { float a, b; int i; }", "SSE INTEGER");
    check_classes("union { int i; double d; }", "INTEGER");
    check_classes("union { float f; struct { float g; int i; } s; }",
                  "INTEGER");
    check_classes("struct { float f; union { float g; int i; } u; }",
                  "INTEGER");
    check_classes("struct { union { double d; long l; } u; float f; }",
                  "INTEGER SSE");
    check_classes("struct { int i; union { float f, g; } u; }", "INTEGER");
    check_classes("struct { float f; union { float g, h; } u; }", "SSE");
    check_classes("union { float f; double d; }", "SSE");
    check_classes("struct { char c; double d; }", "INTEGER SSE");
    check_classes("struct { float a; struct { float b, c; } s; }", "SSE SSE");
}

Test(x86_64, size)
{
    check_classes("struct { }", "");
    check_classes("struct { int a[0]; }", "");
    check_classes("struct { char c[3]; }", "INTEGER");
    check_classes("struct { char c[16]; }", "INTEGER INTEGER");
    check_classes("struct { char c[17]; }", "MEMORY");
    check_classes("struct { double d[3]; }", "MEMORY");
    check_classes("struct { char c[4096]; }", "MEMORY");
    check_classes("union { long l; char c[17]; }", "MEMORY");
}

Test(x86_64, x87)
{
    check_classes("struct { long double l; }", "X87 X87UP");
    check_classes("struct { long double l; int i; }", "MEMORY");
    check_classes("union { long double l; int i; }", "MEMORY");
    check_classes("union { long double l; double d; }", "MEMORY");
    check_classes("struct { long double _Complex c; }", "MEMORY");
}

/* A nested type is cleaned up before it is merged with what is around it. */
Test(x86_64, nested_types_are_classified_first)
{
    check_classes("union { long double l; __int128 i; }", "INTEGER INTEGER");
    check_classes("union { long double l; __int128 i;"
                  " union { char c[5]; long double l; } u; }",
                  "MEMORY");
    check_classes("union { long double l;"
                  " struct { int a, b; float f; int c; } s; }",
                  "INTEGER INTEGER");
    check_classes("union { long double l; int a[3]; float f[4]; }",
                  "INTEGER INTEGER");
    check_classes("union { long double l; float f[4]; int a[4]; }", "MEMORY");
}

Test(x86_64, misaligned_members)
{
    check_classes("struct __attribute__((packed)) { char c; short s; }",
                  "MEMORY");
    check_classes("struct __attribute__((packed)) { int i; double d; }",
                  "MEMORY");
    check_classes("struct __attribute__((packed)) { int i; char c; }",
                  "INTEGER");
    check_classes("struct __attribute__((packed)) { double d; int i; }",
                  "SSE INTEGER");
    check_classes("struct __attribute__((packed)) { float f[3]; }", "SSE SSE");
}

Test(x86_64, alignment_alone_changes_no_class)
{
    check_classes("struct __attribute__((aligned(16))) { long a, b; }",
                  "INTEGER INTEGER");
    check_classes("struct __attribute__((aligned(16))) { float f; }",
                  "SSE NO_CLASS");
    check_classes("struct __attribute__((aligned(32))) { long a, b; }",
                  "MEMORY");
}

Test(x86_64, bit_fields)
{
    check_classes("struct { int a : 3; }", "INTEGER");
    check_classes("struct { long a : 40; int b : 30; }", "INTEGER INTEGER");
    check_classes("struct { float f; int b : 3; }", "INTEGER");
    check_classes("struct { double d; int b : 3; }", "SSE INTEGER");
    /* unnamed ones count, as in gcc; of width 0 they do not */
    check_classes("struct { float f; int : 32; }", "INTEGER");
    check_classes("struct { int : 32; float f; }", "INTEGER");
    check_classes("struct { int : 0; float f; }", "SSE");
    check_classes("struct { float f; int : 0; float g; }", "SSE");
}

/* Where the psABI is silent: gcc. */
Test(x86_64, bit_fields_in_unions)
{
    check_classes("union { float f; int b : 3; }", "INTEGER");
    check_classes("union { float f; int : 3; }", "INTEGER");
    check_classes("union { float f; long : 0; }", "INTEGER");
    check_classes("struct __attribute__((packed)) {"
                  " char c; union { char d; long b : 13; } u; }",
                  "MEMORY");
    check_classes("struct __attribute__((packed)) {"
                  " char c; union { char d; long b : 8; } u; }",
                  "INTEGER NO_CLASS");
}

/* Its elements are all as the first, as gcc has it. */
Test(x86_64, arrays_of_packed_structs)
{
    check_classes("struct { struct __attribute__((packed))"
                  " { float f; char c; } s[2]; }",
                  "INTEGER INTEGER");
    check_classes(
        "struct __attribute__((packed)) { char c;"
        " struct __attribute__((packed)) { float f; char c; } s[2]; }",
        "MEMORY");
    check_classes("struct { struct { float f; int i; } s[2]; }",
                  "INTEGER INTEGER");
    check_classes("struct { float f; float g[3]; }", "SSE SSE");
    check_classes("struct { int i; float g[3]; }", "INTEGER SSE");
}

/* One that fills an integer is misaligned where that integer would be. */
Test(x86_64, bit_fields_that_fill_an_integer)
{
    check_classes("struct { char a; struct { short : 16; char b; } s; }",
                  "MEMORY");
    check_classes("struct { char a; struct { short : 15; char b; } s; }",
                  "INTEGER");
    check_classes("struct { short a; struct { short : 16; char b; } s; }",
                  "INTEGER");
    check_classes("struct { char a; struct __attribute__((packed))"
                  " { short : 16; char b; } s; }",
                  "INTEGER");
}

Test(x86_64, arrays_of_no_elements)
{
    check_classes("struct { float f; int a[0]; }", "INTEGER");
    check_classes("struct { double d; int a[0]; }", "SSE");
    check_classes("struct { float f; float a[0]; }", "SSE");
    check_classes("struct { float f; struct { int a[6]; } s[0]; }", "MEMORY");
    check_classes("struct { float f; struct { } s[0]; }", "SSE");
}

Test(x86_64, vectors)
{
    check_classes("int __attribute__((vector_size(4)))", "INTEGER");
    check_classes("_Float16 __attribute__((vector_size(4)))", "SSE");
    check_classes(
        "struct { int i; _Float16 v __attribute__((vector_size(4))); }",
        "INTEGER");
    check_classes("int __attribute__((vector_size(8)))", "SSE");
    check_classes("float __attribute__((vector_size(8)))", "SSE");
    check_classes("float __attribute__((vector_size(16)))", "SSE SSEUP");
    check_classes("float __attribute__((vector_size(32)))",
                  "SSE SSEUP SSEUP SSEUP");
    check_classes("__int128 __attribute__((vector_size(16)))", "SSE SSEUP");
    check_classes("__int128 __attribute__((vector_size(32)))", "MEMORY");
    check_classes("struct { float v __attribute__((vector_size(16))); }",
                  "SSE SSEUP");
    check_classes("struct { float v __attribute__((vector_size(16)));"
                  " int i; }",
                  "MEMORY");
    check_classes("union { float v __attribute__((vector_size(16)));"
                  " double d[2]; }",
                  "SSE SSE");
    /* gcc has no vector of one float */
    check_classes("float __attribute__((vector_size(4)))", "MEMORY");
    check_classes("double __attribute__((vector_size(8)))", "MEMORY");
    check_classes("struct { double v __attribute__((vector_size(8))); }",
                  "MEMORY");
}

/* ------------------------------------------------------------- arrange --- */

/* As gcc has it. */
Test(x86_64, nothing_but_unnamed_bit_fields)
{
    check_prototype("x86_64",
                    "struct { long : 64, : 64, : 64; } f(long,"
                    " struct { long : 64, : 64, : 64; })",
                    "#1: 0-7 -> rdi\n"
                    "#2: nothing\n"
                    "result: nothing\n"
                    "stack: 0 bytes, aligned to 16\n");
}

Test(x86_64, an_aggregate_goes_wholly_in_registers_or_on_the_stack)
{
    check_prototype(
        "x86_64",
        "void f(int, int, int, int, int,"
        " struct { long a, b; }, int, struct { long a; double d; })",
        "#1: 0-3 -> rdi sign-extended\n"
        "#2: 0-3 -> rsi sign-extended\n"
        "#3: 0-3 -> rdx sign-extended\n"
        "#4: 0-3 -> rcx sign-extended\n"
        "#5: 0-3 -> r8 sign-extended\n"
        "#6: 0-15 -> stack+0\n"
        "#7: 0-3 -> r9 sign-extended\n"
        "#8: 0-15 -> stack+16\n"
        "result: nothing\n"
        "stack: 32 bytes, aligned to 16\n");
}

Test(x86_64, what_is_aligned_on_the_stack)
{
    check_prototype("x86_64",
                    "void f(struct { long a[3]; }, long double, char,"
                    " struct __attribute__((aligned(32))) { char c[32]; })",
                    "#1: 0-23 -> stack+0\n"
                    "#2: 0-15 -> stack+32\n"
                    "#3: 0-0 -> rdi sign-extended\n"
                    "#4: 0-31 -> stack+64\n"
                    "result: nothing\n"
                    "stack: 96 bytes, aligned to 32\n");
}

Test(x86_64, alignment_of_a_typedef_of_the_whole_adds_nothing)
{
    check_prototype("x86_64",
                    "typedef struct { long a[3]; } s"
                    " __attribute__((aligned(32)));"
                    " void f(struct { long a[3]; }, s)",
                    "#1: 0-23 -> stack+0\n"
                    "#2: 0-23 -> stack+24\n"
                    "result: nothing\n"
                    "stack: 48 bytes, aligned to 16\n");
}

Test(x86_64, variadic)
{
    check_variadic("x86_64", "int f(float, ...)",
                   "float, signed char, unsigned short, _Bool,"
                   " struct { float f; }",
                   "#1: 0-3 -> xmm0\n"
                   "#2: 0-3 -> xmm1 as double\n"
                   "#3: 0-0 -> rdi sign-extended\n"
                   "#4: 0-1 -> rsi zero-extended\n"
                   "#5: 0-0 -> rdx zero-extended\n"
                   "#6: 0-3 -> xmm2\n"
                   "result: 0-3 <- rax\n"
                   "stack: 0 bytes, aligned to 16\n");
    check_variadic("x86_64", "int f(float, ...)",
                   "float __attribute__((vector_size(32)))",
                   "#1: 0-3 -> xmm0\n"
                   "#2: 0-31 -> stack+0\n"
                   "result: 0-3 <- rax\n"
                   "stack: 32 bytes, aligned to 32\n");
}

Test(x86_64, wide_vectors)
{
    check_prototype("x86_64",
                    "struct { float v __attribute__((vector_size(32))); }"
                    " f(float __attribute__((vector_size(16))),"
                    " double __attribute__((vector_size(32))))",
                    "#1: 0-15 -> xmm0\n"
                    "#2: 0-31 -> ymm1\n"
                    "result: 0-31 <- ymm0\n"
                    "stack: 0 bytes, aligned to 16\n");
}

/* As gcc has it: a register each, and no room on the stack. */
Test(x86_64, structs_of_unnamed_bit_fields)
{
    check_prototype("x86_64",
                    "void f(struct { int : 19; }, long, long, long, long, long,"
                    " struct { int : 19; }, int)",
                    "#1: 0-2 -> rdi\n"
                    "#2: 0-7 -> rsi\n"
                    "#3: 0-7 -> rdx\n"
                    "#4: 0-7 -> rcx\n"
                    "#5: 0-7 -> r8\n"
                    "#6: 0-7 -> r9\n"
                    "#7: nothing\n"
                    "#8: 0-3 -> stack+0 sign-extended\n"
                    "result: nothing\n"
                    "stack: 8 bytes, aligned to 16\n");
}

Test(x86_64, arrays_of_unnamed_bit_fields)
{
    check_prototype("x86_64",
                    "void f(struct { struct { long : 56; } s[3]; }, char)",
                    "#1: nothing\n"
                    "#2: 0-0 -> rdi sign-extended\n"
                    "result: nothing\n"
                    "stack: 0 bytes, aligned to 16\n");
    check_prototype("x86_64",
                    "void f(struct { long a[0]; struct { long : 56; } b[3]; },"
                    " char)",
                    "#1: nothing\n"
                    "#2: 0-0 -> rdi sign-extended\n"
                    "result: nothing\n"
                    "stack: 0 bytes, aligned to 16\n");
}

Test(x86_64, results)
{
    check_prototype("x86_64", "struct { double d; char c; } f(void)",
                    "result: 0-7 <- xmm0, 8-15 <- rax\n"
                    "stack: 0 bytes, aligned to 16\n");
    check_prototype("x86_64", "struct { long double l; } f(void)",
                    "result: 0-15 <- st0\n"
                    "stack: 0 bytes, aligned to 16\n");
    check_prototype("x86_64", "struct { } f(int)",
                    "#1: 0-3 -> rdi sign-extended\n"
                    "result: nothing\n"
                    "stack: 0 bytes, aligned to 16\n");
}

static void
refuse_wide(const char *prototype)
{
    const frt_descriptor *descriptor = parse_prototype("x86_64", prototype);
    struct frti_plan *plan = NULL;

    cr_assert_eq(
        frti_plan_new(&plan,
                      frti_convention_of(frt_descriptor_model(descriptor)),
                      descriptor),
        FRT_UNSUPPORTED, "%s", prototype);
    cr_assert_not_null(strstr(frt_last_detail(), "a vector of 64 bytes"));
    frt_descriptor_drop(descriptor);
}

Test(x86_64, a_vector_too_wide)
{
    refuse_wide("void f(int __attribute__((vector_size(64))))");
    refuse_wide("struct { float __attribute__((vector_size(64))) v; } f(void)");
    refuse_wide("void f(union { struct { "
                "float __attribute__((vector_size(64))) v[1]; } s; })");
    check_prototype("x86_64",
                    "void f(struct { "
                    "float __attribute__((vector_size(64))) v[2]; })",
                    "#1: 0-127 -> stack+0\n"
                    "result: nothing\n"
                    "stack: 128 bytes, aligned to 64\n");
}
