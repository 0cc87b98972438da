/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * `ffi-rt import`: what was found in headers, and which of it is wanted.
 */
#ifndef FRTI_CLI_IMPORT_H
#define FRTI_CLI_IMPORT_H

#include <stdio.h>

#include "ffi_rt/cli/header.h"
#include "ffi_rt/cli/text.h"

enum frti_import_form { FRTI_IMPORT_C, FRTI_IMPORT_JSON, FRTI_IMPORT_LUA };

struct frti_import {
    struct frti_header_request headers;
    enum frti_import_form form;
    const char **filters; /* globs of names; one must fit, if there are any */
    size_t filter_count;
    const char **files; /* of --only */
    size_t file_count;
    const char *library; /* of --lib; NULL: none */
    frt_decls *decls;
};

bool frti_import_wants(const struct frti_import *import,
                       const frt_declaration *declaration);

struct frti_passages;

/* In the order of the text, and macros after it. */
void frti_import_print_c(FILE *file, const struct frti_import *import,
                         struct frti_passages *passages);
void frti_import_print_json(const struct frti_import *import);
void frti_import_print_lua(const struct frti_import *import,
                           struct frti_passages *passages);

/* What C and Lua share: all but macros, and the next wanted macro from the
 * entry *at on. */
void frti_import_print_passages(FILE *file, struct frti_passages *passages);
bool frti_import_next_macro(const struct frti_import *import,
                            const struct frti_passages *passages, size_t *at,
                            const frt_declaration **out);

/* With a point or an exponent, and so many digits as the kind needs to be read
 * back the same; inf, nan. */
void frti_import_say_real(struct frti_text *text, long double number,
                          frt_kind kind);

/* Room for `size` bytes, zeroed, and `memory` with room for so many. Without
 * memory the process ends. */
void *frti_import_allocate(size_t size);
void *frti_import_enlarge(void *memory, size_t size);
/* The process ends with the library's last sentence. */
_Noreturn void frti_import_fail(void);

#endif
