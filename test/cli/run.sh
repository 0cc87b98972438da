#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# run.sh FFI_RT CALLEE BROKEN [HALF]: the command, from outside. CALLEE, BROKEN
# and HALF are the libraries made of callee.c, broken.c and half.c.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/tap.sh
. "$here/../tap.sh"

ffi_rt=$(realpath "$1")
callee=$(realpath "$2")
# shellcheck disable=SC2034
broken=$(realpath "$3")
# shellcheck disable=SC2034
half=${4:+$(realpath "$4")}
if [ ! -x "$ffi_rt" ]; then
    echo "Bail out! no command at $1"
    exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

# Runs the command; its output is in $output and $errors. Not longer than it
# could ever need: something that hangs is a failure, too.
run() # ARGUMENT...
{
    timeout 60 "$ffi_rt" "$@" > "$scratch/output" 2> "$scratch/errors"
    status=$?
    output=$(< "$scratch/output")
    errors=$(< "$scratch/errors")
}

report() # NAME WANTED
{
    tap_not_ok "$1" "wanted: $2
exit status $status
stdout: $output
stderr: $errors"
}

# `call ARGUMENT...` prints TEXT and nothing on standard error.
prints() # TEXT ARGUMENT...
{
    local wanted=$1
    shift
    run call "$@"
    if [ "$status" -eq 0 ] && [ "$output" = "$wanted" ] && [ -z "$errors" ]
    then
        tap_ok "$*"
    else
        report "$*" "$wanted"
    fi
}

# `call ARGUMENT...` fails with STATUS and a sentence with each of the WORDS.
fails() # STATUS WORD... -- ARGUMENT...
{
    local wanted=$1 words=() word
    shift
    while [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    shift
    run call "$@"
    if [ "$status" -ne "$wanted" ] || [[ $errors != 'ffi-rt: '* ]]; then
        report "$*" "status $wanted, words ${words[*]}"
        return
    fi
    for word in "${words[@]}"; do
        if [[ $errors != *"$word"* ]]; then
            report "$*" "status $wanted and the word '$word'"
            return
        fi
    done
    tap_ok "fails: $*"
}

# A function of the callee that gives back its one argument, which is printed
# in another way than it is written. A struct is declared once.
same_as() # FUNCTION TYPE VALUE PRINTED
{
    prints "$4" "$callee" "$2 same_$1(${2%%\{*})" "$3"
}

# The same, where what is printed is what was written.
same() # FUNCTION TYPE VALUE...
{
    local function=$1 type=$2 value
    shift 2
    for value; do
        same_as "$function" "$type" "$value" "$value"
    done
}

holds() # NAME COMMAND...
{
    local name=$1
    shift
    if "$@"; then
        tap_ok "$name"
    else
        report "$name" "$*"
    fi
}

for part in main integers floats pointers aggregates pointees variadic \
    callbacks errors json isolation explain usage headers lua; do
    # shellcheck disable=SC1090
    . "$here/$part.sh"
done
tap_end
