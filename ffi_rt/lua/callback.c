/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Making callbacks, and their end. Running them is in callback_run.c.
 */
#include "ffi_rt/lua/callback.h"
#include "ffi_rt/lua/callback_run.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

/* What a callback is made of. */
struct making {
    const struct frti_ctype *type; /* a pointer to a function */
    int function;                  /* indices: what it calls, */
    int kept; /* what the default result may point to; 0: nothing */
    frt_upcall_options options;
};

/* How often a close is tried while a call of another thread is on its way into
 * the queue. */
enum { CALLBACK_TRIES = 1000 };

/* -------------------------------------------------------------- make --- */

bool
frti_callback_takes(lua_State *L, int index)
{
    if (lua_type(L, index) == LUA_TFUNCTION)
        return true;
    if (lua_type(L, index) != LUA_TTABLE ||
        luaL_getmetafield(L, index, "__call") == LUA_TNIL)
        return false;
    lua_pop(L, 1);
    return true;
}

/* What runs callbacks outside of all calls, and keeps an error of theirs. */
static void
callback_prepare_module(lua_State *L, struct frti_module *m)
{
    lua_State *host;

    if (m->host != NULL)
        return;
    frti_lua_new(L, 1, 1);
    m->failure_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    host = lua_newthread(L);
    frti_module_anchor(L, m, host);
    m->host = host;
}

/* The function type of a pointer that can be a callback's. */
static const struct frti_ctype *
callback_inner(lua_State *L, struct frti_module *m,
               const struct frti_ctype *type)
{
    const struct frti_ctype *inner =
        type->form == FRTI_POINTER ? frti_ctype_inner(L, m, type) : NULL;

    if (inner == NULL || inner->form != FRTI_FUNCTION)
        luaL_error(L, "'%s' is not a pointer to a function",
                   frti_ctype_name(L, type));
    if (frt_descriptor_is_variadic(frt_layout_descriptor(inner->layout)))
        luaL_error(L, "'%s' has a '...', which no Lua function can receive",
                   frti_ctype_name(L, type));
    return inner;
}

/* Where the function is written, for sentences: "file.lua:12". */
static void
callback_name(lua_State *L, char *out, size_t capacity, int index)
{
    lua_Debug info;
    const char *file;

    snprintf(out, capacity, "callback");
    if (lua_type(L, index) != LUA_TFUNCTION)
        return;
    lua_pushvalue(L, index);
    if (lua_getinfo(L, ">S", &info) == 0 || info.linedefined < 0)
        return;
    file = strrchr(info.short_src, '/');
    snprintf(out, capacity, "%.28s:%d",
             file != NULL ? file + 1 : info.short_src, info.linedefined);
}

/* Pushes a callback's table, which `ref` holds. */
static struct frti_callback *
callback_new(lua_State *L, struct frti_module *m,
             const struct frti_ctype *inner, const struct making *making)
{
    struct frti_callback *callback;

    lua_createtable(L, FRTI_CALLBACK_KEPT, 0);
    callback = frti_lua_new(L, sizeof *callback, 0);
    memset(callback, 0, sizeof *callback);
    callback->m = m;
    callback->call = frti_call_of(L, m, inner);
    callback->type = making->type;
    callback->is_plain = frti_callback_is_plain(callback->call);
    lua_rawseti(L, -2, FRTI_CALLBACK_ITSELF);
    lua_pushvalue(L, making->function);
    lua_rawseti(L, -2, FRTI_CALLBACK_FUNCTION);
    if (making->kept != 0) {
        lua_pushvalue(L, making->kept);
        lua_rawseti(L, -2, FRTI_CALLBACK_KEPT);
    }
    lua_pushvalue(L, -1);
    callback->ref = luaL_ref(L, LUA_REGISTRYINDEX);
    return callback;
}

/* Opens it, and makes it known by its code. If there is no memory left for
 * that, it stays until the module is closed. */
