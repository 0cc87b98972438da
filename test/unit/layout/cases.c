/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Structs that others have laid out wrongly, with what is right. */
#include "test/unit/layout/support.h"

Test(cases, g01)
{
    is(struct_of(MEMBERS({"a", bits_of(FRT_UCHAR, 1)},
                         {"b", bits_of(FRT_USHORT, 16)}),
                 NULL),
       4, 2);
    is(struct_of(
           MEMBERS({"a", bits_of(FRT_ULLONG, 1)}, {"b", bits_of(FRT_UINT, 32)}),
           NULL),
       8, 8);
    is(struct_of(MEMBERS({"a", FRT_UINT}, {"b", bits_of(FRT_UINT, 20)},
                         {"c", bits_of(FRT_ULLONG, 24)}),
                 NULL),
       16, 8);
}

Test(cases, g02)
{
    const frt_layout *layout = struct_of(
        MEMBERS({"a", bits_of(FRT_UCHAR, 4)}, {"b", bits_of(FRT_UCHAR, 4)},
                {"c", bits_of(FRT_USHORT, 10)}, {"d", bits_of(FRT_USHORT, 10)},
                {"e", bits_of(FRT_UCHAR, 1)}, {"f", bits_of(FRT_UCHAR, 1)},
                {"g", bits_of(FRT_UCHAR, 1)}),
        NULL);

    is(layout, 6, 2);
    cr_expect_eq(bit_of(layout, "e"), 5 * 8 + 2);
    cr_expect_eq(bit_of(layout, "f"), 5 * 8 + 3);
    cr_expect_eq(bit_of(layout, "g"), 5 * 8 + 4);
}

Test(cases, g04)
{
    is(struct_of(MEMBERS({"a", bits_of(FRT_INT, 11)},
                         {"b", bits_of(FRT_UINT, 12)},
                         {"c", bits_of(FRT_UINT, 23)}),
                 OPTIONS(.pack = 1)),
       6, 1);
}

Test(cases, g06)
{
    const frt_layout *layout =
        struct_of(MEMBERS({"a", bits_of(FRT_UINT, 18)}, {"b", FRT_U8}), NULL);

    is(layout, 4, 4);
    cr_expect_eq(offset_of(layout, "b"), 3);
}

Test(cases, g07)
{
    const frt_layout *out = NULL;

    is(struct_of(
           MEMBERS({"a", bits_of(FRT_UINT, 6)}, {"b", bits_of(FRT_UINT, 32)}),
           OPTIONS(.packed = true)),
       5, 1);
    REFUSED(frt_layout_bit_field(&out, FRT_INT, 632), FRT_BAD_LAYOUT,
            "a bit-field of 632 bits: 'int' has 32");
}

Test(cases, g09)
{
    is(struct_of(
           MEMBERS({"a", bits_of(FRT_INT, 2)}, {"b", bits_of(FRT_LONG, 62)}),
           NULL),
       8, 8);
}

Test(cases, g11)
{
    is(struct_of(
           MEMBERS({"a", bits_of(FRT_UCHAR, 1)}, {"b", bits_of(FRT_UCHAR, 1)},
                   {"c", bits_of(FRT_UCHAR, 6)}, {"d", bits_of(FRT_USHORT, 16)},
                   {"e", bits_of(FRT_UCHAR, 8)}),
           OPTIONS(.pack = 1)),
       4, 1);
}

Test(cases, g12)
{
    const frt_layout *layout =
        struct_of(MEMBERS({"c", FRT_CHAR}, {"i", FRT_INT}),
                  OPTIONS(.packed = true, .alignment = 8));

    is(layout, 8, 8);
    cr_expect_eq(offset_of(layout, "i"), 1);
    cr_expect_eq(layout->natural_alignment, 1);
}

Test(cases, g15)
{
    const frt_layout *data = union_of(
        MEMBERS({"ptr", FRT_POINTER}, {"fd", FRT_INT}, {"u64", FRT_U64}), NULL);
    const frt_layout *event =
        struct_of(MEMBERS({"events", FRT_U32}, {"data", data}),
                  OPTIONS(.tag = "epoll_event", .packed = true));

    is(event, 12, 1);
    cr_expect_eq(offset_of(event, "data.u64"), 4);
}

/* aligned(32) on the struct pads it; on a typedef of it, it does not. */
Test(cases, g16)
{
    typedef struct {
        long a;
    } raised __attribute__((aligned(32)));
    const frt_layout *inner =
        struct_of(MEMBERS({"a", FRT_LONG}), OPTIONS(.alignment = 32));
    const frt_layout *plain =
        struct_of(MEMBERS({"a", FRT_CHAR}, {"b", array_of(FRT_CHAR, 7)}), NULL);
    const frt_layout *outer = aligned_to(plain, 32);

    is(inner, 32, 32);
    is(plain, 8, 1);
    is(outer, 8, 32);
    IS_TYPE(aligned_to(struct_of(MEMBERS({"a", FRT_LONG}), NULL), 32), raised);
}

Test(cases, g17)
{
    is(struct_of(MEMBERS({"i", aligned_to(FRT_I32, 16)}), NULL), 16, 16);
    is(struct_of(MEMBERS({"c", FRT_CHAR},
                         {"b", aligned_to(array_of(FRT_INT, 1024), 64)}),
                 NULL),
       64 + 4096, 64);
}

static const frt_layout *
g19(const char *name, size_t width)
{
    const frt_model *model = NULL;
    const frt_layout *field = NULL;
    const frt_layout *c;

    OK(frt_model_find(&model, name));
    c = frt_layout_value(FRT_KIND_CHAR, model);
    OK(frt_layout_bit_field(&field, frt_layout_value(FRT_KIND_INT, model),
                            width));
    return struct_of(MEMBERS({"a", c}, {NULL, field}, {"b", c}), NULL);
}

Test(cases, g19)
{
    is(g19("x86_64", 0), 5, 1);
    is(g19("x86_64", 5), 3, 1);
    is(g19("aarch64", 0), 8, 4);
    is(g19("aarch64", 5), 4, 4);
    is(g19("aarch64-apple", 0), 5, 1);
    is(g19("aarch64-apple", 5), 3, 1);
}

/* pack(2) { int; int a : 1 }: the field's byte is within the six. */
Test(cases, d01)
{
    const frt_layout *layout =
        struct_of(MEMBERS({"i", FRT_INT}, {"a", bits_of(FRT_INT, 1)}),
                  OPTIONS(.pack = 2));

    is(layout, 6, 2);
    cr_expect_eq(bit_of(layout, "a"), 32);
}

Test(cases, d03)
{
    is(struct_of(MEMBERS({"a", FRT_U64}, {"b", FRT_U8}), OPTIONS(.pack = 8)),
       16, 8);
}

Test(cases, d14)
{
    const frt_layout *tail = struct_of(
        MEMBERS({"n", FRT_INT}, {"d", array_of(FRT_F64, FRT_FLEXIBLE)}), NULL);
    const frt_layout *after_bit =
        struct_of(MEMBERS({"a", bits_of(FRT_CHAR, 1)},
                          {"b", array_of(FRT_POINTER, FRT_FLEXIBLE)}),
                  NULL);

    is(tail, 8, 8);
    cr_expect_eq(offset_of(tail, "d[3]"), 32);
    cr_expect(tail->has_flexible);
    is(after_bit, 8, 8);
    cr_expect_eq(offset_of(after_bit, "b"), 8);
}
