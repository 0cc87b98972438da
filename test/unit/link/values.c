/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* FRT_CALL. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "ffi_rt/base/allocator.h"
#include "test/unit/link/callee.h"
#include "test/unit/link/linking.h"

Test(values, numbers_are_converted_as_c_does)
{
    frt_function *power = NULL;
    frt_function *scale = declare("double ldexp(double, int)");
    double result = 0;

    CHECK_STATUS(FRT_OK,
                 frt_function_declare(&power, frt_library_default(),
                                      "double pow(double, double)", NULL));
    CHECK_STATUS(FRT_OK, FRT_CALL(power, &result, 2, 10.0f));
    cr_assert_eq(result, 1024);
    CHECK_STATUS(FRT_OK, FRT_CALL(scale, &result, 1.5, 3L));
    cr_assert_eq(result, 12);
    frt_function_free(scale);
    frt_function_free(power);
}

Test(values, what_does_not_fit_is_refused)
{
    frt_function *function = declare("int callee_add(int, int)");
    frt_function *small = declare("signed char callee_i8(signed char)");
    signed char c = 7;
    int sum = 77;

    CHECK_STATUS(FRT_OVERFLOW, FRT_CALL(function, &sum, 1, 99999999999));
    check_detail("argument 2 of callee_add() is 99999999999, which `int`");
    CHECK_STATUS(FRT_OVERFLOW, FRT_CALL(function, &sum, 1, UINT_MAX));
    CHECK_STATUS(FRT_OVERFLOW, FRT_CALL(small, &c, -129));
    CHECK_STATUS(FRT_OK, FRT_CALL(small, &c, -128));
    cr_assert_eq(c, -128);
    CHECK_STATUS(FRT_OVERFLOW, FRT_CALL(function, &sum, 1, 2.5));
    check_detail("argument 2 of callee_add() is 2.5, which `int`");
    CHECK_STATUS(FRT_OVERFLOW, FRT_CALL(function, &sum, 1, 1e10));
    CHECK_STATUS(FRT_OVERFLOW, FRT_CALL(function, &sum, 1, -1e30L));
    CHECK_STATUS(FRT_BAD_ARGUMENT, FRT_CALL(function, &sum, 1, "two"));
    CHECK_STATUS(FRT_BAD_ARGUMENT, FRT_CALL(function, &sum, 1));
    CHECK_STATUS(FRT_BAD_ARGUMENT, FRT_CALL(function, &sum, 1, 2, 3));
    cr_assert_eq(sum, 77);
    frt_function_free(small);
    frt_function_free(function);
}

Test(values, whole_numbers_of_any_type_convert)
{
    frt_function *function = declare("int callee_add(int, int)");
    const frt_value values[] = {{.kind = FRT_KIND_CHAR, .size = 1, .as.i = -3},
                                {.kind = FRT_KIND_BOOL, .size = 1, .as.u = 1}};
    int sum = 0;

    CHECK_STATUS(FRT_OK, FRT_CALL(function, &sum, 1.0, -2.0f));
    cr_assert_eq(sum, -1);
    CHECK_STATUS(FRT_OK, frt_call_values(function, &sum, FRT_KIND_INT,
                                         sizeof sum, values, 2));
    cr_assert_eq(sum, -2);
    frt_function_free(function);
}

Test(values, ill_formed_ones_are_refused)
{
    frt_function *swap =
        declare("struct { double x, y; } callee_swap(struct { double x, y; })");
    frt_function *function = declare("int callee_add(int, int)");
    const frt_value nothing = {.kind = FRT_KIND_STRUCT,
                               .size = sizeof(struct callee_point)};
    const frt_value values[] = {{.kind = FRT_KIND_INT, .size = 4},
                                {.kind = FRT_KIND_INT, .size = 4}};
    struct callee_point point = {7, 7};
    int sum = 77;

    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 frt_call_values(swap, &point, FRT_KIND_STRUCT, sizeof point,
                                 &nothing, 1));
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call_values(function, &sum, FRT_KIND_INT,
                                                   sizeof sum, NULL, 2));
    check_detail("values is NULL");
    CHECK_STATUS(FRT_BAD_ARGUMENT, frt_call_values(function, &sum, (frt_kind)99,
                                                   sizeof sum, values, 2));
    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 frt_call_values(function, &sum, FRT_KIND_INT, 99, values, 2));
    cr_assert_eq(sum, 77);
    cr_assert_eq(point.x, 7);
    frt_function_free(function);
    frt_function_free(swap);
}

