/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/number.h"

#include <ctype.h>
#include <string.h>

static int
integer_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (isxdigit((unsigned char)c))
        return tolower((unsigned char)c) - 'a' + 10;
    return 99;
}

static bool
escape_octal(unsigned char *out, const char **at, const char *end)
{
    unsigned value = 0;

    for (int i = 0; i < 3 && *at < end && integer_digit(**at) < 8; i++)
        value = value * 8 + (unsigned)integer_digit(*(*at)++);
    *out = (unsigned char)value;
    return value <= 0xff;
}

/* Two digits at most: a byte, whatever follows. */
static bool
escape_hex(unsigned char *out, const char **at, const char *end)
{
    const char *begin = *at;
    unsigned value = 0;

    while (*at < end && *at < begin + 2 && integer_digit(**at) < 16)
        value = value * 16 + (unsigned)integer_digit(*(*at)++);
    *out = (unsigned char)value;
    return *at > begin;
}

bool
frti_escape_read(unsigned char *out, const char **at, const char *end)
{
    static const char from[] = "ntrabfve\\'\"?";
    static const char to[] = "\n\t\r\a\b\f\v\033\\'\"?";
    const char *found;

    if (*at >= end || **at == '\0')
        return false;
    if (integer_digit(**at) < 8)
        return escape_octal(out, at, end);
    if (**at == 'x') {
        ++*at;
        return escape_hex(out, at, end);
    }
    found = strchr(from, *(*at)++);
    if (found == NULL)
        return false;
    *out = (unsigned char)to[found - from];
    return true;
}

/* 'é', of several bytes: its code point. */
static enum frti_number
integer_read_code(struct frti_integer *out, const char *at, size_t length,
                  const char *end)
{
    unsigned code = (unsigned char)*at & (0x7fU >> length);

    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)at[i] & 0x3f);
    if (at + length + 1 != end || at[length] != '\'')
        return FRTI_NUMBER_STRANGE;
    *out = (struct frti_integer){.magnitude = code};
    return FRTI_NUMBER_READ;
}

static enum frti_number
integer_read_character(struct frti_integer *out, const char *at,
                       const char *end)
{
    size_t length = frti_text_sequence(at, (size_t)(end - at));
    unsigned char byte = (unsigned char)*at;

    if (length > 1)
        return integer_read_code(out, at, length, end);
    at++;
    if (byte == '\'' || at >= end)
        return FRTI_NUMBER_STRANGE;
    if (byte == '\\' && !frti_escape_read(&byte, &at, end))
        return FRTI_NUMBER_STRANGE;
    if (at + 1 != end || *at != '\'')
        return FRTI_NUMBER_STRANGE;
    *out = (struct frti_integer){.magnitude = byte, .is_character = true};
    return FRTI_NUMBER_READ;
}

static unsigned
integer_base(const char **at, const char *end)
{
    if (end - *at < 2 || **at != '0')
        return 10;
    switch ((*at)[1]) {
    case 'x':
    case 'X':
        *at += 2;
        return 16;
    case 'b':
    case 'B':
        *at += 2;
        return 2;
    case 'o':
    case 'O':
        *at += 2;
        return 8;
    default:
        *at += 1;
        return 8;
    }
}

enum frti_number
frti_integer_read(struct frti_integer *out, const char *begin, const char *end)
{
    struct frti_integer integer = {0};
    bool is_large = false;
    unsigned base;

    if (end - begin >= 3 && *begin == '\'')
        return integer_read_character(out, begin + 1, end);
    if (begin < end && (*begin == '-' || *begin == '+'))
        integer.is_negative = *begin++ == '-';
    base = integer_base(&begin, end);
    if (begin >= end)
        return FRTI_NUMBER_STRANGE;
    for (; begin < end; begin++) {
        unsigned digit = (unsigned)integer_digit(*begin);

        if (digit >= base)
            return FRTI_NUMBER_STRANGE;
        is_large |= integer.magnitude > (~(frti_uwide)0 - digit) / base;
        integer.magnitude = integer.magnitude * base + digit;
    }
    if (is_large)
        return FRTI_NUMBER_TOO_LARGE;
    *out = integer;
    return FRTI_NUMBER_READ;
}

bool
frti_integer_fits(const struct frti_integer *integer, unsigned bits,
                  bool is_signed)
{
    frti_uwide top = (frti_uwide)1 << (bits - 1);

    if (is_signed)
        return integer->magnitude < top + integer->is_negative;
    if (integer->is_negative)
        return integer->magnitude == 0;
    return integer->magnitude <= top - 1 + top;
}

frti_wide
frti_integer_value(const struct frti_integer *integer)
{
    return (frti_wide)(integer->is_negative ? -integer->magnitude
                                            : integer->magnitude);
}

void
frti_integer_print(struct frti_text *text, frti_wide value, bool is_signed)
{
    frti_uwide rest = (frti_uwide)value;
    char digits[48], *at = digits + sizeof digits;

    if (is_signed && value < 0)
        rest = -rest;
    do {
        *--at = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest != 0);
    if (is_signed && value < 0)
        *--at = '-';
    frti_text_add(text, at, (size_t)(digits + sizeof digits - at));
}

void
frti_integer_print_range(struct frti_text *text, unsigned bits, bool is_signed)
{
    frti_uwide top = (frti_uwide)1 << (bits - 1);

    if (is_signed) {
        frti_integer_print(text, (frti_wide)-top, true);
        frti_text_say(text, " .. ");
        frti_integer_print(text, (frti_wide)(top - 1), true);
    } else {
        frti_text_say(text, "0 .. ");
        frti_integer_print(text, (frti_wide)(top - 1 + top), false);
    }
}
