/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Help for address sanitizer, which knows nothing of what is cut out of a
 * larger block: unused parts are poisoned, and pieces get a gap between them.
 * In other builds this is nothing at all. Thread sanitizer knows atomics but
 * neither fences nor instructions: FRTI_THREAD_SANITIZER is for those.
 */
#ifndef FRTI_BASE_SANITIZER_H
#define FRTI_BASE_SANITIZER_H

#include <stddef.h>

/* gcc says it by a macro, clang by a feature. */
#if defined(__SANITIZE_ADDRESS__)
#define FRTI_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FRTI_ADDRESS_SANITIZER 1
#else
#define FRTI_ADDRESS_SANITIZER 0
#endif
#else
#define FRTI_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__)
#define FRTI_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FRTI_THREAD_SANITIZER 1
#else
#define FRTI_THREAD_SANITIZER 0
#endif
#else
#define FRTI_THREAD_SANITIZER 0
#endif

#if FRTI_ADDRESS_SANITIZER

#include <sanitizer/asan_interface.h>

/* The gap after each piece, and the alignment that poisoning needs. */
#define FRTI_RED_ZONE ((size_t)16)
#define FRTI_POISON_GRAIN ((size_t)8)

static inline void
frti_poison(const void *address, size_t size)
{
    __asan_poison_memory_region(address, size);
}

static inline void
frti_unpoison(const void *address, size_t size)
{
    __asan_unpoison_memory_region(address, size);
}

#else

#define FRTI_RED_ZONE ((size_t)0)
#define FRTI_POISON_GRAIN ((size_t)1)

static inline void
frti_poison(const void *address, size_t size)
{
    (void)address;
    (void)size;
}

static inline void
frti_unpoison(const void *address, size_t size)
{
    (void)address;
    (void)size;
}

#endif

#endif
