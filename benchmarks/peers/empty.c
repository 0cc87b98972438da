/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A Lua module that is one C function, which does nothing: what any call from
 * Lua costs, however its arguments get to C. Without Lua's headers: the one
 * function that it needs is the same in 5.1 to 5.4, and both plain Lua and
 * LuaJIT load this file.
 */
struct lua_State;

extern void lua_pushcclosure(struct lua_State *state,
                             int (*function)(struct lua_State *), int upvalues);

static int
empty_call(struct lua_State *state)
{
    (void)state;
    return 0;
}

__attribute__((visibility("default"))) int
luaopen_frt_bench_empty(struct lua_State *state);

int
luaopen_frt_bench_empty(struct lua_State *state)
{
    lua_pushcclosure(state, empty_call, 0);
    return 1;
}
