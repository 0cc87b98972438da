/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/lexeme.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/cli/import.h"

struct reader {
    struct frti_lexemes *out;
    size_t capacity;
    const char *at;
    uint32_t line;
    uint32_t file;
};

bool
frti_lexeme_is(const struct frti_lexeme *token, const char *text)
{
    return strlen(text) == token->length &&
           memcmp(token->text, text, token->length) == 0;
}

static void
reader_add(struct reader *reader, enum frti_lexeme_kind kind, const char *text,
           size_t length)
{
    struct frti_lexemes *out = reader->out;

    if (out->count == reader->capacity) {
        reader->capacity = 2 * reader->capacity + 1024;
        out->list = frti_import_enlarge(out->list,
                                        reader->capacity * sizeof *out->list);
    }
    out->list[out->count++] = (struct frti_lexeme){.text = text,
                                                   .length = (uint32_t)length,
                                                   .line = reader->line,
                                                   .file = reader->file,
                                                   .kind = kind};
}

/* --------------------------------------------------------------- lines --- */

static uint32_t
reader_file(struct reader *reader, const char *name, size_t length)
{
    struct frti_lexemes *out = reader->out;

    for (size_t i = out->file_count; i-- > 0;)
        if (out->files[i].length == length &&
            memcmp(out->files[i].name, name, length) == 0)
            return (uint32_t)i;
    out->files = frti_import_enlarge(out->files, (out->file_count + 1) *
                                                     sizeof *out->files);
    out->files[out->file_count] =
        (struct frti_file){.name = name, .length = length};
    return (uint32_t)out->file_count++;
}

static bool
line_is_pack(const char *line, size_t length)
{
    static const char pragma[] = "#pragma pack";

    return length >= sizeof pragma - 1 &&
           memcmp(line, pragma, sizeof pragma - 1) == 0;
}

/* At a `#` that begins a line. */
static void
reader_directive(struct reader *reader)
{
    const char *line = reader->at;
    size_t length = strcspn(line, "\n");
    char *end;
    unsigned long number = strtoul(line + 1, &end, 10);

    if (end != line + 1 && end[0] == ' ' && end[1] == '"') {
        reader->file = reader_file(reader, end + 2, strcspn(end + 2, "\"\n"));
        reader->line = (uint32_t)number - 1; /* its own end is counted, too */
    } else if (line_is_pack(line, length)) {
        reader_add(reader, FRTI_LEXEME_PACK, line, length);
    }
    reader->at += length;
}

/* -------------------------------------------------------------- lexemes --- */

static bool
byte_is_of_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '$' ||
           (unsigned char)byte >= 0x80;
}

/* A preprocessing number: a sign may stand after its exponent's letter. */
static size_t
number_length(const char *at)
{
    size_t length = 1;

    while (byte_is_of_word(at[length]) || at[length] == '.' ||
           at[length] == '\'' ||
           ((at[length] == '+' || at[length] == '-') &&
            strchr("eEpP", at[length - 1]) != NULL))
        length++;
    return length;
}

static size_t
quoted_length(const char *at)
{
    size_t length = 1;

    while (at[length] != '\0' && at[length] != '\n' && at[length] != at[0])
        length += at[length] == '\\' && at[length + 1] != '\0' ? 2 : 1;
    return length + (at[length] == at[0]);
}

/* The prefix of a string is a part of it. */
static size_t
prefix_length(const char *at)
{
    static const char *const prefixes[] = {"L", "u", "U", "u8"};

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);

        if (strncmp(at, prefixes[i], length) == 0 &&
            (at[length] == '"' || at[length] == '\''))
            return length;
    }
    return 0;
}

static void
reader_sign(struct reader *reader)
{
    static const char *const signs[] = {
        "...", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::"};
    static const char digraphs[][3] = {"<%", "%>", "<:", ":>"};
    static const char *const meanings[] = {"{", "}", "[", "]"};
    const char *at = reader->at;

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(at, signs[i], strlen(signs[i])) == 0) {
            reader->at += strlen(signs[i]);
            reader_add(reader, FRTI_LEXEME_SIGN, at, strlen(signs[i]));
            return;
        }
    for (size_t i = 0; i < sizeof digraphs / sizeof *digraphs; i++)
        if (strncmp(at, digraphs[i], 2) == 0) {
            reader->at += 2;
            reader_add(reader, FRTI_LEXEME_SIGN, meanings[i], 1);
            return;
        }
    reader->at++;
    reader_add(reader, FRTI_LEXEME_SIGN, at, 1);
}

static void
reader_lexeme(struct reader *reader)
{
    const char *at = reader->at;
    size_t prefix = prefix_length(at);
    enum frti_lexeme_kind kind = FRTI_LEXEME_WORD;
    size_t length = 0;

    if (prefix > 0 || *at == '"' || *at == '\'') {
        kind = FRTI_LEXEME_QUOTED;
        length = prefix + quoted_length(at + prefix);
    } else if (isdigit((unsigned char)at[0]) ||
               (at[0] == '.' && isdigit((unsigned char)at[1]))) {
        kind = FRTI_LEXEME_NUMBER;
        length = number_length(at);
    } else if (byte_is_of_word(*at)) {
        while (byte_is_of_word(at[length]))
            length++;
    } else {
        reader_sign(reader);
        return;
    }
    reader->at += length;
    reader_add(reader, kind, at, length);
}

void
frti_lexemes_read(struct frti_lexemes *out, const char *text)
{
    struct reader reader = {.out = out, .at = text, .line = 1};
    bool is_line_start = true;

    *out = (struct frti_lexemes){.count = 0};
    reader_file(&reader, "", 0);
    while (*reader.at != '\0') {
        if (*reader.at == '\n') {
            reader.line++;
            is_line_start = true;
            reader.at++;
        } else if (isspace((unsigned char)*reader.at)) {
            reader.at++;
        } else if (is_line_start && *reader.at == '#') {
            reader_directive(&reader);
        } else {
            is_line_start = false;
            reader_lexeme(&reader);
        }
    }
}

void
frti_lexemes_free(struct frti_lexemes *tokens)
{
    free(tokens->list);
    free(tokens->files);
    *tokens = (struct frti_lexemes){.count = 0};
}
