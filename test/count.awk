# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
# Counts tests in meson's JSON log, a line a meson test. Where one wrote TAP,
# each of its lines counts, else the meson test itself. Prints what failed and
# what was skipped, a line a suite if there are several, and in the end
# `=PASSED FAILED SKIPPED`.

function field(key,   text) {
    if (!match($0, "\"" key "\": \"[^\"]*\""))
        return ""
    text = substr($0, RSTART, RLENGTH - 1)
    sub(/^"[^"]*": "/, "", text)
    return text
}

# What the test wrote, with its line ends. The log has other fields in between,
# the whole environment among them.
function output(   text, end) {
    text = $0
    gsub(/\\\\/, "\001", text)  # put aside: a backslash of the test's own
    gsub(/\\"/, "\002", text)
    end = match(text, /"stderr": "/) ? substr(text, RSTART + 11) : ""
    text = match(text, /"stdout": "/) ? substr(text, RSTART + 11) : ""
    sub(/".*/, "", text)
    sub(/".*/, "", end)
    text = text "\n" end
    gsub(/\\n/, "\n", text)
    gsub(/\\u001b\[[0-9;]*m/, "", text)
    gsub(/\002/, "\"", text)
    gsub(/\001/, "\\", text)
    return text
}

function show_tail(lines, count,   i) {
    for (i = count > 40 ? count - 39 : 1; i <= count; i++)
        print "    | " lines[i]
}

{
    name = field("name")
    result = field("result")
    count = split(output(), lines, "\n")
    ok = not_ok = skip = 0
    for (i = 1; i <= count; i++) {
        if (lines[i] ~ /^ok [0-9-].* # SKIP/) {
            skip++
            print "  skipped: " name ": " substr(lines[i], 4)
        } else if (lines[i] ~ /^ok [0-9-]/) {
            ok++
        } else if (lines[i] ~ /^not ok [0-9-]/) {
            not_ok++
            print "  failed: " name ": " substr(lines[i], 8)
        }
    }
    if (result == "SKIP" && ok + not_ok + skip == 0) {
        skip++
        print "  skipped: " name
    } else if (result == "OK" && ok + not_ok + skip == 0) {
        ok++
    } else if (result != "OK" && result != "SKIP") {
        if (not_ok == 0) {
            not_ok++
            print "  failed: " name ": " result
        }
        show_tail(lines, count)
    }
    passed += ok
    failed += not_ok
    skipped += skip
    suite = name
    sub(/ \/ .*/, "", suite)
    sub(/^.*:/, "", suite)
    if (!(suite in passed_in))
        suites[++suite_count] = suite
    passed_in[suite] += ok
    failed_in[suite] += not_ok
    skipped_in[suite] += skip
}

END {
    for (i = 1; i <= suite_count && suite_count > 1; i++)
        printf "  %s: %d passed, %d failed, %d skipped\n", suites[i],
            passed_in[suites[i]], failed_in[suites[i]], skipped_in[suites[i]]
    print "=" passed + 0, failed + 0, skipped + 0
}
