/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Comparison of cdata. Integers are compared as unsigned if one is a uint64_t,
 * with a floating number as floating; pointers by their addresses. Whatever
 * else may be equal to anything: it is not, unless it is the same memory.
 */
#include "ffi_rt/lua/metatype.h"
#include "ffi_rt/lua/operand.h"

/* Below 0, 0, above 0; 2: not ordered (a NaN). */
static int
compare_numbers(const struct frti_number *a, const struct frti_number *b)
{
    unsigned __int128 x = (unsigned __int128)a->integer;
    unsigned __int128 y = (unsigned __int128)b->integer;

    if (a->is_floating || b->is_floating) {
        if (a->floating != a->floating || b->floating != b->floating)
            return 2;
        return (a->floating > b->floating) - (a->floating < b->floating);
    }
    if (!a->is_unsigned && !b->is_unsigned)
        return (a->integer > b->integer) - (a->integer < b->integer);
    if (!a->is_wide && !b->is_wide) {
        x = (uint64_t)x;
        y = (uint64_t)y;
    }
    return (x > y) - (x < y);
}

static int
compare_addresses(const void *a, const void *b)
{
    return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

/* What an equality sees of a cdata that is no number. */
static const void *
compare_address(const struct frti_operand *operand)
{
    if (operand->is_pointer)
        return operand->address;
    if (operand->is_number)
        return (const void *)(uintptr_t)operand->number.integer;
    return operand->cdata == NULL ? NULL : operand->cdata->address;
}

static bool
compare_is_complex(const struct frti_operand *operand)
{
    return operand->cdata != NULL && operand->cdata->type->form == FRTI_COMPLEX;
}

/* Of a complex: one part. */
static struct frti_number
compare_part(lua_State *L, struct frti_module *m,
             const struct frti_operand *operand, size_t part)
{
    const struct frti_ctype *inner =
        frti_ctype_inner(L, m, operand->cdata->type);
    struct frti_number number;

    frti_guard_check(L, operand->cdata->guard);
    frti_number_load(&number, inner,
                     operand->cdata->address + part * inner->size);
    return number;
}

static bool
compare_complex(lua_State *L, struct frti_module *m,
                const struct frti_operand *a, const struct frti_operand *b)
{
    for (size_t part = 0; part < 2; part++) {
        struct frti_number x = compare_part(L, m, a, part);
        struct frti_number y = compare_part(L, m, b, part);

        if (compare_numbers(&x, &y) != 0)
            return false;
    }
    return true;
}

static int
compare_eq(lua_State *L)
{
    struct frti_module *m = frti_module_here(L);
    struct frti_operand a, b;

    luaL_checkstack(L, 8, "comparison");
    frti_operand_read(L, m, &a, 1);
    frti_operand_read(L, m, &b, 2);
    if (a.is_number && b.is_number)
        lua_pushboolean(L, compare_numbers(&a.number, &b.number) == 0);
    else if (a.is_pointer && b.is_pointer)
        lua_pushboolean(L, a.address == b.address);
    else if (compare_is_complex(&a) && compare_is_complex(&b))
        lua_pushboolean(L, compare_complex(L, m, &a, &b));
    else if (!frti_metatype_operate(L, m, "__eq"))
        lua_pushboolean(L, a.cdata != NULL && b.cdata != NULL &&
                               compare_address(&a) == compare_address(&b));
    return 1;
}

/* Compares in *out. False: the two have no order. */
static bool
compare_order(int *out, const struct frti_operand *a,
              const struct frti_operand *b)
{
    if (a->is_number && b->is_number) {
        *out = compare_numbers(&a->number, &b->number);
        return true;
    }
    if (!a->is_pointer || !b->is_pointer ||
        !frti_pointee_fits(a->target->layout, b->target->layout))
        return false;
    *out = compare_addresses(a->address, b->address);
    return true;
}

static int
compare(lua_State *L, bool or_equal)
{
    struct frti_module *m = frti_module_here(L);
    struct frti_operand a, b;
    int order;

    luaL_checkstack(L, 8, "comparison");
    frti_operand_read(L, m, &a, 1);
    frti_operand_read(L, m, &b, 2);
    if (compare_order(&order, &a, &b))
        lua_pushboolean(L, order < 0 || (or_equal && order == 0));
    else if (!frti_metatype_operate(L, m, or_equal ? "__le" : "__lt"))
        return frti_operand_error(L, m, "compare", "with");
    return 1;
}

static int
compare_lt(lua_State *L)
{
    return compare(L, false);
}

static int
compare_le(lua_State *L)
{
    return compare(L, true);
}

void
frti_compare_register(lua_State *L, struct frti_module *m)
{
    static const luaL_Reg functions[] = {{"__eq", compare_eq},
                                         {"__lt", compare_lt},
                                         {"__le", compare_le},
                                         {NULL, NULL}};

    frti_module_register(L, m, functions);
}
