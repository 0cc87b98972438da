/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * zlib without its header: a checksum, a round trip, and a stream.
 *
 * The stream is a struct that the caller fills and the library works on. We
 * write its declaration down once; the layout then says where each member is.
 */
#include "examples/check.h"

#include <string.h>

#define TEXT                                                                   \
    "She sells sea shells by the sea shore; the shells that she sells are "    \
    "sea shells, I am sure."

enum { FINISH = 4, STREAM_END = 1 };

static const char stream_declaration[] = "struct z_stream {"
                                         "    const unsigned char *next_in;"
                                         "    unsigned avail_in;"
                                         "    unsigned long total_in;"
                                         "    unsigned char *next_out;"
                                         "    unsigned avail_out;"
                                         "    unsigned long total_out;"
                                         "    const char *msg;"
                                         "    void *state;"
                                         "    void *zalloc;"
                                         "    void *zfree;"
                                         "    void *opaque;"
                                         "    int data_type;"
                                         "    unsigned long adler;"
                                         "    unsigned long reserved;"
                                         "}";

/* A function that is used once. */
static frt_function *
declare(frt_library library, const char *prototype)
{
    frt_function *function;

    check(frt_function_declare(&function, library, prototype, NULL));
    return function;
}

static void
show_checksum(frt_library zlib)
{
    frt_function *crc32 = declare(
        zlib, "unsigned long crc32(unsigned long, const char *, unsigned)");
    unsigned long sum;

    check(FRT_CALL(crc32, &sum, 0, "123456789", 9));
    printf("crc32(123456789) = %lu\n", sum);
    frt_function_free(crc32);
}

static void
show_round_trip(frt_library zlib)
{
    frt_function *compress =
        declare(zlib, "int compress2(unsigned char *, unsigned long *, "
                      "const char *, unsigned long, int)");
    frt_function *uncompress =
        declare(zlib, "int uncompress(char *, unsigned long *, "
                      "const unsigned char *, unsigned long)");
    unsigned char packed[256];
    char again[256];
    unsigned long packed_size = sizeof packed, size = sizeof again;
    int result;

    check(FRT_CALL(compress, &result, packed, &packed_size, TEXT, sizeof TEXT,
                   9));
    printf("compress2 = %d, smaller: %s\n", result,
           packed_size < sizeof TEXT ? "yes" : "no");
    check(FRT_CALL(uncompress, &result, again, &size, packed, packed_size));
    printf("uncompress = %d, the same: %s\n", result,
           size == sizeof TEXT && strcmp(again, TEXT) == 0 ? "yes" : "no");
    frt_function_free(uncompress);
    frt_function_free(compress);
}

/* Where a member of the stream is. */
static size_t
offset_of(const frt_layout *stream, const char *member)
{
    frt_place place;

    check(frt_layout_find(&place, stream, member));
    return place.offset;
}

/* The stream reads `in` and writes `out`. */
static void
stream_aim(const frt_segment *memory, const frt_layout *stream,
           const frt_segment *in, const frt_segment *out)
{
    check(frt_segment_put_pointer(memory, offset_of(stream, "next_in"),
                                  in->address));
    check(frt_segment_put_u32(memory, offset_of(stream, "avail_in"),
                              (uint32_t)in->size));
    check(frt_segment_put_pointer(memory, offset_of(stream, "next_out"),
                                  out->address));
    check(frt_segment_put_u32(memory, offset_of(stream, "avail_out"),
                              (uint32_t)out->size));
}

/* deflate and inflate have the same prototypes, but for the level. */
static uint64_t
stream_run(frt_library zlib, const char *verb, const frt_segment *memory,
           const frt_layout *stream)
{
    char prototype[64];
    frt_function *run, *end;
    uint64_t total;
    int result;

    snprintf(prototype, sizeof prototype, "int %s(void *, int)", verb);
    run = declare(zlib, prototype);
    check(FRT_CALL(run, &result, memory, FINISH));
    printf("%s: %s\n", verb, result == STREAM_END ? "finished" : "failed");
    snprintf(prototype, sizeof prototype, "int %sEnd(void *)", verb);
    end = declare(zlib, prototype);
    check(FRT_CALL(end, &result, memory));
    check(frt_segment_get_u64(&total, memory, offset_of(stream, "total_out")));
    frt_function_free(end);
    frt_function_free(run);
    return total;
}

/* zlib compares the struct's size and version with its own. */
static void
stream_begin(frt_library zlib, const frt_segment *deflating,
             const frt_segment *inflating, const frt_layout *stream)
{
    frt_function *version = declare(zlib, "const char *zlibVersion(void)");
    frt_function *deflate_init =
        declare(zlib, "int deflateInit_(void *, int, const char *, int)");
    frt_function *inflate_init =
        declare(zlib, "int inflateInit_(void *, const char *, int)");
    frt_segment text;
    int result;

    check(FRT_CALL(version, &text));
    check(FRT_CALL(deflate_init, &result, deflating, 9, text.address,
                   frt_layout_size(stream)));
    printf("deflateInit_ = %d\n", result);
    check(FRT_CALL(inflate_init, &result, inflating, text.address,
                   frt_layout_size(stream)));
    printf("inflateInit_ = %d\n", result);
    frt_function_free(inflate_init);
    frt_function_free(deflate_init);
    frt_function_free(version);
}

static void
show_stream(frt_library zlib, frt_arena arena)
{
    const frt_layout *stream;
    frt_segment deflating, inflating, text, packed, again;
    size_t difference;

    check(frt_layout_parse(&stream, stream_declaration, NULL));
    check(frt_arena_allocate_layout(&deflating, arena, stream, 1));
    check(frt_arena_allocate_layout(&inflating, arena, stream, 1));
    check(frt_arena_allocate_string(&text, arena, TEXT));
    check(frt_arena_allocate(&packed, arena, 256, 0));
    check(frt_arena_allocate(&again, arena, text.size, 0));
    stream_begin(zlib, &deflating, &inflating, stream);

    stream_aim(&deflating, stream, &text, &packed);
    check(frt_segment_slice(&packed, &packed, 0,
                            stream_run(zlib, "deflate", &deflating, stream)));
    stream_aim(&inflating, stream, &packed, &again);
    (void)stream_run(zlib, "inflate", &inflating, stream);
    check(frt_segment_compare(&difference, &text, &again));
    printf("the same text: %s\n", difference == SIZE_MAX ? "yes" : "no");
    frt_layout_drop(stream);
}

int
main(void)
{
    frt_arena arena;
    frt_library zlib;

    check(frt_arena_open_confined(&arena));
    check(frt_library_open(&zlib, arena, "libz.so.1", NULL));
    show_checksum(zlib);
    show_round_trip(zlib);
    show_stream(zlib, arena);
    check(frt_arena_close(arena));
    return EXIT_SUCCESS;
}
