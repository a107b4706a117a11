# sweep.gp: how does the speed of each lab depend on the size?
#
# In : csv     results of the labs, timed on a GPU at several sizes
#              (common/harness/results.h)
#      remark  optional: to stand behind the GPU's name
# Out: out     .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/sweep.gp
#
# Square matrices only. A point is the median run, its whisker spans the slowest
# and the fastest. The y axis ends at the peak that was measured in the same
# runs. Of a lab's variants the first is drawn; labs in other precisions than
# single are not.

call "plots/rows.gp" csv "timed right single square every-size" \
"lab device_name n kernel_ms kernel_ms_min kernel_ms_max gflops peak_gflops \
cublas_gflops"

array Lab[rows]
array Last[rows]    # the rate at the largest size
array Largest[rows] # that size
labs = 0
peak = 0
fastest = 0
least_n = 1e9
most_n = 0
library = 0 # cuBLAS at the largest size: the mean of its rates
library_n = 0
library_runs = 0
larger(a, b) = a > b ? a : b # a may be NaN

number_of(lab) = sum [k = 1:labs] (Lab[k] eq lab ? k : 0)
do for [i = 1:rows] {
    n = number(i, "n")
    least_n = n < least_n ? n : least_n
    most_n = n > most_n ? n : most_n
    peak = larger(number(i, "peak_gflops"), peak)
    fastest = larger(number(i, "gflops"), fastest)
    if (number_of(text(i, "lab")) == 0) {
        labs = labs + 1
        Lab[labs] = text(i, "lab")
        Largest[labs] = 0
    }
    lab = number_of(text(i, "lab"))
    if (n >= Largest[lab]) {
        Largest[lab] = n
        Last[lab] = number(i, "gflops")
    }
    if (number(i, "cublas_gflops") > 0 && n > library_n) {
        library_n = n
        library = 0
        library_runs = 0
    }
    if (number(i, "cublas_gflops") > 0 && n == library_n) {
        library = library + number(i, "cublas_gflops")
        library_runs = library_runs + 1
    }
}
library = library_runs > 0 ? library / library_runs : 0
name = text(rows, "device_name")
if (exists("remark")) {
    name = name.remark
}

# --- drawing ------------------------------------------------------------------

width = 1000
height = 620
load "plots/style.gp"
set output out

top = peak > fastest ? peak : 1.15 * fastest
unset key
set title sprintf("Speed against size, timed on %s", name) font large_font \
    offset 0, 0.6
set tmargin 4
set rmargin 20
set xlabel "N, side of the matrices (M = N = K), log scale"
set ylabel "GFLOP/s"
set logscale x 2
set xrange [least_n / 1.15:most_n * 1.15]
set yrange [0:top]
set xtics ()
do for [i = 0:14] {
    at = 2 ** i
    if (at >= least_n && at <= most_n) { set xtics add (sprintf("%d", at) at) }
}
if (least_n == most_n) { set xtics add (sprintf("%d", most_n) most_n) }

# Each line's name stands at its end.
count = labs + (library > 0)
array Place[count]
do for [i = 1:labs] {
    Place[i] = Last[i] / top
}
if (library > 0) { Place[count] = library / top }
gap = 0.034
ceiling = 1
load "plots/spread.gp"
do for [i = 1:labs] {
    set label i Lab[i] at graph 1.01, Place[i] textcolor rgb series_colour(i)
}
if (library > 0) {
    set label count "cuBLAS" at graph 1.01, Place[count] textcolor rgb ink
}
if (peak > 0) {
    set arrow 1 from graph 0, first peak to graph 1, first peak nohead \
        lc rgb ink lw 2
    set label count + 1 sprintf("measured peak: %.0f", peak) \
        at graph 0.01, first peak offset 0, 0.7
}

# A block for each lab, two blank lines between.
point(i) = sprintf("%d %g %g %g", number(i, "n"), number(i, "gflops"), \
    number(i, "gflops") * number(i, "kernel_ms") / number(i, "kernel_ms_max"), \
    number(i, "gflops") * number(i, "kernel_ms") / number(i, "kernel_ms_min"))
set print $runs
do for [lab = 1:labs] {
    do for [i = 1:rows] {
        if (text(i, "lab") eq Lab[lab]) { print point(i) }
    }
    print ""
    print ""
}
unset print
# cuBLAS ran beside each of them; at each size the mean is drawn.
plot $table using (number($0 + 1, "n")):(number($0 + 1, "cublas_gflops")) \
        smooth unique with lines lw 2.5 dt 2 lc rgb ink, \
    for [i = 1:labs] $runs index i - 1 using 1:2 smooth unique \
        with lines lw 2.5 lc rgb series_colour(i), \
    for [i = 1:labs] $runs index i - 1 using 1:2:3:4 \
        with yerrorbars lw 1.5 pt series_point(i) ps 0.8 \
        lc rgb series_colour(i)
