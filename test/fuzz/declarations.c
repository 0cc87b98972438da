/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * For libFuzzer: any text, as a type, as a prototype, and as two texts of a
 * declaration set, the first of which ends at the first byte 1. All that is
 * found in the set is asked for and printed; what is printed of a layout is
 * read again, and then as large as before.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/ffi_rt.h"

#define TEXT_LIMIT 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char printed[TEXT_LIMIT];

static void
check_detail(frt_status status)
{
    if (status != FRT_OK && frt_last_detail()[0] == '\0')
        abort();
}

/* A text that was cut cannot be read again. */
static void
check_layout(const frt_layout *layout)
{
    const frt_layout *again;

    if (frt_layout_print(printed, sizeof printed, layout) >= sizeof printed ||
        !frt_layout_is_complete(layout))
        return;
    if (frt_layout_parse(&again, printed, NULL) != FRT_OK)
        return; /* two structs of one tag, from two scopes, say */
    if (frt_layout_size(again) != frt_layout_size(layout) ||
        frt_layout_alignment(again) != frt_layout_alignment(layout))
        abort();
    frt_layout_drop(again);
}

static void
try_type(const char *text)
{
    const frt_layout *layout;
    frt_status status = frt_layout_parse(&layout, text, NULL);

    check_detail(status);
    if (status != FRT_OK)
        return;
    check_layout(layout);
    frt_layout_drop(layout);
}

static void
try_prototype(const char *text)
{
    frt_prototype *prototype;
    frt_status status = frt_prototype_parse(&prototype, text, NULL);

    check_detail(status);
    if (status != FRT_OK)
        return;
    frt_descriptor_print(printed, sizeof printed,
                         frt_prototype_descriptor(prototype),
                         frt_prototype_name(prototype));
    frt_prototype_free(prototype);
}

static void
look_around(frt_decls *decls)
{
    for (size_t i = 0; i < frt_decls_count(decls); i++) {
        frt_declaration declaration;
        const frt_prototype *function;

        if (frt_decls_at(&declaration, decls, i) != FRT_OK)
            abort();
        if (declaration.name == NULL || declaration.file == NULL)
            abort();
        if (declaration.layout != NULL)
            check_layout(declaration.layout);
        if (declaration.what == FRT_DECLARED_FUNCTION)
            check_detail(
                frt_decls_function(&function, decls, declaration.name));
    }
}

/* A text that fails must leave the set as it was. */
static void
try_set(const char *first, const char *second)
{
    frt_decls *decls;
    size_t count;

    if (frt_decls_new(&decls, NULL) != FRT_OK)
        abort();
    check_detail(frt_decls_add(decls, first, "first.h"));
    count = frt_decls_count(decls);
    if (frt_decls_add(decls, second, NULL) != FRT_OK &&
        frt_decls_count(decls) != count)
        abort();
    check_detail(frt_decls_define(decls, "defined", second));
    look_around(decls);
    frt_decls_free(decls);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    char *second;

    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    try_type(text);
    try_prototype(text);
    second = strchr(text, 1);
    if (second != NULL)
        *second++ = '\0';
    try_set(text, second == NULL ? "" : second);
    free(text);
    return 0;
}
