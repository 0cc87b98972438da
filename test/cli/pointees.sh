# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# @ for something to point to, shown after the call.

prints '#1 = 1' "$callee" 'void count_up(int *)' @
prints '#1 = 42' "$callee" 'void count_up(int *number)' @41
prints '#1 = {x = 2, y = 2.5}
#2 = 7
#3 = "set"' "$callee" \
    'void set_pair(struct { double x, y; } *, int *, const char **)' \
    '@{1, 2}' @ @
prints '#1 = "xxx"' "$callee" 'void fill(char *, size_t)' '@[8]' 3
prints '#1 = "xxxdef"' "$callee" 'void fill(char *, size_t)' '@"abcdef"' 3
prints '#1 = "xxxd"' "$callee" 'void fill(char *, size_t)' '@[8]"abcd"' 3
prints "#1 = 'x'" "$callee" 'void fill(char *, size_t)' @ 1
prints '#1 = {120, 120, 0}' "$callee" 'void fill(unsigned char *, size_t)' \
    '@[3]' 2
prints '#1 = {120, 120, 0, 0}' "$callee" 'void fill(void *, size_t)' '@[4]' 2
prints '6
#1 = {1, 2, 3}' "$callee" 'int sum_first(const int *, int)' '@[]{1, 2, 3}' 3
prints '3
#1 = {1, 2, 0, 0}' "$callee" 'int sum_first(const int *, int)' '@[4]{1, 2}' 4
prints '6
#1 = {{x = 1, y = 2}, {x = 3, y = 4}}' "$callee" \
    'int sum_last(const struct { double x, y; } *, int)' '@[]{{1, 2}, {3, 4}}' 2
prints '"b c"
#1 = {"a", "b c", null}' "$callee" \
    'const char *second_word(char *const *)' '@[]{a, "b c", null}'
prints '12
#2 = " pears"' 'long strtol(const char *, char **, int)' '12 pears' @ 10
prints '5
#1 = {1, 2, 3, 4, 5}' "$callee" 'int five_ints(const int numbers[static 5])' \
    '@[]{1, 2, 3, 4, 5}'

# Memory that is too small for what the prototype asks is refused.
fails 1 'five_ints was not called' 'argument 1' -- "$callee" 'int five_ints(const int numbers[static 5])' \
    '@[]{1, 2, 3}'

fails 1 'argument 1' '@[16]' -- "$callee" 'void fill(void *, size_t)' @ 1
fails 1 'not known' -- "$callee" 'void fill(struct secret *, size_t)' @ 1
fails 1 'not an integer' -- "$callee" 'void count_up(int *)' @pear
fails 1 'longer than 2' -- "$callee" 'void fill(char *, size_t)' '@[2]"abc"' 1
fails 1 'too long' -- "$callee" 'int sum_first(const int *, int)' \
    '@[2]{1, 2, 3}' 3
fails 1 'needs its values' -- "$callee" 'int sum_first(const int *, int)' \
    '@[]' 3
fails 1 count -- "$callee" 'int sum_first(const int *, int)' '@[x]' 3
fails 1 'argument 1' -- "$callee" 'int sum_first(const int *, int)' \
    '@[99999999999999999999]' 3
fails 1 'argument 1' -- "$callee" 'int sum_first(const int *, int)' \
    '@[4611686018427387904]' 3
