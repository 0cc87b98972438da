/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Descriptors, plans and stubs of prototypes, for the tests of this floor. */
#ifndef TEST_UNIT_ABI_STUBS_H
#define TEST_UNIT_ABI_STUBS_H

#include <criterion/criterion.h>
#include <string.h>

#include "abi/abi.h"
#include "ffi_rt/ffi_rt.h"

/* `model` NULL: the native one. */
static inline const frt_descriptor *
parse_for(const char *prototype, const char *model)
{
    frt_parse_options options = {.size = sizeof options, .raw_pointers = true};
    const frt_descriptor *descriptor = NULL;

    if (model != NULL)
        cr_assert_eq(frt_model_find(&options.model, model), FRT_OK);
    cr_assert_eq(frt_descriptor_parse(&descriptor, prototype, &options), FRT_OK,
                 "%s: %s", prototype, frt_last_detail());
    return descriptor;
}

static inline struct frti_call *
stub_of_descriptor(const frt_descriptor *descriptor)
{
    struct frti_call *call = NULL;
    frt_status status = frti_backend_stub.prepare(&call, descriptor);

    cr_assert_eq(status, FRT_OK, "%s", frt_last_detail());
    return call;
}

static inline struct frti_call *
stub_of(const char *prototype)
{
    const frt_descriptor *descriptor = parse_for(prototype, NULL);
    struct frti_call *call = stub_of_descriptor(descriptor);

    frt_descriptor_drop(descriptor);
    return call;
}

static inline frt_entry *
entry_of(const struct frti_call *call)
{
    return frti_backend_stub.entry(call);
}

static inline void
discard(struct frti_call *call)
{
    frti_backend_stub.discard(call);
}

/* Calls `target` once by a stub that goes again. */
static inline void
call_once(const char *prototype, void *target, void *result,
          void *const *arguments)
{
    struct frti_call *call = stub_of(prototype);
    frt_status status = entry_of(call)(target, result, arguments, NULL);

    cr_assert_eq(status, FRT_OK);
    discard(call);
}

#endif
