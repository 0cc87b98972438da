/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/layout/support.h"

static const frt_layout *const none;

Test(pointer, same_is_same)
{
    const frt_layout *one = pointer_to(FRT_INT);

    cr_assert_eq(one, pointer_to(FRT_INT));
    cr_assert_neq(one, pointer_to(FRT_UINT));
    cr_assert_eq(frt_layout_kind(one), FRT_KIND_POINTER);
    cr_assert_eq(frt_layout_element(one), FRT_INT);
    cr_assert_eq(frt_layout_size(one), sizeof(int *));
    cr_assert_not(frt_layout_is_const(one));
}

Test(pointer, to_void)
{
    const frt_layout *out = NULL;

    cr_assert_eq(pointer_to(NULL), FRT_POINTER);
    cr_assert_eq(pointer_to(FRT_VOID), FRT_POINTER);
    OK(frt_layout_pointer(&out, NULL, true));
    cr_assert(frt_layout_is_const(out));
    cr_assert_null(frt_layout_element(out));
    cr_assert_neq(out, FRT_POINTER);
}

Test(pointer, of_another_model)
{
    const frt_model *model = NULL;
    const frt_layout *out = NULL;

    OK(frt_model_find(&model, "aarch64-apple"));
    OK(frt_layout_pointer(&out, frt_layout_value(FRT_KIND_VOID, model), false));
    cr_assert_eq(out, frt_layout_address(FRT_KIND_POINTER, model));
}

Test(pointer, refused)
{
    const frt_layout *out = NULL;
    const frt_layout *padding = NULL;

    OK(frt_layout_padding(&padding, 4));
    REFUSED(frt_layout_pointer(&out, bits_of(FRT_INT, 3), false),
            FRT_BAD_LAYOUT,
            "a pointer to 'int : 3': it is a member only, and has no address "
            "of its own");
    REFUSED(frt_layout_pointer(&out, padding, false), FRT_BAD_LAYOUT,
            "a pointer to '/* 4 bytes of padding */': it is a member only, and "
            "has no address of its own");
    REFUSED(frt_layout_pointer(NULL, FRT_INT, false), FRT_BAD_ARGUMENT,
            "out is NULL");
    cr_assert_null(out);
}

static const frt_layout *
segment_of(const frt_layout *pointee, size_t least)
{
    const frt_layout *out = NULL;

    OK(frt_layout_segment(&out, pointee, false, least));
    return out;
}

static void
asks(const frt_layout *segment, size_t size, size_t alignment)
{
    cr_expect_eq(segment->asked_size, size);
    cr_expect_eq(segment->asked_alignment, alignment);
}

Test(segment, what_it_asks)
{
    const frt_layout *incomplete = NULL;

    OK(frt_layout_incomplete(&incomplete, FRT_KIND_STRUCT, "s"));
    cr_assert_eq(segment_of(NULL, 0), FRT_SEGMENT);
    asks(segment_of(NULL, 0), 0, 1);
    asks(segment_of(NULL, 1), 1, 1);
    asks(segment_of(NULL, 12), 12, 1);
    asks(segment_of(FRT_CHAR, 0), 0, 1);
    asks(segment_of(FRT_CHAR, 5), 5, 1);
    asks(segment_of(FRT_UCHAR, 0), 0, 1);
    asks(segment_of(FRT_INT, 0), 4, 4);
    asks(segment_of(FRT_INT, 1), 4, 4);
    asks(segment_of(FRT_INT, 3), 12, 4);
    asks(segment_of(incomplete, 0), 0, 1);
    asks(segment_of(incomplete, 1), 1, 1);
    asks(segment_of(array_of(FRT_INT, FRT_FLEXIBLE), 0), 0, 4);
    asks(segment_of(array_of(FRT_INT, 3), 2), 24, 4);
}

