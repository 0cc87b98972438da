/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Random structs and unions as text and back:
 *
 *     reparse SEED COUNT
 *
 * What frt_layout_print writes is read by frt_layout_parse as the same type;
 * with #pragma pack, which a type's text cannot have, as one of the same shape.
 */
#include <stdio.h>
#include <stdlib.h>

#include "test/layout/random_types.h"

#define TEXT_SIZE 65536

static bool
is_as_wanted(const struct random_type *type, const frt_layout *back)
{
    const frt_layout *real = type->pair.real;

    if (type->pack == 0)
        return back == real;
    return frt_layout_size(back) == frt_layout_size(real) &&
           frt_layout_alignment(back) == frt_layout_alignment(real);
}

static bool
reparse(const struct random_type *type)
{
    frt_parse_options options = {.size = sizeof options, .raw_pointers = true};
    static char text[TEXT_SIZE];
    static char again[TEXT_SIZE];
    const frt_layout *back = NULL;
    bool is_right;

    frt_layout_print(text, sizeof text, type->pair.real);
    check(frt_layout_parse(&back, text, &options));
    is_right = is_as_wanted(type, back);
    if (!is_right) {
        frt_layout_print(again, sizeof again, back);
        printf("from %s\nmade %s\n", text, again);
    }
    frt_layout_drop(back);
    return is_right;
}

int
main(int count, char **arguments)
{
    unsigned long types;
    unsigned long wrong = 0;

    if (count != 3) {
        fprintf(stderr, "usage: reparse SEED COUNT\n");
        return 2;
    }
    random_begin(frt_model_native(), strtoul(arguments[1], NULL, 0));
    types = strtoul(arguments[2], NULL, 0);
    for (unsigned long i = 0; i < types; i++) {
        char tag[24];
        struct random_type type;

        snprintf(tag, sizeof tag, "t%lu", i);
        type = random_type(tag);
        wrong += !reparse(&type);
        random_type_drop(&type);
    }
    printf("%lu types, %lu came back as others\n", types, wrong);
    return wrong != 0;
}
