/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The loops of a baseline, from its acquire and release. Both are given as
 * constants to functions that are always inlined, so that the compiler inlines
 * them, too.
 */
#ifndef BENCHMARKS_SESSIONS_LOOP_H
#define BENCHMARKS_SESSIONS_LOOP_H

#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/functions.h"
#include "benchmarks/sessions.h"

#define SESSIONS_INLINE static inline __attribute__((always_inline))

struct sessions_hold {
    void *stripe;
    void *session;
};

/* Through a pointer that the compiler cannot follow. */
typedef void *sessions_target(void *one, void *two, void *three);
static sessions_target *volatile sessions_identity3 = identity3;

typedef bool sessions_acquire(struct sessions_hold *out, void *session);
typedef void sessions_release(struct sessions_hold *hold);

/* The stack of holds of each thread. */
#define SESSIONS_HOLDS 32
struct sessions_stack {
    struct sessions_hold *top;
    struct sessions_hold holds[SESSIONS_HOLDS];
};
extern __thread struct sessions_stack bench_sessions_stack
    __attribute__((tls_model("initial-exec")));

SESSIONS_INLINE bool
sessions_has(const struct sessions_hold *first, size_t count,
             const void *session)
{
    for (size_t i = 0; i < count; i++)
        if (first[i].session == session)
            return true;
    return false;
}

SESSIONS_INLINE void
sessions_failed(void)
{
    fprintf(stderr, "frt_bench: a session cannot be acquired\n");
    exit(EXIT_FAILURE);
}

SESSIONS_INLINE void
sessions_around(void *const *sessions, size_t wanted, bool is_call,
                sessions_acquire *acquire, sessions_release *release)
{
    struct sessions_stack *stack = &bench_sessions_stack;
    struct sessions_hold *first = stack->top;
    size_t count = 0;

    if (__builtin_expect(first == NULL, 0))
        first = stack->holds;
    if ((size_t)(stack->holds + SESSIONS_HOLDS - first) < wanted)
        sessions_failed();
    for (size_t i = 0; i < wanted; i++) {
        if (sessions_has(first, count, sessions[i]))
            continue;
        if (__builtin_expect(!acquire(&first[count], sessions[i]), 0))
            sessions_failed();
        count++;
    }
    stack->top = first + count;
    if (is_call)
        bench_sink(sessions_identity3(sessions[0], NULL, NULL));
    while (count > 0)
        release(&first[--count]);
    stack->top = first;
}

SESSIONS_INLINE void
sessions_loop(void *context, uint64_t count, size_t wanted, bool is_call,
              sessions_acquire *acquire, sessions_release *release)
{
    void *const *volatile place = context;

    while (count-- > 0)
        sessions_around(place, wanted, is_call, acquire, release);
}

#endif
