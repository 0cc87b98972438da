/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include <stdio.h>

#include "abi/aarch64/aarch64.h"
#include "abi/abi.h"

static bool
describe_is_aggregate(const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);

    return kind == FRT_KIND_STRUCT || kind == FRT_KIND_UNION ||
           kind == FRT_KIND_COMPLEX;
}

size_t
frti_aarch64_describe(char *buffer, size_t capacity, const frt_layout *layout)
{
    struct aapcs_kind kind;
    char element[64];
    const char *text = "nothing";

    frti_aarch64_classify(&kind, layout);
    switch (kind.class) {
    case AAPCS_NOTHING:
        break;
    case AAPCS_GENERAL:
        text = "general";
        break;
    case AAPCS_REFERENCE:
        text = "by reference";
        break;
    case AAPCS_VECTOR:
        text = "vector";
        if (!describe_is_aggregate(layout))
            break;
        frt_layout_print(element, sizeof element, kind.elements.element);
        return (size_t)snprintf(
            buffer, capacity, "%s of %zu %s",
            frt_layout_kind(kind.elements.element) == FRT_KIND_VECTOR ? "HVA"
                                                                      : "HFA",
            kind.elements.count, element);
    }
    return (size_t)snprintf(buffer, capacity, "%s", text);
}
