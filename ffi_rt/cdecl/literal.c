/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Constants and strings, C11 6.4.4 and 6.4.5, with the prefix 0b, the digit
 * separators and u8'c' of C23 and the suffixes of GNU C. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ffi_rt/base/compiler.h"
#include "ffi_rt/cdecl/parser.h"

#define LITERAL_SIZE 128

uint64_t
frti_wrap(uint64_t bits, const frt_layout *layout)
{
    size_t unused =
        frt_layout_size(layout) >= 8 ? 0 : 64 - 8 * frt_layout_size(layout);

    if (frt_layout_kind(layout) == FRT_KIND_BOOL)
        return bits != 0;
    bits <<= unused;
    if (frt_layout_is_signed(layout))
        return (uint64_t)((int64_t)bits >> unused);
    return bits >> unused;
}

static int
literal_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* The value of a digit in any base; 99: none. */
static unsigned
literal_digit(char c)
{
    int lower = literal_lower(c);

    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    return lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a' + 10) : 99;
}

struct literal_suffix {
    bool is_unsigned;
    unsigned longs;
};

static bool
literal_suffix(struct literal_suffix *out, const char *at)
{
    *out = (struct literal_suffix){0};
    while (*at != '\0') {
        if (literal_lower(*at) == 'u' && !out->is_unsigned) {
            out->is_unsigned = true;
            at++;
        } else if (literal_lower(*at) == 'l' && out->longs == 0) {
            out->longs = at[1] == *at ? 2 : 1;
            at += out->longs;
        } else {
            return false;
        }
    }
    return true;
}

/* The first type that holds the value, C11 6.4.4.1 paragraph 5. */
static frt_kind
literal_kind(uint64_t value, struct literal_suffix suffix, bool is_decimal)
{
    bool may_be_unsigned = suffix.is_unsigned || !is_decimal;

    if (suffix.longs == 0) {
        if (!suffix.is_unsigned && value <= INT32_MAX)
            return FRT_KIND_INT;
        if (may_be_unsigned && value <= UINT32_MAX)
            return FRT_KIND_UINT;
    }
    if (!suffix.is_unsigned && value <= INT64_MAX)
        return suffix.longs == 2 ? FRT_KIND_LLONG : FRT_KIND_LONG;
    return suffix.longs == 2 ? FRT_KIND_ULLONG : FRT_KIND_ULONG;
}

static bool
literal_integer(struct frti_parser *parser, struct frti_literal *out,
                const char *digits, size_t position)
{
    unsigned base = 10;
    uint64_t value = 0;
    struct literal_suffix suffix;
    const char *at = digits;

    if (*at == '0') {
        int next = literal_lower(at[1]);

        base = next == 'x' ? 16 : next == 'b' ? 2 : 8;
        at += base == 8 ? 0 : 2;
        if (base != 8 && literal_digit(*at) >= base)
            return frti_refuse(parser, position, "'%s' is not a number",
                               digits);
    }
    for (; literal_digit(*at) < base; at++)
        if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, (uint64_t)literal_digit(*at), &value))
            return frti_refuse(parser, position, "%s is over 64 bits", digits);
    if (!literal_suffix(&suffix, at))
        return frti_refuse(parser, position, "'%s' is not a number", digits);
    if (base == 10 && !suffix.is_unsigned && value > INT64_MAX)
        return frti_refuse(parser, position,
                           "%s does not fit into a signed type", digits);
    out->layout = frt_layout_value(literal_kind(value, suffix, base == 10),
                                   parser->model);
    out->bits = value;
    return true;
}

/* After the exponent's letter; NULL: it has no digits. */
static const char *
literal_after_exponent(const char *at)
{
    const char *start;

    at += *at == '-' || *at == '+';
    start = at;
    while (literal_digit(*at) < 10)
        at++;
    return at > start ? at : NULL;
}

/* After the digits, their point and their exponent; NULL: it is no number. */
static const char *
literal_after_floating(const char *digits, bool is_hexadecimal)
{
    unsigned base = is_hexadecimal ? 16 : 10;
    const char *at = digits + (is_hexadecimal ? 2 : 0);
    bool has_point = false;

    for (; literal_digit(*at) < base || (*at == '.' && !has_point); at++)
        has_point |= *at == '.';
    if (literal_lower(*at) == (is_hexadecimal ? 'p' : 'e'))
        return literal_after_exponent(at + 1);
    return at;
}

