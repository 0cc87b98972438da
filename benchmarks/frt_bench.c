/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * frt_bench: what calls cost, as ratios within one run.
 *
 *   frt_bench [--suite LIST] [--case LIST] [--system LIST] [--threads LIST]
 *             [--quick] [--format text|jsonl]
 *   frt_bench --list
 *
 * A LIST has commas between its names; without one, all are taken.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/report.h"
#include "benchmarks/suite.h"
#include "ffi_rt/ffi_rt.h"

#define BENCH_SYSTEMS 16
#define BENCH_THREADS 16

static const struct bench_suite *const bench_suites[] = {
    &bench_suite_call,   &bench_suite_by_value, &bench_suite_link,
    &bench_suite_memory, &bench_suite_segment,  &bench_suite_session,
    &bench_suite_upcall,
};

#define BENCH_SUITES (sizeof bench_suites / sizeof bench_suites[0])

struct options {
    const char *suites; /* NULL: all */
    const char *cases;
    const char *systems;
    unsigned threads[BENCH_THREADS];
    size_t thread_counts;
    const struct bench_settings *settings;
    enum report_format format;
    bool list;
};

static const char bench_usage[] =
    "usage: frt_bench [--suite LIST] [--case LIST] [--system LIST]\n"
    "                 [--threads LIST] [--quick] [--format text|jsonl]\n"
    "       frt_bench --list\n";

