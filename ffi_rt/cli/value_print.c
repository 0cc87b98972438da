/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/value.h"

#include "ffi_rt/cli/memory.h"
#include "ffi_rt/cli/number.h"

#include <string.h>

struct printer {
    struct frti_text *text;
    bool is_json;
};

static void printer_value(const struct printer *to, const frt_layout *layout,
                          const void *place);

/* ----------------------------------------------------------- scalars --- */

static frti_wide
integer_at(const frt_layout *layout, const void *place)
{
    size_t size = frt_layout_size(layout);
    unsigned spare = (unsigned)(sizeof(frti_wide) - size) * 8;
    frti_uwide value = 0;

    memcpy(&value, place, size);
    if (!frt_layout_is_signed(layout))
        return (frti_wide)value;
    return (frti_wide)(value << spare) >> spare;
}

static void
printer_integer(const struct printer *to, const frt_layout *layout,
                const void *place)
{
    frti_wide value = integer_at(layout, place);

    if (frt_layout_kind(layout) == FRT_KIND_BOOL)
        frti_text_say(to->text, value != 0 ? "true" : "false");
    else if (frt_layout_kind(layout) == FRT_KIND_CHAR && !to->is_json &&
             value >= 0x20 && value < 0x7f) {
        frti_text_say(to->text, "'");
        frti_text_escape(to->text, (unsigned char)value, '\'');
        frti_text_say(to->text, "'");
    } else
        frti_integer_print(to->text, value, frt_layout_is_signed(layout));
}

/* JSON has no numbers for infinity and nan: strings. A reader for which -0 is
 * an integer would lose its sign. */
static void
printer_float(const struct printer *to, frt_kind kind, const void *place)
{
    bool is_quoted = to->is_json && !frti_float_is_finite(kind, place);
    size_t before = to->text->length;

    frti_text_say(to->text, is_quoted ? "\"" : "");
    frti_float_print(to->text, kind, place);
    frti_text_say(to->text, is_quoted ? "\"" : "");
    if (to->is_json && strcmp(to->text->bytes + before, "-0") == 0)
        frti_text_say(to->text, ".0");
}

static void
printer_complex(const struct printer *to, const frt_layout *layout,
                const char *place)
{
    const frt_layout *element = frt_layout_element(layout);
    const char *imaginary = place + frt_layout_size(element);
    frt_kind kind = frt_layout_kind(element);
    char part_bytes[64];
    struct frti_text part = frti_text_in(part_bytes, sizeof part_bytes);

    if (to->is_json) {
        frti_text_say(to->text, "[");
        printer_float(to, kind, place);
        frti_text_say(to->text, ", ");
        printer_float(to, kind, imaginary);
        frti_text_say(to->text, "]");
        return;
    }
    frti_float_print(&part, kind, imaginary);
    printer_float(to, kind, place);
    frti_text_say(to->text, "%s%si", part_bytes[0] == '-' ? "" : "+",
                  part_bytes);
}

static void
printer_address(const struct printer *to, const void *address)
{
    const char *quote = to->is_json ? "\"" : "";

    if (address == NULL)
        frti_text_say(to->text, "null");
    else
        frti_text_say(to->text, "%s%p%s", quote, address, quote);
}

/* A `char *` as its string, where there is one. */
static void
printer_pointer(const struct printer *to, const frt_layout *layout,
                const void *place)
{
    const frt_layout *element = frt_layout_element(layout);
    const char *address;
    size_t length;

    memcpy(&address, place, sizeof address);
    if (address == NULL || element == NULL ||
        frt_layout_kind(element) != FRT_KIND_CHAR ||
        !frti_string_length(&length, address))
        printer_address(to, address);
    else
        frti_text_quote(to->text, address, length, to->is_json);
}

/* ------------------------------------------------------- aggregates --- */

/* Characters are a string; what is not written of it is zero. */
static void
printer_array(const struct printer *to, const frt_layout *element, size_t count,
              const char *place)
{
    if (frt_layout_kind(element) == FRT_KIND_CHAR) {
        while (count > 0 && place[count - 1] == '\0')
            count--;
        frti_text_quote(to->text, place, count, to->is_json);
        return;
    }
    frti_text_say(to->text, to->is_json ? "[" : "{");
    for (size_t i = 0; i < count; i++) {
        frti_text_say(to->text, i == 0 ? "" : ", ");
        printer_value(to, element, place + i * frt_layout_size(element));
    }
    frti_text_say(to->text, to->is_json ? "]" : "}");
}

