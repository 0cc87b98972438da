/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Numbers in, a number out: functions of the mathematics library.
 *
 * Four things make a call: an arena, which is the life of what we open; a
 * library, which lives in it; a function, found in the library by its C
 * prototype; and FRT_CALL, which checks our values against that prototype.
 */
#include "examples/check.h"

int
main(void)
{
    frt_arena arena;
    frt_library math;
    frt_function *power, *split, *round_off;
    double result;
    long whole;
    int exponent;

    check(frt_arena_open_confined(&arena));
    check(frt_library_open(&math, arena, "libm.so.6", NULL));

    check(
        frt_function_declare(&power, math, "double pow(double, double)", NULL));
    /* the place of the result comes first; 10 becomes 10.0, as in C */
    check(FRT_CALL(power, &result, 2.0, 10));
    printf("pow(2, 10) = %g\n", result);

    /* a pointer to our own variable: the second result of frexp */
    check(frt_function_declare(&split, math, "double frexp(double, int *)",
                               NULL));
    check(FRT_CALL(split, &result, 8.0, &exponent));
    printf("frexp(8) = %g * 2^%d\n", result, exponent);

    check(frt_function_declare(&round_off, math, "long lround(double)", NULL));
    check(FRT_CALL(round_off, &whole, 2.5));
    printf("lround(2.5) = %ld\n", whole);

    /* What does not fit the prototype is refused before anything is called:
     * lround gives a long, not an int. */
    if (FRT_CALL(round_off, &exponent, 2.5) != FRT_OK)
        printf("an int for its result is refused\n");

    frt_function_free(round_off);
    frt_function_free(split);
    frt_function_free(power);
    check(frt_arena_close(arena)); /* closes the library, too */
    return EXIT_SUCCESS;
}
