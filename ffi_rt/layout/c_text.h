/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* C text into a buffer that may be too small: its whole length is counted. */
#ifndef FRTI_LAYOUT_C_TEXT_H
#define FRTI_LAYOUT_C_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "ffi_rt/base/compiler.h"

/* A text ends here, in "...": structs without tags can be shared by many
 * others, and their text doubles each time. */
#define FRTI_C_TEXT_LIMIT ((size_t)1 << 20)

struct frti_c_text {
    char *buffer;
    size_t capacity;
    size_t length;
    bool wants_space; /* a word was put last */
};

static inline bool
frti_c_text_is_full(const struct frti_c_text *text)
{
    return text->length >= FRTI_C_TEXT_LIMIT;
}

/* A part of a declarator; a word before it is set apart. */
void frti_c_text_put(struct frti_c_text *text, const char *part);
void frti_c_text_format(struct frti_c_text *text, const char *format, ...)
    FRTI_PRINTF(2, 3);
/* One after which a space is due. */
void frti_c_text_put_word(struct frti_c_text *text, const char *word);
/* One before which no space is due. */
void frti_c_text_end(struct frti_c_text *text, const char *part);

/* Ends the buffer's text; returns the length of the whole. */
size_t frti_c_text_finish(struct frti_c_text *text);

#endif
