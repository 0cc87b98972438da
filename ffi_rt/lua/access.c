/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Reading and writing through cdata: members by name, elements by index. What
 * the memory is known to hold is checked, and that it still lives; then a
 * metatype is asked.
 */
#include "ffi_rt/lua/callback.h"
#include "ffi_rt/lua/cdata.h"
#include "ffi_rt/lua/convert.h"
#include "ffi_rt/lua/metatype.h"

#include <math.h>
#include <string.h>

/* Where a key leads. */
struct spot {
    const struct frti_ctype *type;
    const struct frti_member *bits; /* NULL: no bit-field */
    char *address;
    bool is_read_only;
};

/* ----------------------------------------------------------- elements -- */

static void
spot_check_pointer(lua_State *L, const struct frti_cdata *cdata,
                   const char *begin, size_t size)
{
    const struct frti_address *pointer = frti_cdata_pointer(cdata);

    if (__builtin_expect(pointer->value == NULL || frti_is_nowhere(begin), 0))
        luaL_error(L, "attempt to read or write through a NULL '%s'",
                   frti_ctype_name(L, cdata->type));
    if (pointer->low == NULL)
        return;
    if (__builtin_expect(begin < pointer->low ||
                             size > (size_t)(pointer->high - begin) ||
                             begin > pointer->high,
                         0))
        luaL_error(L, "'%s' leads outside the memory that it was taken from",
                   frti_ctype_name(L, cdata->type));
}

/* The element of a pointer. */
static void
spot_pointed(lua_State *L, struct frti_module *m, struct spot *spot,
             const struct frti_cdata *cdata, int64_t index)
{
    const struct frti_ctype *inner = frti_ctype_inner(L, m, cdata->type);
    int64_t offset;

    if (inner->form != FRTI_FUNCTION &&
        (!inner->is_complete || inner->size == 0))
        luaL_error(L,
                   "'%s' cannot be indexed with a number: the size of '%s' "
                   "is unknown",
                   frti_ctype_name(L, cdata->type), frti_ctype_name(L, inner));
    if (__builtin_mul_overflow(index, (int64_t)inner->size, &offset))
        luaL_error(L, "index %I of '%s' is outside of any memory",
                   (LUAI_UACINT)index, frti_ctype_name(L, cdata->type));
    spot->type = inner;
    spot->address = (char *)((uintptr_t)frti_cdata_pointer(cdata)->value +
                             (uintptr_t)offset);
    spot->is_read_only = cdata->type->is_const;
    spot_check_pointer(L, cdata, spot->address, inner->size);
}

static void
spot_element(lua_State *L, struct frti_module *m, struct spot *spot,
             const struct frti_cdata *cdata, int64_t index)
{
    const struct frti_ctype *type = cdata->type;
    const struct frti_ctype *inner = frti_ctype_inner(L, m, type);
    size_t count = type->count;

    if (count == FRT_FLEXIBLE)
        count = inner->size == 0 ? 0 : cdata->size / inner->size;
    /* a flexible member of a struct in memory of C's has any length */
    if (__builtin_expect((uint64_t)index >= count, 0) &&
        !(type->count == FRT_FLEXIBLE && cdata->size == 0 &&
          !(cdata->flags & (FRTI_ROOT | FRTI_ANCHORED))))
        luaL_error(L, "index %I is outside of '%s', which has %I elements",
                   (LUAI_UACINT)index, frti_ctype_name(L, type),
                   (LUAI_UACINT)count);
    spot->type = inner;
    spot->address = cdata->address + (size_t)index * inner->size;
    spot->is_read_only = (cdata->flags & FRTI_READ_ONLY) != 0;
}

/* False: the type has no elements. */
static bool
spot_by_index(lua_State *L, struct frti_module *m, struct spot *spot,
              const struct frti_cdata *cdata, int64_t index)
{
    spot->bits = NULL;
    switch (cdata->type->form) {
    case FRTI_POINTER:
        spot_pointed(L, m, spot, cdata, index);
        break;
    case FRTI_ARRAY:
    case FRTI_VECTOR:
    case FRTI_COMPLEX:
        spot_element(L, m, spot, cdata, index);
        break;
    default:
        return false;
    }
    /* last: a finalizer that runs on the way may close the arena */
    frti_guard_check(L, cdata->guard);
    return true;
}

