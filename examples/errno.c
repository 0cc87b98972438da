/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * errno, kept for one call.
 *
 * Between a call and a look at errno much can happen that sets it anew: a
 * collector runs, a log is written. frt_call_captured keeps it at once, and
 * sets it before the call, so that a function which sets it only sometimes can
 * be understood.
 */
#include "examples/check.h"

#include <string.h>

static void
call_close(frt_library c)
{
    frt_function *close_file;
    frt_call_state state = {.error_number = 0};
    int file = -1, result;
    void *arguments[] = {&file};

    check(frt_function_declare(&close_file, c, "int close(int)", NULL));
    check(frt_call_captured(close_file, &state, &result, arguments, 1));
    printf("close(-1) = %d, errno %d: %s\n", result, state.error_number,
           strerror(state.error_number));
    frt_function_free(close_file);
}

/* LONG_MAX can be a number or a failure. errno tells. */
static void
call_strtol(frt_library c, const char *digits)
{
    frt_function *to_long;
    frt_call_state state = {.error_number = 0};
    frt_segment text =
        frt_segment_of_address((char *)digits, strlen(digits) + 1);
    frt_segment end = frt_segment_of_address(NULL, 0);
    int base = 10;
    long result;
    void *arguments[] = {&text, &end, &base};

    check(frt_function_declare(
        &to_long, c, "long strtol(const char *, char **, int)", NULL));
    check(frt_call_captured(to_long, &state, &result, arguments, 3));
    printf("strtol(%s) = %ld, errno %d: %s\n", digits, result,
           state.error_number, strerror(state.error_number));
    frt_function_free(to_long);
}

int
main(void)
{
    frt_library c = frt_library_default();

    call_close(c);
    call_strtol(c, "9223372036854775807");
    call_strtol(c, "9223372036854775808");
    return EXIT_SUCCESS;
}
