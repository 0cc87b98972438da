/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/cdata.h"

#include <string.h>

/* -------------------------------------------------------------- make --- */

static void
cdata_set_metatable(lua_State *L, const struct frti_module *m)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, m->cdata_meta_ref);
    lua_setmetatable(L, -2);
}

/* A userdata is aligned to 8 bytes at least. */
static inline size_t
cdata_slack(size_t alignment)
{
    return alignment > 8 ? alignment - 8 : 0;
}

static inline char *
cdata_align(void *address, size_t alignment)
{
    return (char *)(((uintptr_t)address + alignment - 1) & -alignment);
}

struct frti_cdata *
frti_cdata_new(lua_State *L, struct frti_module *m,
               const struct frti_ctype *type, size_t size)
{
    size_t alignment = type->alignment;
    struct frti_cdata *cdata =
        frti_lua_new(L, sizeof *cdata + cdata_slack(alignment) + size, 0);

    cdata->type = type;
    cdata->address = cdata_align(cdata + 1, alignment);
    cdata->size = size;
    cdata->guard = NULL;
    cdata->flags = FRTI_ROOT;
    memset(cdata->address, 0, size);
    cdata_set_metatable(L, m);
    return cdata;
}

void
frti_cdata_seal(lua_State *L, const struct frti_module *m, int index)
{
    struct frti_cdata *cdata = frti_cdata_at(L, m, index);

    if (cdata != NULL && cdata->type->form != FRTI_POINTER)
        cdata->flags |= FRTI_READ_ONLY;
}

static struct frti_cdata *
cdata_new_header(lua_State *L, const struct frti_ctype *type, size_t more,
                 int anchors)
{
    struct frti_cdata *cdata = frti_lua_new(L, sizeof *cdata + more, anchors);

    cdata->type = type;
    cdata->address = (char *)(cdata + 1);
    cdata->size = more;
    cdata->guard = NULL;
    cdata->flags = 0;
    return cdata;
}

void
frti_cdata_push_function(lua_State *L, struct frti_module *m,
                         const struct frti_ctype *type, void *address)
{
    struct frti_cdata *cdata = cdata_new_header(L, type, 0, 0);

    cdata->address = address;
    cdata_set_metatable(L, m);
    lua_pushcclosure(L, frti_call_closure, 1);
}

struct frti_cdata *
frti_cdata_reference(lua_State *L, struct frti_module *m,
                     const struct frti_ctype *type, void *address, int owner)
{
    struct frti_life life = {0};
    struct frti_cdata *cdata;
    int anchor;

    if (owner == 0)
        lua_pushnil(L);
    else
        frti_life_of(L, &life, lua_touserdata(L, owner), owner);
    anchor = lua_gettop(L);
    cdata = cdata_new_header(L, type, 0, lua_isnil(L, anchor) ? 0 : 1);
    cdata->address = address;
    cdata->size = type->size;
    cdata->guard = life.guard;
    cdata->flags = life.flags;
    cdata_set_metatable(L, m);
    if (!lua_isnil(L, anchor)) {
        cdata->flags |= FRTI_ANCHORED;
        lua_pushvalue(L, anchor);
        frti_lua_set_anchor(L, anchor + 1);
    }
    lua_remove(L, anchor);
    return cdata;
}

struct frti_cdata *
frti_cdata_push_living(lua_State *L, struct frti_module *m,
                       const struct frti_ctype *type, void *value, int anchor,
                       const struct frti_life *life)
{
    bool has_anchor = anchor != 0 && !lua_isnil(L, anchor);
    struct frti_cdata *cdata = cdata_new_header(
        L, type, sizeof(struct frti_address), has_anchor ? 1 : 0);
    struct frti_address *address = frti_cdata_pointer(cdata);

    *address = (struct frti_address){value, NULL, NULL};
    cdata->size = type->size;
    cdata_set_metatable(L, m);
    if (has_anchor) {
        address->low = life->low;
        address->high = life->high;
        cdata->guard = life->guard;
        cdata->flags = FRTI_ANCHORED;
        lua_pushvalue(L, anchor);
        frti_lua_set_anchor(L, lua_gettop(L) - 1);
    }
    return cdata;
}

