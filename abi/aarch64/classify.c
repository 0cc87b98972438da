/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#include "abi/aarch64/aarch64.h"

#include "ffi_rt/layout/layout.h"

#define CLASSIFY_REFERENCE_ABOVE 16

static bool
classify_is_composite(const frt_layout *layout)
{
    frt_kind kind = frt_layout_kind(layout);

    return kind == FRT_KIND_STRUCT || kind == FRT_KIND_UNION ||
           kind == FRT_KIND_ARRAY || kind == FRT_KIND_COMPLEX ||
           kind == FRT_KIND_VECTOR;
}

void
frti_aarch64_classify(struct aapcs_kind *out, const frt_layout *layout)
{
    struct aapcs_kind found = {0};
    size_t size = frt_layout_size(layout);

    /* AAPCS64 section 5.9: what adjusts a type as a whole does not count */
    found.alignment = layout->natural_alignment;
    if (size == 0)
        found.class = AAPCS_NOTHING;
    else if (frti_homogeneous_of(&found.elements, layout))
        found.class = AAPCS_VECTOR; /* before the size is looked at */
    else if (classify_is_composite(layout) && size > CLASSIFY_REFERENCE_ABOVE)
        found.class = AAPCS_REFERENCE;
    else
        found.class = AAPCS_GENERAL;
    *out = found;
}
