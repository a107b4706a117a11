# sweep.gp: how does the speed of each lab depend on the size?
#
# In : csv     results of the labs, timed on a GPU at several sizes
#              (common/harness/results.h)
#      remark  optional: to stand behind the GPU's name
#      why     optional: predictions (make why-NN), from which the points are
#              ringed where multiprocessors of a GPU of that name get no
#              block, and framed where latency binds
#      only    optional: the numbers of the labs that are drawn
# Out: out     .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/sweep.gp
#
# Square matrices only. A point is the median run, its whisker spans the slowest
# and the fastest. The y axis, of logarithms, ends at the peak that was measured
# in the same runs. Of a lab's variants the first is drawn; labs in other
# precisions than single are not.

call "plots/rows.gp" csv "timed right single square every-size" \
"lab device_name n kernel_ms kernel_ms_min kernel_ms_max gflops peak_gflops \
cublas_gflops"

array Lab[rows]
array Last[rows]    # the rate at the largest size
array Largest[rows] # that size
labs = 0
peak = 0
fastest = 0
least = 1e30
least_n = 1e9
most_n = 0
library = 0 # cuBLAS at the largest size: the mean of its rates
library_n = 0
library_runs = 0
larger(a, b) = a > b ? a : b # a may be NaN

rate(i) = number(i, "gflops") / 1000 # TFLOP/s
# Those of the labs that were asked for.
is_shown(i) = !exists("only") || strstrt(only, text(i, "lab")[1:2]) > 0
number_of(lab) = sum [k = 1:labs] (Lab[k] eq lab ? k : 0)
do for [i = 1:rows] {
    if (!is_shown(i)) { continue }
    n = number(i, "n")
    least_n = n < least_n ? n : least_n
    most_n = n > most_n ? n : most_n
    peak = larger(number(i, "peak_gflops") / 1000, peak)
    fastest = larger(rate(i), fastest)
    least = rate(i) < least ? rate(i) : least
    if (number_of(text(i, "lab")) == 0) {
        labs = labs + 1
        Lab[labs] = text(i, "lab")
        Largest[labs] = 0
    }
    lab = number_of(text(i, "lab"))
    if (n >= Largest[lab]) {
        Largest[lab] = n
        Last[lab] = rate(i)
    }
    if (number(i, "cublas_gflops") > 0 && n > library_n) {
        library_n = n
        library = 0
        library_runs = 0
    }
    if (number(i, "cublas_gflops") > 0 && n == library_n) {
        library = library + number(i, "cublas_gflops") / 1000
        library_runs = library_runs + 1
    }
}
library = library_runs > 0 ? library / library_runs : 0
name = text(rows, "device_name")
# LAB:N of the points to be marked, between blanks. Blocks for each
# multiprocessor are waves times those that one holds.
marked(condition) = !exists("why") ? "" : " ".system("awk -F, '$3 == \"".name. \
    "\" && $4 == \"nvcc\" && $5 == $7 && (".condition.") \
    { sub(\"solutions/\", \"\", $1); printf \"%s:%s \", $1, $5 }' ".why)
idle = marked("$9 * $10 < 0.9")
latent = marked("$9 * $10 >= 0.9 && $11 == \"latency\"")
is_in(list, i) = strstrt(list, sprintf(" %s:%s ", text(i, "lab"), text(i, "n")))
if (exists("remark")) {
    name = name.remark
}

# --- drawing ------------------------------------------------------------------

width = 800
height = 620
load "plots/style.gp"
set output out

top = peak > fastest ? peak : 1.15 * fastest
unset key
set label 1001 sprintf("Speed by size of the matrices on %s", name) \
    at screen 0.015, screen up(0.955) font large_font
set tmargin at screen up(0.83)
set bmargin at screen up(0.14)
set rmargin 19
set xlabel "N, side of the matrices (M = N = K), log scale"
set ylabel "TFLOP/s, log scale"
set logscale x 2
set logscale y
set xrange [least_n / 1.15:most_n * 1.15]
bottom = 0.7 * least
set yrange [bottom:top]
set ytics ()
do for [decade = -4:3] {
    do for [digit in "1 2 5"] {
        at = digit * 10.0 ** decade
        if (at > bottom && at < top) { set ytics add (sprintf("%g", at) at) }
    }
}
set xtics ()
do for [i = 0:14] {
    at = 2 ** i
    if (at >= least_n && at <= most_n) { set xtics add (sprintf("%d", at) at) }
}
if (least_n == most_n) { set xtics add (sprintf("%d", most_n) most_n) }

# Each line's name stands at its end, behind its mark.
count = labs + (library > 0)
array Place[count]
in_graph(y) = log(y / bottom) / log(top / bottom)
do for [i = 1:labs] {
    Place[i] = in_graph(Last[i])
}
if (library > 0) { Place[count] = in_graph(library) }
gap = 0.042
ceiling = 1
load "plots/spread.gp"
do for [i = 1:labs] {
    set label i Lab[i] at graph 1.02, Place[i] offset 1.2, -0.33 textcolor rgb ink \
        point pt lab_mark(Lab[i]) ps 0.8 lc rgb lab_colour(Lab[i])
}
if (library > 0) {
    set label count "cuBLAS" at graph 1.02, Place[count] offset 1.9, 0 \
        textcolor rgb ink
}
if (peak > 0) {
    set arrow 1 from graph 0, first peak to graph 1, first peak nohead \
        lc rgb ink lw 2
    set label count + 1 sprintf("measured peak: %.1f", peak) \
        at graph 0.01, first peak offset 0, 0.7
}

# A block for each lab, two blank lines between.
point(i) = sprintf("%d %g %g %g", number(i, "n"), rate(i), \
    rate(i) * number(i, "kernel_ms") / number(i, "kernel_ms_max"), \
    rate(i) * number(i, "kernel_ms") / number(i, "kernel_ms_min"))
set print $runs
do for [lab = 1:labs] {
    do for [i = 1:rows] {
        if (text(i, "lab") eq Lab[lab]) { print point(i) }
    }
    print ""
    print ""
}
unset print
marks = 0
set print $idle
do for [i = 1:rows] {
    if (is_shown(i) && is_in(idle, i)) { print point(i); marks = marks + 1 }
}
print "NaN NaN NaN NaN"
unset print
set print $latent
do for [i = 1:rows] {
    if (is_shown(i) && is_in(latent, i)) { print point(i); marks = marks + 1 }
}
print "NaN NaN NaN NaN"
unset print
if (marks > 0) {
    set label 1002 "predicted: ring = multiprocessors without a block, \
square = waits not hidden" at screen 0.015, screen up(0.905)
}
# cuBLAS ran beside each of them; at each size the mean is drawn.
set print $library
do for [i = 1:rows] {
    if (is_shown(i) && number(i, "cublas_gflops") > 0) {
        print sprintf("%d %g", number(i, "n"), number(i, "cublas_gflops") / 1000)
    }
}
print "NaN NaN"
unset print
plot $library using 1:2 smooth unique with lines lw 2.5 dt 2 lc rgb ink, \
    for [i = 1:labs] $runs index i - 1 using 1:2 smooth unique \
        with lines lw 2.5 lc rgb lab_colour(Lab[i]), \
    for [i = 1:labs] $runs index i - 1 using 1:2:3:4 \
        with yerrorbars lw 1.5 pt lab_mark(Lab[i]) ps 0.8 \
        lc rgb lab_colour(Lab[i]), \
    $idle using 1:2 with points pt 6 ps 1.8 lw 2 lc rgb ink, \
    $latent using 1:2 with points pt 4 ps 1.8 lw 2 lc rgb ink
