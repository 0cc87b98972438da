/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Suite session: what it costs to keep shared sessions open, and to close one.
 *
 *   pair            acquire and release, alone
 *   call_1, call_3  one or three sessions around identity3
 *   close_alone     a life from open to close, nobody else is there
 *   close_asleep    the same with threads that use sessions and sleep
 *   close_spinning  the same with a thread that spins on each other processor
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "benchmarks/sessions.h"
#include "benchmarks/suite.h"

#define SESSION_SLEEPERS 4

enum session_case {
    SESSION_PAIR,
    SESSION_CALL_1,
    SESSION_CALL_3,
    SESSION_CLOSE_ALONE,
    SESSION_CLOSE_ASLEEP,
    SESSION_CLOSE_SPINNING,
    SESSION_CASES
};

static const char *const session_cases[] = {
    [SESSION_PAIR] = "pair",
    [SESSION_CALL_1] = "call_1",
    [SESSION_CALL_3] = "call_3",
    [SESSION_CLOSE_ALONE] = "close_alone",
    [SESSION_CLOSE_ASLEEP] = "close_asleep",
    [SESSION_CLOSE_SPINNING] = "close_spinning",
};

static const struct bench_system session_systems[] = {
    {.name = "none", .over = "simple"},
    {.name = "simple", .over = "simple"},
    {.name = "striped_ticket", .over = "simple"},
    {.name = "adder", .over = "simple"},
    {.name = "adder_fenced", .over = "simple"},
    {.name = "ours", .over = "simple"},
    {.name = "ours_exported", .over = "simple"},
};

static const struct bench_sessions *const session_kinds[] = {
    &bench_sessions_none,           &bench_sessions_simple,
    &bench_sessions_striped_ticket, &bench_sessions_adder,
    &bench_sessions_adder_fenced,   &bench_sessions_ours,
    &bench_sessions_ours_exported,
};

/* ----------------------------------------------------- other threads --- */

/* Sleepers belong to their system, which they have used. Spinners are there for
 * all systems of the case: one system's would disturb another's rounds. */
struct session_run {
    void *sessions[SESSIONS_MOST]; /* first: the context of the loops */
    const struct bench_sessions *what;
    pthread_t sleepers[SESSION_SLEEPERS];
    unsigned sleeper_count;
    bool has_spinners;
    pthread_barrier_t begun;
    pthread_barrier_t over;
};

static unsigned session_spinner_users;
static unsigned session_spinner_count;
static pthread_t *session_spinners;
static _Atomic bool session_spins;

static void *
sleeper_run(void *context)
{
    struct session_run *run = context;

    run->what->pair(run->sessions, 1);
    pthread_barrier_wait(&run->begun);
    pthread_barrier_wait(&run->over);
    return NULL;
}

static void
sleepers_start(struct session_run *run)
{
    pthread_barrier_init(&run->begun, NULL, SESSION_SLEEPERS + 1);
    pthread_barrier_init(&run->over, NULL, SESSION_SLEEPERS + 1);
    for (unsigned i = 0; i < SESSION_SLEEPERS; i++)
        if (pthread_create(&run->sleepers[i], NULL, sleeper_run, run) != 0)
            abort(); /* the others wait for it */
    run->sleeper_count = SESSION_SLEEPERS;
    pthread_barrier_wait(&run->begun);
}

static void
sleepers_stop(struct session_run *run)
{
    if (run->sleeper_count == 0)
        return;
    pthread_barrier_wait(&run->over);
    for (unsigned i = 0; i < run->sleeper_count; i++)
        pthread_join(run->sleepers[i], NULL);
}

/* Not on the processor that measures, on which the caller is pinned. */
static void *
spinner_run(void *avoid)
{
    cpu_set_t others;

    CPU_ZERO(&others);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (i != *(int *)avoid)
            CPU_SET(i, &others);
    sched_setaffinity(0, sizeof others, &others);
    while (atomic_load_explicit(&session_spins, memory_order_relaxed))
        continue;
    return NULL;
}