/* ------------------------------------------------------------ members -- */

/* `re` and `im` of a complex. */
static bool
spot_part(lua_State *L, struct frti_module *m, struct spot *spot,
          const struct frti_cdata *cdata, const char *name)
{
    if (strcmp(name, "re") == 0)
        return spot_by_index(L, m, spot, cdata, 0);
    return strcmp(name, "im") == 0 && spot_by_index(L, m, spot, cdata, 1);
}

/* The struct that a cdata is or points to; NULL: neither. */
static const struct frti_ctype *
spot_struct(lua_State *L, struct frti_module *m, const struct frti_cdata *cdata)
{
    const struct frti_ctype *type = cdata->type;

    if (type->form == FRTI_POINTER)
        type = frti_ctype_inner(L, m, type);
    return type->form == FRTI_STRUCT ? type : NULL;
}

static bool
spot_by_name(lua_State *L, struct frti_module *m, struct spot *spot,
             const struct frti_cdata *cdata, int key)
{
    const struct frti_ctype *type = spot_struct(L, m, cdata);
    const struct frti_member *member;

    if (type == NULL)
        return cdata->type->form == FRTI_COMPLEX &&
               spot_part(L, m, spot, cdata, lua_tostring(L, key));
    if (!type->is_complete)
        return false;
    member = frti_member_find(L, frti_members_of(L, m, type), key);
    if (member == NULL)
        return false;
    frti_guard_check(L, cdata->guard);
    if (cdata->type->form == FRTI_POINTER) {
        spot->address = frti_cdata_pointer(cdata)->value + member->offset;
        spot->is_read_only = cdata->type->is_const;
        spot_check_pointer(L, cdata, frti_cdata_pointer(cdata)->value,
                           type->size);
    } else {
        spot->address = cdata->address + member->offset;
        spot->is_read_only = (cdata->flags & FRTI_READ_ONLY) != 0;
    }
    spot->is_read_only |= member->is_const;
    spot->type = member->type;
    spot->bits = member->bit_width != 0 ? member : NULL;
    return true;
}

static bool
spot_find(lua_State *L, struct frti_module *m, struct spot *spot,
          const struct frti_cdata *cdata, int key)
{
    struct frti_number number;
    int is_integer;
    lua_Integer index;

    switch (lua_type(L, key)) {
    case LUA_TSTRING:
        return spot_by_name(L, m, spot, cdata, key);
    case LUA_TNUMBER:
        index = lua_tointegerx(L, key, &is_integer);
        if (is_integer)
            return spot_by_index(L, m, spot, cdata, index);
        if (!(fabs(lua_tonumber(L, key)) < 0x1p63))
            luaL_error(L, "'%s' cannot be indexed with %f",
                       frti_ctype_name(L, cdata->type), lua_tonumber(L, key));
        break;
    default:
        break;
    }
    return lua_type(L, key) != LUA_TBOOLEAN &&
           frti_number_read(L, m, &number, key) &&
           spot_by_index(L, m, spot, cdata, (int64_t)number.integer);
}

/* ------------------------------------------------------------- errors -- */

static int
access_error(lua_State *L, struct frti_module *m,
             const struct frti_cdata *cdata, int key)
{
    const struct frti_ctype *type = spot_struct(L, m, cdata);
    const char *name;

    if (lua_type(L, key) != LUA_TSTRING)
        return luaL_error(L, "'%s' cannot be indexed with '%s'",
                          frti_ctype_name(L, cdata->type),
                          luaL_typename(L, key));
    name = frti_ctype_name(L, type != NULL ? type : cdata->type);
    if (type != NULL && !type->is_complete)
        return luaL_error(L, "'%s' is incomplete and has no member '%s'", name,
                          lua_tostring(L, key));
    return luaL_error(L, "'%s' has no member named '%s'", name,
                      lua_tostring(L, key));
}

/* ---------------------------------------------------------- the access -- */

/* An array of a length to be told, and a struct that ends in one, reach to the
 * end of the memory that is known. */
