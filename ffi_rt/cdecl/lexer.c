/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cdecl/lexer.h"

#include <stdio.h>
#include <string.h>

#include "ffi_rt/base/compiler.h"

#define LEXER_BLANKS " \t\v\f\r"

void
frti_lexer_init(struct frti_lexer *lexer, struct frti_source *source,
                struct frti_names *names)
{
    lexer->source = source;
    lexer->names = names;
    lexer->pack.limit = 0;
    lexer->pack.depth = 0;
    lexer->at = source->text;
    lexer->end = 0;
    lexer->is_line_start = true;
    if (strncmp(lexer->at, "\xef\xbb\xbf", 3) == 0) /* a byte-order mark */
        lexer->at += 3;
}

static size_t
lexer_position(const struct frti_lexer *lexer, const char *at)
{
    return (size_t)(at - lexer->source->text);
}

static bool
lexer_refuse(struct frti_lexer *lexer, const char *at, const char *sentence)
{
    return frti_source_fail(lexer->source, FRT_BAD_DECLARATION,
                            lexer_position(lexer, at), sentence);
}

static bool
lexer_skip_comment(struct frti_lexer *lexer)
{
    const char *end;

    if (lexer->at[1] == '/') {
        lexer->at += strcspn(lexer->at, "\n");
        return true;
    }
    end = strstr(lexer->at + 2, "*/");
    if (end == NULL)
        return lexer_refuse(lexer, lexer->at, "the comment has no end");
    lexer->at = end + 2;
    return true;
}

/* Applies the text of a pragma; those that are not `pack` change nothing. */
static bool
lexer_pragma(struct frti_lexer *lexer, const char *from, const char *end)
{
    const char *at = from + strspn(from, LEXER_BLANKS);
    const char *close;
    const char *wrong;

    if (end - at < 4 || strncmp(at, "pack", 4) != 0)
        return true;
    at += 4;
    at += strspn(at, LEXER_BLANKS);
    close = memchr(at, ')', at < end ? (size_t)(end - at) : 0);
    if (*at != '(' || close == NULL)
        return lexer_refuse(lexer, from, "'#pragma pack' lacks parentheses");
    wrong = frti_pack_change(&lexer->pack, at + 1, close);
    return wrong == NULL || lexer_refuse(lexer, at, wrong);
}

/* The end of a `#` line: a comment that it opens may end on a later one. */
static const char *
lexer_line_end(const char *at)
{
    while (*at != '\0' && *at != '\n') {
        const char *close = NULL;

        if (at[0] == '/' && at[1] == '/')
            return at + strcspn(at, "\n");
        if (at[0] == '/' && at[1] == '*')
            close = strstr(at + 2, "*/");
        at = close != NULL ? close + 2 : at + 1;
    }
    return at;
}

/* The number of a line marker, and its file if it has one: `12 "file.h" 1`.
 * The line after it is meant. */
static bool
lexer_marker(struct frti_lexer *lexer, const char *at, const char *end)
{
    size_t line = 0;
    const char *file;

    for (; *at >= '0' && *at <= '9' && line < UINT32_MAX / 10; at++)
        line = line * 10 + (size_t)(*at - '0');
    at += strspn(at, LEXER_BLANKS);
    if (at >= end || *at != '"' || *end == '\0')
        return true;
    file = ++at;
    while (at < end && *at != '"')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return frti_source_mark(lexer->source, lexer_position(lexer, end + 1), line,
                            file, (size_t)(at - file));
}

/* `#pragma`, and what a preprocessor leaves: `# 12 "file.h" 1`, `#line`. */
static bool
lexer_hash_line(struct frti_lexer *lexer, size_t hash)
{
    const char *at = lexer->at + hash;
    const char *end = lexer_line_end(at);
    char sentence[96];
    size_t length;

    at += strspn(at, LEXER_BLANKS);
    length = strcspn(at, LEXER_BLANKS "\n(");
    if (length == 6 && strncmp(at, "pragma", 6) == 0) {
        if (!lexer_pragma(lexer, at + 6, end))
            return false;
    } else if (at < end && (*at < '0' || *at > '9') &&
               strncmp(at, "line", 4) != 0 && strncmp(at, "ident", 5) != 0) {
        snprintf(sentence, sizeof sentence,
                 "'#%.*s' is for the preprocessor, which has not run",
                 (int)(length < 24 ? length : 24), at);
        return lexer_refuse(lexer, lexer->at, sentence);
    } else {
        if (length == 4 && strncmp(at, "line", 4) == 0)
            at += 4 + strspn(at + 4, LEXER_BLANKS);
        if (*at >= '0' && *at <= '9' && !lexer_marker(lexer, at, end))
            return false;
    }
    lexer->at = end;
    return true;
}

