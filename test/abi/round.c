/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/abi/round.h"

#include <stdlib.h>

#include "test/abi/trial.h"

/* A batch's cells are those of each of its signatures. */
static struct batch *
round_batch(struct round *round, const struct signature *signature)
{
    unsigned cell = batch_cell_of(round->seed, signature);
    unsigned control_cell = batch_control_cell_of(cell, signature);
    struct batch *batch;

    for (size_t i = round->batch_count; i-- > 0;) {
        batch = &round->batches[i];
        if (batch->cell == cell && batch->control_cell == control_cell &&
            batch->is_wide == signature->is_wide) {
            if (batch->count < BATCH_MOST)
                return batch;
            break;
        }
    }
    batch = &round->batches[round->batch_count];
    *batch = (struct batch){.index = (unsigned)round->batch_count++,
                            .cell = cell,
                            .control_cell = control_cell,
                            .is_wide = signature->is_wide,
                            .signatures =
                                calloc(BATCH_MOST, sizeof *batch->signatures)};
    if (batch->signatures == NULL)
        abort();
    return batch;
}

void
round_plan(struct round *round)
{
    round->batches = calloc(round->count + 1, sizeof *round->batches);
    if (round->batches == NULL)
        abort();
    for (size_t i = 0; i < round->count; i++) {
        struct batch *batch = round_batch(round, &round->signatures[i]);

        batch->signatures[batch->count++] = &round->signatures[i];
    }
}

void
round_write(const struct round *round)
{
    for (size_t i = 0; i < round->batch_count; i++)
        batch_write(round->folder, &round->batches[i]);
    batch_write_ninja(round->folder, round->batches, round->batch_count,
                      round->root);
}

bool
round_compile(const struct round *round)
{
    return batch_compile(round->folder);
}

static void
round_call_batch(const struct round *round, const struct batch *batch,
                 frt_backend backend, struct tally *tally)
{
    struct batch_objects objects;
    struct trial trial = {.seed = round->seed, .backend = backend};
    char sentence[TRIAL_SENTENCE];

    if (!batch_is_compiled(round->folder, batch)) {
        tally->lost += batch->count;
        return;
    }
    batch_load(&objects, round->folder, batch);
    trial.callee_state = batch_symbol(objects.callee, "callee_state");
    trial.control_state = batch_symbol(objects.control, "callee_state");
    for (size_t i = 0; i < batch->count; i++) {
        const struct signature *signature = batch->signatures[i];

        trial.signature = signature;
        trial.callee = batch_symbol(objects.callee, "f%u", signature->number);
        trial.control = (void (*)(void *))batch_symbol(objects.control, "c%u",
                                                       signature->number);
        tally_add(tally, &trial, batch, trial_run(sentence, &trial), sentence);
    }
    batch_unload(&objects);
}

void
round_call(const struct round *round, frt_backend backend, struct tally *tally)
{
    for (size_t i = 0; i < round->batch_count; i++)
        round_call_batch(round, &round->batches[i], backend, tally);
}

void
round_free(struct round *round)
{
    for (size_t i = 0; i < round->batch_count; i++)
        free(round->batches[i].signatures);
    free(round->batches);
}
