/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/number.h"
#include "ffi_rt/cli/reader.h"

#include <string.h>

static bool
integer_out_of_range(struct frti_reader *reader, unsigned bits, bool is_signed)
{
    (void)frti_reader_refuse(reader, "out of range: ");
    frti_integer_print_range(&reader->reason, bits, is_signed);
    return false;
}

static bool
integer_is_none(struct frti_reader *reader, unsigned bits, bool is_signed)
{
    (void)frti_reader_refuse(reader, "not an integer: ");
    frti_integer_print_range(&reader->reason, bits, is_signed);
    return false;
}

static bool
integer_read(struct frti_reader *reader, frti_wide *out, unsigned bits,
             bool is_signed)
{
    const char *end = frti_reader_word_end(reader);
    struct frti_integer integer;
    enum frti_number verdict = frti_integer_read(&integer, reader->at, end);

    if (verdict == FRTI_NUMBER_STRANGE)
        return integer_is_none(reader, bits, is_signed);
    if (verdict == FRTI_NUMBER_TOO_LARGE)
        return integer_out_of_range(reader, bits, is_signed);
    if (integer.is_character && is_signed && bits == 8 &&
        integer.magnitude > 127) /* as a plain char has it */
        integer = (struct frti_integer){.magnitude = 256 - integer.magnitude,
                                        .is_negative = true};
    if (!frti_integer_fits(&integer, bits, is_signed))
        return integer_out_of_range(reader, bits, is_signed);
    *out = frti_integer_value(&integer);
    reader->at = end;
    return true;
}

static bool
bool_read(struct frti_reader *reader, frti_wide *out)
{
    if (frti_reader_is_word(reader, "true") || frti_reader_is_word(reader, "1"))
        *out = 1;
    else if (frti_reader_is_word(reader, "false") ||
             frti_reader_is_word(reader, "0"))
        *out = 0;
    else
        return frti_reader_refuse(reader, "neither true nor false");
    reader->at = frti_reader_word_end(reader);
    return true;
}

/* Both byte orders of this family's CPUs are little. */
bool
frti_read_integer(struct frti_reader *reader, const frt_layout *layout,
                  void *place)
{
    size_t size = frt_layout_size(layout);
    frti_wide value;

    if (frt_layout_kind(layout) == FRT_KIND_BOOL) {
        if (!bool_read(reader, &value))
            return false;
    } else if (!integer_read(reader, &value, (unsigned)size * 8,
                             frt_layout_is_signed(layout))) {
        return false;
    }
    memcpy(place, &value, size);
    return true;
}

bool
frti_read_bits(struct frti_reader *reader, const frt_place *place, void *memory,
               size_t size)
{
    const frt_layout *layout = place->layout;
    frt_segment segment = frt_segment_of_address(memory, size);
    const frt_layout *base = frt_layout_kind(layout) == FRT_KIND_BIT_FIELD
                                 ? frt_layout_element(layout)
                                 : layout;
    frti_wide value;

    if (frt_layout_kind(base) == FRT_KIND_BOOL) {
        if (!bool_read(reader, &value))
            return false;
    } else if (!integer_read(reader, &value, place->bit_width,
                             frt_layout_is_signed(base))) {
        return false;
    }
    if (frt_segment_put_bits(&segment, 0, place, (int64_t)value) != FRT_OK)
        return frti_reader_fail(reader, frt_last_detail());
    return true;
}

static bool
float_part(struct frti_reader *reader, frt_kind kind, void *place)
{
    const char *stop;

    switch (frti_float_read(place, &stop, reader->at, kind)) {
    case FRTI_NUMBER_STRANGE:
        return frti_reader_refuse(reader, "not a number");
    case FRTI_NUMBER_TOO_LARGE:
        (void)frti_reader_refuse(reader, "out of range: ");
        frti_float_print_range(&reader->reason, kind);
        return false;
    default:
        reader->at = stop;
        return true;
    }
}

bool
frti_read_float(struct frti_reader *reader, frt_kind kind, void *place)
{
    struct frti_reader start = *reader;

    if (!float_part(reader, kind, place))
        return false;
    if (reader->at == frti_reader_word_end(reader))
        return true;
    reader->at = start.at;
    return frti_reader_refuse(reader, "not a number");
}

/* 1+2i, 1, 2i */
bool
frti_read_complex(struct frti_reader *reader, frt_kind kind, size_t size,
                  char *place)
{
    const char *begin = reader->at, *end = frti_reader_word_end(reader);
    char *part = place;

    if (!float_part(reader, kind, place))
        return false;
    if (*reader->at == '+' || *reader->at == '-') {
        part = place + size;
        if (!float_part(reader, kind, part))
            return false;
    }
    if (reader->at + 1 == end && *reader->at == 'i') {
        if (part == place) {
            memcpy(place + size, place, size);
            memset(place, 0, size);
        }
        reader->at++;
        return true;
    }
    if (reader->at == end && part == place)
        return true;
    reader->at = begin;
    return frti_reader_refuse(reader, "not a complex number such as 1+2i");
}
