/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The corpus, as TAP: `corpus [--backend auto|libffi|stub] [--target MODEL]
 * [--only write|compile|call] FOLDER`, as `generate` has them. Each row is
 * compiled in all cells; a test is a row in a cell.
 */
#include "test/abi/corpus.h"

#include <stdlib.h>
#include <string.h>

#include "test/abi/round.h"
#include "test/abi/trial.h"

#define CORPUS_SIGNATURES 512

/* A row, or a variant of it, ready to be written. */
struct entry {
    struct signature signature;
    const char *id;
    bool may_be_refused;
};

struct corpus {
    const char *folder;
    const frt_model *model;
    frt_backend backend;
    bool is_writing;
    bool is_compiling;
    bool is_calling;
    struct entry entries[CORPUS_SIGNATURES];
    const struct signature *both[CORPUS_SIGNATURES]; /* for all compilers */
    const struct signature *gcc[CORPUS_SIGNATURES];  /* for gcc alone */
    size_t entry_count;
    size_t both_count;
    size_t gcc_count;
    struct batch batches[2 * BATCH_CELLS];
    size_t batch_count;
    size_t tests;
    size_t failures;
};

static void
die(const char *what)
{
    fprintf(stderr, "corpus: %s: %s\n", what, frt_last_detail());
    exit(2);
}

static void
tell(struct corpus *corpus, bool is_right, const char *id, const char *what,
     unsigned cell, const char *sentence)
{
    corpus->tests++;
    corpus->failures += !is_right;
    printf("%sok %zu - %s %s, %s\n", is_right ? "" : "not ", corpus->tests, id,
           what, batch_cell_name(cell));
    if (*sentence != '\0')
        printf("#   %s\n", sentence);
}

/* -------------------------------------------------------------- entries */

static void
add_variants(struct corpus *corpus, const char *id,
             const frt_descriptor *descriptor, bool only_gcc,
             bool may_be_refused)
{
    unsigned variants = corpus_variants(descriptor);

    for (unsigned i = 0; i < variants; i++) {
        struct entry *entry = &corpus->entries[corpus->entry_count];

        if (corpus->entry_count == CORPUS_SIGNATURES)
            die("too many rows");
        corpus_signature(&entry->signature, descriptor, i);
        entry->signature.number = (uint32_t)corpus->entry_count++;
        entry->signature.only_gcc |= only_gcc;
        entry->id = id;
        entry->may_be_refused = may_be_refused;
        if (!entry->signature.only_gcc)
            corpus->both[corpus->both_count++] = &entry->signature;
        corpus->gcc[corpus->gcc_count++] = &entry->signature;
    }
}

static void
add_rows(struct corpus *corpus)
{
    for (size_t i = 0; i < corpus_row_count; i++) {
        const struct corpus_row *row = &corpus_rows[i];
        const frt_descriptor *descriptor;

        if (corpus_descriptor(&descriptor, row->prototype, row->variadic,
                              corpus->model) != FRT_OK)
            die(row->prototype);
        add_variants(corpus, row->id, descriptor, row->only_gcc,
                     row->may_be_refused);
        frt_descriptor_drop(descriptor);
    }
}

static const frt_layout *
layout_of(const struct corpus *corpus, const struct corpus_layout *row)
{
    const frt_parse_options options = {.size = sizeof options,
                                       .model = corpus->model};
    char text[1024];
    const frt_layout *layout;

    if (row->pack != 0)
        snprintf(text, sizeof text, "#pragma pack(%zu)\n%s", row->pack,
                 row->type);
    else
        snprintf(text, sizeof text, "%s", row->type);
    if (frt_layout_parse(&layout, text, &options) != FRT_OK)
        die(row->type);
    return layout;
}

/* Each layout is passed and returned by value, too. */
static void
add_layouts(struct corpus *corpus)
{
    for (size_t i = 0; i < corpus_layout_count; i++) {
        const frt_layout *layout = layout_of(corpus, &corpus_layouts[i]);
        const frt_descriptor *descriptor;

        if (frt_descriptor_of(&descriptor, layout, &layout, 1) != FRT_OK)
            die(corpus_layouts[i].type);
        /* clang does not count the unnamed one */
        add_variants(corpus, corpus_layouts[i].id, descriptor,
                     strstr(corpus_layouts[i].type, "int : 5") != NULL, true);
        frt_descriptor_drop(descriptor);
        frt_layout_drop(layout);
    }
}

/* -------------------------------------------------------------- sources */

static void
plan_batches(struct corpus *corpus)
{
    for (unsigned cell = 0; cell < BATCH_CELLS; cell++) {
        bool is_gcc = cell < 2;

        if (!is_gcc && !batch_has_clang())
            break;
        corpus->batches[corpus->batch_count] = (struct batch){
            .index = (unsigned)corpus->batch_count,
            .cell = cell,
            .control_cell = is_gcc ? 1 - cell : BATCH_CELLS - 1 - cell,
            .signatures = is_gcc ? corpus->gcc : corpus->both,
            .count = is_gcc ? corpus->gcc_count : corpus->both_count};
        corpus->batch_count++;
    }
}

static bool
is_aarch64(void)
{
    return strcmp(frt_model_name(frt_model_native()), "aarch64") == 0;
}

static size_t
wanted_size(const struct corpus_layout *row)
{
    return is_aarch64() && row->aarch64_size != 0 ? row->aarch64_size
                                                  : row->size;
}

static size_t
wanted_alignment(const struct corpus_layout *row)
{
    return is_aarch64() && row->aarch64_size != 0 ? row->aarch64_alignment
                                                  : row->alignment;
}

