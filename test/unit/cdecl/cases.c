/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Declarations that other parsers have refused, or laid out wrongly, with what
 * is right. */
#include "test/unit/cdecl/check.h"

struct shape {
    const char *model; /* NULL: the native one */
    const char *text;
    size_t size;
    size_t alignment;
    const char *path; /* NULL: no member is looked at */
    size_t bit;       /* where it begins */
};

static const struct shape shapes[] = {
    {NULL, "struct { unsigned char a : 1; unsigned short b : 16; }", 4, 2, "b",
     16},
    {NULL, "struct { unsigned long long a : 1; unsigned b : 32; }", 8, 8, "b",
     32},
    {NULL, "struct { unsigned a; unsigned b : 20; unsigned long long c : 24; }",
     16, 8, "c", 64},
    {NULL,
     "struct { uint8_t a : 4, b : 4; uint16_t c : 10, d : 10; uint8_t e : 1, "
     "f : 1, g : 1; }",
     6, 2, "e", 42},
    {NULL,
     "#pragma pack(1)\nstruct { int a : 11; unsigned b : 12; unsigned c : 23; "
     "}",
     6, 1, "c", 23},
    {NULL, "struct { unsigned a : 18; uint8_t b; }", 4, 4, "b", 24},
    {NULL,
     "struct { unsigned a : 6; unsigned b : 32; } __attribute__((packed))", 5,
     1, "b", 6},
    {NULL, "struct { int a : 2; long b : 62; }", 8, 8, "b", 2},
    {NULL,
     "#pragma pack(1)\nstruct { unsigned char a : 1, b : 1, c : 6; unsigned "
     "short d : 16; unsigned char e : 8; }",
     4, 1, "d", 8},
    {NULL, "struct { char a; int b; } __attribute__((packed, aligned(8)))", 8,
     8, "b", 8},
    {"x86_64",
     "struct { uint32_t a; union { void *p; int f; uint64_t u; } b; } "
     "__attribute__((packed))",
     12, 1, "b", 32},
    {NULL, "struct __attribute__((aligned(32))) { char a[8]; }", 32, 32, NULL,
     0},
    {NULL, "struct { char a[8]; } __attribute__((aligned(32)))", 32, 32, NULL,
     0},
    {NULL, "typedef __attribute__((aligned(32))) struct s { char a[8]; } T; T",
     8, 32, NULL, 0},
    {NULL,
     "typedef __attribute__((aligned(32))) struct s { char a[8]; } T; struct s",
     8, 1, NULL, 0},
    {NULL, "struct { _Alignas(16) int32_t a; }", 16, 16, "a", 0},
    {NULL, "struct { char a; __attribute__((aligned(64))) int b[1024]; }",
     64 + 4096, 64, "b", 512},
    {"x86_64", "struct { char a; int : 0; char b; }", 5, 1, "b", 32},
    {"x86_64", "struct { char a; int : 5; char b; }", 3, 1, "b", 16},
    {"aarch64", "struct { char a; int : 0; char b; }", 8, 4, "b", 32},
    {"aarch64", "struct { char a; int : 5; char b; }", 4, 4, "b", 16},
    {NULL, "uint8_t **[2]", 16, 8, NULL, 0},
    {NULL, "struct { uint8_t** a, *b, c; }", 24, 8, "c", 128},
    {NULL, "typedef int T; struct { T T; }", 4, 4, "T", 0},
    {NULL, "typedef unsigned T; struct { T T : 3; T : 4; T a : 2; }", 4, 4, "a",
     7},
    {NULL, "enum { A = 1UL, B = 1ULL << 40, C = 0xffffffffULL, D = -1L }", 8, 8,
     NULL, 0},
    {NULL, "struct { uint64_t a : 12, b : 52; }", 8, 8, "b", 12},
    {NULL, "typedef enum : uint16_t { X } E; E", 2, 2, NULL, 0},
    {NULL, "struct { int a; __extension__ union { long b; char c; }; int d; }",
     24, 8, "c", 64},
    {NULL, "struct { _Atomic(int) a; _Alignas(int) _Atomic char b; }", 8, 4,
     "b", 32},
    {"x86_64", "max_align_t", 32, 16, NULL, 0},
    {NULL,
     "struct in_addr { uint32_t s_addr; }; struct { short a; struct in_addr "
     "b; }",
     8, 4, "b.s_addr", 32},
    {NULL,
     "typedef struct { struct { int a; } x; } A; typedef struct { struct { "
     "int b; } x; } B; struct { A a; B b; }",
     8, 4, "b.x.b", 32},
    {NULL, "struct X { void (*f)(struct X); int : 1; int a : 2; }", 16, 8, "a",
     65},
    {NULL, "struct <% char a<:3:>; int b; %>", 8, 4, "b", 32},
    {NULL, "typedef struct { char a; int b; } __attribute__((packed)) P; P[2]",
     10, 1, "[1].b", 48},
};