static void
spinners_start(void)
{
    static int measuring;
    unsigned wanted = bench_cpus() > 1 ? bench_cpus() - 1 : 0;

    if (session_spinner_users++ > 0 || wanted == 0)
        return;
    session_spinners = calloc(wanted, sizeof *session_spinners);
    if (session_spinners == NULL)
        return;
    measuring = sched_getcpu();
    atomic_store(&session_spins, true);
    while (session_spinner_count < wanted &&
           pthread_create(&session_spinners[session_spinner_count], NULL,
                          spinner_run, &measuring) == 0)
        session_spinner_count++;
}

static void
spinners_stop(void)
{
    if (--session_spinner_users > 0)
        return;
    atomic_store(&session_spins, false);
    while (session_spinner_count > 0)
        pthread_join(session_spinners[--session_spinner_count], NULL);
    free(session_spinners);
    session_spinners = NULL;
}

/* ------------------------------------------------------------- suite --- */

static const char *
session_case_name(size_t index)
{
    return index < SESSION_CASES ? session_cases[index] : NULL;
}

static bench_loop *
session_loop(const struct bench_sessions *what, size_t case_index)
{
    switch (case_index) {
    case SESSION_PAIR:
        return what->pair;
    case SESSION_CALL_1:
        return what->call_1;
    case SESSION_CALL_3:
        return what->call_3;
    case SESSION_CLOSE_ALONE:
        return what->life;
    default:
        return what->life_of_many != NULL ? what->life_of_many : what->life;
    }
}

/* What is exported has the life of ours. */
static bool
session_has(size_t case_index, size_t system_index)
{
    return session_loop(session_kinds[system_index], case_index) != NULL;
}

static void
session_close(struct bench_contestant *contestant, size_t system_index)
{
    struct session_run *run = contestant->context;

    sleepers_stop(run);
    if (run->has_spinners)
        spinners_stop();
    for (size_t i = 0; i < SESSIONS_MOST; i++)
        if (run->sessions[i] != NULL && !run->what->close(run->sessions[i]))
            fprintf(stderr, "frt_bench: a session of %s stays held\n",
                    session_systems[system_index].name);
    free(run);
}

static const char *
session_open(struct bench_contestant *out, size_t case_index,
             size_t system_index)
{
    const struct bench_sessions *what = session_kinds[system_index];
    bench_loop *loop = session_loop(what, case_index);
    struct session_run *run;

    run = calloc(1, sizeof *run);
    if (run == NULL)
        return "out of memory";
    run->what = what;
    *out = (struct bench_contestant){what->name, loop, run};
    for (size_t i = 0; i < SESSIONS_MOST; i++) {
        run->sessions[i] = what->open();
        if (run->sessions[i] == NULL) {
            session_close(out, system_index);
            return "no session can be had";
        }
    }
    if (case_index == SESSION_CLOSE_ASLEEP)
        sleepers_start(run);
    run->has_spinners = case_index == SESSION_CLOSE_SPINNING;
    if (run->has_spinners)
        spinners_start();
    return NULL;
}

/* What a system takes, beside its time. */
static void
session_facts(void)
{
    printf("\n%-16s%16s%32s\n", "bytes", "a session",
           "a thread that used a session");
    for (size_t i = 0; i < sizeof session_kinds / sizeof session_kinds[0]; i++)
        if (session_kinds[i]->bytes_session != NULL)
            printf("%-16s%16zu%32zu\n", session_kinds[i]->name,
                   session_kinds[i]->bytes_session(),
                   session_kinds[i]->bytes_thread());
}

const struct bench_suite bench_suite_session = {
    .name = "session",
    .case_name = session_case_name,
    .systems = session_systems,
    .system_count = sizeof session_systems / sizeof session_systems[0],
    .has = session_has,
    .open = session_open,
    .close = session_close,
    .facts = session_facts,
};
