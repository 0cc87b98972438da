# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# Draws what curves.awk has written, into the axes that are set: a curve for
# each system, its name at its end.
unset key
set logscale y
set border 3
set tics nomirror out
set grid ytics lt 1 lw 0.5 lc rgb "#dddddd"
plot for [i = 1:count] $curves index i - 1 using 1:2 with linespoints \
    pointtype 7 pointsize 0.5 linewidth wide[i] linecolor rgb colour[i]
