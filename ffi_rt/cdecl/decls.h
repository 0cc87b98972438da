/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Declaration sets from the inside.
 *
 *   operation      lock    what it changes
 *   add, define    write   bindings and entries, on success alone
 *   parse with it  write   nothing: what the text declares is taken back
 *   find, at       read    nothing
 *   resolve        write   a binding's prototype and type, once
 *
 * Entries are the bindings of the file's scope in the order in which the texts
 * first name them. A binding and what is asked of it stay where they are for as
 * long as the set does.
 */
#ifndef FRTI_CDECL_DECLS_H
#define FRTI_CDECL_DECLS_H

#include <pthread.h>

#include "ffi_rt/cdecl/lasting.h"
#include "ffi_rt/cdecl/prototype.h"

struct frti_parser;

struct frt_decls {
    pthread_rwlock_t lock;
    const frt_model *model;
    bool raw_pointers;
    struct frti_lasting lasting;
    struct frt_prototype *prototypes; /* all that were asked for */
    struct frti_binding **entries;
    size_t count;
    size_t capacity;
};

/* For the parser that has it in `decls`: locks it and makes the lasting state
 * the parser's; goes back to the parser's mark, and unlocks. */
void frti_decls_begin(struct frti_parser *parser);
void frti_decls_end(struct frti_parser *parser);

/* What the parser's text has made stays. */
bool frti_decls_commit(struct frti_parser *parser);

/* The options do not contradict the set in them.   -> BAD_ARGUMENT */
frt_status frti_decls_check(const frt_parse_options *options);

#endif
