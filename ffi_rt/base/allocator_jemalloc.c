/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* jemalloc always: the library needs it. */
#include "ffi_rt/base/allocator_choice.h"

extern void *mallocx(size_t size, int flags);
extern void sdallocx(void *memory, size_t size, int flags);

void *(*const frti_mallocx)(size_t, int) = mallocx;
void (*const frti_sdallocx)(void *, size_t, int) = sdallocx;
