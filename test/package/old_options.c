/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Options structs of another version. An old program has the first fields
 * alone: here they end where readable memory ends. A program newer than the
 * library has more, which are accepted as long as they are zero.
 *
 * Prints `ok NAME` or `not ok NAME` for each check.
 */
#include <ffi_rt/ffi_rt.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *old_end; /* of readable memory */

/* The first `size` bytes of an options struct, at that end. */
static void *
old_struct(const void *options, size_t size)
{
    char *place = old_end - size;

    memcpy(place, options, size);
    memcpy(place, &size, sizeof size);
    return place;
}

static void
old_check(const char *name, int is_right)
{
    printf("%s %s\n", is_right ? "ok" : "not ok", name);
}

static int
old_memory(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0)
        return 0;
    old_end = pages + page;
    return 1;
}

static void
old_aggregate(void)
{
    const frt_aggregate_options options = {.tag = "old"};
    const frt_member members[] = {{"c", FRT_CHAR}, {"i", FRT_INT}};
    const frt_layout *layout = NULL;
    size_t size = offsetof(frt_aggregate_options, alignment);
    frt_status status =
        frt_layout_struct(&layout, members, 2, old_struct(&options, size));

    old_check("frt_aggregate_options of size and tag",
              status == FRT_OK && frt_layout_size(layout) == 8 &&
                  strcmp(frt_layout_tag(layout), "old") == 0);
    frt_layout_drop(layout);
}

static void
old_parse(void)
{
    const frt_parse_options options = {.size = 0};
    const frt_descriptor *descriptor = NULL;
    size_t size = offsetof(frt_parse_options, raw_pointers);
    frt_status status = frt_descriptor_parse(&descriptor, "int f(int *)",
                                             old_struct(&options, size));

    old_check("frt_parse_options of size and model",
              status == FRT_OK && frt_layout_kind(frt_descriptor_parameter(
                                      descriptor, 0)) == FRT_KIND_SEGMENT);
    frt_descriptor_drop(descriptor);
}

static void
old_link(void)
{
    const frt_link_options options = {.size = 0};
    const frt_descriptor *descriptor = NULL;
    const frt_downcall *downcall = NULL;
    frt_status status = frt_descriptor_of(&descriptor, FRT_INT, NULL, 0);

    if (status == FRT_OK)
        status = frt_downcall_link(
            &downcall, descriptor,
            old_struct(&options, offsetof(frt_link_options, backend)));
    old_check("frt_link_options of the size alone",
              status == FRT_OK && !frt_downcall_is_blocking(downcall));
    frt_downcall_drop(downcall);
    frt_descriptor_drop(descriptor);
}

static void
old_library(void)
{
    const frt_library_options options = {.size = 0};
    frt_library library;
    frt_arena arena;
    frt_status status = frt_arena_open_confined(&arena);

    if (status == FRT_OK)
        status = frt_library_open(
            &library, arena, "libm.so.6",
            old_struct(&options, offsetof(frt_library_options, now)));
    old_check("frt_library_options of the size alone", status == FRT_OK);
    old_check("and its arena closes", frt_arena_close(arena) == FRT_OK);
}

static frt_status
old_parse_larger(unsigned char last)
{
    struct {
        frt_parse_options known;
        unsigned char more[8];
    } options = {.known = {.size = sizeof options}, .more = {[7] = last}};
    const frt_layout *layout;
    frt_status status = frt_layout_parse(&layout, "int", &options.known);

    if (status == FRT_OK)
        frt_layout_drop(layout);
    return status;
}

static void
old_sizes(void)
{
    const frt_parse_options options = {.size = 1};
    const frt_layout *layout;

    old_check("a larger struct whose rest is zero",
              old_parse_larger(0) == FRT_OK);
    old_check("a larger struct that asks for something is refused",
              old_parse_larger(1) == FRT_BAD_ARGUMENT);
    old_check("a size that is none is refused",
              frt_layout_parse(&layout, "int", &options) == FRT_BAD_ARGUMENT);
}

int
main(void)
{
    if (!old_memory())
        return 1;
    old_aggregate();
    old_parse();
    old_link();
    old_library();
    old_sizes();
    return 0;
}
