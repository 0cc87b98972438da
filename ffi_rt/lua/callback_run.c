/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A call of a callback: arguments, function, result. Each step that may raise
 * is a protected call of its own, one after another rather than within each
 * other, for Lua allows 200 C calls within calls. Plain numbers need none but
 * the function's.
 */
#include "ffi_rt/lua/callback_run.h"
#include "ffi_rt/lua/callback.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* One call under way. The callback may be freed by the function that it calls;
 * what is needed after that is here. */
struct entered {
    struct frti_module *m;
    const struct frti_call *call;
    void *result;
    void *const *arguments;
    int table;   /* indices: the callback's table, */
    int explain; /* the message handler, */
    int earlier; /* the failure that was pending before; 0: none */
};

/* ----------------------------------------------------------- failures --- */

/* Pushes the failure that is kept. */
static void
failure_push(lua_State *L, const struct frti_module *m)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, m->failure_ref);
    frti_lua_get_anchor(L, lua_gettop(L));
    lua_remove(L, -2);
}

/* Keeps the value on the top, which it pops. Nothing of it allocates. */
static void
failure_keep(lua_State *L, const struct frti_module *m)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, m->failure_ref);
    lua_insert(L, -2);
    frti_lua_set_anchor(L, lua_gettop(L) - 1);
    lua_pop(L, 1);
}

int
frti_callback_raise(lua_State *L, struct frti_module *m)
{
    m->has_failed = false;
    m->has_overflowed = false;
    /* to the library it is dealt with, whatever comes of it */
    (void)frt_upcall_raise();
    failure_push(L, m);
    lua_pushnil(L);
    failure_keep(L, m);
    return lua_error(L);
}

/* Adds the traceback to a text that has none. */
static int
callback_explain(lua_State *L)
{
    const char *text;

    if (lua_type(L, 1) != LUA_TSTRING)
        return 1;
    text = lua_tostring(L, 1);
    if (strstr(text, "\nstack traceback:\n") == NULL)
        luaL_traceback(L, L, text, 1);
    return 1;
}

/* What the library is told of the error on the top. */
static frt_status
failure_tell(lua_State *L)
{
    char text[80];

    if (lua_type(L, -1) == LUA_TSTRING)
        return frt_fail(FRT_UPCALL_FAILED, lua_tostring(L, -1));
    snprintf(text, sizeof text, "(error object is a %s value)",
             luaL_typename(L, -1));
    return frt_fail(FRT_UPCALL_FAILED, text);
}

/* ---------------------------------------------------------- arguments --- */

bool
frti_callback_is_plain(const struct frti_call *call)
{
    for (size_t i = 0; i < call->count; i++) {
        enum frti_form form = call->parameters[i].type->form;

        if (form > FRTI_F128 || form == FRTI_U64 || form == FRTI_I128 ||
            form == FRTI_U128)
            return false;
    }
    return true;
}

/* A struct that came by value lasts no longer than the call: it is copied. */
static void
argument_push(lua_State *L, struct frti_module *m,
              const struct frti_ctype *type, void *address)
{
    if (type->form == FRTI_STRUCT)
        memcpy(frti_cdata_new(L, m, type, type->size)->address, address,
               type->size);
    else
        frti_to_lua(L, m, type, address, 0);
}

static void
arguments_push(lua_State *L, const struct entered *entered)
{
    for (size_t i = 0; i < entered->call->count; i++)
        argument_push(L, entered->m, entered->call->parameters[i].type,
                      entered->arguments[i]);
}

/* Protected: the call under way is the argument. */
static int
arguments_convert(lua_State *L)
{
    const struct entered *entered = lua_touserdata(L, 1);

    luaL_checkstack(L, (int)entered->call->count + 10, "arguments");
    arguments_push(L, entered);
    return (int)entered->call->count;
}

static int
arguments_enter(lua_State *L, struct entered *entered)
{
    lua_pushcfunction(L, arguments_convert);
    lua_pushlightuserdata(L, entered);
    return lua_pcall(L, 1, (int)entered->call->count, entered->explain);
}

/* -------------------------------------------------------------- result --- */

/* A result that is what its type wants. False: another way. */
static inline bool
result_take(lua_State *L, enum frti_form form, void *place)
{
    switch (form) {
    case FRTI_VOID:
        return true;
    case FRTI_BOOL:
        if (!lua_isboolean(L, -1))
            return false;
        *(bool *)place = lua_toboolean(L, -1);
        return true;
    case FRTI_I32:
    case FRTI_U32:
        if (!lua_isinteger(L, -1))
            return false;
        *(uint32_t *)place = (uint32_t)lua_tointegerx(L, -1, NULL);
        return true;
    case FRTI_I64:
    case FRTI_U64:
        if (!lua_isinteger(L, -1))
            return false;
        *(uint64_t *)place = (uint64_t)lua_tointegerx(L, -1, NULL);
        return true;
    case FRTI_F64:
        if (lua_type(L, -1) != LUA_TNUMBER)
            return false;
        *(double *)place = lua_tonumberx(L, -1, NULL);
        return true;
    default:
        return false;
    }
}

/* Protected: the value, the callback's table, the call under way. What C gets a
 * pointer to stays until the next result. */
static int
result_convert(lua_State *L)
{
    const struct entered *entered = lua_touserdata(L, 3);
    const struct frti_ctype *type = entered->call->result;
    const struct frti_into into = {.argument = FRTI_RESULT};

    luaL_checkstack(L, 10, "result");
    frti_to_c(L, entered->m, type, entered->result, 1, &into);
    if (type->form >= FRTI_POINTER) {
        lua_pushvalue(L, 1);
        lua_rawseti(L, 2, FRTI_CALLBACK_RESULT);
    }
    return 0;
}