static struct frti_callback *
callback_open(lua_State *L, struct frti_module *m, struct making *making)
{
    const struct frti_ctype *inner = callback_inner(L, m, making->type);
    frt_upcall_options *options = &making->options;
    struct frti_callback *callback;
    char name[40];
    frt_status status;

    frti_module_check_open(L, m);
    luaL_checkstack(L, 12, "callback");
    callback_prepare_module(L, m);
    callback_name(L, name, sizeof name, making->function);
    callback = callback_new(L, m, inner, making);
    options->size = sizeof *options;
    options->name = name;
    options->thread = FRT_UPCALL_THREAD_QUEUE;
    options->late = FRT_UPCALL_LATE_ZERO;
    options->sets_errno = true;
    status = frt_upcall_open(&callback->upcall, m->arena,
                             frt_layout_descriptor(inner->layout),
                             frti_callback_handle, callback, options);
    if (status != FRT_OK)
        luaL_unref(L, LUA_REGISTRYINDEX, callback->ref);
    frti_check(L, status);
    frti_module_table(L, &m->tables.callbacks);
    lua_insert(L, -2);
    lua_rawsetp(L, -2, frt_upcall_address(callback->upcall));
    lua_pop(L, 1);
    return callback;
}

/* -------------------------------------------------------------- share --- */

/* Puts what a table has by a key, a table that is made if it is missing, in the
 * place of both. */
static void
shared_inner(lua_State *L)
{
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -5);
    }
    lua_replace(L, -3);
    lua_pop(L, 1);
}

/* Pushes the table { function -> code } of a type. A state that has moved to
 * another thread has new ones: for the old ones this thread would wait. */
static void
shared_table(lua_State *L, struct frti_module *m, const struct frti_ctype *type,
             uint64_t thread)
{
    frti_module_table(L, &m->tables.shared);
    lua_pushinteger(L, (lua_Integer)thread);
    shared_inner(L);
    lua_pushlightuserdata(L, (void *)type);
    shared_inner(L);
}

static void *
callback_share(lua_State *L, struct frti_module *m,
               const struct frti_ctype *type, int index)
{
    struct making making = {.type = type, .function = index};
    struct frti_callback *callback;
    void *code;

    luaL_checkstack(L, 10, "callback");
    shared_table(L, m, type, frt_thread_number());
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    code = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (code == NULL) {
        callback = callback_open(L, m, &making);
        code = frt_upcall_address(callback->upcall);
        lua_pushvalue(L, index);
        lua_pushlightuserdata(L, code);
        lua_rawset(L, -3);
        callback->sharer = frt_thread_number();
    }
    lua_pop(L, 1);
    return code;
}

/* It is shared no more: its function changes, or it ends. */
static void
callback_unshare(lua_State *L, struct frti_module *m,
                 struct frti_callback *callback, int table)
{
    if (callback->sharer == 0)
        return;
    shared_table(L, m, callback->type, callback->sharer);
    lua_rawgeti(L, table, FRTI_CALLBACK_FUNCTION);
    lua_pushnil(L);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    callback->sharer = 0;
}

void *
frti_callback_code(lua_State *L, struct frti_module *m,
                   const struct frti_ctype *type, int index,
                   const struct frti_into *into)
{
    struct making making = {.type = type, .function = index};

    return into->argument != 0
               ? callback_share(L, m, type, index)
               : frt_upcall_address(callback_open(L, m, &making)->upcall);
}

/* ------------------------------------------------------------ methods --- */

static void
callback_check_function(lua_State *L, int index)
{
    if (!frti_callback_takes(L, index))
        luaL_argerror(L, index,
                      lua_pushfstring(L, "function expected, got %s",
                                      luaL_typename(L, index)));
}

/* Pushes the table of the callback that the first argument points to. */
static struct frti_callback *
callback_check(lua_State *L, struct frti_module *m)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, m, 1);
    struct frti_callback *callback;

    frti_module_check_open(L, m);
    if (cdata == NULL || cdata->type->form != FRTI_POINTER)
        luaL_argerror(L, 1, "callback expected");
    frti_module_table(L, &m->tables.callbacks);
    if (lua_rawgetp(L, -1, frti_cdata_pointer(cdata)->value) != LUA_TTABLE)
        luaL_error(L, "this '%s' is not a callback, or it was freed before",
                   frti_ctype_name(L, cdata->type));
    lua_remove(L, -2);
    lua_rawgeti(L, -1, FRTI_CALLBACK_ITSELF);
    callback = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return callback;
}

static frt_status
callback_close(const struct frti_callback *callback)
{
    frt_status status = frt_upcall_close(callback->upcall);

    for (int i = 0; i < CALLBACK_TRIES && status == FRT_STILL_HELD; i++) {
        sched_yield();
        status = frt_upcall_close(callback->upcall);
    }
    return status;
}

