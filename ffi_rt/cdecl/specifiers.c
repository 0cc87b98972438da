/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Declaration specifiers, C11 6.7 to 6.7.5. */
#include <stdio.h>
#include <string.h>

#include "ffi_rt/base/compiler.h"
#include "ffi_rt/cdecl/parser.h"

/* ------------------------------------------------------- scalar words --- */

/* How often each word was given, two bits a word: a multiset whose inclusion
 * is easy to test. The order is that of the tokens. */
#define WORD(name) ((uint64_t)1 << 2 * (FRTI_TOKEN_##name - FRTI_TOKEN_VOID))

static const char *const word_names[] = {
    "void",     "_Bool",    "char",     "short",     "int",       "long",
    "signed",   "unsigned", "float",    "double",    "_Complex",  "__int128",
    "_Float16", "_Float32", "_Float64", "_Float32x", "_Float64x", "_Float128"};

_Static_assert(FRTI_ARRAY_LENGTH(word_names) ==
                   FRTI_TOKEN_LAST_WORD - FRTI_TOKEN_VOID + 1,
               "a name for each word");

/* All words that may stand together, C11 6.7.2 paragraph 2: any part of a row
 * is a type, too, where it names a kind. */
static const uint64_t word_rows[] = {
    WORD(VOID),
    WORD(BOOL),
    WORD(CHAR) | WORD(SIGNED),
    WORD(CHAR) | WORD(UNSIGNED),
    WORD(SHORT) | WORD(INT) | WORD(SIGNED),
    WORD(SHORT) | WORD(INT) | WORD(UNSIGNED),
    2 * WORD(LONG) | WORD(INT) | WORD(SIGNED),
    2 * WORD(LONG) | WORD(INT) | WORD(UNSIGNED),
    WORD(INT128) | WORD(SIGNED),
    WORD(INT128) | WORD(UNSIGNED),
    WORD(FLOAT) | WORD(COMPLEX),
    WORD(LONG) | WORD(DOUBLE) | WORD(COMPLEX),
    WORD(FLOAT16) | WORD(COMPLEX),
    WORD(FLOAT32) | WORD(COMPLEX),
    WORD(FLOAT64) | WORD(COMPLEX),
    WORD(FLOAT32X) | WORD(COMPLEX),
    WORD(FLOAT64X) | WORD(COMPLEX),
    WORD(FLOAT128) | WORD(COMPLEX),
};

/* Without `int`, `signed` and `_Complex` where they add nothing. */
static const struct word_kind {
    uint64_t words;
    frt_kind kind;
} word_kinds[] = {
    {WORD(VOID), FRT_KIND_VOID},
    {WORD(BOOL), FRT_KIND_BOOL},
    {WORD(CHAR), FRT_KIND_CHAR},
    {WORD(CHAR) | WORD(SIGNED), FRT_KIND_SCHAR},
    {WORD(CHAR) | WORD(UNSIGNED), FRT_KIND_UCHAR},
    {WORD(SHORT), FRT_KIND_SHORT},
    {WORD(SHORT) | WORD(UNSIGNED), FRT_KIND_USHORT},
    {0, FRT_KIND_INT},
    {WORD(UNSIGNED), FRT_KIND_UINT},
    {WORD(LONG), FRT_KIND_LONG},
    {WORD(LONG) | WORD(UNSIGNED), FRT_KIND_ULONG},
    {2 * WORD(LONG), FRT_KIND_LLONG},
    {2 * WORD(LONG) | WORD(UNSIGNED), FRT_KIND_ULLONG},
    {WORD(INT128), FRT_KIND_INT128},
    {WORD(INT128) | WORD(UNSIGNED), FRT_KIND_UINT128},
    {WORD(FLOAT), FRT_KIND_FLOAT},
    {WORD(DOUBLE), FRT_KIND_DOUBLE},
    {WORD(LONG) | WORD(DOUBLE), FRT_KIND_LONG_DOUBLE},
    {WORD(FLOAT16), FRT_KIND_FLOAT16},
    {WORD(FLOAT32), FRT_KIND_FLOAT},
    {WORD(FLOAT64), FRT_KIND_DOUBLE},
    {WORD(FLOAT32X), FRT_KIND_DOUBLE},
    {WORD(FLOAT64X), FRT_KIND_LONG_DOUBLE},
    {WORD(FLOAT128), FRT_KIND_FLOAT128},
};

