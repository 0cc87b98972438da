/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Statements that set or check values, a scalar each; see callee.h. */
#include "test/abi/text.h"

#include <string.h>

/* Longer arrays are gone through by a loop. */
#define TEXT_UNROLLED 4

/* Where the walk is: the expression and its leaf's number, as C text. Within
 * loops the number has terms with their variables. */
struct spot {
    char expression[192];
    char terms[128];
    uint32_t leaf;
    unsigned loops;
};

static void
leaf_number(const struct text *text, const struct spot *spot)
{
    fprintf(text->file, "%u%s", spot->leaf, spot->terms);
}

static void
leaf_integer(const struct text *text, enum deed deed, const struct spot *spot,
             const char *is_signed, unsigned width)
{
    if (deed == DEED_SET) {
        fprintf(text->file, "    %s = set_integer(", spot->expression);
        leaf_number(text, spot);
        fputs(width == 1 ? ") & 1;\n" : ");\n", text->file);
        return;
    }
    fputs("    check_integer(", text->file);
    leaf_number(text, spot);
    fprintf(text->file, ", %u, %s, (uint64_t)(%s));\n", width, is_signed,
            spot->expression);
}

/* `more`: what set_ and check_ want to know beside the number. */
static void
leaf_other(const struct text *text, enum deed deed, const struct spot *spot,
           const char *what, const char *more)
{
    if (deed == DEED_SET)
        fprintf(text->file, "    %s = set_%s(", spot->expression, what);
    else
        fprintf(text->file, "    check_%s(", what);
    leaf_number(text, spot);
    fputs(more, text->file);
    if (deed == DEED_CHECK)
        fprintf(text->file, ", %s", spot->expression);
    fputs(");\n", text->file);
}

static void
leaf_pointer(const struct text *text, enum deed deed, const struct spot *spot)
{
    if (deed == DEED_SET)
        fprintf(text->file, "    %s = (void *)set_integer(", spot->expression);
    else
        fputs("    check_integer(", text->file);
    leaf_number(text, spot);
    if (deed == DEED_CHECK)
        fprintf(text->file, ", 64, 0, (uintptr_t)%s", spot->expression);
    fputs(");\n", text->file);
}

static void
leaf_scalar(const struct text *text, enum deed deed, const struct spot *spot,
            frt_kind kind)
{
    const frt_layout *layout = frt_layout_value(kind, NULL);

    switch (kind) {
    case FRT_KIND_INT128:
    case FRT_KIND_UINT128:
        leaf_other(text, deed, spot, "wide", "");
        break;
    case FRT_KIND_FLOAT16:
        leaf_other(text, deed, spot, "number", ", 11");
        break;
    case FRT_KIND_FLOAT:
        leaf_other(text, deed, spot, "number", ", 24");
        break;
    case FRT_KIND_DOUBLE:
        leaf_other(text, deed, spot, "number", ", 53");
        break;
    case FRT_KIND_LONG_DOUBLE:
    case FRT_KIND_FLOAT128:
        leaf_other(text, deed, spot, "long", "");
        break;
    case FRT_KIND_POINTER:
        leaf_pointer(text, deed, spot);
        break;
    case FRT_KIND_CHAR:
        leaf_integer(text, deed, spot, "CHAR_IS_SIGNED", 8);
        break;
    case FRT_KIND_BOOL:
        leaf_integer(text, deed, spot, "0", 1);
        break;
    default:
        leaf_integer(text, deed, spot, frt_layout_is_signed(layout) ? "1" : "0",
                     (unsigned)(8 * frt_layout_size(layout)));
    }
}

static void walk(const struct text *text, enum deed deed,
                 const struct shape *shape, struct spot *spot);

static void
walk_with(const struct text *text, enum deed deed, const struct shape *shape,
          struct spot *spot, const char *before, const char *after)
{
    struct spot inner = *spot;