/* callback:free() */
static int
callback_free(lua_State *L)
{
    struct frti_module *m = frti_module_of(L);
    struct frti_callback *callback;
    void *code;
    int table;

    lua_settop(L, 1);
    callback = callback_check(L, m);
    table = lua_gettop(L);
    code = frt_upcall_address(callback->upcall);
    frti_check(L, callback_close(callback));
    callback_unshare(L, m, callback, table);
    luaL_unref(L, LUA_REGISTRYINDEX, callback->ref);
    frti_module_table(L, &m->tables.callbacks);
    lua_pushnil(L);
    lua_rawsetp(L, -2, code);
    return 0;
}

/* callback:set(function) */
static int
callback_set(lua_State *L)
{
    struct frti_module *m = frti_module_of(L);
    struct frti_callback *callback;

    lua_settop(L, 2);
    callback = callback_check(L, m);
    callback_check_function(L, 2);
    callback_unshare(L, m, callback, 3);
    lua_pushvalue(L, 2);
    lua_rawseti(L, 3, FRTI_CALLBACK_FUNCTION);
    return 0;
}

bool
frti_callback_method(lua_State *L, struct frti_module *m,
                     const struct frti_ctype *type, int index)
{
    const char *name;
    bool is_free;

    if (type->form != FRTI_POINTER || lua_type(L, index) != LUA_TSTRING ||
        frti_ctype_inner(L, m, type)->form != FRTI_FUNCTION)
        return false;
    name = lua_tostring(L, index);
    is_free = strcmp(name, "free") == 0;
    if (!is_free && strcmp(name, "set") != 0)
        return false;
    frti_module_push_function(L, m, is_free ? callback_free : callback_set);
    return true;
}

/* ------------------------------------------------------ ffi.callback --- */

static const struct frti_ctype *
make_pointer_type(lua_State *L, struct frti_module *m)
{
    const struct frti_ctype *type = frti_ctype_check(L, m, 1);

    if (type->plain != NULL)
        type = type->plain;
    return type->form == FRTI_FUNCTION ? frti_ctype_pointer(L, m, type, false)
                                       : type;
}

/* One that is misspelt would be silently left out. */
static void
make_check_names(lua_State *L)
{
    for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1)) {
        const char *name = luaL_tolstring(L, -2, NULL);

        if (strcmp(name, "default") != 0 && strcmp(name, "post") != 0)
            luaL_argerror(L, 3,
                          lua_pushfstring(L, "unknown option '%s'", name));
        lua_pop(L, 1);
    }
}

/* Pushes the value of the default result, and its bytes. */
static void
make_default(lua_State *L, struct frti_module *m,
             const struct frti_ctype *result, struct making *making)
{
    const struct frti_into into = {.argument = 3};
    void *bytes;

    if (lua_getfield(L, 3, "default") == LUA_TNIL)
        return;
    making->kept = lua_gettop(L);
    bytes = frti_lua_new(L, result->size, 0);
    memset(bytes, 0, result->size);
    frti_to_c(L, m, result, bytes, making->kept, &into);
    making->options.default_result = bytes;
}

/* The options at 3; pushes what they refer to. */
static void
make_options(lua_State *L, struct frti_module *m, struct making *making)
{
    const struct frti_ctype *inner = callback_inner(L, m, making->type);
    const struct frti_ctype *result = frti_call_of(L, m, inner)->result;

    luaL_checktype(L, 3, LUA_TTABLE);
    make_check_names(L);
    lua_getfield(L, 3, "post");
    making->options.post = lua_toboolean(L, -1);
    if (making->options.post && result->form != FRTI_VOID)
        luaL_argerror(L, 3,
                      "nobody waits for the result of a posted callback: "
                      "its type has to be void");
    make_default(L, m, result, making);
}

int
frti_callback_make(lua_State *L)
{
    struct frti_module *m = frti_module_of(L);
    struct making making = {.type = make_pointer_type(L, m), .function = 2};
    void *code;

    callback_check_function(L, 2);
    luaL_checkstack(L, 16, "callback");
    lua_settop(L, 3);
    if (!lua_isnil(L, 3))
        make_options(L, m, &making);
    code = frt_upcall_address(callback_open(L, m, &making)->upcall);
    frti_cdata_push_pointer(L, m, making.type, code, 0);
    return 1;
}
