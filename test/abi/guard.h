/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Storage for the values of a call, with junk around each: some end at a page
 * that must not be touched, none is aligned better than asked. After the call
 * all of it must be as it was, but for the result.
 */
#ifndef TEST_ABI_GUARD_H
#define TEST_ABI_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void guard_begin(uint64_t random);
void *guard_place(size_t size, size_t alignment, bool at_page_end);
/* From here on nothing may change but `size` bytes at `except`. */
void guard_seal(void *except, size_t size);
bool guard_is_intact(void);

#endif
