/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * One text: its bytes without line splices, and what is said of a place in it.
 *
 * A position is an offset into the spliced bytes; messages speak of lines and
 * columns of the text as it was given, or of the file that its line markers
 * (`# 12 "file.h"`) name. A column counts characters from 1.
 * The first failure is kept: `status` is FRT_OK until then.
 */
#ifndef FRTI_CDECL_SOURCE_H
#define FRTI_CDECL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ffi_rt/base/status.h"

#define FRTI_SOURCE_LIMIT ((size_t)64 << 20)

struct frti_splice {
    size_t at;       /* position of the first byte after the splice */
    size_t original; /* offset of that byte in the text as given */
};

/* What follows is from a line of a file. */
struct frti_marker {
    size_t original;  /* offset of the first byte after the marker's line */
    size_t line_ends; /* in the text before it */
    size_t line;      /* number of that first line in the file */
    const char *file; /* in the text, without its quotes */
    size_t file_length;
};

struct frti_source {
    const char *original;
    size_t original_length;
    const char *text; /* spliced: `original`, or a copy */
    size_t length;
    size_t copy_bytes; /* 0: no copy */
    struct frti_splice *splices;
    size_t splice_count;
    const char *origin; /* where the text is from; NULL: it has no name */
    struct frti_marker *markers;
    size_t marker_count;
    size_t marker_capacity;
    frt_status status;
    bool is_trying; /* a failure is none yet: no sentence is kept */
};

/* A false result left `status` and the detail. */
bool frti_source_init(struct frti_source *source, const char *text,
                      const char *origin);
void frti_source_fini(struct frti_source *source);

/* Both fail with the sentence, its position, the line and a caret; they return
 * false for convenience. */
FRTI_COLD bool frti_source_fail(struct frti_source *source, frt_status status,
                                size_t position, const char *sentence);
FRTI_COLD bool frti_source_no_memory(struct frti_source *source, size_t bytes);

/* A line marker ends before `position`, and says what follows. */
bool frti_source_mark(struct frti_source *source, size_t position, size_t line,
                      const char *file, size_t file_length);

struct frti_line_column {
    const char *file;
    size_t file_length; /* 0: it has no name */
    size_t line;
    size_t column;
};
struct frti_line_column frti_source_place(const struct frti_source *source,
                                          size_t position);

/* Lines of many positions, cheap where they are near to each other. A zeroed
 * cursor is at the beginning. */
struct frti_cursor {
    size_t original;
    size_t line_ends;
};
struct frti_line_column frti_source_line(const struct frti_source *source,
                                         struct frti_cursor *cursor,
                                         size_t position);

/* The bytes of the UTF-8 character at `at`, and its code; 0: not UTF-8. */
size_t frti_utf8(uint32_t *code, const char *at);

#endif
