/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Lexemes on lines: one for each member and constant, blanks as this project's
 * own C has them.
 */
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/cli/clean.h"

#define LINE_COLUMNS 80
#define LINE_INDENT 4

/* Innermost braces and brackets beyond are printed as the outer ones. */
#define NESTED 256

struct writer {
    FILE *file;
    const struct frti_clean *clean;
    size_t at;
    char *line;
    size_t length;
    size_t capacity;
    char open[NESTED]; /* 'e': braces of an enum */
    size_t depth;
    size_t braces;
    bool is_value; /* behind a `=` */
};

static const struct frti_lexeme *
writer_lexeme(const struct writer *writer, size_t at)
{
    return &writer->clean->list[at];
}

/* ---------------------------------------------------------------- line --- */

static void
line_add(struct writer *writer, const char *text, size_t length)
{
    if (writer->capacity - writer->length < length) {
        writer->capacity = 2 * (writer->length + length) + 256;
        writer->line = frti_import_enlarge(writer->line, writer->capacity);
    }
    memcpy(writer->line + writer->length, text, length);
    writer->length += length;
}

/* The bytes that fit into `room`, up to a comma and with it; all, where there
 * is none. */
static size_t
line_part(const char *line, size_t length, size_t room)
{
    size_t part = length <= room ? length : room;

    if (length <= room)
        return length;
    while (part > 0 && !(line[part - 1] == ',' && line[part] == ' '))
        part--;
    for (size_t i = room; part == 0 && i < length; i++)
        if (line[i] == ',' && line[i + 1] == ' ')
            part = i + 1;
    return part == 0 ? length : part;
}

static void
line_end(struct writer *writer)
{
    const char *line = writer->line;
    size_t left = writer->length;
    size_t indent = writer->braces * LINE_INDENT;
    bool is_first = true;

    while (left > 0) {
        size_t own = indent + (is_first ? 0 : LINE_INDENT);
        size_t part = line_part(line, left, own < 40 ? LINE_COLUMNS - own : 40);

        fprintf(writer->file, "%*s%.*s\n", (int)own, "", (int)part, line);
        left -= part;
        line += part;
        if (left > 0) { /* the blank after the comma */
            line++;
            left--;
        }
        is_first = false;
    }
    writer->length = 0;
}

/* -------------------------------------------------------------- blanks --- */

static bool
lexeme_is_one_of(const struct frti_lexeme *lexeme, const char *const *texts)
{
    for (; *texts != NULL; texts++)
        if (frti_lexeme_is(lexeme, *texts))
            return true;
    return false;
}

static const char *const type_words[] = {
    "void",   "char",   "short",    "int",      "long",  "float",
    "double", "signed", "unsigned", "_Bool",    "const", "volatile",
    "struct", "union",  "enum",     "_Complex", NULL};

static const char *const operators[] = {
    "=",  "+",  "-",  "/",  "%", "<<", ">>", "<", ">", "<=", ">=",
    "==", "!=", "&&", "||", "&", "|",  "^",  "?", ":", NULL};

static bool
lexeme_ends_operand(const struct frti_lexeme *lexeme)
{
    if (lexeme->kind == FRTI_LEXEME_SIGN)
        return frti_lexeme_is(lexeme, ")") || frti_lexeme_is(lexeme, "]");
    return !lexeme_is_one_of(lexeme, type_words);
}

/* In a value, between brackets of an array or in an enum: no declarator. */
static bool
writer_is_in_expression(const struct writer *writer)
{
    for (size_t i = 0; i < writer->depth && i < NESTED; i++)
        if (writer->open[i] == '[' || writer->open[i] == 'e')
            return true;
    return writer->is_value;
}

/* The sign at `at` stands between two operands. */
static bool
writer_is_operator(const struct writer *writer, size_t at)
{
    const struct frti_lexeme *lexeme = writer_lexeme(writer, at);
    const struct frti_lexeme *before;

    if (at == 0 || lexeme->kind != FRTI_LEXEME_SIGN)
        return false;
    before = writer_lexeme(writer, at - 1);
    if (frti_lexeme_is(lexeme, ":")) /* of a bit-field, or an enum's type */
        return true;
    if (frti_lexeme_is(lexeme, "*")) /* `sizeof(T *)` is none */
        return writer_is_in_expression(writer) && lexeme_ends_operand(before) &&
               at + 1 < writer->clean->count &&
               !frti_lexeme_is(writer_lexeme(writer, at + 1), ")") &&
               !frti_lexeme_is(writer_lexeme(writer, at + 1), "*");
    return lexeme_is_one_of(lexeme, operators) && lexeme_ends_operand(before);
}