    snprintf(inner.expression, sizeof inner.expression, "%s%s%s", before,
             spot->expression, after);
    walk(text, deed, shape, &inner);
    spot->leaf = inner.leaf;
}

static void
walk_elements(const struct text *text, enum deed deed,
              const struct shape *shape, struct spot *spot)
{
    char index[24];

    for (size_t i = 0; i < shape->count; i++) {
        sprintf(index, "[%zu]", i);
        walk_with(text, deed, shape->element, spot, "", index);
    }
}

static void
walk_loop(const struct text *text, enum deed deed, const struct shape *shape,
          struct spot *spot)
{
    uint32_t each = shape_leaves(shape->element);
    struct spot inner = *spot;
    char index[24];

    inner.loops++;
    sprintf(index, "[i%u]", spot->loops);
    sprintf(inner.terms + strlen(inner.terms), " + %u * i%u", each,
            spot->loops);
    fprintf(text->file, "    for (unsigned i%u = 0; i%u < %zu; i%u++) {\n",
            spot->loops, spot->loops, shape->count, spot->loops);
    walk_with(text, deed, shape->element, &inner, "", index);
    fputs("    }\n", text->file);
    spot->leaf += each * (uint32_t)shape->count;
}

static void
walk_bit_field(const struct text *text, enum deed deed,
               const struct shape_member *member, const struct spot *spot)
{
    const struct shape *base = member->shape;
    frt_kind kind = base->element == NULL ? base->kind : base->element->kind;
    bool is_signed = frt_layout_is_signed(frt_layout_value(kind, NULL));

    leaf_integer(text, deed, spot,
                 kind == FRT_KIND_CHAR ? "CHAR_IS_SIGNED"
                 : is_signed           ? "1"
                                       : "0",
                 member->width);
}

static void
walk_member(const struct text *text, enum deed deed,
            const struct shape_member *member, struct spot *spot)
{
    struct spot inner = *spot;
    size_t length = strlen(spot->expression);

    if (member->is_bit_field && !member->is_named)
        return;
    if (member->is_named)
        snprintf(inner.expression + length, sizeof inner.expression - length,
                 ".m%u", member->number);
    if (member->is_bit_field) {
        walk_bit_field(text, deed, member, &inner);
        spot->leaf++;
        return;
    }
    walk(text, deed, member->shape, &inner);
    spot->leaf = inner.leaf;
}

static void
walk(const struct text *text, enum deed deed, const struct shape *shape,
     struct spot *spot)
{
    switch (shape->kind) {
    case FRT_KIND_STRUCT:
        for (size_t i = 0; i < shape->member_count; i++)
            walk_member(text, deed, &shape->members[i], spot);
        break;
    case FRT_KIND_UNION:
        if (shape->member_count != 0)
            walk_member(text, deed, &shape->members[shape->active], spot);
        break;
    case FRT_KIND_ARRAY:
        if (shape->count > TEXT_UNROLLED)
            walk_loop(text, deed, shape, spot);
        else
            walk_elements(text, deed, shape, spot);
        break;
    case FRT_KIND_VECTOR:
        walk_elements(text, deed, shape, spot);
        break;
    case FRT_KIND_COMPLEX:
        walk_with(text, deed, shape->element, spot, "__real__ ", "");
        walk_with(text, deed, shape->element, spot, "__imag__ ", "");
        break;
    case FRT_KIND_ENUM:
        walk(text, deed, shape->element, spot);
        break;
    default:
        leaf_scalar(text, deed, spot, shape->kind);
        spot->leaf++;
    }
}

void
text_leaves(const struct text *text, enum deed deed, const struct shape *shape,
            const char *name, uint32_t *leaf)
{
    struct spot spot = {.leaf = *leaf};

    snprintf(spot.expression, sizeof spot.expression, "%s", name);
    walk(text, deed, shape, &spot);
    *leaf = spot.leaf;
}
