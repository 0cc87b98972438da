/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Random structs and unions as C source that a compiler has to agree with:
 *
 *     generate MODEL SEED COUNT
 *
 * The source has each type as frt_layout_print writes it, static assertions of
 * what the layout says, and, for bit-fields, a main that sets each to ones and
 * looks which bits have changed. The same seed gives the same types.
 *
 * Where gcc and clang 14 place things differently, we follow gcc, and clang is
 * not asked. What is known to differ is marked with `only_gcc` below.
 *
 * Types under #pragma pack are made twice: `real` is what is tested; `text` is
 * the same without the pragma's effect, to be printed between pragmas.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/ffi_rt.h"
#include "ffi_rt/layout/descriptor.h"
#include "ffi_rt/layout/layout.h"

#define MOST_MEMBERS 8
#define MOST_DEPTH 3
#define TEXT_SIZE 65536

struct pair {
    const frt_layout *real;
    const frt_layout *text;
};

static const frt_model *model;
static uint64_t random_state;
static unsigned number_of_names;
static unsigned number_of_tags;
static size_t pack;      /* of the type that is being made */
static bool only_gcc;    /* it has something that clang sees otherwise */
static bool has_float16; /* clang 14 has none on x86-64 */

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

static void
check(frt_status status)
{
    if (status == FRT_OK)
        return;
    fprintf(stderr, "generate: %s: %s\n", frt_status_name(status),
            frt_last_detail());
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
    static const frt_kind kinds[] = {FRT_KIND_CHAR,  FRT_KIND_USHORT,
                                     FRT_KIND_INT,   FRT_KIND_ULONG,
                                     FRT_KIND_FLOAT, FRT_KIND_DOUBLE};
    const frt_layout *element = value(kinds[random_below(6)]);
    size_t bytes = (size_t)1 << (3 + random_below(3));
    const frt_layout *layout;

    check(
        frt_layout_vector(&layout, element, bytes / frt_layout_size(element)));
    return layout;
}