static void
write_sources(const struct corpus *corpus)
{
    for (size_t i = 0; i < corpus->batch_count; i++)
        batch_write(corpus->folder, &corpus->batches[i]);
    batch_write_ninja(corpus->folder, corpus->batches, corpus->batch_count,
                      FRT_ABI_ROOT);
    for (size_t i = 0; i < corpus->batch_count; i++)
        batch_add_source(corpus->folder, "special",
                         FRT_ABI_ROOT "/test/abi/corpus_callee.c",
                         &corpus->batches[i]);
}

/* -------------------------------------------------------------- tests */

static void
test_layouts(struct corpus *corpus)
{
    for (size_t i = 0; i < corpus_layout_count; i++) {
        const struct corpus_layout *row = &corpus_layouts[i];
        const frt_layout *layout = layout_of(corpus, row);
        frt_place place = {.offset = row->offset};
        char sentence[TRIAL_SENTENCE] = "";

        if (row->member != NULL &&
            frt_layout_find(&place, layout, row->member) != FRT_OK)
            die(row->type);
        if (frt_layout_size(layout) != wanted_size(row) ||
            frt_layout_alignment(layout) != wanted_alignment(row) ||
            place.offset != row->offset)
            snprintf(sentence, sizeof sentence,
                     "size %zu, alignment %zu, member at %zu",
                     frt_layout_size(layout), frt_layout_alignment(layout),
                     place.offset);
        corpus->tests++;
        corpus->failures += *sentence != '\0';
        printf("%sok %zu - %s %s\n", *sentence == '\0' ? "" : "not ",
               corpus->tests, row->id, row->type);
        if (*sentence != '\0')
            printf("#   %s\n", sentence);
        frt_layout_drop(layout);
    }
}

static void
test_signature(struct corpus *corpus, const struct trial *trial,
               const struct batch *batch)
{
    const struct entry *entry = &corpus->entries[trial->signature->number];
    char sentence[TRIAL_SENTENCE] = "";
    enum verdict verdict = trial_run(sentence, trial);
    char *what;
    size_t size;
    FILE *file = open_memstream(&what, &size);

    text_prototype(file, trial->signature);
    fclose(file);
    tell(corpus,
         verdict == VERDICT_RIGHT ||
             (verdict == VERDICT_REFUSED && entry->may_be_refused),
         entry->id, what, batch->cell, sentence);
    free(what);
}

static void
test_batch(struct corpus *corpus, const struct batch *batch)
{
    struct batch_objects objects;
    struct trial trial = {.seed = 1, .backend = corpus->backend};
    void *special = batch_load_object(corpus->folder, batch->index, "special");

    batch_load(&objects, corpus->folder, batch);
    trial.callee_state = batch_symbol(objects.callee, "callee_state");
    trial.control_state = batch_symbol(objects.control, "callee_state");
    for (size_t i = 0; i < batch->count; i++) {
        uint32_t number = batch->signatures[i]->number;

        trial.signature = batch->signatures[i];
        trial.callee = batch_symbol(objects.callee, "f%u", number);
        trial.control =
            (void (*)(void *))batch_symbol(objects.control, "c%u", number);
        test_signature(corpus, &trial, batch);
    }
    for (size_t i = 0; i < corpus_special_count; i++) {
        char sentence[TRIAL_SENTENCE] = "";
        bool is_right =
            corpus_specials[i].run(sentence, special, corpus->backend);

        tell(corpus, is_right, corpus_specials[i].id, corpus_specials[i].what,
             batch->cell, sentence);
    }
    batch_unload(&objects);
}

static void
usage(void)
{
    fputs("usage: corpus [--backend auto|libffi|stub] [--target MODEL]\n"
          "              [--only write|compile|call] FOLDER\n",
          stderr);
    exit(2);
}

static void
take_option(struct corpus *corpus, const char *name, const char *value)
{
    if (strcmp(name, "--backend") == 0) {
        if (!trial_backend_of(&corpus->backend, value))
            usage();
    } else if (strcmp(name, "--target") == 0) {
        if (frt_model_find(&corpus->model, value) != FRT_OK)
            usage();
    } else if (strcmp(name, "--only") == 0) {
        corpus->is_writing = strcmp(value, "write") == 0;
        corpus->is_compiling = strcmp(value, "compile") == 0;
        corpus->is_calling = strcmp(value, "call") == 0;
    } else {
        usage();
    }
}

static void
test_all(struct corpus *corpus)
{
    trial_set_up();
    test_layouts(corpus);
    for (size_t i = 0; i < corpus->batch_count; i++)
        test_batch(corpus, &corpus->batches[i]);
    printf("1..%zu\n", corpus->tests);
}

int
main(int count, char **arguments)
{
    static struct corpus corpus = {
        .is_writing = true, .is_compiling = true, .is_calling = true};
    int i = 1;

    corpus.model = frt_model_native();
    for (; i + 1 < count; i += 2)
        take_option(&corpus, arguments[i], arguments[i + 1]);
    if (i + 1 != count)
        usage();
    corpus.folder = arguments[i];
    add_rows(&corpus);
    add_layouts(&corpus);
    plan_batches(&corpus);
    if (corpus.is_writing)
        write_sources(&corpus);
    if (corpus.is_compiling && !batch_compile(corpus.folder))
        return 1;
    if (corpus.is_calling)
        test_all(&corpus);
    for (size_t e = 0; e < corpus.entry_count; e++)
        signature_free(&corpus.entries[e].signature);
    return corpus.failures == 0 ? 0 : 1;
}