/* Is `name` one of the names in `list`? */
static bool
list_has(const char *list, const char *name)
{
    size_t length = strlen(name);

    if (list == NULL)
        return true;
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 &&
            (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* ---------------------------------------------------------- options ---- */

typedef bool bench_is_known(const char *name, size_t length);

static bool
name_is(const char *one, const char *name, size_t length)
{
    return strlen(one) == length && memcmp(one, name, length) == 0;
}

static bool
suite_is_known(const char *name, size_t length)
{
    for (size_t i = 0; i < BENCH_SUITES; i++)
        if (name_is(bench_suites[i]->name, name, length))
            return true;
    return false;
}

static bool
case_is_known(const char *name, size_t length)
{
    for (size_t i = 0; i < BENCH_SUITES; i++)
        for (size_t j = 0; bench_suites[i]->case_name(j) != NULL; j++)
            if (name_is(bench_suites[i]->case_name(j), name, length))
                return true;
    return false;
}

static bool
system_is_known(const char *name, size_t length)
{
    for (size_t i = 0; i < BENCH_SUITES; i++)
        for (size_t j = 0; j < bench_suites[i]->system_count; j++)
            if (name_is(bench_suites[i]->systems[j].name, name, length))
                return true;
    return false;
}

/* A name that selects nothing is a mistake, not an empty report. */
static bool
list_is_known(const char *list, bench_is_known *is_known, const char *what)
{
    while (list != NULL) {
        size_t length = strcspn(list, ",");

        if (!is_known(list, length)) {
            fprintf(stderr, "frt_bench: no %s named '%.*s' (see --list)\n",
                    what, (int)length, list);
            return false;
        }
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return true;
}

static bool
options_threads(struct options *options, const char *list)
{
    const char *at = list;
    char *end;

    options->thread_counts = 0;
    do {
        unsigned long threads = strtoul(at, &end, 10);

        if (end == at || threads < 1 || threads > 1024 ||
            options->thread_counts == BENCH_THREADS ||
            (*end != ',' && *end != '\0')) {
            fprintf(stderr,
                    "frt_bench: '%s' is not a list of up to %d numbers of "
                    "threads, 1 to 1024\n",
                    list, BENCH_THREADS);
            return false;
        }
        options->threads[options->thread_counts++] = (unsigned)threads;
        at = end + 1;
    } while (*end == ',');
    return true;
}

static bool
options_format(struct options *options, const char *name)
{
    if (strcmp(name, "text") != 0 && strcmp(name, "jsonl") != 0) {
        fprintf(stderr, "frt_bench: no format named '%s'\n", name);
        return false;
    }
    options->format = name[0] == 't' ? REPORT_TEXT : REPORT_JSONL;
    return true;
}

static bool
options_take(struct options *options, int option)
{
    switch (option) {
    case 's':
        options->suites = optarg;
        return list_is_known(optarg, suite_is_known, "suite");
    case 'c':
        options->cases = optarg;
        return list_is_known(optarg, case_is_known, "case");
    case 'y':
        options->systems = optarg;
        return list_is_known(optarg, system_is_known, "system");
    case 't':
        return options_threads(options, optarg);
    case 'q':
        options->settings = &bench_settings_quick;
        return true;
    case 'f':
        return options_format(options, optarg);
    case 'l':
        options->list = true;
        return true;
    default:
        fputs(bench_usage, stderr);
        return false;
    }
}

static bool
options_read(struct options *options, int argc, char **argv)
{
    static const struct option known[] = {
        {"suite", required_argument, NULL, 's'},
        {"case", required_argument, NULL, 'c'},
        {"system", required_argument, NULL, 'y'},
        {"threads", required_argument, NULL, 't'},
        {"quick", no_argument, NULL, 'q'},
        {"format", required_argument, NULL, 'f'},
        {"list", no_argument, NULL, 'l'},
        {NULL, 0, NULL, 0},
    };
    int option;

    *options = (struct options){
        .threads = {1}, .thread_counts = 1, .settings = &bench_settings_full};
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1)
        if (!options_take(options, option))
            return false;
    if (optind < argc) {
        fprintf(stderr, "frt_bench: '%s' is not an option\n%s", argv[optind],
                bench_usage);
        return false;
    }
    return true;
}

/* -------------------------------------------------------------- run ---- */

struct contest {
    const struct bench_suite *suite;
    size_t case_index;
    size_t count;
    struct bench_contestant contestants[BENCH_SYSTEMS];
    size_t systems[BENCH_SYSTEMS]; /* their rows in the suite */
};

/* Why the system cannot take part; NULL: it does, as the last contestant. */
static const char *
contest_add(struct contest *contest, size_t system_index, unsigned threads)
{
    const struct bench_suite *suite = contest->suite;
    const char *why;

    if (suite->systems[system_index].is_owned && threads > 1)
        return "it is measured on one thread alone";
    why = suite->open(&contest->contestants[contest->count],
                      contest->case_index, system_index);
    if (why == NULL)
        contest->systems[contest->count++] = system_index;
    return why;
}

static void
contest_open(struct contest *contest, const struct options *options,
             unsigned threads)
{
    const struct bench_suite *suite = contest->suite;

    contest->count = 0;
    for (size_t i = 0; i < suite->system_count && i < BENCH_SYSTEMS; i++) {
        const char *name = suite->systems[i].name;
        const char *why;

        if (!list_has(options->systems, name) ||
            (suite->has != NULL && !suite->has(contest->case_index, i)))
            continue;
        why = contest_add(contest, i, threads);
        if (why != NULL)
            report_missing(options->format, suite->name,
                           suite->case_name(contest->case_index), name, why);
    }
}

static void
contest_close(struct contest *contest)
{
    for (size_t i = 0; i < contest->count; i++)
        contest->suite->close(&contest->contestants[i], contest->systems[i]);
}

/* The times of the system that the ratio of this one is taken over. */
static const struct bench_times *
contest_over(const struct contest *contest, size_t index,
             const struct bench_times *times)
{
    const char *over = contest->suite->systems[contest->systems[index]].over;

    for (size_t i = 0; i < contest->count; i++)
        if (strcmp(contest->contestants[i].system, over) == 0 &&
            times[i].kept > 0)
            return &times[i];
    return NULL;
}

static void
contest_report(const struct contest *contest, const struct options *options,
               unsigned threads, const struct bench_times *times)
{
    const struct bench_suite *suite = contest->suite;

    for (size_t i = 0; i < contest->count; i++) {
        const struct bench_times *over = contest_over(contest, i, times);
        struct report_row row = {
            .suite = suite->name,
            .case_name = suite->case_name(contest->case_index),
            .system = contest->contestants[i].system,
            .threads = threads,
            .times = times[i],
        };

        if (over != NULL && times[i].kept > 0) {
            row.over = suite->systems[contest->systems[i]].over;
            row.ratio = times[i].ns_min / over->ns_min;
        }
        report_row(options->format, &row);
    }
}

static bool
contest_run(struct contest *contest, const struct options *options,
            unsigned threads)
{
    struct bench_times times[BENCH_SYSTEMS];
    bool is_done = true;

    contest_open(contest, options, threads);
    if (contest->count > 0)
        is_done = bench_measure(times, contest->contestants, contest->count,
                                threads, options->settings);
    if (is_done)
        contest_report(contest, options, threads, times);
    contest_close(contest);
    return is_done;
}

static bool
suite_run(const struct bench_suite *suite, const struct options *options)
{
    struct contest contest = {.suite = suite};
    bool is_done = true;
    bool has_rows = false;

    for (; is_done && suite->case_name(contest.case_index) != NULL;
         contest.case_index++) {
        if (!list_has(options->cases, suite->case_name(contest.case_index)))
            continue;
        for (size_t i = 0; is_done && i < options->thread_counts; i++)
            is_done = contest_run(&contest, options, options->threads[i]);
        has_rows = true;
    }
    if (is_done && has_rows && suite->facts != NULL &&
        options->format == REPORT_TEXT)
        suite->facts();
    return is_done;
}

static void
bench_list(void)
{
    for (size_t i = 0; i < BENCH_SUITES; i++) {
        const struct bench_suite *suite = bench_suites[i];

        printf("suite %s\n  cases  ", suite->name);
        for (size_t j = 0; suite->case_name(j) != NULL; j++)
            printf(" %s", suite->case_name(j));
        printf("\n  systems");
        for (size_t j = 0; j < suite->system_count; j++)
            printf(" %s", suite->systems[j].name);
        printf("\n");
    }
}

int
main(int argc, char **argv)
{
    struct options options;

    if (!options_read(&options, argc, argv))
        return 2;
    if (options.list) {
        bench_list();
        return EXIT_SUCCESS;
    }
    if (!bench_pin())
        fprintf(stderr, "frt_bench: threads are not pinned\n");
    if (options.format == REPORT_TEXT)
        printf("CPUs: %u\n%s\n", bench_cpus(), frt_version_text());
    report_start(options.format);
    for (size_t i = 0; i < BENCH_SUITES; i++)
        if (list_has(options.suites, bench_suites[i]->name) &&
            !suite_run(bench_suites[i], &options))
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