struct frti_cdata *
frti_cdata_push_pointer(lua_State *L, struct frti_module *m,
                        const struct frti_ctype *type, void *value, int owner)
{
    struct frti_life life = {0};
    struct frti_cdata *cdata;

    if (owner == 0)
        return frti_cdata_push_living(L, m, type, value, 0, &life);
    frti_life_of(L, &life, lua_touserdata(L, owner), owner);
    cdata = frti_cdata_push_living(L, m, type, value, lua_gettop(L), &life);
    lua_remove(L, -2);
    return cdata;
}

/* -------------------------------------------------------------- life --- */

static void
life_push_anchor(lua_State *L, const struct frti_cdata *cdata, int index)
{
    if (cdata->flags & FRTI_ROOT)
        lua_pushvalue(L, index);
    else if (cdata->flags & FRTI_ANCHORED)
        frti_lua_get_anchor(L, index);
    else
        lua_pushnil(L);
}

void
frti_life_of(lua_State *L, struct frti_life *out,
             const struct frti_cdata *cdata, int index)
{
    const struct frti_cdata *root;

    *out = (struct frti_life){.guard = cdata->guard};
    if (cdata->type->form == FRTI_POINTER) {
        out->low = frti_cdata_pointer(cdata)->low;
        out->high = frti_cdata_pointer(cdata)->high;
        if (cdata->type->is_const)
            out->flags = FRTI_READ_ONLY;
        life_push_anchor(L, cdata, index);
        return;
    }
    out->flags = cdata->flags & FRTI_READ_ONLY;
    life_push_anchor(L, cdata, index);
    if (lua_isnil(L, -1))
        return;
    if (lua_type(L, -1) == LUA_TSTRING) {
        out->low = cdata->address;
        out->high = cdata->address + cdata->size;
        return;
    }
    root = lua_touserdata(L, -1);
    out->low = root->address;
    out->high = root->address + root->size;
}

void
frti_guard_check(lua_State *L, const struct frti_guard *guard)
{
    if (guard != NULL && !frt_session_is_open(guard->session))
        luaL_error(L, "the arena of this memory is closed");
}

void *
frti_cdata_target(lua_State *L, const struct frti_cdata *cdata)
{
    frti_guard_check(L, cdata->guard);
    return cdata->type->form == FRTI_POINTER ? frti_cdata_pointer(cdata)->value
                                             : cdata->address;
}

/* ------------------------------------------------------------ stores --- */

/* Who keeps what memory points to: its owner, by the offset there, or the arena
 * that it is of, by the address. */
struct keeper {
    struct frti_cdata *root;
    const char *base; /* what offsets count from */
};

/* Pushes the keeper for the cdata at `index`; false: there is none. */
static bool
keeper_of(lua_State *L, struct frti_module *m, struct keeper *out, int index)
{
    life_push_anchor(L, lua_touserdata(L, index), index);
    out->root = frti_cdata_at(L, m, lua_gettop(L));
    if (out->root == NULL || !(out->root->flags & FRTI_ROOT)) {
        lua_pop(L, 1);
        return false;
    }
    out->base = out->root->address;
    if (out->root->guard != NULL) {
        out->base = NULL;
        frti_lua_get_anchor(L, lua_gettop(L));
        lua_replace(L, -2);
    }
    return true;
}

static bool
keeper_keeps(const struct keeper *keeper)
{
    return keeper->root->guard != NULL
               ? keeper->root->guard->has_stores
               : (keeper->root->flags & FRTI_STORES) != 0;
}

static lua_Integer
keeper_offset(const struct keeper *keeper, const void *address)
{
    return (lua_Integer)((uintptr_t)address - (uintptr_t)keeper->base);
}

/* Pushes the table of the keeper that is on the top, which it takes away. */
static void
keeper_table(lua_State *L, struct frti_module *m, struct keeper *keeper)
{
    frti_module_table(L, &m->tables.stores);
    lua_pushvalue(L, -2);
    if (lua_rawget(L, -2) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -3);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
        if (keeper->root->guard != NULL)
            keeper->root->guard->has_stores = true;
        else
            keeper->root->flags |= FRTI_STORES;
    }
    lua_replace(L, -3);
    lua_pop(L, 1);
}

void
frti_store_anchor(lua_State *L, struct frti_module *m, int owner,
                  const void *address, int index)
{
    struct keeper keeper;

    if (owner == 0)
        return;
    luaL_checkstack(L, 6, "stores");
    if (!keeper_of(L, m, &keeper, owner))
        return;
    if (index == 0 && !keeper_keeps(&keeper)) {
        lua_pop(L, 1);
        return;
    }
    keeper_table(L, m, &keeper);
    if (index == 0)
        lua_pushnil(L);
    else
        lua_pushvalue(L, index);
    lua_rawseti(L, -2, keeper_offset(&keeper, address));
    lua_pop(L, 1);
}

