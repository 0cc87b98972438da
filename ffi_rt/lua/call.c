/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The call itself. Arguments go straight into an area of the C stack, or for
 * large calls into a userdata, so that an error has nothing to give back. What
 * they point to is on the Lua stack until the call has returned.
 */
#include "ffi_rt/lua/call.h"
#include "ffi_rt/lua/callback.h"
#include "ffi_rt/lua/metatype.h"

#include <errno.h>
#include <string.h>

enum { CALL_ARGUMENTS = 12 };

/* One call under way, as all but its quick ways see it. */
struct running {
    struct frti_module *m;
    const struct frti_call *call;
    void *target;
    void **arguments;
    int first;       /* index of the first argument */
    bool is_guarded; /* an argument lives by a session */
};

/* ----------------------------------------------------------- arguments -- */

/* What an aggregate is passed from: the cdata itself, or one that is made of a
 * table and stays on the stack. */
static void *
argument_aggregate(lua_State *L, struct running *running,
                   const struct frti_ctype *type, int index,
                   const struct frti_into *into)
{
    struct frti_module *m = running->m;
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);
    struct frti_cdata *copy;

    if (cdata != NULL &&
        (cdata->type == type || frti_ctype_same(cdata->type, type))) {
        running->is_guarded |= cdata->guard != NULL;
        if (((uintptr_t)cdata->address & (type->alignment - 1)) == 0)
            return cdata->address;
    }
    luaL_checkstack(L, 8, "arguments");
    copy = frti_cdata_new(L, m, type, type->size);
    frti_to_c(L, m, type, copy->address, index, into);
    return copy->address;
}

static void *
argument_pointer(lua_State *L, struct running *running,
                 const struct frti_ctype *type, int index,
                 const struct frti_into *into)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, running->m, index);

    if (cdata != NULL) {
        running->is_guarded |= cdata->guard != NULL;
        if (cdata->type == type && cdata->guard == NULL)
            return frti_cdata_pointer(cdata)->value;
    }
    return frti_to_pointer(L, running->m, type, index, into);
}

/* Any argument; the usual ones have been dealt with. */
static __attribute__((noinline)) void
argument_convert(lua_State *L, struct running *running, size_t i)
{
    const struct frti_ctype *type = running->call->parameters[i].type;
    struct frti_into into = {.argument = (int)i + 1};
    void **argument = &running->arguments[i];
    int index = running->first + (int)i;

    if (type->form > FRTI_POINTER)
        *argument = argument_aggregate(L, running, type, index, &into);
    else if (type->form == FRTI_POINTER)
        *(void **)*argument = argument_pointer(L, running, type, index, &into);
    else
        frti_to_c(L, running->m, type, *argument, index, &into);
}

/* --------------------------------------------------------------- holds -- */

/* Acquires the sessions that arguments live by; returns how many. */
static frt_status
holds_acquire(lua_State *L, const struct running *running, frt_ticket *tickets,
              size_t *count)
{
    frt_status status = FRT_OK;

    for (size_t i = 0; i < running->call->count && status == FRT_OK; i++) {
        const struct frti_cdata *cdata =
            frti_cdata_at(L, running->m, running->first + (int)i);

        if (cdata == NULL || cdata->guard == NULL)
            continue;
        status = frt_session_acquire(&tickets[*count], cdata->guard->session);
        if (status == FRT_OK)
            ++*count;
    }
    return status;
}

/* Where this thread has errno: asking libc for it each time is a call. */
static inline int *
call_errno(void)
{
    static __thread int *location __attribute__((tls_model("initial-exec")));

    if (__builtin_expect(location == NULL, 0))
        location = &errno;
    return location;
}

static inline frt_status
call_invoke(lua_State *L, const struct running *running, void *result)
{
    struct frti_module *m = running->m;
    lua_State *outer = m->running;
    int *location = call_errno();
    frt_status status;

    m->running = L;
    *location = m->error_number;
    status = frt_invoke(running->call->downcall, running->target, result,
                        running->arguments);
    m->error_number = *location;
    m->running = outer;
    return status;
}

/* The sentence of a failure outlives the releases: they do not fail. */
static __attribute__((noinline)) frt_status
call_held(lua_State *L, const struct running *running, void *result)
{
    size_t count = 0;
    frt_ticket *tickets =
        frti_lua_new(L, (running->call->count + 1) * sizeof *tickets, 0);
    frt_status status = holds_acquire(L, running, tickets, &count);

    if (status == FRT_OK)
        status = call_invoke(L, running, result);
    while (count-- > 0)
        frt_session_release(&tickets[count]);
    lua_pop(L, 1);
    return status;
}

/* ---------------------------------------------------------------- call -- */

static inline void
call_run(lua_State *L, const struct running *running, void *result)
{
    frt_status status = __builtin_expect(running->is_guarded, 0)
                            ? call_held(L, running, result)
                            : call_invoke(L, running, result);

    if (__builtin_expect(running->m->has_failed, 0))
        frti_callback_raise(L, running->m);
    if (__builtin_expect(status != FRT_OK, 0))
        frti_check(L, status);
}

/* Pushes what keeps the memory of the argument at `index` that `value` points
 * into; nothing and false: it does not. */
static bool
result_is_within(lua_State *L, const struct frti_module *m,
                 struct frti_life *life, const char *value, int index)
{
    const struct frti_cdata *cdata = frti_cdata_at(L, m, index);

