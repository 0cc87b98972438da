/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/layout/support.h"

static const frt_layout *
const_to(const frt_layout *pointee)
{
    const frt_layout *out = NULL;

    OK(frt_layout_pointer(&out, pointee, true));
    return out;
}

static const frt_layout *
segment_of(const frt_layout *pointee, bool is_const, size_t least)
{
    const frt_layout *out = NULL;

    OK(frt_layout_segment(&out, pointee, is_const, least));
    return out;
}

static const frt_descriptor *
descriptor_of(const frt_layout *result, const frt_layout *const *parameters,
              size_t count)
{
    const frt_descriptor *out = NULL;

    OK(frt_descriptor_of(&out, result, parameters, count));
    return out;
}

static const frt_layout *
function_of(const frt_layout *result, const frt_layout *const *parameters,
            size_t count)
{
    const frt_layout *out = NULL;

    OK(frt_layout_function(&out, descriptor_of(result, parameters, count)));
    return out;
}

static const frt_layout *
point(void)
{
    return struct_of(MEMBERS({"x", FRT_F64}, {"y", FRT_F64}),
                     OPTIONS(.tag = "point"));
}

Test(print, values)
{
    static const char *const names[] = {"void",
                                        "_Bool",
                                        "char",
                                        "signed char",
                                        "unsigned char",
                                        "short",
                                        "unsigned short",
                                        "int",
                                        "unsigned int",
                                        "long",
                                        "unsigned long",
                                        "long long",
                                        "unsigned long long",
                                        "__int128",
                                        "unsigned __int128",
                                        "_Float16",
                                        "float",
                                        "double",
                                        "long double",
                                        "_Float128"};

    for (size_t i = 0; i < FRTI_ARRAY_LENGTH(names); i++)
        PRINTS(frt_layout_value((frt_kind)i, NULL), names[i]);
}

Test(print, declarators)
{
    const frt_layout *handler = pointer_to(function_of(NULL, LAYOUTS(FRT_INT)));

    PRINTS(FRT_POINTER, "void *");
    PRINTS(FRT_SEGMENT, "void *");
    PRINTS(const_to(NULL), "const void *");
    PRINTS(const_to(FRT_CHAR), "const char *");
    PRINTS(pointer_to(const_to(FRT_CHAR)), "const char **");
    PRINTS(const_to(pointer_to(FRT_CHAR)), "char *const *");
    PRINTS(array_of(const_to(pointer_to(FRT_CHAR)), 4), "char *const *[4]");
    PRINTS(array_of(FRT_INT, 3), "int [3]");
    PRINTS(array_of(array_of(FRT_INT, 3), 2), "int [2][3]");
    PRINTS(array_of(FRT_INT, FRT_FLEXIBLE), "int []");
    PRINTS(pointer_to(array_of(FRT_INT, 3)), "int (*)[3]");
    PRINTS(const_to(array_of(FRT_INT, 3)), "const int (*)[3]");
    PRINTS(array_of(pointer_to(FRT_INT), 3), "int *[3]");
    PRINTS(handler, "void (*)(int)");
    PRINTS(const_to(handler), "void (*const *)(int)");
    PRINTS(array_of(handler, 2), "void (*[2])(int)");
    PRINTS(pointer_to(function_of(pointer_to(array_of(pointer_to(FRT_INT), 2)),
                                  NULL, 0)),
           "int *(*(*)(void))[2]");
    PRINTS(pointer_to(function_of(handler, LAYOUTS(FRT_INT, handler))),
           "void (*(*)(int, void (*)(int)))(int)");
}

Test(print, other_types)
{
    const frt_layout *out = NULL;

    OK(frt_layout_complex(&out, FRT_LONG_DOUBLE));
    PRINTS(out, "long double _Complex");
    OK(frt_layout_vector(&out, FRT_F32, 4));
    PRINTS(out, "float __attribute__((vector_size(16)))");
    PRINTS(pointer_to(out), "float __attribute__((vector_size(16))) *");
    OK(frt_layout_enum(&out, FRT_UINT, "color"));
    PRINTS(out, "enum color");
    OK(frt_layout_enum(&out, FRT_SCHAR, "small"));
    PRINTS(out, "enum small : signed char");
    OK(frt_layout_enum(&out, FRT_UINT, NULL));
    PRINTS(out, "enum : unsigned int");
    PRINTS(bits_of(FRT_INT, 3), "int : 3");
    PRINTS(aligned_to(bits_of(FRT_INT, 3), 1),
           "int : 3 __attribute__((packed))");
    PRINTS(aligned_to(FRT_INT, 16), "int __attribute__((aligned(16)))");
}

