/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The parser of one text: what its parts share.
 *
 * Memory: names, what they mean and the layouts that are made are of the
 * lasting state, which is the parser's own or a declaration set's. All else is
 * the store's, and goes before the next declaration. What the caller gets is
 * kept once more, as the last thing.
 * Failure: a function that returns false left the sentence and
 * `source.status`; its caller returns false and nothing else.
 * Recursion goes through frti_enter alone, which bounds it.
 */
#ifndef FRTI_CDECL_PARSER_H
#define FRTI_CDECL_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ffi_rt/cdecl/lasting.h"
#include "ffi_rt/cdecl/lexer.h"
#include "ffi_rt/cdecl/names.h"
#include "ffi_rt/cdecl/source.h"
#include "ffi_rt/cdecl/store.h"
#include "ffi_rt/cdecl/type.h"

/* Brackets within brackets, and `*`, `[]` and `()` of one declarator. */
#define FRTI_DEPTH_LIMIT 200

struct frti_parser {
    struct frti_source source;
    struct frti_store store; /* of one declaration */
    struct frti_lasting *lasting;
    struct frti_names *names;      /* of `lasting` */
    struct frti_lasting own;       /* without a declaration set */
    struct frt_decls *decls;       /* the set, locked; NULL: none */
    struct frti_lasting_mark mark; /* how the set was before */
    struct frti_lexer lexer;
    struct frti_token token; /* the present one */
    struct frti_token ahead; /* the one after it, if `has_ahead` */
    bool has_ahead;
    const frt_model *model;
    size_t depth; /* in half levels */
};

/* Reads the first token. With a set in the options, it is locked, and what the
 * text declares is of it; unless that is committed, frti_parser_fini takes it
 * back. It is due whatever this returns. */
bool frti_parser_init(struct frti_parser *parser, const char *text,
                      const char *origin, const frt_parse_options *options);
void frti_parser_fini(struct frti_parser *parser);

/* To the next token; to it if the present one is `kind`, false if not; the
 * same, but a failure that names what is missing. */
bool frti_next(struct frti_parser *parser);
bool frti_is(const struct frti_parser *parser, int kind);
bool frti_expect(struct frti_parser *parser, int kind, const char *name);
/* The token after the present one. */
bool frti_peek(struct frti_parser *parser, int *kind);
/* Skips the bracket at the present token and all up to its partner. */
bool frti_skip_brackets(struct frti_parser *parser);

/* A place to come back to, where what follows was tried and failed. */
struct frti_place_of_return {
    struct frti_lexer lexer;
    struct frti_token token;
    struct frti_token ahead;
    bool has_ahead;
    size_t depth;
    const struct frti_binding *newest;
};
/* Until frti_tried, a failure leaves no sentence. */
struct frti_place_of_return frti_try(struct frti_parser *parser);
/* Comes back, unless what was tried `is_right`. False: there was no memory. */
bool frti_tried(struct frti_parser *parser,
                const struct frti_place_of_return *place, bool is_right);

/* An operand needs less stack than a type: it costs half a level. */
enum frti_step { FRTI_OPERAND = 1, FRTI_LEVEL = 2 };
bool frti_enter(struct frti_parser *parser, enum frti_step step);
void frti_leave(struct frti_parser *parser, enum frti_step step);

/* FRT_BAD_DECLARATION at a position. */
FRTI_COLD bool frti_refuse(struct frti_parser *parser, size_t position,
                           const char *format, ...) FRTI_PRINTF(3, 4);
/* At the present token: `wanted` is expected, and what stands there. */
FRTI_COLD bool frti_refuse_token(struct frti_parser *parser,
                                 const char *wanted);
/* The token in quotes, between two parts of a sentence. */
FRTI_COLD bool frti_refuse_quoting(struct frti_parser *parser,
                                   const struct frti_token *token,
                                   const char *before, const char *after);
/* The floor below failed with `status` over what stands at `position`. */
FRTI_COLD bool frti_pass_on(struct frti_parser *parser, size_t position,
                            frt_status status);

