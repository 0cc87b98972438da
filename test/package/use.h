/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What the program, the module and their static twins do with the library. */
#ifndef TEST_PACKAGE_USE_H
#define TEST_PACKAGE_USE_H

#include <ffi_rt/ffi_rt.h>
#include <stdio.h>

/* Prints pow(2, 10), called by its prototype; 0 if all went well. */
static inline int
use_library(void)
{
    frt_function *power;
    double result = 0;
    frt_status status = frt_function_declare(
        &power, frt_library_default(), "double pow(double, double)", NULL);

    if (status == FRT_OK) {
        status = FRT_CALL(power, &result, 2, 10);
        frt_function_free(power);
    }
    if (status != FRT_OK) {
        printf("%s\n", frt_last_detail());
        return 1;
    }
    printf("%g\n", result);
    return 0;
}

#endif
