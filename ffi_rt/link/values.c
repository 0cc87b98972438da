/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * FRT_CALL: C values become arguments of the types that a descriptor asks for.
 *
 * A value is converted as C would, and refused where C would lose something.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ffi_rt/base/bits.h"
#include "ffi_rt/base/status.h"
#include "ffi_rt/layout/layout.h"
#include "ffi_rt/link/function.h"

#define VALUES_MOST 20

/* One argument's storage. */
union cell {
    unsigned char bytes[16];
    int64_t i;
    uint64_t u;
    float f;
    double d;
    long double l;
    const void *pointer;
    frt_segment segment;
};

struct converting {
    const frt_function *function;
    const frt_layout *layout;
    size_t index;
};

static FRTI_COLD frt_status
convert_refuse_type(const struct converting *at, const char *what)
{
    struct frti_layout_text text;

    return frti_fail(FRT_BAD_ARGUMENT,
                     "argument %zu of %s() is %s, and its parameter `%s`",
                     at->index + 1, at->function->name, what,
                     frti_layout_text(&text, at->layout));
}

static FRTI_COLD frt_status
convert_refuse_range(const struct converting *at, const char *number)
{
    struct frti_layout_text text;

    return frti_fail(FRT_OVERFLOW,
                     "argument %zu of %s() is %s, which `%s` cannot hold",
                     at->index + 1, at->function->name, number,
                     frti_layout_text(&text, at->layout));
}

static FRTI_COLD frt_status
convert_refuse_number(const struct converting *at, long double number)
{
    char text[48];

    snprintf(text, sizeof text, "%Lg", number);
    return convert_refuse_range(at, text);
}

static bool
value_is_signed(const frt_value *value)
{
    switch (value->kind) {
    case FRT_KIND_CHAR:
    case FRT_KIND_SCHAR:
    case FRT_KIND_SHORT:
    case FRT_KIND_INT:
    case FRT_KIND_LONG:
    case FRT_KIND_LLONG:
    case FRT_KIND_ENUM:
        return true;
    default:
        return false;
    }
}

static bool
value_is_integer(const frt_value *value)
{
    return value_is_signed(value) ||
           (value->kind >= FRT_KIND_BOOL && value->kind <= FRT_KIND_ULLONG);
}

static bool
value_is_floating(const frt_value *value)
{
    return value->kind == FRT_KIND_FLOAT || value->kind == FRT_KIND_DOUBLE ||
           value->kind == FRT_KIND_LONG_DOUBLE;
}

static bool
integer_fits(const frt_value *value, const frt_layout *layout)
{
    bool is_negative = value_is_signed(value) && value->as.i < 0;
    unsigned bits = 8 * (unsigned)frt_layout_size(layout);

    if (frt_layout_kind(layout) == FRT_KIND_BOOL)
        return !is_negative && value->as.u <= 1;
    if (bits > 64)
        return !is_negative || frt_layout_is_signed(layout);
    if (!frt_layout_is_signed(layout))
        return !is_negative && (bits == 64 || value->as.u >> bits == 0);
    if (is_negative)
        return value->as.i >= INT64_MIN >> (64 - bits);
    return value->as.u >> (bits - 1) == 0;
}

static frt_status
convert_integer(union cell *cell, const struct converting *at,
                const frt_value *value)
{
    bool is_negative = value_is_signed(value) && value->as.i < 0;
    char number[32];

    if (!integer_fits(value, at->layout)) {
        snprintf(number, sizeof number,
                 value_is_signed(value) ? "%lld" : "%llu",
                 (long long)value->as.i);
        return convert_refuse_range(at, number);
    }
    memset(cell->bytes, is_negative ? 0xff : 0, sizeof cell->bytes);
    cell->u = value->as.u;
    return FRT_OK;
}

static long double
value_as_floating(const frt_value *value)
{
    if (value->kind == FRT_KIND_LONG_DOUBLE)
        return value->l;
    if (value_is_floating(value))
        return value->as.d;
    return value_is_signed(value) ? (long double)value->as.i
                                  : (long double)value->as.u;
}

/* A whole number of 64 bits at most converts; C would cut the others. */
static frt_status
convert_whole(union cell *cell, const struct converting *at,
              const frt_value *value)
{
    long double number = value_as_floating(value);
    frt_value whole = {.kind = FRT_KIND_LLONG};

    if (!(number >= -0x1p63L && number < 0x1p64L))
        return convert_refuse_number(at, number);
    if (number < 0) {
        whole.as.i = (int64_t)number;
    } else {
        whole.kind = FRT_KIND_ULLONG;
        whole.as.u = (uint64_t)number;
    }
    if (value_as_floating(&whole) != number)
        return convert_refuse_number(at, number);
    return convert_integer(cell, at, &whole);
}

