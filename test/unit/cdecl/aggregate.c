/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/cdecl/check.h"

#include <stdint.h>

struct placed {
    const char *text;
    const char *path;
    size_t size;
    size_t alignment;
    size_t offset;
};

#define PLACED(type, path)                                                     \
    {                                                                          \
        type##_text, #path, sizeof(type), _Alignof(type), offsetof(type, path) \
    }

// clang-format off
BOTH(plain, struct { char a; double b; short c; });
BOTH(nested, struct { char a; struct { short b; long c; } d; char e[3]; });
BOTH(anonymous, struct { int a; struct { char b; union { int c; double d; }; }; short e; });
BOTH(extension, union { struct { int a; __extension__ union { long b; char c; }; } d; int e; });
BOTH(flexible, struct { int n; double d[]; });
BOTH(after_bit, struct { char a : 1; void *b[]; });
BOTH(packed, struct __attribute__((packed)) { char a; int b; double c; });
BOTH(packed_behind, struct { char a; int b; double c; } __attribute__((__packed__)));
BOTH(epoll, struct { uint32_t events; union { void *p; int fd; uint64_t u; } data; } __attribute__((packed)));
BOTH(packed_aligned, struct { char a; int b; } __attribute__((packed, aligned(8))));
BOTH(aligned_after_word, struct __attribute__((aligned(32))) { char a[8]; });
BOTH(aligned_after_brace, struct { char a[8]; } __attribute__((aligned(32))));
BOTH(aligned_member, struct { char a; int b __attribute__((aligned(16))); char c; });
BOTH(aligned_lower, struct { char a; int b __attribute__((aligned(2))); char c; });
BOTH(aligned_largest, struct { char a; char b __attribute__((aligned)); });
BOTH(packed_member, struct { char a; int b __attribute__((packed)); char c; });
BOTH(packed_aligned_member, struct { char a; int b __attribute__((packed, aligned(2))); char c; });
BOTH(aligned_in_packed, struct __attribute__((packed)) { char a; int b __attribute__((aligned(4))); char c; });
BOTH(aligned_low_in_packed, struct __attribute__((packed)) { char a; int b __attribute__((aligned(2))); char c; });
BOTH(alignas_member, struct { _Alignas(16) int32_t a; });
BOTH(alignas_type, struct { char a; _Alignas(double) char b; _Alignas(0) char c; });
BOTH(alignas_array, struct { char a; _Alignas(64) int b[1024]; });
BOTH(attribute_before, struct { __attribute__((aligned(16))) char a; char b; });
BOTH(function_pointers, struct { int (*a)(int, char *); void (*b[3])(void); char c; });
BOTH(zero_array, struct { char a; int b[0]; });
BOTH(complex_member, struct { char a; double _Complex b; });
BOTH(long_double_member, struct { char a; long double b; });
BOTH(wide, union { __int128 a; char b[17]; });
BOTH(vector_member, struct { char a; float b __attribute__((vector_size(16))); });
BOTH(flexible_aligned, struct { char a; char b[] __attribute__((aligned(8))); });
BOTH(atomic_members, struct { char a; _Atomic(int) b; _Atomic struct { char c[4]; } d; });
// clang-format on

static const struct placed places[] = {
    PLACED(plain, b),
    PLACED(plain, c),
    PLACED(nested, d.c),
    PLACED(nested, e[2]),
    PLACED(anonymous, b),
    PLACED(anonymous, d),
    PLACED(anonymous, e),
    PLACED(extension, d.b),
    PLACED(flexible, d),
    PLACED(after_bit, b),
    PLACED(packed, b),
    PLACED(packed, c),
    PLACED(packed_behind, c),
    PLACED(epoll, data.u),
    PLACED(packed_aligned, b),
    PLACED(aligned_after_word, a),
    PLACED(aligned_after_brace, a),
    PLACED(aligned_member, b),
    PLACED(aligned_lower, b),
    PLACED(aligned_largest, b),
    PLACED(packed_member, b),
    PLACED(packed_aligned_member, b),
    PLACED(aligned_in_packed, b),
    PLACED(aligned_low_in_packed, b),
    PLACED(alignas_member, a),
    PLACED(alignas_type, b),
    PLACED(alignas_type, c),
    PLACED(alignas_array, b[1]),
    PLACED(attribute_before, b),
    PLACED(function_pointers, b),
    PLACED(function_pointers, c),
    PLACED(zero_array, b),
    PLACED(complex_member, b),
    PLACED(long_double_member, b),
    PLACED(wide, b),
    PLACED(vector_member, b),
    PLACED(flexible_aligned, b),
    PLACED(atomic_members, d),
};

