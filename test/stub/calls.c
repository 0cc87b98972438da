/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * calls CASE COUNT [stub|libffi]: so many calls of one function, for who counts
 * instructions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/ffi_rt.h"
#include "test/stub/callees.h"

#define CALLS_ARGUMENTS 10
#define CALLS_POINT "struct { double x, y; }"

struct one_case {
    const char *name;
    const char *prototype;
    void *target;
    void *arguments[CALLS_ARGUMENTS];
};

static int whole = 3;
static double fraction = 0.5;
static struct point point = {1, 2};

static const struct one_case cases[] = {
    {"add2", "int f(int, int)", (void *)add2, {&whole, &whole}},
    {"unit", CALLS_POINT " f(void)", (void *)unit, {NULL}},
    {"padd",
     CALLS_POINT " f(" CALLS_POINT ", " CALLS_POINT ")",
     (void *)padd,
     {&point, &point}},
    {"mix10",
     "double f(int, double, int, double, int, double, int, double, int, "
     "double)",
     (void *)mix10,
     {&whole, &fraction, &whole, &fraction, &whole, &fraction, &whole,
      &fraction, &whole, &fraction}},
};

static const struct one_case *
case_of(const char *name)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(cases[i].name, name) == 0)
            return &cases[i];
    fprintf(stderr, "calls: there is no case %s\n", name);
    exit(2);
}

static void
fail(void)
{
    fprintf(stderr, "calls: %s\n", frt_last_detail());
    exit(1);
}

static void
call_often(const frt_downcall *downcall, const struct one_case *one,
           unsigned long count)
{
    struct point result[2];

    while (count-- != 0)
        if (frt_invoke(downcall, one->target, result, one->arguments) != FRT_OK)
            fail();
}

int
main(int count, char **arguments)
{
    frt_link_options options = {.size = sizeof options,
                                .backend = FRT_BACKEND_STUB};
    const frt_descriptor *descriptor;
    const frt_downcall *downcall;
    const struct one_case *one;

    if (count < 3)
        return 2;
    if (count > 3 && strcmp(arguments[3], "libffi") == 0)
        options.backend = FRT_BACKEND_LIBFFI;
    one = case_of(arguments[1]);
    if (frt_descriptor_parse(&descriptor, one->prototype, NULL) != FRT_OK ||
        frt_downcall_link(&downcall, descriptor, &options) != FRT_OK)
        fail();
    call_often(downcall, one, strtoul(arguments[2], NULL, 10));
    frt_downcall_drop(downcall);
    frt_descriptor_drop(descriptor);
    return 0;
}
