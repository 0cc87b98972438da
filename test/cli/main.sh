# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# What everybody tries first.

prints 1024 libm.so.6 'double pow(double, double)' 2 10
prints '{quot = 3, rem = 2}' 'struct { int quot; int rem; } div(int, int)' 17 5
prints 5 'size_t strlen(const char *)' hello
prints '0.5
#2 = 4' libm.so.6 'double frexp(double, int *)' 8 @
prints 10 'int snprintf(char *, size_t, const char *, ...)' null 0 \
    '%d %.2f %s' 42 2.5 ok
prints '-1
errno = 9 (Bad file descriptor)' --errno 'int close(int)' -1
prints 3421780262 libz.so.1 \
    'unsigned long crc32(unsigned long, const char *, unsigned)' 0 123456789 9
fails 1 SIGSEGV libc strlen -- 'size_t strlen(const char *)' null
fails 1 nosuch 'the default libraries' -- 'int nosuch(int)' 1
fails 1 oid '1:7' -- 'int f(oid *)' 1
fails 1 'argument 1' int -2147483648 2147483647 -- 'int abs(int)' 99999999999999
fails 1 'too few' 'abs wants 1, not 0' -- 'int abs(int)'
fails 1 'too many' 'abs wants 1, not 2' -- 'int abs(int)' 1 2
fails 1 'argument 1' pear 'not an integer' -- 'int abs(int)' pear

# Without a library it is one of the default ones.
prints 'hello
6' 'int puts(char *)' hello
prints 1.5 'double sqrt(double)' 2.25
prints 42 'int atoi(const char *)' 42

# By bare name, by file name, by path; in order; and the default ones last.
prints 3421780262 z \
    'unsigned long crc32(unsigned long, const char *, unsigned)' 0 123456789 9
prints 8 "$callee" 'int function(int)' 7
prints 8 --lib "$callee" 'int function(int)' 7
prints 8 "--lib=$callee" 'int function(int)' 7
prints 8 --lib libz.so.1 --lib "$callee" libm.so.6 'int function(int)' 7
prints 3 "$callee" 'int abs(int)' -3
fails 1 nosuch libz.so.1 "$callee" libm.so.6 default -- --lib libz.so.1 \
    --lib "$callee" libm.so.6 'int nosuch(void)'
fails 1 libnosuch.so.1 -- libnosuch.so.1 'int abs(int)' 1
fails 1 some_data data -- "$callee" 'int some_data(void)'

# Versions: the one that is asked for, or the default.
prints 1 "$callee" 'int versioned@V1(void)'
prints 2 "$callee" 'int versioned@V2(void)'
prints 2 "$callee" 'int versioned@@V2(void)'
prints 2 "$callee" 'int versioned(void)'
fails 1 versioned@V3 -- "$callee" 'int versioned@V3(void)'
fails 1 versioned@@V1 -- "$callee" 'int versioned@@V1(void)'

# Options end at the first operand.
prints 1 'int abs(int)' -1
prints 3 -- 'int abs(int)' -3
fails 1 'too many' -- 'int abs(int)' 1 --json
prints 42 --backend libffi 'int abs(int)' -42
prints 42 --backend auto 'int abs(int)' -42
if FRT_BACKEND=stub "$ffi_rt" call 'int abs(int)' 1 > /dev/null 2>&1; then
    prints 42 --backend stub 'int abs(int)' -42
else
    fails 1 stub -- --backend stub 'int abs(int)' -42
fi
