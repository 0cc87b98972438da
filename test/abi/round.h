/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A round: signatures that are written, compiled and called together. Its
 * steps may be run by two programs, one that can run compilers and one that
 * can make the calls: both plan the same batches from the same signatures.
 */
#ifndef TEST_ABI_ROUND_H
#define TEST_ABI_ROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "test/abi/batch.h"
#include "test/abi/tally.h"

struct round {
    const char *folder;
    const char *root; /* of the sources, for what the generated ones include */
    uint64_t seed;
    struct signature *signatures; /* `count` of them, which the caller drew */
    size_t count;
    struct batch *batches;
    size_t batch_count;
};

void round_plan(struct round *round);
void round_write(const struct round *round);
/* False: a compiler has failed. */
bool round_compile(const struct round *round);
void round_call(const struct round *round, frt_backend backend,
                struct tally *tally);
void round_free(struct round *round);

#endif
