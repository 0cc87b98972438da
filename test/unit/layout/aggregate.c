/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <stdio.h>

#include "test/unit/layout/support.h"

/* ------------------------------------------------------------- structs --- */

Test(structs, members_as_the_compiler)
{
    struct all {
        char c;
        double d;
        short s[3];
        void *p;
        long double l;
        _Bool b;
    };
    const frt_layout *layout = struct_of(
        MEMBERS({"c", FRT_CHAR}, {"d", FRT_F64}, {"s", array_of(FRT_SHORT, 3)},
                {"p", FRT_POINTER}, {"l", FRT_LONG_DOUBLE}, {"b", FRT_BOOL}),
        NULL);

    IS_TYPE(layout, struct all);
    IS_AT(layout, struct all, d);
    IS_AT(layout, struct all, s);
    IS_AT(layout, struct all, p);
    IS_AT(layout, struct all, l);
    IS_AT(layout, struct all, b);
    cr_assert_not(layout->has_unaligned);
    cr_assert_not(layout->has_foreign_padding);
    cr_assert_not(layout->has_flexible);
}

Test(structs, empty)
{
    is(struct_of(NULL, 0, NULL), 0, 1);
    is(union_of(NULL, 0, NULL), 0, 1);
    is(struct_of(NULL, 0, OPTIONS(.alignment = 16)), 0, 16);
    is(struct_of(MEMBERS({"a", array_of(FRT_INT, 0)}), NULL), 0, 4);
}

Test(structs, identity)
{
    const frt_layout *point =
        struct_of(MEMBERS({"x", FRT_F64}, {"y", FRT_F64}), OPTIONS(.tag = "p"));

    cr_assert_eq(point, struct_of(MEMBERS({"x", FRT_F64}, {"y", FRT_F64}),
                                  OPTIONS(.tag = "p")));
    cr_assert_neq(point,
                  struct_of(MEMBERS({"x", FRT_F64}, {"y", FRT_F64}), NULL));
    cr_assert_neq(point, struct_of(MEMBERS({"x", FRT_F64}, {"z", FRT_F64}),
                                   OPTIONS(.tag = "p")));
    cr_assert_neq(point, struct_of(MEMBERS({"x", FRT_F64}, {NULL, FRT_F64}),
                                   OPTIONS(.tag = "p")));
    cr_assert_neq(point, struct_of(MEMBERS({"x", FRT_F64}, {"y", FRT_F64}),
                                   OPTIONS(.tag = "p", .packed = true)));
    cr_assert_neq(point, union_of(MEMBERS({"x", FRT_F64}, {"y", FRT_F64}),
                                  OPTIONS(.tag = "p")));
    cr_assert_str_eq(frt_layout_tag(point), "p");
}

/* What changes nothing makes no other type. */
Test(structs, const_members)
{
    const bool one[] = {false, true};
    const frt_layout *point = struct_of(MEMBERS({"x", FRT_F64}, {"y", FRT_F64}),
                                        OPTIONS(.is_const = one));
    const frt_layout *holder =
        struct_of(MEMBERS({"a", FRT_INT}, {"p", array_of(point, 2)}),
                  OPTIONS(.is_const = one));
    char text[128];
    frt_place place;

    cr_assert_neq(point,
                  struct_of(MEMBERS({"x", FRT_F64}, {"y", FRT_F64}), NULL));
    cr_assert_eq(point, struct_of(MEMBERS({"x", FRT_F64}, {"y", FRT_F64}),
                                  OPTIONS(.is_const = one)));
    cr_assert_eq(frt_layout_member(&place, point, 0), FRT_OK);
    cr_assert_not(place.is_const);
    cr_assert_eq(frt_layout_find(&place, point, "y"), FRT_OK);
    cr_assert(place.is_const);
    cr_assert_eq(frt_layout_find(&place, holder, "a"), FRT_OK);
    cr_assert_not(place.is_const);
    cr_assert_eq(frt_layout_find(&place, holder, "p[1].x"), FRT_OK);
    cr_assert(place.is_const, "what it lies in is const");
    frt_layout_print(text, sizeof text, point);
    cr_assert_str_eq(text, "struct { double x; const double y; }");
}

