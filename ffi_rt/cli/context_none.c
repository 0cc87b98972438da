/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/context.h"

struct frti_context
frti_context_of(const void *context)
{
    (void)context;
    return (struct frti_context){0};
}