/* Takes over the reference to `layout` if `status` is FRT_OK, and passes the
 * failure on if not. */
bool frti_take(struct frti_parser *parser, size_t position, frt_status status,
               const frt_layout *layout);
/* Store memory, and that of the lasting state; NULL: the failure is noted. */
void *frti_make(struct frti_parser *parser, size_t size);
void *frti_make_lasting(struct frti_parser *parser, size_t size);
const char *frti_copy_lasting(struct frti_parser *parser, const char *text,
                              size_t length);

/* "3:5", or "file.h:3" of another text: where a binding was made. */
struct frti_where {
    char text[224];
};
const char *frti_where(struct frti_where *out, const struct frti_parser *parser,
                       const struct frti_binding *binding);

/* Before a binding of the file's scope is changed: what an earlier text made
 * is remembered, and it is the present one's from here on. */
bool frti_rebind(struct frti_parser *parser, struct frti_binding *binding,
                 size_t position);

/* ---------------------------------------------------------- literal.c --- */

/* Of a number or character token. A floating constant has `layout` of its
 * type and its value in `real`. */
struct frti_literal {
    const frt_layout *layout;
    uint64_t bits; /* extended to 64 bits by the type's sign */
    long double real;
};
bool frti_literal_read(struct frti_parser *parser, struct frti_literal *out,
                       const struct frti_token *token);
/* `bits` as a value of the integer type `layout`, extended to 64 bits. */
uint64_t frti_wrap(uint64_t bits, const frt_layout *layout);
/* One or more string tokens: their bytes, NUL at the end, in the store. The
 * kind of a character and their number are for `sizeof`. */
bool frti_string_read(struct frti_parser *parser, const char **out,
                      frt_kind *kind, size_t *count);

/* --------------------------------------------------------- constant.c --- */

/* An integer constant expression. */
bool frti_constant(struct frti_parser *parser, struct frti_literal *out);
/* A constant that is at least 0, as the size or number that `what` names. */
bool frti_size_constant(struct frti_parser *parser, size_t *out,
                        const char *what);
/* The same, but *is_constant tells of one that depends on a parameter. */
bool frti_array_length(struct frti_parser *parser, size_t *out,
                       bool *is_constant);
/* The type of an expression, for typeof and the like. */
bool frti_expression_type(struct frti_parser *parser, struct frti_type *out);

/* -------------------------------------------------------- attribute.c --- */

struct frti_attributes {
    bool is_packed;
    size_t alignment; /* 0: none */
    size_t minimum;   /* of _Alignas; 0: none */
    size_t vector;    /* bytes; 0: none */
    size_t elements;  /* of ext_vector_type; 0: none */
    int mode;         /* FRTI_MODE_*; 0: none */
    size_t position;  /* of the last one that is used */
};

/* Zero or more `__attribute__((...))` and `[[...]]`. */
bool frti_attributes(struct frti_parser *parser, struct frti_attributes *add);
/* The parenthesised part of _Alignas, after the word. */
bool frti_alignas(struct frti_parser *parser, struct frti_attributes *add);
/* Those that change the type before a declarator: mode, vector_size. */
bool frti_attributes_base(struct frti_parser *parser, struct frti_type *type,
                          const struct frti_attributes *attributes);
void frti_attributes_merge(struct frti_attributes *into,
                           const struct frti_attributes *from);
bool frti_attributes_typedef(struct frti_parser *parser, struct frti_type *type,
                             const struct frti_attributes *attributes);

/* ------------------------------------------------------- specifiers.c --- */

enum frti_storage {
    FRTI_STORAGE_NONE,
    FRTI_STORAGE_TYPEDEF,
    FRTI_STORAGE_STATIC, /* or constexpr */
    FRTI_STORAGE_OTHER   /* extern, register, ... */
};

struct frti_specifiers {
    struct frti_type type;
    struct frti_attributes attributes;
    enum frti_storage storage;
    bool is_tag_alone; /* a struct, union or enum: may stand without a name */
    bool has_tag;      /* and it is named */
};

