/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/cdecl/check.h"

struct computed {
    const char *text;
    size_t value;
};

/* The C compiler computes what is expected. */
#define COMPUTED(...)                                                          \
    {                                                                          \
#__VA_ARGS__, (size_t)(__VA_ARGS__)                                    \
    }

// clang-format off
static const struct computed constants[] = {
    COMPUTED(1 + 2 * 3),
    COMPUTED((1 + 2) * 3),
    COMPUTED(7 / 2 + 7 % 2),
    COMPUTED(-7 / 2 + 10),
    COMPUTED(-7 % 3 + 10),
    COMPUTED(1 << 3 | 1),
    COMPUTED((unsigned char)-1 >> 1),
    COMPUTED((-8 >> 1) + 10),
    COMPUTED(~0u >> 28),
    COMPUTED(!5 + !0),
    COMPUTED((1 < 2) + (2 <= 2) + (3 > 4) + (4 >= 4)),
    COMPUTED((1 == 1) + (1 != 1)),
    COMPUTED((6 & 3) + (6 ^ 3) + (6 | 3)),
    COMPUTED((1 && 0) + (1 || 0) * 2),
    COMPUTED(1 ? 2 : 3),
    COMPUTED(0 ? 2 : 0 ? 4 : 5),
    COMPUTED(-1 < 0u ? 1 : 2),
    COMPUTED(-1 < 0 ? 1 : 2),
    COMPUTED(-1L < 0u ? 1 : 2),
    COMPUTED(-1L < 0ul ? 1 : 2),
    COMPUTED((unsigned short)-1 > -1 ? 1 : 2),
    COMPUTED(1 - 2u > 0 ? 1 : 2),
    COMPUTED((signed char)200 + 100),
    COMPUTED((_Bool)7 + (_Bool)0),
    COMPUTED((_Bool)0.5),
    COMPUTED((int)2.75),
    COMPUTED((int)(1.5 * 2)),
    COMPUTED((int)(7.0 / 2)),
    COMPUTED((unsigned char)300),
    COMPUTED(1.5 > 1 ? 3 : 4),
    COMPUTED(sizeof(int)),
    COMPUTED(sizeof(int[3])),
    COMPUTED(sizeof(struct { char a; long b; })),
    COMPUTED(sizeof 1 + sizeof 1L + sizeof 'a'),
    COMPUTED(sizeof((char)1 + (char)2)),
    COMPUTED(sizeof(1 ? 1 : 1LL)),
    COMPUTED(sizeof "abc" + sizeof L"ab"),
    COMPUTED(sizeof(void *) + sizeof(int (*)(void))),
    COMPUTED(sizeof(((struct { int a; short b[6]; } *)0)->b)),
    COMPUTED(sizeof(((struct { int a; short b[6]; } *)0)->b[0])),
    COMPUTED(sizeof -1 + sizeof ~'a'),
    COMPUTED(_Alignof(double) + _Alignof(char)),
    COMPUTED(__alignof__(long double)),
    COMPUTED(offsetof(struct { char a; long b; }, b)),
    COMPUTED(__builtin_offsetof(struct { char a; struct { int x[4]; } b; }, b.x[2])),
    COMPUTED((unsigned long)&((struct { int a; short b[6]; } *)0)->b[2]),
    COMPUTED((((unsigned int)(unsigned char)('Y')) << 0) | (((unsigned int)(unsigned char)('V')) << 8)),
    COMPUTED(0x10 + 010 + 0b11),
    COMPUTED(0xffffffffULL >> 30),
    COMPUTED('a' + '\n' + '\\' + '\0' + '\x41' + '\101'),
    COMPUTED(2147483647 + 1ll > 0 ? 1 : 2),
    COMPUTED((4 ? 7 : 5)),
    COMPUTED(128 - sizeof(int) - sizeof(void *)),
    COMPUTED(1 + + 1 - - 1),
    COMPUTED(+ - - 7),
};
// clang-format on

Test(expression, constants)
{
    for
        EACH(i, constants)
    cr_expect_eq(parse_constant(constants[i].text), constants[i].value,
                 "%s: %zu, not %zu", constants[i].text,
                 parse_constant(constants[i].text), constants[i].value);
}

/* What C compilers do not all fold, or do not have. */
Test(expression, more_constants)
{
    cr_expect_eq(parse_constant("1 ?: 5"), 1);
    cr_expect_eq(parse_constant("1 || 1 / (sizeof(char) - 1)"), 1);
    cr_expect_eq(parse_constant("1 ? 3 : 1 / 0"), 3);
    cr_expect_eq(parse_constant("0 && 1 / 0 ? 1 : 9"), 9);
    cr_expect_eq(parse_constant("true + true + false"), 2);
    cr_expect_eq(parse_constant("1'000'000"), 1000000);
    cr_expect_eq(parse_constant("sizeof(void)"), 1);
    cr_expect_eq(parse_constant("sizeof(1, 2, (char)3)"), 1);
    cr_expect_eq(parse_constant("(-9223372036854775807 - 1) / -1 < 0"), 1);
    cr_expect_eq(parse_constant("(-9223372036854775807 - 1) % -1 + 4"), 4);
    cr_expect_eq(parse_constant("__extension__ 4"), 4);
    cr_expect_eq(parse_constant("sizeof(nullptr)"), 8);
}

Test(expression, names_in_them)
{
    check_layout("enum { N = 3, M }; typedef int row[N]; row[M * 2]",
                 "int [8][3]");
    check_layout("struct s { char a[5]; } v; char[sizeof v]", "char [5]");
    check_layout("struct s { int a[5]; } v; char[sizeof v.a / sizeof v.a[0]]",
                 "char [5]");
    check_layout("short v; typeof(v)", "short");
    check_layout("float f(int); typeof(f(1)) [sizeof(f(1, (2)) * 1.0)]",
                 "float [8]");
    check_layout("int *v; typeof(*v)", "int");
    check_layout("int v[4]; typeof(&v)", "int (*)[4]");
}

