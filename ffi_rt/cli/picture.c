/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/cli/text.h"

static bool
picture_is_aggregate(const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);

    return kind == FRT_KIND_STRUCT || kind == FRT_KIND_UNION;
}

bool
frti_picture_is_worth(const frt_layout *layout)
{
    while (layout != NULL && frt_layout_kind(layout) == FRT_KIND_ARRAY)
        layout = frt_layout_element(layout);
    return layout != NULL && picture_is_aggregate(layout) &&
           frt_layout_is_complete(layout);
}

/* Returns the length of the whole name. */
static size_t
picture_name(char *buffer, size_t capacity, const frt_layout *layout)
{
    const char *tag = frt_layout_tag(layout);

    if (picture_is_aggregate(layout) && tag != NULL)
        return (size_t)snprintf(
            buffer, capacity, "%s %s",
            frt_layout_kind(layout) == FRT_KIND_UNION ? "union" : "struct",
            tag);
    return frt_layout_print(buffer, capacity, layout);
}

void
frti_picture_name(char *buffer, size_t capacity, const frt_layout *layout)
{
    if (picture_name(buffer, capacity, layout) >= capacity)
        memcpy(buffer + capacity - 4, "...", 4);
}

static void
picture_json_string(const char *string)
{
    size_t length = strlen(string);
    size_t capacity = 6 * length + 3; /* each byte as \uFFFD, and the quotes */
    char *bytes = malloc(capacity);
    struct frti_text text;

    if (bytes == NULL) {
        printf("\"\"");
        return;
    }
    text = frti_text_in(bytes, capacity);
    frti_text_quote(&text, string, length, true);
    printf("%s", bytes);
    free(bytes);
}

static void
picture_print_name(const frt_layout *layout, bool is_json)
{
    size_t capacity = picture_name(NULL, 0, layout) + 1;
    char *name = malloc(capacity);

    if (name != NULL)
        (void)picture_name(name, capacity, layout);
    if (is_json)
        picture_json_string(name == NULL ? "" : name);
    else
        printf("%s", name == NULL ? "" : name);
    free(name);
}

/* ------------------------------------------------------------- lines --- */

/* Where a line stands: in which outer member, and at which offset. */
struct spot {
    const struct spot *outer; /* NULL: in the type itself */
    const char *name;         /* of the outer member; NULL: none */
    size_t offset;
};

static void picture_members(const struct spot *spot, const frt_layout *layout);

/* "pos." */
static void
spot_print(const struct spot *spot)
{
    if (spot->outer == NULL)
        return;
    spot_print(spot->outer);
    if (spot->name != NULL)
        printf("%s.", spot->name);
}

static void
picture_hole(const struct spot *spot, size_t from, size_t until)
{
    if (until > from)
        printf("  %8zu %6zu    (padding)\n", spot->offset + from, until - from);
}

static void
picture_bit_field(const struct spot *spot, const frt_place *place)
{
    char type[64];

    frti_picture_name(type, sizeof type, frt_layout_element(place->layout));
    printf("  %8zu   :%-4u  ", spot->offset + place->offset, place->bit_width);
    spot_print(spot);
    printf("%s  %s, from bit %u\n",
           place->name == NULL ? "(unnamed)" : place->name, type,
           place->bit_offset);
}

static void
picture_member(const struct spot *spot, const frt_place *place)
{
    struct spot inner = {.outer = spot,
                         .name = place->name,
                         .offset = spot->offset + place->offset};
    char type[64];

    if (frt_layout_kind(place->layout) == FRT_KIND_BIT_FIELD) {
        picture_bit_field(spot, place);
        return;
    }
    frti_picture_name(type, sizeof type, place->layout);
    printf("  %8zu %6zu    ", inner.offset, frt_layout_size(place->layout));
    spot_print(spot);
    printf("%s  %s\n", place->name == NULL ? "(unnamed)" : place->name, type);
    if (!picture_is_aggregate(place->layout))
        return;
    picture_members(&inner, place->layout);
}

/* The first byte after a member. */
static size_t
picture_end(const frt_place *place)
{
    if (frt_layout_kind(place->layout) == FRT_KIND_BIT_FIELD)
        return place->offset + (place->bit_offset + place->bit_width + 7) / 8;
    return place->offset + frt_layout_size(place->layout);
}

static void
picture_members(const struct spot *spot, const frt_layout *layout)
{
    bool is_union = frt_layout_kind(layout) == FRT_KIND_UNION;
    size_t end = 0;

    for (size_t i = 0; i < frt_layout_count(layout); i++) {
        frt_place place;

        if (frt_layout_member(&place, layout, i) != FRT_OK)
            return;
        if (!is_union)
            picture_hole(spot, end, place.offset);
        picture_member(spot, &place);
        if (picture_end(&place) > end)
            end = picture_end(&place);
    }
    picture_hole(spot, end, frt_layout_size(layout));
}

void
frti_picture_print(const frt_layout *layout)
{
    static const struct spot start = {.outer = NULL};
    char class[64];

    picture_print_name(layout, false);
    frt_layout_print_class(class, sizeof class, layout);
    if (!frt_layout_is_complete(layout)) {
        printf(": incomplete\n");
        return;
    }
    printf(": %zu bytes, aligned to %zu", frt_layout_size(layout),
           frt_layout_alignment(layout));
    printf(class[0] == '\0' ? "\n" : ", class %s\n", class);
    while (frt_layout_kind(layout) == FRT_KIND_ARRAY)
        layout = frt_layout_element(layout);
    if (!picture_is_aggregate(layout) || !frt_layout_is_complete(layout))
        return;
    printf("    offset   size    member\n");
    picture_members(&start, layout);
}

/* -------------------------------------------------------------- JSON --- */

void
frti_picture_print_json_type(const frt_layout *layout)
{
    picture_print_name(layout, true);
}

static void
picture_json_member(const frt_place *place)
{
    printf("{\"name\": ");
    if (place->name == NULL)
        printf("null");
    else
        picture_json_string(place->name);
    printf(", \"offset\": %zu", place->offset);
    if (frt_layout_kind(place->layout) == FRT_KIND_BIT_FIELD)
        printf(", \"bit_offset\": %u, \"bit_width\": %u", place->bit_offset,
               place->bit_width);
    printf(", \"layout\": ");
    frti_picture_print_json(place->layout);
    printf("}");
}

static void
picture_json_members(const frt_layout *layout)
{
    printf(", \"members\": [");
    for (size_t i = 0; i < frt_layout_count(layout); i++) {
        frt_place place;

        if (frt_layout_member(&place, layout, i) != FRT_OK)
            break;
        printf(i == 0 ? "" : ", ");
        picture_json_member(&place);
    }
    printf("]");
}

void
frti_picture_print_json(const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);
    char class[64];

    printf("{\"type\": ");
    frti_picture_print_json_type(layout);
    printf(", \"complete\": %s",
           frt_layout_is_complete(layout) ? "true" : "false");
    printf(", \"size\": %zu, \"alignment\": %zu", frt_layout_size(layout),
           frt_layout_alignment(layout));
    if (kind != FRT_KIND_BIT_FIELD && kind != FRT_KIND_PADDING &&
        frt_layout_is_complete(layout) &&
        frt_layout_print_class(class, sizeof class, layout) != 0) {
        printf(", \"class\": ");
        picture_json_string(class);
    }
    if (picture_is_aggregate(layout) && frt_layout_is_complete(layout))
        picture_json_members(layout);
    printf("}");
}