Test(print, structs)
{
    PRINTS(point(), "struct point { double x; double y; }");
    PRINTS(pointer_to(point()), "struct point *");
    PRINTS(array_of(point(), 2), "struct point { double x; double y; } [2]");
    PRINTS(struct_of(NULL, 0, NULL), "struct { }");
    PRINTS(
        struct_of(
            MEMBERS({"a", bits_of(FRT_INT, 3)}, {NULL, bits_of(FRT_UINT, 0)},
                    {"f", pointer_to(function_of(FRT_INT, LAYOUTS(FRT_CHAR)))},
                    {"n", array_of(FRT_INT, FRT_FLEXIBLE)}),
            NULL),
        "struct { int a : 3; unsigned int : 0; int (*f)(char); int n[]; }");
    PRINTS(
        union_of(MEMBERS({"i", FRT_INT}, {NULL, FRT_F32}), OPTIONS(.tag = "u")),
        "union u { int i; float; }");
}

Test(print, tags_have_their_body_once)
{
    PRINTS(struct_of(MEMBERS({"a", point()}, {"b", point()},
                             {"p", pointer_to(point())}),
                     OPTIONS(.tag = "line")),
           "struct line { struct point { double x; double y; } a; struct point "
           "b; struct point *p; }");
    PRINTS(struct_of(MEMBERS({"p", pointer_to(point())}, {"a", point()}), NULL),
           "struct { struct point *p; struct point { double x; double y; } a; "
           "}");
    PRINTS(pointer_to(struct_of(MEMBERS({"a", point()}), NULL)),
           "struct { struct point { double x; double y; } a; } *");
}

Test(print, recursive)
{
    const frt_layout *node = NULL;

    OK(frt_layout_incomplete(&node, FRT_KIND_STRUCT, "node"));
    PRINTS(node, "struct node");
    PRINTS(
        struct_of(MEMBERS({"next", pointer_to(node)}), OPTIONS(.tag = "node")),
        "struct node { struct node *next; }");
}

Test(print, attributes)
{
    const frt_layout *vector = NULL;

    OK(frt_layout_vector(&vector, FRT_CHAR, 8));
    PRINTS(struct_of(MEMBERS({"c", FRT_CHAR}, {"i", FRT_INT},
                             {"j", aligned_to(FRT_INT, 2)}),
                     OPTIONS(.tag = "p", .packed = true, .alignment = 8)),
           "struct __attribute__((packed, aligned(8))) p { char c; int i; int "
           "j __attribute__((aligned(2))); }");
    PRINTS(struct_of(MEMBERS({"i", aligned_to(FRT_INT, 16)},
                             {"j", aligned_to(FRT_INT, 2)},
                             {"k", aligned_to(FRT_INT, 1)},
                             {"b", aligned_to(bits_of(FRT_INT, 3), 1)},
                             {"c", aligned_to(bits_of(FRT_INT, 3), 8)}),
                     NULL),
           "struct { int i __attribute__((aligned(16))); int j "
           "__attribute__((packed, aligned(2))); int k "
           "__attribute__((packed)); int b : 3 __attribute__((packed)); int c "
           ": 3 __attribute__((aligned(8))); }");
    PRINTS(struct_of(MEMBERS({"v", aligned_to(vector, 2)}), NULL),
           "struct { __attribute__((packed, aligned(2))) char "
           "__attribute__((vector_size(8))) v; }");
}

/* The same effect, for a pragma cannot stand within a type. */
Test(print, pragma_pack)
{
    const frt_layout *inner = struct_of(MEMBERS({"l", FRT_LONG}), NULL);

    PRINTS(struct_of(MEMBERS({"c", FRT_CHAR}, {"i", FRT_INT}, {NULL, inner},
                             {"b", bits_of(FRT_INT, 9)}),
                     OPTIONS(.pack = 2)),
           "struct __attribute__((packed, aligned(2))) { char c; int i "
           "__attribute__((aligned(2))); short : 0; struct { long l; }; int b "
           ": 9; }");
}