bool frti_specifiers(struct frti_parser *parser, struct frti_specifiers *out);
/* The present token, or another, can begin specifiers. */
bool frti_begins_type(const struct frti_parser *parser);
bool frti_token_begins_type(const struct frti_token *token);
/* A type name: specifiers and an abstract declarator. */
bool frti_type_name(struct frti_parser *parser, struct frti_type *out);

/* -------------------------------------------------------- aggregate.c --- */

/* At `struct`, `union` or `enum`. */
bool frti_aggregate(struct frti_parser *parser, struct frti_type *out,
                    bool *has_tag);
/* ------------------------------------------------------------- enum.c --- */
bool frti_enumeration(struct frti_parser *parser, struct frti_type *out,
                      bool *has_tag);

/* ------------------------------------------------------- declarator.c --- */

enum frti_declarator_form {
    FRTI_DECLARATOR_NAMED,     /* a name must stand in it */
    FRTI_DECLARATOR_ABSTRACT,  /* none may */
    FRTI_DECLARATOR_PARAMETER, /* either */
    FRTI_DECLARATOR_EITHER     /* either, but no parameter's `[static n]` */
};

struct frti_declarator {
    struct frti_name *name; /* NULL: none */
    size_t position;        /* of the name, or where it would stand */
    struct frti_type type;
    struct frti_attributes attributes; /* with the specifiers' */
    bool is_plain;                     /* no `*`, `[]` or `()` in it */
};

/* A declarator and the attributes after it, and the type that it makes of
 * `specifiers`. `asm("label")` may stand there if `label` is not NULL. */
bool frti_declarator(struct frti_parser *parser, struct frti_declarator *out,
                     const struct frti_specifiers *specifiers,
                     enum frti_declarator_form form, const char **label);

/* ------------------------------------------------------- declaration.c --- */

/* What the last declaration of a text declares. */
struct frti_declared {
    struct frti_declarator declarator;
    enum frti_storage storage;
    const char *label; /* asm("label"); NULL: none */
    size_t count;      /* of its declarators */
    bool lacks_name;   /* one of them, as in `int *`, */
    size_t unnamed;    /* which stands here */
};

/* The whole text; `last->count` is 0 if it declares nothing. */
bool frti_declarations(struct frti_parser *parser, struct frti_declared *last);
/* All of it has names; the last one of a text may be a type alone. */
bool frti_declared_check(struct frti_parser *parser,
                         const struct frti_declared *declared);
/* `_Static_assert(...)` without its semicolon. */
bool frti_static_assert(struct frti_parser *parser);

/* What an expression that stands alone is: an integer, floating or string
 * constant as a binding of kind CONSTANT. */
bool frti_constant_read(struct frti_parser *parser, struct frti_binding *out);
/* The value of a constant of type out->type, which is arithmetic, a pointer or
 * an array of char without a length. */
bool frti_constant_value(struct frti_parser *parser, struct frti_binding *out);
/* Two constants of one name are the same. */
bool frti_constants_agree(const struct frti_binding *one,
                          const struct frti_binding *other);

/* -------------------------------------------------------- compatible.c --- */

/* Two declarations of one name agree: C11 6.2.7, where a struct of which only
 * the tag is known agrees with one of that tag. */
bool frti_types_agree(const struct frti_type *one,
                      const struct frti_type *other);
bool frti_layouts_agree(const frt_layout *one, const frt_layout *other);

/* ----------------------------------------------------------- builtin.c --- */

/* What a name means that no declaration has bound: a type or constant of the
 * standard headers. False, and no failure: nothing. */
bool frti_builtin_type(struct frti_parser *parser, struct frti_type *out,
                       const struct frti_token *token);
bool frti_builtin_is_type(const struct frti_name *name);
bool frti_builtin_constant(struct frti_parser *parser, struct frti_literal *out,
                           const struct frti_name *name);
/* The kind of wchar_t, char16_t (u) and char32_t (U) in the parser's model. */
frt_kind frti_builtin_character(const struct frti_parser *parser, char prefix);

#endif
