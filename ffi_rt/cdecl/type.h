/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A C type while a text is parsed: its layout and what a layout does not say.
 *
 * A function type gets its layout only when something points to it, because
 * the function that a text declares takes its pointers in another way than one
 * that is pointed to.
 */
#ifndef FRTI_CDECL_TYPE_H
#define FRTI_CDECL_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ffi_rt/ffi_rt.h"

struct frti_binding;
struct frti_function;
struct frti_name;
struct frti_parser;

struct frti_type {
    const frt_layout *layout;             /* NULL: a function type */
    const struct frti_function *function; /* NULL: another type */
    struct frti_binding *tag; /* of a struct or union that was incomplete, or
                                 of the pointee; NULL: none */
    uint64_t least : 61;      /* n of a parameter's `[static n]`, or 0 */
    bool is_const : 1;        /* of an array: its elements are */
    bool is_code : 1;         /* a pointer to a function, kept as void * */
    bool is_va_list : 1;      /* or the pointer that a parameter makes of it */
};

#define FRTI_LEAST_LIMIT (UINT64_MAX >> 3)

_Static_assert(sizeof(struct frti_type) == 3 * sizeof(void *) + 8,
               "many of them are kept");

struct frti_parameter {
    struct frti_parameter *next;
    struct frti_name *name; /* NULL: none */
    struct frti_type type;  /* adjusted: no array, no function */
    size_t position;
};

struct frti_function {
    struct frti_type result;
    struct frti_parameter *parameters;
    size_t count;
    bool is_variadic;
    bool is_unspecified; /* `()`, which agrees with any parameters */
    struct frt_prototype *prototype; /* of one declared in a set, once it was
                                        asked for */
};

/* Each of these makes a type, or fails at `position` and returns false. */
bool frti_type_value(struct frti_parser *parser, struct frti_type *out,
                     frt_kind kind, size_t position);
bool frti_type_pointer(struct frti_parser *parser, struct frti_type *out,
                       const struct frti_type *pointee, size_t position);
/* FRT_FLEXIBLE as count: of unknown length. */
bool frti_type_array(struct frti_parser *parser, struct frti_type *out,
                     const struct frti_type *element, size_t count,
                     size_t position);
bool frti_type_function(struct frti_parser *parser, struct frti_type *out,
                        struct frti_function *function,
                        const struct frti_type *result, size_t position);
/* As a parameter of that type is passed, C11 6.7.6.3 paragraphs 7 and 8. */
bool frti_type_adjust(struct frti_parser *parser, struct frti_type *type,
                      size_t position);
bool frti_type_align(struct frti_parser *parser, struct frti_type *type,
                     size_t alignment, size_t position);
/* _Atomic */
bool frti_type_atomic(struct frti_parser *parser, struct frti_type *type,
                      size_t position);
/* Two of `type`, a float, as a complex number. */
bool frti_type_complex(struct frti_parser *parser, struct frti_type *type,
                       size_t position);
/* `bytes` of `type` as a GNU vector. */
bool frti_type_vector(struct frti_parser *parser, struct frti_type *type,
                      size_t bytes, size_t position);
/* A type that was named while its struct was incomplete, as it is now. */
bool frti_type_refresh(struct frti_parser *parser, struct frti_type *type,
                       size_t position);

/* Completeness as C has it; false for functions and void. */
bool frti_type_is_complete(const struct frti_type *type);

/* What a message calls it. Writes at most `size` bytes; returns `buffer`. */
const char *frti_type_text(char *buffer, size_t size,
                           const struct frti_type *type);

/* A function type as a name of the file's scope can have it: *type then lasts
 * as long as the names do. */
bool frti_type_last(struct frti_parser *parser, struct frti_type *type);

/* Of a type that lasts: its prototype is to be made anew. */
void frti_type_forget_prototype(struct frti_type *type);

/* The function as it is called: its pointers are segments unless `is_raw`.
 * The caller owns *out. */
bool frti_function_descriptor(struct frti_parser *parser,
                              const frt_descriptor **out,
                              const struct frti_function *function, bool is_raw,
                              size_t position);

#endif