Test(segment, refused)
{
    const frt_layout *out = NULL;
    const frt_layout *incomplete = NULL;

    OK(frt_layout_incomplete(&incomplete, FRT_KIND_STRUCT, "s"));
    REFUSED(frt_layout_segment(&out, incomplete, false, 2), FRT_BAD_LAYOUT,
            "a segment of at least 2 of 'struct s', which has no size");
    REFUSED(frt_layout_segment(&out, FRT_INT, false, SIZE_MAX / 2),
            FRT_OVERFLOW,
            "a segment of at least 9223372036854775807 pointees is larger than "
            "any memory");
    REFUSED(frt_layout_segment(&out, bits_of(FRT_INT, 3), false, 0),
            FRT_BAD_LAYOUT,
            "a pointer to 'int : 3': it is a member only, and has no address "
            "of its own");
    cr_assert_null(out);
}

Test(array, shape)
{
    const frt_layout *array = array_of(FRT_SHORT, 5);

    cr_assert_eq(frt_layout_size(array), 10);
    cr_assert_eq(frt_layout_alignment(array), 2);
    cr_assert_eq(frt_layout_count(array), 5);
    cr_assert_eq(frt_layout_element(array), FRT_SHORT);
    cr_assert_eq(array, array_of(FRT_SHORT, 5));
    cr_assert(frt_layout_is_complete(array_of(FRT_INT, 0)));
    cr_assert_eq(frt_layout_size(array_of(FRT_INT, 0)), 0);
}

Test(array, flexible)
{
    const frt_layout *array = array_of(FRT_INT, FRT_FLEXIBLE);

    cr_assert_not(frt_layout_is_complete(array));
    cr_assert_eq(frt_layout_count(array), FRT_FLEXIBLE);
    cr_assert_eq(frt_layout_size(array), 0);
    cr_assert_eq(frt_layout_alignment(array), 4);
}

Test(array, memory_does_not_grow_with_it)
{
    cr_assert_eq(array_of(FRT_CHAR, 4096)->bytes, array_of(FRT_CHAR, 1)->bytes);
    cr_assert_eq(frt_layout_size(array_of(FRT_CHAR, PTRDIFF_MAX)), PTRDIFF_MAX);
}

Test(array, refused)
{
    const frt_layout *out = NULL;

    REFUSED(frt_layout_array(&out, FRT_VOID, 3), FRT_BAD_LAYOUT,
            "an array of 'void', which is not a complete type");
    REFUSED(frt_layout_array(&out, bits_of(FRT_INT, 3), 3), FRT_BAD_LAYOUT,
            "an array of 'int : 3', which is not a complete type");
    REFUSED(frt_layout_array(&out, array_of(FRT_INT, FRT_FLEXIBLE), 3),
            FRT_BAD_LAYOUT,
            "an array of 'int []', which is not a complete type");
    REFUSED(frt_layout_array(&out, aligned_to(FRT_INT, 8), 3), FRT_BAD_LAYOUT,
            "an array of 'int __attribute__((aligned(8)))': its size 4 is no "
            "multiple of its alignment 8");
    REFUSED(frt_layout_array(&out, FRT_SHORT, SIZE_MAX / 4 + 1), FRT_OVERFLOW,
            "an array of 4611686018427387904 times 'short' is larger than any "
            "memory");
    REFUSED(frt_layout_array(&out, FRT_SHORT, SIZE_MAX - 1), FRT_OVERFLOW,
            "an array of 18446744073709551614 times 'short' is larger than any "
            "memory");
    REFUSED(frt_layout_array(&out, NULL, 3), FRT_BAD_ARGUMENT,
            "element is NULL");
    REFUSED(frt_layout_array(NULL, FRT_INT, 3), FRT_BAD_ARGUMENT,
            "out is NULL");
    cr_assert_null(out);
}

/* GNU C, as the kernel's headers have it. */
Test(array, of_structs_that_end_in_a_flexible_array)
{
    struct ends {
        int n;
        double d[];
    };
    const frt_layout *ends = struct_of(
        MEMBERS({"n", FRT_INT}, {"d", array_of(FRT_F64, FRT_FLEXIBLE)}),
        OPTIONS(.tag = "ends"));
    const frt_layout *three = array_of(ends, 3);

    cr_assert_eq(frt_layout_size(three), 3 * sizeof(struct ends));
    cr_assert(three->has_flexible);
    cr_assert(struct_of(MEMBERS({"a", three}), NULL)->has_flexible);
}