static bool
writer_wants_blank_before_parenthesis(const struct writer *writer)
{
    const struct frti_lexeme *before = writer_lexeme(writer, writer->at - 1);

    if (before->kind != FRTI_LEXEME_WORD || frti_lexeme_is(before, "sizeof"))
        return frti_lexeme_is(before, ",") ||
               writer_is_operator(writer, writer->at - 1);
    return lexeme_is_one_of(before, type_words) ||
           (writer->at + 1 < writer->clean->count &&
            frti_lexeme_is(writer_lexeme(writer, writer->at + 1), "*"));
}

static bool
writer_wants_blank(const struct writer *writer)
{
    static const char *const close[] = {",", ";",  ")",  "]", "[",
                                        ".", "->", "::", NULL};
    static const char *const open[] = {"(",  "[", ".", "->",
                                       "::", "~", "!", NULL};
    const struct frti_lexeme *lexeme = writer_lexeme(writer, writer->at);
    const struct frti_lexeme *before;

    if (writer->at == 0 || writer->length == 0)
        return false;
    before = writer_lexeme(writer, writer->at - 1);
    if (frti_lexeme_is(lexeme, "("))
        return writer_wants_blank_before_parenthesis(writer);
    if (frti_lexeme_is(lexeme, "["))
        return lexeme_is_one_of(before, type_words);
    if (lexeme_is_one_of(lexeme, close) || lexeme_is_one_of(before, open))
        return false;
    if (writer_is_operator(writer, writer->at) ||
        writer_is_operator(writer, writer->at - 1))
        return true;
    if (lexeme_is_one_of(before, operators)) /* a sign before an operand */
        return false;
    return !frti_lexeme_is(before, "*");
}

/* ------------------------------------------------------------- lexemes --- */

/* At a `{`: it is of an enum. */
static bool
writer_opens_enum(const struct writer *writer)
{
    for (size_t at = writer->at; at-- > 0;) {
        const struct frti_lexeme *lexeme = writer_lexeme(writer, at);

        if (frti_lexeme_is(lexeme, "enum"))
            return true;
        if (frti_lexeme_is(lexeme, "struct") ||
            frti_lexeme_is(lexeme, "union") || frti_lexeme_is(lexeme, "{") ||
            frti_lexeme_is(lexeme, ";") || frti_lexeme_is(lexeme, "}"))
            return false;
    }
    return false;
}

static void
writer_open(struct writer *writer, char bracket)
{
    if (writer->depth < NESTED)
        writer->open[writer->depth] = bracket;
    writer->depth++;
}

static bool
writer_is_in(const struct writer *writer, char bracket)
{
    return writer->depth > 0 && writer->depth <= NESTED &&
           writer->open[writer->depth - 1] == bracket;
}

/* Before the lexeme is added: lines that end there. */
static void
writer_close(struct writer *writer, const struct frti_lexeme *lexeme)
{
    if (lexeme->kind != FRTI_LEXEME_SIGN ||
        strchr(")]}", lexeme->text[0]) == NULL || writer->depth == 0)
        return;
    writer->depth--;
    if (lexeme->text[0] != '}')
        return;
    line_end(writer);
    writer->braces--;
}

/* After it was added. */
static void
writer_follow(struct writer *writer, const struct frti_lexeme *lexeme)
{
    bool is_enum;

    if (lexeme->kind == FRTI_LEXEME_SIGN && strchr("=,;", lexeme->text[0]))
        writer->is_value = lexeme->text[0] == '=' && lexeme->length == 1;
    if (lexeme->kind == FRTI_LEXEME_PACK || frti_lexeme_is(lexeme, ";") ||
        (frti_lexeme_is(lexeme, ",") && writer_is_in(writer, 'e')))
        line_end(writer);
    if (lexeme->kind != FRTI_LEXEME_SIGN ||
        strchr("([{", lexeme->text[0]) == NULL)
        return;
    is_enum = lexeme->text[0] == '{' && writer_opens_enum(writer);
    writer_open(writer, is_enum ? 'e' : lexeme->text[0]);
    if (lexeme->text[0] == '{') {
        line_end(writer);
        writer->braces++;
    }
}

void
frti_clean_print(FILE *file, const struct frti_clean *clean)
{
    struct writer writer = {.file = file, .clean = clean};

    for (; writer.at < clean->count; writer.at++) {
        const struct frti_lexeme *lexeme = writer_lexeme(&writer, writer.at);

        if (lexeme->kind == FRTI_LEXEME_PACK)
            line_end(&writer);
        writer_close(&writer, lexeme);
        if (writer_wants_blank(&writer))
            line_add(&writer, " ", 1);
        line_add(&writer, lexeme->text, lexeme->length);
        writer_follow(&writer, lexeme);
    }
    line_end(&writer);
    free(writer.line);
}
