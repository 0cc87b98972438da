/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/lua/ctype.h"

#include <string.h>

/* -------------------------------------------------------------- make --- */

static const enum frti_form ctype_forms[] = {
    [FRT_KIND_VOID] = FRTI_VOID,
    [FRT_KIND_BOOL] = FRTI_BOOL,
    [FRT_KIND_FLOAT16] = FRTI_F16,
    [FRT_KIND_FLOAT] = FRTI_F32,
    [FRT_KIND_DOUBLE] = FRTI_F64,
    [FRT_KIND_LONG_DOUBLE] = FRTI_LONG_DOUBLE,
    [FRT_KIND_FLOAT128] = FRTI_F128,
    [FRT_KIND_COMPLEX] = FRTI_COMPLEX,
    [FRT_KIND_VECTOR] = FRTI_VECTOR,
    [FRT_KIND_POINTER] = FRTI_POINTER,
    [FRT_KIND_SEGMENT] = FRTI_POINTER,
    [FRT_KIND_ARRAY] = FRTI_ARRAY,
    [FRT_KIND_STRUCT] = FRTI_STRUCT,
    [FRT_KIND_UNION] = FRTI_STRUCT,
    [FRT_KIND_FUNCTION] = FRTI_FUNCTION,
};

static enum frti_form
ctype_form(const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);
    bool is_signed = frt_layout_is_signed(layout);

    if (kind == FRT_KIND_BOOL || !frt_layout_is_integer(layout))
        return ctype_forms[kind];
    switch (frt_layout_size(layout)) {
    case 1:
        return is_signed ? FRTI_I8 : FRTI_U8;
    case 2:
        return is_signed ? FRTI_I16 : FRTI_U16;
    case 4:
        return is_signed ? FRTI_I32 : FRTI_U32;
    case 8:
        return is_signed ? FRTI_I64 : FRTI_U64;
    default:
        return is_signed ? FRTI_I128 : FRTI_U128;
    }
}

/* A struct whose last member is an array of a length to be told. */
static void
ctype_find_tail(struct frti_ctype *type)
{
    frt_place place;
    const frt_layout *last;

    if (type->form != FRTI_STRUCT || type->is_union || type->count == 0 ||
        frt_layout_member(&place, type->layout, type->count - 1) != FRT_OK)
        return;
    last = place.layout;
    if (frt_layout_kind(last) == FRT_KIND_ARRAY &&
        frt_layout_count(last) == FRT_FLEXIBLE) {
        type->tail = frt_layout_size(frt_layout_element(last));
        type->tail_offset = place.offset;
    }
}

static void
ctype_fill(struct frti_ctype *type, const frt_layout *layout)
{
    memset(type, 0, sizeof *type);
    type->layout = layout;
    type->form = ctype_form(layout);
    type->kind = frt_layout_kind(layout);
    type->size = frt_layout_size(layout);
    type->alignment = frt_layout_alignment(layout);
    if (type->alignment == 0)
        type->alignment = 1;
    type->count = type->form == FRTI_COMPLEX ? 2 : frt_layout_count(layout);
    type->is_const = frt_layout_is_const(layout);
    type->is_complete = frt_layout_is_complete(layout);
    type->is_union = type->kind == FRT_KIND_UNION;
    if (type->is_complete)
        ctype_find_tail(type);
}

static struct frti_ctype **
ctype_bucket(struct frti_module *m, const frt_layout *layout)
{
    uintptr_t bits = (uintptr_t)layout;

    return &m->buckets[(bits >> 4 ^ bits >> 13) % FRTI_CTYPE_BUCKETS];
}

static struct frti_ctype *
ctype_known(struct frti_module *m, const frt_layout *layout)
{
    struct frti_ctype *type = *ctype_bucket(m, layout);

    while (type != NULL && (type->layout != layout || type->plain != NULL))
        type = type->next_in_bucket;
    return type;
}

struct frti_ctype *
frti_ctype_reserve(lua_State *L, struct frti_module *m)
{
    struct frti_ctype *type = m->spare;

    frti_module_check_open(L, m);
    if (type != NULL) {
        m->spare = type->next;
        return type;
    }
    luaL_checkstack(L, 8, "types");
    type = frti_lua_new(L, sizeof *type, 0);
    memset(type, 0, sizeof *type);
    lua_rawgeti(L, LUA_REGISTRYINDEX, m->ctype_meta_ref);
    lua_setmetatable(L, -2);
    frti_module_anchor(L, m, type);
    return type;
}

static void
ctype_unreserve(struct frti_module *m, struct frti_ctype *type)
{
    type->next = m->spare;
    m->spare = type;
}

/* Takes the layout's reference over. */
static void
ctype_enter(struct frti_module *m, struct frti_ctype *type,
            const frt_layout *layout)
{
    struct frti_ctype **bucket = ctype_bucket(m, layout);

    ctype_fill(type, layout);
    type->module = m;
    type->next_in_bucket = *bucket;
    *bucket = type;
    type->next = m->ctypes;
    m->ctypes = type;
}

struct frti_ctype *
frti_ctype_settle(lua_State *L, struct frti_module *m,
                  struct frti_ctype *reserved, frt_status status,
                  const frt_layout *layout)
{
    struct frti_ctype *known;

    if (status != FRT_OK) {
        ctype_unreserve(m, reserved);
        frti_check(L, status);
    }
    known = ctype_known(m, layout);
    if (known != NULL) {
        frt_layout_drop(layout);
        ctype_unreserve(m, reserved);
        return known;
    }
    ctype_enter(m, reserved, layout);
    return reserved;
}

