/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The native model on an LP64 CPU without a row of its own: what this compiler
 * says, and the bit-field rule that most ABIs share. */
#include "ffi_rt/layout/data_model.h"

_Static_assert(sizeof(long) == 8 && sizeof(void *) == 8, "an LP64 target");

static const frt_model native_other = {
    .name = "native",
    .vector_alignment = 16,
    .values = {FRTI_MODEL_LP64(native_other, (char)-1 < 0),
               [FRT_KIND_LONG_DOUBLE] = FRTI_MODEL_VALUE(
                   native_other, LONG_DOUBLE, sizeof(long double),
                   _Alignof(long double), false)},
    FRTI_MODEL_ADDRESSES(native_other),
};

const frt_model *const frti_native_model = &native_other;