static frt_status
convert_to_integer(union cell *cell, const struct converting *at,
                   const frt_value *value)
{
    if (value_is_integer(value))
        return convert_integer(cell, at, value);
    if (value_is_floating(value))
        return convert_whole(cell, at, value);
    return convert_refuse_type(at, "no number");
}

/* Digits may be lost, as in C; the range may not. */
static frt_status
convert_to_floating(union cell *cell, const struct converting *at,
                    const frt_value *value)
{
    long double l;
    bool fits = true;

    if (!value_is_integer(value) && !value_is_floating(value))
        return convert_refuse_type(at, "no number");
    l = value_as_floating(value);
    switch (frt_layout_kind(at->layout)) {
    case FRT_KIND_FLOAT:
        cell->f = (float)l;
        fits = !isinf(cell->f) || isinf(l);
        break;
    case FRT_KIND_DOUBLE:
        cell->d = (double)l;
        fits = !isinf(cell->d) || isinf(l);
        break;
    case FRT_KIND_LONG_DOUBLE:
        cell->l = l;
        break;
    default:
        return convert_refuse_type(at, "a C number");
    }
    return fits ? FRT_OK : convert_refuse_number(at, l);
}

static frt_status
convert_to_pointer(union cell *cell, const struct converting *at,
                   const frt_value *value)
{
    if (value->kind != FRT_KIND_POINTER)
        return convert_refuse_type(
            at, value->kind == FRT_KIND_SEGMENT ? "a segment" : "no pointer");
    cell->pointer = value->as.pointer;
    return FRT_OK;
}

/* A raw pointer is trusted for what the parameter asks. */
static frt_status
convert_to_segment(const void **argument, union cell *cell,
                   const struct converting *at, const frt_value *value)
{
    if (value->kind == FRT_KIND_SEGMENT) {
        if (value->as.segment == NULL)
            return convert_refuse_type(at, "no segment (NULL)");
        *argument = value->as.segment;
        return FRT_OK;
    }
    if (value->kind != FRT_KIND_POINTER)
        return convert_refuse_type(at, "no pointer");
    cell->segment = frt_segment_of_address(
        (void *)value->as.pointer,
        value->as.pointer == NULL ? 0 : at->layout->asked_size);
    return FRT_OK;
}

static frt_status
convert_to_aggregate(const void **argument, const struct converting *at,
                     const frt_value *value)
{
    char what[64];

    if (value->kind != FRT_KIND_STRUCT || value->as.pointer == NULL)
        return convert_refuse_type(at, "not given by FRT_BY_VALUE");
    if (value->size != frt_layout_size(at->layout)) {
        snprintf(what, sizeof what, "a value of %zu bytes", value->size);
        return convert_refuse_type(at, what);
    }
    *argument = value->as.pointer;
    return FRT_OK;
}

static frt_status
convert(const void **argument, union cell *cell, const struct converting *at,
        const frt_value *value)
{
    *argument = cell;
    switch (frt_layout_kind(at->layout)) {
    case FRT_KIND_POINTER:
        return convert_to_pointer(cell, at, value);
    case FRT_KIND_SEGMENT:
        return convert_to_segment(argument, cell, at, value);
    case FRT_KIND_STRUCT:
    case FRT_KIND_UNION:
    case FRT_KIND_COMPLEX:
    case FRT_KIND_VECTOR:
        return convert_to_aggregate(argument, at, value);
    default:
        break;
    }
    if (value->kind == FRT_KIND_STRUCT)
        return convert_to_aggregate(argument, at, value);
    if (frt_layout_is_integer(at->layout))
        return convert_to_integer(cell, at, value);
    return convert_to_floating(cell, at, value);
}

/* ------------------------------------------------------------ result --- */

struct returning {
    void *place;
    frt_kind kind;
    size_t size;
};

/* A raw pointer's place may stand for a segment. */
static bool
result_is_raw(const struct returning *returning, const frt_layout *layout)
{
    return frt_layout_kind(layout) == FRT_KIND_SEGMENT &&
           returning->kind == FRT_KIND_STRUCT &&
           returning->size == sizeof(void *);
}