Test(values, the_place_of_the_result_is_checked)
{
    frt_function *function = declare("int callee_add(int, int)");
    frt_function *nothing = declare("void free(void *)");
    double wrong = 5;
    unsigned sign = 5;

    CHECK_STATUS(FRT_BAD_ARGUMENT, FRT_CALL(function, &wrong, 1, 2));
    check_detail("the result of callee_add() is `int`");
    CHECK_STATUS(FRT_BAD_ARGUMENT, FRT_CALL(function, &sign, 1, 2));
    CHECK_STATUS(FRT_BAD_ARGUMENT, FRT_CALL(function, NULL, 1, 2));
    CHECK_STATUS(FRT_BAD_ARGUMENT, FRT_CALL(nothing, &wrong, (void *)NULL));
    CHECK_STATUS(FRT_OK, FRT_CALL(nothing, NULL, (void *)NULL));
    cr_assert_eq(wrong, 5);
    frt_function_free(nothing);
    frt_function_free(function);
}

Test(values, structs_by_value)
{
    frt_function *function =
        declare("struct { double x, y; } callee_swap(struct { double x, y; })");
    struct callee_point point = {1, 2};
    struct callee_big big = {{0}};

    CHECK_STATUS(FRT_OK, FRT_CALL(function, &point, FRT_BY_VALUE(point)));
    cr_assert_eq(point.x, 2);
    cr_assert_eq(point.y, 1);
    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 FRT_CALL(function, &point, FRT_BY_VALUE(big)));
    check_detail("a value of 32 bytes");
    CHECK_STATUS(FRT_BAD_ARGUMENT, FRT_CALL(function, &point, &point));
    CHECK_STATUS(FRT_BAD_ARGUMENT,
                 FRT_CALL(function, &big, FRT_BY_VALUE(point)));
    frt_function_free(function);
}

Test(values, strings_and_raw_pointers)
{
    frt_function *length = declare("size_t strlen(const char *)");
    frt_function *find = declare("char *strchr(const char *, int)");
    frt_segment segment;
    const char *text = "hello";
    char *found = NULL;
    size_t size = 0;

    CHECK_STATUS(FRT_OK, FRT_CALL(length, &size, "hello"));
    cr_assert_eq(size, 5);
    CHECK_STATUS(FRT_OK, FRT_CALL(find, &found, text, 'l'));
    cr_assert_eq(found, text + 2);
    CHECK_STATUS(FRT_OK, FRT_CALL(find, &segment, text, 'l'));
    cr_assert_eq(segment.address, text + 2);
    segment = frt_segment_of_address((char *)text, 6);
    CHECK_STATUS(FRT_OK, FRT_CALL(length, &size, &segment));
    cr_assert_eq(size, 5);
    frt_function_free(find);
    frt_function_free(length);
}

Test(values, a_variadic_takes_what_it_is_given)
{
    frt_function *print =
        declare("int snprintf(char *, size_t, const char *, ...)");
    char text[64] = "";
    frt_segment place = frt_segment_of_address(text, sizeof text);
    size_t made;
    int length = 0;

    CHECK_STATUS(FRT_OK, FRT_CALL(print, &length, &place, 64, "%d %.2f %s %x",
                                  42, 2.5f, "ok", (short)-42));
    cr_assert_str_eq(text, "42 2.50 ok ffffffd6");
    cr_assert_eq(length, 19);
    made = frti_allocator_made();
    for (int i = 0; i < 1000; i++)
        CHECK_STATUS(FRT_OK, FRT_CALL(print, &length, &place, 64,
                                      "%d %.2f %s %x", i, 2.5f, "ok", 1));
    cr_assert_eq(frti_allocator_made(), made);
    CHECK_STATUS(FRT_OK, FRT_CALL(print, &length, &place, 64, "plain"));
    cr_assert_str_eq(text, "plain");
    frt_function_free(print);
}
