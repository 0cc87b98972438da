/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Clean C from declarations.
 *
 * The library prints a layout with all that is in it. Here each struct stands
 * by its name in the others: the text of a tagged one shrinks to its tag, that
 * of one without a tag to the typedef of the same text. What a declaration's
 * text has shrunk to is what it needs, and is printed before it.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/cli/import.h"

enum entry_state { ENTRY_NEW, ENTRY_NAMED, ENTRY_DONE };

struct entry {
    frt_declaration declaration;
    enum entry_state state;
    char *body; /* of a typedef of a struct without a tag: its text */
};

struct printer {
    FILE *file;
    const struct frti_import *import;
    frt_parse_options options;
    struct entry *entries;
    size_t count;
    size_t *bodies; /* entries with one, by hash, plus 1 */
    size_t *tags;   /* struct, union and enum entries, by hash, plus 1 */
    size_t slots;   /* a power of two over twice the entries */
};

static size_t
text_hash(const char *text, size_t length)
{
    size_t hash = 5381;

    for (size_t i = 0; i < length; i++)
        hash = hash * 33 + (unsigned char)text[i];
    return hash;
}

/* The library's text of a layout; the caller frees it. */
static char *
layout_text(const frt_layout *layout)
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
table_add(const struct printer *printer, size_t *table, const char *key,
          size_t entry)
{
    size_t at = text_hash(key, strlen(key));

    while (table[at & (printer->slots - 1)] != 0)
        at++;
    table[at & (printer->slots - 1)] = entry + 1;
}

static struct entry *
printer_tag(const struct printer *printer, const char *tag, size_t length)
{
    size_t at = text_hash(tag, length);
    size_t found;

    while ((found = printer->tags[at++ & (printer->slots - 1)]) != 0) {
        struct entry *entry = &printer->entries[found - 1];

        if (strncmp(entry->declaration.name, tag, length) == 0 &&
            entry->declaration.name[length] == '\0')
            return entry;
    }
    return NULL;
}

static struct entry *
printer_body(const struct printer *printer, const char *text, size_t length)
{
    size_t at = text_hash(text, length);
    size_t found;

    while ((found = printer->bodies[at++ & (printer->slots - 1)]) != 0) {
        struct entry *entry = &printer->entries[found - 1];

        if (strncmp(entry->body, text, length) == 0 &&
            entry->body[length] == '\0')
            return entry;
    }
    return NULL;
}

/* Of several typedefs of one body the first counts: the search finds it. */
static void
printer_index(struct printer *printer, size_t i)
{
    struct entry *entry = &printer->entries[i];
    const frt_declaration *declaration = &entry->declaration;
    const frt_layout *layout = declaration->layout;

    if (declaration_is_tag(declaration)) {
        table_add(printer, printer->tags, declaration->name, i);
    } else if (declaration->what == FRT_DECLARED_TYPEDEF && layout != NULL &&
               frt_layout_is_complete(layout) &&
               frt_layout_tag(layout) == NULL &&
               (frt_layout_kind(layout) == FRT_KIND_STRUCT ||
                frt_layout_kind(layout) == FRT_KIND_UNION)) {
        entry->body = layout_text(layout);
        table_add(printer, printer->bodies, entry->body, i);
    }
}

static bool
printer_begin(struct printer *printer)
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

static void
printer_end(struct printer *printer)
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

static void emit(struct printer *printer, struct entry *entry);
static bool enum_has_constants(const struct printer *printer,
                               const struct entry *entry);

/* Printed first, or at least named, so that it is no struct of a prototype's
 * own. */
static void
emit_needed(struct printer *printer, struct entry *entry, bool is_whole)
{
    if (entry == NULL || entry->state == ENTRY_DONE)
        return;
    if (is_whole) {
        emit(printer, entry);
    } else if (entry->state == ENTRY_NEW &&
               entry->declaration.what != FRT_DECLARED_ENUM) {
        fprintf(printer->file, "%s %s;\n",
                entry->declaration.what == FRT_DECLARED_STRUCT ? "struct"
                                                               : "union",
                entry->declaration.name);
        entry->state = ENTRY_NAMED;
    }
}

