/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/unit/layout/support.h"

static const frt_layout *point;
static const frt_layout *shape;

/* struct { struct point pos; struct { int id; short tags[2]; } items[4];
 *          union { int lent; float other; }; unsigned a : 3, b : 7;
 *          int tail[]; } */
static void
make(void)
{
    const frt_layout *item = struct_of(
        MEMBERS({"id", FRT_INT}, {"tags", array_of(FRT_SHORT, 2)}), NULL);
    const frt_layout *lender =
        union_of(MEMBERS({"lent", FRT_INT}, {"other", FRT_F32}), NULL);

    point = struct_of(MEMBERS({"x", FRT_F64}, {"y", FRT_F64}),
                      OPTIONS(.tag = "point"));
    shape = struct_of(MEMBERS({"pos", point}, {"items", array_of(item, 4)},
                              {NULL, lender}, {"a", bits_of(FRT_UINT, 3)},
                              {"b", bits_of(FRT_UINT, 7)},
                              {"tail", array_of(FRT_INT, FRT_FLEXIBLE)}),
                      OPTIONS(.tag = "shape"));
}

TestSuite(find, .init = make);
TestSuite(member, .init = make);

static void
at(const char *path, const frt_layout *layout, size_t offset)
{
    frt_place place = {.offset = 12345};

    OK(frt_layout_find(&place, shape, path));
    cr_expect_eq(place.offset, offset, "%s is at %zu", path, place.offset);
    cr_expect_eq(place.layout, layout, "%s", path);
    cr_expect_eq(place.bit_width, 0);
}

Test(find, by_path)
{
    at("", shape, 0);
    at("pos", point, 0);
    at("pos.y", FRT_F64, 8);
    at("items[0].id", FRT_INT, 16);
    at("items[3].id", FRT_INT, 40);
    at("items[3].tags[1]", FRT_SHORT, 46);
    at("tail[0]", FRT_INT, 56);
    at("tail[1000000]", FRT_INT, 4000056);
}

Test(find, names_that_are_lent)
{
    const frt_layout *twice =
        struct_of(MEMBERS({"first", FRT_LONG}, {NULL, shape}), NULL);
    frt_place place;

    at("lent", FRT_INT, 48);
    at("other", FRT_F32, 48);
    OK(frt_layout_find(&place, twice, "other"));
    cr_assert_eq(place.offset, 56);
}

Test(find, bit_field)
{
    frt_place place;

    OK(frt_layout_find(&place, shape, "b"));
    cr_assert_str_eq(place.name, "b");
    cr_assert_eq(place.offset, 52);
    cr_assert_eq(place.bit_offset, 3);
    cr_assert_eq(place.bit_width, 7);
    cr_assert_eq(frt_layout_kind(place.layout), FRT_KIND_BIT_FIELD);
}

Test(find, in_arrays_and_vectors)
{
    const frt_layout *vector = NULL;
    frt_place place;

    OK(frt_layout_find(&place, array_of(array_of(FRT_INT, 3), 2), "[1][2]"));
    cr_assert_eq(place.offset, 20);
    cr_assert_null(place.name);
    OK(frt_layout_vector(&vector, FRT_F32, 4));
    OK(frt_layout_find(&place, vector, "[3]"));
    cr_assert_eq(place.offset, 12);
    cr_assert_eq(place.layout, FRT_F32);
}

static frt_place untouched;

static void
refused(const char *path, frt_status status, const char *sentence)
{
    untouched = (frt_place){.offset = 99};
    REFUSED(frt_layout_find(&untouched, shape, path), status, sentence);
    cr_assert_eq(untouched.offset, 99);
    cr_assert_null(untouched.layout);
}

Test(find, not_found)
{
    refused("pos.z", FRT_NOT_FOUND,
            "the path 'pos.z': no 'z' in 'struct point { double x; double y; "
            "}'");
    refused("po", FRT_NOT_FOUND,
            "the path 'po': no 'po' in 'struct shape { struct point { double "
            "x; double y; } pos; struct { int id; short tags[2]; } "
            "i...'");
    refused("pos.x.y", FRT_NOT_FOUND,
            "the path 'pos.x.y': 'double' has no members, so no 'y'");
    refused("pos[1]", FRT_NOT_FOUND,
            "the path 'pos[1]': 'struct point { double x; double y; }' is no "
            "array, so it has no [1]");
}

