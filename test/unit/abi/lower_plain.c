/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The lowering for CPUs without a convention of ours, in the place of this
 * CPU's: libffi's own classification. */
#include "ffi_rt/base/status.h"
#include "test/unit/abi/calling.h"
#include "test/unit/abi/calling_callees.h"
#include "test/unit/base/failing.h"

#define PAIR "struct { char c; double d; }"
#define MIXED "struct { int i; float f[3]; " PAIR " pair; short s; }"
#define LONGS "struct { long a[5]; }"

Test(lower_plain, scalars)
{
    signed char a = -5;
    unsigned short b = 60000;
    float c = 0.5f;
    double d = 0.25;
    long e = -7;
    bool f = true;
    double result = 0;
    void *arguments[] = {&a, &b, &c, &d, &e, &f};

    call("double f(signed char, unsigned short, float, double, long, _Bool)",
         (void *)callee_scalars, &result, arguments);
    cr_assert_eq(result, -5 + 60000 + 0.5 + 0.25 - 7 + 1);
}

Test(lower_plain, arguments_on_the_stack)
{
    int integers[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    float last = 10;
    double result = 0;
    void *arguments[10];

    for (int i = 0; i < 9; i++)
        arguments[i] = &integers[i];
    arguments[9] = &last;
    call("double f(int, int, int, int, int, int, int, int, int, float)",
         (void *)callee_ten, &result, arguments);
    cr_assert_eq(result, 385);
}

Test(lower_plain, narrow_results)
{
    signed char narrow[3] = {0x55, 0x55, 0x55};
    bool is_true[3] = {false, false, false};
    int value = -3;
    void *arguments[] = {&value};

    call("signed char f(int)", (void *)callee_narrow, &narrow[1], arguments);
    cr_assert_eq(narrow[0], 0x55);
    cr_assert_eq(narrow[1], -3);
    cr_assert_eq(narrow[2], 0x55);
    call("_Bool f(int)", (void *)callee_bool, &is_true[1], arguments);
    cr_assert(!is_true[0] && is_true[1] && !is_true[2]);
}

Test(lower_plain, structs)
{
    struct pair pair = {3, 4.5};
    struct mixed mixed = {1, {2, 3, 4}, {5, 6}, 7};
    struct longs longs = {{1, 2, 3, 4, 5}};
    int n = 100;
    double number = 0;
    long integer = 0;

    call("double f(" PAIR ")", (void *)callee_pair, &number, (void *[]){&pair});
    cr_assert_eq(number, 7.5);
    call("double f(" MIXED ", int)", (void *)callee_mixed, &number,
         (void *[]){&mixed, &n});
    cr_assert_eq(number, 1 + 2 + 6 + 12 + 11 + 7 + 100);
    call("long f(" LONGS ")", (void *)callee_longs, &integer,
         (void *[]){&longs});
    cr_assert_eq(integer, 55);
    cr_assert_eq(longs.a[0], 1);
}

Test(lower_plain, struct_results)
{
    char c = 9;
    double d = 2.5;
    int i = 3;
    long first = 10;
    struct pair pair = {0};
    struct mixed mixed = {0};
    struct longs longs = {{0}};

    call(PAIR " f(char, double)", (void *)callee_make_pair, &pair,
         (void *[]){&c, &d});
    cr_assert(pair.c == 9 && pair.d == 2.5);
    call(MIXED " f(int)", (void *)callee_make_mixed, &mixed, (void *[]){&i});
    cr_assert(mixed.i == 3 && mixed.f[2] == 3 && mixed.pair.d == 5 &&
              mixed.s == -3);
    call(LONGS " f(long)", (void *)callee_make_longs, &longs,
         (void *[]){&first});
    cr_assert(longs.a[0] == 10 && longs.a[4] == 14);
}

Test(lower_plain, variadic)
{
    int count = 4;
    float one = 1.5f;
    signed char two = -2;
    double three = 3.25;
    unsigned short four = 40000;
    double result = 0;
    void *arguments[] = {&count, &one, &two, &three, &four};

    call_variadic("double f(int, ...)",
                  "float, signed char, double, unsigned short",
                  (void *)callee_sum, &result, arguments);
    cr_assert_eq(result, 1.5 - 2 + 3.25 + 40000);
}

Test(lower_plain, refusals)
{
    static const char *const types[] = {
        "union { int i; double d; }",
        "struct { int a : 3; }",
        "struct __attribute__((packed)) { char c; int i; }",
        "struct __attribute__((aligned(16))) { long a, b; }",
        "struct { float a; float b __attribute__((aligned(8))); }",
        "struct { int a[2] __attribute__((aligned(16))); }",
        "struct { char c; int i __attribute__((packed, aligned(2))); }",
        "struct { }",
        "struct { union { int i; float f; } u; }",
        "struct { int a[0]; }",
        "float __attribute__((vector_size(8)))",
        "float _Complex",
        "long double",
        "__int128",
        "_Float16",
    };
    char text[128];

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        snprintf(text, sizeof text, "void f(%s)", types[i]);
        check_unsupported(text, "cannot travel by value on this CPU");
        snprintf(text, sizeof text, "%s f(void)", types[i]);
        check_unsupported(text, "cannot travel by value on this CPU");
    }
}

Test(lower_plain, no_memory)
{
    const frt_descriptor *descriptor = native_descriptor(
        MIXED " f(" PAIR ", " LONGS ", signed char, double)", NULL);
    struct frti_call *prepared = NULL;
    size_t live;

    (void)frti_no_memory(0, "warming up");
    live = frti_allocator_live();
    for (size_t n = 1;; n++) {
        frt_status status;

        failing_begin(n);
        status = frti_backend_libffi.prepare(&prepared, descriptor);
        if (!failing_end())
            break;
        cr_assert_eq(status, FRT_NO_MEMORY, "allocation %zu", n);
        cr_assert_eq(frti_allocator_live(), live, "allocation %zu", n);
    }
    frti_backend_libffi.discard(prepared);
    cr_assert_eq(frti_allocator_live(), live);
    frt_descriptor_drop(descriptor);
}