Test(aggregate, places)
{
    for
        EACH(i, places)
        {
            const struct placed *wanted = &places[i];
            const frt_layout *layout = parse_layout(wanted->text);
            frt_place place = {.offset = SIZE_MAX};

            check_size(wanted->text, wanted->size, wanted->alignment);
            cr_assert_eq(frt_layout_find(&place, layout, wanted->path), FRT_OK,
                         "%s", frt_last_detail());
            cr_expect_eq(place.offset, wanted->offset, "%s: %s at %zu, not %zu",
                         wanted->text, wanted->path, place.offset,
                         wanted->offset);
            frt_layout_drop(layout);
        }
}

/* ---------------------------------------------------------- bit-fields --- */

struct bits {
    size_t first;
    size_t count;
};

static struct bits
bits_of(const void *memory, size_t size)
{
    const unsigned char *bytes = memory;
    struct bits bits = {.first = SIZE_MAX};

    for (size_t i = 0; i < size * 8; i++)
        if (bytes[i / 8] >> i % 8 & 1) {
            bits.first = bits.first == SIZE_MAX ? i : bits.first;
            bits.count++;
        }
    return bits;
}

static void
check_field(const char *text, const char *path, size_t size, size_t alignment,
            struct bits wanted)
{
    const frt_layout *layout = parse_layout(text);
    frt_place place;

    check_size(text, size, alignment);
    cr_assert_eq(frt_layout_find(&place, layout, path), FRT_OK, "%s",
                 frt_last_detail());
    cr_expect_eq(place.offset * 8 + place.bit_offset, wanted.first,
                 "%s: %s at bit %zu, not %zu", text, path,
                 place.offset * 8 + place.bit_offset, wanted.first);
    cr_expect_eq(place.bit_width, wanted.count, "%s: %s", text, path);
    frt_layout_drop(layout);
}

/* Sets all bits of one field and looks where they went. */
#define CHECK_FIELD(type, field)                                               \
    do {                                                                       \
        type value;                                                            \
        memset(&value, 0, sizeof value);                                       \
        value.field = -1;                                                      \
        check_field(type##_text, #field, sizeof value, _Alignof(type),         \
                    bits_of(&value, sizeof value));                            \
    } while (0)

// clang-format off
BOTH(mixed, struct { unsigned char a : 1; unsigned short b : 16; });
BOTH(behind_long, struct { unsigned long long a : 1; unsigned int b; });
BOTH(after_int, struct { unsigned a; unsigned b : 20; unsigned long long c : 24; });
BOTH(bytes, struct { uint8_t a : 4, b : 4; uint16_t c : 10, d : 10; uint8_t e : 1, f : 1, g : 1; });
BOTH(tail, struct { unsigned a : 18; uint8_t b; });
BOTH(packed_fields, struct __attribute__((packed)) { unsigned a : 6; unsigned b : 32; });
BOTH(long_field, struct { int a : 2; long b : 62; });
BOTH(zero_width, struct { char a; int : 0; char b; int c : 3; });
BOTH(unnamed, struct { char a; int : 5; char b; int : 1; });
BOTH(bool_fields, struct { _Bool a : 1; _Bool b : 1; int c : 7; });
BOTH(two_words, struct { uint64_t a : 12, b : 52; });
BOTH(packed_one, struct { char x; int a : 20 __attribute__((packed)); int b : 20; });
BOTH(aligned_field, struct { int a : 3; int b : 3 __attribute__((aligned(8))); });
BOTH(enum_field, struct { enum { AGGREGATE_A, AGGREGATE_B } a : 2; unsigned b : 5; });
BOTH(union_fields, union { int a : 3; long b : 40; });
// clang-format on

