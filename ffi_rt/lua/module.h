/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The Lua module: LuaJIT's `ffi` on PUC Lua, by the public header alone.
 *
 * How the pieces hang together
 *   module  one a Lua universe, a userdata. It is the first upvalue of every C
 *           function of ours (frti_module_of), never a global: several states
 *           may run in several threads at once. It alone has a __gc of ours;
 *           as it is made first it is finalised last, and what the C library
 *           counts (layouts, downcalls, libraries, declarations) is given back
 *           there. What runs later still finds `is_closed`.
 *   ctype   a type object, one a layout, a userdata that lives as long as the
 *           module (as LuaJIT's do). Plain pointers to it are good for ever.
 *   cdata   a value: a header and, for one that owns its bytes, those. What
 *           looks into the memory of another cdata has it as its user value,
 *           the anchor. No __gc, unless ffi.gc or a metatype gives one.
 *   member, call   what a ctype learns when first asked: the members of a
 *           struct by name, the downcall and conversions of a function.
 *
 * Conventions
 *   - `L, m` come first. An `index` is a stack index from the bottom (never
 *     negative). What pushes says so; everything else leaves the stack as it
 *     was. Each C function that may go deep calls luaL_checkstack.
 *   - Errors are raised by luaL_error, which jumps: whoever holds something
 *     that is not Lua's lets go of it first. So memory of our own is a userdata
 *     on the stack or under `anchors`, never malloc's.
 *   - Any allocation of Lua's may run finalisers, and those any part of us:
 *     state in the module is whole at each such point.
 *   - A C type goes to Lua by frti_to_lua, a Lua value to C by frti_to_c.
 *
 * Functions of C are functions of Lua (frti_call_closure), for those are called
 * at a third less than a userdata with a __call; frti_cdata_at sees through
 * them, so that ffi.typeof, ffi.cast and parameters take them for cdata.
 *
 * 64-bit integers: read from C, int64_t and uint64_t become Lua integers,
 * uint64_t over 2^63-1 a `uint64_t` cdata, so that no value changes. Arithmetic
 * with a uint64_t cdata gives one again, as in LuaJIT; with other integer cdata
 * a Lua integer. An enum becomes a Lua integer, a long double a Lua number, an
 * __int128 a Lua integer if it fits.
 */
#ifndef FRTI_LUA_MODULE_H
#define FRTI_LUA_MODULE_H

#include <string.h>

#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/lua/compat.h"

struct frti_ctype;
struct frti_call;
struct frti_arena;
struct frti_module;

enum { FRTI_CTYPE_BUCKETS = 512 };

/* The address of each of these, in the registry, has a table of the module. */
struct frti_tables {
    char anchors;    /* light pointer -> what must stay: ctypes, members... */
    char texts;      /* text of a type -> its ctype; emptied by cdef */
    char names;      /* member names: their addresses stay good */
    char metatypes;  /* light ctype -> its metatable */
    char finalizers; /* weak: cdata -> function of ffi.gc */
    char stores;     /* weak: owner or arena -> { where -> what was stored } */
    char libraries;  /* name -> namespace */
    char arenas;     /* weak: all that were opened -> true */
    char callbacks;  /* light code -> what a callback holds */
    char shared;     /* thread -> { light ctype -> { function -> code } } */
};

/* The types that are needed by themselves. */
struct frti_common {
    const struct frti_ctype *void_pointer;
    const struct frti_ctype *const_char_pointer;
    const struct frti_ctype *int64;
    const struct frti_ctype *uint64;
    const struct frti_ctype *int_;
    const struct frti_ctype *number; /* double */
};

struct frti_module {
    frt_decls *decls;
    frt_arena arena;           /* shared; the libraries live in it */
    struct frti_ctype *ctypes; /* all that have a layout */
    struct frti_ctype *spare;  /* all that have none */
    struct frti_ctype *buckets[FRTI_CTYPE_BUCKETS]; /* by layout */
    struct frti_call *calls;                        /* all */
    struct frti_common common;
    const void *cdata_meta; /* as lua_topointer has them */
    const void *cdata_gc_meta;
    const void *ctype_meta;
    int cdata_meta_ref; /* in the registry */
    int cdata_gc_meta_ref;
    int ctype_meta_ref;
    const void *arena_meta;
    int arena_meta_ref;
    int error_number; /* errno, as C functions see it */
    bool is_closed;
    /* Set by a callback that failed: the call that led there raises it when
     * it has returned. */
    bool has_failed;
    bool has_overflowed; /* with a full stack: no other runs until then */
    lua_State *running;  /* in the innermost call of a C function; or NULL */
    lua_State *host;     /* of callbacks without such a call; NULL: none yet */
    int failure_ref;     /* in the registry: its user value is what failed */
    struct frti_tables tables;
};

/* Of a running C function of ours. */
static inline struct frti_module *
frti_module_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

/* The string at `index`; C would not see what is behind a zero byte. */
static inline const char *
frti_check_text(lua_State *L, int index)
{
    size_t length;
    const char *text = luaL_checklstring(L, index, &length);

    if (strlen(text) != length)
        luaL_error(L, "there is a zero byte behind '%s'", text);
    return text;
}

/* Raises an error once the module is closed. */
void frti_module_check_open(lua_State *L, const struct frti_module *m);

/* The same, if it is open: what it knows of types is gone with it. */
static inline struct frti_module *
frti_module_here(lua_State *L)
{
    struct frti_module *m = frti_module_of(L);

    if (__builtin_expect(m->is_closed, 0))
        frti_module_check_open(L, m);
    return m;
}

/* Pushes a function with the module as its upvalue. */
void frti_module_push_function(lua_State *L, struct frti_module *m,
                               lua_CFunction function);
/* The same, and the value at `index` is a second one. */
void frti_module_push_closure(lua_State *L, struct frti_module *m,
                              lua_CFunction function, int index);
/* Sets functions with that upvalue in the table on the top. */
void frti_module_register(lua_State *L, struct frti_module *m,
                          const luaL_Reg *functions);

/* Pushes a table of the module: `table` is &m->tables.X. */
static inline void
frti_module_table(lua_State *L, const char *table)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, table);
}

/* Keeps the userdata on the top, which is at `address`, as long as the module
 * lives, and pops it; nil: it is kept no longer. */
void frti_module_anchor(lua_State *L, struct frti_module *m,
                        const void *address);

/* Raises an error with the sentence of a status that is not OK. */
static inline void
frti_check(lua_State *L, frt_status status)
{
    if (status != FRT_OK)
        luaL_error(L, "%s", frt_last_detail());
}

__attribute__((visibility("default"))) int luaopen_ffi_rt(lua_State *L);

#endif
