/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * A plug-in, opened by its path, and closed again.
 *
 * library_by_path PATH: a name with a '/' is a file, not something to be looked
 * for. The library lives in an arena; when that is closed, its functions know.
 */
#include "examples/check.h"

int
main(int argc, char **argv)
{
    frt_arena arena;
    frt_library plug_in;
    frt_function *add;
    frt_symbol symbol;
    int sum;

    if (argc != 2) {
        fprintf(stderr, "usage: library_by_path PATH\n");
        return EXIT_FAILURE;
    }
    check(frt_arena_open_confined(&arena));
    check(frt_library_open(&plug_in, arena, argv[1], NULL));
    check(
        frt_function_declare(&add, plug_in, "int plug_in_add(int, int)", NULL));
    check(FRT_CALL(add, &sum, 40, 2));
    printf("plug_in_add(40, 2) = %d\n", sum);

    /* What is not there is not an accident to be prepared for: ask. */
    printf("plug_in_subtract: %s\n",
           frt_status_name(
               frt_library_find(&symbol, plug_in, "plug_in_subtract")));
    check(frt_library_find(&symbol, plug_in, "plug_in_version"));
    if (symbol.kind == FRT_SYMBOL_DATA)
        printf("plug_in_version is data: %d\n", *(const int *)symbol.address);

    check(frt_arena_close(arena));
    printf("a call after the close: %s\n",
           frt_status_name(FRT_CALL(add, &sum, 1, 1)));
    frt_function_free(add);
    return EXIT_SUCCESS;
}
