/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Upcalls by their prototypes, for the tests of this floor. */
#ifndef TEST_UNIT_LINK_UPCALLING_H
#define TEST_UNIT_LINK_UPCALLING_H

#include <stdio.h>

#include "test/unit/link/linking.h"

/* Opens one; the descriptor is dropped at once. */
static inline frt_upcall
upcall_of(frt_arena arena, const char *prototype, frt_upcall_fn function,
          void *context, const frt_upcall_options *options)
{
    const frt_descriptor *descriptor;
    frt_upcall upcall = {0};

    CHECK_STATUS(FRT_OK, frt_descriptor_parse(&descriptor, prototype, NULL));
    CHECK_STATUS(FRT_OK, frt_upcall_open(&upcall, arena, descriptor, function,
                                         context, options));
    frt_descriptor_drop(descriptor);
    return upcall;
}

/* Over libffi's closures, as on a CPU without gates, only plain types travel.
 * True: so this is refused, as it should be. */
static inline bool
upcall_is_refused(const char *prototype, frt_upcall_fn function)
{
    const frt_descriptor *descriptor;
    frt_upcall upcall;

    if (!TEST_CLOSURES)
        return false;
    CHECK_STATUS(FRT_OK, frt_descriptor_parse(&descriptor, prototype, NULL));
    CHECK_STATUS(FRT_UNSUPPORTED,
                 frt_upcall_open(&upcall, frt_arena_global(), descriptor,
                                 function, NULL, NULL));
    check_detail("only plain types can");
    frt_descriptor_drop(descriptor);
    return true;
}

/* The address of one in the global arena. */
static inline void *
code_of(const char *prototype, frt_upcall_fn function, void *context)
{
    return frt_upcall_address(
        upcall_of(frt_arena_global(), prototype, function, context, NULL));
}

/* Handlers that read and write by type. */
#define ARGUMENT(type, i) (*(type *)arguments[i])
#define RESULT(type) (*(type *)result)

/* The last report. */
struct seen_report {
    int count;
    frt_status status;
    char sentence[256];
    char type[128];
};

static inline void
see_report(void *context, const frt_upcall_report *report)
{
    struct seen_report *seen = context;

    seen->count++;
    seen->status = report->status;
    snprintf(seen->sentence, sizeof seen->sentence, "%s", report->sentence);
    snprintf(seen->type, sizeof seen->type, "%s", report->type);
}

#endif
