/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Plain programs that write TAP, in C and in C++. */
#ifndef TEST_SESSIONS_CHECK_H
#define TEST_SESSIONS_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "ffi_rt/ffi_rt.h"

static int check_count;
static int check_failures;

static inline void
check(bool condition, const char *name)
{
    check_count++;
    check_failures += !condition;
    printf("%s %d - %s\n", condition ? "ok" : "not ok", check_count, name);
    if (!condition)
        printf("#   last detail: %s\n", frt_last_detail());
}

/* What the test itself needs. */
static inline void
need(bool condition, const char *what)
{
    if (condition)
        return;
    printf("Bail out! %s: %s\n", what, frt_last_detail());
    exit(EXIT_FAILURE);
}

static inline int
check_end(void)
{
    printf("1..%d\n", check_count);
    return check_failures == 0 && check_count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A shared arena with a block, and the function that is called with it. */
struct scene {
    frt_arena arena;
    frt_segment block;
    frt_function *apply;
};

static inline void
scene_open(struct scene *scene, const char *callee, size_t size)
{
    frt_library library;

    need(frt_library_open(&library, frt_arena_global(), callee, NULL) == FRT_OK,
         "the callee");
    need(frt_function_declare(&scene->apply, library,
                              "int callee_apply(int (*)(void *), void *)",
                              NULL) == FRT_OK,
         "its function");
    need(frt_arena_open_shared(&scene->arena) == FRT_OK, "an arena");
    need(frt_arena_allocate(&scene->block, scene->arena, size, 0) == FRT_OK,
         "memory");
}

/* Calls `function` with the block's memory, which the call holds. */
static inline frt_status
scene_call(struct scene *scene, int (*function)(void *), int *result)
{
    void *arguments[] = {&function, &scene->block};

    return frt_call(scene->apply, result, arguments, 2);
}

static inline bool
scene_is_held(const struct scene *scene)
{
    return frt_session_holders(NULL, 0, frt_arena_session(scene->arena)) > 0;
}

#endif
