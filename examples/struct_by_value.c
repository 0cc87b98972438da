/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A struct by value, in and out.
 *
 * div returns its quotient and remainder as one struct. How a struct travels
 * is the most intricate part of a calling convention: this one comes back in a
 * register, ldiv's in two, a larger one in memory. The prototype says all that
 * is needed.
 */
#include "examples/check.h"

struct parts {
    int quot;
    int rem;
};

struct long_parts {
    long quot;
    long rem;
};

struct address {
    uint32_t number; /* in network byte order */
};

int
main(void)
{
    frt_library c = frt_library_default();
    frt_function *divide, *divide_long, *write_address;
    struct parts parts;
    struct long_parts long_parts;
    struct address home = {0};
    frt_segment text;
    uint8_t *bytes = (uint8_t *)&home;

    check(frt_function_declare(
        &divide, c, "struct { int quot; int rem; } div(int, int)", NULL));
    check(FRT_CALL(divide, &parts, 17, 5));
    printf("div(17, 5) = {%d, %d}\n", parts.quot, parts.rem);

    check(frt_function_declare(
        &divide_long, c, "struct { long quot; long rem; } ldiv(long, long)",
        NULL));
    check(FRT_CALL(divide_long, &long_parts, -1000000000000, 7));
    printf("ldiv(-1000000000000, 7) = {%ld, %ld}\n", long_parts.quot,
           long_parts.rem);

    /* and as an argument: inet_ntoa takes its address by value */
    check(frt_function_declare(
        &write_address, c,
        "char *inet_ntoa(struct in_addr { uint32_t s_addr; })", NULL));
    bytes[0] = 192;
    bytes[2] = 2;
    bytes[3] = 1;
    check(FRT_CALL(write_address, &text, FRT_BY_VALUE(home)));
    printf("inet_ntoa = %s\n", (const char *)text.address);

    frt_function_free(write_address);
    frt_function_free(divide_long);
    frt_function_free(divide);
    return EXIT_SUCCESS;
}
