# ladder.gp: how fast does each lab run on a GPU, and how much is left?
#
# In : csv           results of the labs, timed on a GPU
#                    (common/harness/results.h)
#      title_device  optional: how to call the GPU
#      remark        optional: to stand behind its name
# Out: out           .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/ladder.gp
#
# The axis ends at the peak that was measured in the same run. A bar is the
# median run, its whisker spans the slowest and the fastest. A lab that is
# slower than the one before has another colour; of labs 03 and 04 the reason
# is known and stands beside. Lab 01 runs on the host, on one core. Labs in
# another precision, which has another peak, stand below: their bars are shares
# of the library of that precision, all of which is where cuBLAS is above. One
# without a matrix product has a row that says so.

call "plots/rows.gp" csv "timed right" "lab variant device_name shape precision \
kernel_ms kernel_ms_min kernel_ms_max gflops peak_gflops cublas_gflops"

# No product is timed in these, by labs/INDEX.
no_product = system("awk -f common/course/labs.awk labs/INDEX | \
    sed -n 's/:banks$//p'")
larger(a, b) = a > b ? a : b # a may be NaN
of(lab) = real("1".substr(lab, 1, 2)) # 108 of 08, which alone is read as octal
is_single(i) = text(i, "precision") eq "fp32"
# The reason for a fall, if lab is slower than the one before.
why(lab) = lab[1:2] eq "03" ? "below 02: caches serve most of 02's loads" \
    : lab[1:2] eq "04" ? "below 03: bank conflicts, which lab 06 removes" : ""

array Rate[rows + words(no_product) + 1]
array Slowest[|Rate|]
array Fastest[|Rate|]
array Colour[|Rate|]
array Name[|Rate|]
array Note[|Rate|]
bars = 0
peak = 0
cublas = 0
most = 0
last = 0
BLUE = 0x0072b2
FALLEN = 0xbd5100
OTHER = 0x00785a
single_bars = 0 # those above the other precisions
do for [i = 1:rows] {
    lab = text(i, "lab")
    # A lab without a product comes before this one, and after another.
    do for [other in no_product] {
        if (bars > 0 && of(Name[bars]) < of(other) && of(other) < of(lab)) {
            bars = bars + 1
            Rate[bars] = NaN
            Slowest[bars] = NaN
            Fastest[bars] = NaN
            Colour[bars] = BLUE
            Name[bars] = other
            Note[bars] = "no matrix product"
        }
    }
    if (!is_single(i) && single_bars == 0 && bars > 0 && cublas > 0) {
        single_bars = bars
        bars = bars + 1
        Rate[bars] = NaN
        Slowest[bars] = NaN
        Fastest[bars] = NaN
        Colour[bars] = BLUE
        Name[bars] = ""
        Note[bars] = "in other precisions, as shares of their library:"
    }
    bars = bars + 1
    Name[bars] = lab
    tflops = number(i, "gflops") / 1000
    library = number(i, "cublas_gflops") / 1000
    # The length of a bar for each TFLOP/s.
    scale = is_single(i) ? 1 : single_bars > 0 ? cublas / library : NaN
    Rate[bars] = tflops * scale
    Slowest[bars] = Rate[bars] * number(i, "kernel_ms") \
        / number(i, "kernel_ms_max")
    Fastest[bars] = Rate[bars] * number(i, "kernel_ms") \
        / number(i, "kernel_ms_min")
    Colour[bars] = !is_single(i) ? OTHER : tflops < last ? FALLEN : BLUE
    Note[bars] = text(i, "variant") eq "host" \
        ? "one core of the host, at ".text(i, "shape") \
        : tflops < last ? why(lab) : ""
    if (is_single(i)) {
        last = tflops
        most = larger(Fastest[bars], most)
        peak = larger(number(i, "peak_gflops") / 1000, peak)
        cublas = larger(number(i, "cublas_gflops") / 1000, cublas)
        # Lab 01 has its own size, and the last one stands in the title.
        name = text(i, "device_name")
        size = text(i, "shape")
    } else {
        Note[bars] = sprintf(scale == scale ? "%.0f TFLOP/s in %s, %.0f % of cuBLAS" \
            : "%.0f TFLOP/s in %s, which has a higher peak", tflops, \
            text(i, "precision") eq "tf32" ? "TF32" : text(i, "precision"), \
            100 * tflops / library)
    }
}
if (exists("title_device") && strlen(title_device) > 0) {
    name = title_device
}
if (exists("remark")) {
    name = name.remark
}
top = peak > most ? peak : 1.15 * most

# --- drawing ------------------------------------------------------------------

width = 800
height = 150 + 32 * bars
load "plots/style.gp"
set output out
unset key
unset grid
set border 2
set lmargin at screen 172.0 / width
set rmargin at screen 1 - 40.0 / width
set tmargin at screen 1 - 84.0 / height
set bmargin at screen (60 + foot) / height
set xrange [0:top]
set yrange [bars + 0.6:0.4]
set xtics scale 0.4
set xlabel "TFLOP/s" offset 0, 0.4
set ytics scale 0 ()
set label 1 sprintf("Speed of each lab on %s, %s", name, size) \
    at screen 0.015, screen 1 - 24.0 / height font large_font
mark(x, words, colour, dash, side, from) = sprintf("set arrow from %g, %s to %g, \
graph 1 nohead back lc rgb %d lw 2 dt %d; set label '%s' at %g, graph 1 %s \
offset 0, 0.8 textcolor rgb %d", x, from, x, colour, dash, words, x, side, colour)
if (cublas > 0) {
    eval mark(cublas, sprintf("cuBLAS %.1f", cublas), vermillion, 2, \
        peak > 1.35 * cublas ? "center" : "right", "graph 0")
}
if (peak > 0) {
    eval mark(peak, sprintf("peak %.1f", peak), ink, 1, "center", \
        single_bars > 0 ? sprintf("first %g", single_bars + 0.5) : "graph 0")
}
say_rate(x) = x < 0.01 ? sprintf("%.4f", x) : x < 1 ? sprintf("%.2g", x) \
    : sprintf("%.1f", x)
set style textbox opaque noborder margins 0.3, 0.1
do for [i = 1:bars] {
    set ytics add (Name[i] i)
    behind = Rate[i] == Rate[i] ? Fastest[i] : 0
    is_other = single_bars > 0 && i > single_bars
    words = !is_other && Rate[i] == Rate[i] ? say_rate(Rate[i]) : ""
    # A number that has no room behind its bar stands in it.
    inside = behind > (is_other ? 0.5 : 0.9) * top
    set label 10 + 2 * i words.(strlen(words) && strlen(Note[i]) ? "   " : ""). \
        Note[i] at first behind, first i offset character \
        (inside ? -1 : 0.6), 0 right front textcolor rgb (inside ? 0xffffff : ink)
    if (!inside) {
        set label 10 + 2 * i left boxed
    }
}
plot Rate using (0):1:(0):2:($1 - 0.34):($1 + 0.34):(Colour[$1]) \
        every ::0::bars - 1 with boxxyerror lc rgb variable, \
    Rate using (Slowest[$1]):1:(Fastest[$1] - Slowest[$1]):(0) \
        every ::0::bars - 1 \
        with vectors heads size graph 0.005,90 lw 1.5 lc rgb ink
