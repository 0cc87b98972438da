/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * zlib takes its memory from us: two upcalls in a struct that it keeps.
 */
#include "examples/upcall.h"

#include <string.h>

enum { FINISH = 4, STREAM_END = 1 };

static const char stream_declaration[] =
    "struct z_stream { const unsigned char *next_in; unsigned avail_in;"
    " unsigned long total_in; unsigned char *next_out; unsigned avail_out;"
    " unsigned long total_out; const char *msg; void *state; void *zalloc;"
    " void *zfree; void *opaque; int data_type; unsigned long adler;"
    " unsigned long reserved; }";

struct memory {
    int allocated;
    int freed;
};

/* void *take(void *opaque, unsigned items, unsigned size) */
static frt_status
take(void *context, void *result, void *const *arguments)
{
    struct memory *memory = context;
    unsigned items = *(unsigned *)arguments[1];
    unsigned size = *(unsigned *)arguments[2];

    memory->allocated++;
    *(void **)result = calloc(items, size);
    return FRT_OK;
}

/* void give(void *opaque, void *address) */
static frt_status
give(void *context, void *result, void *const *arguments)
{
    struct memory *memory = context;

    (void)result;
    memory->freed++;
    free(*(void **)arguments[1]);
    return FRT_OK;
}

static frt_upcall
open_raw(frt_arena arena, const char *prototype, frt_upcall_fn function,
         void *context)
{
    const frt_parse_options raw = {.size = sizeof raw, .raw_pointers = true};
    const frt_descriptor *descriptor;
    frt_upcall upcall;

    check(frt_descriptor_parse(&descriptor, prototype, &raw));
    check(frt_upcall_open(&upcall, arena, descriptor, function, context, NULL));
    frt_descriptor_drop(descriptor);
    return upcall;
}

static void
put(const frt_segment *stream, const frt_layout *layout, const char *path,
    const void *value, size_t size)
{
    frt_place place;

    check(frt_layout_find(&place, layout, path));
    check(frt_segment_put_bytes(stream, place.offset, value, size));
}

static void
put_pointer(const frt_segment *stream, const frt_layout *layout,
            const char *path, void *value)
{
    put(stream, layout, path, &value, sizeof value);
}

static void
put_unsigned(const frt_segment *stream, const frt_layout *layout,
             const char *path, unsigned value)
{
    put(stream, layout, path, &value, sizeof value);
}

static void
deflate_text(frt_library zlib, const frt_segment *stream, const char *text)
{
    const char *prototypes[] = {
        "int deflateInit_(void *, int, const char *, int)",
        "int deflate(void *, int)", "int deflateEnd(void *)"};
    frt_function *functions[3];
    int code;

    for (int i = 0; i < 3; i++)
        check(frt_function_declare(&functions[i], zlib, prototypes[i], NULL));
    check(FRT_CALL(functions[0], &code, stream, 6, "1.2.11", stream->size));
    check(FRT_CALL(functions[1], &code, stream, FINISH));
    printf("%zu bytes of text: %s\n", strlen(text),
           code == STREAM_END ? "compressed" : "not compressed");
    check(FRT_CALL(functions[2], &code, stream));
    for (int i = 0; i < 3; i++)
        frt_function_free(functions[i]);
}

int
main(void)
{
    char text[] = "row, row, row your boat, row, row, row your boat";
    unsigned char packed[128];
    struct memory memory = {0};
    const frt_layout *layout;
    frt_segment stream;
    frt_library zlib;
    frt_arena arena;

    check(frt_arena_open_confined(&arena));
    check(frt_library_open(&zlib, arena, "z", NULL));
    check(frt_layout_parse(&layout, stream_declaration, NULL));
    check(frt_arena_allocate_layout(&stream, arena, layout, 1));
    put_pointer(
        &stream, layout, "zalloc",
        frt_upcall_address(open_raw(arena, "void *(void *, unsigned, unsigned)",
                                    take, &memory)));
    put_pointer(&stream, layout, "zfree",
                frt_upcall_address(
                    open_raw(arena, "void (void *, void *)", give, &memory)));
    put_pointer(&stream, layout, "next_in", text);
    put_unsigned(&stream, layout, "avail_in", sizeof text);
    put_pointer(&stream, layout, "next_out", packed);
    put_unsigned(&stream, layout, "avail_out", sizeof packed);
    deflate_text(zlib, &stream, text);
    printf("zlib asked us for memory: %s\n",
           memory.allocated > 0 ? "yes" : "no");
    printf("and gave all of it back: %s\n",
           memory.allocated == memory.freed ? "yes" : "no");
    frt_layout_drop(layout);
    check(frt_arena_close(arena));
    return 0;
}
