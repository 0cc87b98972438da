/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Tokens of C11 and C23 with the GNU keywords.
 *
 * A token of one character is that character; longer ones and keywords are
 * numbered from 256. Every spelling of a keyword (`const`, `__const`,
 * `__const__`) is one token. Comments and `#` lines never become tokens.
 */
#ifndef FRTI_CDECL_LEXER_H
#define FRTI_CDECL_LEXER_H

#include <stdbool.h>
#include <stddef.h>

#include "ffi_rt/cdecl/names.h"
#include "ffi_rt/cdecl/pack.h"
#include "ffi_rt/cdecl/source.h"

enum frti_token_kind {
    FRTI_TOKEN_END = 256,
    FRTI_TOKEN_NAME,
    FRTI_TOKEN_NUMBER,    /* a preprocessing number, not yet converted */
    FRTI_TOKEN_CHARACTER, /* with its prefix and quotes, as the string */
    FRTI_TOKEN_STRING,
    FRTI_TOKEN_ELLIPSIS,
    FRTI_TOKEN_ARROW,
    FRTI_TOKEN_SCOPE, /* two colons */
    FRTI_TOKEN_SHIFT_LEFT,
    FRTI_TOKEN_SHIFT_RIGHT,
    FRTI_TOKEN_LESS_EQUAL,
    FRTI_TOKEN_GREATER_EQUAL,
    FRTI_TOKEN_EQUAL,
    FRTI_TOKEN_NOT_EQUAL,
    FRTI_TOKEN_AND,
    FRTI_TOKEN_OR,
    FRTI_TOKEN_FIRST_KEYWORD,
    /* words of a scalar type, in the order of the table in specifiers.c */
    FRTI_TOKEN_VOID = FRTI_TOKEN_FIRST_KEYWORD,
    FRTI_TOKEN_BOOL,
    FRTI_TOKEN_CHAR,
    FRTI_TOKEN_SHORT,
    FRTI_TOKEN_INT,
    FRTI_TOKEN_LONG,
    FRTI_TOKEN_SIGNED,
    FRTI_TOKEN_UNSIGNED,
    FRTI_TOKEN_FLOAT,
    FRTI_TOKEN_DOUBLE,
    FRTI_TOKEN_COMPLEX,
    FRTI_TOKEN_INT128,
    FRTI_TOKEN_FLOAT16,
    FRTI_TOKEN_FLOAT32,
    FRTI_TOKEN_FLOAT64,
    FRTI_TOKEN_FLOAT32X,
    FRTI_TOKEN_FLOAT64X,
    FRTI_TOKEN_FLOAT128,
    FRTI_TOKEN_LAST_WORD = FRTI_TOKEN_FLOAT128,
    /* other type specifiers */
    FRTI_TOKEN_STRUCT,
    FRTI_TOKEN_UNION,
    FRTI_TOKEN_ENUM,
    FRTI_TOKEN_TYPEOF,
    FRTI_TOKEN_REFUSED_TYPE, /* _BitInt, _Decimal64, ... */
    /* qualifiers */
    FRTI_TOKEN_CONST,
    FRTI_TOKEN_VOLATILE,
    FRTI_TOKEN_RESTRICT,
    FRTI_TOKEN_ATOMIC,
    FRTI_TOKEN_NULLABILITY, /* _Nonnull and its like, of clang */
    /* storage and function specifiers */
    FRTI_TOKEN_TYPEDEF,
    FRTI_TOKEN_EXTERN,
    FRTI_TOKEN_STATIC,
    FRTI_TOKEN_AUTO,
    FRTI_TOKEN_REGISTER,
    FRTI_TOKEN_INLINE,
    FRTI_TOKEN_NORETURN,
    FRTI_TOKEN_THREAD_LOCAL,
    FRTI_TOKEN_CONSTEXPR,
    /* the rest */
    FRTI_TOKEN_EXTENSION,
    FRTI_TOKEN_ATTRIBUTE,
    FRTI_TOKEN_ALIGNAS,
    FRTI_TOKEN_ALIGNOF,
    FRTI_TOKEN_SIZEOF,
    FRTI_TOKEN_OFFSETOF,
    FRTI_TOKEN_ASM,
    FRTI_TOKEN_STATIC_ASSERT,
    FRTI_TOKEN_PRAGMA,
    FRTI_TOKEN_GENERIC,
    FRTI_TOKEN_STATEMENT /* a word that begins no declaration */
};

struct frti_token {
    int kind;
    size_t position;
    size_t length;
    struct frti_name *name; /* of names and keywords */
};

struct frti_lexer {
    struct frti_source *source;
    struct frti_names *names;
    struct frti_pack pack;
    const char *at;
    size_t end;         /* position after the last token */
    bool is_line_start; /* nothing but blanks since the line began */
};

void frti_lexer_init(struct frti_lexer *lexer, struct frti_source *source,
                     struct frti_names *names);

/* The next token; at the end of the text FRTI_TOKEN_END, again and again.
 * False: the source has the failure. */
bool frti_lexer_next(struct frti_lexer *lexer, struct frti_token *token);

/* FRTI_TOKEN_NAME if the word is no keyword. */
int frti_keyword(const char *word, size_t length);

#endif
