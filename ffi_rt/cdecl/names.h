/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The names of one text and what they mean, by C11 6.2.1 and 6.2.3: scopes
 * (the file, then one for each parameter list) and name spaces (ordinary
 * names, tags; members are their struct's own).
 *
 * Each spelling is one frti_name, so that names compare as pointers. A name
 * points to its innermost binding, which remembers the one that it hides;
 * leaving a scope undoes the bindings made in it, newest first.
 */
#ifndef FRTI_CDECL_NAMES_H
#define FRTI_CDECL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ffi_rt/cdecl/source.h"
#include "ffi_rt/cdecl/store.h"
#include "ffi_rt/cdecl/type.h"

enum frti_binding_kind {
    FRTI_BINDING_TYPEDEF,
    FRTI_BINDING_CONSTANT, /* of an enum */
    FRTI_BINDING_OBJECT,   /* a variable, parameter or function */
    FRTI_BINDING_STRUCT,
    FRTI_BINDING_UNION,
    FRTI_BINDING_ENUM
};

struct frti_binding {
    enum frti_binding_kind kind : 4;
    unsigned is_open : 1;   /* a tag between its braces */
    unsigned is_static : 1; /* an object */
    unsigned scope : 26;    /* a text has no more bytes */
    union {
        uint32_t line;     /* in the file */
        uint32_t position; /* in the present text, if that made it */
    };
    struct frti_type type;
    union {
        uint64_t bits;           /* of an integer constant; of an enum's tag:
                                    it is defined */
        const long double *real; /* of a floating constant */
        const char *text;        /* of a string */
        const char *label;       /* asm("label") of an object; NULL: none */
    };
    const char *file; /* NULL: made by the present text */
    struct frti_name *name;
    const struct frti_name *enumeration; /* whose constant it is; NULL: none */
    struct frti_binding *hidden;         /* what the name meant before */
    struct frti_binding *earlier;        /* the one bound before this */
};

_Static_assert(sizeof(struct frti_binding) == 8 * sizeof(void *) + 24,
               "many of them are kept");

struct frti_name {
    struct frti_name *next; /* in its bucket */
    struct frti_binding *ordinary;
    struct frti_binding *tag;
    uint32_t last_aggregate; /* number of the last one with such a member */
    uint32_t hash;
    uint32_t length;
    uint16_t keyword; /* FRTI_TOKEN_NAME: none */
    char text[];
};

struct frti_names {
    struct frti_source *source; /* for failures */
    struct frti_store *store;
    struct frti_name **buckets; /* two names in one, or fewer */
    size_t bucket_count;        /* 0 or a power of two */
    size_t count;
    unsigned scope; /* 0: the file's */
    struct frti_binding *newest;
    struct frti_binding *spare; /* to be used again, by `hidden` */
};

void frti_names_init(struct frti_names *names, struct frti_source *source,
                     struct frti_store *store);
void frti_names_fini(struct frti_names *names);

/* NULL: no memory, and the source has the failure. */
struct frti_name *frti_name_of(struct frti_names *names, const char *text,
                               size_t length);

/* NULL: no text has it. Nothing is changed. */
struct frti_name *frti_name_find(const struct frti_names *names,
                                 const char *text, size_t length);

void frti_scope_enter(struct frti_names *names);
void frti_scope_leave(struct frti_names *names);

/* Binds `name` in the present scope to what *like says (kind, type, bits,
 * position); NULL: no memory. */
struct frti_binding *frti_bind(struct frti_names *names, struct frti_name *name,
                               const struct frti_binding *like);

/* Undoes all bindings made after `newest`, whatever their scope. */
void frti_unbind(struct frti_names *names, const struct frti_binding *newest);

bool frti_binding_is_tag(enum frti_binding_kind kind);

#endif
