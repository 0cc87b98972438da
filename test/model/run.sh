#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# run.sh: searches the model of shared sessions, every scenario to the end, and
# shows that each deliberate mistake is found. A scenario has 60 s of a processor and 2 GB;
# one that needs more, or is cut at the search depth, does not hold.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=test/tap.sh
. "$here/../tap.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

scenarios=(
    [1]='one user, one closer that tries again'
    [2]='two users, one closer'
    [3]='one user, two closers'
    [4]='a ticket is released on another thread'
    [5]='the closer used it alone while a second thread binds'
    [6]='holds on the shared counter'
    [7]='a closer stops inside CLOSING and users go on'
    [8]='the next life of the slot, and a stale handle'
    [9]='a copy of a ticket is released after the first'
    [10]='nested holds, two closers'
    [11]='a thread ends holding and another takes its stripes over'
    [12]='closers of two sessions share a barrier'
    [13]='mode fence: two users, two closers'
)

# Mistake by mistake: a scenario that must fail.
mistakes='
NO_BARRIER 1
NO_VETO 2
PLAIN_COMMIT 2
NOT_SERIALISED 3
RELAXED_BIND 5
EARLY_SCAN 3
SHARED_FORGOTTEN 6
LOAD_FIRST 1
NO_UNDO 1
TRY_AGAIN 3
RELAXED_RELEASE 1
ALWAYS_ALONE 5
SCAN_ANY_LIFE 8
REMOTE_WITHOUT_LIFE 9
OLD_BARRIER 12
NO_FENCE 13
'

# Leaves the verifier's report in FOLDER/report.
search() # FOLDER SPIN-OPTION...
{
    local folder=$1
    shift
    mkdir -p "$folder" && cd "$folder" || return 1
    cp "$here"/*.pml . &&
        spin -a "$@" session.pml > spin.log 2>&1 &&
        "${CC:-gcc}" -O1 -w -DSAFETY -DCOLLAPSE -DMEMLIM=2000 -o pan pan.c &&
        (ulimit -t 60 && exec timeout 600 ./pan -m1000000) > report 2>&1
}

states()
{
    awk '/ states, stored/ { print $1 " states" }' "$1/report" 2> /dev/null
}

# The search came to its end and found nothing.
holds() # FOLDER
{
    grep -q 'errors: 0$' "$1/report" &&
        grep -q '^Full statespace search' "$1/report" &&
        ! grep -qE 'max search depth too small|out of memory|Search not completed' \
            "$1/report"
}

# One of the contract's assertions does not hold: an end that is no end, or a
# model that does not compile, is not what the mistake should show.
found() # FOLDER
{
    grep -q 'errors: 1$' "$1/report" &&
        grep -q 'assertion violated' "$1/report"
}

run_scenario() # NUMBER
{
    (search "$scratch/$1" -DSCENARIO="$1")
}

run_mistake() # MISTAKE SCENARIO
{
    (search "$scratch/$1" -DSCENARIO="$2" -DMISTAKE_"$1")
}

report_of() # FOLDER
{
    tail -n 5 "$1/spin.log" 2> /dev/null
    grep -E 'pan:|errors:|stored|depth|memory' "$1/report" 2> /dev/null ||
        echo 'no report: it took too long, or too much memory'
}

# As many at once as there are processors.
at_once=$(nproc)
all()
{
    local jobs=0 name number
    for number in "${!scenarios[@]}"; do
        run_scenario "$number" &
        jobs=$((jobs + 1))
        [ $((jobs % at_once)) -ne 0 ] || wait
    done
    while read -r name number; do
        [ -n "$name" ] || continue
        run_mistake "$name" "$number" &
        jobs=$((jobs + 1))
        [ $((jobs % at_once)) -ne 0 ] || wait
    done <<< "$mistakes"
    wait
}

if ! command -v spin > /dev/null; then
    tap_skip 'the model of shared sessions' 'no spin'
    tap_end
    exit
fi

all
for number in "${!scenarios[@]}"; do
    name="scenario $number holds: ${scenarios[number]}"
    if holds "$scratch/$number"; then
        tap_ok "$name ($(states "$scratch/$number"))"
    else
        tap_not_ok "$name" "$(report_of "$scratch/$number")"
    fi
done
while read -r name number; do
    [ -n "$name" ] || continue
    if found "$scratch/$name"; then
        tap_ok "mistake $name is found in scenario $number ($(states "$scratch/$name"))"
    else
        tap_not_ok "mistake $name is found in scenario $number" \
            "$(report_of "$scratch/$name")"
    fi
done <<< "$mistakes"
tap_end