Test(structs, aligned_as_they_are)
{
    const frt_layout *aligned = aligned_to(FRT_INT, 4);
    const frt_layout *packed =
        struct_of(MEMBERS({"i", aligned}), OPTIONS(.packed = true));

    cr_assert_eq(struct_of(MEMBERS({"i", aligned}), NULL),
                 struct_of(MEMBERS({"i", FRT_INT}), NULL));
    is(packed, 4, 4);
    cr_assert_neq(packed,
                  struct_of(MEMBERS({"i", FRT_INT}), OPTIONS(.packed = true)));
}

Test(structs, texts_are_copied)
{
    char tag[] = "tag";
    char name[] = "name";
    const frt_layout *layout =
        struct_of(MEMBERS({name, FRT_INT}), OPTIONS(.tag = tag));
    frt_place place;

    tag[0] = name[0] = 'X';
    OK(frt_layout_member(&place, layout, 0));
    cr_assert_str_eq(place.name, "name");
    cr_assert_str_eq(frt_layout_tag(layout), "tag");
}

Test(structs, keep_their_members)
{
    const frt_layout *array = array_of(FRT_INT, 77);
    const frt_layout *layout = struct_of(MEMBERS({"a", array}), NULL);
    frt_place place;

    frt_layout_drop(array);
    OK(frt_layout_member(&place, layout, 0));
    cr_assert_eq(frt_layout_count(place.layout), 77);
    frt_layout_drop(layout);
    cr_assert_eq(frti_pool_count(&frti_layouts), 0);
}

Test(structs, packed_and_aligned)
{
    struct __attribute__((packed)) tight {
        char c;
        int i;
        short s __attribute__((aligned(4)));
    };
    struct raised {
        char c;
        int i __attribute__((aligned(16)));
        char after;
    };
    const frt_layout *tight =
        struct_of(MEMBERS({"c", FRT_CHAR}, {"i", FRT_INT},
                          {"s", aligned_to(FRT_SHORT, 4)}),
                  OPTIONS(.packed = true));
    const frt_layout *raised =
        struct_of(MEMBERS({"c", FRT_CHAR}, {"i", aligned_to(FRT_INT, 16)},
                          {"after", FRT_CHAR}),
                  NULL);

    IS_TYPE(tight, struct tight);
    IS_AT(tight, struct tight, i);
    IS_AT(tight, struct tight, s);
    cr_assert(tight->has_unaligned);
    IS_TYPE(raised, struct raised);
    IS_AT(raised, struct raised, i);
    IS_AT(raised, struct raised, after);
    cr_assert_not(raised->has_unaligned);
}

Test(structs, aligned_typedefs)
{
    typedef int low_int __attribute__((aligned(2)));
    typedef struct {
        long a, b;
    } high_pair __attribute__((aligned(16)));
    struct holder {
        char c;
        low_int l;
        high_pair p[2];
        low_int array[3];
    };
    const frt_layout *low = aligned_to(FRT_INT, 2);
    const frt_layout *pair = aligned_to(
        struct_of(MEMBERS({"a", FRT_LONG}, {"b", FRT_LONG}), NULL), 16);
    const frt_layout *holder =
        struct_of(MEMBERS({"c", FRT_CHAR}, {"l", low}, {"p", array_of(pair, 2)},
                          {"array", array_of(low, 3)}),
                  NULL);

    IS_TYPE(holder, struct holder);
    IS_AT(holder, struct holder, l);
    IS_AT(holder, struct holder, p[1]);
    IS_AT(holder, struct holder, array);
    cr_assert(holder->has_unaligned);
    cr_assert_eq(holder->natural_alignment, 16);
}

/* A bit-field counts in alignments of its type, which may be more or less than
 * the size. What stands here is gcc's; clang differs in all but the last. */