/* What a text is put together in. */
struct shrunk {
    char *bytes; /* as long as the text at most */
    size_t length;
};

static void
shrunk_add(struct shrunk *out, const char *bytes, size_t length)
{
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
}

/* An enum whose constants are not known is what it is stored in. */
static void
shrink_enum(struct printer *printer, struct shrunk *out,
            const struct piece *piece)
{
    struct entry *entry =
        piece->tag_length == 0
            ? NULL
            : printer_tag(printer, piece->tag, piece->tag_length);
    const char *colon =
        memchr(piece->start, ':', (size_t)(piece->end - piece->start));

    if (entry != NULL && enum_has_constants(printer, entry)) {
        emit_needed(printer, entry, true);
        shrunk_add(out, "enum ", 5);
        shrunk_add(out, piece->tag, piece->tag_length);
    } else if (colon != NULL) {
        shrunk_add(out, colon + 2, (size_t)(piece->end - colon - 2));
    } else {
        shrunk_add(out, "int", 3);
    }
}

static void shrink(struct printer *printer, struct shrunk *out,
                   const char *text, const char *end, const char *body);

/* `body`: the brace of the one body that stays. */
static void
shrink_piece(struct printer *printer, struct shrunk *out,
             const struct piece *piece, const char *body)
{
    struct entry *entry;

    if (piece->is_enum) {
        shrink_enum(printer, out, piece);
        return;
    }
    if (piece->tag_length > 0 &&
        (piece->brace == NULL || piece->brace != body)) {
        emit_needed(printer,
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
        emit_needed(printer, entry, true);
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
shrink(struct printer *printer, struct shrunk *out, const char *text,
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
static void
print_shrunk(struct printer *printer, const char *text, const char *body,
             const char *before, const char *after)
{
    size_t length = strlen(text);
    /* a typedef's name may be longer than a short body */
    struct shrunk out = {.bytes = frti_import_allocate(8 * length + 4096)};

    shrink(printer, &out, text, text + length, body);
    out.bytes[out.length] = '\0';
    fputs(before, printer->file);
    print_indented(printer->file, out.bytes);
    fputs(after, printer->file);
    free(out.bytes);
}

/* ------------------------------------------------------------ printing --- */

/* The text of `layout name`: it is what a struct of one member has. NULL: none;
 * the caller frees it. */
static char *
declarator_text(const frt_layout *layout, const char *name)
{
    bool is_flexible = frt_layout_kind(layout) == FRT_KIND_ARRAY &&
                       !frt_layout_is_complete(layout);
    const frt_member members[] = {
        {"frt", frt_layout_value(FRT_KIND_CHAR, frt_layout_model(layout))},
        {name, layout}};
    const frt_aggregate_options options = {.size = sizeof options,
                                           .model = frt_layout_model(layout)};
    const frt_layout *made;
    char *text;
    char *start;

    if (frt_layout_struct(&made, members + !is_flexible, 1 + is_flexible,
                          &options) != FRT_OK)
        return NULL;
    text = layout_text(made);
    frt_layout_drop(made);
    start = strchr(text, '{') + 2 + (is_flexible ? strlen("char frt; ") : 0);
    memmove(text, start, strlen(start) + 1);
    text[strlen(text) - 3] = '\0'; /* "; }" */
    return text;
}

/* `void` and incomplete structs are no members. */
static char *
plain_text(const frt_layout *layout, const char *name)
{
    char *type = layout_text(layout);
    size_t size = strlen(type) + strlen(name) + 2;
    char *text = frti_import_allocate(size);

    snprintf(text, size, "%s %s", type, name);
    free(type);
    return text;
}

/* A typedef of a function has no layout: a pointer to one has. */
static char *
function_type_text(const struct printer *printer, const char *name)
{
    const frt_layout *layout;
    char *text;
    char *at;
    size_t size = strlen(name) + 3;
    char *type = frti_import_allocate(size);

    snprintf(type, size, "%s *", name);
    if (frt_layout_parse(&layout, type, &printer->options) != FRT_OK ||
        frt_layout_kind(frt_layout_element(layout)) != FRT_KIND_FUNCTION) {
        free(type);
        return NULL;
    }
    free(type);
    text = declarator_text(layout, name);
    frt_layout_drop(layout);
    at = text == NULL ? NULL : strstr(text, "(*");
    while (at != NULL && (strncmp(at + 2, name, strlen(name)) != 0 ||
                          at[2 + strlen(name)] != ')'))
        at = strstr(at + 2, "(*");
    if (at != NULL) {
        memmove(at, at + 2, strlen(at + 2) + 1);
        memmove(at + strlen(name), at + strlen(name) + 1,
                strlen(at + strlen(name) + 1) + 1);
    }
    return text;
}

/* The compiler's own, of which no header has the members. */
static bool
layout_is_va_list(const frt_layout *layout)
{
    const char *tag;

    if (layout != NULL && frt_layout_kind(layout) == FRT_KIND_ARRAY)
        layout = frt_layout_element(layout);
    tag = layout == NULL ? NULL : frt_layout_tag(layout);
    return tag != NULL && strncmp(tag, "__va_list", 9) == 0;
}

static void
print_declarator(struct printer *printer, const struct entry *entry,
                 const char *before)
{
    const frt_declaration *declaration = &entry->declaration;
    const frt_layout *layout = declaration->layout;
    char *text = NULL;
    char after[320];

    if (layout_is_va_list(layout)) {
        fprintf(printer->file, "%s__builtin_va_list %s;\n", before,
                declaration->name);
        return;
    }
    if (layout == NULL)
        text = function_type_text(printer, declaration->name);
    else if (frt_layout_is_complete(layout) ||
             frt_layout_kind(layout) == FRT_KIND_ARRAY)
        text = declarator_text(layout, declaration->name);
    else
        text = plain_text(layout, declaration->name);
    if (text == NULL) {
        fprintf(printer->file, "/* %s: its type cannot be told */\n",
                declaration->name);
        return;
    }
    snprintf(after, sizeof after, ";\n");
    if (declaration->symbol != NULL &&
        strcmp(declaration->symbol, declaration->name) != 0)
        snprintf(after, sizeof after, " asm(\"%.300s\");\n",
                 declaration->symbol);
    print_shrunk(printer, text, entry->body == NULL ? NULL : strchr(text, '{'),
                 before, after);
    free(text);
}

static void
print_function(struct printer *printer, const frt_declaration *declaration)
{
    const frt_descriptor *descriptor;
    const frt_prototype *unused;
    char after[320] = ";\n";
    char *text;
    size_t size;

    if (declaration->function == NULL) {
        if (frt_decls_function(&unused, printer->import->decls,
                               declaration->name) != FRT_OK)
            fprintf(printer->file, "/* %s */\n", frt_last_detail());
        return;
    }
    descriptor = frt_prototype_descriptor(declaration->function);
    size = frt_descriptor_print(NULL, 0, descriptor, declaration->name) + 1;
    text = frti_import_allocate(size);
    frt_descriptor_print(text, size, descriptor, declaration->name);
    if (strcmp(declaration->symbol, declaration->name) != 0)
        snprintf(after, sizeof after, " asm(\"%.300s\");\n",
                 declaration->symbol);
    print_shrunk(printer, text, NULL, "", after);
    free(text);
}

/* A string as C has it; octal escapes end by themselves. */
static void
print_string(FILE *file, const char *text, size_t length)
{
    fputc('"', file);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < ' ' || c >= 0x7f || c == '?' || c == ']')
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

static void
print_real(FILE *file, const frt_declaration *constant)
{
    bool is_long = frt_layout_kind(constant->layout) == FRT_KIND_LONG_DOUBLE;

    if (!isfinite(constant->number))
        fprintf(file, "/* %s is not finite */\n", constant->name);
    else if (is_long)
        fprintf(file, "static const long double %s = %.21LgL;\n",
                constant->name, constant->number);
    else
        fprintf(file, "static const double %s = %.17g;\n", constant->name,
                (double)constant->number);
}

static void
print_constant(struct printer *printer, const frt_declaration *constant)
{
    FILE *file = printer->file;
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

/* ---------------------------------------------------------------- enums --- */

/* The constants of a tagged enum stand before it, from its own line on. */
static size_t
enum_first(const struct printer *printer, const struct entry *entry)
{
    size_t at = (size_t)(entry - printer->entries);

    while (at > 0) {
        const frt_declaration *one = &printer->entries[at - 1].declaration;

        if (one->what != FRT_DECLARED_CONSTANT ||
            printer->entries[at - 1].state == ENTRY_DONE ||
            one->line < entry->declaration.line ||
            one->file != entry->declaration.file)
            break;
        at--;
    }
    return at;
}

static bool
enum_has_constants(const struct printer *printer, const struct entry *entry)
{
    return entry->state == ENTRY_DONE ||
           enum_first(printer, entry) != (size_t)(entry - printer->entries);
}

static void
print_enum(struct printer *printer, const struct entry *entry)
{
    size_t first = enum_first(printer, entry);
    size_t end = (size_t)(entry - printer->entries);
    bool is_packed = frt_layout_size(entry->declaration.layout) < 4;

    if (first == end)
        return;
    fprintf(printer->file, "enum %s%s {",
            is_packed ? "__attribute__((packed)) " : "",
            entry->declaration.name);
    for (size_t i = first; i < end; i++) {
        fprintf(printer->file, "%s\n    %s = ", i == first ? "" : ",",
                printer->entries[i].declaration.name);
        print_integer(printer->file, &printer->entries[i].declaration);
        printer->entries[i].state = ENTRY_DONE;
    }
    fprintf(printer->file, "\n};\n");
}

/* ---------------------------------------------------------------- emit --- */

static void
print_tagged(struct printer *printer, struct entry *entry)
{
    char *text;

    if (!frt_layout_is_complete(entry->declaration.layout)) {
        entry->state = ENTRY_NEW;
        emit_needed(printer, entry, false);
        entry->state = ENTRY_DONE;
        return;
    }
    text = layout_text(entry->declaration.layout);
    print_shrunk(printer, text, strchr(text, '{'), "", ";\n");
    free(text);
}

static void
emit(struct printer *printer, struct entry *entry)
{
    bool was_named = entry->state == ENTRY_NAMED;

    if (entry->state == ENTRY_DONE)
        return;
    if (entry->declaration.what != FRT_DECLARED_ENUM)
        entry->state = ENTRY_DONE;
    switch (entry->declaration.what) {
    case FRT_DECLARED_TYPEDEF:
        print_declarator(printer, entry, "typedef ");
        break;
    case FRT_DECLARED_STRUCT:
    case FRT_DECLARED_UNION:
        if (!was_named || frt_layout_is_complete(entry->declaration.layout))
            print_tagged(printer, entry);
        break;
    case FRT_DECLARED_ENUM:
        print_enum(printer, entry);
        entry->state = ENTRY_DONE;
        break;
    case FRT_DECLARED_FUNCTION:
        print_function(printer, &entry->declaration);
        break;
    case FRT_DECLARED_VARIABLE:
        print_declarator(printer, entry, "extern ");
        break;
    case FRT_DECLARED_CONSTANT:
        print_constant(printer, &entry->declaration);
        break;
    }
}

/* A constant of a tagged enum is printed with it. */
static bool
entry_waits(const struct printer *printer, size_t at)
{
    for (size_t i = at; i < printer->count; i++) {
        const struct entry *entry = &printer->entries[i];

        if (entry->declaration.what == FRT_DECLARED_ENUM)
            return frti_import_wants(printer->import, &entry->declaration) &&
                   enum_first(printer, entry) <= at;
        if (entry->declaration.what != FRT_DECLARED_CONSTANT)
            return false;
    }
    return false;
}

void
frti_import_print_c(FILE *file, const struct frti_import *import)
{
    struct printer printer = {
        .file = file,
        .import = import,
        .options = {.size = sizeof printer.options, .decls = import->decls}};

    if (!printer_begin(&printer))
        fprintf(stderr, "ffi-rt: %s\n", frt_last_detail());
    else
        for (size_t i = 0; i < printer.count; i++) {
            struct entry *entry = &printer.entries[i];

            if (frti_import_wants(import, &entry->declaration) &&
                !(entry->declaration.what == FRT_DECLARED_CONSTANT &&
                  entry_waits(&printer, i)))
                emit(&printer, entry);
        }
    printer_end(&printer);
}
