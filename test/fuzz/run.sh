#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# run.sh TREE BUILD: the parser under libFuzzer with the address and
# undefined-behaviour sanitizers, from the corpus beside this file: ten seconds,
# or ten minutes with FRT_TEST_LONG=1. A crash, a leak, an input that takes over
# ten seconds or over 2 GiB fails, and is kept in BUILD/fuzz.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/tap.sh
. "$here/../tap.sh"
tree=$(realpath "$1")
build=$(realpath "$2")
seconds=10
[ -z "${FRT_TEST_LONG-}" ] || seconds=600

# shellcheck disable=SC2054
flags=(-g -O1 -std=gnu11 -D_GNU_SOURCE -I"$tree" -fno-omit-frame-pointer
    -fsanitize=address,undefined -fno-sanitize-recover=undefined)
echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void)
{ return 0; }' > "$build/fuzz-try.c"
if ! clang -fsanitize=fuzzer "$build/fuzz-try.c" -o "$build/fuzz-try" \
    2> /dev/null; then
    rm -f "$build/fuzz-try.c"
    echo '1..0 # SKIP no clang with libFuzzer'
    exit 0
fi
rm -f "$build/fuzz-try" "$build/fuzz-try.c"
work=$build/fuzz
mkdir -p "$work/objects" "$work/found" "$work/growing"

# The files of the floors that the build chose for this machine.
sources()
{
    grep -o '"file": "[^"]*ffi_rt/\(base\|layout\|cdecl\)/[^"]*\.c"' \
        "$build/compile_commands.json" |
        sed 's,.*\(ffi_rt/.*\)"$,\1,' | sort -u
}

compile() # SOURCE
{
    clang "${@:2}" -fsanitize=fuzzer-no-link -c "$1" \
        -o "objects/${1//\//_}.o"
}
export -f compile

cd "$work" || exit 1
ln -sfn "$tree/ffi_rt" ffi_rt
# shellcheck disable=SC2016
tap_run 'the target compiles' bash -c '
    set -e
    sources=$1
    shift
    xargs -P 2 -I {} bash -c "compile {} $*" <<< "$sources"
    clang "$@" -fsanitize=fuzzer "$0" objects/*.o -o declarations \
        -lpthread -ldl' "$here/declarations.c" "$(sources)" "${flags[@]}"

./declarations -seed="$(tap_seed)" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len=4096 -use_value_profile=1 -print_final_stats=1 \
    -dict="$here/words" -artifact_prefix=found/ -verbosity=1 \
    growing "$here/corpus" > log 2>&1
status=$?
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' log)
name="${runs:-no} executions in $seconds s"
if [ "$status" -eq 0 ] && [ "${runs:-0}" -gt 0 ]; then
    tap_ok "$name"
else
    tap_not_ok "$name" "$(tail -n 40 log)"
fi
tap_end
