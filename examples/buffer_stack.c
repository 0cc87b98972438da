/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The buffer stack: memory for one call, without an allocation.
 *
 * Each thread has a block of memory that frames are pushed on and popped from.
 * A frame is the natural home of an out parameter, or of a struct that a call
 * returns: here a million calls take no memory from the heap at all.
 */
#include "examples/check.h"

struct parts {
    long long quot;
    long long rem;
};

/* A million by-value results, each in a frame of its own. */
static long long
sum_of_remainders(const frt_function *divide)
{
    long long sum = 0, one = 1000003, other = 7;
    void *arguments[] = {&one, &other};

    for (int i = 0; i < 1000000; i++) {
        frt_frame frame;

        check(frt_frame_push(&frame, sizeof(struct parts), 0));
        other = i % 10 + 1;
        check(frt_call(divide, frame.address, arguments, 2));
        sum += ((struct parts *)frame.address)->rem;
        check(frt_frame_pop(&frame));
    }
    return sum;
}

int
main(void)
{
    frt_function *divide;
    frt_frame outer, inner;

    check(frt_function_declare(
        &divide, frt_library_default(),
        "struct { long long quot; long long rem; } lldiv(long long, long long)",
        NULL));
    printf("the sum of a million remainders is %lld\n",
           sum_of_remainders(divide));
    frt_function_free(divide);

    /* Frames nest, and are popped last in, first out. */
    check(frt_frame_push(&outer, 100, 64));
    printf("aligned to 64: %s\n",
           (uintptr_t)outer.address % 64 == 0 ? "yes" : "no");
    check(frt_frame_push(&inner, 16, 0));
    printf("popping the outer one first: %s\n",
           frt_status_name(frt_frame_pop(&outer)));
    check(frt_frame_pop(&inner));
    check(frt_frame_pop(&outer));
    return EXIT_SUCCESS;
}
