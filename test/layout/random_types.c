/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/layout/random_types.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_MEMBERS 8
#define MOST_DEPTH 3

static const frt_model *model;
static uint64_t random_state;
static unsigned number_of_names;
static unsigned number_of_tags;

/* Of the type that is being made. */
static size_t pack;
static bool only_gcc;
static bool has_float16;

/* splitmix64 */
static uint64_t
random_next(void)
{
    uint64_t x = random_state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static size_t
random_below(size_t limit)
{
    return random_next() % limit;
}

static bool
one_in(size_t n)
{
    return random_below(n) == 0;
}

void
check(frt_status status)
{
    if (status == FRT_OK)
        return;
    fprintf(stderr, "%s: %s\n", frt_status_name(status), frt_last_detail());
    exit(1);
}

static struct pair
same(const frt_layout *layout)
{
    return (struct pair){layout, layout};
}

static void
drop(struct pair pair)
{
    frt_layout_drop(pair.real);
    frt_layout_drop(pair.text);
}

static struct pair
made_once(const frt_layout *layout)
{
    frt_layout_keep(layout);
    return same(layout);
}

/* -------------------------------------------------------------- scalars --- */

static const frt_layout *
value(frt_kind kind)
{
    return frt_layout_value(kind, model);
}

static const frt_layout *
random_integer(void)
{
    return value(FRT_KIND_BOOL +
                 random_below(FRT_KIND_UINT128 - FRT_KIND_BOOL + 1));
}

/* Each of these is defined with such values at the source's top. */
static const frt_layout *
random_enum(void)
{
    static const struct {
        frt_kind underlying;
        const char *tag;
    } enums[] = {{FRT_KIND_UINT, "e_uint"},
                 {FRT_KIND_INT, "e_int"},
                 {FRT_KIND_SCHAR, "e_schar"},
                 {FRT_KIND_USHORT, "e_ushort"},
                 {FRT_KIND_ULONG, "e_ulong"}};
    size_t i = random_below(sizeof enums / sizeof *enums);
    const frt_layout *layout;

    check(frt_layout_enum(&layout, value(enums[i].underlying), enums[i].tag));
    return layout;
}

static const frt_layout *
random_vector(void)
{
    static const frt_kind kinds[] = {
        FRT_KIND_CHAR,  FRT_KIND_USHORT, FRT_KIND_INT,    FRT_KIND_ULONG,
        FRT_KIND_FLOAT, FRT_KIND_DOUBLE, FRT_KIND_INT128, FRT_KIND_FLOAT16};
    frt_kind kind = kinds[random_below(8)];
    size_t bytes = (size_t)1 << random_below(7);
    const frt_layout *layout;
    size_t least = frt_layout_size(value(kind));

    has_float16 = has_float16 || kind == FRT_KIND_FLOAT16;
    check(frt_layout_vector(&layout, value(kind),
                            bytes < least ? 1 : bytes / least));
    return layout;
}

static const frt_layout *
random_complex(void)
{
    static const frt_kind kinds[] = {FRT_KIND_FLOAT, FRT_KIND_DOUBLE,
                                     FRT_KIND_LONG_DOUBLE, FRT_KIND_FLOAT16};
    frt_kind kind = kinds[random_below(4)];
    const frt_layout *layout;

    has_float16 = has_float16 || kind == FRT_KIND_FLOAT16;
    check(frt_layout_complex(&layout, value(kind)));
    return layout;
}

static const frt_layout *
random_scalar(void)
{
    const frt_layout *layout = NULL;

    switch (random_below(10)) {
    case 0:
        return random_enum();
    case 1:
        return random_vector();
    case 2:
        return random_complex();
    case 3:
        return frt_layout_address(FRT_KIND_POINTER, model);
    case 4:
        layout = value(FRT_KIND_FLOAT16 + random_below(5));
        break;
    default:
        layout = random_integer();
    }
    if (layout == NULL)
        return value(FRT_KIND_INT);
    if (frt_layout_kind(layout) == FRT_KIND_FLOAT16)
        has_float16 = true;
    return layout;
}

/* -------------------------------------------------------------- members --- */

static struct pair random_aggregate(unsigned depth, const char *tag);

static struct pair
random_array(struct pair element)
{
    size_t count = one_in(8) ? 0 : 1 + random_below(3);
    struct pair array;

    if (frt_layout_size(element.real) % frt_layout_alignment(element.real) != 0)
        return element;
    /* gcc takes such an array of vectors for one without a length */
    if (frt_layout_kind(element.real) == FRT_KIND_VECTOR && count == 0)
        count = 1;
    check(frt_layout_array(&array.real, element.real, count));
    check(frt_layout_array(&array.text, element.text, count));
    drop(element);
    return array;
}

/* An alignment that the text has anyway, without #pragma pack around it, would
 * not be printed. */
static struct pair
random_aligned(struct pair layout)
{
    size_t alignment = (size_t)1 << random_below(8);
    struct pair aligned;

    if (frt_layout_alignment(layout.text) == alignment &&
        frt_layout_alignment(layout.real) != alignment)
        return layout;
    check(frt_layout_align_to(&aligned.real, layout.real, alignment));
    check(frt_layout_align_to(&aligned.text, layout.text, alignment));
    drop(layout);
    return aligned;
}

static struct pair
random_plain(unsigned depth)
{
    struct pair layout;

    if (depth < MOST_DEPTH && one_in(6))
        layout = random_aggregate(depth + 1, NULL);
    else
        layout = made_once(random_scalar());
    if (one_in(6))
        layout = random_array(layout);
    if (one_in(8))
        layout = random_aligned(layout);
    return layout;
}

/* clang lets #pragma pack not cap it, and where the field would cross its unit
 * it goes to the next multiple of the declared alignment; gcc takes that of the
 * type. */
static struct pair
random_aligned_field(const frt_layout *field)
{
    size_t natural = frt_layout_alignment(field);
    struct pair aligned = random_aligned(same(field));
    size_t alignment = frt_layout_alignment(aligned.real);

    if (pack != 0 || (alignment != 1 && alignment < natural))
        only_gcc = true;
    return aligned;
}

static struct pair
random_bit_field(bool is_named)
{
    const frt_layout *base = one_in(8) ? random_enum() : random_integer();
    size_t bits =
        frt_layout_kind(base) == FRT_KIND_BOOL ? 1 : frt_layout_size(base) * 8;
    size_t width = one_in(4) ? bits : 1 + random_below(bits);
    const frt_layout *field;

    if (!is_named && one_in(2))
        width = 0;
    if (is_named && one_in(4) && bits >= 8)
        width = (size_t)8 << random_below(3); /* an integer of its own */
    if (width > bits)
        width = bits;
    check(frt_layout_bit_field(&field, base, width));
    frt_layout_drop(base);
    frt_layout_keep(field);
    return one_in(10) ? random_aligned_field(field) : same(field);
}

struct members {
    frt_member real[MOST_MEMBERS];
    frt_member text[MOST_MEMBERS];
    char names[MOST_MEMBERS][16];
    size_t count;
};

static void
add_member(struct members *members, struct pair layout, bool is_named)
{
    char *name = members->names[members->count];

    snprintf(name, sizeof members->names[0], "m%u", number_of_names++);
    members->real[members->count] =
        (frt_member){is_named ? name : NULL, layout.real};
    members->text[members->count] =
        (frt_member){is_named ? name : NULL, layout.text};
    members->count++;
}

static void
add_random_member(struct members *members, unsigned depth)
{
    struct pair layout;

    if (one_in(3)) {
        bool is_named = !one_in(3);

        add_member(members, random_bit_field(is_named), is_named);
    } else if (depth < MOST_DEPTH && one_in(10)) {
        layout = random_aggregate(depth + 1, NULL);
        if (frt_layout_tag(layout.real) == NULL)
            add_member(members, layout, false);
        else
            drop(layout);
    } else {
        add_member(members, random_plain(depth), true);
    }
}

static void
add_flexible(struct members *members)
{
    struct pair array;

    check(frt_layout_array(&array.real, value(FRT_KIND_INT), FRT_FLEXIBLE));
    frt_layout_keep(array.real);
    array.text = array.real;
    add_member(members, array, true);
}

static void
drop_members(struct members *members)
{
    for (size_t i = 0; i < members->count; i++)
        drop((struct pair){members->real[i].layout, members->text[i].layout});
}

/* ----------------------------------------------------------- aggregates --- */

static frt_aggregate_options
random_options(void)
{
    frt_aggregate_options options = {.size = sizeof options, .model = model};

    options.packed = one_in(5);
    if (one_in(6))
        options.alignment = (size_t)1 << random_below(8);
    return options;
}

static void
make(struct pair *out, bool is_union, const struct members *members,
     frt_aggregate_options options, const char *tag)
{
    char tags[2][24];
    frt_status (*constructor)(const frt_layout **, const frt_member *, size_t,
                              const frt_aggregate_options *) =
        is_union ? frt_layout_union : frt_layout_struct;

    snprintf(tags[0], sizeof tags[0], "r_%s", tag == NULL ? "" : tag);
    snprintf(tags[1], sizeof tags[1], "%s", tag == NULL ? "" : tag);
    options.pack = pack;
    options.tag = tag == NULL ? NULL : tags[0];
    check(constructor(&out->real, members->real, members->count, &options));
    options.pack = 0;
    options.tag = tag == NULL ? NULL : tags[1];
    check(constructor(&out->text, members->text, members->count, &options));
}

static struct pair
random_aggregate(unsigned depth, const char *tag)
{
    size_t count = random_below(depth == 0 ? MOST_MEMBERS : 4);
    bool is_union = one_in(4);
    struct members members = {.count = 0};
    char nested_tag[16];
    struct pair out;

    for (size_t i = 0; i < count; i++)
        add_random_member(&members, depth);
    if (depth == 0 && !is_union && count > 1 && members.real[0].name != NULL &&
        one_in(10))
        add_flexible(&members);
    if (tag == NULL && one_in(3)) {
        snprintf(nested_tag, sizeof nested_tag, "n%u", number_of_tags++);
        tag = nested_tag;
    }
    make(&out, is_union, &members, random_options(), tag);
    drop_members(&members);
    return out;
}

/* ------------------------------------------------------------------ all --- */

void
random_begin(const frt_model *of_model, uint64_t seed)
{
    model = of_model;
    random_state = seed;
    number_of_names = 0;
    number_of_tags = 0;
}

struct random_type
random_type(const char *tag)
{
    struct random_type type;

    only_gcc = false;
    has_float16 = false;
    pack = one_in(4) ? (size_t)1 << random_below(5) : 0;
    type.pair = random_aggregate(0, tag);
    type.pack = pack;
    type.only_gcc = only_gcc;
    type.has_float16 = has_float16;
    return type;
}

void
random_type_drop(const struct random_type *type)
{
    drop(type->pair);
}