    *life = (struct frti_life){.low = NULL};
    if (cdata != NULL && (cdata->flags & (FRTI_ROOT | FRTI_ANCHORED))) {
        frti_life_of(L, life, cdata, index);
    } else if (lua_type(L, index) == LUA_TSTRING) {
        life->low = lua_tostring(L, index);
        life->high = life->low + lua_rawlen(L, index) + 1;
        lua_pushvalue(L, index);
    } else {
        return false;
    }
    if (life->low != NULL && value >= life->low && value < life->high)
        return true;
    lua_pop(L, 1);
    return false;
}

/* A pointer into what an argument points to, as strchr has it, keeps that. */
static __attribute__((noinline)) void
result_push_pointer(lua_State *L, const struct running *running, void *value)
{
    const struct frti_ctype *type = running->call->result;
    struct frti_life life;

    for (size_t i = 0; value != NULL && i < running->call->count; i++)
        if (result_is_within(L, running->m, &life, value,
                             running->first + (int)i)) {
            frti_cdata_push_living(L, running->m, type, value, lua_gettop(L),
                                   &life);
            return;
        }
    frti_cdata_push_pointer(L, running->m, type, value, 0);
}

/* What C returned, the usual types first. */
static inline void
result_push(lua_State *L, const struct running *running, void *result)
{
    const struct frti_ctype *type = running->call->result;

    if (type->form == FRTI_I32)
        lua_pushinteger(L, *(const int32_t *)result);
    else if (type->form == FRTI_F64)
        lua_pushnumber(L, *(const double *)result);
    else if (type->form == FRTI_POINTER)
        result_push_pointer(L, running, *(void **)result);
    else
        frti_to_lua(L, running->m, type, result, 0);
}

/* The loop works on few values, which stay in registers. */
static inline __attribute__((always_inline)) int
call_perform(lua_State *L, struct running *running, void **arguments,
             char *area, int first)
{
    const struct frti_call *call = running->call;
    const struct frti_ctype *type = call->result;
    union {
        _Alignas(FRTI_CALL_SLOT) char bytes[FRTI_CALL_SLOT];
        int32_t i;
        double d;
        void *pointer;
    } scalar;
    struct frti_cdata *cdata;

    for (size_t i = 0; i < call->count; i++) {
        arguments[i] = area + i * FRTI_CALL_SLOT;
        if (!frti_take_number(L, call->parameters[i].form,
                              area + i * FRTI_CALL_SLOT, first + (int)i))
            argument_convert(L, running, i);
    }
    if (type->form == FRTI_VOID) {
        call_run(L, running, NULL);
        return 0;
    }
    if (type->form > FRTI_POINTER) {
        cdata = frti_cdata_new(L, running->m, type, type->size);
        call_run(L, running, cdata->address);
        return 1;
    }
    call_run(L, running, &scalar);
    result_push(L, running, &scalar);
    return 1;
}

/* More arguments than the C stack is asked for. */
static __attribute__((noinline)) int
call_large(lua_State *L, struct running *running)
{
    size_t count = running->call->count, slots = count * FRTI_CALL_SLOT;
    char *area =
        frti_lua_new(L, slots + count * sizeof(void *) + FRTI_CALL_SLOT, 0);

    area += -(uintptr_t)area & (FRTI_CALL_SLOT - 1);
    running->arguments = (void **)(area + slots);
    return call_perform(L, running, running->arguments, area, running->first);
}

static __attribute__((noinline)) const struct frti_call *
call_vary(lua_State *L, struct frti_module *m, const struct frti_call *call,
          size_t given, int first)
{
    if (given < call->count || !call->is_variadic)
        luaL_error(L,
                   "wrong number of arguments for '%s': %d, where %s%d "
                   "expected",
                   frti_callee(L), (int)given,
                   call->is_variadic ? "at least " : "", (int)call->count);
    return frti_call_variant(L, m, call, given, first);
}

static inline __attribute__((always_inline)) int
call_function(lua_State *L, struct frti_module *m,
              const struct frti_ctype *type, void *target, int first)
{
    _Alignas(FRTI_CALL_SLOT) char area[FRTI_CALL_SLOT * CALL_ARGUMENTS];
    void *arguments[CALL_ARGUMENTS];
    const struct frti_call *call = type->call;
    size_t given = (size_t)lua_gettop(L) + 1 - (size_t)first;
    struct running running;

    if (__builtin_expect(call == NULL, 0))
        call = frti_call_of(L, m, type);
    if (__builtin_expect(given != call->count, 0))
        call = call_vary(L, m, call, given, first);
    running = (struct running){.m = m,
                               .call = call,
                               .target = target,
                               .arguments = arguments,
                               .first = first};
    if (__builtin_expect(call->count > CALL_ARGUMENTS, 0))
        return call_large(L, &running);
    return call_perform(L, &running, arguments, area, first);
}

int
frti_call_function(lua_State *L, struct frti_module *m,
                   const struct frti_ctype *type, void *target, int first)
{
    return call_function(L, m, type, target, first);
}

int
frti_call_closure(lua_State *L)
{
    const struct frti_cdata *cdata = lua_touserdata(L, lua_upvalueindex(1));

    return call_function(L, cdata->type->module, cdata->type, cdata->address,
                         1);
}
