# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# gnuplot -e "pair = FILE; three = FILE; picture = FILE" session.gp, in this
# folder
set terminal svg noenhanced size 1100,520 font "sans-serif,14" \
    background "white"
set output picture
set multiplot layout 1,2 title \
    "What holding shared memory costs when many threads do it"
set xlabel "threads, all using the same memory"
set logscale x 2
set xrange [0.9:54]
set xtics (1, 2, 4, 8, 16, 32, 48)

set title "acquire and release"
set lmargin at screen 0.09
set rmargin at screen 0.41
set ylabel "ns of a processor, logarithmic"
load pair
load "curves.gp"

set title "a call with three segments of different arenas"
set lmargin at screen 0.585
set rmargin at screen 0.87
unset ylabel
load three
load "curves.gp"
