/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Clean C of a passage: as the header has it, without what only compilers want
 * (attributes that change no layout, bodies, values, other spellings of
 * keywords, underscores that keep parameters out of a user's way).
 */
#ifndef FRTI_CLI_CLEAN_H
#define FRTI_CLI_CLEAN_H

#include <stdio.h>

#include "ffi_rt/cli/passage.h"

/* The lexemes that stay. Their text need not be of the passage. */
struct frti_clean {
    struct frti_lexeme *list;
    size_t count;
    size_t capacity;
};

void frti_clean_add(struct frti_clean *out, const struct frti_lexeme *lexeme);
/* Adds those of a passage. */
void frti_clean_passage(struct frti_clean *out,
                        const struct frti_passages *passages,
                        const struct frti_passage *passage);

/* On lines of up to 80 columns, where that can be done. */
void frti_clean_print(FILE *file, const struct frti_clean *clean);

#endif
