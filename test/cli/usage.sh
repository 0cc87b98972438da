# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# Help, version, wrong usage, and an output that cannot be written.

usage() # WORD ARGUMENT...
{
    local word=$1
    shift
    run "$@"
    if [ "$status" -eq 2 ] && [[ $errors == *"$word"* ]] && [ -z "$output" ]
    then
        tap_ok "usage: $*"
    else
        report "usage: $*" "status 2 and '$word'"
    fi
}

shows() # WORD ARGUMENT...
{
    local word=$1
    shift
    run "$@"
    if [ "$status" -eq 0 ] && [[ $output == *"$word"* ]] && [ -z "$errors" ]
    then
        tap_ok "shows: $*"
    else
        report "shows: $*" "status 0 and '$word'"
    fi
}

usage 'usage: ffi-rt'
usage nosuch nosuch
usage 'no prototype' call
usage 'no prototype' call libm.so.6
usage 'no function' call --header stdlib.h
usage "has no '('" call libm.so.6 pow 1 2
usage --nosuch call --nosuch 'int abs(int)' 1
usage --libx call --libx 'int abs(int)' 1
usage "'int abs' has no '('" call 'int abs' 3
usage '--lib wants a value' call --lib
usage '--header wants a value' call --header
usage '-I wants a value' call -I
usage '--header wants a value' layout --header
usage '--target wants a value' explain --target
usage '-D wants a value' doctor -D
usage '--only wants a value' import --only
usage jit call --backend jit 'int abs(int)' 1
usage 'no argument' version 5

shows 'usage: ffi-rt COMMAND' --help
shows 'usage: ffi-rt COMMAND' -h
shows 'usage: ffi-rt COMMAND' help
shows 'usage: ffi-rt call' call --help
shows 'usage: ffi-rt call' call --json --help
shows 'usage: ffi-rt version' version --help
shows 0.1.0 version
shows 0.1.0 --version

full() # ARGUMENT...
{
    "$ffi_rt" "$@" > /dev/full 2> errors
    status=$?
    errors=$(< errors)
    holds "a full disk: $*" test "$status" -eq 1 -a \
        "${errors#ffi-rt: }" != "$errors"
}
closed() # ARGUMENT...
{
    "$ffi_rt" "$@" >&- 2> errors
    status=$?
    errors=$(< errors)
    holds "no standard output: $*" test "$status" -eq 1 -a \
        "${errors#ffi-rt: }" != "$errors"
}
if [ -c /dev/full ]; then
    full call 'int abs(int)' -3
    full call 'int puts(const char *)' hello
    full version
    full --help
else
    tap_skip 'a full disk' 'no /dev/full'
fi
closed call 'int abs(int)' -3
closed version
closed call --no-isolate 'int abs(int)' -3
