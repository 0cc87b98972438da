# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# What cannot be called says why, in one sentence that names it.

point='struct point { double x, y; }'
fails 1 'argument 2 (y, double) of pow' pear -- \
    'double pow(double x, double y)' 1 pear
fails 1 'argument 1 (int) of abs' -- 'int abs(int)' x
fails 1 'argument 1 (p, struct point) of' -- \
    "$callee" "$point same_point(struct point p)" x
fails 1 name -- 'int (int)' 1
for list in '{' '{1' '{1,' '{ x = 1 ' '{1, 2'; do
    fails 1 "the list has no end: '}' is missing" -- \
        "$callee" "$point same_point(struct point p)" "$list"
done
fails 1 "the list has no end: '}' is missing" -- \
    "$callee" 'void count_up(int *)' '@[]{'
fails 1 "the list has no end: '}' is missing" -- \
    "$callee" 'void count_up(int *)' '@[3]{1, 2'
fails 1 "the '[' after '@' has no ']'" -- "$callee" 'void count_up(int *)' '@[3'
fails 1 "')'" 1:10 -- 'int f(int' 1
fails 1 1:1 -- '(' 1
fails 1 'struct s' -- "$callee" 'struct s f(void)'
run call 'int f(oid *)' 1
holds 'an error of syntax has a line with a caret' grep -q '^ *^' errors

holds 'one sentence, and nothing on standard output' \
    test -z "$output" -a "$(head -c 8 errors)" = 'ffi-rt: '
run call 'int abs(int)' pear
holds 'a sentence is one line' test "$(wc -l < errors)" -eq 1

# A word is shown, but not all of a long one.
run call 'int abs(int)' "$(printf 'pear%01000d' 0)"
holds 'a long word is cut' test "${#errors}" -lt 200
run call 'int printf(const char *, ...)' %d "$(printf '9%01000d' 0)"
holds 'a long number is cut' test "${#errors}" -lt 200
