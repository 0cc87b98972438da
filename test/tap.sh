# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# Sourced by the tests that are shell scripts. Each counts its checks and
# writes them as TAP, the Test Anything Protocol.

tap_count=0
tap_failures=0

tap_ok() # NAME
{
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1"
}

tap_not_ok() # NAME WHAT-IS-WRONG
{
    tap_count=$((tap_count + 1))
    tap_failures=$((tap_failures + 1))
    echo "not ok $tap_count - $1"
    printf '%s\n' "$2" | sed 's/^/#   /'
}

tap_skip() # NAME REASON
{
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# The command prints what it finds wrong, a line each; nothing is good.
tap_findings() # NAME COMMAND...
{
    tap_name=$1
    shift
    tap_text=$("$@") || true # grep fails when it finds nothing
    if [ -z "$tap_text" ]; then
        tap_ok "$tap_name"
    else
        tap_not_ok "$tap_name" "$tap_text"
    fi
}

# The command must succeed; what it says is shown if it does not.
tap_run() # NAME COMMAND...
{
    tap_name=$1
    shift
    if tap_text=$("$@" 2>&1); then
        tap_ok "$tap_name"
    else
        tap_not_ok "$tap_name" "$tap_text"
    fi
}

# The command must print this and succeed.
tap_prints() # NAME TEXT COMMAND...
{
    tap_name=$1
    tap_wanted=$2
    shift 2
    if tap_text=$("$@" 2>&1) && [ "$tap_text" = "$tap_wanted" ]; then
        tap_ok "$tap_name"
    else
        tap_not_ok "$tap_name" "wanted: $tap_wanted
got: $tap_text"
    fi
}

# What a test draws from: FRT_TEST_SEED; a new one when its suite is named or
# with --long; else the same each time, so that a failure is of what was
# changed.
tap_seed()
{
    if [ -n "${FRT_TEST_SEED-}" ]; then
        echo "$FRT_TEST_SEED"
    elif [ -n "${FRT_TEST_NAMED-}${FRT_TEST_LONG-}" ]; then
        od -An -N4 -tu4 /dev/urandom | tr -d ' '
    else
        echo 20250101
    fi
}

tap_end()
{
    echo "1..$tap_count"
    [ "$tap_failures" -eq 0 ] && [ "$tap_count" -gt 0 ]
}
