/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "ffi_rt/cli/quad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
frti_quad_read(void *place, const char **stop, const char *begin)
{
    _Float128 value = strtof128(begin, (char **)stop);

    memcpy(place, &value, sizeof value);
}

void
frti_quad_print(char *out, size_t size, int digits, const void *place)
{
    char format[16];
    _Float128 value;

    memcpy(&value, place, sizeof value);
    snprintf(format, sizeof format, "%%.%de", digits - 1);
    strfromf128(out, size, format, value);
}
