/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The library prints a layout with all that is in it. Here each struct stands
 * by its name in the others: the text of a tagged one shrinks to its tag, that
 * of one without a tag to the typedef of the same text. What a declaration's
 * text has shrunk to is what it needs, and is printed before it.
 */
#include "ffi_rt/cli/import_c.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static size_t
text_hash(const char *text, size_t length)
{
    size_t hash = 5381;

    for (size_t i = 0; i < length; i++)
        hash = hash * 33 + (unsigned char)text[i];
    return hash;
}

char *
frti_text_of_layout(const frt_layout *layout)
{
    size_t size = frt_layout_print(NULL, 0, layout) + 1;
    char *text = frti_import_allocate(size);

    frt_layout_print(text, size, layout);
    return text;
}

/* -------------------------------------------------------------- tables --- */

static bool
declaration_is_tag(const frt_declaration *declaration)
{
    return declaration->what == FRT_DECLARED_STRUCT ||
           declaration->what == FRT_DECLARED_UNION ||
           declaration->what == FRT_DECLARED_ENUM;
}

static void
table_add(const struct frti_printer *printer, size_t *table, const char *key,
          size_t entry)
{
    size_t at = text_hash(key, strlen(key));

    while (table[at & (printer->slots - 1)] != 0)
        at++;
    table[at & (printer->slots - 1)] = entry + 1;
}

static struct frti_entry *
printer_tag(const struct frti_printer *printer, const char *tag, size_t length)
{
    size_t at = text_hash(tag, length);
    size_t found;

    while ((found = printer->tags[at++ & (printer->slots - 1)]) != 0) {
        struct frti_entry *entry = &printer->entries[found - 1];

        if (strncmp(entry->declaration.name, tag, length) == 0 &&
            entry->declaration.name[length] == '\0')
            return entry;
    }
    return NULL;
}

static struct frti_entry *
printer_body(const struct frti_printer *printer, const char *text,
             size_t length)
{
    size_t at = text_hash(text, length);
    size_t found;

    while ((found = printer->bodies[at++ & (printer->slots - 1)]) != 0) {
        struct frti_entry *entry = &printer->entries[found - 1];

        if (strncmp(entry->body, text, length) == 0 &&
            entry->body[length] == '\0')
            return entry;
    }
    return NULL;
}

/* Of several typedefs of one body the first counts: the search finds it. */
static void
printer_index(struct frti_printer *printer, size_t i)
{
    struct frti_entry *entry = &printer->entries[i];
    const frt_declaration *declaration = &entry->declaration;
    const frt_layout *layout = declaration->layout;

    if (declaration_is_tag(declaration)) {
        table_add(printer, printer->tags, declaration->name, i);
    } else if (declaration->what == FRT_DECLARED_TYPEDEF && layout != NULL &&
               frt_layout_is_complete(layout) &&
               frt_layout_tag(layout) == NULL &&
               (frt_layout_kind(layout) == FRT_KIND_STRUCT ||
                frt_layout_kind(layout) == FRT_KIND_UNION)) {
        entry->body = frti_text_of_layout(layout);
        table_add(printer, printer->bodies, entry->body, i);
    }
}

bool
frti_printer_begin(struct frti_printer *printer)
{
    printer->count = frt_decls_count(printer->import->decls);
    for (printer->slots = 16; printer->slots < 2 * printer->count + 2;)
        printer->slots *= 2;
    printer->entries =
        frti_import_allocate(printer->count * sizeof *printer->entries);
    printer->bodies =
        frti_import_allocate(printer->slots * sizeof *printer->bodies);
    printer->tags =
        frti_import_allocate(printer->slots * sizeof *printer->tags);
    for (size_t i = 0; i < printer->count; i++) {
        if (frt_decls_at(&printer->entries[i].declaration,
                         printer->import->decls, i) != FRT_OK)
            return false;
        printer_index(printer, i);
    }
    return true;
}

void
frti_printer_end(struct frti_printer *printer)
{
    for (size_t i = 0; i < printer->count; i++)
        free(printer->entries[i].body);
    free(printer->entries);
    free(printer->bodies);
    free(printer->tags);
}

/* ------------------------------------------------------------ shrinking --- */

/* An aggregate within a text: `struct [__attribute__((...))] [tag] [{...}]`,
 * `enum [tag] [: type]`. */
struct piece {
    const char *start;
    const char *tag;
    size_t tag_length; /* 0: none */
    const char *brace; /* of its body; NULL: none */
    const char *end;   /* behind all of it */
    bool is_enum;
};

static bool
is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static size_t
word_length(const char *text)
{
    size_t length = 0;

    while (is_word(text[length]))
        length++;
    return length;
}

static const char *
after_brackets(const char *at, char open, char close)
{
    size_t depth = 0;

    do {
        depth += *at == open;
        depth -= *at == close;
    } while (*at++ != '\0' && depth > 0);
    return at;
}

static const char *
piece_enum_end(const char *at)
{
    static const char type[] = " : ";

    if (strncmp(at, type, 3) != 0 && strncmp(at, ": ", 2) != 0)
        return at;
    at += *at == ' ' ? 3 : 2;
    for (;;) { /* words of an integer type */
        size_t length = word_length(at);
        static const char *const words[] = {"unsigned", "signed", "char",
                                            "short",    "int",    "long"};
        bool is_one = false;

        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            is_one |= strlen(words[i]) == length &&
                      strncmp(at, words[i], length) == 0;
        if (!is_one)
            return at[-1] == ' ' ? at - 1 : at;
        at += length;
        if (*at != ' ')
            return at;
        at++;
    }
}

