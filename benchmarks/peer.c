/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "benchmarks/peer.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/call.h"
#include "benchmarks/report.h"

#define PEER_SYSTEMS 8
#define PEER_NAME 48

/* One system of the next case, and the one its ratio is taken over. */
struct peer_system {
    char name[PEER_NAME];
    char over[PEER_NAME];
    peer_loop *loop;
    int (*callback)(int);
};

static const struct bench_settings *peer_settings;
static struct peer_system peer_systems[PEER_SYSTEMS];
static struct bench_contestant peer_contestants[PEER_SYSTEMS];
static size_t peer_count;
static volatile int peer_argument = 3;

static void
peer_fail(const char *what, const char *name)
{
    fprintf(stderr, "frt_bench_peer: %s '%s'\n", what, name);
    exit(EXIT_FAILURE);
}

void
peer_open(int is_quick)
{
    peer_settings = is_quick ? &bench_settings_quick : &bench_settings_full;
    if (!bench_pin())
        fprintf(stderr, "frt_bench_peer: threads are not pinned\n");
}

static struct peer_system *
system_add(const char *name, const char *over, bench_loop *loop)
{
    struct peer_system *system = &peer_systems[peer_count];

    if (peer_count == PEER_SYSTEMS)
        peer_fail("too many systems with", name);
    if (strlen(name) >= PEER_NAME || strlen(over) >= PEER_NAME)
        peer_fail("too long a name:", name);
    strcpy(system->name, name);
    strcpy(system->over, over);
    peer_contestants[peer_count++] = (struct bench_contestant){
        .system = system->name, .loop = loop, .context = system};
    return system;
}

static void
loop_peer(void *context, uint64_t count)
{
    const struct peer_system *system = context;

    system->loop(count < INT_MAX ? (int)count : INT_MAX);
}

static void
loop_upcall(void *context, uint64_t count)
{
    const struct peer_system *system = context;
    int (*volatile target)(int (*)(int), int) = callcb;
    int (*volatile callback)(int) = system->callback;

    while (count-- > 0)
        bench_sink_int(target(callback, peer_argument));
}

void
peer_add(const char *system, const char *over, peer_loop *loop)
{
    system_add(system, over, loop_peer)->loop = loop;
}

void
peer_add_upcall(const char *system, const char *over, int (*callback)(int))
{
    system_add(system, over, loop_upcall)->callback = callback;
}

void
peer_add_floor(const char *system, const char *function)
{
    for (size_t i = 0; i < call_case_count; i++)
        if (strcmp(call_cases[i].name, function) == 0) {
            system_add(system, system, call_cases[i].floor);
            return;
        }
    peer_fail("no function", function);
}

static const struct bench_times *
peer_over(const struct bench_times *times, const char *over)
{
    for (size_t i = 0; i < peer_count; i++)
        if (strcmp(peer_systems[i].name, over) == 0 && times[i].kept > 0)
            return &times[i];
    return NULL;
}

void
peer_run(const char *suite, const char *case_name, int threads)
{
    struct bench_times times[PEER_SYSTEMS];

    if (!bench_measure(times, peer_contestants, peer_count, (unsigned)threads,
                       peer_settings))
        exit(EXIT_FAILURE);
    for (size_t i = 0; i < peer_count; i++) {
        const struct bench_times *over = peer_over(times, peer_systems[i].over);
        struct report_row row = {.suite = suite,
                                 .case_name = case_name,
                                 .system = peer_systems[i].name,
                                 .threads = (unsigned)threads,
                                 .times = times[i]};

        if (over != NULL && times[i].kept > 0) {
            row.over = peer_systems[i].over;
            row.ratio = times[i].ns_min / over->ns_min;
        }
        report_row(REPORT_JSONL, &row);
    }
    peer_count = 0;
}

void
peer_missing(const char *suite, const char *case_name, const char *system,
             const char *why)
{
    report_missing(REPORT_JSONL, suite, case_name, system, why);
}

int
peer_callback(int a)
{
    return a + 1;
}
