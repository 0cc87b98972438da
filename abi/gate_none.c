/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* A CPU without gates. */
#include "abi/gate.h"

#include "ffi_rt/base/status.h"

const struct frti_gate_image frti_gate_image;
const unsigned char frti_entries[1];
const size_t frti_entry_step;

frt_status
frti_gate_choose(struct frti_gate_choice *out, const struct frti_plan *plan)
{
    (void)out;
    (void)plan;
    return frti_fail(FRT_UNSUPPORTED, "there are no upcalls on this CPU");
}
