/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Complex numbers of the GNU Scientific Library, by value both ways.
 *
 * A gsl_complex is a struct of two doubles. Such a struct travels in two
 * floating point registers; on AArch64 it is a homogeneous aggregate, which has
 * rules of its own. Two of them in, one of them out.
 */
#include "examples/check.h"

#define COMPLEX "struct gsl_complex { double dat[2]; }"

struct complex {
    double dat[2];
};

static frt_function *
declare(frt_library library, const char *prototype)
{
    frt_function *function;

    check(frt_function_declare(&function, library, prototype, NULL));
    return function;
}

int
main(void)
{
    frt_arena arena;
    frt_library gsl;
    frt_function *multiply, *size;
    struct complex a = {{1, 2}}, b = {{3, -1}}, product;
    double length;

    check(frt_arena_open_confined(&arena));
    /* by its bare name: libgsl.so.27, or whatever number it has here */
    check(frt_library_open(&gsl, arena, "gsl", NULL));

    multiply =
        declare(gsl, COMPLEX " gsl_complex_mul(" COMPLEX " a, " COMPLEX " b)");
    check(FRT_CALL(multiply, &product, FRT_BY_VALUE(a), FRT_BY_VALUE(b)));
    printf("(1 + 2i) * (3 - i) = %g + %gi\n", product.dat[0], product.dat[1]);

    size = declare(gsl, "double gsl_complex_abs(" COMPLEX " z)");
    a = (struct complex){{3, 4}};
    check(FRT_CALL(size, &length, FRT_BY_VALUE(a)));
    printf("|3 + 4i| = %g\n", length);

    frt_function_free(size);
    frt_function_free(multiply);
    check(frt_arena_close(arena));
    return EXIT_SUCCESS;
}
