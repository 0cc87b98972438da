/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "benchmarks/call.h"

static volatile int call_int[] = {3, 4, 5, 6, 7};
static volatile long call_long[] = {1, 2, 3, 4, 5, 6, 7, 8};
static volatile double call_double[] = {1.5, 2.5, 3.5, 4.5, 5.5};
static volatile struct point call_point[] = {{1, 2}, {3, 4}};
static struct point call_place;
static void *volatile call_pointer[] = {&call_place, &call_place, &call_place};

static int
call_back(int a)
{
    return a + 1;
}

static int (*volatile call_callback)(int) = call_back;

/* The linker cannot turn a call through these into a direct one. */
static void (*volatile call_noop)(void) = noop;
static int (*volatile call_add2)(int, int) = add2;
static double (*volatile call_fma3)(double, double, double) = fma3;
static void *(*volatile call_identity)(void *) = identity;
static void *(*volatile call_identity3)(void *, void *, void *) = identity3;
static struct point (*volatile call_unit)(void) = unit;
static void (*volatile call_unit_ptr)(struct point *) = unit_ptr;
static struct big (*volatile call_bigret)(void) = bigret;
static struct point (*volatile call_padd)(struct point, struct point) = padd;
static long (*volatile call_sum8)(long, long, long, long, long, long, long,
                                  long) = sum8;
static double (*volatile call_mix10)(int, double, int, double, int, double, int,
                                     double, int, double) = mix10;
static int (*volatile call_vsum)(int, ...) = vsum;
static int (*volatile call_callcb)(int (*)(int), int) = callcb;

static void
floor_noop(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0)
        call_noop();
}

static void
floor_add2(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0)
        bench_sink_int(call_add2(call_int[0], call_int[1]));
}

static void
floor_fma3(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0)
        bench_sink_double(
            call_fma3(call_double[0], call_double[1], call_double[2]));
}

static void
floor_identity(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0)
        bench_sink(call_identity(call_pointer[0]));
}

static void
floor_identity3(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0)
        bench_sink(
            call_identity3(call_pointer[0], call_pointer[1], call_pointer[2]));
}

static void
floor_unit(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0) {
        struct point result = call_unit();

        bench_sink_double(result.x);
        bench_sink_double(result.y);
    }
}

static void
floor_unit_ptr(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0) {
        struct point result;

        call_unit_ptr(&result);
        bench_sink(&result);
    }
}

static void
floor_bigret(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0) {
        struct big result = call_bigret();

        bench_sink(&result);
    }
}

static void
floor_padd(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0) {
        /* by member: a volatile struct is copied through memory */
        struct point a = {call_point[0].x, call_point[0].y};
        struct point b = {call_point[1].x, call_point[1].y};
        struct point result = call_padd(a, b);

        bench_sink_double(result.x);
        bench_sink_double(result.y);
    }
}

static void
floor_sum8(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0)
        bench_sink_long(call_sum8(call_long[0], call_long[1], call_long[2],
                                  call_long[3], call_long[4], call_long[5],
                                  call_long[6], call_long[7]));
}

static void
floor_mix10(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0)
        bench_sink_double(
            call_mix10(call_int[0], call_double[0], call_int[1], call_double[1],
                       call_int[2], call_double[2], call_int[3], call_double[3],
                       call_int[4], call_double[4]));
}

static void
floor_vsum(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0)
        bench_sink_int(
            call_vsum(call_int[0], call_int[1], call_int[2], call_int[3]));
}

static void
floor_callcb(void *context, uint64_t count)
{
    (void)context;
    while (count-- > 0)
        bench_sink_int(call_callcb(call_callback, call_int[0]));
}

#define CALL_POINT "struct { double x; double y; }"
#define CALL_BIG "struct { double d[4]; }"

