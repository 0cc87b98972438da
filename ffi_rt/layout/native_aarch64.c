/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* The native model of this build. */
#include "ffi_rt/layout/data_model.h"

const frt_model *const frti_native_model = &frti_model_aarch64;
