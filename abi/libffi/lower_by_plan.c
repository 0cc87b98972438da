/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Where the CPU's convention has a row: by its plan. */
#include "abi/abi.h"
#include "abi/libffi/lower.h"

frt_status
frti_lower(struct frti_lowering *lowering, const frt_descriptor *descriptor)
{
    const struct frti_convention *convention =
        frti_convention_of(frt_descriptor_model(descriptor));
    struct frti_plan *plan;
    frt_status status = frti_plan_new(&plan, convention, descriptor);

    if (status != FRT_OK)
        return status;
    status = frti_lower_plan(lowering, plan);
    frti_plan_free(plan);
    return status;
}
