/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Arithmetic of cdata, as LuaJIT's: on integers of 64 bits, unsigned if one is
 * a uint64_t, or of 128; division cuts, the remainder has the dividend's sign.
 * Pointers take integers and have differences.
 */
#include "ffi_rt/lua/metatype.h"
#include "ffi_rt/lua/operand.h"

#include <string.h>

typedef unsigned __int128 wide;

enum op {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_POW,
    OP_IDIV,
    OP_BAND,
    OP_BOR,
    OP_BXOR,
    OP_SHL,
    OP_SHR,
    OP_UNM,
    OP_BNOT
};

static const char *const op_events[] = {
    "__add",  "__sub", "__mul",  "__div", "__mod", "__pow", "__idiv",
    "__band", "__bor", "__bxor", "__shl", "__shr", "__unm", "__bnot"};

/* ----------------------------------------------------------- integers -- */

/* What the numbers are taken for. */
struct mode {
    unsigned bits; /* 64 or 128 */
    bool is_unsigned;
};

/* The value of `bits` bits as the mode has it, in 128. */
static wide
mode_extend(const struct mode *mode, wide value)
{
    if (mode->bits == 128)
        return value;
    return mode->is_unsigned ? (wide)(uint64_t)value
                             : (wide)(__int128)(int64_t)value;
}

/* The least signed number is what a division by zero gives, as in LuaJIT. */
static wide
divide(const struct mode *mode, wide a, wide b)
{
    __int128 x = (__int128)a, y = (__int128)b;

    if (b == 0)
        return (wide)1 << (mode->bits - 1);
    if (mode->is_unsigned)
        return a / b;
    return y == -1 ? -a : (wide)(x / y);
}

static wide
remainder_of(const struct mode *mode, wide a, wide b)
{
    if (b == 0)
        return (wide)1 << (mode->bits - 1);
    return a - divide(mode, a, b) * b;
}

static wide
divide_floor(const struct mode *mode, wide a, wide b)
{
    wide quotient = divide(mode, a, b);

    if (!mode->is_unsigned && b != 0 && quotient * b != a &&
        ((__int128)a < 0) != ((__int128)b < 0))
        quotient--;
    return quotient;
}

static wide
power(const struct mode *mode, wide a, wide b)
{
    wide result = 1;

    if (!mode->is_unsigned && (__int128)b < 0) {
        if (a == 0)
            return divide(mode, 1, 0);
        if (a == 1 || a + 1 == 0)
            return b & 1 ? a : 1;
        return 0;
    }
    for (; b != 0; b >>= 1, a *= a)
        if (b & 1)
            result *= a;
    return result;
}

/* As Lua's shifts: what is shifted out is gone, and a negative count goes the
 * other way. */
static wide
shift_left(const struct mode *mode, wide a, __int128 count)
{
    wide mask = mode->bits == 128 ? ~(wide)0 : (wide)UINT64_MAX;

    if (count >= (int)mode->bits || count <= -(int)mode->bits)
        return 0;
    return count >= 0 ? a << count : (a & mask) >> -count;
}

static wide
operate(enum op op, const struct mode *mode, wide a, wide b)
{
    switch (op) {
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    case OP_DIV:
        return divide(mode, a, b);
    case OP_MOD:
        return remainder_of(mode, a, b);
    case OP_POW:
        return power(mode, a, b);
    case OP_IDIV:
        return divide_floor(mode, a, b);
    case OP_BAND:
        return a & b;
    case OP_BOR:
        return a | b;
    case OP_BXOR:
        return a ^ b;
    case OP_SHL:
        return shift_left(mode, a, (__int128)b);
    case OP_SHR:
        return shift_left(mode, a, (__int128)-b);
    case OP_UNM:
        return -a;
    default:
        return ~a;
    }
}

static void
push_result(lua_State *L, struct frti_module *m, const struct mode *mode,
            wide value)
{
    frt_kind kind = mode->bits == 64    ? FRT_KIND_ULONG
                    : mode->is_unsigned ? FRT_KIND_UINT128
                                        : FRT_KIND_INT128;
    const struct frti_ctype *type;

    if (mode->bits == 64 && !mode->is_unsigned) {
        lua_pushinteger(L, (lua_Integer)value);
        return;
    }
    type = mode->bits == 64 ? m->common.uint64
                            : frti_ctype_of(L, m, frt_layout_value(kind, NULL));
    memcpy(frti_cdata_new(L, m, type, type->size)->address, &value, type->size);
}

