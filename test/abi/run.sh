#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# run.sh GENERATE CORPUS PLAIN [SEED]: random signatures, and the corpus, called
# by both backends and checked by the C compilers; and upcalls, called and
# checked by them. PLAIN is GENERATE as on a CPU that has no convention of ours,
# which refuses most.
#
# 4,000 signatures among all suites, 20,000 when test/run is asked for this one,
# FRT_ABI_COUNT if that is set; FRT_TEST_LONG makes that 200,000.
set -u
here=$(dirname "$0")
# shellcheck source=test/tap.sh
. "$here/../tap.sh"

generate=$1
corpus=$2
plain=$3
seed=${4-$(tap_seed)}
count=4000
[ -z "${FRT_TEST_NAMED-}" ] || count=20000
count=${FRT_ABI_COUNT-$count}
[ -z "${FRT_TEST_LONG-}" ] || count=200000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! command -v clang > /dev/null; then
    echo '# no clang: by gcc alone'
    export FRT_ABI_CLANG=
fi
echo "# seed $seed"

# The program compiles and calls this many at a time; each round has its own
# seed.
most=4000

tap_signatures() # NAME PROGRAM SEED COUNT
{
    if timeout 900 "$2" --seed "$3" --count "$4" --backend all \
        --keep "$work/signatures" > "$work/log" 2>&1; then
        tap_ok "$4 $1, seed $3"
        sed -n 's/^.* mismatches$/# &/p' "$work/log"
    else
        tap_not_ok "$4 $1, seed $3" "$(tail -n 400 "$work/log")"
    fi
}

# Its lines are tests, each by itself.
tap_corpus() # BACKEND
{
    mkdir -p "$work/corpus"
    timeout 600 "$corpus" --backend "$1" "$work/corpus" > "$work/log" 2>&1
    tap_status=$?
    while IFS= read -r line; do
        case $line in
            'ok '*) tap_ok "$1: ${line#*- }" ;;
            'not ok '*) tap_not_ok "$1: ${line#*- }" 'as the next line says' ;;
            '1..'*) ;;
            *) echo "# $line" ;;
        esac
    done < "$work/log"
    [ "$tap_status" -le 1 ] || tap_not_ok "$1: the corpus" "$(cat "$work/log")"
}

tap_corpus libffi
tap_corpus stub
first=0
while [ "$first" -lt "$count" ]; do
    size=$((count - first < most ? count - first : most))
    tap_signatures 'random signatures' "$generate" $((seed + first)) "$size"
    first=$((first + size))
done
size=$((count / 8 < most ? count / 8 : most))
tap_signatures 'signatures without a convention' "$plain" "$seed" "$size"
tap_end
