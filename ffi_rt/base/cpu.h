/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What this CPU can do, as far as the system lets it. */
#ifndef FRTI_BASE_CPU_H
#define FRTI_BASE_CPU_H

#include <stdbool.h>

/* Registers for vectors of 32 bytes (AVX on x86-64). */
static inline bool
frti_cpu_has_wide_vectors(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx") != 0;
#else
    return false;
#endif
}

#endif
