# roofline.gp: what limits each lab, arithmetic or memory?
#
# S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual
# performance model for multicore architectures", Communications of the ACM
# 52(4), 2009.
#
# In : csv       results of the labs, timed on a GPU (common/harness/results.h)
#      counts    results of the labs, counted on the CPU device
#      ceilings  what the same GPU can do at most
#                (common/experiments/ceilings.c)
#      remark    optional: to stand behind the GPU's name
# Out: out       .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; counts='...'; ceilings='...'; out='...'" \
#          plots/roofline.gp
#
# Labs in other precisions than single, which have another peak, are left out. A
# lab's place from left to right is what it asks for: FLOP for each byte that
# its threads load from global memory. Most of these bytes come from a cache, so
# a lab may stand above the roof of the device memory, though never above that
# of the cache.

# The first counted row of each lab.
call "plots/rows.gp" counts "counted right" "lab flop_per_byte"
array Lab[rows]
array Intensity[rows]
array Rate[rows]
array Slowest[rows]
array Fastest[rows]
labs = 0
do for [i = 1:rows] {
    if (number(i, "flop_per_byte") > 0) {
        labs = labs + 1
        Lab[labs] = text(i, "lab")
        Intensity[labs] = number(i, "flop_per_byte")
        Rate[labs] = 0
    }
}
number_of(lab) = sum [k = 1:labs] (Lab[k] eq lab ? k : 0)

call "plots/rows.gp" csv "timed right single" "lab device_name shape kernel_ms \
kernel_ms_min kernel_ms_max gflops"
name = text(rows, "device_name")
drawn = 0
do for [i = 1:rows] {
    lab = number_of(text(i, "lab"))
    if (lab > 0) {
        rate = number(i, "gflops") / 1000
        ms = number(i, "kernel_ms")
        Rate[lab] = rate
        Slowest[lab] = rate * ms / number(i, "kernel_ms_max")
        Fastest[lab] = rate * ms / number(i, "kernel_ms_min")
        size = text(i, "shape")
        drawn = drawn + 1
    }
}

call "plots/rows.gp" ceilings "all" "device_name ceiling value"
other = text(1, "device_name") # the ceilings' GPU
value_of(name) = sum [k = 1:rows] \
    (text(k, "ceiling") eq name ? number(k, "value") : 0)
# In TFLOP/s and TB/s.
peak = value_of("multiply_add") / 1000
triad = value_of("triad") / 1000
cache = value_of("cache") / 1000

if (drawn == 0) {
    printerr sprintf("plot: %s: no lab was timed on a GPU and counted too \
(nothing to draw)", csv)
    exit status 2
}
if (peak <= 0 || triad <= 0 || cache <= 0) {
    printerr sprintf("plot: %s: needs the rows multiply_add, triad and cache", ceilings)
    exit status 2
}
if (other ne name) {
    printerr sprintf("plot: %s is of another GPU (%s) than %s (%s)", \
        ceilings, other, csv, name)
    exit status 2
}
if (exists("remark")) {
    name = name.remark
}

# --- drawing ------------------------------------------------------------------

width = 800
height = 640
load "plots/style.gp"
set output out

least = 1e30
left = 1e30
right = 0
do for [i = 1:labs] {
    if (Rate[i] > 0) {
        least = Slowest[i] < least ? Slowest[i] : least
        left = Intensity[i] < left ? Intensity[i] : left
        right = Intensity[i] > right ? Intensity[i] : right
    }
}
left = left / 2
# The names stand on the right of their points.
right = 8 * right > 2.5 * peak / triad ? 8 * right : 2.5 * peak / triad
bottom = least / 3
top = 1.6 * peak

set label 4 sprintf("What may limit each lab on %s, %s", name, size) \
    at screen 0.015, screen up(0.955) font large_font
set label 5 "A lab above the dashed roof gets bytes from a cache." \
    at screen 0.015, screen up(0.905)
unset key
set logscale xy
set xrange [left:right]
set yrange [bottom:top]
set xlabel "FLOP for each byte that threads load from global memory, log scale"
set ylabel "TFLOP/s, log scale"
set xtics ()
do for [i = -4:10] {
    at = 2.0 ** i
    if (at > left && at < right) { set xtics add (sprintf("%g", at) at) }
}
set ytics ()
do for [decade = -3:3] {
    do for [digit in "1 2 5"] {
        at = digit * 10.0 ** decade
        if (at > bottom && at < top) { set ytics add (sprintf("%g", at) at) }
    }
}

# A roof is a slope up to the peak. Its name stands along it: the angle follows
# from the shape of the axes.
roof(x, bandwidth) = x * bandwidth < peak ? x * bandwidth : peak
slope(x, bandwidth) = x * bandwidth <= 1.001 * peak ? x * bandwidth : NaN
set lmargin at screen 0.115
set rmargin at screen 0.98
set bmargin at screen up(0.12)
set tmargin at screen up(0.85)
angle = atan2(0.73 * (height - foot) / log(top / bottom), \
              0.865 * width / log(right / left)) * 180 / pi
# Above the line by this factor, from the bottom or the left edge on.
ABOVE = 1.22
write(number, bandwidth, text) = (start = 1.2 * bottom / bandwidth, \
    start = start > 1.1 * left ? start : 1.1 * left, \
    sprintf("set label %d '%s' at %g, %g rotate by %g", number, text, start, \
        ABOVE * start * bandwidth, angle))
eval write(1, cache, sprintf("if all came from the L1 caches: %.1f TB/s", cache))
eval write(2, triad, sprintf("if all came from device memory: %.1f TB/s", triad))
set label 3 sprintf("measured peak: %.1f TFLOP/s", peak) \
    at right / 1.05, peak right offset 0, 0.7

# The labs' names stand beside their points, none over another: the upper one
# keeps its place, for the roof is above it. Labs of half the intensity are far
# away, and a storey for each keeps them apart.
count = labs
array Place[count] # from the top down
from_top(y) = 1 - log(y / bottom) / log(top / bottom)
storey(i) = 10 * (sum [j = 1:labs] (Intensity[j] < 0.5 * Intensity[i]))
do for [i = 1:labs] {
    Place[i] = storey(i) + (Rate[i] > 0 ? from_top(Rate[i]) : -i)
}
gap = 0.042
ceiling = 1000
load "plots/spread.gp"
do for [i = 1:labs] {
    if (Rate[i] > 0) {
        set label 10 + i Lab[i] at first Intensity[i] * 1.12, \
            graph 1 - (Place[i] - storey(i)) textcolor rgb ink
    }
}

set samples 500
plot slope(x, triad) with lines lw 2.5 dt 2 lc rgb ink, \
    slope(x, cache) with lines lw 2.5 lc rgb ink, \
    (x * cache >= peak ? peak : NaN) with lines lw 2.5 lc rgb ink, \
    for [i = 1:labs] "+" using (Intensity[i]):(Rate[i] > 0 ? Rate[i] : NaN): \
        (Rate[i] > 0 ? Slowest[i] : NaN):(Rate[i] > 0 ? Fastest[i] : NaN) \
        every ::0::0 with yerrorbars lw 1.5 pt lab_mark(Lab[i]) \
        ps 1.1 lc rgb lab_colour(Lab[i])
