/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What the script gdb stops in: a function that is called by a stub. */
#include <stdio.h>

#include "ffi_rt/ffi_rt.h"

void stop_here(int a, int b);

__attribute__((noinline)) void
stop_here(int a, int b)
{
    printf("%d %d\n", a, b);
}

static __attribute__((noinline)) frt_status
call_it(const frt_downcall *downcall)
{
    int a = 5;
    int b = 6;
    void *arguments[] = {&a, &b};

    return frt_invoke(downcall, (void *)stop_here, NULL, arguments);
}

int
main(void)
{
    const frt_link_options options = {.size = sizeof options,
                                      .backend = FRT_BACKEND_STUB};
    const frt_descriptor *descriptor;
    const frt_downcall *downcall;

    if (frt_descriptor_parse(&descriptor, "void f(int, int)", NULL) != FRT_OK ||
        frt_downcall_link(&downcall, descriptor, &options) != FRT_OK ||
        call_it(downcall) != FRT_OK) {
        fprintf(stderr, "%s\n", frt_last_detail());
        return 1;
    }
    frt_downcall_drop(downcall);
    frt_descriptor_drop(descriptor);
    return 0;
}