static const frt_layout *
random_complex(void)
{
    static const frt_kind kinds[] = {FRT_KIND_FLOAT, FRT_KIND_DOUBLE,
                                     FRT_KIND_LONG_DOUBLE};
    const frt_layout *layout;

    check(frt_layout_complex(&layout, value(kinds[random_below(3)])));
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

static struct pair
random_aligned(struct pair layout)
{
    size_t alignment = (size_t)1 << random_below(6);
    struct pair aligned;

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
        options.alignment = (size_t)1 << random_below(6);
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

/* --------------------------------------------------------------- source --- */

/* `enum e_int : int` is not C before C23: without what it is stored as. */
static void
print_source(const char *text)
{
    while (*text != '\0') {
        size_t length =
            strncmp(text, "enum e_", 7) == 0 ? 5 + strcspn(text + 5, " ") : 1;

        printf("%.*s", (int)length, text);
        text += length;
        if (length != 1 && text[1] == ':' && text[3] > '9')
            for (text += 3; strncmp(text, " m", 2) && strncmp(text, " :", 2) &&
                            *text != ';';)
                text++;
    }
}

static void
print_layout(const frt_layout *layout)
{
    static char text[TEXT_SIZE];

    if (frt_layout_print(text, sizeof text, layout) >= sizeof text)
        abort();
    print_source(text);
    puts(";");
}

static bool
has_members(const frt_layout *layout)
{
    return frt_layout_kind(layout) == FRT_KIND_STRUCT ||
           frt_layout_kind(layout) == FRT_KIND_UNION;
}

/* One line for each thing that a compiler can confirm: sizes and offsets, or
 * (`bits`) the places of bit-fields. */
struct claims {
    const frt_layout *whole;
    const char *type; /* "struct t1" */
    bool bits;
};

static void print_claims(const struct claims *claims, const char *prefix,
                         const frt_layout *layout);

static void
print_claim(const struct claims *claims, const char *path,
            const frt_layout *layout)
{
    frt_place place;

    check(frt_layout_find(&place, claims->whole, path));
    if (place.layout != layout)
        abort();
    if (frt_layout_kind(layout) == FRT_KIND_BIT_FIELD) {
        if (claims->bits)
            printf("    BITS(%s, %s, %zu, %u, %u)\n", claims->type, path,
                   place.offset, place.bit_offset, place.bit_width);
        return;
    }
    if (!claims->bits)
        printf("AT(%s, %s, %zu)\n", claims->type, path, place.offset);
    if (frt_layout_is_complete(layout) && !claims->bits)
        printf("HAS(%s, %s, %zu)\n", claims->type, path,
               frt_layout_size(layout));
    print_claims(claims, path, layout);
}

static void
print_claims(const struct claims *claims, const char *prefix,
             const frt_layout *layout)
{
    char path[256];
    frt_place member;

    if (frt_layout_kind(layout) == FRT_KIND_ARRAY && *prefix != '\0' &&
        frt_layout_is_complete(layout) && frt_layout_count(layout) != 0) {
        snprintf(path, sizeof path, "%s[%zu]", prefix,
                 frt_layout_count(layout) - 1);
        print_claim(claims, path, frt_layout_element(layout));
    }
    if (!has_members(layout))
        return;
    for (size_t i = 0; i < frt_layout_count(layout); i++) {
        check(frt_layout_member(&member, layout, i));
        if (member.name == NULL) {
            print_claims(claims, prefix, member.layout);
            continue;
        }
        snprintf(path, sizeof path, "%s%s%s", prefix,
                 *prefix == '\0' ? "" : ".", member.name);
        print_claim(claims, path, member.layout);
    }
}

static void
print_checks(const struct claims *claims, unsigned number, const char *letter)
{
    printf("SIZE(%s, %zu, %zu)\n", claims->type, frt_layout_size(claims->whole),
           frt_layout_alignment(claims->whole));
    print_claims(claims, "", claims->whole);
    printf("BEGIN(%s%u)\n", letter, number);
    print_claims(&(struct claims){claims->whole, claims->type, true}, "",
                 claims->whole);
    puts("END");
}

static const char *
type_of(char *out, size_t size, const frt_layout *layout)
{
    snprintf(out, size, "%s %s",
             frt_layout_kind(layout) == FRT_KIND_STRUCT ? "struct" : "union",
             frt_layout_tag(layout));
    return out;
}

static void
print_pair(struct pair pair, unsigned number)
{
    char type[40];
    struct claims claims = {pair.real, type, false};

    if (only_gcc)
        puts("#ifndef __clang__");
    else if (has_float16)
        puts("#if HAS_FLOAT16");
    if (pack != 0) {
        printf("#pragma pack(push, %zu)\n", pack);
        print_layout(pair.text);
        puts("#pragma pack(pop)");
        type_of(type, sizeof type, pair.text);
        print_checks(&claims, number, "t");
    }
    print_layout(pair.real);
    type_of(type, sizeof type, pair.real);
    print_checks(&claims, number, "r");
    puts(only_gcc || has_float16 ? "#endif\n" : "");
}

static void
print_type(unsigned number)
{
    char tag[16];
    struct pair pair;

    only_gcc = false;
    has_float16 = false;
    pack = one_in(4) ? (size_t)1 << random_below(5) : 0;
    snprintf(tag, sizeof tag, "t%u", number);
    pair = random_aggregate(0, tag);
    print_pair(pair, number);
    drop(pair);
}

int
main(int count, char **arguments)
{
    unsigned long seed;
    unsigned long types;

    if (count != 4) {
        fprintf(stderr, "usage: generate MODEL SEED COUNT\n");
        return 2;
    }
    check(frt_model_find(&model, arguments[1]));
    seed = strtoul(arguments[2], NULL, 0);
    types = strtoul(arguments[3], NULL, 0);
    random_state = seed;
    printf("/* generate %s %lu %lu */\n#include \"claims.h\"\n\n", arguments[1],
           seed, types);
    for (unsigned i = 0; i < types; i++)
        print_type(i);
    puts("int main(void) { return run(); }");
    if (frti_pool_count(&frti_layouts) != 0) {
        fprintf(stderr, "generate: layouts were left\n");
        return 1;
    }
    return 0;
}
