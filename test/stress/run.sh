#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# run.sh: shared sessions under stress, as plain programs: in each mode, under
# the sanitizers, with many threads and with few. Builds that have one thing
# weakened must be caught by the same program, or it shows nothing. About ten
# seconds of stress; a minute with FRT_TEST_LONG.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=test/tap.sh
. "$here/../tap.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
seconds=1
[ -z "${FRT_TEST_LONG-}" ] || seconds=6

# What the programs are made of: two floors, and of the one between them
# nothing is used.
sources='ffi_rt/base/allocator.c ffi_rt/base/allocator_libc.c
    ffi_rt/base/barrier.c ffi_rt/base/membarrier.c ffi_rt/base/status.c
    ffi_rt/base/thread.c ffi_rt/memory/*.c'

build() # TREE PROGRAM OUTPUT OPTION...
{
    local tree=$1 program=$2 output=$3
    shift 3
    # shellcheck disable=SC2086
    (cd "$tree" && "${CC:-gcc}" -O2 -g -std=gnu11 -D_GNU_SOURCE -fexceptions \
        -ffunction-sections -fdata-sections -Wl,--gc-sections -pthread -I. \
        "$@" -o "$output" "test/stress/$program.c" $sources) \
        2> "$output.log"
}

# The program says what it did in its last line.
passes() # NAME COMMAND...
{
    local name=$1 text
    shift
    if text=$(timeout 300 "$@" 2>&1); then
        tap_ok "$name: ${text##*$'\n'}"
    else
        tap_not_ok "$name" "$text"
    fi
}

# A copy of the tree with one piece of text replaced, which must be there.
weaken() # NAME FILE FROM TO [OPTION]
{
    local tree=$scratch/$1
    mkdir -p "$tree/test" && cp -r "$top/ffi_rt" "$tree/" &&
        cp -r "$here" "$tree/test/" || return 1
    FROM=$3 TO=$4 perl -0pi -e '
        $found = s/\Q$ENV{FROM}\E/$ENV{TO}/;
        END { exit !$found }' "$tree/$2" &&
        build "$tree" stress "$tree/stress" -w ${5+"$5"}
}

# Until the first violation: a second or so, and on a busy machine minutes.
is_caught() # NAME ARGUMENT...
{
    local program=$scratch/$1/stress
    shift
    STRESS_UNTIL_VIOLATION=1 timeout 300 "$program" 240 "$@" > "$program.out" 2>&1
    [ $? -eq 3 ]
}

control() # NAME FILE FROM TO ARGUMENT...
{
    local name=$1
    if ! weaken "$1" "$2" "$3" "$4"; then
        tap_not_ok "weakened: $name" "$(cat "$scratch/$1/stress.log" 2>&1)"
        return
    fi
    shift 4
    if is_caught "$name" "$@"; then
        tap_ok "weakened: $name: caught: $(tail -n 1 "$scratch/$name/stress.out")"
    else
        tap_not_ok "weakened: $name" "not caught: $(cat "$scratch/$name/stress.out")"
    fi
}

control_by_tsan() # NAME FILE FROM TO
{
    local text
    if ! weaken "$@" -fsanitize=thread; then
        tap_not_ok "weakened: $1" "$(cat "$scratch/$1/stress.log" 2>&1)"
        return
    fi
    text=$(TSAN_OPTIONS=halt_on_error=1 timeout 120 "$scratch/$1/stress" 10 3 2 4 2>&1)
    if [ $? -eq 66 ] && grep -q 'data race' <<< "$text"; then
        tap_ok "weakened: $1: caught by thread sanitizer"
    else
        tap_not_ok "weakened: $1" "not caught: $text"
    fi
}

run_modes()
{
    for mode in membarrier fence rmw; do
        FRT_SESSIONS=$mode passes "$mode" "$scratch/stress" "$seconds" 3 2 4
    done
    FRT_SESSIONS=none passes 'an unknown mode is refused' sh -c \
        '"$1" 1 2>&1 | grep "FRT_SESSIONS is .none."' - "$scratch/stress"
    passes '48 threads' "$scratch/stress" "$seconds" 40 8 4
    passes 'closers alone' env STRESS_HISTORY=1 "$scratch/stress" "$seconds" 0 4 2
    passes 'no refusal without a holder' \
        env STRESS_HISTORY=1 "$scratch/stress" "$seconds" 2 3 8
    passes 'pinned to one processor' \
        taskset -c 0 "$scratch/stress" "$seconds" 3 2 4
    build "$top" signals "$scratch/signals" &&
        passes 'signals' "$scratch/signals" "$seconds"
    build "$top" threads "$scratch/threads" &&
        passes 'short-lived threads' "$scratch/threads" 10000
}

# As compilers keep the addresses of thread-local data, or do not.
run_fibers()
{
    for how in -O0 -O2 '-O2 -flto'; do
        # shellcheck disable=SC2086
        if build "$top" fibers "$scratch/fibers" $how; then
            passes "fibers, $how" "$scratch/fibers" 20000
        else
            tap_not_ok "fibers, $how" "$(cat "$scratch/fibers.log")"
        fi
    done
}

run_sanitizers()
{
    if build "$top" stress "$scratch/tsan" -fsanitize=thread; then
        passes 'thread sanitizer' "$scratch/tsan" "$((seconds * 2))" 3 2 4
        passes 'thread sanitizer, many threads' "$scratch/tsan" "$seconds" 12 4 4
    else
        tap_not_ok 'thread sanitizer' "$(cat "$scratch/tsan.log")"
    fi
    if build "$top" stress "$scratch/asan" -fsanitize=address,undefined \
        -fno-sanitize-recover=undefined; then
        passes 'address sanitizer' "$scratch/asan" "$((seconds * 2))" 3 2 4
    else
        tap_not_ok 'address sanitizer' "$(cat "$scratch/asan.log")"
    fi
}

# Static: they need no system around them.
run_aarch64()
{
    if ! command -v aarch64-linux-gnu-gcc > /dev/null ||
        ! command -v qemu-aarch64 > /dev/null; then
        tap_skip 'AArch64' 'no cross compiler or no qemu-aarch64'
        return
    fi
    for program in stress signals threads fibers; do
        if ! CC=aarch64-linux-gnu-gcc build "$top" "$program" \
            "$scratch/aarch64-$program" -static; then
            tap_not_ok "AArch64: $program" "$(cat "$scratch/aarch64-$program.log")"
            return
        fi
    done
    for mode in membarrier fence rmw; do
        FRT_SESSIONS=$mode passes "AArch64, $mode" \
            qemu-aarch64 "$scratch/aarch64-stress" "$seconds" 3 2 4
    done
    passes 'AArch64: signals' qemu-aarch64 "$scratch/aarch64-signals" "$seconds"
    passes 'AArch64: short-lived threads' \
        qemu-aarch64 "$scratch/aarch64-threads" 1000
    passes 'AArch64: fibers' qemu-aarch64 "$scratch/aarch64-fibers" 2000
}

run_controls()
{
    if [ "$(nproc)" -lt 2 ]; then
        tap_skip 'weakened' 'on one processor threads do not meet'
        return
    fi
    control 'no_membarrier' ffi_rt/base/barrier.c \
        'is_done = frti_membarrier();' 'is_done = true;' 3 2 4
    # what a compiler may do with a load that nothing keeps in its place
    control 'no_compiler_barrier' ffi_rt/memory/session.h \
        '    frti_counter_own_up(&stripe->balance);
    *out = stripe;' \
        '    uint64_t early = frti_counter_get_relaxed(&slot->word);
    for (volatile int i = 0; i < 200; i++)
        continue;
    frti_counter_own_up(&stripe->balance);
    *out = stripe;
    if (early == generation)
        return true;' 3 2 4
    control 'no_veto' ffi_rt/memory/close.c \
        '    if (!frti_counter_replace_seq_cst(
            &slot->word, &word,
            open | (status == FRT_OK ? FRTI_SESSION_CLOSED : 0)) &&
        status == FRT_OK)' \
        '    for (volatile int i = 0; i < 200; i++)
        continue;
    frti_counter_set_relaxed(
        &slot->word, open | (status == FRT_OK ? FRTI_SESSION_CLOSED : 0));
    if (word == 0)' 3 2 4
    STRESS_HISTORY=1 control 'closers_not_serialised' ffi_rt/memory/close.c \
        '    closer_lock(frti_session_shared(slot));
    status' '    status' 0 4 1
    # x86-64 releases in order whatever is asked for; thread sanitizer knows
    control_by_tsan 'relaxed_release' ffi_rt/base/atomic.h \
        'frti_counter_set_release(counter, frti_counter_get_relaxed(counter) - 1)' \
        'frti_counter_set_relaxed(counter, frti_counter_get_relaxed(counter) - 1)'
}

if ! build "$top" stress "$scratch/stress" -Wall -Wextra -Werror; then
    tap_not_ok 'the program builds' "$(cat "$scratch/stress.log")"
    tap_end
    exit
fi
run_modes
run_fibers
run_sanitizers
run_aarch64
run_controls
tap_end
