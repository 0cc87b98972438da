#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# syscalls.sh TRACED: the system calls of sessions, counted by strace.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tap.sh"
traced=$1

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The calls of the thread that wrote the marks, between them, a name a line.
between() # WHAT
{
    strace -f -qq -o "$scratch/log" "$traced" "$1" 2> "$scratch/why" || {
        cat "$scratch/why" "$scratch/log"
        return
    }
    awk '
        /write\(2, "", 0\)/ { marks++; thread = $1; next }
        marks == 1 && $1 == thread { sub(/\(.*/, "", $2); print $2 }
        END { if (marks != 2) print "marks: " marks }
    ' "$scratch/log"
}

# The allocator's are its own.
beside_allocator()
{
    between "$1" | grep -vxE 'brk|mmap|munmap|madvise|mprotect|mremap' || true
}

count()
{
    between "$1" | grep -cx "$2" || true
}

few() # WHAT MOST
{
    number=$(count "$1" membarrier)
    if [ "$number" -ge 1 ] && [ "$number" -le "$2" ]; then
        tap_ok "$3: $number barriers"
    else
        tap_not_ok "$3" "$number barriers"
    fi
}

if ! command -v strace > /dev/null || ! strace -o /dev/null true 2> /dev/null; then
    tap_skip 'system calls' 'no strace here'
    tap_end
    exit
fi
tap_findings 'a thousand private sessions make no system call' \
    beside_allocator private
tap_findings 'a thousand closes that find a holder make none' \
    beside_allocator held
few many 2 'a batch of a thousand closes while another thread runs'
few single 1000 'a thousand closes one by one'
tap_end
