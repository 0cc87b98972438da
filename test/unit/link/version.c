/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <stdio.h>
#include <string.h>

#include "test/unit/link/linking.h"

Test(version, number_and_text)
{
    char begin[32];

    cr_assert_eq(frt_version_number(), FRT_VERSION_MAJOR * 10000 +
                                           FRT_VERSION_MINOR * 100 +
                                           FRT_VERSION_PATCH);
    snprintf(begin, sizeof begin, "ffi_rt: %d.%d.%d\n", FRT_VERSION_MAJOR,
             FRT_VERSION_MINOR, FRT_VERSION_PATCH);
    cr_assert_eq(strncmp(frt_version_text(), begin, strlen(begin)), 0);
    cr_assert_not_null(strstr(frt_version_text(), "\nbackend: "));
    cr_assert_not_null(strstr(frt_version_text(), "\ncode memory: "));
    cr_assert_not_null(strstr(frt_version_text(), "\nallocator: "));
    cr_assert_eq(frt_version_text(), frt_version_text());
}
