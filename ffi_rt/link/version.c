/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <pthread.h>
#include <stdio.h>

#include "ffi_rt/base/allocator.h"
#include "ffi_rt/base/code_memory.h"
#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/link/downcall.h"
#include "ffi_rt/memory/session.h"

static char version_text[512];
static pthread_once_t version_once = PTHREAD_ONCE_INIT;

unsigned
frt_version_number(void)
{
    return FRT_VERSION_MAJOR * 10000u + FRT_VERSION_MINOR * 100u +
           FRT_VERSION_PATCH;
}

/* What a link gets that asks for no backend. */
static const char *
version_backend(void)
{
    frt_backend backend;

    if (frti_backend_choose(&backend, FRT_BACKEND_AUTO) != FRT_OK)
        return frt_last_detail();
    if (backend == FRT_BACKEND_AUTO && frti_code_try() == FRT_OK)
        return frti_backend_stub.name;
    return frti_backend_of(backend)->name;
}

static const char *
version_code_memory(void)
{
    if (frti_code_try() != FRT_OK)
        return frt_last_detail();
    return frti_code_is_guarded() ? "given; PR_SET_MDWE is on" : "given";
}

static void
version_write(void)
{
    char backend[128];
    char sessions[128];

    snprintf(backend, sizeof backend, "%s", version_backend());
    snprintf(sessions, sizeof sessions, "%s", frti_session_mode());
    snprintf(version_text, sizeof version_text,
             "ffi_rt: %d.%d.%d\n"
             "target: %s\n"
             "backend: %s\n"
             "code memory: %s\n"
             "libffi: %s\n"
             "allocator: %s\n"
             "sessions: %s\n",
             FRT_VERSION_MAJOR, FRT_VERSION_MINOR, FRT_VERSION_PATCH,
             frt_model_name(frt_model_native()), backend, version_code_memory(),
             FRTI_LIBFFI_VERSION, frti_allocator_name(), sessions);
}

const char *
frt_version_text(void)
{
    pthread_once(&version_once, version_write);
    return version_text;
}
