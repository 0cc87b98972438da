/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <stdio.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/x86_64/x86_64.h"

/* The psABI's words, an eightbyte each. */
static const char *const describe_words[] = {[SYSV_NO_CLASS] = "NO_CLASS",
                                             [SYSV_INTEGER] = "INTEGER",
                                             [SYSV_SSE] = "SSE",
                                             [SYSV_SSEUP] = "SSEUP",
                                             [SYSV_X87] = "X87",
                                             [SYSV_X87UP] = "X87UP",
                                             [SYSV_COMPLEX_X87] = "COMPLEX_X87",
                                             [SYSV_MEMORY] = "MEMORY"};

size_t
frti_x86_64_describe(char *buffer, size_t capacity, const frt_layout *layout)
{
    struct sysv_classes classes;
    char text[64] = "";
    size_t words;

    frti_x86_64_classify(&classes, layout);
    words = classes.of[0] == SYSV_MEMORY || classes.of[0] == SYSV_COMPLEX_X87
                ? 1
                : classes.count;
    for (size_t i = 0; i < words; i++) {
        size_t length = strlen(text);

        snprintf(text + length, sizeof text - length, "%s%s", i == 0 ? "" : " ",
                 describe_words[classes.of[i]]);
    }
    return (size_t)snprintf(buffer, capacity, "%s",
                            classes.count == 0 ? "nothing" : text);
}