Test(aggregate, bit_fields)
{
    CHECK_FIELD(mixed, a);
    CHECK_FIELD(mixed, b);
    CHECK_FIELD(behind_long, a);
    CHECK_FIELD(after_int, b);
    CHECK_FIELD(after_int, c);
    CHECK_FIELD(bytes, b);
    CHECK_FIELD(bytes, c);
    CHECK_FIELD(bytes, d);
    CHECK_FIELD(bytes, g);
    CHECK_FIELD(tail, a);
    CHECK_FIELD(packed_fields, b);
    CHECK_FIELD(long_field, b);
    CHECK_FIELD(zero_width, c);
    CHECK_FIELD(bool_fields, b);
    CHECK_FIELD(bool_fields, c);
    CHECK_FIELD(two_words, b);
    CHECK_FIELD(packed_one, a);
    CHECK_FIELD(packed_one, b);
    CHECK_FIELD(aligned_field, b);
    CHECK_FIELD(enum_field, b);
    CHECK_FIELD(union_fields, b);
    check_size(unnamed_text, sizeof(unnamed), _Alignof(unnamed));
}

/* GNU C: an unnamed bit-field aligns its struct on AArch64, not on x86-64. */
Test(aggregate, unnamed_bit_fields_by_model)
{
    const struct {
        const char *model;
        const char *text;
        size_t size;
        size_t alignment;
    } cases[] = {
        {"x86_64", "struct { char a; int : 0; char b; }", 5, 1},
        {"x86_64", "struct { char a; int : 5; char b; }", 3, 1},
        {"aarch64", "struct { char a; int : 0; char b; }", 8, 4},
        {"aarch64", "struct { char a; int : 5; char b; }", 4, 4},
    };

    for
        EACH(i, cases)
        {
            const frt_layout *layout =
                parse_layout_in(cases[i].text, model_of(cases[i].model));

            cr_expect_eq(frt_layout_size(layout), cases[i].size);
            cr_expect_eq(frt_layout_alignment(layout), cases[i].alignment);
            frt_layout_drop(layout);
        }
}

/* ---------------------------------------------------------------- tags --- */

Test(aggregate, tags)
{
    check_layout("struct node { struct node *next; int x; }",
                 "struct node { struct node *next; int x; }");
    check_layout("struct X { void (*f)(struct X); }", "struct X { void *f; }");
    check_layout("struct in_addr { unsigned s; }; struct sockaddr_in { short "
                 "family; struct in_addr sin_addr; char z[8]; }",
                 "struct sockaddr_in { short family; struct in_addr { unsigned "
                 "int s; } sin_addr; char z[8]; }");
    check_layout("struct a { struct b { int x; } y; struct b z; }",
                 "struct a { struct b { int x; } y; struct b z; }");
    check_layout("struct s { int a; }; struct s { int a; }; struct s",
                 "struct s { int a; }");
    check_layout("struct s; struct s { int a; }; struct s",
                 "struct s { int a; }");
    check_layout("struct opaque", "struct opaque");
    check_layout("union { int a; struct { int b, c; }; }",
                 "union { int a; struct { int b; int c; }; }");
    check_layout("struct {}", "struct { }");
}

/* A typedef made before the body means the complete struct afterwards, and so
 * does one of a pointer to it. */
Test(aggregate, completed_later)
{
    frt_prototype *prototype = parse_prototype(
        "typedef struct s s; typedef const s *sp; struct s { int a[10]; };"
        "int f(s x, sp y)");
    const frt_descriptor *descriptor = frt_prototype_descriptor(prototype);
    const frt_layout *second = frt_descriptor_parameter(descriptor, 1);

    cr_expect_eq(frt_layout_size(frt_descriptor_parameter(descriptor, 0)), 40);
    cr_expect_eq(frt_layout_kind(second), FRT_KIND_SEGMENT);
    cr_expect_eq(frt_layout_size(frt_layout_element(second)), 40);
    cr_expect(frt_layout_is_const(second));
    frt_prototype_free(prototype);
}

Test(aggregate, completed_after_the_function_type)
{
    frt_prototype *prototype = parse_prototype(
        "typedef struct s s; typedef s F(s, s *); struct s { int a[3]; }; F f");
    const frt_descriptor *descriptor = frt_prototype_descriptor(prototype);
    const frt_layout *pointer = frt_descriptor_parameter(descriptor, 1);

    cr_expect_eq(frt_layout_size(frt_descriptor_result(descriptor)), 12);
    cr_expect_eq(frt_layout_size(frt_descriptor_parameter(descriptor, 0)), 12);
    cr_expect_eq(frt_layout_size(frt_layout_element(pointer)), 12);
    frt_prototype_free(prototype);
}