Test(complex, shape)
{
    const frt_layout *out = NULL;

    OK(frt_layout_complex(&out, FRT_F64));
    cr_assert_eq(frt_layout_size(out), sizeof(double _Complex));
    cr_assert_eq(frt_layout_alignment(out), _Alignof(double _Complex));
    OK(frt_layout_complex(&out, FRT_LONG_DOUBLE));
    cr_assert_eq(frt_layout_size(out), sizeof(long double _Complex));
    cr_assert_eq(frt_layout_alignment(out), _Alignof(long double _Complex));
    OK(frt_layout_complex(&out, FRT_F16));
    cr_assert_eq(frt_layout_size(out), 4);
    cr_assert_eq(frt_layout_alignment(out), 2);
    OK(frt_layout_complex(&out, FRT_F128));
    cr_assert_eq(frt_layout_size(out), 32);
    cr_assert_eq(frt_layout_alignment(out), 16);
}

Test(complex, refused)
{
    const frt_layout *out = NULL;

    REFUSED(frt_layout_complex(&out, FRT_INT), FRT_BAD_LAYOUT,
            "a complex of 'int', which is no floating type");
    REFUSED(frt_layout_complex(&out, none), FRT_BAD_ARGUMENT,
            "element is NULL");
    cr_assert_null(out);
}

Test(vector, shape)
{
    typedef float floats __attribute__((vector_size(16)));
    typedef int ints __attribute__((vector_size(32)));
    const frt_layout *out = NULL;

    OK(frt_layout_vector(&out, FRT_F32, 4));
    cr_assert_eq(frt_layout_size(out), sizeof(floats));
    cr_assert_eq(frt_layout_alignment(out), __alignof__(floats));
    cr_assert_eq(frt_layout_count(out), 4);
    OK(frt_layout_vector(&out, FRT_INT, 8));
    cr_assert_eq(frt_layout_size(out), sizeof(ints));
    cr_assert_eq(frt_layout_alignment(out), __alignof__(ints));
}

Test(vector, alignment_has_a_limit_in_the_model)
{
    const frt_model *model = NULL;
    const frt_layout *out = NULL;

    OK(frt_model_find(&model, "aarch64"));
    OK(frt_layout_vector(&out, frt_layout_value(FRT_KIND_INT, model), 8));
    cr_assert_eq(frt_layout_size(out), 32);
    cr_assert_eq(frt_layout_alignment(out), 16);
}

Test(vector, refused)
{
    const frt_layout *out = NULL;

    REFUSED(frt_layout_vector(&out, FRT_BOOL, 4), FRT_BAD_LAYOUT,
            "a vector of '_Bool', which is no integer or float");
    REFUSED(frt_layout_vector(&out, FRT_POINTER, 2), FRT_BAD_LAYOUT,
            "a vector of 'void *', which is no integer or float");
    REFUSED(frt_layout_vector(&out, FRT_INT, 3), FRT_BAD_LAYOUT,
            "a vector of 3 times 'int' has 12 bytes, which is no power of two");
    REFUSED(frt_layout_vector(&out, FRT_INT, 0), FRT_BAD_LAYOUT,
            "a vector of 0 times 'int' has 0 bytes, which is no power of two");
    REFUSED(frt_layout_vector(&out, FRT_INT, SIZE_MAX), FRT_OVERFLOW,
            "a vector of 18446744073709551615 times 'int' is larger than any "
            "memory");
    cr_assert_null(out);
}

Test(enumeration, shape)
{
    const frt_layout *color = NULL;
    const frt_layout *other = NULL;

    OK(frt_layout_enum(&color, FRT_UINT, "color"));
    OK(frt_layout_enum(&other, FRT_SCHAR, "color"));
    cr_assert_neq(color, other);
    cr_assert_eq(frt_layout_size(color), 4);
    cr_assert_str_eq(frt_layout_tag(color), "color");
    cr_assert_eq(frt_layout_element(color), FRT_UINT);
    cr_assert(frt_layout_is_integer(color));
    cr_assert_not(frt_layout_is_signed(color));
    cr_assert(frt_layout_is_signed(other));
    OK(frt_layout_enum(&other, FRT_UINT, NULL));
    cr_assert_neq(color, other);
    cr_assert_null(frt_layout_tag(other));
}

