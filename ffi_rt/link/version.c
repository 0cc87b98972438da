/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <pthread.h>
#include <stdio.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/link/downcall.h"

static char version_text[512];
static pthread_once_t version_once = PTHREAD_ONCE_INIT;

unsigned
frt_version_number(void)
{
    return FRT_VERSION_MAJOR * 10000u + FRT_VERSION_MINOR * 100u +
           FRT_VERSION_PATCH;
}

static void
version_write(void)
{
    frt_backend backend;
    bool is_known = frti_backend_choose(&backend, FRT_BACKEND_AUTO) == FRT_OK;

    snprintf(version_text, sizeof version_text,
             "ffi_rt: %d.%d.%d\n"
             "target: %s\n"
             "backend: %s\n"
             "libffi: %s\n"
             "allocator: %s\n"
             "sessions: one counter each\n",
             FRT_VERSION_MAJOR, FRT_VERSION_MINOR, FRT_VERSION_PATCH,
             frt_model_name(frt_model_native()),
             is_known ? frti_backend_of(backend)->name : frt_last_detail(),
             FRTI_LIBFFI_VERSION, frti_allocator_name());
}

const char *
frt_version_text(void)
{
    pthread_once(&version_once, version_write);
    return version_text;
}
