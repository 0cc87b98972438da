/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/abi/tally.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "abi/abi.h"

/* Reports beyond these say no more; the counts go on. */
#define TALLY_REPORTS 10

/* ------------------------------------------------------------- reasons --- */

/* `struct s4_1 ...` becomes T, and 128 N, so that equal reasons are equal. */
static void
reason_generalize(char *out, const char *sentence)
{
    while (*sentence != '\0') {
        if (*sentence == '`') {
            sentence += 1 + strcspn(sentence + 1, "`");
            sentence += *sentence == '`';
            *out++ = 'T';
        } else if (isdigit((unsigned char)*sentence)) {
            sentence += strspn(sentence, "0123456789");
            *out++ = 'N';
        } else {
            *out++ = *sentence++;
        }
    }
    *out = '\0';
}

static void
reason_add(struct tally *tally, const char *sentence)
{
    char text[TRIAL_SENTENCE];
    size_t i = 0;

    reason_generalize(text, sentence);
    while (i < tally->reason_count && strcmp(tally->reasons[i].text, text) != 0)
        i++;
    if (i == TALLY_REASONS)
        return;
    if (i == tally->reason_count) {
        strcpy(tally->reasons[i].text, text);
        tally->reason_count++;
    }
    tally->reasons[i].count++;
}

/* -------------------------------------------------------------- report --- */

static void
report_plan(const frt_descriptor *descriptor)
{
    const struct frti_convention *convention =
        frti_convention_of(frt_descriptor_model(descriptor));
    struct frti_plan *plan;
    static char text[65536];

    if (convention == NULL)
        return;
    if (frti_plan_new(&plan, convention, descriptor) != FRT_OK) {
        printf("no plan: %s\n", frt_last_detail());
        return;
    }
    frti_plan_print(text, sizeof text, plan);
    puts(text);
    frti_plan_free(plan);
}

static void
report(const struct trial *trial, const struct batch *batch,
       enum verdict verdict, const char *sentence)
{
    static const char *const words[] = {
        [VERDICT_WRONG] = "mismatch",
        [VERDICT_COMPILERS] = "the compilers disagree",
        [VERDICT_CRASHED] = "compiled code crashes"};
    const struct signature *signature = trial->signature;
    const frt_descriptor *descriptor;

    printf("\nsignature %" PRIu32 " of seed %" PRIu64
           ", %s, callee by %s, control by %s: %s\n  %s\n\n",
           signature->number, trial->seed, trial_backend_word(trial->backend),
           batch_cell_name(batch->cell), batch_cell_name(batch->control_cell),
           words[verdict], sentence);
    text_types(stdout, signature, UINT32_MAX);
    text_prototype(stdout, signature);
    puts(";\n");
    if (signature_descriptor(&descriptor, signature) == FRT_OK) {
        report_plan(descriptor);
        frt_descriptor_drop(descriptor);
    }
    fflush(stdout);
}

void
tally_add(struct tally *tally, const struct trial *trial,
          const struct batch *batch, enum verdict verdict, const char *sentence)
{
    tally->signatures++;
    switch (verdict) {
    case VERDICT_RIGHT:
        tally->calls += TRIAL_CALLS;
        break;
    case VERDICT_REFUSED:
        tally->refused++;
        reason_add(tally, sentence);
        break;
    case VERDICT_WRONG:
        if (tally->mismatches++ < TALLY_REPORTS)
            report(trial, batch, verdict, sentence);
        break;
    case VERDICT_COMPILERS:
        if (tally->disputed++ < TALLY_REPORTS)
            report(trial, batch, verdict, sentence);
        break;
    case VERDICT_CRASHED:
        if (tally->crashed++ < TALLY_REPORTS)
            report(trial, batch, verdict, sentence);
    }
}

void
tally_print(FILE *file, const struct tally *tally)
{
    fprintf(file, "%zu signatures, %zu calls, %zu refused", tally->signatures,
            tally->calls, tally->refused);
    for (size_t i = 0; i < tally->reason_count; i++)
        fprintf(file, "%s%zu: %s", i == 0 ? " (" : "; ",
                tally->reasons[i].count, tally->reasons[i].text);
    fputs(tally->reason_count == 0 ? "" : ")", file);
    if (tally->lost != 0)
        fprintf(file, ", %zu lost to a crash of a compiler", tally->lost);
    if (tally->crashed != 0)
        fprintf(file, ", %zu whose compiled code crashes", tally->crashed);
    if (tally->disputed != 0)
        fprintf(file, ", %zu on which the compilers disagree", tally->disputed);
    fprintf(file, ", %zu mismatches\n", tally->mismatches);
}

bool
tally_is_good(const struct tally *tally)
{
    return tally->mismatches == 0 && tally->calls != 0 &&
           tally->lost <= tally->signatures / 10 &&
           tally->crashed <= tally->signatures / 1000 && tally->disputed == 0;
}