/* Protected: an error of result_convert, and the callback's table. The function
 * has returned, and no traceback would tell which it was. */
static int
result_blame(lua_State *L)
{
    lua_Debug info;

    lua_rawgeti(L, 2, FRTI_CALLBACK_FUNCTION);
    if (!lua_isfunction(L, -1) || lua_type(L, 1) != LUA_TSTRING) {
        lua_settop(L, 1);
        return 1;
    }
    lua_getinfo(L, ">S", &info);
    lua_pushfstring(L, "%s:%d: %s", info.short_src, info.linedefined,
                    lua_tostring(L, 1));
    luaL_traceback(L, L, lua_tostring(L, -1), 1);
    return 1;
}

/* The result is on the top. */
static int
result_enter(lua_State *L, struct entered *entered)
{
    int status;

    lua_pushcfunction(L, result_convert);
    lua_insert(L, -2);
    lua_pushvalue(L, entered->table);
    lua_pushlightuserdata(L, entered);
    status = lua_pcall(L, 3, 0, 0);
    if (status == LUA_OK)
        return LUA_OK;
    lua_pushcfunction(L, result_blame);
    lua_insert(L, -2);
    lua_pushvalue(L, entered->table);
    (void)lua_pcall(L, 2, 1, 0); /* an error of its own serves as well */
    return status;
}

/* ---------------------------------------------------------------- run --- */

/* LUA_OK, or the error is on the top. */
static int
callback_run(lua_State *L, struct entered *entered, bool is_plain)
{
    const struct frti_call *call = entered->call;
    enum frti_form form = call->result->form;
    int status = LUA_OK;

    lua_rawgeti(L, entered->table, FRTI_CALLBACK_FUNCTION);
    if (is_plain)
        arguments_push(L, entered);
    else
        status = arguments_enter(L, entered);
    if (status == LUA_OK)
        status =
            lua_pcall(L, (int)call->count, form != FRTI_VOID, entered->explain);
    if (status == LUA_OK && !result_take(L, form, entered->result))
        status = result_enter(L, entered);
    return status;
}

/* Whether a stack is full, by the words that Lua has for it. C that calls on,
 * as qsort does, would fill it again at each level of a recursion. */
static bool
failure_is_overflow(lua_State *L)
{
    const char *text =
        lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";

    return strstr(text, "stack overflow") != NULL ||
           strstr(text, "error in error handling") != NULL;
}

/* The first failure of those within one call is the one that is raised. */
static frt_status
callback_fail(lua_State *L, const struct entered *entered)
{
    struct frti_module *m = entered->m;
    frt_status status = failure_tell(L);

    if (m->running == NULL)
        return status;
    m->has_overflowed = failure_is_overflow(L);
    if (entered->earlier == 0)
        failure_keep(L, m);
    m->has_failed = true;
    return status;
}

static frt_status
callback_enter(lua_State *L, const struct frti_callback *callback,
               struct entered *entered)
{
    struct frti_module *m = callback->m;
    int base = lua_gettop(L);
    frt_status status = FRT_OK;

    if (__builtin_expect(m->has_failed, 0)) {
        if (m->has_overflowed)
            return frt_fail(FRT_UPCALL_FAILED, "Lua's stack was full");
        failure_push(L, m);
        entered->earlier = base + 1;
        m->has_failed = false;
    }
    lua_pushcfunction(L, callback_explain);
    entered->explain = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, callback->ref);
    entered->table = entered->explain + 1;
    if (callback_run(L, entered, callback->is_plain) != LUA_OK)
        status = callback_fail(L, entered);
    if (__builtin_expect(entered->earlier != 0, 0)) {
        lua_pushvalue(L, entered->earlier);
        failure_keep(L, m);
        m->has_failed = true;
    }
    lua_settop(L, base);
    return status;
}

/* NULL: no stack has room. The thread of our own helps out where that of the
 * call is full; an error then comes to the call as ever. */
static lua_State *
callback_state(const struct frti_module *m, size_t count)
{
    int slots = (int)count + 10;

    if (m->running != NULL && lua_checkstack(m->running, slots))
        return m->running;
    return lua_checkstack(m->host, slots) ? m->host : NULL;
}

frt_status
frti_callback_handle(void *context, void *result, void *const *arguments)
{
    const struct frti_callback *callback = context;
    struct frti_module *m = callback->m;
    lua_State *L = callback_state(m, callback->call->count);
    struct entered entered = {.m = m,
                              .call = callback->call,
                              .result = result,
                              .arguments = arguments};
    int outer = m->error_number;
    frt_status status;

    if (L == NULL)
        return frt_fail(FRT_NO_MEMORY, "Lua's stack is full");
    m->error_number = errno;
    status = callback_enter(L, callback, &entered);
    errno = m->error_number;
    m->error_number = outer;
    return status;
}

/* --------------------------------------------------------------- poll --- */

int
frti_callback_poll(lua_State *L)
{
    struct frti_module *m = frti_module_of(L);
    lua_Integer milliseconds =
        lua_isnoneornil(L, 1) ? 0 : frti_integer_check(L, m, 1);
    lua_State *outer = m->running;
    size_t count = 0;
    frt_status status;

    frti_module_check_open(L, m);
    if (milliseconds > INT_MAX || milliseconds < 0)
        milliseconds = milliseconds < 0 ? -1 : INT_MAX;
    m->running = L;
    status = frt_upcall_poll(&count, (int)milliseconds);
    m->running = outer;
    if (m->has_failed)
        return frti_callback_raise(L, m);
    frti_check(L, status);
    lua_pushinteger(L, (lua_Integer)count);
    return 1;
}
