/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/system.h"
#include "ffi_rt/lua/convert.h"

#include <string.h>
#include <sys/utsname.h>

int
frti_system_errno(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    int before = m->error_number;

    if (!lua_isnoneornil(L, 1))
        m->error_number = (int)frti_integer_check(L, m, 1);
    lua_pushinteger(L, before);
    return 1;
}

static bool
abi_is_little(void)
{
    const uint16_t one = 1;

    return *(const unsigned char *)&one == 1;
}

/* The words that LuaJIT knows; what this is not is false. */
int
frti_system_abi(lua_State *L)
{
    const char *word = luaL_checkstring(L, 1);
    const char *own[] = {sizeof(void *) == 8 ? "64bit" : "32bit",
                         abi_is_little() ? "le" : "be", "fpu", "hardfp"};
    bool is_ours = false;

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        is_ours |= strcmp(word, own[i]) == 0;
    lua_pushboolean(L, is_ours);
    return 1;
}

static const char *
system_os(void)
{
    struct utsname name;

    if (uname(&name) < 0)
        return "Other";
    if (strcmp(name.sysname, "Linux") == 0)
        return "Linux";
    if (strcmp(name.sysname, "Darwin") == 0)
        return "OSX";
    return strstr(name.sysname, "BSD") != NULL ? "BSD" : "POSIX";
}

static const char *
system_arch(void)
{
    const char *model = frt_model_name(frt_model_native());

    if (strcmp(model, "x86_64") == 0)
        return "x64";
    return strncmp(model, "aarch64", 7) == 0 ? "arm64" : model;
}

void
frti_system_fields(lua_State *L)
{
    lua_pushstring(L, system_os());
    lua_setfield(L, -2, "os");
    lua_pushstring(L, system_arch());
    lua_setfield(L, -2, "arch");
}
