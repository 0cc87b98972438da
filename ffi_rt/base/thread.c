/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/thread.h"

#include <pthread.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/atomic.h"

__thread struct frti_here frti_here __attribute__((tls_model("initial-exec")));

#if !defined(__linux__) || !(defined(__x86_64__) || defined(__aarch64__))
/* Not inlined, and not looked into: it has another object file. */
struct frti_here *
frti_here_anew(void)
{
    return &frti_here;
}
#endif

static pthread_once_t thread_key_once = PTHREAD_ONCE_INIT;
static pthread_key_t thread_key; /* these two written under the once */
static bool thread_key_made;

/* The record of a thread whose destructors ran. */
static struct frti_thread thread_ended;

static void
thread_end(void *record)
{
    struct frti_thread *thread = record;

    for (size_t i = 0; i < FRTI_THREAD_END_COUNT; i++)
        if (thread->at_end[i] != NULL)
            thread->at_end[i]();
    frti_here.record = &thread_ended;
    frti_free(thread, sizeof *thread, _Alignof(struct frti_thread));
}

static void
thread_make_key(void)
{
    thread_key_made = pthread_key_create(&thread_key, thread_end) == 0;
}

uint64_t
frti_thread_number_slow(void)
{
    static frti_counter next = FRTI_COUNTER(1);

    /* relaxed: only that no two are equal matters */
    frti_here.thread = frti_counter_add_relaxed(&next, 1);
    return frti_here.thread;
}

/* Not inlined: a fiber may have moved since the last time. */
FRTI_NOINLINE uint64_t
frt_thread_number(void)
{
    return frti_thread_number();
}

struct frti_thread *
frti_thread_known(void)
{
    void *record = frti_here.record;

    return record == &thread_ended ? NULL : record;
}

struct frti_thread *
frti_thread_record(void)
{
    struct frti_thread *thread;

    if (frti_here.record != NULL)
        return frti_thread_known();
    pthread_once(&thread_key_once, thread_make_key);
    if (!thread_key_made)
        return NULL;
    thread = frti_allocate(sizeof *thread, _Alignof(struct frti_thread));
    if (thread == NULL)
        return NULL;
    if (pthread_setspecific(thread_key, thread) != 0) {
        frti_free(thread, sizeof *thread, _Alignof(struct frti_thread));
        return NULL;
    }
    frti_here.record = thread;
    return thread;
}
