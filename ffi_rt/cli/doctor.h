/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * `ffi-rt doctor`: what the library says of types, as questions to a compiler.
 *
 * The program that asks is the declarations' own text, a table of numbers (a
 * question each), an object for each bit-field, in which it alone is set, and a
 * function for each aggregate, which gives back its argument.
 */
#ifndef FRTI_CLI_DOCTOR_H
#define FRTI_CLI_DOCTOR_H

#include <stdio.h>

#include "ffi_rt/cli/isolate.h"
#include "ffi_rt/ffi_rt.h"

enum frti_question_kind {
    FRTI_QUESTION_SIZE,
    FRTI_QUESTION_ALIGNMENT,
    FRTI_QUESTION_OFFSET,
    FRTI_QUESTION_BITS,
    FRTI_QUESTION_TRIP
};

struct frti_question {
    enum frti_question_kind kind;
    char *type;               /* `struct point`, or a typedef's name */
    char *path;               /* of a member; NULL: none */
    const frt_layout *layout; /* of the type */
    frt_place place;          /* of the member */
    size_t ours;
    bool is_vain; /* a round trip of a type that differs: it would not arrive */
};

struct frti_questions {
    struct frti_question *list;
    size_t count;
    size_t capacity;
    size_t types;
};

/* All that can be asked about what is declared. */
void frti_questions_make(struct frti_questions *out, frt_decls *decls);
void frti_questions_free(struct frti_questions *questions);

void frti_questions_write(FILE *file, const struct frti_questions *questions);

/* The answers of the compiled program. A crash is a difference. */
struct frti_diagnosis {
    size_t differences; /* each has been printed */
    size_t trips;
    size_t refused; /* aggregates that the library does not pass by value */
    size_t next;    /* question of which no round trip was tried */
};
/* Without the round trips. False: it failed, which has been said. */
bool frti_questions_compare(struct frti_diagnosis *out,
                            struct frti_questions *questions,
                            frt_library library);

/* The round trips from the next one on, a task: where the library is wrong, a
 * call may crash. */
struct frti_trips {
    const struct frti_questions *questions;
    frt_library library;
    struct frti_diagnosis *diagnosis; /* shared with the task's process */
};
int frti_trips_perform(struct frti_exchange *exchange, void *context);

/* The name of the answer to a question that has one of its own. */
#define FRTI_ANSWER_NAME "frt_doctor_%zu"
#define FRTI_ANSWER_TABLE "frt_doctor_numbers"
#define FRTI_SHOWN "__attribute__((visibility(\"default\"))) "

/* An int that says that what stood beside the last argument arrived. */
#define FRTI_ANSWER_HEARD "frt_doctor_heard"

/* What the function of a round trip gets beside its argument. */
#define FRTI_TRIP_BEFORE 123456789L
#define FRTI_TRIP_AFTER 2.5

#endif