/* callcb's callback is a C function: this suite is about the way in. */
const struct call_case call_cases[] = {
    {.name = "noop",
     .declaration = "void noop(void)",
     .target = (void *)noop,
     .floor = floor_noop},
    {.name = "add2",
     .declaration = "int add2(int, int)",
     .target = (void *)add2,
     .floor = floor_add2,
     .arguments = {(void *)&call_int[0], (void *)&call_int[1]},
     .expected = {.i = 7},
     .size = sizeof(int)},
    {.name = "fma3",
     .declaration = "double fma3(double, double, double)",
     .target = (void *)fma3,
     .floor = floor_fma3,
     .arguments = {(void *)&call_double[0], (void *)&call_double[1],
                   (void *)&call_double[2]},
     .expected = {.d = 7.25},
     .size = sizeof(double)},
    {.name = "identity",
     .declaration = "void *identity(void *)",
     .target = (void *)identity,
     .floor = floor_identity,
     .arguments = {(void *)&call_pointer[0]},
     .expected = {.pointer = &call_place},
     .size = sizeof(void *)},
    {.name = "identity3",
     .declaration = "void *identity3(void *, void *, void *)",
     .target = (void *)identity3,
     .floor = floor_identity3,
     .arguments = {(void *)&call_pointer[0], (void *)&call_pointer[1],
                   (void *)&call_pointer[2]},
     .expected = {.pointer = &call_place},
     .size = sizeof(void *)},
    {.name = "unit",
     .declaration = CALL_POINT " unit(void)",
     .target = (void *)unit,
     .floor = floor_unit,
     .expected = {.point = {1, 0}},
     .size = sizeof(struct point)},
    {.name = "unit_ptr",
     .declaration = "void unit_ptr(void *)",
     .target = (void *)unit_ptr,
     .floor = floor_unit_ptr,
     .takes_place = true},
    {.name = "bigret",
     .declaration = CALL_BIG " bigret(void)",
     .target = (void *)bigret,
     .floor = floor_bigret,
     .expected = {.big = {{1, 2, 3, 4}}},
     .size = sizeof(struct big)},
    {.name = "padd",
     .declaration = CALL_POINT " padd(" CALL_POINT ", " CALL_POINT ")",
     .target = (void *)padd,
     .floor = floor_padd,
     .arguments = {(void *)&call_point[0], (void *)&call_point[1]},
     .expected = {.point = {4, 6}},
     .size = sizeof(struct point)},
    {.name = "sum8",
     .declaration = "long sum8(long, long, long, long, long, long, long, long)",
     .target = (void *)sum8,
     .floor = floor_sum8,
     .arguments = {(void *)&call_long[0], (void *)&call_long[1],
                   (void *)&call_long[2], (void *)&call_long[3],
                   (void *)&call_long[4], (void *)&call_long[5],
                   (void *)&call_long[6], (void *)&call_long[7]},
     .expected = {.l = 36},
     .size = sizeof(long)},
    {.name = "mix10",
     .declaration = "double mix10(int, double, int, double, int, double, "
                    "int, double, int, double)",
     .target = (void *)mix10,
     .floor = floor_mix10,
     .arguments = {(void *)&call_int[0], (void *)&call_double[0],
                   (void *)&call_int[1], (void *)&call_double[1],
                   (void *)&call_int[2], (void *)&call_double[2],
                   (void *)&call_int[3], (void *)&call_double[3],
                   (void *)&call_int[4], (void *)&call_double[4]},
     .expected = {.d = 42.5},
     .size = sizeof(double)},
    {.name = "vsum",
     .declaration = "int vsum(int, ...)",
     .variadic = 3,
     .target = (void *)vsum,
     .floor = floor_vsum,
     .arguments = {(void *)&call_int[0], (void *)&call_int[1],
                   (void *)&call_int[2], (void *)&call_int[3]},
     .expected = {.i = 15},
     .size = sizeof(int)},
    {.name = "callcb",
     .declaration = "int callcb(int (*)(int), int)",
     .target = (void *)callcb,
     .floor = floor_callcb,
     .arguments = {(void *)&call_callback, (void *)&call_int[0]},
     .expected = {.i = 4},
     .size = sizeof(int)},
};

const size_t call_case_count = sizeof call_cases / sizeof call_cases[0];
