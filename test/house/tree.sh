# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# Sourced by the checks: the files of the project, by kind. The current folder
# is the top of the tree that is looked at.

# Everything but builds, whatever their names, and version control.
tree_files()
{
    find . \( -name .git -o -path './build*' -o \
        -type d -exec test -d '{}/meson-private' \; \) -prune -o \
        -type f -print |
        sed 's,^\./,,' | LC_ALL=C sort
}

tree_code()
{
    tree_files | grep '\.[chS]$'
}

tree_scripts()
{
    tree_files | while IFS= read -r file; do
        read -r first < "$file"
        case $first in
            '#!'*) echo "$file" ;;
        esac
    done
}