static bool
literal_floating_suffix(frt_kind *kind, const char *at)
{
    static const struct {
        const char *text;
        frt_kind kind;
    } suffixes[] = {
        {"", FRT_KIND_DOUBLE},          {"f", FRT_KIND_FLOAT},
        {"l", FRT_KIND_LONG_DOUBLE},    {"f32", FRT_KIND_FLOAT},
        {"f64", FRT_KIND_DOUBLE},       {"f32x", FRT_KIND_DOUBLE},
        {"f64x", FRT_KIND_LONG_DOUBLE},
    };

    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(suffixes); i++)
        if (strcasecmp(at, suffixes[i].text) == 0) {
            *kind = suffixes[i].kind;
            return true;
        }
    return false;
}

/* The nearest value of the kind, whatever the user's locale takes for a point.
 * False: no memory. */
static bool
literal_real(long double *out, const char *digits, frt_kind kind)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    if (locale == (locale_t)0)
        return false;
    *out = kind == FRT_KIND_FLOAT    ? strtof_l(digits, NULL, locale)
           : kind == FRT_KIND_DOUBLE ? strtod_l(digits, NULL, locale)
                                     : strtold_l(digits, NULL, locale);
    freelocale(locale);
    return true;
}

static bool
literal_floating(struct frti_parser *parser, struct frti_literal *out,
                 const char *digits, size_t position)
{
    const char *at =
        literal_after_floating(digits, literal_lower(digits[1]) == 'x');
    frt_kind kind;

    if (at == NULL || !literal_floating_suffix(&kind, at))
        return frti_refuse(parser, position, "'%s' is not a number", digits);
    if (!literal_real(&out->real, digits, kind))
        return frti_source_no_memory(&parser->source, sizeof(locale_t));
    out->layout = frt_layout_value(kind, parser->model);
    return true;
}

static bool
literal_is_floating(const char *digits)
{
    bool is_hexadecimal = digits[0] == '0' && literal_lower(digits[1]) == 'x';

    return strpbrk(digits, is_hexadecimal ? ".pP" : ".eE") != NULL;
}

static bool
literal_number(struct frti_parser *parser, struct frti_literal *out,
               const struct frti_token *token)
{
    const char *text = parser->source.text + token->position;
    char digits[LITERAL_SIZE];
    size_t count = 0;

    for (size_t i = 0; i < token->length; i++) {
        if (count == sizeof digits - 1)
            return frti_refuse(parser, token->position,
                               "the number is over %zu characters long",
                               sizeof digits - 1);
        if (text[i] != '\'')
            digits[count++] = text[i];
    }
    digits[count] = '\0';
    return literal_is_floating(digits)
               ? literal_floating(parser, out, digits, token->position)
               : literal_integer(parser, out, digits, token->position);
}

/* ------------------------------------------------ characters, strings --- */

/* What stands between quotes, and its prefix: 0, 'L', 'u', 'U' or '8'. */
struct literal_text {
    const char *at;
    const char *end;
    char prefix;
    size_t position; /* of the token */
    size_t limit;    /* the largest character */
};

static struct literal_text
literal_text_of(const struct frti_parser *parser,
                const struct frti_token *token)
{
    const char *text = parser->source.text + token->position;
    const char quote = token->kind == FRTI_TOKEN_STRING ? '"' : '\'';
    struct literal_text out = {.end = text + token->length - 1,
                               .position = token->position};
    const char *open = text;

    while (*open != quote)
        out.prefix = *open++;
    out.at = open + 1;
    out.limit = out.prefix == 'L' || out.prefix == 'U' ? UINT32_MAX
                : out.prefix == 'u'                    ? UINT16_MAX
                                                       : UINT8_MAX;
    return out;
}

/* Digits of `base`, at most `most` of them; their number. */
static size_t
literal_escape_digits(struct literal_text *text, unsigned base, size_t most,
                      uint64_t *value)
{
    size_t count = 0;

    *value = 0;
    while (count < most && text->at < text->end &&
           literal_digit(*text->at) < base) {
        *value = *value * base + literal_digit(*text->at++);
        if (*value > UINT32_MAX) /* out of range, however it goes on */
            *value = (uint64_t)UINT32_MAX + 1;
        count++;
    }
    return count;
}

static bool
literal_escape(struct frti_parser *parser, struct literal_text *text,
               uint64_t *value)
{
    static const char letters[] = "abfnrtveE'\"?\\";
    static const char meanings[] = "\a\b\f\n\r\t\v\033\033'\"?\\";
    char letter = *text->at++;
    const char *found = letter == '\0' ? NULL : strchr(letters, letter);
    size_t wanted = letter == 'u' ? 4 : letter == 'U' ? 8 : SIZE_MAX;

    if (found != NULL) {
        *value = (unsigned char)meanings[found - letters];
        return true;
    }
    if (letter >= '0' && letter <= '7') {
        text->at--;
        literal_escape_digits(text, 8, 3, value);
        return true;
    }
    if (letter == 'x' || letter == 'u' || letter == 'U') {
        size_t count = literal_escape_digits(text, 16, wanted, value);

        if (count > 0 && (wanted == SIZE_MAX || count == wanted))
            return true;
    }
    return frti_refuse(parser, text->position,
                       "an escape of the literal is not known to C");
}

