/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Threads that call upcalls, for the tests. */
#ifndef TEST_UNIT_LINK_UPCALL_THREAD_H
#define TEST_UNIT_LINK_UPCALL_THREAD_H

#include <pthread.h>

#include "test/unit/link/upcalling.h"

static inline void *
join(pthread_t thread)
{
    void *value = NULL;

    cr_assert_eq(pthread_join(thread, &value), 0);
    return value;
}

static inline pthread_t
start(void *(*function)(void *), void *context)
{
    pthread_t thread;

    cr_assert_eq(pthread_create(&thread, NULL, function, context), 0);
    return thread;
}

/* An upcall of `void *f(void *)`, with raw pointers. */
static inline frt_upcall
upcall_of_pointers(frt_arena arena, frt_upcall_fn function, void *context,
                   const frt_upcall_options *options)
{
    const frt_layout *pointer = FRT_POINTER;
    const frt_descriptor *descriptor;
    frt_upcall upcall = {0};

    CHECK_STATUS(FRT_OK, frt_descriptor_of(&descriptor, pointer, &pointer, 1));
    CHECK_STATUS(FRT_OK, frt_upcall_open(&upcall, arena, descriptor, function,
                                         context, options));
    frt_descriptor_drop(descriptor);
    return upcall;
}

/* What a call on another thread raised there. */
struct other_thread {
    void *(*code)(void *);
    frt_status raised;
    char detail[256];
};

static inline void *
call_and_raise(void *context)
{
    struct other_thread *other = context;
    void *got = other->code(NULL);

    other->raised = frt_upcall_raise();
    snprintf(other->detail, sizeof other->detail, "%s", frt_last_detail());
    return got;
}

#endif
