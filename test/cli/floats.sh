# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# Floating numbers: the shortest text that reads back as the same number.

same double double 0 -0 1 1024 100 0.1 -2.5 1e+300 5e-324 0.00001 1.5e-06 \
    123456.789 2.2250738585072014e-308 1.7976931348623157e+308 inf -inf nan \
    0.30000000000000004
same_as double double 0x1p-3 0.125
same_as double double 1e3 1000
same_as double double 7 7
same_as double double .5 0.5
same_as double double INFINITY inf
same float float 0.1 16777216 3.4028235e+38 1e-45 -7.25
same_as float float 0.10000000149011612 0.1
same long_double 'long double' 0.1 1e+4000 -1.5 3.1415926535897932385
same float_complex 'float _Complex' 1+2i -1.5-0.25i 0+1i
same double_complex 'double _Complex' 1+2i 0.1-1e+100i nan+infi
same long_double_complex 'long double _Complex' 1+2i
same_as double_complex 'double _Complex' '{1, 2}' 1+2i
same_as double_complex 'double _Complex' 3 3+0i
same_as double_complex 'double _Complex' 2i 0+2i
if [ -n "$half" ]; then
    for value in 1.5 65504 0.1 6e-08 -inf nan; do
        prints "$value" "$half" '_Float16 same_half(_Float16)' "$value"
    done
    prints '{one = 2, other = 1.5}' "$half" \
        'struct h { _Float16 one, other; } swap_halves(struct h)' '{1.5, 2}'
    fails 1 'out of range' 65504 -- "$half" '_Float16 same_half(_Float16)' 1e5
else
    tap_skip 'half precision' 'the compiler has no _Float16'
fi

fails 1 'out of range' double 1.7976931348623157e+308 -- \
    "$callee" 'double same_double(double)' 1e309
fails 1 'out of range' float 3.4028235e+38 -- \
    "$callee" 'float same_float(float)' 1e39
for word in '' pear 1.5x 0x 1e ' 1' true 1+2i; do
    fails 1 'argument 1' double 'not a number' -- \
        "$callee" 'double same_double(double)' "$word"
done
fails 1 'not a complex number' -- "$callee" \
    'double _Complex same_double_complex(double _Complex)' 1+2
