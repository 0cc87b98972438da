/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/layout/data_model.h"

#include "test/unit/layout/support.h"

static const frt_model *
model(const char *name)
{
    const frt_model *out = NULL;

    OK(frt_model_find(&out, name));
    return out;
}

static void
value_is(const frt_layout *layout, size_t size, size_t alignment,
         bool is_signed)
{
    cr_assert_not_null(layout);
    cr_expect_eq(frt_layout_size(layout), size);
    cr_expect_eq(frt_layout_alignment(layout), alignment);
    cr_expect_eq(frt_layout_is_signed(layout), is_signed);
}

#define IS_NATIVE(layout, type)                                                \
    value_is((layout), sizeof(type), _Alignof(type), (type)-1 < (type)1)
#define IS_NATIVE_FLOAT(layout, type)                                          \
    value_is((layout), sizeof(type), _Alignof(type), false)

Test(data_model, native_is_this_compiler)
{
    IS_NATIVE(FRT_BOOL, _Bool);
    IS_NATIVE(FRT_CHAR, char);
    IS_NATIVE(FRT_SCHAR, signed char);
    IS_NATIVE(FRT_UCHAR, unsigned char);
    IS_NATIVE(FRT_SHORT, short);
    IS_NATIVE(FRT_USHORT, unsigned short);
    IS_NATIVE(FRT_INT, int);
    IS_NATIVE(FRT_UINT, unsigned int);
    IS_NATIVE(FRT_LONG, long);
    IS_NATIVE(FRT_ULONG, unsigned long);
    IS_NATIVE(FRT_LLONG, long long);
    IS_NATIVE(FRT_ULLONG, unsigned long long);
    IS_NATIVE(FRT_I128, __int128);
    IS_NATIVE(FRT_U128, unsigned __int128);
    IS_NATIVE_FLOAT(FRT_F32, float);
    IS_NATIVE_FLOAT(FRT_F64, double);
    IS_NATIVE_FLOAT(FRT_LONG_DOUBLE, long double);
    IS_NATIVE_FLOAT(FRT_POINTER, void *);
    IS_NATIVE_FLOAT(FRT_SEGMENT, void *);
    IS_NATIVE(FRT_SIZE, size_t);
    IS_NATIVE(FRT_I64, int64_t);
    cr_assert_eq(frt_layout_model(FRT_INT), frt_model_native());
}

Test(data_model, every_kind_has_itself)
{
    for (int kind = FRT_KIND_VOID; kind <= FRT_KIND_FUNCTION; kind++) {
        const frt_layout *layout = frt_layout_value((frt_kind)kind, NULL);

        if (kind <= FRT_KIND_FLOAT128) {
            cr_assert_not_null(layout);
            cr_assert_eq(frt_layout_kind(layout), (frt_kind)kind);
        } else {
            cr_assert_null(layout);
        }
    }
    cr_assert_null(frt_layout_value((frt_kind)-1, NULL));
}

Test(data_model, addresses)
{
    const frt_model *other = model("aarch64-apple");

    cr_assert_eq(frt_layout_kind(FRT_POINTER), FRT_KIND_POINTER);
    cr_assert_eq(frt_layout_kind(FRT_SEGMENT), FRT_KIND_SEGMENT);
    cr_assert_null(frt_layout_element(FRT_POINTER));
    cr_assert_null(frt_layout_address(FRT_KIND_INT, NULL));
    cr_assert_eq(frt_layout_model(frt_layout_address(FRT_KIND_SEGMENT, other)),
                 other);
    cr_assert_eq(FRT_SEGMENT->asked_size, 0);
    cr_assert_eq(FRT_SEGMENT->asked_alignment, 1);
}

Test(data_model, void_has_no_size)
{
    cr_assert_eq(frt_layout_size(FRT_VOID), 0);
    cr_assert_eq(frt_layout_alignment(FRT_VOID), 0);
    cr_assert_not(frt_layout_is_complete(FRT_VOID));
    cr_assert_not(frt_layout_is_integer(FRT_VOID));
}

Test(data_model, kinds_of_numbers)
{
    cr_assert(frt_layout_is_integer(FRT_BOOL));
    cr_assert(frt_layout_is_integer(FRT_U128));
    cr_assert_not(frt_layout_is_integer(FRT_F16));
    cr_assert(frt_layout_is_floating(FRT_F16));
    cr_assert(frt_layout_is_floating(FRT_F128));
    cr_assert_not(frt_layout_is_floating(FRT_U128));
    cr_assert_not(frt_layout_is_floating(FRT_POINTER));
}

Test(data_model, differences)
{
    const frt_model *x86_64 = model("x86_64");
    const frt_model *aarch64 = model("aarch64");
    const frt_model *apple = model("aarch64-apple");

    value_is(frt_layout_value(FRT_KIND_CHAR, x86_64), 1, 1, true);
    value_is(frt_layout_value(FRT_KIND_CHAR, aarch64), 1, 1, false);
    value_is(frt_layout_value(FRT_KIND_CHAR, apple), 1, 1, true);
    value_is(frt_layout_value(FRT_KIND_LONG_DOUBLE, x86_64), 16, 16, false);
    value_is(frt_layout_value(FRT_KIND_LONG_DOUBLE, aarch64), 16, 16, false);
    value_is(frt_layout_value(FRT_KIND_LONG_DOUBLE, apple), 8, 8, false);
    value_is(frt_layout_value(FRT_KIND_FLOAT128, aarch64), 16, 16, false);
    cr_assert_null(frt_layout_value(FRT_KIND_FLOAT128, apple));
}

Test(data_model, find)
{
    const frt_model *out = NULL;

    cr_assert_str_eq(frt_model_name(model("aarch64-apple")), "aarch64-apple");
    REFUSED(frt_model_find(&out, "vax"), FRT_NOT_FOUND,
            "no model 'vax': there are x86_64, aarch64 and aarch64-apple");
    REFUSED(frt_model_find(NULL, "x86_64"), FRT_BAD_ARGUMENT, "out is NULL");
    REFUSED(frt_model_find(&out, NULL), FRT_BAD_ARGUMENT, "name is NULL");
    cr_assert_null(out);
}
