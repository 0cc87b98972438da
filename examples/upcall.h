/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* For the examples: an upcall from the text of its prototype. */
#ifndef EXAMPLES_UPCALL_H
#define EXAMPLES_UPCALL_H

#include "examples/check.h"

static inline frt_upcall
upcall_open(frt_arena arena, const char *prototype, frt_upcall_fn function,
            void *context)
{
    frt_upcall_options options = {.size = sizeof options};
    frt_prototype *parsed;
    frt_upcall upcall;

    check(frt_prototype_parse(&parsed, prototype, NULL));
    options.name = frt_prototype_name(parsed);
    check(frt_upcall_open(&upcall, arena, frt_prototype_descriptor(parsed),
                          function, context, &options));
    frt_prototype_free(parsed);
    return upcall;
}

#endif
