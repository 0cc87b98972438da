#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# agree.sh LUAJIT LUA [SEED...]: what agree.lua prints is the same on both.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=test/tap.sh
. "$here/../tap.sh"
reference=$1
lua=$2
shift 2
[ $# -gt 0 ] || set -- 1 2 "$(tap_seed)"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

compare() # SEED
{
    "$reference" "$here/agree.lua" "$1" > "$scratch/reference" ||
        echo "$reference did not come to the end"
    "$lua" "$here/agree.lua" "$1" > "$scratch/ours" ||
        echo "$lua did not come to the end"
    diff "$scratch/reference" "$scratch/ours" | grep '^[<>]' | head -n 40
}

for seed; do
    tap_findings "as LuaJIT, seed $seed" compare "$seed"
done
# a difference would be seen
echo 'no such line' >> "$scratch/reference"
if [ ! -s "$scratch/ours" ] ||
    diff -q "$scratch/reference" "$scratch/ours" > /dev/null; then
    tap_not_ok 'there is something to compare' 'nothing is there, or what differs is equal'
else
    tap_ok "$(wc -l < "$scratch/ours") lines were compared"
fi
tap_end