static void
printer_bits(const struct printer *to, const frt_place *place,
             const void *memory, size_t size)
{
    const frt_layout *base =
        frt_layout_kind(place->layout) == FRT_KIND_BIT_FIELD
            ? frt_layout_element(place->layout)
            : place->layout;
    frt_segment segment = frt_segment_of_address((void *)memory, size);
    int64_t value = 0;
    frti_wide wide;

    (void)!frt_segment_get_bits(&value, &segment, 0, place);
    wide = frt_layout_is_signed(base) ? (frti_wide)value
                                      : (frti_wide)(uint64_t)value;
    if (frt_layout_kind(base) == FRT_KIND_BOOL)
        frti_text_say(to->text, value != 0 ? "true" : "false");
    else
        frti_integer_print(to->text, wide, frt_layout_is_signed(base));
}

static void
printer_member(const struct printer *to, const frt_place *place,
               const frt_layout *layout, const char *memory)
{
    if (to->is_json) {
        frti_text_quote(to->text, place->name, strlen(place->name), true);
        frti_text_say(to->text, ": ");
    } else {
        frti_text_say(to->text, "%s = ", place->name);
    }
    if (place->bit_width > 0)
        printer_bits(to, place, memory, frt_layout_size(layout));
    else
        printer_value(to, place->layout, memory + place->offset);
}

/* Those of an unnamed member stand among the others, as C has it. */
static void
printer_members(const struct printer *to, const frt_layout *layout,
                const char *memory, bool *is_first)
{
    frt_place place;

    for (size_t i = 0; frt_layout_member(&place, layout, i) == FRT_OK; i++) {
        frt_kind kind = frt_layout_kind(place.layout);

        if (place.name != NULL) {
            frti_text_say(to->text, *is_first ? "" : ", ");
            *is_first = false;
            printer_member(to, &place, layout, memory);
        } else if (kind == FRT_KIND_STRUCT || kind == FRT_KIND_UNION) {
            printer_members(to, place.layout, memory + place.offset, is_first);
        }
    }
}

static void
printer_aggregate(const struct printer *to, const frt_layout *layout,
                  const void *memory)
{
    bool is_first = true;

    frti_text_say(to->text, "{");
    printer_members(to, layout, memory, &is_first);
    frti_text_say(to->text, "}");
}

static void
printer_value(const struct printer *to, const frt_layout *layout,
              const void *place)
{
    frt_kind kind = frt_layout_kind(layout);

    switch (kind) {
    case FRT_KIND_VOID:
        frti_text_say(to->text, to->is_json ? "null" : "");
        break;
    case FRT_KIND_FLOAT16:
    case FRT_KIND_FLOAT:
    case FRT_KIND_DOUBLE:
    case FRT_KIND_LONG_DOUBLE:
    case FRT_KIND_FLOAT128:
        printer_float(to, kind, place);
        break;
    case FRT_KIND_COMPLEX:
        printer_complex(to, layout, place);
        break;
    case FRT_KIND_POINTER:
    case FRT_KIND_SEGMENT:
        printer_pointer(to, layout, place);
        break;
    case FRT_KIND_VECTOR:
    case FRT_KIND_ARRAY: /* a flexible one has no known length: empty */
        printer_array(
            to, frt_layout_element(layout),
            frt_layout_size(layout) == 0 ? 0 : frt_layout_count(layout), place);
        break;
    case FRT_KIND_STRUCT:
    case FRT_KIND_UNION:
        printer_aggregate(to, layout, place);
        break;
    default:
        printer_integer(to, layout, place);
        break;
    }
}

void
frti_value_print(struct frti_text *text, const frt_layout *layout,
                 const void *place, bool is_json)
{
    struct printer printer = {.text = text, .is_json = is_json};

    printer_value(&printer, layout, place);
}

void
frti_pointee_print(struct frti_text *text, const struct frti_pointee *pointee,
                   bool is_json)
{
    struct printer printer = {.text = text, .is_json = is_json};

    if (pointee->is_list)
        printer_array(&printer, pointee->layout, pointee->count,
                      pointee->address);
    else
        printer_value(&printer, pointee->layout, pointee->address);
}
