/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/picture.h"

#include <stdio.h>
#include <string.h>

#include "ffi_rt/cli/text.h"

#define PICTURE_TYPE 4096
#define PICTURE_PATH 256

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

void
frti_picture_name(char *buffer, size_t capacity, const frt_layout *layout)
{
    const char *tag = frt_layout_tag(layout);

    if (picture_is_aggregate(layout) && tag != NULL)
        snprintf(buffer, capacity, "%s %s",
                 frt_layout_kind(layout) == FRT_KIND_UNION ? "union" : "struct",
                 tag);
    else
        frt_layout_print(buffer, capacity, layout);
}

/* ------------------------------------------------------------- lines --- */

/* Where a line stands: in which outer member, and at which offset. */
struct spot {
    char path[PICTURE_PATH]; /* "pos." */
    size_t offset;
};

static void picture_members(const struct spot *spot, const frt_layout *layout);

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
    printf("  %8zu   :%-4u  %s%s  %s, from bit %u\n",
           spot->offset + place->offset, place->bit_width, spot->path,
           place->name == NULL ? "(unnamed)" : place->name, type,
           place->bit_offset);
}

static void
picture_member(const struct spot *spot, const frt_place *place)
{
    struct spot inner = {.offset = spot->offset + place->offset};
    const char *name = place->name == NULL ? "(unnamed)" : place->name;
    char type[64];

    if (frt_layout_kind(place->layout) == FRT_KIND_BIT_FIELD) {
        picture_bit_field(spot, place);
        return;
    }
    frti_picture_name(type, sizeof type, place->layout);
    printf("  %8zu %6zu    %s%s  %s\n", inner.offset,
           frt_layout_size(place->layout), spot->path, name, type);
    if (!picture_is_aggregate(place->layout))
        return;
    snprintf(inner.path, sizeof inner.path, "%.200s%.40s%s", spot->path,
             place->name == NULL ? "" : place->name,
             place->name == NULL ? "" : ".");
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
    static const struct spot start = {.path = ""};
    char type[PICTURE_TYPE];
    char class[64];

    frti_picture_name(type, sizeof type, layout);
    frt_layout_print_class(class, sizeof class, layout);
    if (!frt_layout_is_complete(layout)) {
        printf("%s: incomplete\n", type);
        return;
    }
    printf("%s: %zu bytes, aligned to %zu", type, frt_layout_size(layout),
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

static void
picture_json_string(const char *string)
{
    char bytes[2 * PICTURE_TYPE];
    struct frti_text text = frti_text_in(bytes, sizeof bytes);

    frti_text_quote(&text, string, strlen(string), true);
    printf("%s", bytes);
}

void
frti_picture_print_json_type(const frt_layout *layout)
{
    char type[PICTURE_TYPE];

    frti_picture_name(type, sizeof type, layout);
    picture_json_string(type);
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