static void
access_fit(lua_State *L, const struct frti_cdata *cdata,
           const struct spot *spot)
{
    struct frti_cdata *reference = lua_touserdata(L, -1);
    const struct frti_address *pointer = frti_cdata_pointer(cdata);
    bool is_array =
        spot->type->form == FRTI_ARRAY && spot->type->count == FRT_FLEXIBLE;

    if (spot->is_read_only)
        reference->flags |= FRTI_READ_ONLY;
    if (!is_array && spot->type->tail == 0)
        return;
    if (cdata->type->form == FRTI_POINTER) {
        if (pointer->low != NULL)
            reference->size = (size_t)(pointer->high - spot->address);
    } else if (is_array) {
        reference->size =
            cdata->flags & (FRTI_ROOT | FRTI_ANCHORED)
                ? (size_t)(cdata->address + cdata->size - spot->address)
                : 0;
    }
}

/* The type knows the module, which is nearer than the upvalue. */
static inline struct frti_module *
access_module(lua_State *L, const struct frti_cdata *cdata)
{
    struct frti_module *m = cdata->type->module;

    if (__builtin_expect(m->is_closed, 0))
        frti_module_check_open(L, m);
    return m;
}

static int
access_index(lua_State *L)
{
    const struct frti_cdata *cdata = lua_touserdata(L, 1);
    struct frti_module *m = access_module(L, cdata);
    struct spot spot;

    if (!spot_find(L, m, &spot, cdata, 2)) {
        if (frti_metatype_index(L, m, cdata) ||
            frti_callback_method(L, m, cdata->type, 2))
            return 1;
        return access_error(L, m, cdata, 2);
    }
    if (spot.bits != NULL) {
        frti_bits_to_lua(L, m, spot.bits, spot.address);
        return 1;
    }
    frti_to_lua(L, m, spot.type, spot.address, 1);
    if (spot.type->form == FRTI_ARRAY || spot.type->form == FRTI_STRUCT)
        access_fit(L, cdata, &spot);
    return 1;
}

/* Into memory of an arena: what is made on the way may run a finalizer that
 * closes it, so the new value is made elsewhere and then copied at once. */
static void
access_write_guarded(lua_State *L, struct frti_module *m,
                     const struct frti_cdata *cdata, const struct spot *spot)
{
    const struct frti_ctype *type = spot->type;
    const struct frti_cdata *made = frti_cdata_new(L, m, type, type->size);
    const struct frti_into into = {.owner = lua_gettop(L)};
    const struct frti_stored from = {into.owner, made->address};
    const struct frti_stored to = {1, spot->address};

    frti_guard_check(L, cdata->guard);
    memcpy(made->address, spot->address, type->size);
    frti_to_c(L, m, type, made->address, 3, &into);
    if (!frti_store_copy(L, m, &to, &from, type->size) &&
        type->form == FRTI_POINTER)
        frti_store_anchor(L, m, 1, spot->address, 0);
    frti_guard_check(L, cdata->guard);
    memcpy(spot->address, made->address, type->size);
}

static int
access_newindex(lua_State *L)
{
    const struct frti_cdata *cdata = lua_touserdata(L, 1);
    struct frti_module *m = access_module(L, cdata);
    struct frti_into into = {.owner = 1};
    struct spot spot;

    if (!spot_find(L, m, &spot, cdata, 2)) {
        if (frti_metatype_newindex(L, m, cdata))
            return 0;
        return access_error(L, m, cdata, 2);
    }
    if (spot.is_read_only)
        return luaL_error(L, "attempt to write to constant location");
    if (spot.bits != NULL)
        frti_bits_to_c(L, m, spot.bits, spot.address, 3, &into);
    else if (frti_take_number(L, spot.type->form, spot.address, 3))
        return 0;
    else if (cdata->guard != NULL)
        access_write_guarded(L, m, cdata, &spot);
    else
        frti_to_c(L, m, spot.type, spot.address, 3, &into);
    return 0;
}

void
frti_access_register(lua_State *L, struct frti_module *m)
{
    static const luaL_Reg functions[] = {{"__index", access_index},
                                         {"__newindex", access_newindex},
                                         {NULL, NULL}};

    frti_module_register(L, m, functions);
}