static bool
result_kind_fits(const struct returning *returning, const frt_layout *layout)
{
    const frt_layout *given = frt_layout_value(returning->kind, NULL);
    bool is_number = frt_layout_is_integer(layout) ||
                     (frt_layout_is_floating(layout) &&
                      frt_layout_kind(layout) != FRT_KIND_COMPLEX);

    if (returning->kind == FRT_KIND_VOID || result_is_raw(returning, layout))
        return true;
    if (returning->kind == FRT_KIND_SEGMENT)
        return frt_layout_kind(layout) == FRT_KIND_SEGMENT;
    if (returning->kind > FRT_KIND_FUNCTION ||
        (given != NULL && returning->size != frt_layout_size(given)))
        return false;
    if (given == NULL) /* an aggregate, a raw pointer, an enum */
        return frt_layout_kind(layout) != FRT_KIND_SEGMENT &&
               returning->size == frt_layout_size(layout);
    return is_number && frt_layout_size(given) == frt_layout_size(layout) &&
           frt_layout_is_integer(given) == frt_layout_is_integer(layout) &&
           frt_layout_is_signed(given) == frt_layout_is_signed(layout) &&
           (frt_layout_kind(given) == FRT_KIND_BOOL) ==
               (frt_layout_kind(layout) == FRT_KIND_BOOL);
}

static frt_status
result_check(const frt_function *function, const struct returning *returning,
             const frt_layout *layout)
{
    struct frti_layout_text text;

    if (frt_layout_kind(layout) == FRT_KIND_VOID)
        return returning->place == NULL
                   ? FRT_OK
                   : frti_fail(FRT_BAD_ARGUMENT, "%s() has no result",
                               function->name);
    if (returning->place == NULL)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "%s() has a result and no place for it",
                         function->name);
    if (!result_kind_fits(returning, layout))
        return frti_fail(FRT_BAD_ARGUMENT,
                         "the result of %s() is `%s`, not what its place is "
                         "for",
                         function->name, frti_layout_text(&text, layout));
    return FRT_OK;
}

/* -------------------------------------------------------------- call --- */

static frt_status
values_run(const frt_function *function, const frt_downcall *downcall,
           const struct returning *returning, const frt_value *values,
           size_t count)
{
    const frt_descriptor *descriptor = frt_downcall_descriptor(downcall);
    const frt_layout *result = frt_descriptor_result(descriptor);
    union cell cells[VALUES_MOST];
    const void *arguments[VALUES_MOST + 1];
    frt_segment segment;
    frt_status status = FRT_OK;

    for (size_t i = 0; status == FRT_OK && i < count; i++) {
        struct converting at = {function,
                                frt_descriptor_parameter(descriptor, i), i};

        status = convert(&arguments[i], &cells[i], &at, &values[i]);
    }
    if (status != FRT_OK)
        return status;
    if (!result_is_raw(returning, result))
        return frti_function_run(function, downcall, NULL, returning->place,
                                 (void *const *)arguments);
    status = frti_function_run(function, downcall, NULL, &segment,
                               (void *const *)arguments);
    if (status == FRT_OK)
        *(void **)returning->place = segment.address;
    return status;
}

/* With the values that the `...` of this call has. */
static frt_status
values_choose(const frt_downcall **out, const frt_function *function,
              const frt_value *values, size_t count)
{
    const frt_downcall *downcall = function->downcall;
    const frt_descriptor *descriptor = frt_downcall_descriptor(downcall);
    size_t wanted = frt_descriptor_count(descriptor);

    *out = downcall;
    if (count == wanted)
        return FRT_OK;
    if (count > wanted && frt_descriptor_is_variadic(descriptor))
        return frti_variadics_find(out, &((frt_function *)function)->variadics,
                                   downcall, &function->options,
                                   values + wanted, count - wanted);
    return frti_fail(FRT_BAD_ARGUMENT, "%s() takes %s%zu argument%s, not %zu",
                     function->name,
                     frt_descriptor_is_variadic(descriptor) ? "at least " : "",
                     wanted, wanted == 1 ? "" : "s", count);
}

frt_status
frt_call_values(const frt_function *function, void *result,
                frt_kind result_kind, size_t result_size,
                const frt_value *values, size_t count)
{
    struct returning returning = {result, result_kind, result_size};
    const frt_downcall *downcall;
    frt_status status;

    if (function == NULL)
        return frti_null_argument("function");
    if (values == NULL && count != 0)
        return frti_null_argument("values");
    if (count > VALUES_MOST)
        return frti_fail(FRT_BAD_ARGUMENT,
                         "%s() is given %zu values; %d at most can be",
                         function->name, count, VALUES_MOST);
    status = values_choose(&downcall, function, values, count);
    if (status == FRT_OK)
        status = result_check(
            function, &returning,
            frt_descriptor_result(frt_downcall_descriptor(downcall)));
    if (status == FRT_OK)
        status = values_run(function, downcall, &returning, values, count);
    return status;
}