Test(enumeration, refused)
{
    const frt_layout *out = NULL;

    REFUSED(frt_layout_enum(&out, FRT_F32, "e"), FRT_BAD_LAYOUT,
            "an enum stored as 'float', which is no integer");
    REFUSED(frt_layout_enum(&out, FRT_INT, "3d"), FRT_BAD_ARGUMENT,
            "the tag '3d' is not a C name");
    REFUSED(frt_layout_enum(&out, FRT_INT, ""), FRT_BAD_ARGUMENT,
            "the tag '' is not a C name");
    REFUSED(frt_layout_enum(&out, NULL, NULL), FRT_BAD_ARGUMENT,
            "underlying is NULL");
    cr_assert_null(out);
}

Test(function, is_a_pointee)
{
    const frt_descriptor *descriptor = NULL;
    const frt_layout *function = NULL;

    OK(frt_descriptor_of(&descriptor, FRT_INT, LAYOUTS(FRT_INT)));
    OK(frt_layout_function(&function, descriptor));
    cr_assert_eq(frt_layout_descriptor(function), descriptor);
    cr_assert_eq(frt_layout_size(function), 0);
    cr_assert_not(frt_layout_is_complete(function));
    cr_assert_eq(frt_layout_size(pointer_to(function)), 8);
    REFUSED(frt_layout_function(&function, NULL), FRT_BAD_ARGUMENT,
            "descriptor is NULL");
}

Test(align_to, raises_and_lowers)
{
    const frt_layout *more = aligned_to(FRT_INT, 16);
    const frt_layout *less = aligned_to(FRT_INT, 1);

    cr_assert_eq(frt_layout_alignment(more), 16);
    cr_assert_eq(frt_layout_size(more), 4);
    cr_assert_eq(frt_layout_kind(more), FRT_KIND_INT);
    cr_assert_eq(frt_layout_alignment(less), 1);
    cr_assert_eq(aligned_to(more, 1), less);
    cr_assert_eq(more->natural_alignment, 4);
    cr_assert_eq(more->plain, FRT_INT);
}

Test(align_to, of_a_struct_has_its_members)
{
    const frt_layout *plain =
        struct_of(MEMBERS({"a", FRT_INT}, {"b", FRT_INT}), NULL);
    const frt_layout *aligned = aligned_to(plain, 32);
    frt_place place;

    cr_assert_eq(frt_layout_count(aligned), 2);
    OK(frt_layout_find(&place, aligned, "b"));
    cr_assert_eq(place.offset, 4);
    frt_layout_drop(plain);
    OK(frt_layout_member(&place, aligned, 1));
    cr_assert_str_eq(place.name, "b");
}

Test(align_to, refused)
{
    const frt_layout *out = NULL;
    const frt_layout *padding = NULL;

    OK(frt_layout_padding(&padding, 4));
    REFUSED(frt_layout_align_to(&out, FRT_INT, 3), FRT_BAD_ALIGNMENT,
            "an alignment of 3: it is a power of two, at most 268435456");
    REFUSED(frt_layout_align_to(&out, FRT_INT, 0), FRT_BAD_ALIGNMENT,
            "an alignment of 0: it is a power of two, at most 268435456");
    REFUSED(frt_layout_align_to(&out, FRT_INT, (size_t)1 << 29),
            FRT_BAD_ALIGNMENT,
            "an alignment of 536870912: it is a power of two, at most "
            "268435456");
    REFUSED(frt_layout_align_to(&out, FRT_VOID, 4), FRT_BAD_LAYOUT,
            "'void' has no alignment that could be another");
    REFUSED(frt_layout_align_to(&out, padding, 4), FRT_BAD_LAYOUT,
            "'/* 4 bytes of padding */' has no alignment that could be "
            "another");
    REFUSED(frt_layout_align_to(&out, NULL, 4), FRT_BAD_ARGUMENT,
            "layout is NULL");
    cr_assert_null(out);
}

Test(bit_field, shape)
{
    const frt_layout *field = bits_of(FRT_SHORT, 11);

    cr_assert_eq(frt_layout_kind(field), FRT_KIND_BIT_FIELD);
    cr_assert_eq(frt_layout_count(field), 11);
    cr_assert_eq(frt_layout_element(field), FRT_SHORT);
    cr_assert_eq(frt_layout_size(field), 2);
    cr_assert(frt_layout_is_signed(field));
    cr_assert_not(frt_layout_is_signed(bits_of(FRT_UINT, 3)));
    cr_assert_eq(frt_layout_count(bits_of(FRT_I128, 128)), 128);
}