Test(cases, shapes)
{
    for
        EACH(i, shapes)
        {
            const struct shape *shape = &shapes[i];
            const frt_layout *layout = parse_layout_in(
                shape->text,
                shape->model == NULL ? NULL : model_of(shape->model));
            frt_place place;

            cr_expect_eq(frt_layout_size(layout), shape->size, "%s: size %zu",
                         shape->text, frt_layout_size(layout));
            cr_expect_eq(frt_layout_alignment(layout), shape->alignment,
                         "%s: alignment %zu", shape->text,
                         frt_layout_alignment(layout));
            if (shape->path != NULL) {
                cr_assert_eq(frt_layout_find(&place, layout, shape->path),
                             FRT_OK, "%s: %s", shape->text, frt_last_detail());
                cr_expect_eq(place.offset * 8 + place.bit_offset, shape->bit,
                             "%s: %s at bit %zu", shape->text, shape->path,
                             place.offset * 8 + place.bit_offset);
            }
            frt_layout_drop(layout);
        }
}

/* As the compiler says, where only it knows. */
typedef struct {
    unsigned a : 3;
    int b : 3 __attribute__((aligned(1)));
    int c : 3;
} begins_a_byte;

Test(cases, an_aligned_bit_field_begins_a_byte)
{
    const frt_layout *layout = parse_layout(
        "struct { unsigned a : 3; int b : 3 __attribute__((aligned(1))); int c "
        ": 3; }");
    begins_a_byte value = {.b = -1};
    unsigned char *bytes = (unsigned char *)&value;
    frt_place place;

    cr_assert_eq(frt_layout_find(&place, layout, "b"), FRT_OK);
    cr_expect_eq(bytes[place.offset], 7 << place.bit_offset);
    cr_expect_eq(frt_layout_size(layout), sizeof value);
    frt_layout_drop(layout);
}

Test(cases, type_words_in_any_order)
{
    static const char *const pairs[][2] = {
        {"long unsigned int long", "unsigned long long"},
        {"char unsigned", "unsigned char"},
        {"int const long signed", "long"},
        {"long double const", "long double"},
        {"int long", "long"},
        {"unsigned short int", "unsigned short"},
    };

    for
        EACH(i, pairs)
    check_layout(pairs[i][0], pairs[i][1]);
}

