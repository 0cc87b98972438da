#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# printed.sh FFI_RT: what `import` prints of a header is C for gcc and clang, and
# read again it declares the same: types with the same layouts, functions with
# the same descriptors, constants of the same values. The Lua module that it
# prints is one, if FRT_TEST_LUA is yes. Two at a time; one header in six of the
# list, with FRT_TEST_LONG=1 all.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/headers/examine.sh
. "$here/examine.sh" "$1"

# What is declared, a line each, in the order of names. Where it is declared,
# and underscores that only the text has, do not count; of a macro its value
# alone. What no library has is left out.
facts() # OPTION... HEADER
{
    "$ffi_rt" import --json "$@" |
        sed -n 's/[],}]*$//
            s/"file": "[^"]*", "line": [0-9]*, //
            s/"name": "_*\([^"]*\)", "type"/"name": "\1", "type"/g
            s/"type": "[^"]*", "value"/"value"/
            /"symbol": null/d
            /^  {/p' | sort
}

# clang has no _Complex _Float128, which gcc's <complex.h> declares.
compile() # COMPILER FILE
{
    command -v "$1" > /dev/null || return 0
    if [ "$1" = clang ] && grep -q 'Float128 _Complex\|_Complex _Float128' "$2"
    then
        return 0
    fi
    "$1" -fsyntax-only -x c "$2" 2>&1
}

examine() # HEADER OPTION...
{
    local header=$1 at=$scratch/${1//\//_} faults
    shift
    faults=$(
        exec 2>&1
        "$ffi_rt" import "$@" "$header" > "$at.h" || exit
        compile gcc "$at.h" | head -n 3
        compile clang "$at.h" | head -n 3
        [ "${FRT_TEST_LUA-}" != yes ] ||
            { "$ffi_rt" import --lua "$@" "$header" > "$at.lua" &&
                "$ffi_rt" lua "$at.lua" 2>&1 | head -n 1; }
        facts "$@" "$header" > "$at.one"
        facts "$at.h" > "$at.two"
        [ ! -s "$at.h" ] || [ -s "$at.two" ] || echo 'it declares nothing'
        comm -3 "$at.one" "$at.two" | head -n 3
    )
    faults=${faults//$'\n'/ }
    if [ -z "${faults// /}" ]; then
        echo "ok $header $header: $(wc -l < "$at.two") declarations"
    else
        echo "no $header $faults"
    fi
}
export -f examine facts compile

step=6
[ -z "${FRT_TEST_LONG-}" ] || step=1
grep '^[^#[]' "$here/list" | awk -v step=$step 'NR % step == 0' |
    while IFS= read -r header; do
        if echo "#include <$header>" |
            "${CC:-cc}" "${options[@]}" -E -M -x c - > /dev/null 2>&1; then
            echo "$header"
        else
            echo "$header" >> "$scratch/absent"
        fi
    done > "$scratch/headers"
examine_all "$scratch/headers" "${options[@]}"
[ ! -s "$scratch/absent" ] || while IFS= read -r header; do
    tap_skip "$header" 'it is not installed'
done < "$scratch/absent"
tap_end