static bool
words_within(uint64_t words, uint64_t row)
{
    for (; words != 0; words >>= 2, row >>= 2)
        if ((words & 3) > (row & 3))
            return false;
    return true;
}

static bool
words_are_legal(uint64_t words)
{
    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(word_rows); i++)
        if (words_within(words, word_rows[i]))
            return true;
    return false;
}

/* "unsigned long", for a sentence: signs before sizes, `int` after them. */
static void
words_print(char *buffer, size_t size, uint64_t words)
{
    static const int first[] = {FRTI_TOKEN_SIGNED, FRTI_TOKEN_UNSIGNED,
                                FRTI_TOKEN_SHORT, FRTI_TOKEN_LONG};
    size_t used = 0;

    buffer[0] = '\0';
    for (size_t i = 0;
         i < FRTI_ARRAY_LENGTH(first) + FRTI_ARRAY_LENGTH(word_names) &&
         used < size;
         i++) {
        size_t word = i < FRTI_ARRAY_LENGTH(first)
                          ? (size_t)(first[i] - FRTI_TOKEN_VOID)
                          : i - FRTI_ARRAY_LENGTH(first);
        uint64_t count = words >> 2 * word & 3;

        words &= ~((uint64_t)3 << 2 * word);
        for (; count > 0 && used < size; count--)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s",
                                     used == 0 ? "" : " ", word_names[word]);
    }
}

FRTI_COLD static bool
words_refuse(struct frti_parser *parser, uint64_t words)
{
    char before[96];
    char after[128];

    words_print(before, sizeof before, words);
    snprintf(after, sizeof after, " does not go with '%s'", before);
    return frti_refuse_quoting(parser, &parser->token, "", after);
}

static bool
words_add(struct frti_parser *parser, uint64_t *words)
{
    unsigned place = 2 * (unsigned)(parser->token.kind - FRTI_TOKEN_VOID);
    uint64_t with = *words + ((uint64_t)1 << place);

    if ((*words >> place & 3) == 3 || !words_are_legal(with))
        return words_refuse(parser, *words);
    *words = with;
    return frti_next(parser);
}

static bool
words_resolve(struct frti_parser *parser, struct frti_type *out, uint64_t words,
              size_t position)
{
    uint64_t plain = words & ~(WORD(INT) | WORD(COMPLEX));

    if (words == WORD(COMPLEX)) /* GNU C: of double */
        plain = WORD(DOUBLE);
    if ((words & WORD(CHAR)) == 0)
        plain &= ~WORD(SIGNED);
    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(word_kinds); i++)
        if (word_kinds[i].words == plain)
            return frti_type_value(parser, out, word_kinds[i].kind, position) &&
                   ((words & WORD(COMPLEX)) == 0 ||
                    frti_type_complex(parser, out, position));
    return frti_refuse(parser, position, "these words make no type");
}

/* --------------------------------------------------------- specifiers --- */

/* What has been read of one run of specifiers. */
struct run {
    struct frti_specifiers *out;
    uint64_t words;
    size_t position; /* of the first word or type */
    bool has_type;   /* another than words */
    bool is_const;
    bool is_atomic;
    bool is_auto;
};

static bool
run_begin_type(struct frti_parser *parser, struct run *run)
{
    if (run->words != 0 || run->has_type)
        return frti_refuse_quoting(parser, &parser->token, "",
                                   " is a second type in one declaration");
    run->position = parser->token.position;
    run->has_type = true;
    return true;
}

static bool
run_typedef_name(struct frti_parser *parser, struct run *run)
{
    struct frti_token token = parser->token;
    const struct frti_binding *binding = token.name->ordinary;

    if (!run_begin_type(parser, run))
        return false;
    if (binding == NULL)
        return frti_builtin_type(parser, &run->out->type, &token) &&
               frti_next(parser);
    run->out->type = binding->type;
    return frti_type_refresh(parser, &run->out->type, token.position) &&
           frti_next(parser);
}

