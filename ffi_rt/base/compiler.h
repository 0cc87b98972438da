/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* What the code asks of the compiler, under one name each. */
#ifndef FRTI_BASE_COMPILER_H
#define FRTI_BASE_COMPILER_H

#define FRTI_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define FRTI_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
/* Compiled anew at each use, where constant arguments leave parts of it out. */
#define FRTI_INLINE static inline __attribute__((always_inline))
#define FRTI_NOINLINE __attribute__((noinline))
#define FRTI_COLD __attribute__((cold, noinline))
#define FRTI_PRINTF(text, first) __attribute__((format(printf, text, first)))
/* What constructors register with pthread_atfork is called in the other order
 * before a fork: a lock under which others are taken has a later one. */
#define FRTI_CONSTRUCTOR FRTI_CONSTRUCTOR_LATER(0)
#define FRTI_CONSTRUCTOR_LATER(by) __attribute__((constructor(200 + (by))))
#define FRTI_CLEANUP(function) __attribute__((cleanup(function)))
#define FRTI_ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif
