/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/callback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct callback {
    const frt_descriptor *descriptor; /* the upcall's */
    const frt_layout *pointee;        /* of :compare */
};

/* --------------------------------------------------------------- print --- */

/* Standard output is where the function itself would print. */
static frt_status
callback_print(void *context, void *result, void *const *arguments)
{
    const struct callback *callback = context;
    char bytes[4096];
    struct frti_text text = frti_text_in(bytes, sizeof bytes);

    (void)result;
    for (size_t i = 0; i < frt_descriptor_count(callback->descriptor); i++) {
        const frt_layout *layout =
            frt_descriptor_parameter(callback->descriptor, i);

        frti_text_say(&text, i == 0 ? "" : ", ");
        frti_value_print(&text, layout, arguments[i], false);
    }
    printf("callback(%s)\n", bytes);
    return FRT_OK;
}

/* ------------------------------------------------------------- compare --- */

static int
compare_texts(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int
compare_floats(const frt_layout *layout, const void *a, const void *b)
{
    double x;
    double y;

    if (frt_layout_kind(layout) == FRT_KIND_FLOAT) {
        x = *(const float *)a;
        y = *(const float *)b;
    } else {
        x = *(const double *)a;
        y = *(const double *)b;
    }
    return (x > y) - (x < y);
}

/* As 64 bits that order as the integers do. */
static uint64_t
integer_order(const frt_layout *layout, const void *place)
{
    unsigned shift = 64 - 8 * (unsigned)frt_layout_size(layout);
    uint64_t value = 0;

    memcpy(&value, place, frt_layout_size(layout));
    value <<= shift;
    return frt_layout_is_signed(layout) ? value ^ UINT64_C(1) << 63 : value;
}

static int
compare_values(const frt_layout *layout, const void *a, const void *b)
{
    uint64_t x;
    uint64_t y;

    if (frt_layout_kind(layout) == FRT_KIND_POINTER)
        return compare_texts(*(const char *const *)a, *(const char *const *)b);
    if (frt_layout_is_floating(layout))
        return compare_floats(layout, a, b);
    x = integer_order(layout, a);
    y = integer_order(layout, b);
    return (x > y) - (x < y);
}

static frt_status
callback_compare(void *context, void *result, void *const *arguments)
{
    const struct callback *callback = context;
    const void *a = *(const void *const *)arguments[0];
    const void *b = *(const void *const *)arguments[1];
    int order;

    if (a == NULL || b == NULL)
        return frt_fail(FRT_BAD_ARGUMENT, ":compare was given null");
    if (frti_layout_is_character(callback->pointee))
        order = compare_texts(a, b);
    else
        order = compare_values(callback->pointee, a, b);
    *(int *)result = order;
    return FRT_OK;
}

/* ---------------------------------------------------------------- read --- */

static bool
pointee_is_void(const frt_layout *pointee)
{
    return pointee == NULL || frt_layout_kind(pointee) == FRT_KIND_VOID;
}

/* Integers of up to 8 bytes, float, double, and texts. */
static bool
pointee_has_order(const frt_layout *pointee)
{
    switch (frt_layout_kind(pointee)) {
    case FRT_KIND_FLOAT:
    case FRT_KIND_DOUBLE:
        return true;
    case FRT_KIND_POINTER:
        return frti_layout_is_character(frt_layout_element(pointee));
    default:
        return frt_layout_is_integer(pointee) && frt_layout_size(pointee) <= 8;
    }
}

static bool
compare_fits(struct frti_reader *reader, const frt_descriptor *descriptor)
{
    if (frt_layout_kind(frt_descriptor_result(descriptor)) != FRT_KIND_INT ||
        frt_descriptor_count(descriptor) != 2)
        return frti_reader_fail(reader, ":compare is for functions that take "
                                        "two pointers and return an int");
    for (size_t i = 0; i < 2; i++)
        if (frt_layout_kind(frt_descriptor_parameter(descriptor, i)) !=
            FRT_KIND_POINTER)
            return frti_reader_fail(reader,
                                    ":compare is for functions that take two "
                                    "pointers and return an int");
    return true;
}

/* The pointee by the parameter's type, or by the word after :compare. */
static bool
compare_find_pointee(struct frti_reader *reader, struct callback *callback)
{
    size_t length = frti_reader_word(reader);
    char type[256];

    callback->pointee =
        frt_layout_element(frt_descriptor_parameter(callback->descriptor, 0));
    if (length != 0) {
        snprintf(type, sizeof type, "%.*s", (int)length, reader->at);
        if (frt_layout_parse(&callback->pointee, type, NULL) != FRT_OK)
            return frti_reader_fail(reader, frt_last_detail());
        reader->at = frti_reader_word_end(reader);
    }
    if (pointee_is_void(callback->pointee))
        return frti_reader_fail(reader, ":compare has to be told what the "
                                        "pointees are, as in ':compare int'");
    if (!pointee_has_order(callback->pointee))
        return frti_reader_fail(reader,
                                ":compare orders integers, float, double and "
                                "texts");
    return true;
}

static bool
callback_open(struct frti_reader *reader, struct callback *callback,
              frt_upcall_fn function, frt_segment *out)
{
    frt_upcall upcall;

    if (frt_upcall_open(&upcall, reader->arena, callback->descriptor, function,
                        callback, NULL) != FRT_OK)
        return frti_reader_fail(reader, frt_last_detail());
    *out = frt_segment_of_address(frt_upcall_address(upcall), 0);
    return true;
}

static bool
reader_takes(struct frti_reader *reader, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(reader->at, word, length) != 0 ||
        (reader->at[length] != '\0' &&
         strchr(" ,}]", reader->at[length]) == NULL))
        return false;
    reader->at += length;
    frti_reader_skip_space(reader);
    return true;
}

bool
frti_read_callback(struct frti_reader *reader, const frt_descriptor *descriptor,
                   frt_segment *out)
{
    struct callback *callback;
    frt_segment segment;

    if (frt_arena_allocate(&segment, reader->arena, sizeof *callback, 0) !=
        FRT_OK)
        return frti_reader_fail(reader, frt_last_detail());
    callback = segment.address;
    callback->descriptor = descriptor;
    if (reader_takes(reader, ":print"))
        return callback_open(reader, callback, callback_print, out);
    if (reader_takes(reader, ":compare"))
        return compare_fits(reader, descriptor) &&
               compare_find_pointee(reader, callback) &&
               callback_open(reader, callback, callback_compare, out);
    return frti_reader_refuse(reader, "not a callback: :print or :compare");
}
