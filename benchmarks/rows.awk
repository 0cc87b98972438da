# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# Before another awk script: reads rows of jsonl into ns[], median[], rounds[],
# ratio[], over[], by (suite, case, system, threads), and keeps what occurs in
# the order of its first row. Times that are null are "".

BEGIN {
    name["floor"] = "C: the floor"
    name["stub"] = "ffi_rt"
    name["libffi"] = "ffi_rt over libffi"
    name["ffi_call"] = "libffi ffi_call"
    name["ffi_call_plan"] = "libffi call plan"
    name["java"] = "Java FFM"
    name["luajit"] = "LuaJIT, compiled"
    name["luajit_interpreted"] = "LuaJIT, interpreted"
    name["lua"] = "ffi_rt from Lua"
    name["cffi"] = "CPython cffi"
    name["ctypes"] = "CPython ctypes"
    name["pointer"] = "by pointer"
    name["place"] = "into a place"
    name["frame"] = "ffi_rt: a frame"
    name["slots"] = "two cached slots"
    name["malloc"] = "malloc and free"
    name["none"] = "no session"
    name["simple"] = "one counter"
    name["striped_ticket"] = "striped tickets"
    name["adder"] = "two adders"
    name["adder_fenced"] = "two adders, fenced"
    name["ours"] = "ffi_rt"
    name["ours_exported"] = "ffi_rt, exported"
}

function field(key,   found) {
    if (!match($0, "\"" key "\": (\"[^\"]*\"|[^,}]*)"))
        return ""
    found = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
    gsub(/"/, "", found)
    return found == "null" ? "" : found ~ /^[0-9.]+$/ ? found + 0 : found
}

# Adds `what` to list[1..list[0]] if it is new there.
function list_add(list, seen, what) {
    if (!(what in seen)) {
        seen[what] = 1
        list[++list[0]] = what
    }
}

function label(who) {
    return who in name ? name[who] : who
}

# What a peer has for its own comparison: not one of the systems of a table.
function is_base(who) {
    return who ~ /._(floor|empty)$/
}

/^\{/ {
    row_suite = field("suite")
    row_case = field("case")
    row_system = field("system")
    row_threads = field("threads")
    row = row_suite SUBSEP row_case SUBSEP row_system SUBSEP row_threads
    ns[row] = field("ns_min")
    median[row] = field("ns_median")
    rounds[row] = field("rounds")
    ratio[row] = field("ratio")
    over[row] = field("over")
    list_add(suites, seen_suite, row_suite)
    list_add(lines, seen_line, row_suite SUBSEP row_case SUBSEP row_threads)
    list_add(systems, seen_system, row_suite SUBSEP row_system)
}
