/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The compiler's answers beside ours. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ffi_rt/cli/cli.h"
#include "ffi_rt/cli/doctor.h"
#include "ffi_rt/cli/import.h"

static bool
answer_find(void **out, frt_library library, const char *name)
{
    frt_symbol symbol;

    if (frt_library_find(&symbol, library, name) != FRT_OK) {
        fprintf(stderr, "ffi-rt: %s\n", frt_last_detail());
        return false;
    }
    *out = symbol.address;
    return true;
}

static void
compare_number(struct frti_diagnosis *out, const struct frti_question *question,
               unsigned long answer)
{
    static const char *const words[] = {"size", "alignment", "offset"};

    if (question->ours == answer)
        return;
    out->differences++;
    printf("%s%s%s: %s %zu, the compiler's %lu\n", question->type,
           question->path == NULL ? "" : ".",
           question->path == NULL ? "" : question->path, words[question->kind],
           question->ours, answer);
}

/* ---------------------------------------------------------- bit-fields --- */

/* All bits of the object, which has none but the field's set. */
static void
compare_bits(struct frti_diagnosis *out, const struct frti_question *question,
             const unsigned char *object)
{
    size_t first = question->ours * 8 + question->place.bit_offset;
    size_t width = question->place.bit_width;
    bool is_bool =
        frt_layout_kind(frt_layout_element(question->place.layout)) ==
        FRT_KIND_BOOL;
    size_t end = is_bool ? first + 1 : first + width;
    size_t size = frt_layout_size(question->layout) * 8;
    bool is_same = true;
    size_t found = size;

    for (size_t bit = 0; bit < size; bit++) {
        bool is_set = object[bit / 8] >> bit % 8 & 1;

        is_same &= is_set == (bit >= first && bit < end);
        if (is_set && found == size)
            found = bit;
    }
    if (is_same)
        return;
    out->differences++;
    printf("%s.%s: from bit %zu, %zu wide, the compiler's from bit %zu\n",
           question->type, question->path, first, width, found);
}

/* --------------------------------------------------------- round trips --- */

static bool
layout_has_long_double(const frt_layout *layout)
{
    switch (frt_layout_kind(layout)) {
    case FRT_KIND_LONG_DOUBLE:
        return true;
    case FRT_KIND_ARRAY:
    case FRT_KIND_COMPLEX:
        return layout_has_long_double(frt_layout_element(layout));
    case FRT_KIND_STRUCT:
    case FRT_KIND_UNION:
        for (size_t i = 0; i < frt_layout_count(layout); i++) {
            frt_place place;

            if (frt_layout_member(&place, layout, i) == FRT_OK &&
                layout_has_long_double(place.layout))
                return true;
        }
        return false;
    default:
        return false;
    }
}

/* Values to travel, and a mask of the bits that have to arrive: what stands
 * between members need not. */
struct trip {
    unsigned char *value;
    unsigned char *mask;
    unsigned char *back;
    unsigned char next; /* byte */
};

static void
trip_fill_scalar(struct trip *trip, const frt_layout *layout, size_t offset)
{
    size_t size = frt_layout_size(layout);

    if (frt_layout_kind(layout) == FRT_KIND_LONG_DOUBLE) {
        long double value = trip->next++ + 0.25L;

        memcpy(trip->value + offset, &value, sizeof value);
        memset(trip->mask + offset, 0xff, size < 10 ? size : 10);
        return;
    }
    memset(trip->mask + offset, 0xff, size);
    for (size_t i = 0; i < size; i++)
        trip->value[offset + i] = trip->next++;
    if (frt_layout_kind(layout) == FRT_KIND_BOOL)
        trip->value[offset] = 1;
}

static void
trip_fill_bits(struct trip *trip, const frt_place *place, size_t offset)
{
    size_t first = (offset + place->offset) * 8 + place->bit_offset;

    for (size_t bit = first; bit < first + place->bit_width; bit++) {
        trip->mask[bit / 8] |= (unsigned char)(1u << bit % 8);
        if (bit % 3 != 0)
            trip->value[bit / 8] |= (unsigned char)(1u << bit % 8);
    }
}

static void
trip_fill(struct trip *trip, const frt_layout *layout, size_t offset)
{
    frt_kind kind = frt_layout_kind(layout);
    size_t count = frt_layout_count(layout);

    if (kind == FRT_KIND_ARRAY || kind == FRT_KIND_COMPLEX) {
        const frt_layout *element = frt_layout_element(layout);

        count = kind == FRT_KIND_COMPLEX ? 2 : count;
        for (size_t i = 0; count != FRT_FLEXIBLE && i < count; i++)
            trip_fill(trip, element, offset + i * frt_layout_size(element));
        return;
    }
    if (kind != FRT_KIND_STRUCT && kind != FRT_KIND_UNION) {
        trip_fill_scalar(trip, layout, offset);
        return;
    }
    /* of a union, the members overwrite each other; where one is a long
     * double, whose padding travels in no register, the first alone */
    if (kind == FRT_KIND_UNION && count > 1 && layout_has_long_double(layout))
        count = 1;
    for (size_t i = 0; i < count; i++) {
        frt_place place;

        if (frt_layout_member(&place, layout, i) != FRT_OK)
            return;
        if (frt_layout_kind(place.layout) == FRT_KIND_BIT_FIELD &&
            place.name != NULL) /* others have no value */
            trip_fill_bits(trip, &place, offset);
        else if (frt_layout_kind(place.layout) != FRT_KIND_PADDING &&
                 frt_layout_kind(place.layout) != FRT_KIND_BIT_FIELD)
            trip_fill(trip, place.layout, offset + place.offset);
    }
}