/* typeof (type or expression), and _Atomic(type) */
static bool
run_parenthesised(struct frti_parser *parser, struct run *run, bool is_typeof)
{
    struct frti_type *type = &run->out->type;

    if (!frti_expect(parser, '(', "'('"))
        return false;
    if (!is_typeof || frti_begins_type(parser)) {
        if (!frti_type_name(parser, type))
            return false;
    } else if (!frti_expression_type(parser, type)) {
        return false;
    }
    return frti_expect(parser, ')', "')'");
}

static bool
run_typeof(struct frti_parser *parser, struct run *run)
{
    bool drops = strcmp(parser->token.name->text, "typeof_unqual") == 0;

    if (!run_begin_type(parser, run) || !frti_next(parser) ||
        !run_parenthesised(parser, run, true))
        return false;
    if (drops)
        run->out->type.is_const = false;
    return true;
}

static bool
run_atomic(struct frti_parser *parser, struct run *run)
{
    int ahead;

    run->is_atomic = true;
    if (!frti_peek(parser, &ahead))
        return false;
    if (ahead != '(')
        return frti_next(parser);
    return run_begin_type(parser, run) && frti_next(parser) &&
           run_parenthesised(parser, run, false);
}

static bool
run_tagged(struct frti_parser *parser, struct run *run)
{
    struct frti_specifiers *out = run->out;

    if (!run_begin_type(parser, run))
        return false;
    out->is_tag_alone = true;
    return frti_is(parser, FRTI_TOKEN_ENUM)
               ? frti_enumeration(parser, &out->type, &out->has_tag)
               : frti_aggregate(parser, &out->type, &out->has_tag);
}

static bool
run_storage(struct frti_parser *parser, struct run *run)
{
    bool is_typedef = frti_is(parser, FRTI_TOKEN_TYPEDEF);
    bool is_constexpr = frti_is(parser, FRTI_TOKEN_CONSTEXPR);

    if (is_typedef ? run->out->storage != FRTI_STORAGE_NONE
                   : run->out->storage == FRTI_STORAGE_TYPEDEF)
        return frti_refuse_quoting(
            parser, &parser->token, "",
            " does not go with the storage class before it");
    if (is_typedef)
        run->out->storage = FRTI_STORAGE_TYPEDEF;
    else if (is_constexpr || frti_is(parser, FRTI_TOKEN_STATIC))
        run->out->storage = FRTI_STORAGE_STATIC;
    else
        run->out->storage = FRTI_STORAGE_OTHER;
    run->is_const |= is_constexpr;
    run->is_auto |= frti_is(parser, FRTI_TOKEN_AUTO);
    return frti_next(parser);
}

static bool
run_refused_type(struct frti_parser *parser)
{
    return frti_refuse_quoting(parser, &parser->token, "the type ",
                               " is not supported");
}

/* A name is a type only where none came before it, C11 6.7.8 and 6.2.3: in
 * `unsigned T;` it is what is declared. */
static bool
run_takes_name(const struct run *run, const struct frti_name *name)
{
    if (run->words != 0 || run->has_type)
        return false;
    if (name->ordinary != NULL)
        return name->ordinary->kind == FRTI_BINDING_TYPEDEF;
    return frti_builtin_is_type(name);
}

