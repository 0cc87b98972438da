/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Random signatures, called by the library and checked by the C compilers:
 *
 *     generate [--seed S] [--count N]
 *              [--backend auto|libffi|stub|both|upcall|all]
 *              [--keep FOLDER] [--one K] [--target MODEL]
 *              [--only write|compile|call]
 *
 * Each signature's callee is compiled by gcc or clang, at -O0 or -O2, and
 * first called by code of another cell: what the two do not agree on is not
 * ours to be judged by, and a fault of this generator. Then the library calls
 * it twice, with `both` by each backend. With
 * `upcall` the compiler calls an upcall of the library, `all` does everything.
 * --one calls the K-th signature alone;
 * --keep keeps the sources.
 * With --only, one step is done, in FOLDER: so two machines can share them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "test/abi/round.h"
#include "test/abi/trial.h"
#include "test/abi/values.h"

/* Signatures that are on the disk at a time. */
#define GENERATE_ROUND 4096

struct options {
    uint64_t seed;
    size_t count;
    size_t first;
    frt_backend backends[3];
    size_t backend_count;
    const char *folder; /* NULL: one that is made and removed */
    const frt_model *model;
    bool is_writing;
    bool is_compiling;
    bool is_calling;
};

static void
usage(void)
{
    fputs("usage: generate [--seed S] [--count N] "
          "[--backend auto|libffi|stub|both|upcall|all]\n"
          "                [--keep FOLDER] [--one K] [--target MODEL] "
          "[--only write|compile|call]\n",
          stderr);
    exit(2);
}

static uint64_t
number_of(const char *text)
{
    char *end;
    uint64_t number = strtoull(text, &end, 0);

    if (end == text || *end != '\0')
        usage();
    return number;
}

static void
options_take_backend(struct options *options, const char *value)
{
    options->backend_count = 1;
    if (strcmp(value, "both") == 0 || strcmp(value, "all") == 0) {
        options->backends[0] = FRT_BACKEND_LIBFFI;
        options->backends[1] = FRT_BACKEND_STUB;
        options->backends[2] = TRIAL_UPCALL;
        options->backend_count = strcmp(value, "all") == 0 ? 3 : 2;
    } else if (!trial_backend_of(&options->backends[0], value)) {
        usage();
    }
}

static void
options_take(struct options *options, const char *name, const char *value)
{
    if (strcmp(name, "--seed") == 0) {
        options->seed = number_of(value);
    } else if (strcmp(name, "--count") == 0) {
        options->count = number_of(value);
    } else if (strcmp(name, "--one") == 0) {
        options->first = number_of(value);
        options->count = 1;
    } else if (strcmp(name, "--backend") == 0) {
        options_take_backend(options, value);
    } else if (strcmp(name, "--keep") == 0) {
        options->folder = value;
    } else if (strcmp(name, "--target") == 0) {
        if (frt_model_find(&options->model, value) != FRT_OK)
            usage();
    } else if (strcmp(name, "--only") == 0) {
        options->is_writing = strcmp(value, "write") == 0;
        options->is_compiling = strcmp(value, "compile") == 0;
        options->is_calling = strcmp(value, "call") == 0;
    } else {
        usage();
    }
}

static void
options_read(struct options *options, int count, char **arguments)
{
    for (int i = 1; i < count; i += 2) {
        if (i + 1 == count)
            usage();
        options_take(options, arguments[i], arguments[i + 1]);
    }
    if (options->is_writing && options->is_calling)
        return;
    if (!(options->is_writing || options->is_compiling ||
          options->is_calling) ||
        options->folder == NULL || options->count > GENERATE_ROUND)
        usage();
}

static void
folder_make(struct options *options, char *made)
{
    char command[4096];

    if (options->folder == NULL) {
        options->folder = mkdtemp(made);
    } else {
        *made = '\0';
        snprintf(command, sizeof command, "mkdir -p '%s'", options->folder);
        if (system(command) != 0)
            exit(2);
    }
    if (options->folder == NULL) {
        perror("generate: mkdtemp");
        exit(2);
    }
}

static void
folder_remove(const char *made)
{
    char command[4096];

    if (*made == '\0')
        return;
    snprintf(command, sizeof command, "rm -rf '%s'", made);
    if (system(command) != 0)
        perror(command);
}

static bool
round_run(const struct options *options, struct round *round,
          struct tally *tallies)
{
    round_plan(round);
    if (options->is_writing)
        round_write(round);
    if (options->is_compiling && !round_compile(round))
        return false;
    for (size_t i = 0; options->is_calling && i < options->backend_count; i++)
        round_call(round, options->backends[i], &tallies[i]);
    return true;
}

static bool
run(const struct options *options, size_t first, size_t count,
    struct tally *tallies)
{
    struct round round = {.folder = options->folder,
                          .root = FRT_ABI_ROOT,
                          .seed = options->seed,
                          .signatures = calloc(count, sizeof *round.signatures),
                          .count = count};
    bool is_done;

    if (round.signatures == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        signature_draw(&round.signatures[i], options->seed,
                       (uint32_t)(first + i), options->model);
    is_done = round_run(options, &round, tallies);
    round_free(&round);
    for (size_t i = 0; i < count; i++)
        signature_free(&round.signatures[i]);
    free(round.signatures);
    return is_done;
}

/* False: not all is right, or nothing was called. */
static bool
summarize(const struct options *options, const struct tally *tallies)
{
    bool is_good = true;

    for (size_t i = 0; i < options->backend_count; i++) {
        printf("%s: ", trial_backend_word(options->backends[i]));
        tally_print(stdout, &tallies[i]);
        is_good = is_good && tally_is_good(&tallies[i]);
    }
    return is_good;
}

int
main(int count, char **arguments)
{
    struct options options = {.seed = (uint64_t)time(NULL),
                              .count = 1000,
                              .backend_count = 1,
                              .model = frt_model_native(),
                              .is_writing = true,
                              .is_compiling = true,
                              .is_calling = true};
    static struct tally tallies[3];
    char made[] = P_tmpdir "/ffi_rt_abi_XXXXXX";
    bool is_good = true;

    options_read(&options, count, arguments);
    folder_make(&options, made);
    trial_set_up();
    printf("seed %" PRIu64 "\n", options.seed);
    for (size_t i = 0; is_good && i < options.count; i += GENERATE_ROUND) {
        size_t left = options.count - i;

        is_good = run(&options, options.first + i,
                      left < GENERATE_ROUND ? left : GENERATE_ROUND, tallies);
        if (left > GENERATE_ROUND)
            fprintf(stderr, "%zu of %zu\n", i + GENERATE_ROUND, options.count);
    }
    folder_remove(made);
    if (options.is_calling)
        is_good = summarize(&options, tallies) && is_good;
    return is_good ? 0 : 1;
}