bool
frti_store_find(lua_State *L, struct frti_module *m, int owner,
                const void *address)
{
    struct keeper keeper;

    if (owner == 0 || !keeper_of(L, m, &keeper, owner))
        return false;
    if (!keeper_keeps(&keeper)) {
        lua_pop(L, 1);
        return false;
    }
    keeper_table(L, m, &keeper);
    lua_rawgeti(L, -1, keeper_offset(&keeper, address));
    lua_remove(L, -2);
    if (!lua_isnil(L, -1))
        return true;
    lua_pop(L, 1);
    return false;
}

/* The offset at the index -2, of what lua_next found, if it is in the range;
 * else -1. */
static lua_Integer
store_offset(lua_State *L, lua_Integer begin, size_t size)
{
    lua_Integer offset = lua_tointegerx(L, -2, NULL) - begin;

    return offset >= 0 && (size_t)offset < size ? offset : -1;
}

/* Pops a value that `table` has at an offset of the range: into the table at
 * `to`, or, if that is 0, out of its own. */
static void
store_sift_one(lua_State *L, int table, int to, lua_Integer begin,
               lua_Integer offset)
{
    if (to != 0) {
        lua_rawseti(L, to, offset);
        return;
    }
    lua_pop(L, 1);
    lua_pushnil(L);
    lua_rawseti(L, table, begin + offset);
}

/* All that the table has of the range: copied to the table at `to`, with
 * offsets from the range's beginning, or, if that is 0, removed. What has more
 * entries than the range has bytes is asked for each byte instead. */
static void
store_sift(lua_State *L, int table, int to, lua_Integer begin, size_t size)
{
    size_t left = size;

    for (lua_pushnil(L); left-- != 0 && lua_next(L, table); lua_pop(L, 1)) {
        lua_Integer offset = store_offset(L, begin, size);

        if (offset < 0)
            continue;
        lua_pushvalue(L, -1);
        store_sift_one(L, table, to, begin, offset);
    }
    if (left != SIZE_MAX)
        return;
    lua_pop(L, 1);
    for (lua_Integer i = 0; (size_t)i < size; i++) {
        lua_rawgeti(L, table, begin + i);
        if (lua_isnil(L, -1))
            lua_pop(L, 1);
        else
            store_sift_one(L, table, to, begin, i);
    }
}

/* The table at `from` has offsets; of the range nothing else is left in `to`.
 */
static void
store_spread(lua_State *L, int to, int from, lua_Integer begin, size_t size)
{
    store_sift(L, to, 0, begin, size);
    for (lua_pushnil(L); lua_next(L, from); lua_pop(L, 1)) {
        lua_pushvalue(L, -1);
        lua_rawseti(L, to, begin + lua_tointegerx(L, -3, NULL));
    }
}

/* Pushes a table of what the range points to, by offset; false: nothing. */
static bool
store_push_range(lua_State *L, struct frti_module *m,
                 const struct frti_stored *from, size_t size)
{
    int top = lua_gettop(L);
    struct keeper keeper;

    if (keeper_of(L, m, &keeper, from->owner) && keeper_keeps(&keeper)) {
        keeper_table(L, m, &keeper);
        lua_newtable(L);
        store_sift(L, top + 1, top + 2, keeper_offset(&keeper, from->address),
                   size);
        lua_remove(L, top + 1);
        lua_pushnil(L);
        if (lua_next(L, top + 1)) {
            lua_settop(L, top + 1);
            return true;
        }
    }
    lua_settop(L, top);
    return false;
}

bool
frti_store_copy(lua_State *L, struct frti_module *m,
                const struct frti_stored *to, const struct frti_stored *from,
                size_t size)
{
    struct keeper keeper;
    int top = lua_gettop(L);

    if (to->owner == 0 || from->owner == 0)
        return false;
    luaL_checkstack(L, 12, "stores");
    if (!store_push_range(L, m, from, size))
        return false;
    if (keeper_of(L, m, &keeper, to->owner)) {
        keeper_table(L, m, &keeper);
        store_spread(L, top + 2, top + 1, keeper_offset(&keeper, to->address),
                     size);
    }
    lua_settop(L, top);
    return true;
}
