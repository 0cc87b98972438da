/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Calls are prepared once a function type, and once more for each list of types
 * that is given to a `...`.
 */
#include "ffi_rt/lua/call.h"

#include <string.h>

/* Pushes a call with room for `count` parameters, which has nothing yet. */
static struct frti_call *
call_new(lua_State *L, size_t count)
{
    size_t bytes =
        sizeof(struct frti_call) + count * sizeof(struct frti_parameter);
    struct frti_call *call = frti_lua_new(L, bytes, 0);

    memset(call, 0, bytes);
    call->count = count;
    return call;
}

static void
call_set(struct frti_call *call, size_t index, const struct frti_ctype *type)
{
    call->parameters[index] =
        (struct frti_parameter){.type = type, .form = type->form};
}

/* Links, and takes the call from the top into the module's list. */
static void
call_finish(lua_State *L, struct frti_module *m, struct frti_call *call,
            const frt_descriptor *descriptor, const frt_layout *const *more,
            size_t count)
{
    const frt_descriptor *extended = NULL;
    frt_status status = FRT_OK;

    frti_module_anchor(L, m, call);
    if (count != 0)
        status = frt_descriptor_extend(&extended, descriptor, more, count);
    if (status == FRT_OK)
        status = frt_downcall_link(&call->downcall,
                                   count != 0 ? extended : descriptor, NULL);
    frt_descriptor_drop(extended);
    if (status != FRT_OK) {
        lua_pushnil(L);
        frti_module_anchor(L, m, call);
        frti_check(L, status);
    }
    call->next = m->calls;
    m->calls = call;
}

const struct frti_call *
frti_call_of(lua_State *L, struct frti_module *m, const struct frti_ctype *type)
{
    struct frti_ctype *self = (struct frti_ctype *)type;
    const frt_descriptor *descriptor;
    struct frti_call *call;
    size_t count;

    if (type->call != NULL)
        return type->call;
    frti_module_check_open(L, m); /* or the layout is gone */
    luaL_checkstack(L, 10, "call");
    descriptor = frt_layout_descriptor(type->layout);
    count = frt_descriptor_count(descriptor);
    call = call_new(L, count);
    call->is_variadic = frt_descriptor_is_variadic(descriptor);
    call->result = frti_ctype_of(L, m, frt_descriptor_result(descriptor));
    for (size_t i = 0; i < count; i++)
        call_set(call, i,
                 frti_ctype_of(L, m, frt_descriptor_parameter(descriptor, i)));
    call_finish(L, m, call, descriptor, NULL, 0);
    self->call = call;
    return call;
}

void
frti_call_drop_all(struct frti_module *m)
{
    for (struct frti_call *call = m->calls; call != NULL; call = call->next)
        frt_downcall_drop(call->downcall);
    for (struct frti_ctype *type = m->ctypes; type != NULL; type = type->next)
        type->call = NULL;
    m->calls = NULL;
}

/* ------------------------------------------------------------ variadic -- */

/* The type in which a value that no parameter describes is passed. */
static const struct frti_ctype *
variadic_type(lua_State *L, struct frti_module *m, int index)
{
    const struct frti_cdata *cdata;

    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        return lua_isinteger(L, index) ? m->common.int64 : m->common.number;
    case LUA_TBOOLEAN:
        return m->common.int_;
    case LUA_TSTRING:
        return m->common.const_char_pointer;
    case LUA_TNIL:
    case LUA_TLIGHTUSERDATA:
        return m->common.void_pointer;
    default:
        break;
    }
    cdata = frti_cdata_at(L, m, index);
    if (cdata == NULL && lua_type(L, index) != LUA_TUSERDATA)
        luaL_error(L, "bad argument #%d to '%s' (a '%s' has no type of C)",
                   index, frti_callee(L), luaL_typename(L, index));
    if (cdata == NULL)
        return m->common.void_pointer;
    if (cdata->type->form == FRTI_ARRAY)
        return frti_ctype_pointer(L, m, frti_ctype_inner(L, m, cdata->type),
                                  (cdata->flags & FRTI_READ_ONLY) != 0);
    if (cdata->type->form == FRTI_FUNCTION)
        return frti_ctype_pointer(L, m, cdata->type, false);
    return cdata->type;
}

static bool
variant_fits(lua_State *L, struct frti_module *m, const struct frti_call *call,
             size_t fixed, int first)
{
    for (size_t i = fixed; i < call->count; i++)
        if (call->parameters[i].type != variadic_type(L, m, first + (int)i))
            return false;
    return true;
}

static struct frti_call *
variant_new(lua_State *L, struct frti_module *m, const struct frti_call *call,
            size_t given, int first)
{
    size_t more = given - call->count;
    const frt_layout **layouts = frti_lua_new(L, more * sizeof *layouts, 0);
    struct frti_call *variant = call_new(L, given);

    variant->result = call->result;
    for (size_t i = 0; i < call->count; i++)
        call_set(variant, i, call->parameters[i].type);
    for (size_t i = call->count; i < given; i++) {
        const struct frti_ctype *type = variadic_type(L, m, first + (int)i);

        call_set(variant, i, type);
        layouts[i - call->count] = type->layout;
    }
    call_finish(L, m, variant, frt_downcall_descriptor(call->downcall), layouts,
                more);
    lua_pop(L, 1);
    return variant;
}

const struct frti_call *
frti_call_variant(lua_State *L, struct frti_module *m,
                  const struct frti_call *call, size_t given, int first)
{
    struct frti_call *self = (struct frti_call *)call, *variant;

    luaL_checkstack(L, 12, "call");
    for (variant = call->variants; variant != NULL;
         variant = variant->next_variant)
        if (variant->count == given &&
            variant_fits(L, m, variant, call->count, first))
            return variant;
    variant = variant_new(L, m, call, given, first);
    variant->next_variant = self->variants;
    self->variants = variant;
    return variant;
}
