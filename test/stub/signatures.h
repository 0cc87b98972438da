/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Signatures in any number, no two with the same stub: the digits of the number
 * choose the parameters' types. */
#ifndef TEST_STUB_SIGNATURES_H
#define TEST_STUB_SIGNATURES_H

#include "ffi_rt/ffi_rt.h"

#define SIGNATURES 100000
#define SIGNATURE_PARAMETERS 5

static inline frt_status
signature_link(const frt_downcall **out, unsigned number, frt_backend backend)
{
    const frt_layout *types[] = {FRT_I8,  FRT_U8,         FRT_I16, FRT_U16,
                                 FRT_I32, FRT_U32,        FRT_I64, FRT_F32,
                                 FRT_F64, FRT_LONG_DOUBLE};
    const frt_layout *parameters[SIGNATURE_PARAMETERS];
    frt_link_options options = {};
    const frt_descriptor *descriptor;
    frt_status status;

    options.size = sizeof options;
    options.backend = backend;
    for (unsigned i = 0; i < SIGNATURE_PARAMETERS; i++, number /= 10)
        parameters[i] = types[number % 10];
    status = frt_descriptor_of(&descriptor, FRT_I32, parameters,
                               SIGNATURE_PARAMETERS);
    if (status != FRT_OK)
        return status;
    status = frt_downcall_link(out, descriptor, &options);
    frt_descriptor_drop(descriptor);
    return status;
}

#endif
