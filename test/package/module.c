/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* A module of some host: it brings the library along. */
#include "test/package/use.h"

FRT_API int module_run(void);

int
module_run(void)
{
    return use_library();
}
