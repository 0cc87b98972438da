/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Declarations as one JSON object: types, functions, variables, constants. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/cli/import.h"
#include "ffi_rt/cli/picture.h"

static void
json_bytes(const char *bytes, size_t length)
{
    size_t capacity = 6 * length + 3; /* \u0000 each, quotes, NUL */
    char *room = frti_import_allocate(capacity);
    struct frti_text text = frti_text_in(room, capacity);

    frti_text_quote(&text, bytes, length, true);
    printf("%s", room);
    free(room);
}

static void
json_text(const char *text)
{
    json_bytes(text, strlen(text));
}

static void
json_head(const frt_declaration *declaration)
{
    printf("{\"name\": ");
    json_text(declaration->name);
    printf(", \"file\": ");
    json_text(declaration->file);
    printf(", \"line\": %zu", declaration->line);
}

static void
json_type(const frt_declaration *declaration)
{
    static const char *const kinds[] = {[FRT_DECLARED_TYPEDEF] = "typedef",
                                        [FRT_DECLARED_STRUCT] = "struct",
                                        [FRT_DECLARED_UNION] = "union",
                                        [FRT_DECLARED_ENUM] = "enum"};

    json_head(declaration);
    printf(", \"kind\": \"%s\", \"layout\": ", kinds[declaration->what]);
    if (declaration->layout == NULL)
        printf("null");
    else
        frti_picture_print_json(declaration->layout);
    printf("}");
}

static void
json_descriptor(const frt_prototype *function)
{
    const frt_descriptor *descriptor = frt_prototype_descriptor(function);

    printf("{\"result\": ");
    frti_picture_print_json_type(frt_descriptor_result(descriptor));
    printf(", \"variadic\": %s, \"parameters\": [",
           frt_descriptor_is_variadic(descriptor) ? "true" : "false");
    for (size_t i = 0; i < frt_descriptor_count(descriptor); i++) {
        const char *name = frt_prototype_parameter_name(function, i);

        printf("%s{\"name\": ", i == 0 ? "" : ", ");
        if (name == NULL)
            printf("null");
        else
            json_text(name);
        printf(", \"type\": ");
        frti_picture_print_json_type(frt_descriptor_parameter(descriptor, i));
        printf("}");
    }
    printf("]}");
}

/* null: no library has it. */
static void
json_symbol(const frt_declaration *declaration)
{
    printf(", \"symbol\": ");
    if (declaration->is_static)
        printf("null");
    else
        json_text(declaration->symbol);
}

static void
json_function(const frt_declaration *declaration)
{
    json_head(declaration);
    json_symbol(declaration);
    printf(", \"descriptor\": ");
    if (declaration->function == NULL)
        printf("null");
    else
        json_descriptor(declaration->function);
    printf("}");
}

static void
json_variable(const frt_declaration *declaration)
{
    json_head(declaration);
    json_symbol(declaration);
    printf(", \"type\": ");
    frti_picture_print_json_type(declaration->layout);
    printf("}");
}

static void
json_real(long double number, frt_kind kind)
{
    char bytes[64];
    struct frti_text text = frti_text_in(bytes, sizeof bytes);

    frti_import_say_real(&text, number, kind);
    printf("%s", bytes);
}

static void
json_constant(const frt_declaration *declaration)
{
    const frt_layout *layout = declaration->layout;

    json_head(declaration);
    printf(", \"type\": ");
    frti_picture_print_json_type(layout);
    printf(", \"value\": ");
    if (frt_layout_is_floating(layout) && isfinite(declaration->number))
        json_real(declaration->number, frt_layout_kind(layout));
    else if (frt_layout_is_floating(layout))
        printf("null");
    else if (frt_layout_kind(layout) == FRT_KIND_ARRAY)
        json_bytes(declaration->string, frt_layout_size(layout) - 1);
    else if (frt_layout_is_signed(layout))
        printf("%lld", (long long)declaration->bits);
    else
        printf("%llu", (unsigned long long)declaration->bits);
    printf("}");
}

static void
json_list(const struct frti_import *import, const char *name,
          frt_declared first, frt_declared last,
          void (*print)(const frt_declaration *declaration))
{
    const char *between = "";

    printf("\"%s\": [", name);
    for (size_t i = 0; i < frt_decls_count(import->decls); i++) {
        frt_declaration declaration;

        if (frt_decls_at(&declaration, import->decls, i) != FRT_OK ||
            declaration.what < first || declaration.what > last ||
            !frti_import_wants(import, &declaration))
            continue;
        printf("%s\n  ", between);
        print(&declaration);
        between = ",";
    }
    printf("]");
}

void
frti_import_print_json(const struct frti_import *import)
{
    printf("{");
    json_list(import, "types", FRT_DECLARED_TYPEDEF, FRT_DECLARED_ENUM,
              json_type);
    printf(",\n");
    json_list(import, "functions", FRT_DECLARED_FUNCTION, FRT_DECLARED_FUNCTION,
              json_function);
    printf(",\n");
    json_list(import, "variables", FRT_DECLARED_VARIABLE, FRT_DECLARED_VARIABLE,
              json_variable);
    printf(",\n");
    json_list(import, "constants", FRT_DECLARED_CONSTANT, FRT_DECLARED_CONSTANT,
              json_constant);
    printf("}\n");
}
