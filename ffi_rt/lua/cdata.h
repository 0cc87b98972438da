/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Values of C types.
 *
 *   owner      | header | padding to the alignment | the value's bytes |
 *   pointer    | header | struct frti_address |
 *   reference  | header |   `address` is in the memory of its root, or C's
 *   function   | header |   `address` is its code; the upvalue of a closure
 *
 * A root is what memory belongs to: an owner, or what an arena gave, a
 * reference whose own user value is the arena. Whatever looks into the memory
 * of a root has it as its user value, its anchor, and the root's guard. A
 * pointer with an anchor has `low` and `high` as well, the bounds of what it
 * may reach. What is in memory of C's has no anchor and nothing is known.
 */
#ifndef FRTI_LUA_CDATA_H
#define FRTI_LUA_CDATA_H

#include "ffi_rt/lua/ctype.h"

enum {
    FRTI_ANCHORED = 1,  /* the user value is the anchor */
    FRTI_READ_ONLY = 2, /* a reference through a pointer to const */
    FRTI_STORES = 4,    /* `stores` of the module may know it */
    FRTI_ROOT = 8       /* is the root of its memory */
};

/* The life of memory that is not a userdata's own: what the anchor, an arena's
 * userdata, begins with. */
struct frti_guard {
    frt_session session;
    bool has_stores; /* `stores` of the module knows the arena */
};

struct frti_cdata {
    const struct frti_ctype *type;
    char *address;
    size_t size;              /* of the value; of a function 0 */
    struct frti_guard *guard; /* NULL: none */
    unsigned flags;
};

struct frti_address {
    char *value;
    const char *low; /* NULL: no bounds are known */
    const char *high;
};

/* C's functions are functions of Lua, which are called at half the price of a
 * userdata with a __call: this one, with their cdata as its upvalue. */
int frti_call_closure(lua_State *L);

static inline struct frti_cdata *
frti_cdata_of_function(lua_State *L, int index)
{
    struct frti_cdata *cdata;

    if (lua_tocfunction(L, index) != frti_call_closure ||
        lua_getupvalue(L, index, 1) == NULL)
        return NULL;
    cdata = lua_touserdata(L, -1);
    lua_settop(L, -2);
    return cdata;
}

/* The cdata at `index`, or NULL. Nothing else can have the metatable, but what
 * the debug library gave it to. */
static inline struct frti_cdata *
frti_cdata_at(lua_State *L, const struct frti_module *m, int index)
{
    const void *meta;

    if (!lua_getmetatable(L, index))
        return frti_cdata_of_function(L, index);
    meta = lua_topointer(L, -1);
    lua_settop(L, -2);
    if (meta != m->cdata_meta && meta != m->cdata_gc_meta)
        return NULL;
    return lua_touserdata(L, index);
}

static inline struct frti_address *
frti_cdata_pointer(const struct frti_cdata *cdata)
{
    return (struct frti_address *)cdata->address;
}

/* NULL, or so near to it that nothing can lie there. */
static inline bool
frti_is_nowhere(const void *address)
{
    return (uintptr_t)address + 4096 < 2 * 4096;
}

/* Pushes a value of `size` zeroed bytes. A pointer or function has functions of
 * its own, below. */
struct frti_cdata *frti_cdata_new(lua_State *L, struct frti_module *m,
                                  const struct frti_ctype *type, size_t size);

/* What is reached by the aggregate at `index` may not be written, if it is
 * one. */
void frti_cdata_seal(lua_State *L, const struct frti_module *m, int index);

/* Pushes a value that lies at `address`, in memory of the cdata at `owner` (0:
 * memory of C's). */
struct frti_cdata *frti_cdata_reference(lua_State *L, struct frti_module *m,
                                        const struct frti_ctype *type,
                                        void *address, int owner);

/* Pushes a pointer. It may reach what the cdata at `owner` may (0: it is C's,
 * and nothing is known). */
struct frti_cdata *frti_cdata_push_pointer(lua_State *L, struct frti_module *m,
                                           const struct frti_ctype *type,
                                           void *value, int owner);

/* Pushes a pointer of a life; the anchor is at `anchor` (nil or 0: none). */
struct frti_life {
    struct frti_guard *guard;
    const char *low;
    const char *high;
    unsigned flags; /* FRTI_READ_ONLY */
};
struct frti_cdata *frti_cdata_push_living(lua_State *L, struct frti_module *m,
                                          const struct frti_ctype *type,
                                          void *value, int anchor,
                                          const struct frti_life *life);

/* Pushes a function of C's. */
void frti_cdata_push_function(lua_State *L, struct frti_module *m,
                              const struct frti_ctype *type, void *address);

/* What memory the cdata at `index` reaches, and pushes its anchor (nil: none):
 * of a pointer that of its pointee, of all else its own. */
void frti_life_of(lua_State *L, struct frti_life *out,
                  const struct frti_cdata *cdata, int index);

/* Raises an error unless the guard's session is open. */
void frti_guard_check(lua_State *L, const struct frti_guard *guard);

/* The address that a pointer, array, struct or function stands for, as it is
 * given to C. Raises if it is closed. */
void *frti_cdata_target(lua_State *L, const struct frti_cdata *cdata);

/* Remembers that memory at `address`, of the cdata at `owner`, points to that
 * of the value at `index` (0: to nothing of Lua's any more). */
void frti_store_anchor(lua_State *L, struct frti_module *m, int owner,
                       const void *address, int index);

/* Memory of the cdata at the index `owner` (0: of none). */
struct frti_stored {
    int owner;
    const void *address;
};

/* After `size` bytes were copied: what was pointed to from there is so from
 * here, too. False: nothing was. */
bool frti_store_copy(lua_State *L, struct frti_module *m,
                     const struct frti_stored *to,
                     const struct frti_stored *from, size_t size);

/* Pushes the value that memory at `address`, of the cdata at `owner`, points
 * to; nothing and false: not known. */
bool frti_store_find(lua_State *L, struct frti_module *m, int owner,
                     const void *address);

/* The metamethods, into the table on the top: accesses, and the rest. */
void frti_access_register(lua_State *L, struct frti_module *m);
void frti_arithmetic_register(lua_State *L, struct frti_module *m);
void frti_compare_register(lua_State *L, struct frti_module *m);

/* Pushes the name of its type: `const` if it may not be written; with more
 * behind it, "&" of a reference. */
const char *frti_cdata_name(lua_State *L, const struct frti_cdata *cdata,
                            const char *suffix);

/* __tostring of cdata. */
int frti_cdata_tostring(lua_State *L);

#endif