/* One unit of a narrow literal, or one character of a wide one. */
static bool
literal_character(struct frti_parser *parser, struct literal_text *text,
                  uint64_t *value)
{
    uint32_t code;
    size_t length = 1;

    if (*text->at == '\\') {
        text->at++;
        if (!literal_escape(parser, text, value))
            return false;
    } else if (text->limit == UINT8_MAX) {
        *value = (unsigned char)*text->at++;
    } else {
        length = frti_utf8(&code, text->at);
        if (length == 0)
            return frti_refuse(parser, text->position,
                               "the literal is not UTF-8");
        *value = code;
        text->at += length;
    }
    if (*value > text->limit)
        return frti_refuse(parser, text->position,
                           "a character of the literal is out of range");
    return true;
}

static frt_kind
literal_character_kind(const struct frti_parser *parser, char prefix)
{
    if (prefix == 0)
        return FRT_KIND_CHAR;
    if (prefix == '8')
        return FRT_KIND_UCHAR;
    return frti_builtin_character(parser, prefix);
}

/* As GNU C: 'ab' is 'a' << 8 | 'b', and 'a' has the sign of char. */
static bool
literal_character_constant(struct frti_parser *parser, struct frti_literal *out,
                           const struct frti_token *token)
{
    struct literal_text text = literal_text_of(parser, token);
    const frt_layout *type = frt_layout_value(
        literal_character_kind(parser, text.prefix), parser->model);
    uint64_t value = 0;
    size_t count = 0;

    while (text.at < text.end) {
        uint64_t unit;

        if (!literal_character(parser, &text, &unit))
            return false;
        value = value << 8 | unit;
        count++;
        if (count > 4 || (count > 1 && text.prefix != 0))
            return frti_refuse(parser, token->position,
                               "the character constant is too long");
    }
    if (count == 0)
        return frti_refuse(parser, token->position,
                           "the character constant is empty");
    out->layout =
        text.prefix == 0 ? frt_layout_value(FRT_KIND_INT, parser->model) : type;
    out->bits = frti_wrap(value, count == 1 ? type : out->layout);
    return true;
}

bool
frti_literal_read(struct frti_parser *parser, struct frti_literal *out,
                  const struct frti_token *token)
{
    *out = (struct frti_literal){0};
    return token->kind == FRTI_TOKEN_CHARACTER
               ? literal_character_constant(parser, out, token)
               : literal_number(parser, out, token);
}

/* Appends each unit's lowest byte: wide strings are only counted. */
static bool
literal_append(struct frti_parser *parser, struct literal_text *text,
               char *bytes, size_t *count)
{
    while (text->at < text->end) {
        uint64_t unit;

        if (!literal_character(parser, text, &unit))
            return false;
        bytes[(*count)++] = (char)unit;
    }
    return true;
}

/* Room for `needed` bytes; doubling keeps many pieces linear. */
static bool
literal_make_room(struct frti_parser *parser, char **bytes, size_t count,
                  size_t needed, size_t *capacity)
{
    char *larger;

    if (needed <= *capacity)
        return true;
    larger = frti_make(parser, needed * 2);
    if (larger == NULL)
        return false;
    if (count > 0)
        memcpy(larger, *bytes, count);
    *bytes = larger;
    *capacity = needed * 2;
    return true;
}

bool
frti_string_read(struct frti_parser *parser, const char **out, frt_kind *kind,
                 size_t *count)
{
    char *bytes = NULL;
    size_t capacity = 0;
    char prefix = 0;

    *count = 0;
    do {
        struct literal_text text = literal_text_of(parser, &parser->token);

        if (!literal_make_room(parser, &bytes, *count,
                               *count + parser->token.length + 1, &capacity))
            return false;
        prefix = text.prefix != 0 ? text.prefix : prefix;
        if (!literal_append(parser, &text, bytes, count) || !frti_next(parser))
            return false;
    } while (frti_is(parser, FRTI_TOKEN_STRING));
    bytes[*count] = '\0';
    *out = bytes;
    *kind = literal_character_kind(parser, prefix);
    return true;
}
