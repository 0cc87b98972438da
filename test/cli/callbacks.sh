# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# :print and :compare for pointers to functions.

sort_of='void qsort(T *, size_t, size_t, int (*)(const T *, const T *))'

prints '#1 = {-3, 1, 5, 9}' "${sort_of//T/int}" '@[]{5, -3, 9, 1}' 4 4 :compare
prints '#1 = {1, 5, 253}' "${sort_of//T/unsigned char}" '@[]{5, 253, 1}' 3 1 \
    ':compare unsigned char'
prints '#1 = {-inf, -0.5, 2.5}' "${sort_of//T/double}" '@[]{2.5, -0.5, -inf}' \
    3 8 :compare
prints '#1 = {"a", "b", "c"}' "${sort_of//T/char *}" '@[]{b, c, a}' 3 8 :compare
prints '#1 = "abcd"' "${sort_of//T/void}" '@"dcba"' 4 1 ':compare char'
prints 'callback(1, 2.5, "text")
0' "$callee" 'int call_back(int (*)(int, double, const char *))' :print
prints 'callback()' "$callee" 'void call_back_void(void (*)(void))' :print

fails 1 'argument 4' "':compare int'" -- "${sort_of//T/void}" '@"b"' 1 1 :compare
fails 1 ':compare orders integers' -- "${sort_of//T/void}" '@"b"' 1 1 \
    ':compare int[2]'
fails 1 'two pointers and return an int' -- "$callee" \
    'void call_back_void(void (*)(void))' :compare
fails 1 "':perl' is not a callback" -- "$callee" \
    'void call_back_void(void (*)(void))' :perl
fails 1 'unfinished' -- "${sort_of//T/void}" '@"b"' 1 1 ':compare unfinished'
