/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Questions: which there are, and the C program that answers them. */
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/cli/doctor.h"
#include "ffi_rt/cli/import.h"

/* Larger ones would not fit onto every stack. */
#define ASK_LARGEST_TRIP 65536

static struct frti_question *
questions_add(struct frti_questions *questions, enum frti_question_kind kind,
              const char *type, const frt_layout *layout)
{
    struct frti_question *question;

    if (questions->count == questions->capacity) {
        size_t capacity = questions->capacity * 2 + 64;
        struct frti_question *list =
            frti_import_allocate(capacity * sizeof *list);

        if (questions->count > 0)
            memcpy(list, questions->list, questions->count * sizeof *list);
        free(questions->list);
        questions->list = list;
        questions->capacity = capacity;
    }
    question = &questions->list[questions->count++];
    *question = (struct frti_question){.kind = kind, .layout = layout};
    question->type = frti_import_allocate(strlen(type) + 1);
    strcpy(question->type, type);
    return question;
}

static bool
layout_is_aggregate(const frt_layout *layout)
{
    return frt_layout_kind(layout) == FRT_KIND_STRUCT ||
           frt_layout_kind(layout) == FRT_KIND_UNION;
}

/* The member at `place`, whose offset counts from the type's beginning. */
static void
questions_add_member(struct frti_questions *questions, const char *type,
                     const frt_layout *layout, const char *path,
                     const frt_place *place)
{
    bool is_field = frt_layout_kind(place->layout) == FRT_KIND_BIT_FIELD;
    struct frti_question *question = questions_add(
        questions, is_field ? FRTI_QUESTION_BITS : FRTI_QUESTION_OFFSET, type,
        layout);

    question->path = frti_import_allocate(strlen(path) + 1);
    strcpy(question->path, path);
    question->place = *place;
    question->ours = place->offset;
}

/* A struct without a tag has no other name than the path to it. */
static void
questions_add_members(struct frti_questions *questions, const char *type,
                      const frt_layout *whole, const frt_layout *layout,
                      size_t offset, const char *path)
{
    for (size_t i = 0; i < frt_layout_count(layout); i++) {
        frt_place place;
        char *inner;
        size_t size;

        if (frt_layout_member(&place, layout, i) != FRT_OK)
            return;
        place.offset += offset;
        size = strlen(path) + 2 + (place.name == NULL ? 0 : strlen(place.name));
        inner = frti_import_allocate(size);
        snprintf(inner, size, "%s%s%s", path,
                 place.name == NULL || path[0] == '\0' ? "" : ".",
                 place.name == NULL ? "" : place.name);
        if (place.name != NULL)
            questions_add_member(questions, type, whole, inner, &place);
        if (layout_is_aggregate(place.layout) &&
            (place.name == NULL || frt_layout_tag(place.layout) == NULL))
            questions_add_members(questions, type, whole, place.layout,
                                  place.offset, inner);
        free(inner);
    }
}

static void
questions_add_type(struct frti_questions *questions, const char *type,
                   const frt_layout *layout)
{
    questions->types++;
    questions_add(questions, FRTI_QUESTION_SIZE, type, layout)->ours =
        frt_layout_size(layout);
    questions_add(questions, FRTI_QUESTION_ALIGNMENT, type, layout)->ours =
        frt_layout_alignment(layout);
    if (!layout_is_aggregate(layout))
        return;
    questions_add_members(questions, type, layout, layout, 0, "");
    if (frt_layout_size(layout) <= ASK_LARGEST_TRIP)
        questions_add(questions, FRTI_QUESTION_TRIP, type, layout);
}

void
frti_questions_make(struct frti_questions *out, frt_decls *decls)
{
    static const char *const words[] = {[FRT_DECLARED_TYPEDEF] = "",
                                        [FRT_DECLARED_STRUCT] = "struct ",
                                        [FRT_DECLARED_UNION] = "union ",
                                        [FRT_DECLARED_ENUM] = "enum "};

    *out = (struct frti_questions){.count = 0};
    for (size_t i = 0; i < frt_decls_count(decls); i++) {
        frt_declaration declaration;
        char *type;
        size_t size;

        if (frt_decls_at(&declaration, decls, i) != FRT_OK ||
            declaration.what > FRT_DECLARED_ENUM ||
            declaration.layout == NULL ||
            !frt_layout_is_complete(declaration.layout) ||
            (declaration.what == FRT_DECLARED_ENUM && declaration.bits == 0))
            continue;
        size = strlen(declaration.name) + 8;
        type = frti_import_allocate(size);
        snprintf(type, size, "%s%s", words[declaration.what], declaration.name);
        questions_add_type(out, type, declaration.layout);
        free(type);
    }
}

void
frti_questions_free(struct frti_questions *questions)
{
    for (size_t i = 0; i < questions->count; i++) {
        free(questions->list[i].type);
        free(questions->list[i].path);
    }
    free(questions->list);
}

/* ------------------------------------------------------------- program --- */

static void
question_write(FILE *file, const struct frti_question *question, size_t number)
{
    const char *type = question->type;

    if (question->kind == FRTI_QUESTION_BITS)
        fprintf(file,
                FRTI_SHOWN "const %s " FRTI_ANSWER_NAME " = { .%s = -1 };\n",
                type, number, question->path);
    else if (question->kind == FRTI_QUESTION_TRIP)
        fprintf(file,
                FRTI_SHOWN "%s " FRTI_ANSWER_NAME "(long before, %s it, double "
                           "after)\n"
                           "{\n"
                           "    " FRTI_ANSWER_HEARD
                           " = before == %ldL && after == %g;\n"
                           "    return it;\n"
                           "}\n",
                type, number, type, FRTI_TRIP_BEFORE, FRTI_TRIP_AFTER);
}

static void
number_write(FILE *file, const struct frti_question *question)
{
    if (question->kind == FRTI_QUESTION_SIZE)
        fprintf(file, "    sizeof(%s),\n", question->type);
    else if (question->kind == FRTI_QUESTION_ALIGNMENT)
        fprintf(file, "    __alignof__(%s),\n", question->type);
    else if (question->kind == FRTI_QUESTION_OFFSET)
        fprintf(file, "    __builtin_offsetof(%s, %s),\n", question->type,
                question->path);
    else
        fprintf(file, "    0,\n");
}

void
frti_questions_write(FILE *file, const struct frti_questions *questions)
{
    fprintf(file,
            FRTI_SHOWN "const unsigned long " FRTI_ANSWER_TABLE "[] = {\n");
    for (size_t i = 0; i < questions->count; i++)
        number_write(file, &questions->list[i]);
    fprintf(file, "    0};\n" FRTI_SHOWN "int " FRTI_ANSWER_HEARD ";\n");
    for (size_t i = 0; i < questions->count; i++)
        question_write(file, &questions->list[i], i);
}
