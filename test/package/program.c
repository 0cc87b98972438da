/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "test/package/use.h"

int
main(void)
{
    unsigned wanted =
        FRT_VERSION_MAJOR * 10000 + FRT_VERSION_MINOR * 100 + FRT_VERSION_PATCH;

    if (frt_version_number() != wanted) {
        printf("version %u, and the header has %u\n", frt_version_number(),
               wanted);
        return 1;
    }
    return use_library();
}