Test(structs, bit_fields_of_aligned_types)
{
    const frt_layout *high = aligned_to(FRT_INT, 16);
    const frt_layout *low = aligned_to(FRT_INT, 1);
    const frt_layout *layout;

    layout = struct_of(MEMBERS({"c", FRT_CHAR}, {"a", bits_of(high, 3)},
                               {"b", bits_of(high, 32)}, {"d", FRT_CHAR}),
                       NULL);
    is(layout, 48, 16);
    cr_expect_eq(bit_of(layout, "a"), 128);
    cr_expect_eq(bit_of(layout, "b"), 256);
    cr_expect_eq(offset_of(layout, "d"), 36);
    /* one that is as good as an int, where an int can be */
    layout = struct_of(
        MEMBERS({"i", FRT_INT}, {"b", bits_of(high, 32)}, {"d", FRT_CHAR}),
        NULL);
    is(layout, 16, 16);
    cr_expect_eq(bit_of(layout, "b"), 32);
    is(struct_of(MEMBERS({"b", bits_of(low, 32)}), NULL), 4, 4);
    layout = struct_of(MEMBERS({"c", FRT_CHAR}, {"a", bits_of(low, 30)},
                               {"b", bits_of(low, 32)}, {"d", FRT_CHAR}),
                       NULL);
    is(layout, 10, 1);
    cr_expect_eq(offset_of(layout, "d"), 9);
}

/* No limit but that of ptrdiff_t. */
Test(structs, huge)
{
    const frt_layout *most = array_of(FRT_CHAR, PTRDIFF_MAX);
    const frt_layout *half = array_of(FRT_CHAR, PTRDIFF_MAX / 2 + 1);
    const frt_layout *out = NULL;

    is(struct_of(MEMBERS({"a", most}), NULL), PTRDIFF_MAX, 1);
    is(union_of(MEMBERS({"a", most}, {"b", half}), NULL), PTRDIFF_MAX, 1);
    REFUSED(frt_layout_struct(&out, MEMBERS({"a", half}, {"b", half}),
                              OPTIONS(.tag = "big")),
            FRT_OVERFLOW, "struct big is larger than any memory");
    REFUSED(frt_layout_struct(&out, MEMBERS({"a", most}, {"b", FRT_INT}), NULL),
            FRT_OVERFLOW, "struct is larger than any memory");
    REFUSED(frt_layout_struct(
                &out, MEMBERS({"a", most}, {"b", bits_of(FRT_INT, 1)}), NULL),
            FRT_OVERFLOW, "struct is larger than any memory");
    REFUSED(frt_layout_union(&out, MEMBERS({"a", most}, {"b", FRT_INT}), NULL),
            FRT_OVERFLOW, "union is larger than any memory");
    cr_assert_null(out);
}

Test(structs, thousands_of_members)
{
    enum { COUNT = 5000 };
    static char names[COUNT][8];
    static frt_member members[COUNT];
    const frt_layout *layout;

    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "m%d", i);
        members[i] = (frt_member){names[i], FRT_INT};
    }
    layout = struct_of(members, COUNT, NULL);
    is(layout, COUNT * sizeof(int), 4);
    cr_assert_eq(offset_of(layout, "m4999"), 4999 * sizeof(int));
}

/* -------------------------------------------------- explicit padding --- */

static const frt_layout *
padding_of(size_t bytes)
{
    const frt_layout *out = NULL;

    OK(frt_layout_padding(&out, bytes));
    return out;
}

Test(padding, that_a_compiler_leaves)
{
    const frt_layout *inside = struct_of(
        MEMBERS({"c", FRT_CHAR}, {NULL, padding_of(3)}, {"i", FRT_INT}), NULL);
    const frt_layout *at_end = struct_of(
        MEMBERS({"i", FRT_INT}, {"c", FRT_CHAR}, {NULL, padding_of(3)}), NULL);

    is(inside, 8, 4);
    cr_assert_not(inside->has_foreign_padding);
    is(at_end, 8, 4);
    cr_assert_not(at_end->has_foreign_padding);
}

Test(padding, that_none_leaves)
{
    const frt_layout *more = struct_of(
        MEMBERS({"c", FRT_CHAR}, {NULL, padding_of(7)}, {"i", FRT_INT}), NULL);
    const frt_layout *at_end = struct_of(
        MEMBERS({"i", FRT_INT}, {"c", FRT_CHAR}, {NULL, padding_of(4)}), NULL);
    const frt_layout *in_union =
        union_of(MEMBERS({"c", FRT_CHAR}, {NULL, padding_of(4)}), NULL);
    const frt_layout *nested =
        array_of(struct_of(MEMBERS({"more", array_of(more, 2)}), NULL), 2);

    is(more, 12, 4);
    cr_assert(more->has_foreign_padding);
    is(at_end, 12, 4);
    cr_assert(at_end->has_foreign_padding);
    is(in_union, 4, 1);
    cr_assert(in_union->has_foreign_padding);
    cr_assert(nested->has_foreign_padding);
}

