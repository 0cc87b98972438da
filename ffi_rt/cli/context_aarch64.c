/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/context.h"

#include <ucontext.h>

struct frti_context
frti_context_of(const void *context)
{
    const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;

    return (struct frti_context){
        .is_known = true,
        .instruction = (uintptr_t)machine->pc,
        .stack = (uintptr_t)machine->sp,
    };
}
