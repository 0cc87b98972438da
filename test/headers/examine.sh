# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154,SC2034
# Sourced by the tests of headers, with FFI_RT as its argument, for what they
# begin with: $ffi_rt, the $options for the compiler, and a folder $scratch.
# shellcheck source=test/tap.sh
. "$here/../tap.sh"
ffi_rt=$(realpath "$1")
options=(-D_GNU_SOURCE -I/usr/include/lua5.4)

if ! command -v "${CC:-cc}" > /dev/null; then
    echo '1..0 # SKIP no C compiler'
    exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export ffi_rt scratch

# Runs the exported `examine HEADER OPTION...` on each line of the file, two at a
# time. It prints `ok HEADER WHAT-IS-SAID` or `no HEADER WHAT-IS-WRONG`.
examine_all() # FILE OPTION...
{
    local file=$1 result header rest
    shift
    # shellcheck disable=SC2016
    xargs -P 2 -n 1 bash -c 'examine "$1" '"$*" examine \
        < "$file" > "$scratch/results"
    while read -r result header rest; do
        if [ "$result" = ok ]; then
            tap_ok "$rest"
        else
            tap_not_ok "$header" "$rest"
        fi
    done < <(sort -k 2 "$scratch/results")
    wc -l < "$scratch/results" > "$scratch/count"
    tap_prints 'each header has a result' "$(wc -l < "$file")" \
        cat "$scratch/count"
}
