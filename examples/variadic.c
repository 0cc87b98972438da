/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A function with `...`.
 *
 * FRT_CALL gives each further value the type that C would: a float becomes a
 * double, a char an int. The same can be done once and for all, by a descriptor
 * that names the types of the variadic arguments; that is the way of a
 * program that learns them when it runs.
 */
#include "examples/check.h"

static void
call_with_values(frt_function *format)
{
    char text[64];
    int length;

    check(FRT_CALL(format, &length, text, sizeof text, "%d %.2f %s", 42, 2.5f,
                   "ok"));
    printf("\"%s\", %d characters\n", text, length);

    /* NULL and 0: how long would it be? */
    check(FRT_CALL(format, &length, NULL, 0, "%c%c%c", 'a', 'b', 'c'));
    printf("three characters: %d\n", length);
}

static void
call_with_descriptor(frt_library c, const frt_descriptor *open)
{
    const frt_layout *const more[] = {FRT_I64, FRT_F32};
    const frt_descriptor *closed;
    frt_function *format;
    char text[64];
    frt_segment place = frt_segment_of_address(text, sizeof text);
    frt_segment pattern = frt_segment_of_address((char *)"%ld %g", 7);
    size_t size = sizeof text;
    int64_t large = INT64_C(1) << 40;
    float half = 0.5f;
    int length;
    void *arguments[] = {&place, &size, &pattern, &large, &half};

    pattern = frt_segment_read_only(&pattern);
    check(frt_descriptor_extend(&closed, open, more, 2));
    check(frt_function_new(&format, c, "snprintf", closed, NULL));
    check(frt_call(format, &length, arguments, 5));
    printf("\"%s\", %d characters\n", text, length);
    frt_function_free(format);
    frt_descriptor_drop(closed);
}

int
main(void)
{
    frt_library c = frt_library_default();
    frt_function *format;

    check(frt_function_declare(
        &format, c, "int snprintf(char *, size_t, const char *, ...)", NULL));
    call_with_values(format);
    call_with_descriptor(
        c, frt_downcall_descriptor(frt_function_downcall(format)));
    frt_function_free(format);
    return EXIT_SUCCESS;
}
