/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Clean C from declarations: each entry after what it is made of. */
#include "ffi_rt/cli/import_c.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    text = frti_text_of_layout(made);
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
    char *type = frti_text_of_layout(layout);
    size_t size = strlen(type) + strlen(name) + 2;
    char *text = frti_import_allocate(size);

    snprintf(text, size, "%s %s", type, name);
    free(type);
    return text;
}

/* A typedef of a function has no layout: a pointer to one has. */
static char *
function_type_text(const struct frti_printer *printer, const char *name)
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
print_declarator(struct frti_printer *printer, const struct frti_entry *entry,
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
    frti_print_shrunk(printer, text,
                      entry->body == NULL ? NULL : strchr(text, '{'), before,
                      after);
    free(text);
}

static void
print_function(struct frti_printer *printer, const frt_declaration *declaration)
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
    frti_print_shrunk(printer, text, NULL, "", after);
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
print_constant(struct frti_printer *printer, const frt_declaration *constant)
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
enum_first(const struct frti_printer *printer, const struct frti_entry *entry)
{
    size_t at = (size_t)(entry - printer->entries);

    while (at > 0) {
        const frt_declaration *one = &printer->entries[at - 1].declaration;

        if (one->what != FRT_DECLARED_CONSTANT ||
            printer->entries[at - 1].state == FRTI_ENTRY_DONE ||
            one->line < entry->declaration.line ||
            one->file != entry->declaration.file)
            break;
        at--;
    }
    return at;
}

bool
frti_entry_has_constants(const struct frti_printer *printer,
                         const struct frti_entry *entry)
{
    return entry->state == FRTI_ENTRY_DONE ||
           enum_first(printer, entry) != (size_t)(entry - printer->entries);
}

static void
print_enum(struct frti_printer *printer, const struct frti_entry *entry)
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
        printer->entries[i].state = FRTI_ENTRY_DONE;
    }
    fprintf(printer->file, "\n};\n");
}

/* ------------------------------------------------------------- entries --- */

void
frti_entry_need(struct frti_printer *printer, struct frti_entry *entry,
                bool is_whole)
{
    if (entry == NULL || entry->state == FRTI_ENTRY_DONE)
        return;
    if (is_whole) {
        frti_entry_print(printer, entry);
    } else if (entry->state == FRTI_ENTRY_NEW &&
               entry->declaration.what != FRT_DECLARED_ENUM) {
        fprintf(printer->file, "%s %s;\n",
                entry->declaration.what == FRT_DECLARED_STRUCT ? "struct"
                                                               : "union",
                entry->declaration.name);
        entry->state = FRTI_ENTRY_NAMED;
    }
}

static void
print_tagged(struct frti_printer *printer, struct frti_entry *entry)
{
    char *text;

    if (!frt_layout_is_complete(entry->declaration.layout)) {
        entry->state = FRTI_ENTRY_NEW;
        frti_entry_need(printer, entry, false);
        entry->state = FRTI_ENTRY_DONE;
        return;
    }
    text = frti_text_of_layout(entry->declaration.layout);
    frti_print_shrunk(printer, text, strchr(text, '{'), "", ";\n");
    free(text);
}

void
frti_entry_print(struct frti_printer *printer, struct frti_entry *entry)
{
    bool was_named = entry->state == FRTI_ENTRY_NAMED;

    if (entry->state == FRTI_ENTRY_DONE)
        return;
    if (entry->declaration.what != FRT_DECLARED_ENUM)
        entry->state = FRTI_ENTRY_DONE;
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
        entry->state = FRTI_ENTRY_DONE;
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
entry_waits(const struct frti_printer *printer, size_t at)
{
    for (size_t i = at; i < printer->count; i++) {
        const struct frti_entry *entry = &printer->entries[i];

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
    struct frti_printer printer = {
        .file = file,
        .import = import,
        .options = {.size = sizeof printer.options, .decls = import->decls}};

    if (!frti_printer_begin(&printer))
        fprintf(stderr, "ffi-rt: %s\n", frt_last_detail());
    else
        for (size_t i = 0; i < printer.count; i++) {
            struct frti_entry *entry = &printer.entries[i];

            if (frti_import_wants(import, &entry->declaration) &&
                !(entry->declaration.what == FRT_DECLARED_CONSTANT &&
                  entry_waits(&printer, i)))
                frti_entry_print(&printer, entry);
        }
    frti_printer_end(&printer);
}
