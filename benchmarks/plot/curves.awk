# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# awk -f rows.awk -f plot/curves.awk -v suite=NAME -v cases=PATTERN
#     -v wanted=SYSTEMS -v by=case|threads|size ROWS
#
# Writes what a panel is drawn from, for curves.gp. Its stops, from left to
# right, are cases or numbers of threads. Each system that has a time gets a
# block of points and a label beside the last one, moved where two would touch.

BEGIN {
    # ours in red and orange, the floor in black, and none twice in a picture
    split("floor #000000 none #000000 pointer #000000 " \
        "stub #d7301f ours #d7301f frame #d7301f lua #d6338a " \
        "libffi #e6862a ours_exported #e6862a place #e6862a " \
        "ffi_call #1f78b4 simple #1f78b4 malloc #1f78b4 " \
        "ffi_call_plan #6baed6 striped_ticket #33a02c slots #33a02c " \
        "java #17a2b8 adder #6a3d9a luajit #33a02c " \
        "luajit_interpreted #8c6d31 adder_fenced #8c6d31 " \
        "cffi #7f7f7f ctypes #b15f9e", pair, " ")
    for (i = 1; i in pair; i += 2)
        colour[pair[i]] = pair[i + 1]
    split("stub ours frame lua", pair, " ")
    for (i = 1; i <= 4; i++)
        ours[pair[i]] = 1
}

function log10(value) {
    return log(value) / log(10)
}

# Stops stand in the order of this. Functions: of what libffi takes for them.
function rank(i,   part) {
    split(stop[i], part, SUBSEP)
    if (by == "threads")
        return part[2] + 0
    if (by == "size")
        return substr(part[1], match(part[1], /[0-9]+/)) + 0
    return ns[suite, part[1], "ffi_call", 1] + 0
}

# Where a stop is on the x axis.
function place(i) {
    return by == "case" ? i : rank(i)
}

# The least time, if it is of more than a few rounds; of several threads the
# median, since what they do to each other is least when they do not meet.
function value_of(row, threads) {
    return threads > 1 ? median[row] : rounds[row] < 10 ? "" : ns[row]
}

# The points of one system, from left to right.
function curve_points(who,   i, part, value) {
    for (i = 1; i <= stops; i++) {
        split(stop[i], part, SUBSEP)
        value = value_of(suite SUBSEP part[1] SUBSEP who SUBSEP part[2],
            part[2] + 0)
        if (value == "")
            continue
        points[who] = points[who] place(i) " " value "\n"
        last[who] = value
        low = low == "" || value < low ? value : low
        high = value > high ? value : high
    }
}

# The lines of the table that are in the picture, from left to right.
function find_stops(   i, j, part, swap) {
    for (i = 1; i <= lines[0]; i++) {
        split(lines[i], part, SUBSEP)
        if (part[1] != suite || part[2] !~ cases)
            continue
        stop[++stops] = part[2] SUBSEP part[3]
        for (j = stops; j > 1 && rank(j) < rank(j - 1); j--) {
            swap = stop[j]
            stop[j] = stop[j - 1]
            stop[j - 1] = swap
        }
    }
}

# Labels from the lowest up, each at least a line above the one below.
function place_labels(   i, j, who, at, step) {
    for (i = 1; i <= shown[0]; i++)
        for (j = i; j > 1 && last[shown[j]] < last[shown[j - 1]]; j--) {
            who = shown[j]
            shown[j] = shown[j - 1]
            shown[j - 1] = who
        }
    step = 0.05 * (ceiling - bottom)
    for (i = 1; i <= shown[0]; i++) {
        at = log10(last[shown[i]])
        if (i > 1 && at < label_at[i - 1] + step)
            at = label_at[i - 1] + step
        label_at[i] = at
    }
}

# The axis has whole powers of ten: 10 ^ bottom up to 10 ^ ceiling.
function place_axis() {
    bottom = int(log10(low) + 100) - 100
    ceiling = -int(100 - log10(high)) + 100
}

function write_curves(   i) {
    print "count = " shown[0] + 0
    printf "set yrange [%g:%g]\n", 10 ^ bottom, 10 ^ ceiling
    print "$curves << END_OF_CURVES"
    for (i = 1; i <= shown[0]; i++)
        printf "%s\n\n", points[shown[i]]
    print "END_OF_CURVES"
    print "array colour[" shown[0] + 1 "]; array wide[" shown[0] + 1 "]"
    print "unset label"
    for (i = 1; i <= shown[0]; i++) {
        printf "colour[%d] = \"%s\"; wide[%d] = %d\n", i, colour[shown[i]], i,
            shown[i] in ours ? 4 : 2
        printf "set label \"%s\" at graph 1.02, first %g left " \
            "textcolor rgb \"%s\"\n", label(shown[i]), 10 ^ label_at[i],
            colour[shown[i]]
    }
}

END {
    find_stops()
    n = split(wanted, order, ",")
    for (i = 1; i <= n; i++) {
        curve_points(order[i])
        if (order[i] in points)
            shown[++shown[0]] = order[i]
    }
    place_axis()
    place_labels()
    write_curves()
    for (i = 1; by == "case" && i <= stops; i++) {
        split(stop[i], part, SUBSEP)
        printf "set xtics add (\"%s\" %d)\n", part[1], i
    }
}
