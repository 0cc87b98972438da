# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The ffi_rt authors
#
# gnuplot -e "functions = FILE; picture = FILE" call.gp, in this folder
set terminal svg noenhanced size 960,600 font "sans-serif,14" background "white"
set output picture
set title "One call of a C function, by who makes it"
set ylabel "ns a call, logarithmic"
set xlabel "functions, in the order of what ffi_call takes for them"
set rmargin 22
set offsets 0.3, 0.3, 0, 0
set xtics () rotate by 30 right
load functions
load "curves.gp"
