/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A callback that native code uses after its arena was closed: a sentence, not
 * a crash. By default the process then ends by abort(); here it returns zero.
 */
#include "examples/check.h"

static frt_status
answer(void *context, void *result, void *const *arguments)
{
    (void)context;
    (void)arguments;
    *(int *)result = 42;
    return FRT_OK;
}

static void
print_report(void *context, const frt_upcall_report *report)
{
    (void)context;
    printf("%s: %s\n", frt_status_name(report->status), report->sentence);
}

int
main(void)
{
    const frt_upcall_options options = {.size = sizeof options,
                                        .name = "on_event",
                                        .late = FRT_UPCALL_LATE_ZERO};
    const frt_descriptor *descriptor;
    int (*kept)(int, const char *); /* as a C library would keep it */
    frt_upcall upcall;
    frt_arena arena;

    check(frt_arena_open_confined(&arena));
    check(frt_descriptor_parse(&descriptor, "int (int, const char *)", NULL));
    check(frt_upcall_open(&upcall, arena, descriptor, answer, NULL, &options));
    frt_descriptor_drop(descriptor);
    kept = (int (*)(int, const char *))frt_upcall_address(upcall);
    printf("%d\n", kept(1, "while it is open"));
    check(frt_arena_close(arena));

    frt_upcall_on_report(print_report, NULL);
    printf("%d\n", kept(2, "too late"));
    return 0;
}
