/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Text of bounded size, put together piece by piece.
 *
 * Nothing is allocated: a called function may have damaged the heap. Text that
 * does not fit is dropped and `is_full` says so. There is always a NUL.
 */
#ifndef FRTI_CLI_TEXT_H
#define FRTI_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct frti_text {
    char *bytes;
    size_t capacity; /* at least 1 */
    size_t length;   /* below capacity */
    bool is_full;
};

struct frti_text frti_text_in(char *bytes, size_t capacity);
void frti_text_add(struct frti_text *text, const char *bytes, size_t count);
/* Takes back all but the first `length` bytes. */
void frti_text_cut(struct frti_text *text, size_t length);
void frti_text_say(struct frti_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* `bytes` between single quotes, for a sentence: what is long is cut, and what
 * a terminal cannot show is a `?`. */
void frti_text_cite(struct frti_text *text, const char *bytes, size_t count);

/* The length of the UTF-8 sequence that begins here, of `count` bytes at most;
 * 0: it is not one. */
size_t frti_text_sequence(const char *bytes, size_t count);

/* `bytes` between double quotes: escaped as C does, or as JSON does. Valid
 * UTF-8 stays as it is; another byte is \ooo in C, U+FFFD in JSON. */
void frti_text_quote(struct frti_text *text, const char *bytes, size_t count,
                     bool is_json);

/* One character, escaped as C does between `quote`s. */
void frti_text_escape(struct frti_text *text, unsigned char byte, char quote);

#endif
