/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "benchmarks/frames.h"

#include <dlfcn.h>

struct frames_libc bench_libc;
__thread struct frames_slots bench_slots
    __attribute__((tls_model("initial-exec")));

/* In the object that a function comes from which nobody replaces. */
const char *
bench_libc_find(void)
{
    Dl_info info;
    void *getpid = dlsym(RTLD_DEFAULT, "getpid");
    void *library;

    if (bench_libc.malloc != NULL)
        return NULL;
    if (getpid == NULL || dladdr(getpid, &info) == 0 ||
        (library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) == NULL)
        return "the C library is not found";
    *(void **)&bench_libc.free = dlsym(library, "free");
    *(void **)&bench_libc.malloc = dlsym(library, "malloc");
    (void)dlclose(library);
    return bench_libc.malloc == NULL || bench_libc.free == NULL
               ? "the C library has no malloc"
               : NULL;
}
