/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What became of the signatures: counts, and a report of what went wrong. */
#ifndef TEST_ABI_TALLY_H
#define TEST_ABI_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "test/abi/batch.h"
#include "test/abi/trial.h"

enum { TALLY_REASONS = 32 };

struct tally {
    size_t signatures;
    size_t calls;
    size_t refused;
    size_t mismatches;
    size_t disputed; /* the compilers disagree */
    size_t lost;     /* to crashes of a compiler */
    size_t crashed;  /* compiled code, without us */
    struct tally_reason {
        char text[TRIAL_SENTENCE]; /* names and numbers taken out */
        size_t count;
    } reasons[TALLY_REASONS];
    size_t reason_count;
};

void tally_add(struct tally *tally, const struct trial *trial,
               const struct batch *batch, enum verdict verdict,
               const char *sentence);
/* `N signatures, N calls, N refused (reasons), N lost, N crashed, N disputed, N
 * mismatches` */
void tally_print(FILE *file, const struct tally *tally);
/* All were right, none was disputed, something was called, and few were lost or
 * crashed: the compilers have faults of their own, but a fault of the generator
 * would make many. */
bool tally_is_good(const struct tally *tally);

#endif
