/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Random structs and unions of all that a layout can be. The same seed gives
 * the same types.
 *
 * Types under #pragma pack are made twice: `real` is what is tested; `text` is
 * the same without the pragma's effect, to be printed between pragmas.
 *
 * Where gcc and clang 14 place things differently, we follow gcc, and clang is
 * not to be asked: `only_gcc`. random_types.c says where.
 */
#ifndef TEST_LAYOUT_RANDOM_TYPES_H
#define TEST_LAYOUT_RANDOM_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "ffi_rt/ffi_rt.h"

struct pair {
    const frt_layout *real;
    const frt_layout *text;
};

struct random_type {
    struct pair pair;
    size_t pack;      /* of the pragma, or 0 */
    bool only_gcc;    /* it has something that clang sees otherwise */
    bool has_float16; /* clang 14 has none on x86-64 */
};

void random_begin(const frt_model *model, uint64_t seed);

/* Its tag is `tag` in the text, with "r_" before it in the real one. */
struct random_type random_type(const char *tag);
void random_type_drop(const struct random_type *type);

/* Ends the process if it is no success. */
void check(frt_status status);

#endif