Test(aggregate, const_members)
{
    static const char text[] =
        "struct { const int a; int *const b; const char c[3]; "
        "const struct { int d; } ; const int *e; const int f : 3; }";
    static const char *const constant[] = {"a", "b", "c", "c[1]", "d", "f"};
    const frt_layout *layout = parse_layout(text);
    char printed[256];
    frt_place place;

    for
        EACH(i, constant)
        {
            cr_assert_eq(frt_layout_find(&place, layout, constant[i]), FRT_OK);
            cr_expect(place.is_const, "%s", constant[i]);
        }
    cr_assert_eq(frt_layout_find(&place, layout, "e"), FRT_OK);
    cr_expect_not(place.is_const, "what it points to is const");
    frt_layout_print(printed, sizeof printed, layout);
    cr_expect_eq(parse_layout(printed), layout, "%s", printed);
}

Test(aggregate, two_without_tags_do_not_clash)
{
    check_prototype("typedef struct { struct { int a; }; } one;"
                    "typedef struct { struct { int a; }; int b; } two;"
                    "int f(one, two)",
                    "int f(struct { struct { int a; }; }, struct { struct { "
                    "int a; }; int b; })");
}

static const struct refused refused[] = {
    {"struct { int a; int a; }", FRT_BAD_DECLARATION,
     "1:21: the member 'a' is the second of that name"},
    {"struct { void a; }", FRT_BAD_DECLARATION, "1:15: the member 'a' is void"},
    {"struct { int f(void); }", FRT_BAD_DECLARATION,
     "1:14: the member 'f' is a function; a pointer to one may be a member"},
    {"struct s { struct s a; }", FRT_BAD_DECLARATION,
     "1:21: the member 'a' is of an incomplete type"},
    {"struct { int a[]; int b; }", FRT_BAD_DECLARATION,
     "1:14: a flexible array is the last member of a struct"},
    {"union { int b; int a[]; }", FRT_BAD_DECLARATION,
     "1:20: the member 'a' is a flexible array, which a union cannot have"},
    {"struct { int a : 33; }", FRT_BAD_LAYOUT,
     "1:18: a bit-field of 33 bits: 'int' has 32"},
    {"struct { int : 632; }", FRT_BAD_LAYOUT,
     "1:16: a bit-field of 632 bits: 'int' has 32"},
    {"struct { float a : 3; }", FRT_BAD_LAYOUT,
     "1:20: a bit-field of 'float', which is no integer"},
    {"struct { int a : 0; }", FRT_BAD_DECLARATION,
     "1:14: the member 'a' is 0 bits wide and has a name"},
    {"struct { int a : -1; }", FRT_BAD_DECLARATION,
     "1:18: a bit-field's width cannot be -1"},
    {"struct { static int a; }", FRT_BAD_DECLARATION,
     "1:10: a member has no storage class"},
    {"struct { int; }", FRT_BAD_DECLARATION,
     "1:13: a member's name is expected, not ';'"},
    {"struct { int *; }", FRT_BAD_DECLARATION,
     "1:15: a name is expected, not ';'"},
    {"struct { int a }", FRT_BAD_DECLARATION, "1:16: ';' is expected, not '}'"},
    {"struct { int a;", FRT_BAD_DECLARATION,
     "1:16: a type is expected, not the end of the text"},
    {"struct *", FRT_BAD_DECLARATION,
     "1:8: a tag or '{' after 'struct' is expected, not '*'"},
    {"struct s { int a; }; struct s { long a; };", FRT_BAD_DECLARATION,
     "1:29: 'struct s' was defined otherwise at 1:8"},
    {"struct s { int a; }; union s", FRT_BAD_DECLARATION,
     "1:28: 'union s' is a tag of another kind at 1:8"},
    {"struct s { struct s { int b; } a; }", FRT_BAD_DECLARATION,
     "1:19: 'struct s' is defined within itself, at 1:8"},
    {"struct { _Alignas(1) int a; }", FRT_BAD_DECLARATION,
     "1:26: the member 'a' has an _Alignas below its type's alignment"},
    {"struct { int a; } __attribute__((aligned(3)))", FRT_BAD_ALIGNMENT,
     "1:42: the alignment is no power of two"},
};

Test(aggregate, refused)
{
    check_refused_layouts(refused, FRTI_ARRAY_LENGTH(refused));
}

Test(aggregate, a_name_lent_twice)
{
    const frt_layout *layout;

    cr_expect_eq(
        frt_layout_parse(&layout, "struct { int a; struct { int a; }; }", NULL),
        FRT_BAD_LAYOUT);
    cr_expect_eq(strncmp(frt_last_detail(), "1:8: ", 5), 0, "%s",
                 frt_last_detail());
}