/* The sign of char is the model's. */
Test(expression, models)
{
    const frt_model *x86_64 = model_of("x86_64");
    const frt_model *aarch64 = model_of("aarch64");

    cr_expect_eq(parse_constant_in("'\\377' + 10", x86_64), 9);
    cr_expect_eq(parse_constant_in("'\\377' + 10", aarch64), 265);
    cr_expect_eq(parse_constant_in("(char)-1 > 0 ? 1 : 2", x86_64), 2);
    cr_expect_eq(parse_constant_in("(char)-1 > 0 ? 1 : 2", aarch64), 1);
    cr_expect_eq(parse_constant_in("L'\\xffffffff' < 0 ? 1 : 2", x86_64), 1);
    cr_expect_eq(parse_constant_in("L'\\xffffffff' < 0 ? 1 : 2", aarch64), 2);
}

static const struct refused refused[] = {
    {"char[1 / 0]", FRT_BAD_DECLARATION, "1:8: a division by zero"},
    {"char[1 % (2 - 2)]", FRT_BAD_DECLARATION, "1:8: a division by zero"},
    {"char[1 << 32]", FRT_BAD_DECLARATION,
     "1:8: a shift by more bits than there are"},
    {"char[1 >> -1]", FRT_BAD_DECLARATION,
     "1:8: a shift by more bits than there are"},
    {"char[n]", FRT_BAD_DECLARATION, "1:6: 'n' is not declared"},
    {"char[f(1)]", FRT_BAD_DECLARATION, "1:6: 'f' is not declared"},
    {"int f(int); char[f(1)]", FRT_BAD_DECLARATION,
     "1:19: a call has no place in a constant expression"},
    {"int n; char[n]", FRT_BAD_DECLARATION,
     "1:13: what a variable holds is no constant"},
    {"char[1.5]", FRT_BAD_DECLARATION, "1:6: an integer constant is expected"},
    {"char[\"abc\"]", FRT_BAD_DECLARATION, "1:6: a string is no constant here"},
    {"char[sizeof(struct s)]", FRT_BAD_DECLARATION,
     "1:6: 'sizeof' of an incomplete type"},
    {"char[sizeof]", FRT_BAD_DECLARATION,
     "1:12: a constant is expected, not ']'"},
    {"char[(int)]", FRT_BAD_DECLARATION,
     "1:11: a constant is expected, not ']'"},
    {"char[(1]", FRT_BAD_DECLARATION, "1:8: ')' is expected, not ']'"},
    {"char[1 +]", FRT_BAD_DECLARATION, "1:9: a constant is expected, not ']'"},
    {"char[1 ? 2]", FRT_BAD_DECLARATION, "1:11: ':' is expected, not ']'"},
    {"char[1 2]", FRT_BAD_DECLARATION, "1:8: ']' is expected, not '2'"},
    {"char[1.5 % 2]", FRT_BAD_DECLARATION,
     "1:10: '%' takes integers, not floats"},
    {"char[1.5 << 2]", FRT_BAD_DECLARATION,
     "1:10: an operand of '<<' is no integer"},
    {"char[~1.5]", FRT_BAD_DECLARATION, "1:6: the operand of '~' is no number"},
    {"char[(struct { int a; })1]", FRT_BAD_DECLARATION,
     "1:6: this cast has no place in a constant expression"},
    {"char[(1, 2)]", FRT_BAD_DECLARATION,
     "1:8: a comma has no place in a constant expression"},
    {"int n; char[n(1)]", FRT_BAD_DECLARATION,
     "1:14: a call has no place in a constant expression"},
    {"char[(int){1}]", FRT_BAD_DECLARATION,
     "1:11: a compound literal has no place in a constant expression"},
    {"char[({ 1; })]", FRT_BAD_DECLARATION,
     "1:7: a statement has no place in a constant expression"},
    {"char[_Generic(1, int: 2)]", FRT_BAD_DECLARATION,
     "1:6: '_Generic' is not supported"},
    {"char[offsetof(struct { int a; }, b)]", FRT_BAD_DECLARATION,
     "1:34: there is no member 'b'"},
    {"char[offsetof(struct { int a : 3; }, a)]", FRT_BAD_DECLARATION,
     "1:38: a bit-field has no address"},
    {"char[&1]", FRT_BAD_DECLARATION, "1:6: a constant has no address"},
    {"char[*1]", FRT_BAD_DECLARATION,
     "1:6: what is followed here is no pointer"},
    {"char[(long)1e30]", FRT_BAD_DECLARATION,
     "1:6: the value does not fit into the type"},
    {"char[(__int128)1]", FRT_BAD_DECLARATION,
     "1:6: a constant has at most 64 bits"},
};

Test(expression, refused)
{
    check_refused_layouts(refused, FRTI_ARRAY_LENGTH(refused));
}

Test(expression, assertions)
{
    const frt_layout *layout;

    check_layout("_Static_assert(sizeof(int) == 4, \"no\"); int", "int");
    check_layout("static_assert(1); struct { _Static_assert(2 > 1, \"\"); int "
                 "a; }",
                 "struct { int a; }");
    cr_expect_eq(frt_layout_parse(&layout,
                                  "_Static_assert(sizeof(int) == 8, \"ints \" "
                                  "\"are small\"); int",
                                  NULL),
                 FRT_BAD_DECLARATION);
    check_detail_line("assertion", "1:16: an assertion fails: ints are small");
}
