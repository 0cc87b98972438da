/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The models: a row a target.
 *
 *   System V ABI, AMD64 supplement 1.0, 3.1.2: x87 long double in 16 bytes,
 *     unnamed bit-fields do not affect alignment.
 *   Procedure Call Standard for AArch64, 2023Q3, 10.1 and 10.1.8: char is
 *     unsigned, long double binary128, each bit-field's container counts.
 *   Apple, Writing ARM64 code for Apple platforms: char is signed, long double
 *     is double, unnamed bit-fields do not count. The compiler there is clang:
 *     a bit-field that has aligned(n) itself, below its type's alignment or
 *     under #pragma pack, may stand elsewhere than here, where gcc puts it.
 */
#include "ffi_rt/layout/data_model.h"

#include <string.h>

#include "ffi_rt/base/compiler.h"

const frt_model frti_model_x86_64 = {
    .name = "x86_64",
    .vector_alignment = FRTI_ALIGNMENT_LIMIT,
    .values = {FRTI_MODEL_LP64(frti_model_x86_64, true),
               FRTI_MODEL_SCALAR(frti_model_x86_64, FLOAT16, 2, false),
               FRTI_MODEL_SCALAR(frti_model_x86_64, LONG_DOUBLE, 16, false),
               FRTI_MODEL_SCALAR(frti_model_x86_64, FLOAT128, 16, false)},
    FRTI_MODEL_ADDRESSES(frti_model_x86_64),
};

const frt_model frti_model_aarch64 = {
    .name = "aarch64",
    .unnamed_bit_fields_align = true,
    .vector_alignment = 16,
    .values = {FRTI_MODEL_LP64(frti_model_aarch64, false),
               FRTI_MODEL_SCALAR(frti_model_aarch64, FLOAT16, 2, false),
               FRTI_MODEL_SCALAR(frti_model_aarch64, LONG_DOUBLE, 16, false),
               FRTI_MODEL_SCALAR(frti_model_aarch64, FLOAT128, 16, false)},
    FRTI_MODEL_ADDRESSES(frti_model_aarch64),
};

const frt_model frti_model_aarch64_apple = {
    .name = "aarch64-apple",
    .vector_alignment = 16,
    .values = {FRTI_MODEL_LP64(frti_model_aarch64_apple, true),
               FRTI_MODEL_SCALAR(frti_model_aarch64_apple, FLOAT16, 2, false),
               FRTI_MODEL_SCALAR(frti_model_aarch64_apple, LONG_DOUBLE, 8,
                                 false)},
    FRTI_MODEL_ADDRESSES(frti_model_aarch64_apple),
};

static const frt_model *const models[] = {
    &frti_model_x86_64,
    &frti_model_aarch64,
    &frti_model_aarch64_apple,
};

const frt_model *
frt_model_native(void)
{
    return frti_native_model;
}

frt_status
frt_model_find(const frt_model **out, const char *name)
{
    if (out == NULL)
        return frti_null_argument("out");
    if (name == NULL)
        return frti_null_argument("name");
    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(models); i++)
        if (strcmp(models[i]->name, name) == 0) {
            *out = models[i];
            return FRT_OK;
        }
    return frti_fail(FRT_NOT_FOUND,
                     "no model '%s': there are x86_64, aarch64 and "
                     "aarch64-apple",
                     name);
}

const char *
frt_model_name(const frt_model *model)
{
    return model->name;
}

const frt_layout *
frt_layout_value(frt_kind kind, const frt_model *model)
{
    const frt_layout *value;

    if (model == NULL)
        model = frti_native_model;
    if ((unsigned)kind > FRT_KIND_FLOAT128)
        return NULL;
    value = &model->values[kind];
    return value->model == NULL ? NULL : value;
}

const frt_layout *
frt_layout_address(frt_kind kind, const frt_model *model)
{
    if (model == NULL)
        model = frti_native_model;
    if (kind == FRT_KIND_POINTER)
        return &model->raw;
    return kind == FRT_KIND_SEGMENT ? &model->segment : NULL;
}