/* A padding that is needed and missing: the compiler's hole is there. */
Test(padding, fits_into_any_model)
{
    const frt_model *model = NULL;

    OK(frt_model_find(&model, "aarch64-apple"));
    is(struct_of(MEMBERS({NULL, padding_of(3)},
                         {"c", frt_layout_value(FRT_KIND_CHAR, model)}),
                 NULL),
       4, 1);
}

/* ------------------------------------------------------------- refusals --- */

static const frt_layout *out;

#define REFUSES_STRUCT(status, sentence, options, ...)                         \
    do {                                                                       \
        REFUSED(frt_layout_struct(&out, MEMBERS(__VA_ARGS__), options),        \
                (status), (sentence));                                         \
        cr_assert_null(out);                                                   \
    } while (0)

Test(refused, members)
{
    const frt_layout *node = NULL;
    const frt_descriptor *descriptor = NULL;
    const frt_layout *function = NULL;

    OK(frt_layout_incomplete(&node, FRT_KIND_STRUCT, "node"));
    OK(frt_descriptor_of(&descriptor, NULL, NULL, 0));
    OK(frt_layout_function(&function, descriptor));
    REFUSES_STRUCT(FRT_BAD_LAYOUT,
                   "member 'n' of struct s: its type is incomplete",
                   OPTIONS(.tag = "s"), {"a", FRT_INT}, {"n", node});
    REFUSES_STRUCT(FRT_BAD_LAYOUT, "member 'v' of struct: void is no member",
                   NULL, {"v", FRT_VOID});
    REFUSES_STRUCT(FRT_BAD_LAYOUT,
                   "member 'f' of struct: a function is no member, a pointer "
                   "to it is",
                   NULL, {"f", function});
    REFUSES_STRUCT(FRT_BAD_ARGUMENT, "member 'n' of struct: its layout is NULL",
                   NULL, {"n", NULL});
    REFUSES_STRUCT(FRT_BAD_ARGUMENT, "member 1 of struct: its layout is NULL",
                   NULL, {NULL, NULL});
}

Test(refused, names)
{
    const frt_layout *inner =
        struct_of(MEMBERS({"b", FRT_INT}, {"c", FRT_INT}), NULL);
    const frt_layout *named =
        struct_of(MEMBERS({"c", FRT_INT}), OPTIONS(.tag = "named"));

    REFUSES_STRUCT(FRT_BAD_LAYOUT, "struct has two members 'a'", NULL,
                   {"a", FRT_INT}, {"b", FRT_INT}, {"a", FRT_INT});
    REFUSES_STRUCT(FRT_BAD_LAYOUT, "struct has two members 'c'", NULL,
                   {"c", FRT_INT}, {NULL, inner});
    REFUSES_STRUCT(FRT_BAD_LAYOUT, "struct s has two members 'c'",
                   OPTIONS(.tag = "s"), {NULL, named}, {NULL, inner});
    REFUSES_STRUCT(FRT_BAD_ARGUMENT,
                   "member 'x.y' of struct: that is not a C name", NULL,
                   {"x.y", FRT_INT});
    REFUSES_STRUCT(FRT_BAD_ARGUMENT,
                   "member '' of struct: that is not a C name", NULL,
                   {"", FRT_INT});
    REFUSES_STRUCT(FRT_BAD_ARGUMENT,
                   "member 'z' of struct: a bit-field of width 0 has no name",
                   NULL, {"z", bits_of(FRT_INT, 0)});
    REFUSES_STRUCT(FRT_BAD_ARGUMENT,
                   "member 'p' of struct: padding has no name", NULL,
                   {"p", padding_of(4)});
}