Test(cases, prototypes)
{
    static const char *const pairs[][2] = {
        {"int f(int (*)[3])", "int f(int (*)[3])"},
        {"void f(int *(*(*)(void))[2])", "void f(int *(*(*)(void))[2])"},
        {"void f(int *const [4])", "void f(int *const *)"},
        {"void f(char *const argv[restrict])", "void f(char *const *)"},
        {"void f(int a[static 3])", "void f(int [static 3])"},
        {"void f(int a[const *])", "void f(int *)"},
        {"void (*signal(int, void (*)(int)))(int);",
         "void (*signal(int, void (*)(int)))(int)"},
        {"typedef int T; void f(int T)", "void f(int)"},
        {"int regexec(const char *s, unsigned long n, int pm[restrict n], int)",
         "int regexec(const char *, unsigned long, int *, int)"},
        {"__attribute__((cold)) int f(int (*a) __attribute__((unused)), "
         "char b[3] __attribute__((x(\"=\", 1))) [[maybe_unused]]) "
         "__attribute__((format(printf, 1, 2), deprecated(\"a = b\")))",
         "int f(int *, char *)"},
        {"_Static_assert(sizeof(int) == 4, \"int\"); _Noreturn void f(bool a, "
         "typeof(1.5) b)",
         "void f(_Bool, double)"},
    };

    for
        EACH(i, pairs)
        {
            frt_prototype *prototype = parse_prototype(pairs[i][0]);
            char text[256];

            frt_descriptor_print(text, sizeof text,
                                 frt_prototype_descriptor(prototype),
                                 frt_prototype_name(prototype));
            cr_expect_str_eq(text, pairs[i][1], "%s", pairs[i][0]);
            frt_prototype_free(prototype);
        }
}

Test(cases, constants)
{
    cr_expect_eq(parse_constant("(((uint32_t)(uint8_t)'Y') << 0) | 0x100"),
                 0x159);
    cr_expect_eq(parse_constant("0b101 + 017 + 0x1fUL + '\\x41' + L'a'"),
                 5 + 15 + 31 + 65 + 97);
    cr_expect_eq(parse_constant("sizeof(struct { char a; long b; })"), 16);
    cr_expect_eq(parse_constant("(2U << 30 | (99 << 8) | 101) & 0xffff"),
                 99 << 8 | 101);
}

static const struct refused layouts_refused[] = {
    {"struct { unsigned : 632; }", FRT_BAD_LAYOUT,
     "1:21: a bit-field of 632 bits: 'unsigned int' has 32"},
    {"struct s { int a; }; struct s { long a; }", FRT_BAD_DECLARATION,
     "1:29: 'struct s' was defined otherwise at 1:8"},
    {"struct { const uint9_t *start; }", FRT_BAD_DECLARATION,
     "1:16: unknown type name 'uint9_t'"},
    {"_BitInt(7)", FRT_BAD_DECLARATION,
     "1:1: the type '_BitInt' is not supported"},
    {"# 31 \"a/b.h\" 1\nint\nx; struct {\n oid a; }", FRT_BAD_DECLARATION,
     "a/b.h:33:2: unknown type name 'oid'"},
    {"# 31 \"a.h\"\ntypedef int x;\n# 7 \"b.h\"\n\ntypedef long x; x",
     FRT_BAD_DECLARATION,
     "b.h:8:14: 'x' is declared as something else at a.h:31"},
};

Test(cases, refused)
{
    static const struct refused prototypes[] = {
        {"int f(oid *);", FRT_BAD_DECLARATION, "1:7: unknown type name 'oid'"},
        {"int f(int); int f(long)", FRT_BAD_DECLARATION,
         "1:17: 'f' is declared as something else at 1:5"},
    };

    check_refused_layouts(layouts_refused, FRTI_ARRAY_LENGTH(layouts_refused));
    check_refused_prototypes(prototypes, FRTI_ARRAY_LENGTH(prototypes));
}

/* Declared again, as headers do. */
Test(cases, repeated)
{
    static const char *const texts[] = {
        "struct s; int f(struct s *); struct s { int a; }; int f(struct s *)",
        "struct s; int f(struct s **); struct s { int a; }; int f(struct s **)",
        "int f(); int f(int, char *)",
        "int f(int, char *); int f()",
        "enum e { A }; enum e { A }; int f(enum e); int f(unsigned)",
        "extern int a[]; extern int a[3]; int f(char (*)[sizeof a])",
        ("struct b; struct a { struct b *p; }; struct b { int i; }; "
         "struct a { struct b *p; }; int f(struct a *)"),
    };

    for
        EACH(i, texts)
    frt_prototype_free(parse_prototype(texts[i]));
}
