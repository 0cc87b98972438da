/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Clean C: the passages that are needed, in their order, then macros. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/cli/clean.h"
#include "ffi_rt/cli/number.h"

/* ---------------------------------------------------------- constants --- */

/* A string as C has it; octal escapes end by themselves. */
static void
print_string(FILE *file, const char *text, size_t length)
{
    fputc('"', file);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < ' ' || c >= 0x7f || c == '?')
            fprintf(file, "\\%03o", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void
print_integer(FILE *file, const frt_declaration *constant)
{
    if (!frt_layout_is_signed(constant->layout))
        fprintf(file, "%llu%s", (unsigned long long)constant->bits,
                constant->bits > INT64_MAX ? "ULL" : "");
    else if ((int64_t)constant->bits == INT64_MIN)
        fprintf(file, "-%lld - 1", (long long)INT64_MAX);
    else
        fprintf(file, "%lld", (long long)constant->bits);
}

void
frti_import_say_real(struct frti_text *text, long double number, frt_kind kind)
{
    float single = (float)number;
    double twice = (double)number;

    if (kind == FRT_KIND_FLOAT || kind == FRT_KIND_FLOAT16)
        frti_float_print(text, FRT_KIND_FLOAT, &single);
    else if (kind == FRT_KIND_DOUBLE)
        frti_float_print(text, FRT_KIND_DOUBLE, &twice);
    else
        frti_float_print(text, FRT_KIND_LONG_DOUBLE, &number);
    if (strpbrk(text->bytes, ".en") == NULL) /* nor inf, nor nan */
        frti_text_say(text, ".0");
}

static void
print_real(FILE *file, const frt_declaration *constant)
{
    frt_kind kind = frt_layout_kind(constant->layout);
    bool is_short = kind == FRT_KIND_FLOAT || kind == FRT_KIND_FLOAT16;
    bool is_long = !is_short && kind != FRT_KIND_DOUBLE;
    char bytes[64];
    struct frti_text text = frti_text_in(bytes, sizeof bytes);

    frti_import_say_real(&text, constant->number, kind);
    if (isfinite(constant->number))
        fprintf(file, "static const %s %s = %s%s;\n",
                is_short  ? "float"
                : is_long ? "long double"
                          : "double",
                constant->name, bytes,
                is_short  ? "f"
                : is_long ? "L"
                          : "");
    else
        fprintf(file, "/* %s is not finite */\n", constant->name);
}

static void
print_constant(FILE *file, const frt_declaration *constant)
{
    const frt_layout *layout = constant->layout;

    if (frt_layout_is_integer(layout)) {
        fprintf(file, "enum { %s = ", constant->name);
        print_integer(file, constant);
        fprintf(file, " };\n");
    } else if (frt_layout_is_floating(layout)) {
        print_real(file, constant);
    } else if (frt_layout_kind(layout) == FRT_KIND_ARRAY) {
        fprintf(file, "static const char %s[] = ", constant->name);
        print_string(file, constant->string, frt_layout_size(layout) - 1);
        fprintf(file, ";\n");
    } else {
        fprintf(file, "static void *const %s = (void *)0x%llx;\n",
                constant->name, (unsigned long long)constant->bits);
    }
}

bool
frti_import_next_macro(const struct frti_import *import,
                       const struct frti_passages *passages, size_t *at,
                       const frt_declaration **out)
{
    for (; *at < passages->entry_count; ++*at) {
        const struct frti_entry *entry = &passages->entries[*at];

        if (entry->passage != FRTI_NOWHERE ||
            entry->declaration.what != FRT_DECLARED_CONSTANT ||
            !frti_import_wants(import, &entry->declaration))
            continue;
        *out = &entry->declaration;
        ++*at;
        return true;
    }
    return false;
}

/* ------------------------------------------------------------ packing --- */

static bool
pack_is(const struct frti_lexeme *line, const char *word)
{
    static const char head[] = "#pragma pack";
    const char *at = line->text + sizeof head - 1;
    const char *end = line->text + line->length;

    while (at < end && (*at == ' ' || *at == '('))
        at++;
    return (size_t)(end - at) >= strlen(word) &&
           memcmp(at, word, strlen(word)) == 0;
}

/* A pop takes back the push before it, if nothing was packed between them. */
static void
pack_add(struct frti_clean *pending, const struct frti_lexeme *line)
{
    size_t first = pending->count;

    while (first > 0 && !pack_is(&pending->list[first - 1], "push") &&
           !pack_is(&pending->list[first - 1], "pop"))
        first--;
    if (pack_is(line, "pop") && first > 0 &&
        pack_is(&pending->list[first - 1], "push"))
        pending->count = first - 1;
    else
        frti_clean_add(pending, line);
}

/* The `#pragma pack` lines up to the passage, of which none was printed. */
static void
print_pack(FILE *file, const struct frti_passages *passages, size_t *at,
           size_t end)
{
    struct frti_clean pending = {.count = 0};

    for (; *at < end; ++*at)
        if (passages->lexemes.list[*at].kind == FRTI_LEXEME_PACK)
            pack_add(&pending, &passages->lexemes.list[*at]);
    frti_clean_print(file, &pending);
    free(pending.list);
}

/* ------------------------------------------------------------ passages --- */

/* A static one is in no library; a constant needs none. */
static bool
passage_is_printed(const struct frti_passages *passages, size_t number)
{
    const struct frti_passage *passage = &passages->list[number];

    if (passage->need == FRTI_NEED_NOT || !passage->is_static)
        return passage->need != FRTI_NEED_NOT;
    for (size_t at = passage->first; at < passage->body; at++) {
        const struct frti_lexeme *lexeme = &passages->lexemes.list[at];
        const struct frti_entry *entry =
            lexeme->kind != FRTI_LEXEME_WORD
                ? NULL
                : frti_passages_find(passages, lexeme, false);

        if (entry != NULL && entry->passage == number &&
            entry->declaration.what == FRT_DECLARED_CONSTANT)
            return true;
    }
    return false;
}

static void
print_tag(FILE *file, const frt_declaration *declaration)
{
    fprintf(file, "%s %s;\n",
            declaration->what == FRT_DECLARED_STRUCT ? "struct" : "union",
            declaration->name);
}

/* A tag that is first named among parameters would be theirs alone, C11 6.2.1:
 * it is declared before them. */
static void
print_tags(FILE *file, struct frti_passages *passages,
           const struct frti_passage *passage)
{
    size_t depth = 0;

    for (size_t at = passage->first; at < passage->body; at++) {
        const struct frti_lexeme *lexeme = &passages->lexemes.list[at];
        size_t tag = FRTI_NOWHERE;
        struct frti_entry *entry;

        depth += frti_lexeme_is(lexeme, "(");
        depth -= frti_lexeme_is(lexeme, ")");
        if (lexeme->kind == FRTI_LEXEME_WORD)
            tag = frti_passage_tag(passages, at, passage->body);
        if (tag == FRTI_NOWHERE)
            continue;
        entry =
            frti_passages_find(passages, &passages->lexemes.list[tag], true);
        if (entry == NULL || entry->is_known)
            continue;
        if (depth > 0 && entry->declaration.what != FRT_DECLARED_ENUM)
            print_tag(file, &entry->declaration);
        entry->is_known = true;
    }
}

void
frti_import_print_passages(FILE *file, struct frti_passages *passages)
{
    size_t at = 0; /* lexemes up to here are printed, or not needed */

    for (size_t i = 0; i < passages->count; i++) {
        const struct frti_passage *passage = &passages->list[i];
        struct frti_clean clean = {.count = 0};

        if (!passage_is_printed(passages, i))
            continue;
        print_pack(file, passages, &at, passage->first);
        print_tags(file, passages, passage);
        frti_clean_passage(&clean, passages, passage);
        frti_clean_print(file, &clean);
        free(clean.list);
        at = passage->end;
    }
    if (at > 0) /* what was pushed is popped */
        print_pack(file, passages, &at, passages->lexemes.count);
}

void
frti_import_print_c(FILE *file, const struct frti_import *import,
                    struct frti_passages *passages)
{
    const frt_declaration *constant;
    size_t at = 0;

    frti_import_print_passages(file, passages);
    while (frti_import_next_macro(import, passages, &at, &constant))
        print_constant(file, constant);
}
