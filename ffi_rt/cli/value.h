/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Values as people write them: text into the memory of a layout, and memory of
 * a layout as text.
 *
 *   value      = number | 'c' | true | false | string | null | 0xADDRESS
 *              | ":print" | ":compare" [type]
 *              | "{" [item {"," item}] "}" | "@" [ "[" [count] "]" ] [value]
 *   item       = [member "="] value
 *
 * What is printed for a value reads back as the same value, pointers to other
 * things than strings aside.
 */
#ifndef FRTI_CLI_VALUE_H
#define FRTI_CLI_VALUE_H

#include "ffi_rt/cli/text.h"
#include "ffi_rt/ffi_rt.h"

/* What an argument that begins with @ points to. */
struct frti_pointee {
    const frt_layout *layout; /* NULL: there is none */
    void *address;
    size_t count;
    bool is_list; /* shown as an array, even of one */
};

/* An argument being read. */
struct frti_reader {
    const char *at;              /* what is left of the text */
    frt_arena arena;             /* for strings and pointees */
    unsigned depth;              /* braces that are open */
    struct frti_pointee pointee; /* of the argument itself */
    struct frti_text where;      /* the member, as ".pos.x" or "[2]" */
    struct frti_text reason;     /* why it failed */
    char where_bytes[256];
    char reason_bytes[1024];
};

void frti_reader_begin(struct frti_reader *reader, frt_arena arena,
                       const char *text);

/* All of the text as an argument of `layout`. `place` is zeroed memory of its
 * size (a frt_segment for a segment). False: `where` and `reason` say why,
 * to stand after a word for the argument. */
bool frti_argument_read(struct frti_reader *reader, const frt_layout *layout,
                        void *place);

/* The layout that text in place of a `...` asks for: int, long long, unsigned
 * long long, double, or a pointer (null or a string). Not counted. NULL: an
 * integer that none of them holds. */
const frt_layout *frti_argument_guess(const char *text);
bool frti_argument_read_variadic(struct frti_reader *reader,
                                 const frt_layout *layout, void *place);

/* A value of `layout` at `place`; a pointer's size of memory for a segment. */
void frti_value_print(struct frti_text *text, const frt_layout *layout,
                      const void *place, bool is_json);
void frti_pointee_print(struct frti_text *text,
                        const struct frti_pointee *pointee, bool is_json);

#endif
