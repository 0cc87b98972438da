/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
#ifndef TEST_SESSIONS_CALLEE_H
#define TEST_SESSIONS_CALLEE_H

/* Gives the memory of a call to a function, which may not return. */
int callee_apply(int (*function)(void *), void *memory);
int callee_sum(const int *one, const int *two, const int *three);

#endif
