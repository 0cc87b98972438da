/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Calls that cannot be answered: what is said, and what they return. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ffi_rt/base/status.h"
#include "ffi_rt/base/thread.h"
#include "ffi_rt/link/upcall_inside.h"

static pthread_mutex_t report_lock = PTHREAD_MUTEX_INITIALIZER;
static frt_upcall_reporter *report_to; /* NULL: standard error */
static void *report_context;

static void
reports_lock(void)
{
    pthread_mutex_lock(&report_lock);
}

static void
reports_unlock(void)
{
    pthread_mutex_unlock(&report_lock);
}

FRTI_CONSTRUCTOR static void
reports_watch_fork(void)
{
    pthread_atfork(reports_lock, reports_unlock, reports_unlock);
}

void
frt_upcall_on_report(frt_upcall_reporter *reporter, void *context)
{
    reports_lock();
    report_to = reporter;
    report_context = context;
    reports_unlock();
}

static void
report(const frt_upcall_report *made)
{
    frt_upcall_reporter *to;
    void *context;

    reports_lock();
    to = report_to;
    context = report_context;
    reports_unlock();
    if (to != NULL)
        to(context, made);
    else
        fprintf(stderr, "ffi_rt: %s\n", made->sentence);
}

static double
report_seconds_since(uint64_t then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9 - (double)then / 1e9;
}

static void
report_ago(char *buffer, size_t capacity, double seconds)
{
    if (seconds < 1)
        snprintf(buffer, capacity, "less than a second ago");
    else
        snprintf(buffer, capacity, "%.0f s ago", seconds);
}

static void
report_late(const struct frti_tomb *tomb)
{
    frt_upcall_report made = {.status = FRT_CLOSED,
                              .name = tomb->name,
                              .type = tomb->type,
                              .seconds_ago =
                                  report_seconds_since(tomb->closed_at)};
    char sentence[256];
    char ago[48];

    report_ago(ago, sizeof ago, made.seconds_ago);
    snprintf(sentence, sizeof sentence,
             "the upcall `%s` was called on thread %llu after it was closed "
             "(%s, on thread %llu)",
             tomb->type, (unsigned long long)frti_thread_number(), ago,
             (unsigned long long)tomb->closed_by);
    made.sentence = sentence;
    (void)frti_fail(FRT_CLOSED, "%s", sentence);
    report(&made);
}

static void
late_read(struct frti_tomb *out, const struct frti_upcall *upcall,
          const frt_descriptor *type)
{
    frti_upcall_lock();
    *out = upcall->tomb;
    frti_upcall_unlock();
    if (type == NULL)
        return;
    frt_descriptor_print(out->type, sizeof out->type, type, out->name);
    out->closed_at = UINT64_MAX; /* that is, now */
    out->closed_by = frti_thread_number();
}

void
frti_upcall_late(struct frti_upcall *upcall, const frt_descriptor *type,
                 unsigned char *image)
{
    unsigned char *bases[FRTI_TAKE_BASES] = {image};
    struct frti_tomb tomb;
    void *result;

    late_read(&tomb, upcall, type);
    report_late(&tomb);
    if (tomb.late == FRT_UPCALL_LATE_ABORT)
        abort();
    memset(image + frti_gate_image.results, 0, frti_gate_image.results_size);
    if (tomb.in_memory) {
        result = frti_receive_address(&tomb.result, bases);
        memset(result, 0, tomb.result_size);
        memcpy(image + frti_gate_image.gpr_results, &result, sizeof result);
    }
}

void
frti_upcall_report_thread(const struct frti_upcall *upcall, const char *what)
{
    char type[sizeof upcall->tomb.type];
    char sentence[256];
    frt_upcall_report made = {.status = FRT_WRONG_THREAD,
                              .name = upcall->tomb.name,
                              .type = type,
                              .sentence = sentence,
                              .seconds_ago = -1};

    frt_descriptor_print(type, sizeof type, upcall->receiver->descriptor,
                         upcall->tomb.name);
    snprintf(sentence, sizeof sentence,
             "the upcall `%s` was called on thread %llu, and its owner, thread "
             "%llu, %s",
             type, (unsigned long long)frti_thread_number(),
             (unsigned long long)upcall->owner, what);
    (void)frti_fail(FRT_WRONG_THREAD, "%s", sentence);
    report(&made);
}
