/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "benchmarks/harness.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define HARNESS_PROBE_ADDS 200000
#define HARNESS_CLEAN 1.03
#define HARNESS_CPUS 1024
#define HARNESS_NEVER 1e30
#define HARNESS_MET 0.5 /* how much of a round all threads must share */
#define HARNESS_CROWD 4 /* how much longer one may take */

const struct bench_settings bench_settings_full = {
    .rounds = 31, .most_rounds = 620, .round_ns = 4e6, .most_ns = 15e9};
const struct bench_settings bench_settings_quick = {
    .rounds = 31, .most_rounds = 310, .round_ns = 2e6, .most_ns = 2.5e9};

struct round {
    double ns;    /* of one call */
    double probe; /* the worse of the two; HARNESS_NEVER: did not meet */
};

struct worker {
    const struct bench_contestant *contestant;
    uint64_t count;
    unsigned index; /* of its CPU */
    pthread_barrier_t *barrier;
    double start;
    double end;
    double ran; /* as long as it had a processor */
};

static int harness_cpu[HARNESS_CPUS];
static unsigned harness_cpus;

static double
harness_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double
harness_now(void)
{
    return harness_clock(CLOCK_MONOTONIC);
}

static bool
harness_pin_to(unsigned index)
{
    cpu_set_t one;

    if (harness_cpus == 0)
        return false;
    CPU_ZERO(&one);
    CPU_SET(harness_cpu[index % harness_cpus], &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

bool
bench_pin(void)
{
    cpu_set_t all;

    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return false;
    harness_cpus = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE && harness_cpus < HARNESS_CPUS; cpu++)
        if (CPU_ISSET(cpu, &all))
            harness_cpu[harness_cpus++] = cpu;
    return harness_pin_to(0);
}

unsigned
bench_cpus(void)
{
    return harness_cpus;
}

/* Each add needs the one before it, and the compiler cannot know the sum. */
static double
harness_probe(void)
{
    double start = harness_now();
    uint64_t sum = 1;

    for (int i = 0; i < HARNESS_PROBE_ADDS; i++) {
        sum += sum;
        __asm__ volatile("" : "+r"(sum));
    }
    return harness_now() - start;
}

static void *
worker_run(void *context)
{
    struct worker *worker = context;
    double ran;

    harness_pin_to(worker->index);
    pthread_barrier_wait(worker->barrier);
    worker->start = harness_now();
    ran = harness_clock(CLOCK_THREAD_CPUTIME_ID);
    worker->contestant->loop(worker->contestant->context, worker->count);
    worker->ran = harness_clock(CLOCK_THREAD_CPUTIME_ID) - ran;
    worker->end = harness_now();
    return NULL;
}

/* More threads than processors: they take turns. */
static bool
harness_is_crowd(unsigned threads)
{
    return harness_cpus > 0 && threads > harness_cpus;
}

/* In a crowd, what each ran, on average; else the time of the slowest. */
static double
workers_ns(const struct worker *workers, unsigned threads)
{
    double slowest = 0;
    double ran = 0;

    for (unsigned i = 0; i < threads; i++) {
        double ns = workers[i].end - workers[i].start;

        slowest = ns > slowest ? ns : slowest;
        ran += workers[i].ran;
    }
    return harness_is_crowd(threads) ? ran / threads : slowest;
}

/* Threads that each have a processor must be there together: one that came
 * late, because something else had its processor, met nobody. */
static bool
workers_met(const struct worker *workers, unsigned threads)
{
    double latest = workers[0].start;
    double first_end = workers[0].end;

    for (unsigned i = 1; i < threads; i++) {
        latest = workers[i].start > latest ? workers[i].start : latest;
        first_end = workers[i].end < first_end ? workers[i].end : first_end;
    }
    return harness_is_crowd(threads) ||
           first_end - latest > HARNESS_MET * workers_ns(workers, threads);
}

/* The calling thread is the first of them. A thread that cannot be made ends
 * the program: the others wait at the barrier. */
static double
harness_time_threads(const struct bench_contestant *contestant, uint64_t count,
                     struct worker *workers, pthread_t *ids, unsigned threads)
{
    pthread_barrier_t barrier;

    pthread_barrier_init(&barrier, NULL, threads);
    for (unsigned i = 0; i < threads; i++) {
        workers[i] = (struct worker){contestant, count, i, &barrier, 0, 0, 0};
        if (i > 0 && pthread_create(&ids[i], NULL, worker_run, &workers[i])) {
            fprintf(stderr, "frt_bench: no thread %u of %u\n", i + 1, threads);
            exit(EXIT_FAILURE);
        }
    }
    worker_run(&workers[0]);
    for (unsigned i = 1; i < threads; i++)
        pthread_join(ids[i], NULL);
    pthread_barrier_destroy(&barrier);
    return workers_ns(workers, threads);
}

struct measure {
    const struct bench_contestant *contestants;
    size_t count;
    unsigned threads;
    const struct bench_settings *settings;
    uint64_t *calls;      /* in a round of each contestant */
    struct round *rounds; /* most_rounds of the first, of the second... */
    unsigned made;
    double best_probe;
    struct worker *workers;
    pthread_t *ids;
};

/* One round of one contestant, with that many calls on each thread. */
static double
measure_calls(const struct measure *measure, size_t index, uint64_t calls)
{
    return harness_time_threads(&measure->contestants[index], calls,
                                measure->workers, measure->ids,
                                measure->threads);
}

/* How many calls take a round's time. The best of a few: what disturbs one of
 * them would make all rounds short. */
static uint64_t
measure_calibrate(const struct measure *measure, size_t index)
{
    double round_ns = measure->settings->round_ns;
    uint64_t calls = 64;
    double best = measure_calls(measure, index, calls);

    while (best < round_ns / 8) {
        calls *= 2;
        best = measure_calls(measure, index, calls);
    }
    for (int i = 0; i < 3; i++) {
        double ns = measure_calls(measure, index, calls);

        if (ns < best)
            best = ns;
    }
    calls = (uint64_t)((double)calls * round_ns / best);
    return calls > 0 ? calls : 1;
}

static double
measure_probe(struct measure *measure)
{
    double probe = harness_probe();

    if (probe < measure->best_probe)
        measure->best_probe = probe;
    return probe;
}

static void
measure_round(struct measure *measure)
{
    for (size_t i = 0; i < measure->count; i++) {
        uint64_t calls = measure->calls[i];
        double before = measure_probe(measure);
        double ns = measure_calls(measure, i, calls);
        bool met = workers_met(measure->workers, measure->threads);
        double after = measure_probe(measure);
        double worse = before > after ? before : after;

        measure->rounds[i * measure->settings->most_rounds + measure->made] =
            (struct round){.ns = ns / (double)calls,
                           .probe = met ? worse : HARNESS_NEVER};
    }
    measure->made++;
}

static int
measure_compare(const void *one, const void *other)
{
    double a = *(const double *)one;
    double b = *(const double *)other;

    return (a > b) - (a < b);
}

/* The best probe may have been found after the round: judged anew each time.
 * `kept` has room for all rounds. */
static struct bench_times
measure_times(const struct measure *measure, size_t index, double *kept)
{
    const struct round *rounds =
        measure->rounds + index * measure->settings->most_rounds;
    struct bench_times times = {.made = measure->made};

    for (unsigned i = 0; i < measure->made; i++)
        if (rounds[i].probe <= measure->best_probe * HARNESS_CLEAN)
            kept[times.kept++] = rounds[i].ns;
    if (times.kept == 0)
        return times;
    qsort(kept, times.kept, sizeof *kept, measure_compare);
    times.ns_min = kept[0];
    times.ns_median = (kept[(times.kept - 1) / 2] + kept[times.kept / 2]) / 2;
    return times;
}

static bool
measure_is_enough(const struct measure *measure, struct bench_times *times,
                  double *kept)
{
    bool enough = true;

    for (size_t i = 0; i < measure->count; i++) {
        times[i] = measure_times(measure, i, kept);
        if (times[i].kept < measure->settings->rounds)
            enough = false;
    }
    return enough;
}

static bool
measure_is_over(const struct measure *measure, double start)
{
    double most_ns = measure->settings->most_ns;

    if (harness_is_crowd(measure->threads))
        most_ns *= HARNESS_CROWD;
    return measure->made == measure->settings->most_rounds ||
           harness_now() - start > most_ns;
}

static void
measure_run(struct measure *measure, struct bench_times *times, double *kept)
{
    double start = harness_now();

    for (size_t i = 0; i < measure->count; i++)
        measure->calls[i] = measure_calibrate(measure, i);
    do
        measure_round(measure);
    while (!measure_is_enough(measure, times, kept) &&
           !measure_is_over(measure, start));
}

bool
bench_measure(struct bench_times *times,
              const struct bench_contestant *contestants, size_t count,
              unsigned threads, const struct bench_settings *settings)
{
    struct measure measure = {
        .contestants = contestants,
        .count = count,
        .threads = threads,
        .settings = settings,
        .best_probe = HARNESS_NEVER,
        .calls = calloc(count, sizeof *measure.calls),
        .rounds = calloc(count * settings->most_rounds, sizeof(struct round)),
        .workers = calloc(threads, sizeof *measure.workers),
        .ids = calloc(threads, sizeof *measure.ids),
    };
    double *kept = calloc(settings->most_rounds, sizeof *kept);
    bool is_ready = measure.calls != NULL && measure.rounds != NULL &&
                    measure.workers != NULL && measure.ids != NULL &&
                    kept != NULL;

    if (is_ready)
        measure_run(&measure, times, kept);
    else
        fprintf(stderr, "frt_bench: out of memory\n");
    free(measure.calls);
    free(measure.rounds);
    free(measure.workers);
    free(measure.ids);
    free(kept);
    return is_ready;
}
