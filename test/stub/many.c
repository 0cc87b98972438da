/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * many [SIGNATURES [THREADS]]: distinct signatures, linked, called and dropped
 * by several threads at once. Memory stays flat, and nothing is left over. To
 * be run under the thread sanitizer, too.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ffi_rt/ffi_rt.h"
#include "test/stub/signatures.h"
#include "test/stub/tap.h"

#define MANY_THREADS 64

/* What a thread keeps linked at a time. */
#define MANY_KEPT 100

/* Memory may grow by so much from the first quarter to the end: what differs
 * are the tables of the pools and the allocator's own. */
#define MANY_MOST_KB 8192

struct worker {
    pthread_t thread;
    unsigned number;
    unsigned wrong;
};

static unsigned many_signatures = SIGNATURES;
static unsigned many_threads = 8;
static pthread_barrier_t many_barrier;
static long many_kb[2];    /* after a quarter, and after all */
static int many_blocks[2]; /* of code, at the same times */

static int
answer(void)
{
    return 42;
}

static long
resident_kb(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;

    if (file == NULL || fscanf(file, "%*s %ld", &pages) != 1)
        abort();
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int
code_blocks(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    char line[512];
    int count = 0;

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        count += strstr(line, "ffi_rt code") != NULL;
    if (file != NULL)
        fclose(file);
    return count;
}

static bool
is_right(const frt_downcall *downcall)
{
    static long double zero;
    void *arguments[SIGNATURE_PARAMETERS];
    int result = 0;

    for (unsigned i = 0; i < SIGNATURE_PARAMETERS; i++)
        arguments[i] = &zero;
    return frt_invoke(downcall, (void *)answer, &result, arguments) == FRT_OK &&
           result == 42;
}

/* One that all link is a part of it. */
static bool
link_and_call(const frt_downcall **out, unsigned number)
{
    const frt_downcall *shared;
    bool right;

    if (signature_link(out, number, FRT_BACKEND_STUB) != FRT_OK)
        return false;
    right = is_right(*out);
    if (signature_link(&shared, number / 64 * 64, FRT_BACKEND_STUB) != FRT_OK)
        return false;
    right = right && is_right(shared);
    frt_downcall_drop(shared);
    return right;
}

static void
work(struct worker *worker, unsigned from, unsigned to)
{
    const frt_downcall *kept[MANY_KEPT] = {NULL};

    for (unsigned i = from; i < to; i++) {
        const frt_downcall **place = &kept[i % MANY_KEPT];

        if (i % many_threads != worker->number)
            continue;
        frt_downcall_drop(*place);
        *place = NULL;
        worker->wrong += !link_and_call(place, i);
    }
    for (unsigned i = 0; i < MANY_KEPT; i++)
        frt_downcall_drop(kept[i]);
}

static void
measure(unsigned number, int when)
{
    pthread_barrier_wait(&many_barrier);
    if (number == 0) {
        many_kb[when] = resident_kb();
        many_blocks[when] = code_blocks();
    }
    pthread_barrier_wait(&many_barrier);
}

static void *
run(void *context)
{
    struct worker *worker = context;

    work(worker, 0, many_signatures / 4);
    measure(worker->number, 0);
    work(worker, many_signatures / 4, many_signatures);
    measure(worker->number, 1);
    return NULL;
}

int
main(int count, char **arguments)
{
    static struct worker workers[MANY_THREADS];
    unsigned wrong = 0;

    if (count > 1)
        many_signatures = (unsigned)atoi(arguments[1]);
    if (count > 2)
        many_threads = (unsigned)atoi(arguments[2]);
    if (many_threads == 0 || many_threads > MANY_THREADS)
        return 2;
    pthread_barrier_init(&many_barrier, NULL, many_threads);
    for (unsigned i = 0; i < many_threads; i++) {
        workers[i].number = i;
        if (pthread_create(&workers[i].thread, NULL, run, &workers[i]) != 0)
            abort();
    }
    for (unsigned i = 0; i < many_threads; i++) {
        pthread_join(workers[i].thread, NULL);
        wrong += workers[i].wrong;
    }
    tap_check(wrong == 0, "%u signatures by %u threads", many_signatures,
              many_threads);
    tap_check(many_kb[1] - many_kb[0] < MANY_MOST_KB,
              "%ld KiB after a quarter, %ld KiB after all", many_kb[0],
              many_kb[1]);
    tap_check(many_blocks[0] == 0 && many_blocks[1] == 0,
              "no block of code is left");
    return tap_end();
}