Test(find, outside)
{
    refused("items[4]", FRT_OUT_OF_BOUNDS,
            "the path 'items[4]': [4] is outside of 'struct { int id; short "
            "tags[2]; } [4]'");
    refused(
        "items[99999999999999999999999]", FRT_OUT_OF_BOUNDS,
        "the path 'items[99999999999999999999999]': [99999999999999999999999] "
        "is outside of 'struct { int id; short tags[2]; } [4]'");
    refused("tail[2305843009213693951]", FRT_OUT_OF_BOUNDS,
            "the path 'tail[2305843009213693951]': [2305843009213693951] is "
            "outside of 'int []'");
    refused(
        "tail[99999999999999999999999]", FRT_OUT_OF_BOUNDS,
        "the path 'tail[99999999999999999999999]': [99999999999999999999999] "
        "is outside of 'int []'");
}

Test(find, syntax)
{
    refused(".pos", FRT_BAD_ARGUMENT,
            "the path '.pos', at '.pos': a member's name is missing");
    refused("pos.", FRT_BAD_ARGUMENT,
            "the path 'pos.', at '': a member's name is missing");
    refused("pos..x", FRT_BAD_ARGUMENT,
            "the path 'pos..x', at '.x': a member's name is missing");
    refused("items[]", FRT_BAD_ARGUMENT,
            "the path 'items[]', at ']': an index is missing");
    refused("items[-1]", FRT_BAD_ARGUMENT,
            "the path 'items[-1]', at '-1]': an index is missing");
    refused("items[1", FRT_BAD_ARGUMENT,
            "the path 'items[1', at '1': a ']' is missing");
    refused("items[1]id", FRT_BAD_ARGUMENT,
            "the path 'items[1]id', at 'id': a '.' or '[' is missing");
    refused("items]", FRT_BAD_ARGUMENT,
            "the path 'items]', at ']': a '.' or '[' is missing");
    REFUSED(frt_layout_find(&untouched, shape, NULL), FRT_BAD_ARGUMENT,
            "path is NULL");
    REFUSED(frt_layout_find(&untouched, NULL, ""), FRT_BAD_ARGUMENT,
            "layout is NULL");
    REFUSED(frt_layout_find(NULL, shape, ""), FRT_BAD_ARGUMENT, "out is NULL");
}

/* Nothing to find in what has no names, however often it is in there. */
Test(find, in_many_without_names)
{
    const frt_layout *layout = struct_of(NULL, 0, NULL);
    frt_place place;

    for (int i = 0; i < 100; i++)
        layout = struct_of(MEMBERS({NULL, layout}, {NULL, layout}), NULL);
    cr_assert_eq(frt_layout_find(&place, layout, "x"), FRT_NOT_FOUND);
}

Test(member, by_index)
{
    frt_place place;

    OK(frt_layout_member(&place, shape, 0));
    cr_assert_str_eq(place.name, "pos");
    cr_assert_eq(place.layout, point);
    OK(frt_layout_member(&place, shape, 2));
    cr_assert_null(place.name);
    cr_assert_eq(place.offset, 48);
    REFUSED(frt_layout_member(&place, point, 2), FRT_OUT_OF_BOUNDS,
            "member 2 of 'struct point { double x; double y; }', which has 2");
    REFUSED(frt_layout_member(&place, FRT_INT, 0), FRT_OUT_OF_BOUNDS,
            "member 0 of 'int', which has none");
    REFUSED(frt_layout_member(NULL, point, 0), FRT_BAD_ARGUMENT, "out is NULL");
    REFUSED(frt_layout_member(&place, NULL, 0), FRT_BAD_ARGUMENT,
            "layout is NULL");
}