/* Reads one specifier, if the present token begins one. */
static bool
run_one(struct frti_parser *parser, struct run *run, bool *is_one)
{
    int kind = parser->token.kind;
    int ahead = 0;

    *is_one = true;
    if (kind >= FRTI_TOKEN_VOID && kind <= FRTI_TOKEN_LAST_WORD) {
        if (run->has_type)
            return run_begin_type(parser, run);
        if (run->words == 0)
            run->position = parser->token.position;
        return words_add(parser, &run->words);
    }
    switch (kind) {
    case FRTI_TOKEN_STRUCT:
    case FRTI_TOKEN_UNION:
    case FRTI_TOKEN_ENUM:
        return run_tagged(parser, run);
    case FRTI_TOKEN_TYPEOF:
        return run_typeof(parser, run);
    case FRTI_TOKEN_REFUSED_TYPE:
        return run_refused_type(parser);
    case FRTI_TOKEN_CONST:
        run->is_const = true;
        return frti_next(parser);
    case FRTI_TOKEN_ATOMIC:
        return run_atomic(parser, run);
    case FRTI_TOKEN_TYPEDEF:
    case FRTI_TOKEN_EXTERN:
    case FRTI_TOKEN_STATIC:
    case FRTI_TOKEN_AUTO:
    case FRTI_TOKEN_REGISTER:
    case FRTI_TOKEN_CONSTEXPR:
        return run_storage(parser, run);
    case FRTI_TOKEN_VOLATILE:
    case FRTI_TOKEN_RESTRICT:
    case FRTI_TOKEN_NULLABILITY:
    case FRTI_TOKEN_INLINE:
    case FRTI_TOKEN_NORETURN:
    case FRTI_TOKEN_THREAD_LOCAL:
    case FRTI_TOKEN_EXTENSION:
        return frti_next(parser);
    case FRTI_TOKEN_ALIGNAS:
        return frti_next(parser) && frti_alignas(parser, &run->out->attributes);
    case FRTI_TOKEN_ATTRIBUTE:
        return frti_attributes(parser, &run->out->attributes);
    case '[':
        if (!frti_peek(parser, &ahead))
            return false;
        *is_one = ahead == '[';
        return !*is_one || frti_attributes(parser, &run->out->attributes);
    case FRTI_TOKEN_NAME:
        *is_one = run_takes_name(run, parser->token.name);
        return !*is_one || run_typedef_name(parser, run);
    default:
        *is_one = false;
        return true;
    }
}

/* A tag of that name wants its word before it. */
static const char *
run_hint(const struct frti_binding *tag)
{
    if (tag == NULL)
        return "";
    return tag->kind == FRTI_BINDING_STRUCT ? "; there is a struct of that name"
           : tag->kind == FRTI_BINDING_UNION
               ? "; there is a union of that name"
               : "; there is an enum of that name";
}

static bool
run_refuse_no_type(struct frti_parser *parser, const struct run *run)
{
    if (run->is_auto)
        return frti_refuse(parser, run->position,
                           "'auto' without a type is not supported");
    if (!frti_is(parser, FRTI_TOKEN_NAME))
        return frti_refuse_token(parser, "a type");
    return frti_refuse_quoting(parser, &parser->token, "unknown type name ",
                               run_hint(parser->token.name->tag));
}

static bool
run_end(struct frti_parser *parser, struct run *run)
{
    struct frti_type *type = &run->out->type;

    if (!run->has_type && run->words == 0)
        return run_refuse_no_type(parser, run);
    if (!run->has_type &&
        !words_resolve(parser, type, run->words, run->position))
        return false;
    if (run->is_atomic && !frti_type_atomic(parser, type, run->position))
        return false;
    type->is_const |= run->is_const;
    return true;
}

bool
frti_specifiers(struct frti_parser *parser, struct frti_specifiers *out)
{
    struct run run = {.out = out, .position = parser->token.position};
    bool is_one;

    *out = (struct frti_specifiers){.storage = FRTI_STORAGE_NONE};
    if (!frti_enter(parser, FRTI_LEVEL))
        return false;
    do {
        if (!run_one(parser, &run, &is_one))
            return false;
    } while (is_one);
    frti_leave(parser, FRTI_LEVEL);
    return run_end(parser, &run);
}

bool
frti_begins_type(const struct frti_parser *parser)
{
    return frti_token_begins_type(&parser->token);
}

bool
frti_token_begins_type(const struct frti_token *token)
{
    int kind = token->kind;
    const struct frti_name *name = token->name;

    if (kind == FRTI_TOKEN_NAME)
        return name->ordinary != NULL
                   ? name->ordinary->kind == FRTI_BINDING_TYPEDEF
                   : frti_builtin_is_type(name);
    return (kind >= FRTI_TOKEN_VOID && kind <= FRTI_TOKEN_CONSTEXPR) ||
           kind == FRTI_TOKEN_EXTENSION || kind == FRTI_TOKEN_ATTRIBUTE ||
           kind == FRTI_TOKEN_ALIGNAS;
}

bool
frti_type_name(struct frti_parser *parser, struct frti_type *out)
{
    struct frti_specifiers specifiers;
    struct frti_declarator declarator;

    if (!frti_specifiers(parser, &specifiers) ||
        !frti_declarator(parser, &declarator, &specifiers,
                         FRTI_DECLARATOR_ABSTRACT, NULL))
        return false;
    *out = declarator.type;
    return true;
}
