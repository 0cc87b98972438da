#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# run.sh TREE BUILD [PAGE]...: what README.md shows is what happens: its first
# program compiles and prints 1024, and its commands print what stands below
# them; so do those of the other pages, the manual's among them.
set -uo pipefail
tree=$(realpath "$1")
build=$(realpath "$2")
shift 2
# shellcheck source=test/tap.sh
. "$tree/test/tap.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

check() # NAME WANTED SEEN
{
    if [ "$2" = "$3" ]; then
        tap_ok "$1"
    else
        tap_not_ok "$1" "wanted: $2
seen: $3"
    fi
}

sed -n '/^```c$/,/^```$/p' "$tree/README.md" | sed '1d;$d' > "$scratch/first.c"
seen=$({ "${CC:-cc}" -Wall -Wextra -Werror -I"$tree" "$scratch/first.c" \
    -o "$scratch/first" -L"$build/ffi_rt" -lffi_rt \
    -Wl,-rpath,"$build/ffi_rt" && "$scratch/first"; } 2>&1)
check 'the first program' 1024 "$seen"

# Each `$ command` of a page with the lines below it, up to the next or the end
# of its block. A line that ends in ... stands for any end, one that ends in \
# goes on in the next.
cd "$scratch" || exit 1
PATH=$build/ffi_rt/cli:$PATH
command=
wanted=
finish()
{
    local seen
    [ -n "$command" ] || return
    seen=$(eval "$command" 2>&1)
    if [[ $wanted == *... ]]; then
        seen=${seen:0:$((${#wanted} - 3))}...
    fi
    check "$command" "$wanted" "$seen"
    command=
    wanted=
}

pages() # PAGE...
{
    local page

    for page; do
        case $page in
            # the examples of a manual page, without its escapes
            *.1) sed -n '/^\.SH EXAMPLES/,/^\.EE/p' "$page" |
                sed -e "s/\\\\(aq/'/g" -e 's/\\(dq/"/g' -e 's/\\-/-/g' \
                    -e 's/\\e/\\/g' -e 's/^\.EE/```/' ;;
            *) cat "$page" ;;
        esac
    done
}

while IFS= read -r line; do
    if [[ $command == *'\' ]]; then
        command=${command%'\'}$line
        continue
    fi
    case $line in
        '$ '*)
            finish
            command=${line#\$ }
            ;;
        '```')
            finish
            ;;
        *) [ -z "$command" ] || wanted+=${wanted:+$'\n'}$line ;;
    esac
done < <(cd "$tree" && pages README.md "$@")

# The table of binding.md says what the Lua module calls: each name of its
# second column is called there.
not_called()
{
    local name

    sed -n '/^## An example: the Lua module/,$p' "$tree/ffi_rt/binding.md" |
        awk -F'|' '/^\|/ { print $3 }' | grep -oE '\bfrt_[a-z0-9_]+' |
        sort -u > names
    [ -s names ] || echo 'the table has no names'
    while read -r name; do
        grep -qE "\b$name\(" "$tree"/ffi_rt/lua/*.c || echo "$name"
    done < names
}
tap_findings 'what binding.md says that the Lua module calls' not_called
tap_end
