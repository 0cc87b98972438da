/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Floating numbers of every kind, read and printed by the C library's own
 * functions; _Float16, which it has none for and not every compiler knows, by
 * way of double.
 */
#include "ffi_rt/cli/number.h"
#include "ffi_rt/cli/quad.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOAT_BYTES 16

/* The bytes of a long double that carry its value. */
#define FLOAT_LONG_BYTES (LDBL_MANT_DIG == 64 ? 10 : sizeof(long double))

/* What is known of a kind. `digits` always suffice to read it back. */
struct float_kind {
    frt_kind kind;
    int digits;
    size_t bytes;
    const char *largest; /* rounded, of the two widest */
    enum frti_number (*read)(void *place, const char **stop, const char *begin);
    void (*print)(char *out, size_t size, int digits, const void *place);
    double (*widen)(const void *place); /* of the widest: sign, inf, nan */
};

/* Infinity out of a finite text. A result too near to 0 is fine. */
static enum frti_number
float_verdict(bool is_infinite)
{
    return errno == ERANGE && is_infinite ? FRTI_NUMBER_TOO_LARGE
                                          : FRTI_NUMBER_READ;
}

static uint16_t
half_of_double(double value)
{
    unsigned sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    int exponent;

    if (isnan(value))
        return (uint16_t)(sign | 0x7e00);
    if (size >= 65520)
        return (uint16_t)(sign | 0x7c00);
    if (size < 0x1p-14)
        return (uint16_t)(sign | (unsigned)nearbyint(size * 0x1p24));
    size = frexp(size, &exponent);
    /* 1024 .. 2048: the carry out of the fraction raises the exponent */
    return (uint16_t)(sign | (((unsigned)(exponent + 14) << 10) +
                              (unsigned)nearbyint(size * 2048) - 1024));
}

static double
half_widen(const void *place)
{
    uint16_t half;
    unsigned exponent, fraction;
    double size;

    memcpy(&half, place, sizeof half);
    exponent = half >> 10 & 31;
    fraction = half & 1023;
    if (exponent == 31)
        size = fraction == 0 ? (double)INFINITY : (double)NAN;
    else if (exponent == 0)
        size = ldexp(fraction, -24);
    else
        size = ldexp(1024 + fraction, (int)exponent - 25);
    return half & 0x8000 ? -size : size;
}

static enum frti_number
half_read(void *place, const char **stop, const char *begin)
{
    double value = strtod(begin, (char **)stop);
    uint16_t half = half_of_double(value);

    memcpy(place, &half, sizeof half);
    if (isinf(half_widen(place)) && !isinf(value))
        return FRTI_NUMBER_TOO_LARGE;
    return float_verdict(isinf(value));
}

static void
half_print(char *out, size_t size, int digits, const void *place)
{
    snprintf(out, size, "%.*e", digits - 1, half_widen(place));
}

static enum frti_number
single_read(void *place, const char **stop, const char *begin)
{
    float value = strtof(begin, (char **)stop);

    memcpy(place, &value, sizeof value);
    return float_verdict(isinf(value));
}

static double
single_widen(const void *place)
{
    float value;

    memcpy(&value, place, sizeof value);
    return (double)value;
}

static void
single_print(char *out, size_t size, int digits, const void *place)
{
    snprintf(out, size, "%.*e", digits - 1, single_widen(place));
}

static enum frti_number
double_read(void *place, const char **stop, const char *begin)
{
    double value = strtod(begin, (char **)stop);

    memcpy(place, &value, sizeof value);
    return float_verdict(isinf(value));
}

static double
double_widen(const void *place)
{
    double value;

    memcpy(&value, place, sizeof value);
    return value;
}

static void
double_print(char *out, size_t size, int digits, const void *place)
{
    snprintf(out, size, "%.*e", digits - 1, double_widen(place));
}

static enum frti_number
extended_read(void *place, const char **stop, const char *begin)
{
    long double value = strtold(begin, (char **)stop);

    memset(place, 0, sizeof value);
    memcpy(place, &value, FLOAT_LONG_BYTES);
    return float_verdict(isinf(value));
}

static long double
extended_value(const void *place)
{
    long double value = 0;

    memcpy(&value, place, FLOAT_LONG_BYTES);
    return value;
}

/* A finite one may be infinite as a double. */
static double
extended_widen(const void *place)
{
    long double value = extended_value(place);

    return isfinite(value) ? (double)copysignl(1, value) : (double)value;
}

static void
extended_print(char *out, size_t size, int digits, const void *place)
{
    snprintf(out, size, "%.*Le", digits - 1, extended_value(place));
}

