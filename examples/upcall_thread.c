/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * pthread_create on an upcall, and on one that only its owner may run: the
 * other thread's calls wait until the owner polls.
 */
#include "examples/upcall.h"

#include <pthread.h>

static frt_status
square(void *context, void *result, void *const *arguments)
{
    pthread_t *maker = context;
    intptr_t n = *(intptr_t *)arguments[0];

    printf("%s thread: %d\n",
           pthread_equal(*maker, pthread_self()) ? "the main" : "another",
           (int)n);
    *(intptr_t *)result = n * n;
    return FRT_OK;
}

static void *
open_square(frt_arena arena, frt_upcall_thread thread, pthread_t *maker)
{
    const frt_upcall_options options = {
        .size = sizeof options, .name = "square", .thread = thread};
    const frt_descriptor *descriptor;
    frt_upcall upcall;

    check(frt_descriptor_parse(&descriptor, "intptr_t (intptr_t)", NULL));
    check(frt_upcall_open(&upcall, arena, descriptor, square, maker, &options));
    frt_descriptor_drop(descriptor);
    return frt_upcall_address(upcall);
}

int
main(void)
{
    pthread_t maker = pthread_self();
    frt_function *create;
    frt_function *join;
    unsigned long thread;
    frt_arena arena;
    void *code;
    size_t ran;
    int error;
    void *squared;

    check(frt_arena_open_shared(&arena));
    check(frt_function_declare(
        &create, frt_library_default(),
        "int pthread_create(unsigned long *, const void *, "
        "void *(*)(void *), intptr_t)",
        NULL));
    check(frt_function_declare(&join, frt_library_default(),
                               "int pthread_join(unsigned long, void **)",
                               NULL));

    code = open_square(arena, FRT_UPCALL_THREAD_ANY, &maker);
    check(FRT_CALL(create, &error, &thread, (void *)NULL, code, 6));
    check(FRT_CALL(join, &error, thread, &squared));
    printf("6 squared is %d\n", (int)(intptr_t)squared);

    code = open_square(arena, FRT_UPCALL_THREAD_QUEUE, &maker);
    check(FRT_CALL(create, &error, &thread, (void *)NULL, code, 7));
    check(frt_upcall_poll(&ran, -1));
    check(FRT_CALL(join, &error, thread, &squared));
    printf("7 squared is %d, and %zu call waited\n", (int)(intptr_t)squared,
           ran);

    frt_function_free(create);
    frt_function_free(join);
    check(frt_arena_close(arena));
    return 0;
}
