# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# awk -f rows.awk -f table.awk MACHINE MISSING ROWS: the page of a run, in
# Markdown. It says nothing that is not in these three files.

FILENAME == ARGV[1] { machine[++machine[0]] = $0 }
FILENAME == ARGV[2] { missing_take() }

# suite case system missing: why; the same of several cases is one line.
function missing_take(   why, what) {
    why = $0
    sub(/^.*missing: /, "", why)
    what = $1 SUBSEP $3 SUBSEP why
    list_add(missing, seen_missing, what)
    missing_cases[what] = missing_cases[what] " " $2
}

# Three digits, or what stands before the point.
function number(value) {
    return sprintf(value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
}

# The least of a few rounds may be far from what it would be of many.
function doubt(row) {
    return rounds[row] < 10 ? "?" : ""
}

function time_text(row) {
    return ns[row] == "" ? "-" : number(ns[row]) doubt(row)
}

# A row's key, from "suite case system threads".
function row_of(text,   part) {
    split(text, part, " ")
    return part[1] SUBSEP part[2] SUBSEP part[3] SUBSEP part[4]
}

# What people ask first: one row over another. Without either there is no line.
function ask(text, one, other,   a, b) {
    a = row_of(one)
    b = row_of(other)
    if (ns[a] != "" && ns[b] != "")
        printf "| %s | %s | %s | %s |\n", text, time_text(a), time_text(b),
            number(ns[a] / ns[b]) (doubt(a) doubt(b) == "" ? "" : "?")
}

function print_answers() {
    print "\n## In short\n"
    print "| this, over that | this, ns | that, ns | ratio |"
    print "|---|--:|--:|--:|"
    ask("`add2(int, int)`, over C through a pointer",
        "call add2 stub 1", "call add2 floor 1")
    ask("`mix10`, ten mixed arguments, over C through a pointer",
        "call mix10 stub 1", "call mix10 floor 1")
    ask("`padd`, structs by value, over C through a pointer",
        "call padd stub 1", "call padd floor 1")
    ask("libffi's `ffi_call` of `add2`, over ours",
        "call add2 ffi_call 1", "call add2 stub 1")
    ask("libffi's `ffi_call` of `mix10`, over ours",
        "call mix10 ffi_call 1", "call mix10 stub 1")
    ask("libffi's `ffi_call` of `padd`, over ours",
        "call padd ffi_call 1", "call padd stub 1")
    ask("16 bytes by value in a frame, over by pointer",
        "by_value unit frame 1", "by_value unit pointer 1")
    ask("16 bytes by value with malloc and free, over by pointer",
        "by_value unit malloc 1", "by_value unit pointer 1")
    ask("16 bytes for a moment in a frame, over malloc and free",
        "memory bytes_16 frame 1", "memory bytes_16 malloc 1")
    ask("an `int` got from a confined segment, over a plain read",
        "segment get_i32 confined 1", "segment get_i32 plain 1")
    ask("one shared arena's segment three times, over raw pointers",
        "call identity3 shared_same 1", "call identity3 stub 1")
    ask("three shared arenas' segments, over raw pointers",
        "call identity3 shared_three 1", "call identity3 stub 1")
    ask("Java: three shared arenas' segments, over raw ones",
        "session call_3 java 1", "session call_3 java_none 1")
    ask("acquire and release, over one counter, 1 thread",
        "session pair ours 1", "session pair simple 1")
    ask("acquire and release, over one counter, 48 threads",
        "session pair ours 48", "session pair simple 48")
    ask("errno captured, over not",
        "call add2 captured 1", "call add2 stub 1")
    ask("linking a signature that was seen before, over `ffi_prep_cif`",
        "link seen_mixed stub 1", "link seen_mixed ffi_prep_cif 1")
    ask("linking a new one, over `ffi_prep_cif`",
        "link new_mixed stub 1", "link new_mixed ffi_prep_cif 1")
    ask("C calls an upcall, over C calls C",
        "upcall callcb ours 1", "upcall callcb floor 1")
    ask("Lua calls `add2`, over an empty C function",
        "call add2 lua 1", "call add2 lua_empty 1")
    ask("Lua calls `unit`, a struct by value, over the same",
        "call unit lua 1", "call unit lua_empty 1")
    ask("LuaJIT's interpreter calls `add2`, over Lua by ffi_rt",
        "call add2 luajit_interpreted 1", "call add2 lua 1")
}

function print_machine(   i) {
    print "# Results of one run of benchmarks/run\n"
    for (i = 1; i <= machine[0]; i++)
        print "- " machine[i]
    print ""
}

function print_legend() {
    print "Times are the least of the clean rounds, in ns a call; in brackets"
    print "the ratio to the system that it was timed in turn with, as the rows"
    print "have it (`over`): of `lua` and `luajit_interpreted` an empty C function"
    print "that they call. `?`: fewer than 10 clean rounds, since the machine was"
    print "busy; `-`: none; empty: there is no such system."
    print "A time is this machine's: compare ratios."
}

function cell(suite, case_name, who, threads,   row) {
    row = suite SUBSEP case_name SUBSEP who SUBSEP threads
    if (!(row in ns))
        return ""
    if (ratio[row] == "" || over[row] == who)
        return time_text(row)
    return time_text(row) " (" number(ratio[row]) ")"
}

function print_suite(suite,   i, part, head, rule, line, has_threads, used, n) {
    for (i = 1; i <= lines[0]; i++) {
        split(lines[i], part, SUBSEP)
        if (part[1] == suite && part[3] != 1)
            has_threads = 1
    }
    head = "| case |" (has_threads ? " threads |" : "")
    rule = "|---|" (has_threads ? "--:|" : "")
    for (i = 1; i <= systems[0]; i++) {
        split(systems[i], part, SUBSEP)
        if (part[1] != suite || is_base(part[2]))
            continue
        used[++n] = part[2]
        head = head " " part[2] " |"
        rule = rule "--:|"
    }
    printf "\n## %s\n\n%s\n%s\n", suite, head, rule
    for (i = 1; i <= lines[0]; i++) {
        split(lines[i], part, SUBSEP)
        if (part[1] == suite)
            print_line(part, has_threads, used, n)
    }
}

function print_line(part, has_threads, used, n,   line, i) {
    line = "| " part[2] " |" (has_threads ? " " part[3] " |" : "")
    for (i = 1; i <= n; i++)
        line = line " " cell(part[1], part[2], used[i], part[3]) " |"
    print line
}

function print_missing(   i, part) {
    print "\n## Missing\n"
    if (missing[0] == 0)
        print "Nothing."
    for (i = 1; i <= missing[0]; i++) {
        split(missing[i], part, SUBSEP)
        printf "- `%s` of %s (%s): %s\n", part[2], part[1],
            substr(missing_cases[missing[i]], 2), part[3]
    }
}

END {
    print_machine()
    print_legend()
    print_answers()
    for (suite_at = 1; suite_at <= suites[0]; suite_at++)
        print_suite(suites[suite_at])
    print_missing()
}
