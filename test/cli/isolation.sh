# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# shellcheck shell=bash disable=SC2154
# The call runs in a child: whatever becomes of that, the command tells.

fails 1 'strlen crashed: SIGSEGV (invalid memory reference at 0x0)' libc.so.6 \
    ' near ' -- 'size_t strlen(const char *)' null
fails 1 die_by_null SIGSEGV callee.so 'near read_null_pointer' -- \
    "$callee" 'int die_by_null(void)'
fails 1 SIGSEGV 'impossible address' 'near die_by_wild_pointer' -- \
    "$callee" 'int die_by_wild_pointer(void)'
fails 1 SIGFPE division 'near die_by_division' -- \
    "$callee" 'int die_by_division(int)' 0
fails 1 'die_by_abort crashed: SIGABRT (aborted)' -- \
    "$callee" 'void die_by_abort(void)'
fails 1 'crashed: SIGSEGV (sent' -- "$callee" 'void die_by_kill(int)' 11
fails 1 'die_by_kill was ended by SIGTERM' -- \
    "$callee" 'void die_by_kill(int)' 15
fails 1 'die_by_kill was ended by SIGKILL' -- \
    "$callee" 'void die_by_kill(int)' 9
fails 1 'die_by_kill was stopped by SIGSTOP, and ended' -- \
    "$callee" 'void die_by_kill(int)' 19
# What the terminal's signals do depends on the group of processes: they end the
# call or nothing, but it does not wait for ever.
for signal in 20 21 22; do
    run call "$callee" 'void die_by_kill(int)' "$signal"
    if [[ $errors == *'was stopped by SIGT'*', and ended' ]] ||
        [ "$status" -eq 0 ]; then
        tap_ok "stopped by the signal $signal"
    else
        report "stopped by the signal $signal" 'it ends'
    fi
done
fails 1 die_in_thread SIGSEGV 'at 0x0' 'near read_null_pointer' -- \
    "$callee" 'int die_in_thread(void)'
fails 1 'stack overflow' 'near die_by_depth' -- \
    "$callee" 'int die_by_depth(int)' 0

# 4 MiB of local variables on a stack of 1 MiB.
ulimit_before=$(ulimit -Ss)
ulimit -Ss 1024
fails 1 die_by_large_frame 'stack overflow' callee.so -- \
    "$callee" 'int die_by_large_frame(void)'
ulimit -Ss "$ulimit_before"
prints 1 "$callee" 'int die_by_large_frame(void)'
fails 1 die_in_small_thread SIGSEGV 'stack overflow' -- \
    "$callee" 'int die_in_small_thread(void)'
fails 1 jump_to SIGSEGV 'jumped to 0x0' -- \
    "$callee" 'void jump_to(void (*f)(void))' null
fails 1 jump_to SIGSEGV -- "$callee" 'void jump_to(void (*f)(void))' 0x10

# It may jump within itself. Into a frame that is gone, it ends in some way;
# the command goes on.
prints 3 "$callee" 'int jump_inside(void)'
run call "$callee" 'void jump_nowhere(void)'
holds 'a jump into a frame that is gone is survived' test "$status" -le 1

fails 1 'leave exited with status 3 inside the call' -- \
    "$callee" 'void leave(int)' 3
holds 'what it wrote before is not lost' test "$output" = 'before the exit'
fails 1 'leave exited with status 0 inside the call' -- \
    "$callee" 'void leave(int)' 0
fails 1 'leave_at_once exited with status 4' -- \
    "$callee" 'void leave_at_once(int)' 4
fails 1 "opening $broken crashed: SIGABRT" -- "$broken" 'int f(void)'

# A copy of the child has nothing to say.
prints 1 "$callee" 'int fork_inside(void)'

# The function's output comes before ours, whether it ends its line or not.
prints hello "$callee" 'void say(const char *)' hello
prints 'hello5' 'int printf(const char *, ...)' hello
prints 'hello
{"result": 6}' --json 'int puts(const char *)' hello
prints 42 "$callee" 'int same_int(int)' 42 < /dev/null

# It may even close the standard output: of the child.
prints '' "$callee" 'void close_output(void)'
prints 0 'int close(int)' 1

# errno is 0 before the call, and what the function left after it.
prints '0
errno = 34 (Numerical result out of range)' --errno \
    "$callee" 'int touches_errno(int)' 34
prints '0
errno = 0' --errno "$callee" 'int touches_errno(int)' 0

# In this process: the same results, and no report.
prints 1024 --no-isolate libm.so.6 'double pow(double, double)' 2 10
prints 'hello
6' --no-isolate 'int puts(const char *)' hello
fails 1 pear -- --no-isolate 'int abs(int)' pear
run call --no-isolate "$callee" 'void leave_at_once(int)' 7
holds 'without a child, its exit is ours' test "$status" -eq 7
run call --no-isolate "$callee" 'void die_by_kill(int)' 9
holds 'without a child, its end is ours' test "$status" -eq 137

# The child does not outlive the command.
"$ffi_rt" call 'unsigned sleep(unsigned)' 1000 &
pid=$!
sleep 1
child=$(cat "/proc/$pid/task/$pid/children")
kill -9 "$pid"
wait "$pid" 2> /dev/null
for ((i = 0; i < 50; i++)); do
    [ -d "/proc/${child% }" ] || break
    sleep 0.1
done
holds 'the child ends with the command' test -n "$child" -a \
    ! -d "/proc/${child% }"

# Somebody who ignores SIGCHLD starts us.
run_ignoring()
{
    trap '' CHLD
    prints 3 'int abs(int)' -3
    trap - CHLD
}
run_ignoring
