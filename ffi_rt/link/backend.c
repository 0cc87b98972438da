/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Which backend a link gets. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/base/status.h"
#include "ffi_rt/link/downcall.h"

static const char *const backend_words[] = {
    [FRT_BACKEND_AUTO] = "auto",
    [FRT_BACKEND_LIBFFI] = "libffi",
    [FRT_BACKEND_STUB] = "stub",
};

/* Read once: the environment at the first link. NULL: not set. */
static const char *backend_environment;
static pthread_once_t backend_once = PTHREAD_ONCE_INIT;

static void
backend_read_environment(void)
{
    backend_environment = secure_getenv("FRT_BACKEND");
}

static frt_status
backend_of_word(frt_backend *out, const char *word)
{
    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(backend_words); i++)
        if (strcmp(backend_words[i], word) == 0) {
            *out = (frt_backend)i;
            return FRT_OK;
        }
    return frti_fail(FRT_BAD_ARGUMENT,
                     "FRT_BACKEND is '%.64s'; it can be auto, libffi or stub",
                     word);
}

/* The environment's word, or the build's. */
static frt_status
backend_of_auto(frt_backend *out)
{
    pthread_once(&backend_once, backend_read_environment);
    *out = FRTI_CALL_BACKEND;
    return backend_environment == NULL
               ? FRT_OK
               : backend_of_word(out, backend_environment);
}

frt_status
frti_backend_choose(frt_backend *out, frt_backend asked)
{
    frt_backend meant = asked;
    frt_status status = FRT_OK;

    if ((unsigned)asked >= FRTI_ARRAY_LENGTH(backend_words))
        return frti_fail(FRT_BAD_ARGUMENT, "there is no backend %u",
                         (unsigned)asked);
    if (asked == FRT_BACKEND_AUTO)
        status = backend_of_auto(&meant);
    if (status == FRT_OK)
        *out = meant;
    return status;
}

const struct frti_backend *
frti_backend_of(frt_backend kind)
{
    return kind == FRT_BACKEND_STUB ? &frti_backend_stub : &frti_backend_libffi;
}