/* The bytes of a `#` or its digraph at the start of a line; 0: none. */
static size_t
lexer_hash(const struct frti_lexer *lexer)
{
    if (!lexer->is_line_start)
        return 0;
    if (lexer->at[0] == '#')
        return 1;
    return lexer->at[0] == '%' && lexer->at[1] == ':' ? 2 : 0;
}

/* To the next byte of a token. */
static bool
lexer_skip(struct frti_lexer *lexer)
{
    for (;;) {
        char first = *lexer->at;
        size_t hash;

        if (first == '\n') {
            lexer->is_line_start = true;
            lexer->at++;
        } else if (first != '\0' && strchr(LEXER_BLANKS, first) != NULL) {
            lexer->at++;
        } else if (first == '/' &&
                   (lexer->at[1] == '/' || lexer->at[1] == '*')) {
            if (!lexer_skip_comment(lexer))
                return false;
        } else if ((hash = lexer_hash(lexer)) != 0) {
            if (!lexer_hash_line(lexer, hash))
                return false;
        } else {
            lexer->is_line_start = false;
            return true;
        }
    }
}

static bool
lexer_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$';
}

static bool
lexer_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The end of the name at `at`; NULL: it has a byte that is not UTF-8. */
static const char *
lexer_name_end(struct frti_lexer *lexer, const char *at)
{
    for (;;) {
        uint32_t code;
        size_t length = 1;
        char sentence[64];

        if ((unsigned char)*at >= 0x80)
            length = frti_utf8(&code, at);
        else if (!lexer_is_letter(*at) && !lexer_is_digit(*at))
            return at;
        if (length == 0) {
            snprintf(sentence, sizeof sentence, "the byte 0x%02x is not UTF-8",
                     (unsigned char)*at);
            lexer_refuse(lexer, at, sentence);
            return NULL;
        }
        at += length;
    }
}

static bool
lexer_quoted(struct frti_lexer *lexer, struct frti_token *token,
             const char *start, const char *quote)
{
    const char *at = quote + 1;

    while (*at != *quote) {
        if (*at == '\\' && at[1] != '\0')
            at++;
        if (*at == '\0' || *at == '\n')
            return lexer_refuse(lexer, start,
                                *quote == '"' ? "the string has no end"
                                              : "the character has no end");
        at++;
    }
    token->kind = *quote == '"' ? FRTI_TOKEN_STRING : FRTI_TOKEN_CHARACTER;
    lexer->at = at + 1;
    return true;
}

static bool
lexer_is_prefix(const char *start, size_t length)
{
    return (length == 1 && strchr("LuU", *start) != NULL) ||
           (length == 2 && start[0] == 'u' && start[1] == '8');
}

static bool
lexer_word(struct frti_lexer *lexer, struct frti_token *token)
{
    const char *start = lexer->at;
    const char *end = lexer_name_end(lexer, start);

    if (end == NULL)
        return false;
    if ((*end == '"' || *end == '\'') &&
        lexer_is_prefix(start, (size_t)(end - start)))
        return lexer_quoted(lexer, token, start, end);
    token->name = frti_name_of(lexer->names, start, (size_t)(end - start));
    if (token->name == NULL)
        return false;
    token->kind = token->name->keyword;
    lexer->at = end;
    return true;
}

/* A preprocessing number, C11 6.4.8, with C23's digit separators. */
static void
lexer_number(struct frti_lexer *lexer, struct frti_token *token)
{
    const char *at = lexer->at;

    for (;;) {
        if (strchr("eEpP", *at) != NULL && *at != '\0' &&
            (at[1] == '+' || at[1] == '-'))
            at += 2;
        else if (lexer_is_letter(*at) || lexer_is_digit(*at) || *at == '.')
            at++;
        else if (*at == '\'' &&
                 (lexer_is_letter(at[1]) || lexer_is_digit(at[1])))
            at += 2;
        else
            break;
    }
    token->kind = FRTI_TOKEN_NUMBER;
    lexer->at = at;
}