Test(print, padding)
{
    const frt_layout *three = NULL;
    const frt_layout *seven = NULL;

    OK(frt_layout_padding(&three, 3));
    OK(frt_layout_padding(&seven, 7));
    PRINTS(struct_of(MEMBERS({"c", FRT_CHAR}, {NULL, three}, {"i", FRT_INT}),
                     NULL),
           "struct { char c; /* 3 bytes of padding */ int i; }");
    PRINTS(struct_of(MEMBERS({"c", FRT_CHAR}, {NULL, seven}, {"i", FRT_INT}),
                     NULL),
           "struct { char c; char _padding1[7]; int i; }");
}

static void
prints_descriptor(const frt_descriptor *descriptor, const char *name,
                  const char *text)
{
    char buffer[1024];

    cr_expect_eq(frt_descriptor_print(buffer, sizeof buffer, descriptor, name),
                 strlen(text));
    cr_expect_str_eq(buffer, text);
}

Test(print, descriptors)
{
    const frt_layout *handler = pointer_to(function_of(NULL, LAYOUTS(FRT_INT)));
    const frt_descriptor *variadic = NULL;
    const frt_descriptor *more = NULL;

    prints_descriptor(descriptor_of(FRT_F64, LAYOUTS(FRT_F64, FRT_F64)), "pow",
                      "double pow(double, double)");
    prints_descriptor(descriptor_of(NULL, NULL, 0), NULL, "void (void)");
    prints_descriptor(descriptor_of(FRT_POINTER, LAYOUTS(FRT_SIZE)), "malloc",
                      "void *malloc(unsigned long)");
    prints_descriptor(descriptor_of(handler, LAYOUTS(FRT_INT, handler)),
                      "signal", "void (*signal(int, void (*)(int)))(int)");
    prints_descriptor(descriptor_of(point(), LAYOUTS(point())), "f",
                      "struct point { double x; double y; } f(struct point)");
    OK(frt_descriptor_of_variadic(&variadic, FRT_INT,
                                  LAYOUTS(const_to(FRT_CHAR)), 1));
    prints_descriptor(variadic, "printf", "int printf(const char *, ...)");
    OK(frt_descriptor_extend(&more, variadic, LAYOUTS(FRT_INT)));
    prints_descriptor(more, "printf", "int printf(const char *, ...)");
    OK(frt_descriptor_of_variadic(&variadic, FRT_INT, NULL, 0, 0));
    prints_descriptor(variadic, "f", "int f(...)");
}

Test(print, how_much_a_segment_holds)
{
    prints_descriptor(
        descriptor_of(NULL, LAYOUTS(segment_of(FRT_INT, true, 3),
                                    segment_of(array_of(FRT_INT, 3), false, 2),
                                    segment_of(FRT_INT, false, 0),
                                    segment_of(NULL, false, 4),
                                    pointer_to(segment_of(FRT_INT, false, 2)))),
        "f",
        "void f(const int [static 3], int [static 2][3], int *, void *, int "
        "**)");
}

Test(print, into_what_there_is)
{
    char buffer[8] = "unused";

    cr_assert_eq(frt_layout_print(NULL, 0, point()), 36);
    cr_assert_eq(frt_layout_print(buffer, 1, point()), 36);
    cr_assert_str_eq(buffer, "");
    cr_assert_eq(frt_layout_print(buffer, sizeof buffer, point()), 36);
    cr_assert_str_eq(buffer, "struct ");
}

/* A text that would have 2^100 times "struct". */
Test(print, ends)
{
    const frt_layout *layout = struct_of(NULL, 0, NULL);
    static char text[2 << 20];
    size_t length;

    for (int i = 0; i < 100; i++)
        layout = struct_of(MEMBERS({"a", layout}, {"b", layout}), NULL);
    length = frt_layout_print(text, sizeof text, layout);
    cr_assert_lt(length, sizeof text);
    cr_assert_str_eq(text + length - 3, "...");
}
