/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/base/options.h"

#include <string.h>

/* No version of any options struct is larger: what says so is not one. */
#define OPTIONS_LIMIT 4096

static bool
options_are_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static frt_status
options_check(size_t size, size_t known, const void *given, const char *name)
{
    if (size < sizeof size)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "%s: its size says %zu, not the struct's size", name,
                         size);
    if (size > OPTIONS_LIMIT)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "%s: its size says %zu, more than any such struct has",
                         name, size);
    if (size > known &&
        !options_are_zero((const unsigned char *)given + known, size - known))
        return frti_fail(FRT_BAD_ARGUMENT,
                         "%s: has options that this version does not know",
                         name);
    return FRT_OK;
}

frt_status
frti_options_read(void *out, size_t out_size, const void *given,
                  const char *name)
{
    size_t size = 0;
    frt_status status;

    if (given != NULL) {
        memcpy(&size, given, sizeof size);
        status = options_check(size, out_size, given, name);
        if (status != FRT_OK)
            return status;
    }
    memset(out, 0, out_size);
    if (given != NULL)
        memcpy(out, given, size < out_size ? size : out_size);
    memcpy(out, &out_size, sizeof out_size);
    return FRT_OK;
}
