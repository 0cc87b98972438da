/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * reload LIBRARY: the library is opened and closed by dlopen a thousand times
 * while threads that have used it live on and end. It is linked so that it
 * stays: their thread-local destructors are in it.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ffi_rt/ffi_rt.h"

#define THREADS 8
#define TIMES 1000

static const char *library;
static pthread_barrier_t used, closed;

static void *
find(void *handle, const char *name)
{
    void *address = dlsym(handle, name);

    if (address == NULL) {
        printf("Bail out! %s\n", dlerror());
        exit(EXIT_FAILURE);
    }
    return address;
}

static void *
open_library(void)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

    if (handle == NULL) {
        printf("Bail out! %s\n", dlerror());
        exit(EXIT_FAILURE);
    }
    return handle;
}

/* Opens, uses, and closes a session by the addresses that `handle` gives. */
static bool
use(void *handle)
{
    frt_status (*open)(frt_arena *) = find(handle, "frt_arena_open_shared");
    frt_status (*acquire)(frt_ticket *, frt_session) =
        find(handle, "frt_session_acquire");
    frt_status (*release)(frt_ticket *) = find(handle, "frt_session_release");
    frt_status (*close)(frt_arena) = find(handle, "frt_arena_close");
    frt_arena arena;
    frt_ticket ticket;

    return open(&arena) == FRT_OK &&
           acquire(&ticket, (frt_session){arena.slot, arena.generation}) ==
               FRT_OK &&
           release(&ticket) == FRT_OK && close(arena) == FRT_OK;
}

static void *
use_and_outlive(void *is_right)
{
    void *handle = open_library();

    *(bool *)is_right = use(handle);
    dlclose(handle);
    pthread_barrier_wait(&used);
    pthread_barrier_wait(&closed);
    return NULL;
}

int
main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    bool is_right[THREADS + 1] = {false};
    bool all = true;

    if (argc != 2)
        return 2;
    library = argv[1];
    pthread_barrier_init(&used, NULL, THREADS + 1);
    pthread_barrier_init(&closed, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, use_and_outlive, &is_right[i]);
    pthread_barrier_wait(&used);
    is_right[THREADS] = true;
    for (int i = 0; i < TIMES; i++) {
        void *handle = open_library();

        is_right[THREADS] &= use(handle);
        dlclose(handle);
    }
    pthread_barrier_wait(&closed);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i <= THREADS; i++)
        all &= is_right[i];
    printf("%s 1 - opened and closed %d times, %d threads outlive it\n1..1\n",
           all ? "ok" : "not ok", TIMES, THREADS);
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
