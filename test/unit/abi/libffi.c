/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/status.h"
#include "test/unit/abi/calling.h"
#include "test/unit/abi/calling_callees.h"
#include "test/unit/base/failing.h"

#define PAIR "struct { char c; double d; }"
#define LONGS "struct { long a[5]; }"

static bool
is_model(const char *name)
{
    return strcmp(frt_model_name(frt_model_native()), name) == 0;
}

/* ---------------------------------------------------------------- calls --- */

Test(libffi, a_float_before_a_struct_is_kept)
{
    int integers[5] = {1, 2, 3, 4, 5};
    float f = 1234.5f;
    struct pair pair = {7, 8.5};
    double result = 0;
    void *arguments[] = {&integers[0], &integers[1], &integers[2], &integers[3],
                         &integers[4], &f,           &pair};

    call("double f(int, int, int, int, int, float, " PAIR ")",
         (void *)callee_float_and_pair, &result, arguments);
    cr_assert_eq(result, 15 + 12345.0 + 15.5);
}

Test(libffi, the_callers_array_is_left_alone)
{
    struct longs longs = {{1, 2, 3, 4, 5}};
    void *arguments[] = {&longs};
    long result = 0;

    call("long f(" LONGS ")", (void *)callee_longs, &result, arguments);
    cr_assert_eq(result, 55);
    cr_assert_eq(arguments[0], &longs);
    cr_assert_eq(longs.a[4], 5);
}

/* libffi writes whole registers: that is a slot of ours. */
Test(libffi, a_result_is_written_by_its_size)
{
    signed char narrow[3] = {0x55, 0x55, 0x55};
    int value = -3;
    void *arguments[] = {&value};

    call("signed char f(int)", (void *)callee_narrow, &narrow[1], arguments);
    cr_assert_eq(narrow[0], 0x55);
    cr_assert_eq(narrow[1], -3);
    cr_assert_eq(narrow[2], 0x55);
}

Test(libffi, promotions)
{
    int count = 4;
    float one = 1.5f;
    signed char two = -2;
    unsigned short four = 40000;
    double three = 3.25;
    double result = 0;
    void *arguments[] = {&count, &one, &two, &three, &four};

    call_variadic("double f(int, ...)",
                  "float, signed char, double, unsigned short",
                  (void *)callee_sum, &result, arguments);
    cr_assert_eq(result, 1.5 - 2 + 3.25 + 40000);
}

Test(libffi, plain_scalars_need_no_scratch)
{
    const frt_descriptor *descriptor =
        native_descriptor("double f(double, long)", NULL);
    struct frti_call *prepared = NULL;

    cr_assert_eq(frti_backend_libffi.prepare(&prepared, descriptor), FRT_OK);
    if (is_model("x86_64"))
        cr_assert_eq(frti_backend_libffi.scratch(prepared), 0);
    frti_backend_libffi.discard(prepared);
    frti_backend_libffi.discard(NULL);
    frt_descriptor_drop(descriptor);
}

Test(libffi, a_segment_goes_as_its_address)
{
    const frt_layout *segment = FRT_SEGMENT;
    const frt_descriptor *descriptor = NULL;
    struct frti_call *prepared = NULL;
    char text[] = "text";
    frt_segment given = {.address = text, .size = sizeof text};
    size_t length = 0;
    void *arguments[] = {&given};

    cr_assert_eq(frt_descriptor_of(&descriptor, FRT_SIZE, &segment, 1), FRT_OK);
    cr_assert_eq(frti_backend_libffi.prepare(&prepared, descriptor), FRT_OK);
    run(prepared, (void *)strlen, &length, arguments);
    cr_assert_eq(length, 4);
    frti_backend_libffi.discard(prepared);
    frt_descriptor_drop(descriptor);
}

/* ------------------------------------------------------------- refusals --- */

Test(libffi, what_it_cannot_be_led_to_pass)
{
    if (!is_model("x86_64"))
        cr_skip_test("these are x86-64's");
    check_unsupported("void f(float __attribute__((vector_size(16))))",
                      "it moves 8 bytes at most into a vector register");
    check_unsupported("float __attribute__((vector_size(16))) f(void)",
                      "it moves 8 bytes at most into a vector register");
    check_unsupported("_Float128 f(void)",
                      "it moves 8 bytes at most into a vector register");
    check_unsupported("void f(int, struct __attribute__((aligned(32)))"
                      " { long a, b; })",
                      "cannot pass argument 2 by value");
}

/* ---------------------------------------------------- failure injection --- */

static void
check_no_memory(const char *prototype, const char *variadic)
{
    const frt_descriptor *descriptor = native_descriptor(prototype, variadic);
    struct frti_call *prepared = NULL;
    size_t failures = 0;
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
        cr_assert_null(prepared);
        cr_assert_eq(frti_allocator_live(), live, "allocation %zu", n);
        failures++;
    }
    cr_assert_geq(failures, 3);
    frti_backend_libffi.discard(prepared);
    cr_assert_eq(frti_allocator_live(), live);
    frt_descriptor_drop(descriptor);
}

Test(libffi, no_memory)
{
    check_no_memory("int f(int)", NULL);
    check_no_memory(LONGS " f(" PAIR ", " LONGS ", signed char, long double)",
                    NULL);
    check_no_memory("double f(int, ...)", "float, short, " LONGS ", double");
    check_no_memory("double f(int, int, int, int, int, int, int, int, int, int,"
                    " int, int, int, int, int, int, int, int, int, int)",
                    NULL);
}

Test(libffi, refusals_leave_nothing)
{
    size_t live;

    if (!is_model("x86_64"))
        cr_skip_test("these are x86-64's");
    (void)frti_no_memory(0, "warming up");
    live = frti_allocator_live();
    check_unsupported("void f(" LONGS ", short,"
                      " float __attribute__((vector_size(16))))",
                      "vector register");
    cr_assert_eq(frti_allocator_live(), live);
}
