/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/cdecl/check.h"

#include <locale.h>
#include <uchar.h>
#include <wchar.h>

struct typed {
    const char *text;
    size_t size;
    bool is_signed;
    size_t low; /* the value's lowest byte */
};

#define TYPED(x)                                                               \
    {                                                                          \
#x, sizeof(x), (__typeof__(x))-1 < 1, (unsigned char)(x)               \
    }

static const struct typed literals[] = {
    TYPED(0),
    TYPED(2147483647),
    TYPED(2147483648),
    TYPED(0x7fffffff),
    TYPED(0x80000000),
    TYPED(0xffffffff),
    TYPED(0x100000000),
    TYPED(0x8000000000000000),
    TYPED(037777777777),
    TYPED(1u),
    TYPED(4294967296u),
    TYPED(1l),
    TYPED(1LU),
    TYPED(1ull),
    TYPED(1LLu),
    TYPED(0b101),
    TYPED(0XffUL),
    TYPED('a'),
    TYPED('\377'),
    TYPED('\xfe'),
    TYPED('\e'),
    TYPED('\''),
    TYPED('"'),
    TYPED(L'a'),
    TYPED(L'\x1234'),
    TYPED(u'\x1234'),
    TYPED(U'\U0001f600'),
    TYPED(L'é'),
    TYPED(1.5),
    TYPED(1.5f),
    TYPED(1e2L),
    TYPED(0x1.8p4),
    TYPED(.5),
    TYPED(5.),
    TYPED(0e0),
};

Test(literal, types_and_values)
{
    for
        EACH(i, literals)
        {
            const struct typed *wanted = &literals[i];
            char text[128];

            snprintf(text, sizeof text, "sizeof(%s)", wanted->text);
            cr_expect_eq(parse_constant(text), wanted->size, "%s", text);
            snprintf(text, sizeof text, "(__typeof__(%s))-1 < 1", wanted->text);
            cr_expect_eq(parse_constant(text), wanted->is_signed, "%s", text);
            snprintf(text, sizeof text, "(unsigned char)(%s)", wanted->text);
            cr_expect_eq(parse_constant(text), wanted->low, "%s", text);
        }
}

static const char *const equal[] = {
    "(int)1e2 == 100",
    "(int)0.1e1 == 1",
    "(int)(1e-1 * 10) == 1",
    "(int)1234567.0e-3 == 1234",
    "(long)1e18 == 1000000000000000000",
    "(int)0x1p10 == 1024",
    "(int)0x.8p1 == 1",
    "(int)(float)16777217.0f == 16777216",
    "(int)-1.9 == -1",
    "1.0 / 4 == 0.25",
    "u8'a' == 97",
    "sizeof 1.1f32 == 4 && 1.1F32 == 1.1f",
    "sizeof 1.1f64 == 8 && sizeof 1.1f32x == 8 && 1.1f64 == 1.1",
    "1.1f64x == 1.1l && 1.1f64x != 1.1",
    "'ab' == 24930",
    "0x1'0 == 16",
    "sizeof u8\"abc\" == 4",
    "sizeof \"a\" \"b\" L\"c\" == 16",
    "sizeof \"a\\x41\\0\" == 4",
};

Test(literal, equal)
{
    for
        EACH(i, equal)
    cr_expect_eq(parse_constant(equal[i]), 1, "%s", equal[i]);
}

/* A host's locale has no say in what C's point means. */
Test(literal, locale)
{
    setlocale(LC_ALL, "de_DE.UTF-8");
    cr_expect_eq(parse_constant("(int)(2.5 * 2) == 5"), 1);
}

/* Each is the nearest of its type. */
Test(literal, rounding)
{
    static const char *const texts[] = {
        "3.14159265358979323846",    "2.7182818284590452354",
        "3.40282347e+38F",           "0.1f",
        "0.63661977236758134308L",   "1e-320",
        "9007199254740993.0",        "123456789012345678901234567890e-40",
        "0x1.00000000000000000001p0"};
    const long double values[] = {
        3.14159265358979323846,    2.7182818284590452354,
        3.40282347e+38F,           0.1f,
        0.63661977236758134308L,   1e-320,
        9007199254740993.0,        123456789012345678901234567890e-40,
        0x1.00000000000000000001p0};
    frt_decls *decls = NULL;

    for
        EACH(i, texts)
        {
            frt_declaration found;

            cr_assert_eq(frt_decls_new(&decls, NULL), FRT_OK);
            cr_assert_eq(frt_decls_define(decls, "x", texts[i]), FRT_OK);
            cr_assert_eq(frt_decls_constant(&found, decls, "x"), FRT_OK);
            cr_expect(found.number == values[i], "%s: %.21Lg", texts[i],
                      found.number);
            frt_decls_free(decls);
        }
}

static const struct refused refused[] = {
    {"char[08]", FRT_BAD_DECLARATION, "1:6: '08' is not a number"},
    {"char[0x]", FRT_BAD_DECLARATION, "1:6: '0x' is not a number"},
    {"char[0b2]", FRT_BAD_DECLARATION, "1:6: '0b2' is not a number"},
    {"char[12abc]", FRT_BAD_DECLARATION, "1:6: '12abc' is not a number"},
    {"char[1uu]", FRT_BAD_DECLARATION, "1:6: '1uu' is not a number"},
    {"char[1lLu]", FRT_BAD_DECLARATION, "1:6: '1lLu' is not a number"},
    {"char[1lul]", FRT_BAD_DECLARATION, "1:6: '1lul' is not a number"},
    {"char[1.5.2]", FRT_BAD_DECLARATION, "1:6: '1.5.2' is not a number"},
    {"char[1e]", FRT_BAD_DECLARATION, "1:6: '1e' is not a number"},
    {"char[1.5fl]", FRT_BAD_DECLARATION, "1:6: '1.5fl' is not a number"},
    {"char[18446744073709551616u]", FRT_BAD_DECLARATION,
     "1:6: 18446744073709551616u is over 64 bits"},
    {"char[9223372036854775808]", FRT_BAD_DECLARATION,
     "1:6: 9223372036854775808 does not fit into a signed type"},
    {"char['']", FRT_BAD_DECLARATION, "1:6: the character constant is empty"},
    {"char['abcde']", FRT_BAD_DECLARATION,
     "1:6: the character constant is too long"},
    {"char['\\q']", FRT_BAD_DECLARATION,
     "1:6: an escape of the literal is not known to C"},
    {"char['\\x']", FRT_BAD_DECLARATION,
     "1:6: an escape of the literal is not known to C"},
    {"char['\\u12']", FRT_BAD_DECLARATION,
     "1:6: an escape of the literal is not known to C"},
    {"char['\\400']", FRT_BAD_DECLARATION,
     "1:6: a character of the literal is out of range"},
    {"char[u'\\x12345']", FRT_BAD_DECLARATION,
     "1:6: a character of the literal is out of range"},
    {"char['\\xffffffffffffffffffff']", FRT_BAD_DECLARATION,
     "1:6: a character of the literal is out of range"},
    {"char[L'\xff']", FRT_BAD_DECLARATION, "1:6: the literal is not UTF-8"},
};

Test(literal, refused)
{
    check_refused_layouts(refused, FRTI_ARRAY_LENGTH(refused));
}

Test(literal, a_very_long_number)
{
    char text[512];
    const frt_layout *layout;

    snprintf(text, sizeof text, "char[%0300d]", 1);
    cr_expect_eq(frt_layout_parse(&layout, text, NULL), FRT_BAD_DECLARATION);
    check_detail_line(text, "1:6: the number is over 127 characters long");
}
