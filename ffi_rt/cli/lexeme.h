/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The lexemes of a preprocessed text, and the file and line of each.
 *
 * Only what tells where declarations begin and end is known of C here: the text
 * has been read by the library before.
 */
#ifndef FRTI_CLI_LEXEME_H
#define FRTI_CLI_LEXEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum frti_lexeme_kind {
    FRTI_LEXEME_WORD,
    FRTI_LEXEME_NUMBER,
    FRTI_LEXEME_QUOTED, /* a string or character */
    FRTI_LEXEME_SIGN,
    FRTI_LEXEME_PACK /* a line `#pragma pack...` */
};

struct frti_lexeme {
    const char *text;
    uint32_t length;
    uint32_t line;
    uint32_t file; /* index in the files */
    enum frti_lexeme_kind kind;
};

/* A name in a line marker: a part of the text. */
struct frti_file {
    const char *name;
    size_t length;
};

struct frti_lexemes {
    struct frti_lexeme *list;
    size_t count;
    struct frti_file *files; /* each once */
    size_t file_count;
};

/* The text has to outlive the lexemes. */
void frti_lexemes_read(struct frti_lexemes *out, const char *text);
void frti_lexemes_free(struct frti_lexemes *tokens);

bool frti_lexeme_is(const struct frti_lexeme *token, const char *text);

#endif
