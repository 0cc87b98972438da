/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/number.h"
#include "ffi_rt/cli/reader.h"

#include <ctype.h>
#include <string.h>

/* ------------------------------------------------------- aggregates --- */

static bool
braces_open(struct frti_reader *reader)
{
    if (*reader->at != '{' && *reader->at != '[')
        return frti_reader_refuse(reader, "not a list such as {1, 2}");
    reader->at++;
    reader->depth++;
    frti_reader_skip_space(reader);
    return true;
}

/* A value follows; not, where the list ends, or (*is_right false) the text. */
static bool
braces_have_more(struct frti_reader *reader, bool *is_right)
{
    *is_right = *reader->at != '\0';
    if (!*is_right)
        return frti_reader_fail(reader, "the list has no end: '}' is missing");
    return *reader->at != '}' && *reader->at != ']';
}

static void
braces_close(struct frti_reader *reader)
{
    reader->at++;
    reader->depth--;
}

/* Behind a value: a comma and what follows, or the end of the list. */
static bool
braces_next(struct frti_reader *reader)
{
    frti_reader_skip_space(reader);
    if (*reader->at == '}' || *reader->at == ']' || *reader->at == '\0')
        return true;
    if (*reader->at != ',')
        return frti_reader_fail(reader, "a ',' is missing in the list");
    reader->at++;
    frti_reader_skip_space(reader);
    return true;
}

bool
frti_read_elements(struct frti_reader *reader, const frt_layout *element,
                   size_t count, void *memory)
{
    size_t where = reader->where.length;
    bool is_right;

    if (frti_layout_is_character(element) && *reader->at != '{' &&
        *reader->at != '[')
        return frti_read_characters(reader, count, memory);
    if (!braces_open(reader))
        return false;
    for (size_t i = 0; braces_have_more(reader, &is_right); i++) {
        frti_text_say(&reader->where, "[%zu]", i);
        if (i == count)
            return frti_reader_fail(reader, "the list is too long");
        if (!frti_read_value(reader, element,
                             (char *)memory + i * frt_layout_size(element)))
            return false;
        frti_text_cut(&reader->where, where);
        if (!braces_next(reader))
            return false;
    }
    if (is_right)
        braces_close(reader);
    return is_right;
}

/* The length of `name` in `name = value`; 0: the value has no name. */
static size_t
member_name(const char *at)
{
    size_t length = 0;
    const char *after;

    if (*at == '.')
        at++;
    if (!isalpha((unsigned char)*at) && *at != '_')
        return 0;
    while (isalnum((unsigned char)at[length]) ||
           (at[length] != '\0' && strchr("_.[]", at[length]) != NULL))
        length++;
    after = at + length;
    while (isspace((unsigned char)*after))
        after++;
    return *after == '=' ? length : 0;
}

/* The index after the member that has this name, or that has the byte at
 * `offset`, where one of this name lies further in. */
static size_t
member_after(const frt_layout *layout, const char *name, size_t offset)
{
    size_t index = 0;
    frt_place place;

    for (size_t i = 0; frt_layout_member(&place, layout, i) == FRT_OK; i++) {
        if (place.name != NULL && strcmp(place.name, name) == 0)
            return i + 1;
        if (place.offset <= offset)
            index = i + 1;
    }
    return index;
}

/* By its name, or by the path of one further in. A value without a name is
 * then for the one after it, as in C. */
static bool
member_find(struct frti_reader *reader, frt_place *out,
            const frt_layout *layout, size_t *index)
{
    char name[sizeof reader->where_bytes];
    size_t length = member_name(reader->at);
    const char *begin = reader->at + (*reader->at == '.');

    frti_text_say(&reader->where, ".%.*s", (int)length, begin);
    if (length >= sizeof name)
        return frti_reader_fail(reader, "there is no such member");
    memcpy(name, begin, length);
    name[length] = '\0';
    if (frt_layout_find(out, layout, name) != FRT_OK)
        return frti_reader_fail(reader, "there is no such member");
    *index = member_after(layout, name, out->offset);
    reader->at = strchr(begin + length, '=') + 1;
    frti_reader_skip_space(reader);
    return true;
}

static bool
member_takes_value(const frt_place *place)
{
    frt_kind kind = frt_layout_kind(place->layout);

    return place->name != NULL || kind == FRT_KIND_STRUCT ||
           kind == FRT_KIND_UNION;
}

static bool
member_next(struct frti_reader *reader, frt_place *out,
            const frt_layout *layout, size_t *index)
{
    while (frt_layout_member(out, layout, *index) == FRT_OK) {
        ++*index;
        if (!member_takes_value(out))
            continue;
        if (frt_layout_kind(layout) == FRT_KIND_UNION)
            *index = frt_layout_count(layout);
        if (out->name != NULL)
            frti_text_say(&reader->where, ".%s", out->name);
        return true;
    }
    return frti_reader_fail(reader, "there are more values than members");
}