/* The sign's and the exponent's bits are its last two bytes. */
static double
quad_widen(const void *place)
{
    const unsigned char *byte = place;
    unsigned exponent = (byte[15] & 127u) << 8 | byte[14];
    unsigned fraction = 0;
    double size;

    for (int i = 0; i < 14; i++)
        fraction |= byte[i];
    size = exponent < 0x7fff ? 1 : fraction != 0 ? (double)NAN : INFINITY;
    return byte[15] & 128 ? -size : size;
}

static enum frti_number
quad_read(void *place, const char **stop, const char *begin)
{
    frti_quad_read(place, stop, begin);
    return float_verdict(isinf(quad_widen(place)));
}

static const struct float_kind float_kinds[] = {
    {FRT_KIND_FLOAT16, 5, 2, "65504", half_read, half_print, half_widen},
    {FRT_KIND_FLOAT, 9, 4, "3.4028235e+38", single_read, single_print,
     single_widen},
    {FRT_KIND_DOUBLE, 17, 8, "1.7976931348623157e+308", double_read,
     double_print, double_widen},
    {FRT_KIND_LONG_DOUBLE, LDBL_DECIMAL_DIG, FLOAT_LONG_BYTES, "1.18973e+4932",
     extended_read, extended_print, extended_widen},
    {FRT_KIND_FLOAT128, 36, 16, "1.18973e+4932", quad_read, frti_quad_print,
     quad_widen},
};

static const struct float_kind *
float_find(frt_kind kind)
{
    const struct float_kind *found = float_kinds;

    while (found->kind != kind)
        found++;
    return found;
}

enum frti_number
frti_float_read(void *place, const char **stop, const char *begin,
                frt_kind kind)
{
    enum frti_number verdict;

    if (isspace((unsigned char)*begin))
        return FRTI_NUMBER_STRANGE;
    errno = 0;
    verdict = float_find(kind)->read(place, stop, begin);
    return *stop == begin ? FRTI_NUMBER_STRANGE : verdict;
}

bool
frti_float_is_finite(frt_kind kind, const void *place)
{
    return isfinite(float_find(kind)->widen(place));
}

/* The least number of digits that reads back as the same bytes. */
static int
float_shortest(char *out, size_t size, const struct float_kind *kind,
               const void *place)
{
    unsigned char again[FLOAT_BYTES] = {0};
    int digits = 1;

    for (; digits < kind->digits; digits++) {
        const char *stop;

        kind->print(out, size, digits, place);
        (void)kind->read(again, &stop, out);
        if (memcmp(again, place, kind->bytes) == 0)
            return digits;
    }
    kind->print(out, size, digits, place);
    return digits;
}

/* `d.ddde+XX` as people write it: 1e+02 is 100, 2.5e-01 is 0.25. */
static void
float_plain(struct frti_text *text, const char *scientific, int exponent)
{
    char digits[64];
    int count = 0;

    for (; *scientific != 'e'; scientific++)
        if (isdigit((unsigned char)*scientific))
            digits[count++] = *scientific;
        else if (*scientific == '-')
            frti_text_say(text, "-");
    if (exponent < 0)
        frti_text_say(text, "0.%.*s%.*s", -exponent - 1, "0000", count, digits);
    else if (count > exponent + 1)
        frti_text_say(text, "%.*s.%.*s", exponent + 1, digits,
                      count - exponent - 1, digits + exponent + 1);
    else
        frti_text_add(text, digits, (size_t)count);
}

void
frti_float_print(struct frti_text *text, frt_kind kind, const void *place)
{
    const struct float_kind *row = float_find(kind);
    double wide = row->widen(place);
    char digits[64];
    int count, exponent;

    if (!isfinite(wide)) {
        frti_text_say(text, "%s%s", signbit(wide) ? "-" : "",
                      isnan(wide) ? "nan" : "inf");
        return;
    }
    count = float_shortest(digits, sizeof digits, row, place);
    exponent = atoi(strchr(digits, 'e') + 1);
    if (exponent >= -5 && exponent < row->digits) {
        if (count <= exponent) /* the zeros may be other digits */
            row->print(digits, sizeof digits, exponent + 1, place);
        float_plain(text, digits, exponent);
    } else {
        frti_text_say(text, "%s", digits);
    }
}

void
frti_float_print_range(struct frti_text *text, frt_kind kind)
{
    const char *largest = float_find(kind)->largest;

    frti_text_say(text, "-%s .. %s", largest, largest);
}
