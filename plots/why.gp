# why.gp: which of a chip's limits binds a kernel, and from which size on?
#
# In : csv  predictions for a kernel at several sizes (common/chip/screen.c)
# Out: out  .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/why.gp
#
# A line for each limit: the time that it alone would take, for each
# multiply-add. The highest one binds. Square matrices only; of several kernels
# the first is drawn.

set datafile separator comma
set datafile missing NaN # rows of other limits do not cut a line
kernel = ""
chip = ""
stats csv using (kernel = strcol(2), chip = strcol(3), 1) \
    every ::1::1 nooutput

width = 900
height = 560
load "plots/style.gp"

limits = "issue and registers|load/store|L2|DRAM|latency"
limit(i) = i == 1 ? "issue and registers" : i == 2 ? "load/store" : \
           i == 3 ? "L2" : i == 4 ? "DRAM" : "latency"
color(i) = i == 1 ? blue : i == 2 ? vermillion : i == 3 ? green : \
           i == 4 ? sky : orange
is_here(x) = strcol(2) eq kernel && column(5) == column(6) && \
             column(6) == column(7)
# ns of the whole chip for 1000 multiply-adds
each(ms) = is_here(0) && ms > 0 ? ms * 1e9 / column(5)**3 : NaN

set output out
set label 1 sprintf("Limits of %s on an %s, predicted", kernel, chip) \
    at screen 0.015, screen up(0.955) font large_font
set label 2 "each limit alone; the highest one binds" \
    at screen 0.015, screen up(0.895)
set tmargin at screen up(0.84)
set bmargin at screen up(0.14)
set xlabel "N, side of the matrices (M = N = K), log scale"
set ylabel "ns for 1000 multiply-adds, log scale"
set logscale x 2
set logscale y
set key outside right top Left reverse
stats csv using 5 every ::1 name "n" nooutput
set xrange [n_min / 1.2:n_max * 1.2]
plot for [i = 1:5] csv using 5:(strcol(11) eq limit(i) ? \
    each(column(12)) : NaN) with linespoints pt 7 ps 1 lw 2 lc rgb color(i) \
    title limit(i), \
    csv using 5:(strcol(11) eq "L2" ? each(column(14)) : NaN) \
    with points pt 6 ps 1.8 lw 2 lc rgb ink title "the run"