static void
operate_numbers(lua_State *L, struct frti_module *m, enum op op,
                const struct frti_number *a, const struct frti_number *b)
{
    struct mode mode = {.bits = a->is_wide || b->is_wide ? 128 : 64};

    mode.is_unsigned = (a->is_unsigned && (a->is_wide || mode.bits == 64)) ||
                       (b->is_unsigned && (b->is_wide || mode.bits == 64));
    push_result(L, m, &mode,
                operate(op, &mode, mode_extend(&mode, (wide)a->integer),
                        mode_extend(&mode, (wide)b->integer)));
}

/* ----------------------------------------------------------- pointers -- */

/* Pushes the pointer at `index`, `count` elements on. */
static void
move_pointer(lua_State *L, struct frti_module *m,
             const struct frti_operand *pointer, int index, wide count)
{
    const struct frti_ctype *type = pointer->cdata->type;
    char *address = (char *)((uintptr_t)pointer->address +
                             (uintptr_t)count * pointer->target->size);

    if (type->form == FRTI_ARRAY)
        type =
            frti_ctype_pointer(L, m, pointer->target,
                               (pointer->cdata->flags & FRTI_READ_ONLY) != 0);
    frti_cdata_push_pointer(L, m, type, address, index);
}

static bool
has_size(const struct frti_operand *pointer)
{
    return pointer->is_pointer && pointer->target->is_complete &&
           pointer->target->size != 0;
}

/* False: there is no such operation. */
static bool
operate_pointers(lua_State *L, struct frti_module *m, enum op op,
                 const struct frti_operand *a, const struct frti_operand *b)
{
    if (op == OP_SUB && has_size(a) && has_size(b)) {
        if (!frti_pointee_fits(a->target->layout, b->target->layout))
            return false;
        lua_pushinteger(
            L, (lua_Integer)((uintptr_t)a->address - (uintptr_t)b->address) /
                   (lua_Integer)a->target->size);
        return true;
    }
    if ((op == OP_ADD || op == OP_SUB) && has_size(a) && b->is_number) {
        wide count = (wide)b->number.integer;

        move_pointer(L, m, a, 1, op == OP_ADD ? count : -count);
        return true;
    }
    if (op == OP_ADD && a->is_number && has_size(b)) {
        move_pointer(L, m, b, 2, (wide)a->number.integer);
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------- all -- */

static int
arithmetic(lua_State *L, enum op op)
{
    struct frti_module *m = frti_module_here(L);
    struct frti_operand a, b;

    luaL_checkstack(L, 8, "arithmetic");
    frti_operand_read(L, m, &a, 1);
    frti_operand_read(L, m, &b, 2);
    if (a.is_number && b.is_number) {
        if (op == OP_IDIV && b.number.integer == 0)
            return luaL_error(L, "attempt to perform 'n//0'");
        operate_numbers(L, m, op, &a.number, &b.number);
        return 1;
    }
    if (operate_pointers(L, m, op, &a, &b) ||
        frti_metatype_operate(L, m, op_events[op]))
        return 1;
    return frti_operand_error(L, m, "perform arithmetic on", "and");
}

#define ARITHMETIC(name, op)                                                   \
    static int arithmetic_##name(lua_State *L)                                 \
    {                                                                          \
        return arithmetic(L, op);                                              \
    }
ARITHMETIC(add, OP_ADD)
ARITHMETIC(sub, OP_SUB)
ARITHMETIC(mul, OP_MUL)
ARITHMETIC(div, OP_DIV)
ARITHMETIC(mod, OP_MOD)
ARITHMETIC(pow, OP_POW)
ARITHMETIC(idiv, OP_IDIV)
ARITHMETIC(band, OP_BAND)
ARITHMETIC(bor, OP_BOR)
ARITHMETIC(bxor, OP_BXOR)
ARITHMETIC(shl, OP_SHL)
ARITHMETIC(shr, OP_SHR)
ARITHMETIC(unm, OP_UNM)
ARITHMETIC(bnot, OP_BNOT)
#undef ARITHMETIC

void
frti_arithmetic_register(lua_State *L, struct frti_module *m)
{
    static const luaL_Reg functions[] = {{"__add", arithmetic_add},
                                         {"__sub", arithmetic_sub},
                                         {"__mul", arithmetic_mul},
                                         {"__div", arithmetic_div},
                                         {"__mod", arithmetic_mod},
                                         {"__pow", arithmetic_pow},
                                         {"__idiv", arithmetic_idiv},
                                         {"__band", arithmetic_band},
                                         {"__bor", arithmetic_bor},
                                         {"__bxor", arithmetic_bxor},
                                         {"__shl", arithmetic_shl},
                                         {"__shr", arithmetic_shr},
                                         {"__unm", arithmetic_unm},
                                         {"__bnot", arithmetic_bnot},
                                         {NULL, NULL}};

    frti_module_register(L, m, functions);
}
