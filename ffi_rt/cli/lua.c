/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * ffi-rt lua: runs a script in a Lua state that has the module inside, where
 * `require "ffi_rt"` finds it before any file.
 *
 * It is a host as any other: of the module it knows the one function that Lua's
 * convention names.
 */
#include "ffi_rt/cli/cli.h"

#include <errno.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int luaopen_ffi_rt(lua_State *L);

static void
lua_usage(void)
{
    printf("usage: ffi-rt lua SCRIPT [ARGUMENT]...\n\n"
           "Runs a script of " LUA_VERSION " (-: standard input), for which\n"
           "require \"ffi_rt\" is built in. It has its arguments in `arg` and "
           "as `...`.\n");
}

/* The message handler: any error becomes a text with a traceback. */
static int
lua_explain(lua_State *L)
{
    const char *text = lua_tostring(L, 1);

    if (!text && luaL_callmeta(L, 1, "__tostring"))
        text = lua_tostring(L, -1);
    if (!text)
        text =
            lua_pushfstring(L, "(an error that is a %s)", luaL_typename(L, 1));
    luaL_traceback(L, L, text, 1);
    return 1;
}

/* The global `arg` as the command `lua` has it: the script's name at 0, its
 * arguments after, the words before it below. */
static void
lua_set_arg(lua_State *L, int count, char **arguments)
{
    lua_createtable(L, count - 1, 3);
    lua_pushstring(L, program_invocation_name);
    lua_rawseti(L, -2, -2);
    lua_pushliteral(L, "lua");
    lua_rawseti(L, -2, -1);
    for (int i = 0; i < count; i++) {
        lua_pushstring(L, arguments[i]);
        lua_rawseti(L, -2, i);
    }
    lua_setglobal(L, "arg");
}

static void
lua_preload(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_ffi_rt);
    lua_setfield(L, -2, "ffi_rt");
    lua_pop(L, 1);
}

/* Protected. Its arguments: how many words there are, and they themselves. It
 * returns the script as a function, and what that is called with. */
static int
lua_prepare(lua_State *L)
{
    int count = (int)lua_tointeger(L, 1);
    char **arguments = lua_touserdata(L, 2);
    const char *script = arguments[0];

    luaL_openlibs(L);
    lua_preload(L);
    lua_set_arg(L, count, arguments);
    if (luaL_loadfile(L, strcmp(script, "-") == 0 ? NULL : script) != LUA_OK)
        return lua_error(L);
    luaL_checkstack(L, count, "too many arguments");
    for (int i = 1; i < count; i++)
        lua_pushstring(L, arguments[i]);
    return count;
}

static bool
lua_run(lua_State *L, int count, char **arguments)
{
    lua_pushcfunction(L, lua_explain);
    lua_pushcfunction(L, lua_prepare);
    lua_pushinteger(L, count);
    lua_pushlightuserdata(L, arguments);
    return lua_pcall(L, 2, LUA_MULTRET, 0) == LUA_OK &&
           lua_pcall(L, count - 1, 0, 1) == LUA_OK;
}

static int
lua_live(int count, char **arguments)
{
    lua_State *L = luaL_newstate();
    const char *text;
    bool is_done;

    if (!L) {
        fprintf(stderr, "ffi-rt: there is no memory for a Lua state\n");
        return FRTI_EXIT_FAILED;
    }
    is_done = lua_run(L, count, arguments);
    if (!is_done) {
        text = lua_tostring(L, -1);
        fprintf(stderr, "ffi-rt: %s\n",
                text ? text : "an error, and another while it was told");
    }
    lua_close(L);
    return is_done ? FRTI_EXIT_DONE : FRTI_EXIT_FAILED;
}

int
frti_lua_main(int count, char **arguments)
{
    int status, written;

    if (frti_wants_help(count > 0, arguments)) {
        lua_usage();
        return frti_finish_output();
    }
    if (count > 0 && strcmp(arguments[0], "--") == 0) {
        count--;
        arguments++;
    } else if (count > 0 && arguments[0][0] == '-' && arguments[0][1] != '\0') {
        return frti_usage_error("lua has no option '%.80s'", arguments[0]);
    }
    if (count == 0)
        return frti_usage_error("lua wants a script");
    status = lua_live(count, arguments);
    written = frti_finish_output();
    return status == FRTI_EXIT_DONE ? written : status;
}
