/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Random structs and unions as C source that a compiler has to agree with:
 *
 *     generate MODEL SEED COUNT
 *
 * The source has each type as frt_layout_print writes it, static assertions of
 * what the layout says, and, for bit-fields, a main that sets each to ones and
 * looks which bits have changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/layout/layout.h"
#include "test/layout/random_types.h"

#define TEXT_SIZE 65536

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
print_claims_of(const struct random_type *type, const frt_layout *printed,
                unsigned number, const char *letter)
{
    char name[40];

    print_checks(&(struct claims){type->pair.real,
                                  type_of(name, sizeof name, printed), false},
                 number, letter);
}

static void
print_type(const struct random_type *type, unsigned number)
{
    if (type->only_gcc)
        puts("#if IS_GCC");
    else if (type->has_float16)
        puts("#if HAS_FLOAT16");
    if (type->pack != 0) {
        printf("#pragma pack(push, %zu)\n", type->pack);
        print_layout(type->pair.text);
        puts("#pragma pack(pop)");
        print_claims_of(type, type->pair.text, number, "t");
    }
    print_layout(type->pair.real);
    print_claims_of(type, type->pair.real, number, "r");
    puts(type->only_gcc || type->has_float16 ? "#endif\n" : "");
}

static void
print_types(size_t count)
{
    for (unsigned i = 0; i < count; i++) {
        char tag[16];
        struct random_type type;

        snprintf(tag, sizeof tag, "t%u", i);
        type = random_type(tag);
        print_type(&type, i);
        random_type_drop(&type);
    }
}

int
main(int count, char **arguments)
{
    const frt_model *model = NULL;
    unsigned long seed;
    unsigned long types;

    if (count != 4) {
        fprintf(stderr, "usage: generate MODEL SEED COUNT\n");
        return 2;
    }
    check(frt_model_find(&model, arguments[1]));
    seed = strtoul(arguments[2], NULL, 0);
    types = strtoul(arguments[3], NULL, 0);
    random_begin(model, seed);
    printf("/* generate %s %lu %lu */\n#include \"claims.h\"\n\n", arguments[1],
           seed, types);
    print_types(types);
    puts("int main(void) { return run(); }");
    if (frti_pool_count(&frti_layouts) != 0) {
        fprintf(stderr, "generate: layouts were left\n");
        return 1;
    }
    return 0;
}