/* Reads one at `start`, at the beginning of a word; false: there is none. */
static bool
piece_read(struct piece *out, const char *start)
{
    static const char attribute[] = "__attribute__((";
    size_t length = word_length(start);
    const char *at = start + length;

    *out = (struct piece){.start = start};
    out->is_enum = length == 4 && strncmp(start, "enum", 4) == 0;
    if (!out->is_enum && !(length == 6 && strncmp(start, "struct", 6) == 0) &&
        !(length == 5 && strncmp(start, "union", 5) == 0))
        return false;
    at += *at == ' ';
    if (strncmp(at, attribute, sizeof attribute - 1) == 0) {
        at = after_brackets(at + 13, '(', ')');
        at += *at == ' ';
    }
    out->tag = at;
    out->tag_length = word_length(at);
    at += out->tag_length;
    if (out->is_enum) {
        out->end = piece_enum_end(at);
        return true;
    }
    if (out->tag_length > 0 && at[0] == ' ' && at[1] == '{')
        at++;
    if (*at == '{') {
        out->brace = at;
        at = after_brackets(at, '{', '}');
    }
    out->end = at;
    return true;
}

/* What a text is put together in. */
struct shrunk {
    char *bytes;
    size_t length;
    size_t capacity;
};

static void
shrunk_add(struct shrunk *out, const char *bytes, size_t length)
{
    if (out->capacity - out->length <= length) {
        size_t capacity = 2 * (out->length + length) + 256;
        char *larger = frti_import_allocate(capacity);

        if (out->length > 0)
            memcpy(larger, out->bytes, out->length);
        free(out->bytes);
        out->bytes = larger;
        out->capacity = capacity;
    }
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
}

/* An enum whose constants are not known is what it is stored in. */
static void
shrink_enum(struct frti_printer *printer, struct shrunk *out,
            const struct piece *piece)
{
    struct frti_entry *entry =
        piece->tag_length == 0
            ? NULL
            : printer_tag(printer, piece->tag, piece->tag_length);
    const char *colon =
        memchr(piece->start, ':', (size_t)(piece->end - piece->start));

    if (entry != NULL && frti_entry_has_constants(printer, entry)) {
        frti_entry_need(printer, entry, true);
        shrunk_add(out, "enum ", 5);
        shrunk_add(out, piece->tag, piece->tag_length);
    } else if (colon != NULL) {
        shrunk_add(out, colon + 2, (size_t)(piece->end - colon - 2));
    } else {
        shrunk_add(out, "int", 3);
    }
}

static void shrink(struct frti_printer *printer, struct shrunk *out,
                   const char *text, const char *end, const char *body);

/* `body`: the brace of the one body that stays. */
static void
shrink_piece(struct frti_printer *printer, struct shrunk *out,
             const struct piece *piece, const char *body)
{
    struct frti_entry *entry;

    if (piece->is_enum) {
        shrink_enum(printer, out, piece);
        return;
    }
    if (piece->tag_length > 0 &&
        (piece->brace == NULL || piece->brace != body)) {
        frti_entry_need(printer,
                        printer_tag(printer, piece->tag, piece->tag_length),
                        piece->brace != NULL);
        shrunk_add(out, piece->start, piece->start[0] == 's' ? 7 : 6);
        shrunk_add(out, piece->tag, piece->tag_length);
        return;
    }
    entry = piece->brace == body || piece->brace == NULL
                ? NULL
                : printer_body(printer, piece->start,
                               (size_t)(piece->end - piece->start));
    if (entry != NULL) {
        frti_entry_need(printer, entry, true);
        shrunk_add(out, entry->declaration.name,
                   strlen(entry->declaration.name));
        return;
    }
    if (piece->brace == NULL) {
        shrunk_add(out, piece->start, (size_t)(piece->end - piece->start));
        return;
    }
    shrunk_add(out, piece->start, (size_t)(piece->brace + 1 - piece->start));
    shrink(printer, out, piece->brace + 1, piece->end, body);
}

static void
shrink(struct frti_printer *printer, struct shrunk *out, const char *text,
       const char *end, const char *body)
{
    while (text < end) {
        struct piece piece;
        size_t length;

        if (piece_read(&piece, text)) {
            shrink_piece(printer, out, &piece, body);
            text = piece.end;
            continue;
        }
        length = word_length(text);
        length += length == 0;
        shrunk_add(out, text, length);
        text += length;
    }
}

/* The members of the outermost body on a line each. */
static void
print_indented(FILE *file, const char *text)
{
    size_t depth = 0;

    for (; *text != '\0'; text++) {
        bool is_end = text[0] == ' ' && text[1] == '}';

        if (depth == 1 && is_end) {
            fputc('\n', file);
            continue;
        }
        depth += *text == '{';
        depth -= *text == '}';
        fputc(*text, file);
        if (depth == 1 && text[1] == ' ' && text[2] != '}' &&
            (*text == '{' || *text == ';')) {
            fputs("\n    ", file);
            text++;
        }
    }
}

/* Prints the text, shrunk but for the body that begins at `body`. What it needs
 * comes first, so it is put together before it is printed. */
void
frti_print_shrunk(struct frti_printer *printer, const char *text,
                  const char *body, const char *before, const char *after)
{
    size_t length = strlen(text);
    struct shrunk out = {.bytes = NULL};

    shrink(printer, &out, text, text + length, body);
    shrunk_add(&out, "", 1);
    fputs(before, printer->file);
    print_indented(printer->file, out.bytes);
    fputs(after, printer->file);
    free(out.bytes);
}
