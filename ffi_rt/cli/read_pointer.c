/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/callback.h"
#include "ffi_rt/cli/number.h"
#include "ffi_rt/cli/reader.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of a string, quoted or not, into `out` (NULL: the length). */
static bool
string_unquote(struct frti_reader *reader, char *out, size_t *length)
{
    const char *at = reader->at + 1, *end = frti_reader_word_end(reader);
    size_t count = 0;

    if (frti_reader_after_quote(reader->at) != end)
        return frti_reader_refuse(reader,
                                  "not a string that ends at its quote");
    for (end--; at < end; count++) {
        unsigned char byte = (unsigned char)*at++;

        if (byte == '\\' && !frti_escape_read(&byte, &at, end))
            return frti_reader_refuse(reader,
                                      "a string with an unknown escape");
        if (out != NULL)
            out[count] = (char)byte;
    }
    *length = count;
    return true;
}

static bool
string_bytes(struct frti_reader *reader, char *out, size_t *length)
{
    if (*reader->at == '"')
        return string_unquote(reader, out, length);
    *length = frti_reader_word(reader);
    if (out != NULL)
        memcpy(out, reader->at, *length);
    return true;
}

bool
frti_read_string(struct frti_reader *reader, frt_segment *out)
{
    size_t length;

    if (!string_bytes(reader, NULL, &length) ||
        !frti_reader_allocate(reader, out, FRT_CHAR, length + 1) ||
        !string_bytes(reader, out->address, &length))
        return false;
    reader->at = frti_reader_word_end(reader);
    return true;
}

bool
frti_layout_is_character(const frt_layout *layout)
{
    frt_kind kind = layout == NULL ? FRT_KIND_VOID : frt_layout_kind(layout);

    return kind == FRT_KIND_CHAR || kind == FRT_KIND_SCHAR ||
           kind == FRT_KIND_UCHAR;
}

static bool
layout_is_void(const frt_layout *layout)
{
    return layout == NULL || frt_layout_kind(layout) == FRT_KIND_VOID;
}

/* [N] after an @: N stays SIZE_MAX if it is not given. */
static bool
pointee_read_count(struct frti_reader *reader, size_t *count)
{
    char *stop;
    unsigned long value;

    reader->at++;
    frti_reader_skip_space(reader);
    if (*reader->at == ']') {
        reader->at++;
        return true;
    }
    if (strchr(reader->at, ']') == NULL)
        return frti_reader_fail(reader, "the '[' after '@' has no ']'");
    if (!isdigit((unsigned char)*reader->at))
        return frti_reader_refuse(reader, "not a count as in @[16]");
    errno = 0;
    value = strtoul(reader->at, &stop, 0);
    if (*stop != ']' || errno != 0)
        return frti_reader_refuse(reader, "not a count as in @[16]");
    *count = value;
    reader->at = stop + 1;
    return true;
}

/* How many values stand in the braces that begin here. */
static size_t
pointee_count_items(const char *at)
{
    size_t count = 0;
    unsigned depth = 0;
    bool is_in_item = false;

    for (; *at != '\0'; at++) {
        if ((*at == '}' || *at == ']') && --depth == 0)
            break;
        if (*at == ',' && depth == 1) {
            is_in_item = false;
        } else if (depth > 0 && !is_in_item && !isspace((unsigned char)*at)) {
            is_in_item = true;
            count++;
            if (*at == '"' || *at == '\'') {
                const char *after = frti_reader_after_quote(at);

                at = after == NULL ? at : after - 1;
            }
        }
        if (*at == '{' || *at == '[')
            depth++;
    }
    return count;
}

bool
frti_read_characters(struct frti_reader *reader, size_t count, char *out)
{
    size_t length;

    if (!string_bytes(reader, NULL, &length))
        return false;
    if (length > count) {
        (void)frti_reader_refuse(reader, "longer than ");
        frti_text_say(&reader->reason, "%zu", count);
        return false;
    }
    (void)string_bytes(reader, out, &length);
    reader->at = frti_reader_word_end(reader);
    return true;
}

/* The pointee that the text asks for: its layout, how many of it. */
static bool
pointee_plan(struct frti_reader *reader, struct frti_pointee *out,
             const frt_layout *element)
{
    out->layout = layout_is_void(element) ? FRT_UCHAR : element;
    out->count = 1;
    if (*reader->at == '[') {
        out->is_list = true;
        out->count = SIZE_MAX;
        if (!pointee_read_count(reader, &out->count))
            return false;
    } else if (layout_is_void(element) && *reader->at != '"') {
        return frti_reader_fail(
            reader, "a void pointee has no size; @[16] points to 16 bytes");
    }
    if (!frt_layout_is_complete(out->layout))
        return frti_reader_fail(reader, "the pointee's size is not known");
    if (*reader->at == '{' && out->count == SIZE_MAX)
        out->count = pointee_count_items(reader->at);
    return true;
}

