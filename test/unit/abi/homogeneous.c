/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/homogeneous.h"

#include "test/unit/abi/planning.h"

/* `size` bytes an element; count 0: it is not homogeneous. */
static void
check(const char *type, size_t count, size_t size)
{
    const frt_layout *layout = parse_type("aarch64", type);
    struct frti_homogeneous found = {0};

    cr_assert_eq(frti_homogeneous_of(&found, layout), count != 0, "%s", type);
    cr_assert_eq(found.count, count, "%s: %zu elements", type, found.count);
    cr_assert_eq(found.size, size, "%s: of %zu bytes", type, found.size);
    frt_layout_drop(layout);
}

#define V8 "float __attribute__((vector_size(8)))"
#define V16 "int __attribute__((vector_size(16)))"

Test(homogeneous, scalars)
{
    check("float", 1, 4);
    check("double", 1, 8);
    check("_Float16", 1, 2);
    check("long double", 1, 16);
    check(V8, 1, 8);
    check(V16, 1, 16);
    check("float _Complex", 2, 4);
    check("int", 0, 0);
    check("void *", 0, 0);
    check("int __attribute__((vector_size(4)))", 0, 0);
    check("int __attribute__((vector_size(32)))", 0, 0);
}

Test(homogeneous, members)
{
    check("struct { float a; }", 1, 4);
    check("struct { float a, b, c, d; }", 4, 4);
    check("struct { float a, b, c, d, e; }", 0, 0);
    check("struct { double a, b; }", 2, 8);
    check("struct { long double a, b, c, d; }", 4, 16);
    check("struct { long double a; _Float128 b; }", 2, 16);
    check("struct { float a; double b; }", 0, 0);
    check("struct { float a; int b; }", 0, 0);
    check("struct { double a; long double b; }", 0, 0);
    check("struct { float a; float _Complex b; }", 3, 4);
    check("struct { " V8 " a; " V8 " b; }", 2, 8);
    check("struct { " V16 " a; float b __attribute__((vector_size(16))); }", 2,
          16);
    check("struct { " V8 " a; double b; }", 0, 0);
    check("struct { " V8 " a; " V16 " b; }", 0, 0);
    check("struct { }", 0, 0);
}

Test(homogeneous, nested_and_in_arrays)
{
    check("struct { float a[2][2]; }", 4, 4);
    check("struct { double a[5]; }", 0, 0);
    check("struct { struct { float a; } b[3]; }", 3, 4);
    check("struct { float a; struct { float b, c; } s; }", 3, 4);
    check("struct { struct { double a[2]; } b; double c; }", 3, 8);
    check("struct { " V16 " a[4]; }", 4, 16);
    check("struct { float a[2]; int b[0]; }", 0, 0);
    check("struct { struct { } a; float b; }", 1, 4);
    check("struct { struct { } a[3]; float b; }", 1, 4);
}

Test(homogeneous, unions)
{
    check("union { float a; float b[3]; }", 3, 4);
    check("union { double d; double a[2]; }", 2, 8);
    check("union { float a[4]; struct { float x, y; } s; }", 4, 4);
    check("union { float a; double b; }", 0, 0);
    check("union { long double a; _Float128 b; }", 1, 16);
    check("struct { union { float a; float b[2]; } u; float c; }", 3, 4);
}

/* Padding is no element. */
Test(homogeneous, padding)
{
    check("struct __attribute__((aligned(16))) { float a; }", 0, 0);
    check("struct { float a; _Alignas(8) float b; }", 0, 0);
    check("struct { _Alignas(16) double a; double b; }", 2, 8);
    check("struct __attribute__((packed)) { double a, b; }", 2, 8);
}

/* Written out, also where there is none. */
Test(homogeneous, explicit_padding)
{
    frt_member members[] = {{"a", FRT_F32}, {NULL, NULL}, {"b", FRT_F32}};
    struct frti_homogeneous found = {0};
    const frt_layout *layout;

    cr_assert_eq(frt_layout_padding(&members[1].layout, 0), FRT_OK);
    cr_assert_eq(frt_layout_struct(&layout, members, 3, NULL), FRT_OK);
    cr_assert(frti_homogeneous_of(&found, layout));
    cr_assert_eq(found.count, 2);
    frt_layout_drop(layout);
    frt_layout_drop(members[1].layout);
}

Test(homogeneous, bit_fields)
{
    check("struct { float a; int b : 3; }", 0, 0);
    check("struct { float a; int : 3; }", 0, 0);
    check("struct { float a; int : 0; float b; }", 2, 4);
}

/* gcc: no elements of any kind are no floats, but what is nothing but a complex
 * number is one. */
Test(homogeneous, arrays_of_no_elements)
{
    check("struct { float a; float b[0]; }", 0, 0);
    check("struct { struct { float a[0]; } s; float b; }", 0, 0);
    check("struct { struct { } a[0]; float b; }", 0, 0);
    check("struct { float _Complex a; int b[0]; }", 2, 4);
    check("struct { float _Complex a[1]; int b[0]; }", 2, 4);
    check("struct { struct { double _Complex a; } s; int b[0]; }", 2, 8);
    check("struct { float _Complex a; int b[0]; float c; }", 0, 0);
    check("union { float a; int : 0; }", 0, 0);
}