static bool
member_read(struct frti_reader *reader, const frt_layout *layout, void *memory,
            size_t *index)
{
    bool is_named = member_name(reader->at) > 0;
    frt_place place;

    if (is_named ? !member_find(reader, &place, layout, index)
                 : !member_next(reader, &place, layout, index))
        return false;
    if (place.bit_width > 0)
        return frti_read_bits(reader, &place, memory, frt_layout_size(layout));
    return frti_read_value(reader, place.layout, (char *)memory + place.offset);
}

static bool
aggregate_read(struct frti_reader *reader, const frt_layout *layout,
               void *memory)
{
    size_t where = reader->where.length, index = 0;
    bool is_right;

    if (!braces_open(reader))
        return false;
    while (braces_have_more(reader, &is_right)) {
        if (!member_read(reader, layout, memory, &index))
            return false;
        frti_text_cut(&reader->where, where);
        if (!braces_next(reader))
            return false;
    }
    if (is_right)
        braces_close(reader);
    return is_right;
}

static bool
complex_read(struct frti_reader *reader, const frt_layout *layout, void *place)
{
    const frt_layout *element = frt_layout_element(layout);

    if (*reader->at == '{')
        return frti_read_elements(reader, element, 2, place);
    return frti_read_complex(reader, frt_layout_kind(element),
                             frt_layout_size(element), place);
}

static bool
address_read(struct frti_reader *reader, const frt_layout *layout, void *place)
{
    frt_segment segment;

    if (!frti_read_address(reader, layout, &segment))
        return false;
    memcpy(place, &segment.address, sizeof segment.address);
    return true;
}

bool
frti_read_value(struct frti_reader *reader, const frt_layout *layout,
                void *place)
{
    frt_kind kind = frt_layout_kind(layout);

    if (frt_layout_is_integer(layout))
        return frti_read_integer(reader, layout, place);
    switch (kind) {
    case FRT_KIND_FLOAT16:
    case FRT_KIND_FLOAT:
    case FRT_KIND_DOUBLE:
    case FRT_KIND_LONG_DOUBLE:
    case FRT_KIND_FLOAT128:
        return frti_read_float(reader, kind, place);
    case FRT_KIND_COMPLEX:
        return complex_read(reader, layout, place);
    case FRT_KIND_VECTOR:
    case FRT_KIND_ARRAY:
        return frti_read_elements(
            reader, frt_layout_element(layout),
            frt_layout_size(layout) == 0 ? 0 : frt_layout_count(layout), place);
    case FRT_KIND_STRUCT:
    case FRT_KIND_UNION:
        return aggregate_read(reader, layout, place);
    case FRT_KIND_POINTER:
    case FRT_KIND_SEGMENT:
        return address_read(reader, layout, place);
    default:
        return frti_reader_fail(reader, "no value can be written for it");
    }
}

/* --------------------------------------------------------- arguments --- */

bool
frti_argument_read(struct frti_reader *reader, const frt_layout *layout,
                   void *place)
{
    if (frt_layout_kind(layout) == FRT_KIND_SEGMENT) {
        if (!frti_read_address(reader, layout, place))
            return false;
    } else if (!frti_read_value(reader, layout, place)) {
        return false;
    }
    frti_reader_skip_space(reader);
    if (*reader->at == '\0')
        return true;
    return frti_reader_refuse(reader, "more than one value");
}

bool
frti_argument_read_variadic(struct frti_reader *reader,
                            const frt_layout *layout, void *place)
{
    frt_segment string;

    if (frt_layout_kind(layout) != FRT_KIND_POINTER ||
        frti_reader_is_word(reader, "null"))
        return frti_argument_read(reader, layout, place);
    if (!frti_read_string(reader, &string))
        return false;
    memcpy(place, &string.address, sizeof string.address);
    return true;
}

static const frt_layout *
guess_integer(const struct frti_integer *integer)
{
    if (frti_integer_fits(integer, 32, true))
        return FRT_INT;
    if (frti_integer_fits(integer, 64, true))
        return FRT_LLONG;
    return frti_integer_fits(integer, 64, false) ? FRT_ULLONG : NULL;
}

/* A point or an exponent tells a number from a word such as inf. */
static bool
guess_is_double(const char *text)
{
    char place[16];
    const char *stop;

    return strpbrk(text, ".eEpP") != NULL &&
           strpbrk(text, "0123456789") != NULL &&
           frti_float_read(place, &stop, text, FRT_KIND_DOUBLE) !=
               FRTI_NUMBER_STRANGE &&
           *stop == '\0';
}

const frt_layout *
frti_argument_guess(const char *text)
{
    struct frti_integer integer;
    enum frti_number verdict =
        frti_integer_read(&integer, text, text + strlen(text));
    const frt_layout *layout = NULL;

    if (verdict == FRTI_NUMBER_READ)
        layout = guess_integer(&integer);
    else if (verdict == FRTI_NUMBER_STRANGE && guess_is_double(text))
        layout = FRT_F64;
    else if (verdict == FRTI_NUMBER_STRANGE)
        layout = FRT_POINTER;
    return layout;
}
