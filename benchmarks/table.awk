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

function time_text(row) {
    return ns[row] == "" ? "-" : ns[row] < 100 ? sprintf("%.2f", ns[row]) :
        sprintf("%.0f", ns[row])
}

function ratio_text(value) {
    return value < 100 ? sprintf("%.2f", value) : sprintf("%.0f", value)
}

# One of the rows that a question is about: "suite case system threads".
function row_of(text,   part) {
    split(text, part, " ")
    return part[1] SUBSEP part[2] SUBSEP part[3] SUBSEP part[4]
}

# A ratio of two rows that were timed in turn.
function ask(text, one, other,   a, b) {
    a = row_of(one)
    b = row_of(other)
    if (ns[a] != "" && ns[b] != "")
        printf "| %s | %s | %s | %s |\n", text, time_text(a), time_text(b),
            ratio_text(ns[a] / ns[b])
}

function print_machine(   i) {
    print "# Results of one run of benchmarks/run\n"
    for (i = 1; i <= machine[0]; i++)
        print "- " machine[i]
    print ""
}

function print_legend() {
    print "Times are the least of the clean rounds, in ns a call; in brackets"
    print "the ratio to what the system is compared with, timed in turn with it:"
    print "the floor, unless the table says otherwise. `-`: no clean round."
    print "Compare ratios; a time is this machine's."
}

function cell(suite, case_name, system, threads,   row) {
    row = suite SUBSEP case_name SUBSEP system SUBSEP threads
    if (!(row in ns))
        return ""
    if (ratio[row] == "" || over[row] == system)
        return time_text(row)
    return time_text(row) " (" ratio_text(ratio[row]) ")"
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
    for (suite_at = 1; suite_at <= suites[0]; suite_at++)
        print_suite(suites[suite_at])
    print_missing()
}
