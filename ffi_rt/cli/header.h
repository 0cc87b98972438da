/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Headers as they lie on the disk: the installed compiler preprocesses them,
 * with -dD for their macros, and the library reads the rest.
 */
#ifndef FRTI_CLI_HEADER_H
#define FRTI_CLI_HEADER_H

#include "ffi_rt/cli/compiler.h"
#include "ffi_rt/ffi_rt.h"

struct frti_header_request {
    const char **headers; /* paths, or names for `#include <...>` */
    size_t header_count;
    const char *text;     /* declarations after them; NULL: none */
    bool is_text_alone;   /* the headers are for the compiler */
    const char **options; /* -I and -D as the compiler takes them */
    size_t option_count;
    const frt_model *model; /* NULL: the native one */
    bool wants_constants;   /* macros, too */
};

/* An option or its value was taken at *at: -I DIR, -IDIR, -D NAME, and
 * --header NAME if `takes_header`. False: it is another. */
bool frti_header_option(struct frti_header_request *request, int count,
                        char **arguments, int *at, bool takes_header);

/* It is an option that takes a value, which may be the next word. */
bool frti_header_wants_value(const char *word, bool takes_header);

/* Room for as many of each as there are words on the command line. False: out
 * of memory, which has been said. */
bool frti_header_begin(struct frti_header_request *request, int count);
void frti_header_end(struct frti_header_request *request);

/* The declarations of all headers of the request, and in *text (if it is not
 * NULL, malloc) what the preprocessor made of them. False: that failed, and
 * why has been said. */
bool frti_header_read(frt_decls **out, char **text,
                      const struct frti_header_request *request);

#endif
