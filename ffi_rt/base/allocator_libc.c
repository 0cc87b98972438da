/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* jemalloc never. */
#include "ffi_rt/base/allocator_choice.h"

void *(*const frti_mallocx)(size_t, int) = NULL;
void (*const frti_sdallocx)(void *, size_t, int) = NULL;
