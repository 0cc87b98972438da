/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* For CPUs without a shaking in assembly: just the call. */
#include "test/abi/trial.h"

int
shake_call(frt_entry *entry, void *target, void *result, void *const *arguments,
           const frt_downcall *downcall)
{
    return entry(target, result, arguments, downcall);
}