static bool
trip_arrived(const struct trip *trip, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((trip->value[i] ^ trip->back[i]) & trip->mask[i]) != 0)
            return false;
    return true;
}

static void *
trip_allocate(size_t size, size_t alignment)
{
    void *memory = NULL;

    if (alignment < sizeof(void *))
        alignment = sizeof(void *);
    if (posix_memalign(&memory, alignment, size + alignment) != 0)
        exit(1);
    memset(memory, 0, size + alignment);
    return memory;
}

static frt_status
trip_call(const struct trip *trip, const frt_layout *layout, void *function)
{
    const frt_layout *parameters[] = {FRT_LONG, layout, FRT_F64};
    long before = FRTI_TRIP_BEFORE;
    double after = FRTI_TRIP_AFTER;
    void *arguments[] = {&before, trip->value, &after};
    const frt_descriptor *descriptor;
    const frt_downcall *downcall;
    frt_status status = frt_descriptor_of(&descriptor, layout, parameters, 3);

    if (status != FRT_OK)
        return status;
    status = frt_downcall_link(&downcall, descriptor, NULL);
    frt_descriptor_drop(descriptor);
    if (status != FRT_OK)
        return status;
    status = frt_invoke(downcall, function, trip->back, arguments);
    frt_downcall_drop(downcall);
    return status;
}

/* What it prints is out before the next call, which may crash. */
static void
compare_trip(struct frti_diagnosis *out, const struct frti_question *question,
             void *function, int *heard)
{
    size_t size = frt_layout_size(question->layout);
    size_t alignment = frt_layout_alignment(question->layout);
    struct trip trip = {.value = trip_allocate(size, alignment),
                        .mask = trip_allocate(size, alignment),
                        .back = trip_allocate(size, alignment),
                        .next = 1};
    frt_status status;

    *heard = 0;
    trip_fill(&trip, question->layout, 0);
    status = trip_call(&trip, question->layout, function);
    if (status != FRT_OK) {
        out->refused++;
        printf("# %s: not passed by value: %s\n", question->type,
               frt_last_detail());
    } else {
        out->trips++;
        if (!*heard || !trip_arrived(&trip, size)) {
            out->differences++;
            printf("%s: by value, it does not come back as it went\n",
                   question->type);
        }
    }
    fflush(stdout);
    free(trip.value);
    free(trip.mask);
    free(trip.back);
}

int
frti_trips_perform(struct frti_exchange *exchange, void *context)
{
    const struct frti_trips *trips = context;
    struct frti_diagnosis *diagnosis = trips->diagnosis;

    while (diagnosis->next < trips->questions->count) {
        size_t number = diagnosis->next++;
        const struct frti_question *question = &trips->questions->list[number];
        frt_symbol heard, function;
        char name[32];

        if (question->kind != FRTI_QUESTION_TRIP || question->is_vain)
            continue;
        snprintf(name, sizeof name, FRTI_ANSWER_NAME, number);
        if (frt_library_find(&heard, trips->library, FRTI_ANSWER_HEARD) !=
                FRT_OK ||
            frt_library_find(&function, trips->library, name) != FRT_OK) {
            frti_text_say(&exchange->text, "%s", frt_last_detail());
            return FRTI_EXIT_FAILED;
        }
        frti_exchange_subject(exchange, "%s, passed by value,", question->type);
        compare_trip(diagnosis, question, function.address, heard.address);
    }
    return FRTI_EXIT_DONE;
}

bool
frti_questions_compare(struct frti_diagnosis *out,
                       struct frti_questions *questions, frt_library library)
{
    void *numbers;
    void *answer;
    char name[32];
    size_t before = 0; /* differences, before this type's */

    if (!answer_find(&numbers, library, FRTI_ANSWER_TABLE))
        return false;
    for (size_t i = 0; i < questions->count; i++) {
        struct frti_question *question = &questions->list[i];

        if (question->kind == FRTI_QUESTION_SIZE)
            before = out->differences;
        if (question->kind <= FRTI_QUESTION_OFFSET) {
            compare_number(out, question, ((const unsigned long *)numbers)[i]);
            continue;
        }
        question->is_vain = out->differences > before;
        if (question->kind == FRTI_QUESTION_TRIP || question->is_vain)
            continue;
        snprintf(name, sizeof name, FRTI_ANSWER_NAME, i);
        if (!answer_find(&answer, library, name))
            return false;
        compare_bits(out, question, answer);
    }
    return true;
}
