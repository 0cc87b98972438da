/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * ffi-rt lua, in a build without Lua.
 */
#include "ffi_rt/cli/cli.h"

#include <stdio.h>

int
frti_lua_main(int count, char **arguments)
{
    (void)count;
    (void)arguments;
    fprintf(stderr, "ffi-rt: this build has no Lua: it was made without it, or "
                    "without Lua's development package\n");
    return FRTI_EXIT_FAILED;
}