static const struct lexer_sign {
    char text[4];
    int kind;
} lexer_signs[] = {
    {"...", FRTI_TOKEN_ELLIPSIS},
    {"->", FRTI_TOKEN_ARROW},
    {"::", FRTI_TOKEN_SCOPE},
    {"<<", FRTI_TOKEN_SHIFT_LEFT},
    {">>", FRTI_TOKEN_SHIFT_RIGHT},
    {"<=", FRTI_TOKEN_LESS_EQUAL},
    {">=", FRTI_TOKEN_GREATER_EQUAL},
    {"==", FRTI_TOKEN_EQUAL},
    {"!=", FRTI_TOKEN_NOT_EQUAL},
    {"&&", FRTI_TOKEN_AND},
    {"||", FRTI_TOKEN_OR},
    {"<%", '{'}, /* digraphs, C11 6.4.6 */
    {"%>", '}'},
    {"<:", '['},
    {":>", ']'},
};

FRTI_COLD static bool
lexer_refuse_byte(struct frti_lexer *lexer)
{
    char byte = *lexer->at;
    char sentence[64];

    if (byte > ' ' && byte < 0x7f)
        snprintf(sentence, sizeof sentence, "'%c' has no place here", byte);
    else
        snprintf(sentence, sizeof sentence, "the byte 0x%02x has no place here",
                 (unsigned char)byte);
    return lexer_refuse(lexer, lexer->at, sentence);
}

static bool
lexer_sign(struct frti_lexer *lexer, struct frti_token *token)
{
    char first = *lexer->at;

    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(lexer_signs); i++) {
        const struct lexer_sign *sign = &lexer_signs[i];
        size_t length;

        if (first != sign->text[0])
            continue;
        length = strlen(sign->text);
        if (strncmp(lexer->at, sign->text, length) == 0) {
            token->kind = sign->kind;
            lexer->at += length;
            return true;
        }
    }
    if (strchr("()[]{}*&;,:=+-~!/%<>^|?.", first) == NULL)
        return lexer_refuse_byte(lexer);
    token->kind = first;
    lexer->at++;
    return true;
}

static bool
lexer_read(struct frti_lexer *lexer, struct frti_token *token)
{
    char first = *lexer->at;

    if (lexer_is_letter(first) || (unsigned char)first >= 0x80)
        return lexer_word(lexer, token);
    if (first == '"' || first == '\'')
        return lexer_quoted(lexer, token, lexer->at, lexer->at);
    if (lexer_is_digit(first) ||
        (first == '.' && lexer_is_digit(lexer->at[1]))) {
        lexer_number(lexer, token);
        return true;
    }
    return lexer_sign(lexer, token);
}

/* What follows `_Pragma`, C11 6.10.9. */
static bool
lexer_pragma_operator(struct frti_lexer *lexer)
{
    struct frti_token token = {.kind = 0};
    const char *quote;

    if (!lexer_skip(lexer))
        return false;
    if (*lexer->at != '(')
        return lexer_refuse(lexer, lexer->at, "'_Pragma' lacks its '('");
    lexer->at++;
    if (!lexer_skip(lexer))
        return false;
    quote = lexer->at + (*lexer->at == 'L');
    if (*quote != '"')
        return lexer_refuse(lexer, lexer->at, "'_Pragma' lacks its string");
    if (!lexer_quoted(lexer, &token, lexer->at, quote) ||
        !lexer_pragma(lexer, quote + 1, lexer->at - 1) || !lexer_skip(lexer))
        return false;
    if (*lexer->at != ')')
        return lexer_refuse(lexer, lexer->at, "'_Pragma' lacks its ')'");
    lexer->at++;
    return true;
}

bool
frti_lexer_next(struct frti_lexer *lexer, struct frti_token *token)
{
    const char *start;

    do {
        if (!lexer_skip(lexer))
            return false;
        start = lexer->at;
        *token = (struct frti_token){.kind = FRTI_TOKEN_END};
        if (*start != '\0' && !lexer_read(lexer, token))
            return false;
        if (token->kind == FRTI_TOKEN_PRAGMA && !lexer_pragma_operator(lexer))
            return false;
    } while (token->kind == FRTI_TOKEN_PRAGMA);
    if (token->kind == FRTI_TOKEN_END) { /* named where the text stopped */
        token->position = lexer->end;
        return true;
    }
    token->position = lexer_position(lexer, start);
    token->length = (size_t)(lexer->at - start);
    lexer->end = token->position + token->length;
    return true;
}
