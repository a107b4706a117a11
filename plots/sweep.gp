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
# runs. Of a lab's variants the first is drawn, and not the one that is timed
# with its copies; nor are labs in other precisions than single.

call "plots/columns.gp" csv "lab variant device device_name m n k verdict \
kernel_ms kernel_ms_min kernel_ms_max gflops peak_gflops cublas_gflops"

# --- reading: stats calls a function for each row -----------------------------

MOST = 16 # labs
array Lab[MOST]
array Variant[MOST]
array Last[MOST]    # the rate at the largest size
array Largest[MOST] # that size
POINTS = 512
array Point[POINTS] # N, rate, least and most rate, of one run in one string
array Of[POINTS]    # the number of its lab
points = 0
labs = 0
name = ""
peak = 0
fastest = 0
least_n = 1e9
most_n = 0
library_n = 0
library = 0 # cuBLAS at the largest size: the sum of its rates, then the mean
library_runs = 0

set datafile separator comma
set datafile columnheaders

number_of(lab) = sum [i = 1:labs] (Lab[i] eq lab ? i : 0)
is_drawn(lab, variant, device, verdict, m, n, k, rate) = device eq "gpu" && \
    verdict eq "PASS" && rate > 0 && m == n && n == k && \
    (variant ne "host" || lab[1:2] eq "01") && is_variant(lab, variant)
# Takes a lab that is new. Comparing with a lab that is known comes first.
is_variant(lab, variant) = number_of(lab) > 0 \
    ? Variant[number_of(lab)] eq variant \
    : (labs = labs + 1, Lab[labs] = lab, Variant[labs] = variant, \
       Largest[labs] = 0, 1)
note(i, gpu, n, rate, ms, least, most, top, other) = (name = gpu, \
    points = points + 1, Of[points] = i, Point[points] = \
    sprintf("%d %g %g %g %g", n, rate, rate * ms / most, rate * ms / least, \
            other), \
    peak = top > peak ? top : peak, \
    fastest = rate > fastest ? rate : fastest, \
    least_n = n < least_n ? n : least_n, most_n = n > most_n ? n : most_n, \
    (n >= Largest[i] ? (Largest[i] = n, Last[i] = rate) : 0), \
    (other > 0 && n > library_n \
        ? (library_n = n, library = 0, library_runs = 0) : 0), \
    (other > 0 && n == library_n \
        ? (library = library + other, library_runs = library_runs + 1) : 0), 1)
row(unused) = is_single(strcol(precision_of)) && \
    is_drawn(strcol("lab"), strcol("variant"), strcol("device"), \
    strcol("verdict"), column("m"), column("n"), column("k"), column("gflops"))
stats csv using (row(0) ? note(number_of(strcol("lab")), \
    strcol("device_name"), column("n"), column("gflops"), \
    column("kernel_ms"), column("kernel_ms_min"), column("kernel_ms_max"), \
    column("peak_gflops"), column("cublas_gflops")) : 0) nooutput
if (labs == 0) {
    printerr sprintf("plot: %s: no lab was timed on a GPU with square \
matrices (nothing to draw)", csv)
    exit status 2
}
library = library_runs > 0 ? library / library_runs : 0
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
set print $runs
do for [i = 1:labs] {
    do for [j = 1:points] {
        if (Of[j] == i) { print Point[j] }
    }
    print ""
    print ""
}
# cuBLAS ran beside each of them; at each size the mean is drawn.
set print $library
do for [j = 1:points] {
    print Point[j]
}
unset print
set datafile separator whitespace
set datafile nocolumnheaders
plot $library using 1:($5 > 0 ? $5 : NaN) smooth unique \
        with lines lw 2.5 dt 2 lc rgb ink, \
    for [i = 1:labs] $runs index i - 1 using 1:2 smooth unique \
        with lines lw 2.5 lc rgb series_colour(i), \
    for [i = 1:labs] $runs index i - 1 using 1:2:3:4 \
        with yerrorbars lw 1.5 pt series_point(i) ps 0.8 \
        lc rgb series_colour(i)