struct frti_ctype *
frti_ctype_of(lua_State *L, struct frti_module *m, const frt_layout *layout)
{
    struct frti_ctype *type = ctype_known(m, layout);

    if (type != NULL)
        return type;
    type = frti_ctype_reserve(L, m);
    return frti_ctype_settle(L, m, type, FRT_OK, frt_layout_keep(layout));
}

struct frti_ctype *
frti_ctype_constant(lua_State *L, struct frti_module *m,
                    struct frti_ctype *plain)
{
    struct frti_ctype *type = *ctype_bucket(m, plain->layout);

    while (type != NULL && type->plain != plain)
        type = type->next_in_bucket;
    if (type != NULL)
        return type;
    type = frti_ctype_reserve(L, m);
    ctype_enter(m, type, frt_layout_keep(plain->layout));
    type->plain = plain;
    return type;
}

void
frti_ctype_drop_all(struct frti_module *m)
{
    for (struct frti_ctype *type = m->ctypes; type != NULL; type = type->next)
        frt_layout_drop(type->layout);
    m->ctypes = NULL;
}

void
frti_ctype_push(lua_State *L, struct frti_module *m,
                const struct frti_ctype *type)
{
    frti_module_table(L, &m->tables.anchors);
    lua_rawgetp(L, -1, type);
    lua_remove(L, -2);
}

/* ----------------------------------------------------------- related --- */

/* A metatype that was given to the incomplete type is that of the whole. */
static void
ctype_complete(lua_State *L, struct frti_module *m, struct frti_ctype *type,
               struct frti_ctype *whole)
{
    if (type->has_metatype && !whole->has_metatype) {
        frti_module_table(L, &m->tables.metatypes);
        lua_rawgetp(L, -1, type);
        lua_rawsetp(L, -2, whole);
        lua_pop(L, 1);
        whole->has_metatype = true;
    }
    type->whole = whole;
}

const struct frti_ctype *
frti_ctype_whole(lua_State *L, struct frti_module *m,
                 const struct frti_ctype *type)
{
    struct frti_ctype *self = (struct frti_ctype *)type;
    const char *tag;
    frt_declaration found;
    const char *name;

    if (type->is_complete || type->form != FRTI_STRUCT)
        return type;
    if (type->whole != NULL)
        return type->whole;
    tag = frt_layout_tag(type->layout);
    if (tag == NULL || m->is_closed)
        return type;
    name =
        lua_pushfstring(L, "%s %s", type->is_union ? "union" : "struct", tag);
    if (frt_decls_find(&found, m->decls, name) == FRT_OK &&
        found.layout != NULL && frt_layout_is_complete(found.layout))
        ctype_complete(L, m, self, frti_ctype_of(L, m, found.layout));
    lua_pop(L, 1);
    return self->whole != NULL ? self->whole : type;
}

const struct frti_ctype *
frti_ctype_inner(lua_State *L, struct frti_module *m,
                 const struct frti_ctype *type)
{
    struct frti_ctype *self = (struct frti_ctype *)type;
    const frt_layout *inner;

    if (self->inner == NULL) {
        inner = frt_layout_element(type->layout);
        self->inner = frti_ctype_of(L, m, inner == NULL ? FRT_VOID : inner);
    }
    if (self->inner->is_complete)
        return self->inner;
    return frti_ctype_whole(L, m, self->inner);
}

const struct frti_ctype *
frti_ctype_pointer(lua_State *L, struct frti_module *m,
                   const struct frti_ctype *type, bool is_const)
{
    struct frti_ctype *reserved = frti_ctype_reserve(L, m);
    const frt_layout *layout = NULL;
    frt_status status = frt_layout_pointer(&layout, type->layout, is_const);

    return frti_ctype_settle(L, m, reserved, status, layout);
}

/* -------------------------------------------------------------- size --- */

bool
frti_ctype_is_variable(const struct frti_ctype *type)
{
    return type->tail != 0 ||
           (type->form == FRTI_ARRAY && type->count == FRT_FLEXIBLE);
}

size_t
frti_ctype_size(lua_State *L, const struct frti_ctype *type, size_t count)
{
    size_t each, first, bytes;

    if (!frti_ctype_is_variable(type))
        return type->size;
    if (type->tail != 0) {
        each = type->tail;
        first = type->tail_offset;
    } else {
        each = frt_layout_size(frt_layout_element(type->layout));
        first = 0;
    }
    if (__builtin_mul_overflow(each, count, &bytes) ||
        __builtin_add_overflow(bytes, first, &bytes) ||
        bytes > SIZE_MAX / 2 - 4096)
        luaL_error(L, "size of C type '%s' is too large",
                   frti_ctype_name(L, type));
    return bytes > type->size ? bytes : type->size;
}

/* ---------------------------------------------------------- arguments --- */

struct frti_ctype *
frti_ctype_at(lua_State *L, const struct frti_module *m, int index)
{
    const void *meta;

    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return NULL;
    meta = lua_topointer(L, -1);
    lua_pop(L, 1);
    return meta == m->ctype_meta ? lua_touserdata(L, index) : NULL;
}
