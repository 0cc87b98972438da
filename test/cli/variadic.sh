# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# In place of a `...` a value has the type that its text asks for.

print='int snprintf(char *, size_t, const char *, ...)'
formatted() # TEXT FORMAT ARGUMENT...
{
    local wanted=$1
    shift
    prints "${#wanted}
#1 = \"$wanted\"" "$print" '@[64]' 64 "$@"
}

formatted '42 2.50 ok' '%d %.2f %s' 42 2.5 ok
formatted '-1 7 99' '%d %d %d' -1 0x7 "'c'"
formatted 9223372036854775807 %lld 9223372036854775807
formatted 2147483648 %lld 2147483648
formatted 18446744073709551615 %llu 18446744073709551615
formatted '1000 0.5 1.5' '%g %g %g' 1e3 .5 0x1.8p0
formatted '(nil)' %p null
formatted 'nan inf true' '%s %s %s' nan inf true
formatted '42 a b' '%s %s' '"42"' 'a b'
formatted '@x' %s @x
formatted plain plain
formatted '1 2 3 4 5 6 7 8 9 10' '%d %d %d %d %d %d %d %d %d %d' \
    1 2 3 4 5 6 7 8 9 10
formatted '1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5' \
    '%g %g %g %g %g %g %g %g %g' 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5
prints '2
#3 = 12
#4 = 2.5' 'int sscanf(const char *, const char *, int *, double *)' \
    '12 2.5' '%d %lf' @ @

fails 1 'too few' 'at least 3, not 2' -- "$print" null 0
fails 1 'argument 4' 'out of range' -- "$print" null 0 %d \
    99999999999999999999999
