/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/cdecl/check.h"

// clang-format off
BOTH(two, enum { ENUM_A, ENUM_B });
BOTH(negative, enum { ENUM_C = -1, ENUM_D });
BOTH(wide, enum { ENUM_E = 1UL, ENUM_F = 1ULL << 40, ENUM_G = 0xffffffffULL, ENUM_H = -1L });
BOTH(four_bytes, enum { ENUM_I = 0xffffffffULL });
BOTH(wider, enum { ENUM_J = 0xffffffffULL, ENUM_K = -1 });
BOTH(widest, enum { ENUM_L = 0xffffffffffffffffULL });
BOTH(packed, enum { ENUM_M = 1, ENUM_N, } __attribute__((packed)));
BOTH(packed_two, enum __attribute__((packed)) { ENUM_O = 256 });
BOTH(packed_negative, enum __attribute__((packed)) { ENUM_P = -129 });
BOTH(packed_wide, enum __attribute__((packed)) { ENUM_Q = 1LL << 32 });
BOTH(attributes, enum tag { ENUM_T __attribute__((deprecated)) = 3, ENUM_U __attribute__((unused)) });
BOTH(computed, enum { ENUM_V = 'a', ENUM_W = (((unsigned)(unsigned char)'Y') << 0) | (((unsigned)(unsigned char)'V') << 24) });
// clang-format on

static const struct sized sizes[] = {
    SIZED_AS(two),         SIZED_AS(negative),   SIZED_AS(wide),
    SIZED_AS(four_bytes),  SIZED_AS(wider),      SIZED_AS(widest),
    SIZED_AS(packed),      SIZED_AS(packed_two), SIZED_AS(packed_negative),
    SIZED_AS(packed_wide), SIZED_AS(attributes), SIZED_AS(computed),
};

Test(enumeration, sizes)
{
    check_sizes(sizes, FRTI_ARRAY_LENGTH(sizes));
}

Test(enumeration, signs_and_stores)
{
    check_layout("enum { A }", "enum : unsigned int");
    check_layout("enum e { A }", "enum e");
    check_layout("enum e { A = -1 }", "enum e : int");
    check_layout("enum e { A = 1ULL << 40, B = -1L }", "enum e : long");
    check_layout("enum e { A = ~0ul }", "enum e : unsigned long");
    check_layout("enum e", "enum e");
    check_layout("enum { A } __attribute__((mode(QI)))",
                 "enum : unsigned char");
    check_layout("enum e { A = -1 }; enum e", "enum e : int");
    check_layout("enum e : unsigned char { X, Y }", "enum e : unsigned char");
    check_layout("typedef enum : unsigned { X } E; E", "enum : unsigned int");
    check_layout("enum e : short; enum e", "enum e : short");
    check_layout("struct { enum e a : 3; enum e : 2; }",
                 "struct { enum e a : 3; enum e : 2; }");
}

/* gcc's view; clang aligns all. */
Test(enumeration, not_aligned)
{
    check_size("enum { A } __attribute__((aligned(8)))", 4, 4);
    check_size("struct { char c; enum __attribute__((aligned(8))) { A } e; }",
               8, 4);
    check_size("typedef enum { A } T __attribute__((aligned(8))); T", 4, 8);
}

Test(enumeration, values)
{
    check_layout("enum { A = 5, B, C = A * 2, D }; char[B * 100 + D]",
                 "char [611]");
    check_layout("enum { A = -3, B, C, D, E }; char[E]", "char [1]");
    check_layout("enum { A = 2147483647, B }; char[B == 2147483648u]",
                 "char [1]");
    check_layout("enum { A = 0xffffffffffff }; char[sizeof(A)]", "char [8]");
    check_layout("enum { A = -1, B = 0x80000000 }; char[sizeof(B) + (B > A)]",
                 "char [9]");
    check_layout("enum { A = -1, B = 0x80000000, C = sizeof(B) }; char[C]",
                 "char [4]");
    check_layout("struct { enum { N = 3 } a; char b[N]; }",
                 "struct { enum : unsigned int a; char b[3]; }");
}

static const struct refused refused[] = {
    {"enum", FRT_BAD_DECLARATION,
     "1:5: a tag or '{' after 'enum' is expected, not the end of the text"},
    {"enum {}", FRT_BAD_DECLARATION,
     "1:7: the name of a constant is expected, not '}'"},
    {"enum { A B }", FRT_BAD_DECLARATION,
     "1:10: ',' or '}' is expected, not 'B'"},
    {"enum { A = }", FRT_BAD_DECLARATION,
     "1:12: a constant is expected, not '}'"},
    {"enum { 3 }", FRT_BAD_DECLARATION,
     "1:8: the name of a constant is expected, not '3'"},
    {"enum { A, A }", FRT_BAD_DECLARATION,
     "1:11: 'A' is declared as something else at 1:8"},
    {"enum { A = ~0ul, B }", FRT_BAD_DECLARATION,
     "1:20: the value before this constant is the largest"},
    {"enum { A = ~0ul, B = -1 }", FRT_BAD_DECLARATION,
     "1:6: no integer type holds all constants of the enum"},
    {"enum : unsigned char { A = 256 }", FRT_BAD_DECLARATION,
     "1:24: 'A' does not fit into the enum's type"},
    {"enum : unsigned char { A = -1 }", FRT_BAD_DECLARATION,
     "1:24: 'A' does not fit into the enum's type"},
    {"enum : float { A }", FRT_BAD_DECLARATION,
     "1:8: an enum is stored in an integer type of at most 64 bits"},
    {"struct e { int a; }; enum e { A }", FRT_BAD_DECLARATION,
     "1:27: 'enum e' is a tag of another kind at 1:8"},
    {"enum e { A }; struct e *", FRT_BAD_DECLARATION,
     "1:22: 'struct e' is a tag of another kind at 1:6"},
    {"enum e { A }; enum e { B = -1 }", FRT_BAD_DECLARATION,
     "1:20: 'enum e' was defined otherwise at 1:6"},
};

Test(enumeration, refused)
{
    check_refused_layouts(refused, FRTI_ARRAY_LENGTH(refused));
}
