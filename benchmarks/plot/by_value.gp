# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# gnuplot -e "results = FILE; arguments = FILE; picture = FILE" by_value.gp,
# in this folder
set terminal svg noenhanced size 1100,520 font "sans-serif,14" \
    background "white"
set output picture
set multiplot layout 1,2 title \
    "An aggregate by pointer, and by value in different memory"
set xlabel "size in bytes"
set logscale x 2
set xrange [7:4700]
set xtics (8, 16, 32, 64, 256, 4096)

set title "as the result"
set lmargin at screen 0.09
set rmargin at screen 0.41
set ylabel "ns a call, logarithmic"
load results
load "curves.gp"

set title "as an argument"
set lmargin at screen 0.585
set rmargin at screen 0.87
unset ylabel
load arguments
load "curves.gp"
