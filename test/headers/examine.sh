# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# Sourced by the tests of headers, after tap.sh.

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
