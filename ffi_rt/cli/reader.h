/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Reading a value: what value_read.c, read_number.c and read_pointer.c share.
 *
 * Each reads what begins at `reader->at` and leaves that behind it. False: the
 * reason has been given. A word is what stands up to the end of the text, or
 * within braces up to the next ',' or '}' or ']'.
 */
#ifndef FRTI_CLI_READER_H
#define FRTI_CLI_READER_H

#include "ffi_rt/cli/value.h"

void frti_reader_skip_space(struct frti_reader *reader);
/* Behind the quote that closes the one at `at`; NULL: none does. */
const char *frti_reader_after_quote(const char *at);
const char *frti_reader_word_end(const struct frti_reader *reader);
size_t frti_reader_word(const struct frti_reader *reader); /* its length */
bool frti_reader_is_word(const struct frti_reader *reader, const char *word);

/* "'pear' is <reason>", and a reason of its own. Both return false. */
bool frti_reader_refuse(struct frti_reader *reader, const char *reason);
bool frti_reader_fail(struct frti_reader *reader, const char *reason);

bool frti_reader_allocate(struct frti_reader *reader, frt_segment *out,
                          const frt_layout *layout, size_t count);

bool frti_read_integer(struct frti_reader *reader, const frt_layout *layout,
                       void *place);
/* Into the aggregate of `size` bytes at `memory`. */
bool frti_read_bits(struct frti_reader *reader, const frt_place *place,
                    void *memory, size_t size);
bool frti_read_float(struct frti_reader *reader, frt_kind kind, void *place);
/* 1+2i; `size` is that of one part. */
bool frti_read_complex(struct frti_reader *reader, frt_kind kind, size_t size,
                       char *place);

/* What a pointer of `layout` points to. */
bool frti_read_address(struct frti_reader *reader, const frt_layout *layout,
                       frt_segment *out);
/* A string: a copy with its NUL. */
bool frti_read_string(struct frti_reader *reader, frt_segment *out);
/* A string into an array of `count` characters. */
bool frti_read_characters(struct frti_reader *reader, size_t count, char *out);
bool frti_layout_is_character(const frt_layout *layout);

bool frti_read_value(struct frti_reader *reader, const frt_layout *layout,
                     void *place);
/* `{1, 2}` or `[1, 2]` */
bool frti_read_elements(struct frti_reader *reader, const frt_layout *element,
                        size_t count, void *memory);

#endif
