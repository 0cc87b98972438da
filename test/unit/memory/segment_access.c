/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <float.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "test/unit/memory/help.h"

/* --------------------------------------------------------------- typed --- */

/* Each refusal, on memory that must stay as it is. */
#define CHECK_REFUSED(name, type)                                              \
    static void check_##name##_refused(frt_segment segment)                    \
    {                                                                          \
        static const size_t outside[] = {2 * sizeof(type) + 1,                 \
                                         3 * sizeof(type), SIZE_MAX,           \
                                         SIZE_MAX - sizeof(type) + 1};         \
        frt_segment view = frt_segment_read_only(&segment);                    \
        unsigned char before[3 * sizeof(type)];                                \
        type value = (type)0;                                                  \
        type other = (type)0;                                                  \
                                                                               \
        memcpy(before, segment.address, sizeof before);                        \
        memset(&value, 0x11, sizeof value);                                    \
        memset(&other, 0x11, sizeof other);                                    \
        for (int i = 0; i < 4; i++) {                                          \
            cr_assert_eq(frt_segment_get_##name(&value, &segment, outside[i]), \
                         FRT_OUT_OF_BOUNDS);                                   \
            cr_assert_eq(frt_segment_put_##name(&segment, outside[i], value),  \
                         FRT_OUT_OF_BOUNDS);                                   \
            cr_assert_eq(frt_segment_put_##name(&view, outside[i], value),     \
                         FRT_READ_ONLY);                                       \
        }                                                                      \
        if (sizeof(type) > 1) {                                                \
            cr_assert_eq(frt_segment_get_##name(&value, &segment, 1),          \
                         FRT_BAD_ALIGNMENT);                                   \
            cr_assert_eq(frt_segment_put_##name(&segment, 1, value),           \
                         FRT_BAD_ALIGNMENT);                                   \
        }                                                                      \
        cr_assert_eq(frt_segment_put_##name(&view, 0, value), FRT_READ_ONLY);  \
        cr_assert_eq(frt_segment_get_##name(NULL, &segment, 0),                \
                     FRT_BAD_ARGUMENT);                                        \
        cr_assert_eq(frt_segment_get_##name(&value, NULL, 0),                  \
                     FRT_BAD_ARGUMENT);                                        \
        cr_assert_eq(frt_segment_put_##name(NULL, 0, value),                   \
                     FRT_BAD_ARGUMENT);                                        \
        cr_assert_eq(memcmp(before, segment.address, sizeof before), 0);       \
        cr_assert_eq(memcmp(&value, &other, sizeof value), 0);                 \
        cr_assert_eq(frt_segment_get_##name(&value, &view, 0), FRT_OK);        \
    }

#define CHECK_TYPED(name, type)                                                \
    static void check_##name(type low, type high)                              \
    {                                                                          \
        frt_arena arena = open_confined();                                     \
        frt_segment segment = allocate(arena, 3 * sizeof(type), 16);           \
        type value;                                                            \
                                                                               \
        cr_assert_eq(frt_segment_put_##name(&segment, sizeof(type), low),      \
                     FRT_OK);                                                  \
        cr_assert_eq(frt_segment_put_##name(&segment, 2 * sizeof(type), high), \
                     FRT_OK);                                                  \
        cr_assert_eq(frt_segment_get_##name(&value, &segment, 0), FRT_OK);     \
        cr_assert_eq(value, (type)0);                                          \
        cr_assert_eq(frt_segment_get_##name(&value, &segment, sizeof(type)),   \
                     FRT_OK);                                                  \
        cr_assert_eq(value, low);                                              \
        cr_assert_eq(                                                          \
            frt_segment_get_##name(&value, &segment, 2 * sizeof(type)),        \
            FRT_OK);                                                           \
        cr_assert_eq(value, high);                                             \
        check_##name##_refused(segment);                                       \
        cr_assert_eq(frt_arena_close(arena), FRT_OK);                          \
        cr_assert_eq(frt_segment_get_##name(&value, &segment, 0), FRT_CLOSED); \
        cr_assert_eq(frt_segment_put_##name(&segment, 0, value), FRT_CLOSED);  \
        cr_assert_eq(value, high);                                             \
    }

FRT_ACCESS_TABLE(CHECK_REFUSED)
FRT_ACCESS_TABLE(CHECK_TYPED)

Test(segment_access, integers)
{
    check_i8(INT8_MIN, INT8_MAX);
    check_u8(1, UINT8_MAX);
    check_i16(INT16_MIN, INT16_MAX);
    check_u16(1, UINT16_MAX);
    check_i32(INT32_MIN, INT32_MAX);
    check_u32(1, UINT32_MAX);
    check_i64(INT64_MIN, INT64_MAX);
    check_u64(1, UINT64_MAX);
}

Test(segment_access, floats_and_pointers)
{
    check_f32(-FLT_MAX, FLT_TRUE_MIN);
    check_f64(-DBL_MAX, DBL_TRUE_MIN);
    check_pointer(&check_f32, (void *)UINTPTR_MAX);
}

Test(segment_access, sentences)
{
    int32_t values[2] = {0};
    frt_segment segment = frt_segment_of_address(values, sizeof values);
    frt_segment view = frt_segment_read_only(&segment);
    frt_segment null = {.address = NULL, .size = 100};
    char text[100];
    int32_t value;

    cr_assert_eq(frt_segment_get_i32(&value, &segment, 5), FRT_OUT_OF_BOUNDS);
    cr_assert_str_eq(frt_last_detail(),
                     "4 bytes at offset 5 of a segment of 8");
    cr_assert_eq(frt_segment_get_i32(&value, &segment, 2), FRT_BAD_ALIGNMENT);
    snprintf(text, sizeof text,
             "offset 2 of the segment at %p is not aligned to 4 bytes",
             segment.address);
    cr_assert_str_eq(frt_last_detail(), text);
    cr_assert_eq(frt_segment_put_i32(&view, 0, 1), FRT_READ_ONLY);
    cr_assert_str_eq(frt_last_detail(), "the segment of 8 bytes is read-only");
    cr_assert_eq(frt_segment_get_i32(&value, &null, 0), FRT_OUT_OF_BOUNDS);
    cr_assert_str_eq(frt_last_detail(),
                     "4 bytes at offset 0 of a segment that is NULL");
}

/* The address counts, not the offset. */
Test(segment_access, alignment_of_the_address)
{
    _Alignas(8) unsigned char bytes[16] = {0};
    frt_segment segment = frt_segment_of_address(bytes + 1, 15);
    int32_t value;

    cr_assert_eq(frt_segment_get_i32(&value, &segment, 0), FRT_BAD_ALIGNMENT);
    cr_assert_eq(frt_segment_get_i32(&value, &segment, 3), FRT_OK);
}

struct elsewhere {
    frt_segment segment;
    frt_place place;
};

static void *
access_elsewhere(void *context)
{
    struct elsewhere *there = context;
    frt_segment segment = there->segment;
    frt_segment view = frt_segment_read_only(&segment);
    char bytes[8];
    size_t size;
    int64_t value;

    cr_assert_eq(frt_segment_get_i64(&value, &segment, 0), FRT_WRONG_THREAD);
    cr_assert_eq(frt_segment_put_i64(&segment, 0, 1), FRT_WRONG_THREAD);
    cr_assert_eq(frt_segment_put_i64(&view, 99, 1), FRT_WRONG_THREAD);
    cr_assert_eq(frt_segment_get_bytes(bytes, &segment, 0, 8),
                 FRT_WRONG_THREAD);
    cr_assert_eq(frt_segment_put_bytes(&segment, 0, bytes, 8),
                 FRT_WRONG_THREAD);
    cr_assert_eq(frt_segment_get_bits(&value, &segment, 0, &there->place),
                 FRT_WRONG_THREAD);
    cr_assert_eq(frt_segment_put_bits(&segment, 0, &there->place, 0),
                 FRT_WRONG_THREAD);
    cr_assert_eq(frt_segment_get_string(&size, bytes, 8, &segment, 0),
                 FRT_WRONG_THREAD);
    cr_assert_eq(frt_segment_put_string(&segment, 0, "x"), FRT_WRONG_THREAD);
    cr_assert_eq(frt_segment_copy(&segment, 0, &segment, 0, 8),
                 FRT_WRONG_THREAD);
    cr_assert_eq(frt_segment_fill(&segment, 0, 8, 1), FRT_WRONG_THREAD);
    cr_assert_eq(frt_segment_compare(&size, &segment, &segment),
                 FRT_WRONG_THREAD);
    check_detail("the confined session belongs to thread");
    return NULL;
}

static void
access_closed(struct elsewhere *there)
{
    frt_segment segment = there->segment;
    char byte;
    frt_segment open = frt_segment_of_address(&byte, 1);
    char bytes[8];
    size_t size;
    int64_t value;

    cr_assert_eq(frt_segment_get_bytes(bytes, &segment, 0, 8), FRT_CLOSED);
    cr_assert_eq(frt_segment_put_bytes(&segment, 0, bytes, 8), FRT_CLOSED);
    cr_assert_eq(frt_segment_get_bits(&value, &segment, 0, &there->place),
                 FRT_CLOSED);
    cr_assert_eq(frt_segment_put_bits(&segment, 0, &there->place, 0),
                 FRT_CLOSED);
    cr_assert_eq(frt_segment_get_string(&size, bytes, 8, &segment, 0),
                 FRT_CLOSED);
    cr_assert_eq(frt_segment_put_string(&segment, 0, "x"), FRT_CLOSED);
    cr_assert_eq(frt_segment_copy(&segment, 0, &open, 0, 1), FRT_CLOSED);
    cr_assert_eq(frt_segment_copy(&open, 99, &segment, 0, 1), FRT_CLOSED,
                 "life before bounds");
    cr_assert_eq(frt_segment_fill(&segment, 0, 8, 1), FRT_CLOSED);
    cr_assert_eq(frt_segment_compare(&size, &segment, &open), FRT_CLOSED);
    cr_assert_eq(frt_segment_compare(&size, &open, &segment), FRT_CLOSED);
}

Test(segment_access, another_thread_and_closed)
{
    frt_arena arenas[2] = {open_confined(), open_shared()};

    for (int i = 0; i < 2; i++) {
        struct elsewhere there = {
            .segment = allocate(arenas[i], 8, 8),
            .place = {.layout = FRT_UINT, .bit_width = 3}};
        int64_t value;

        cr_assert_eq(frt_segment_fill(&there.segment, 0, 8, 0x55), FRT_OK);
        if (i == 0)
            elsewhere(access_elsewhere, &there);
        cr_assert_eq(frt_segment_get_i64(&value, &there.segment, 0), FRT_OK);
        cr_assert_eq(value, INT64_C(0x5555555555555555));
        cr_assert_eq(frt_arena_close(arenas[i]), FRT_OK, "nothing is held");
        access_closed(&there);
    }
}

/* -------------------------------------------------------- bytes, strings ---
 */

Test(segment_access, bytes)
{
    frt_arena arena = open_shared();
    frt_segment segment = allocate(arena, 10, 1);
    frt_segment view = frt_segment_read_only(&segment);
    char bytes[10] = "untouched";

    cr_assert_eq(frt_segment_put_bytes(&segment, 3, "abc", 3), FRT_OK);
    cr_assert_eq(frt_segment_get_bytes(bytes, &segment, 2, 5), FRT_OK);
    cr_assert_eq(memcmp(bytes, "\0abc\0ched", 10), 0);
    cr_assert_eq(frt_segment_get_bytes(bytes, &segment, 10, 0), FRT_OK);
    cr_assert_eq(frt_segment_get_bytes(bytes, &segment, 11, 0),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_get_bytes(bytes, &segment, 1, 10),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_get_bytes(bytes, &segment, 1, SIZE_MAX),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_put_bytes(&segment, SIZE_MAX, bytes, 2),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_put_bytes(&view, 0, bytes, 1), FRT_READ_ONLY);
    cr_assert_eq(frt_segment_get_bytes(NULL, &segment, 0, 1), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_put_bytes(&segment, 0, NULL, 1), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "bytes is NULL");
    cr_assert_eq(frt_segment_get_bytes(bytes, NULL, 0, 1), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_put_bytes(NULL, 0, bytes, 1), FRT_BAD_ARGUMENT);
    cr_assert_eq(memcmp(segment.address, "\0\0\0abc\0\0\0\0", 10), 0);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(segment_access, nothing_of_null)
{
    frt_segment null = frt_segment_of_address(NULL, 0);
    char byte = 'x';
    size_t at;

    cr_assert_eq(frt_segment_get_bytes(&byte, &null, 0, 0), FRT_OK);
    cr_assert_eq(frt_segment_put_bytes(&null, 0, &byte, 0), FRT_OK);
    cr_assert_eq(frt_segment_copy(&null, 0, &null, 0, 0), FRT_OK);
    cr_assert_eq(frt_segment_fill(&null, 0, 0, 1), FRT_OK);
    cr_assert_eq(frt_segment_compare(&at, &null, &null), FRT_OK);
    cr_assert_eq(at, SIZE_MAX);
    cr_assert_eq(frt_segment_fill(&null, 0, 1, 1), FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_get_string(&at, NULL, 0, &null, 0),
                 FRT_OUT_OF_BOUNDS);
    check_detail("a segment that is NULL");
    cr_assert_eq(byte, 'x');
}

Test(segment_access, strings)
{
    frt_arena arena = open_shared();
    frt_segment segment = allocate(arena, 8, 1);
    char text[8] = "intact!";
    size_t length = 77;

    cr_assert_eq(frt_segment_put_string(&segment, 2, "hello"), FRT_OK);
    cr_assert_eq(frt_segment_get_string(&length, NULL, 0, &segment, 2), FRT_OK);
    cr_assert_eq(length, 5);
    cr_assert_eq(frt_segment_get_string(&length, text, 6, &segment, 2), FRT_OK);
    cr_assert_str_eq(text, "hello");
    cr_assert_eq(frt_segment_get_string(&length, text, 8, &segment, 7), FRT_OK);
    cr_assert_eq(length, 0);
    cr_assert_str_eq(text, "");
    strcpy(text, "intact!");
    length = 77;
    cr_assert_eq(frt_segment_get_string(&length, text, 5, &segment, 2),
                 FRT_OVERFLOW);
    cr_assert_str_eq(frt_last_detail(),
                     "a string of 5 bytes and its NUL do not fit in 5");
    cr_assert_eq(frt_segment_get_string(&length, text, 0, &segment, 7),
                 FRT_OVERFLOW);
    cr_assert_eq(frt_segment_get_string(&length, text, 8, &segment, 8),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_get_string(&length, text, 8, &segment, SIZE_MAX),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_put_string(&segment, 3, "hello"),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_fill(&segment, 0, 8, 'x'), FRT_OK);
    cr_assert_eq(frt_segment_get_string(&length, text, 8, &segment, 1),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_str_eq(frt_last_detail(),
                     "no NUL ends a string at offset 1 of a segment of 8");
    cr_assert_eq(frt_segment_get_string(NULL, text, 8, &segment, 0),
                 FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_get_string(&length, text, 8, NULL, 0),
                 FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_put_string(&segment, 0, NULL), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_put_string(NULL, 0, "x"), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(text, "intact!");
    cr_assert_eq(length, 77);
    segment = frt_segment_read_only(&segment);
    cr_assert_eq(frt_segment_put_string(&segment, 0, "x"), FRT_READ_ONLY);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

/* --------------------------------------------------- segment to segment --- */

Test(segment_access, copy)
{
    frt_arena arena = open_shared();
    frt_segment one = allocate(arena, 8, 1);
    frt_segment other = allocate(arena, 8, 1);
    frt_segment view = frt_segment_read_only(&other);

    memcpy(one.address, "abcdefgh", 8);
    cr_assert_eq(frt_segment_copy(&one, 1, &one, 0, 7), FRT_OK, "upward");
    cr_assert_eq(memcmp(one.address, "aabcdefg", 8), 0);
    cr_assert_eq(frt_segment_copy(&one, 0, &one, 1, 7), FRT_OK, "downward");
    cr_assert_eq(memcmp(one.address, "abcdefgg", 8), 0);
    cr_assert_eq(frt_segment_copy(&other, 2, &one, 4, 3), FRT_OK);
    cr_assert_eq(memcmp(other.address, "\0\0efg\0\0\0", 8), 0);
    cr_assert_eq(frt_segment_copy(&one, 0, &view, 0, 1), FRT_OK);
    cr_assert_eq(frt_segment_copy(&view, 0, &one, 0, 1), FRT_READ_ONLY);
    cr_assert_eq(frt_segment_copy(&other, 6, &one, 0, 3), FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_copy(&other, 0, &one, 6, 3), FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_copy(&other, 1, &one, 1, SIZE_MAX),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_copy(NULL, 0, &one, 0, 1), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "to is NULL");
    cr_assert_eq(frt_segment_copy(&one, 0, NULL, 0, 1), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "from is NULL");
    cr_assert_eq(memcmp(other.address, "\0\0efg\0\0\0", 8), 0);
    cr_assert_eq(frt_arena_close(arena), FRT_OK, "nothing is held");
}

Test(segment_access, fill)
{
    frt_arena arena = open_shared();
    frt_segment segment = allocate(arena, 8, 1);
    frt_segment view = frt_segment_read_only(&segment);

    cr_assert_eq(frt_segment_fill(&segment, 2, 3, 'x'), FRT_OK);
    cr_assert_eq(frt_segment_fill(&segment, 8, 0, 'y'), FRT_OK);
    cr_assert_eq(frt_segment_fill(&segment, 8, 1, 'y'), FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_fill(&segment, 1, SIZE_MAX, 'y'),
                 FRT_OUT_OF_BOUNDS);
    cr_assert_eq(frt_segment_fill(&view, 0, 1, 'y'), FRT_READ_ONLY);
    cr_assert_eq(frt_segment_fill(NULL, 0, 1, 'y'), FRT_BAD_ARGUMENT);
    cr_assert_eq(memcmp(segment.address, "\0\0xxx\0\0\0", 8), 0);
    cr_assert_eq(frt_arena_close(arena), FRT_OK);
}

Test(segment_access, compare)
{
    static unsigned char one_bytes[1000], other_bytes[1000];
    frt_segment one = frt_segment_of_address(one_bytes, 1000);
    frt_segment other = frt_segment_of_address(other_bytes, 1000);
    size_t at = 7;

    cr_assert_eq(frt_segment_compare(&at, &one, &other), FRT_OK);
    cr_assert_eq(at, SIZE_MAX);
    for (size_t i = 0; i < 1000; i++) {
        one_bytes[i] = 1;
        cr_assert_eq(frt_segment_compare(&at, &one, &other), FRT_OK);
        cr_assert_eq(at, i);
        one_bytes[i] = 0;
    }
    for (size_t i = 0; i < 1000; i += 37) {
        other.size = i;
        cr_assert_eq(frt_segment_compare(&at, &one, &other), FRT_OK);
        cr_assert_eq(at, i, "the shorter begins the longer");
        cr_assert_eq(frt_segment_compare(&at, &other, &one), FRT_OK);
        cr_assert_eq(at, i);
    }
    at = 7;
    cr_assert_eq(frt_segment_compare(NULL, &one, &other), FRT_BAD_ARGUMENT);
    cr_assert_eq(frt_segment_compare(&at, NULL, &other), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "one is NULL");
    cr_assert_eq(frt_segment_compare(&at, &one, NULL), FRT_BAD_ARGUMENT);
    cr_assert_str_eq(frt_last_detail(), "other is NULL");
    cr_assert_eq(at, 7);
}

/* ------------------------------------------------- close under an access ---
 */

struct copier {
    frt_segment from;
    frt_segment to;
    frt_status status;
    pthread_barrier_t *barrier;
};

#define COPIES 6

static void *
copy_until_refused(void *context)
{
    struct copier *copier = context;

    pthread_barrier_wait(copier->barrier);
    for (int i = 0; i < COPIES && copier->status == FRT_OK; i++) {
        copier->status = frt_segment_copy(&copier->to, 0, &copier->from, 0,
                                          copier->from.size);
        sched_yield(); /* here a close may come between */
    }
    return NULL;
}

/* One thread copies 64 MiB again and again, another closes the session: the
 * close is refused, or the copy is, and never is there a fault. */
Test(segment_access, close_under_a_large_copy)
{
    enum { SIZE = 64 << 20 };
    pthread_barrier_t barrier;

    pthread_barrier_init(&barrier, NULL, 2);
    for (int round = 0; round < 3; round++) {
        frt_arena arena = open_shared();
        struct copier copier = {.from = allocate(arena, SIZE, 0),
                                .to = allocate(arena, SIZE, 0),
                                .barrier = &barrier};
        frt_status status = FRT_STILL_HELD;
        pthread_t thread;

        cr_assert_eq(pthread_create(&thread, NULL, copy_until_refused, &copier),
                     0);
        pthread_barrier_wait(&barrier);
        for (int i = 0; i < 50 && status == FRT_STILL_HELD; i++) {
            usleep(1000); /* so that a copy is most likely under way */
            status = frt_arena_close(arena);
        }
        pthread_join(thread, NULL);
        if (status == FRT_STILL_HELD)
            status = frt_arena_close(arena);
        cr_assert_eq(status, FRT_OK);
        cr_assert(copier.status == FRT_OK || copier.status == FRT_CLOSED);
    }
}