Test(refused, flexible_arrays)
{
    const frt_layout *flexible = array_of(FRT_INT, FRT_FLEXIBLE);
    const frt_layout *ends =
        struct_of(MEMBERS({"n", FRT_INT}, {"d", flexible}), NULL);
    const char *last = "member 'd' of struct: a flexible array stands last";

    REFUSES_STRUCT(FRT_BAD_LAYOUT, last, NULL, {"a", FRT_INT}, {"d", flexible},
                   {"b", FRT_INT});
    REFUSES_STRUCT(FRT_BAD_LAYOUT,
                   "member 'd' of struct: a flexible array needs a named "
                   "member before it",
                   NULL, {"d", flexible});
    REFUSES_STRUCT(FRT_BAD_LAYOUT,
                   "member 'd' of struct: a flexible array needs a named "
                   "member before it",
                   NULL, {NULL, bits_of(FRT_INT, 3)}, {"d", flexible});
    REFUSED(
        frt_layout_union(&out, MEMBERS({"a", FRT_INT}, {"d", flexible}), NULL),
        FRT_BAD_LAYOUT,
        "member 'd' of union: a flexible array cannot stand in a union");
    cr_assert(
        struct_of(MEMBERS({"d", ends}, {"b", FRT_INT}), NULL)->has_flexible);
}

Test(refused, models)
{
    const frt_model *model = NULL;
    const frt_layout *foreign;

    OK(frt_model_find(&model, "aarch64-apple"));
    foreign = frt_layout_value(FRT_KIND_INT, model);
    REFUSES_STRUCT(FRT_BAD_LAYOUT,
                   "member 'b' of struct: it is of another model than the "
                   "struct",
                   NULL, {"a", FRT_INT}, {"b", foreign});
    REFUSES_STRUCT(FRT_BAD_LAYOUT,
                   "member 'a' of struct: it is of another model than the "
                   "struct",
                   OPTIONS(.model = model), {"a", FRT_INT});
    cr_assert_eq(frt_layout_model(struct_of(MEMBERS({"a", foreign}), NULL)),
                 model);
    cr_assert_eq(frt_layout_model(struct_of(NULL, 0, OPTIONS(.model = model))),
                 model);
}

Test(refused, options)
{
    struct {
        frt_aggregate_options options;
        size_t new_option;
    } later = {.options.size = sizeof later};
    size_t only_size = sizeof only_size;

    REFUSES_STRUCT(FRT_BAD_ALIGNMENT,
                   "struct s: aligned(3), which is no power of two up to "
                   "268435456",
                   OPTIONS(.tag = "s", .alignment = 3), {"a", FRT_INT});
    REFUSES_STRUCT(FRT_BAD_ALIGNMENT,
                   "struct: #pragma pack(32), which can be 1, 2, 4, 8 or 16",
                   OPTIONS(.pack = 32), {"a", FRT_INT});
    REFUSES_STRUCT(FRT_BAD_ALIGNMENT,
                   "struct: #pragma pack(3), which can be 1, 2, 4, 8 or 16",
                   OPTIONS(.pack = 3), {"a", FRT_INT});
    REFUSES_STRUCT(FRT_BAD_ARGUMENT, "the tag 'int' is not a C name",
                   OPTIONS(.tag = "int"), {"a", FRT_INT});
    REFUSES_STRUCT(FRT_BAD_ARGUMENT,
                   "member '_Bool' of struct: that is not a C name", NULL,
                   {"a", FRT_INT}, {"_Bool", FRT_INT});
    is(struct_of(MEMBERS({"Int", FRT_INT}, {"interval", FRT_INT},
                         {"i", FRT_INT}, {"\xc3\xa9", FRT_INT},
                         {"Struct", FRT_INT}),
                 OPTIONS(.tag = "whileloop")),
       20, 4);
    REFUSES_STRUCT(FRT_BAD_ARGUMENT, "the tag '1' is not a C name",
                   OPTIONS(.tag = "1"), {"a", FRT_INT});
    is(struct_of(MEMBERS({"a", FRT_INT}), &later.options), 4, 4);
    later.new_option = 1;
    REFUSED(frt_layout_struct(&out, NULL, 0, &later.options), FRT_BAD_ARGUMENT,
            "frt_aggregate_options: has options that this version does not "
            "know");
    is(struct_of(MEMBERS({"a", FRT_INT}),
                 (const frt_aggregate_options *)&only_size),
       4, 4);
}

Test(refused, arguments)
{
    REFUSED(frt_layout_struct(NULL, NULL, 0, NULL), FRT_BAD_ARGUMENT,
            "out is NULL");
    REFUSED(frt_layout_struct(&out, NULL, 1, NULL), FRT_BAD_ARGUMENT,
            "members is NULL");
    cr_assert_null(out);
}
