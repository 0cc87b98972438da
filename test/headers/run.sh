#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# run.sh FFI_RT: every header of the list is accepted as the preprocessor leaves
# it, and the C compiler has the same sizes, alignments, offsets and ways by
# value for all that it declares. Two at a time. With FRT_TEST_LONG=1, all other
# headers of those packages, too: those that the compiler takes alone.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/headers/examine.sh
. "$here/examine.sh" "$1"

# The doctor's last line says that nothing differs, or the reason is told.
examine() # HEADER
{
    local output
    output=$(timeout 120 "$ffi_rt" doctor "${@:2}" "$1" 2>&1)
    case $? in
        0) echo "ok $1 $(tail -n 1 <<< "$output")" ;;
        *) echo "no $1 $(grep -v '^#' <<< "$output" | head -n 3 | tr '\n' ' ')"
            ;;
    esac
}
export -f examine

# The package's headers, as a C file includes them.
package_headers() # PACKAGE
{
    dpkg -L "$1" 2> /dev/null | grep '\.h$' |
        sed -n 's,^/usr/include/\([a-z0-9_]*-linux-gnu/\)\?,,p' |
        grep -v '^bits/\|^gnu/'
}

exists() # HEADER
{
    echo "#include <$1>" | "${CC:-cc}" -E -M -x c - > /dev/null 2>&1
}

stands_alone() # HEADER
{
    echo "#include <$1>" |
        "${CC:-cc}" "${options[@]}" -w -fsyntax-only -x c - > /dev/null 2>&1
}

package=
while IFS= read -r line; do
    case $line in
        '#'*) ;;
        '['*)
            package=${line//[][]/}
            there=unknown
            ;;
        *)
            # one look for each package: what it has, it has together
            [ "$there" != unknown ] || { exists "$line" && there=yes; } ||
                there=no
            if [ "$there" = yes ]; then
                echo "$line" >> "$scratch/headers"
            else
                tap_skip "$line" "$package is not installed"
            fi
            ;;
    esac
done < "$here/list"
if [ -n "${FRT_TEST_LONG-}" ] && command -v dpkg > /dev/null; then
    sed -n 's/^\[\(.*\)\]$/\1/p' "$here/list" |
        while IFS= read -r package; do
            package_headers "$package"
        done | sort -u | grep -vxFf "$scratch/headers" > "$scratch/others"
    while IFS= read -r header; do
        if stands_alone "$header"; then
            echo "$header"
        else
            echo "$header" >> "$scratch/refused"
        fi
    done < "$scratch/others" >> "$scratch/headers"
fi

examine_all "$scratch/headers" "${options[@]}"
[ ! -s "$scratch/refused" ] || while IFS= read -r header; do
    tap_skip "$header" 'the compiler refuses it alone'
done < "$scratch/refused"
tap_end
