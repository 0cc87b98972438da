/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* A model's value layouts, written as a table. For the files with models. */
#ifndef FRTI_LAYOUT_DATA_MODEL_H
#define FRTI_LAYOUT_DATA_MODEL_H

#include "ffi_rt/layout/layout.h"

#define FRTI_MODEL_VALUE(of_model, of_kind, bytes, align, sign)                \
    {                                                                          \
        .model = &(of_model), .kind = FRT_KIND_##of_kind, .is_complete = true, \
        .is_signed = (sign), .size = (bytes), .alignment = (align),            \
        .natural_alignment = (align), .strict_alignment = (align)              \
    }

/* One whose alignment is its size. */
#define FRTI_MODEL_SCALAR(of_model, of_kind, bytes, sign)                      \
    [FRT_KIND_##of_kind] =                                                     \
        FRTI_MODEL_VALUE(of_model, of_kind, bytes, bytes, sign)

/* What all LP64 targets share. */
#define FRTI_MODEL_LP64(of_model, char_sign)                                   \
    [FRT_KIND_VOID] = {.model = &(of_model), .kind = FRT_KIND_VOID},           \
    FRTI_MODEL_SCALAR(of_model, BOOL, 1, false),                               \
    FRTI_MODEL_SCALAR(of_model, CHAR, 1, char_sign),                           \
    FRTI_MODEL_SCALAR(of_model, SCHAR, 1, true),                               \
    FRTI_MODEL_SCALAR(of_model, UCHAR, 1, false),                              \
    FRTI_MODEL_SCALAR(of_model, SHORT, 2, true),                               \
    FRTI_MODEL_SCALAR(of_model, USHORT, 2, false),                             \
    FRTI_MODEL_SCALAR(of_model, INT, 4, true),                                 \
    FRTI_MODEL_SCALAR(of_model, UINT, 4, false),                               \
    FRTI_MODEL_SCALAR(of_model, LONG, 8, true),                                \
    FRTI_MODEL_SCALAR(of_model, ULONG, 8, false),                              \
    FRTI_MODEL_SCALAR(of_model, LLONG, 8, true),                               \
    FRTI_MODEL_SCALAR(of_model, ULLONG, 8, false),                             \
    FRTI_MODEL_SCALAR(of_model, INT128, 16, true),                             \
    FRTI_MODEL_SCALAR(of_model, UINT128, 16, false),                           \
    FRTI_MODEL_SCALAR(of_model, FLOAT, 4, false),                              \
    FRTI_MODEL_SCALAR(of_model, DOUBLE, 8, false)

#define FRTI_MODEL_ADDRESSES(of_model)                                         \
    .raw = FRTI_MODEL_VALUE(of_model, POINTER, 8, 8, false),                   \
    .segment = {.model = &(of_model),                                          \
                .kind = FRT_KIND_SEGMENT,                                      \
                .is_complete = true,                                           \
                .size = 8,                                                     \
                .alignment = 8,                                                \
                .natural_alignment = 8,                                        \
                .strict_alignment = 8,                                         \
                .asked_alignment = 1}

extern const frt_model frti_model_x86_64;
extern const frt_model frti_model_aarch64;
extern const frt_model frti_model_aarch64_apple;

#endif