Test(bit_field, refused)
{
    const frt_layout *out = NULL;
    const frt_layout *flag = NULL;

    OK(frt_layout_enum(&flag, FRT_BOOL, "flag"));
    REFUSED(frt_layout_bit_field(&out, FRT_INT, 33), FRT_BAD_LAYOUT,
            "a bit-field of 33 bits: 'int' has 32");
    REFUSED(frt_layout_bit_field(&out, FRT_BOOL, 2), FRT_BAD_LAYOUT,
            "a bit-field of 2 bits: '_Bool' has 1");
    REFUSED(frt_layout_bit_field(&out, flag, 2), FRT_BAD_LAYOUT,
            "a bit-field of 2 bits: 'enum flag : _Bool' has 1");
    REFUSED(frt_layout_bit_field(&out, FRT_F64, 2), FRT_BAD_LAYOUT,
            "a bit-field of 'double', which is no integer");
    REFUSED(frt_layout_bit_field(&out, FRT_POINTER, 2), FRT_BAD_LAYOUT,
            "a bit-field of 'void *', which is no integer");
    REFUSED(frt_layout_bit_field(&out, NULL, 2), FRT_BAD_ARGUMENT,
            "base is NULL");
    cr_assert_null(out);
}

Test(padding, is_of_no_model)
{
    const frt_layout *out = NULL;

    OK(frt_layout_padding(&out, 7));
    cr_assert_eq(frt_layout_size(out), 7);
    cr_assert_eq(frt_layout_alignment(out), 1);
    cr_assert_null(frt_layout_model(out));
    REFUSED(frt_layout_padding(&out, SIZE_MAX), FRT_OVERFLOW,
            "padding of 18446744073709551615 bytes is larger than any memory");
}

Test(incomplete, is_a_pointee)
{
    const frt_layout *node = NULL;
    const frt_layout *again = NULL;
    const frt_layout *other = NULL;

    OK(frt_layout_incomplete(&node, FRT_KIND_STRUCT, "node"));
    OK(frt_layout_incomplete(&again, FRT_KIND_STRUCT, "node"));
    OK(frt_layout_incomplete(&other, FRT_KIND_UNION, "node"));
    cr_assert_eq(node, again);
    cr_assert_neq(node, other);
    cr_assert_not(frt_layout_is_complete(node));
    cr_assert_eq(frt_layout_size(node), 0);
    cr_assert_eq(frt_layout_size(struct_of(
                     MEMBERS({"value", FRT_INT}, {"next", pointer_to(node)}),
                     OPTIONS(.tag = "node"))),
                 16);
}

Test(incomplete, refused)
{
    const frt_layout *out = NULL;

    REFUSED(frt_layout_incomplete(&out, FRT_KIND_ENUM, "e"), FRT_BAD_LAYOUT,
            "'e' of kind 22: only a struct or union can be incomplete");
    REFUSED(frt_layout_incomplete(&out, FRT_KIND_STRUCT, NULL),
            FRT_BAD_ARGUMENT, "tag is NULL");
    REFUSED(frt_layout_incomplete(&out, FRT_KIND_STRUCT, "a b"),
            FRT_BAD_ARGUMENT, "the tag 'a b' is not a C name");
    cr_assert_null(out);
}

Test(depth, is_bounded)
{
    const frt_layout *layout = FRT_INT;
    const frt_layout *out = NULL;

    for (int i = 0; i < FRTI_LAYOUT_DEPTH; i++)
        layout = pointer_to(layout);
    REFUSED(frt_layout_pointer(&out, layout, false), FRT_BAD_LAYOUT,
            "a layout nested more than 256 levels deep");
    REFUSED(frt_layout_array(&out, layout, 1), FRT_BAD_LAYOUT,
            "a layout nested more than 256 levels deep");
    REFUSED(frt_layout_struct(&out, MEMBERS({"m", layout}), NULL),
            FRT_BAD_LAYOUT, "a layout nested more than 256 levels deep");
    cr_assert_null(out);
}