/* @"text" is as many characters as it needs, @[16]"text" that many. */
static bool
pointee_read_string(struct frti_reader *reader, struct frti_pointee *pointee)
{
    frt_segment segment;
    size_t length;

    if (!string_bytes(reader, NULL, &length))
        return false;
    if (!pointee->is_list || pointee->count == SIZE_MAX)
        pointee->count = length + 1;
    pointee->layout = FRT_CHAR;
    pointee->is_list = true;
    if (!frti_reader_allocate(reader, &segment, FRT_CHAR, pointee->count))
        return false;
    pointee->address = segment.address;
    return frti_read_characters(reader, pointee->count, segment.address);
}

static bool
pointee_read_value(struct frti_reader *reader, struct frti_pointee *pointee)
{
    frt_segment segment;

    if (pointee->count == SIZE_MAX)
        return frti_reader_fail(reader, "@[] needs its values: @[]{1, 2, 3}");
    if (!frti_reader_allocate(reader, &segment, pointee->layout,
                              pointee->count))
        return false;
    pointee->address = segment.address;
    if (frti_reader_word(reader) == 0)
        return true;
    if (pointee->is_list)
        return frti_read_elements(reader, pointee->layout, pointee->count,
                                  segment.address);
    return frti_read_value(reader, pointee->layout, segment.address);
}

static bool
pointee_read(struct frti_reader *reader, frt_segment *out,
             const frt_layout *element)
{
    struct frti_pointee pointee = {0};

    reader->at++;
    if (!pointee_plan(reader, &pointee, element))
        return false;
    if (*reader->at == '"' &&
        (layout_is_void(element) || frti_layout_is_character(element))) {
        if (!pointee_read_string(reader, &pointee))
            return false;
    } else if (!pointee_read_value(reader, &pointee)) {
        return false;
    }
    /* an outer pointee is done after the inner ones, and stays */
    reader->pointee = pointee;
    *out = frt_segment_of_address(
        pointee.address, pointee.count * frt_layout_size(pointee.layout));
    return true;
}

/* 0xADDRESS, of the size that a parameter asks for. */
static bool
address_read_number(struct frti_reader *reader, const frt_layout *layout,
                    frt_segment *out)
{
    const char *end = frti_reader_word_end(reader);
    const frt_layout *element = frt_layout_element(layout);
    size_t size = layout_is_void(element) ? 1 : frt_layout_size(element);
    struct frti_integer integer;

    if (reader->at[0] != '0' || (reader->at[1] | 0x20) != 'x' ||
        frti_integer_read(&integer, reader->at, end) != FRTI_NUMBER_READ ||
        !frti_integer_fits(&integer, 64, false))
        return false;
    if (frt_layout_kind(layout) == FRT_KIND_SEGMENT &&
        frt_layout_count(layout) > 1)
        size *= frt_layout_count(layout);
    *out = frt_segment_of_address((void *)(uintptr_t)integer.magnitude, size);
    reader->at = end;
    return true;
}

static bool
element_is_function(const frt_layout *element)
{
    return element != NULL && frt_layout_kind(element) == FRT_KIND_FUNCTION;
}

bool
frti_read_address(struct frti_reader *reader, const frt_layout *layout,
                  frt_segment *out)
{
    const frt_layout *element = frt_layout_element(layout);

    if (frti_reader_is_word(reader, "null")) {
        *out = frt_segment_of_address(NULL, 0);
        reader->at = frti_reader_word_end(reader);
        return true;
    }
    if (*reader->at == ':' && element_is_function(element))
        return frti_read_callback(reader, frt_layout_descriptor(element), out);
    if (*reader->at == '@')
        return pointee_read(reader, out, element);
    if (address_read_number(reader, layout, out))
        return true;
    if (frti_layout_is_character(element) ||
        (layout_is_void(element) && *reader->at == '"'))
        return frti_read_string(reader, out);
    if (element_is_function(element))
        return frti_reader_refuse(reader, "not a function: null, 0xADDRESS, "
                                          ":print or :compare");
    return frti_reader_refuse(
        reader, layout_is_void(element)
                    ? "not a pointer: null, 0xADDRESS, @\"text\" or @[16]"
                    : "not a pointer: null, 0xADDRESS, or @VALUE for a "
                      "pointee");
}
