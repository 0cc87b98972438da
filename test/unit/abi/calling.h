/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Calls through the libffi backend's verbs. */
#ifndef TEST_UNIT_ABI_CALLING_H
#define TEST_UNIT_ABI_CALLING_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "test/unit/abi/planning.h"

/* `variadic` NULL: no further types. */
static inline const frt_descriptor *
native_descriptor(const char *prototype, const char *variadic)
{
    const char *model = frt_model_name(frt_model_native());

    return variadic == NULL ? parse_prototype(model, prototype)
                            : parse_variadic(model, prototype, variadic);
}

static inline void
run(const struct frti_call *call, void *target, void *result,
    void *const *arguments)
{
    size_t size = frti_backend_libffi.scratch(call);
    void *scratch = aligned_alloc(16, (size + 15) & ~(size_t)15);

    frti_backend_libffi.run(call, target, result, arguments, scratch);
    free(scratch);
}

static inline void
call_variadic(const char *prototype, const char *variadic, void *target,
              void *result, void *const *arguments)
{
    const frt_descriptor *descriptor = native_descriptor(prototype, variadic);
    struct frti_call *call = NULL;

    cr_assert_eq(frti_backend_libffi.prepare(&call, descriptor), FRT_OK, "%s",
                 frt_last_detail());
    run(call, target, result, arguments);
    frti_backend_libffi.discard(call);
    frt_descriptor_drop(descriptor);
}

static inline void
call(const char *prototype, void *target, void *result, void *const *arguments)
{
    call_variadic(prototype, NULL, target, result, arguments);
}

static inline void
check_unsupported(const char *prototype, const char *sentence)
{
    const frt_descriptor *descriptor = native_descriptor(prototype, NULL);
    struct frti_call *call = NULL;

    cr_assert_eq(frti_backend_libffi.prepare(&call, descriptor),
                 FRT_UNSUPPORTED, "%s", prototype);
    cr_assert_null(call);
    cr_assert_not_null(strstr(frt_last_detail(), sentence), "%s: %s", prototype,
                       frt_last_detail());
    frt_descriptor_drop(descriptor);
}

#endif
