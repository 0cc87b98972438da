# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# gnuplot -e "data = FILE; picture = FILE" call.gp, in this folder
set terminal svg noenhanced size 960,600 font "sans-serif,14" background "white"
set output picture
set title "One call of a C function, by who makes it"
set ylabel "ns a call, logarithmic"
set rmargin 22
set xtics () rotate by 30 right
load data
set xrange [0.8:far + 0.2]
load "curves.gp"
