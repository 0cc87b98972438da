/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Text, and memory that knows its size.
 *
 * A pointer of a prototype takes a segment: an address, a size and the arena it
 * lives by. The arena cannot be closed while a call uses the segment, and what
 * we read or write through it is checked. A plain C pointer is taken, too, and
 * then trusted.
 */
#include "examples/check.h"

int
main(void)
{
    frt_library c = frt_library_default();
    frt_arena arena;
    frt_function *length, *append, *find;
    frt_segment text, found, tail;
    size_t count;
    char copy[32];

    check(frt_arena_open_confined(&arena));
    check(
        frt_function_declare(&length, c, "size_t strlen(const char *)", NULL));
    check(frt_function_declare(&append, c, "char *strcat(char *, const char *)",
                               NULL));
    check(frt_function_declare(&find, c, "char *strchr(const char *, int)",
                               NULL));

    /* a C string is a pointer like any other */
    check(FRT_CALL(length, &count, "hello"));
    printf("strlen(hello) = %zu\n", count);

    /* 32 zeroed bytes of the arena, and a string written into them */
    check(frt_arena_allocate(&text, arena, 32, 1));
    check(frt_segment_put_string(&text, 0, "hello"));
    check(FRT_CALL(append, &found, &text, ", world"));
    check(frt_segment_get_string(&count, copy, sizeof copy, &text, 0));
    printf("strcat gives \"%s\", %zu characters\n", copy, count);

    /* C does not say how much memory a returned pointer has. We know. */
    check(FRT_CALL(find, &found, &text, 'w'));
    count = (size_t)((char *)found.address - (char *)text.address);
    check(frt_segment_slice(&tail, &text, count, text.size - count));
    check(frt_segment_get_string(&count, copy, sizeof copy, &tail, 0));
    printf("strchr finds \"%s\"\n", copy);

    /* a write past the end is refused, and changes nothing */
    if (frt_segment_put_string(&text, 30, "too long") == FRT_OUT_OF_BOUNDS)
        printf("refused: 9 bytes do not fit behind the 30th of 32\n");

    frt_function_free(find);
    frt_function_free(append);
    frt_function_free(length);
    check(frt_arena_close(arena));
    return EXIT_SUCCESS;
}
