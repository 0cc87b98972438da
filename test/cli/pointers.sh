# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# Strings and addresses.

same_as string 'char *' hello '"hello"'
same_as string 'char *' '' '""'
same_as string 'char *' 'two words' '"two words"'
same_as string 'char *' '"quoted\n\x41"' '"quoted\nA"'
same_as string 'char *' '"null"' '"null"'
same_as string 'char *' null null
same_as string 'char *' 'back\slash' '"back\\slash"'
same_as string 'char *' 'é' '"é"'
same_as string 'const char *' 'héllo' '"héllo"'
same_as pointer 'void *' null null
same_as pointer 'void *' 0x1234 0x1234
same_as pointer 'void *' 0XAB 0xab
same_as pointer 'int *' 0x1000 0x1000
prints 4 'size_t strlen(const char *)' '"a\tb\\"'
prints 3 'size_t strlen(const char *)' '"a\nb\0c"'
prints 0 'int memcmp(const void *, const void *, size_t)' '"abc"' '"abc"' 3
prints 5 'size_t strlen(const unsigned char *)' hello

# A string for a char * is a copy of its own, which the function may write.
prints '"he"' 'char *strtok(char *, const char *)' heLLo L

# What is no string, or none that can be read, is shown as its address.
prints 0x8 "$callee" 'const char *bad_string(void)'
prints '"tab\t quote\" back\\ é \3771"' "$callee" 'const char *odd_string(void)'

# Functions as arguments: an address or nothing.
prints null "$callee" 'void (*same_pointer(void (*f)(int)))(int)' null
prints 0x40 "$callee" 'void (*same_pointer(void (*f)(int)))(int)' 0x40
fails 1 'function' -- "$callee" 'void *same_pointer(void (*f)(int))' qsort

fails 1 'argument 1' 'void *' pear 'not a pointer' '@"text"' -- \
    "$callee" 'void *same_pointer(void *)' pear
fails 1 'not a pointer' -- "$callee" 'void *same_pointer(int *)' 5
fails 1 'argument 1' -- "$callee" 'char *same_string(char *)' '"open'
fails 1 'argument 1' escape -- "$callee" 'char *same_string(char *)' '"\q"'
