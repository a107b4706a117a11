# tile_width.gp: which width of a tile is the fastest?
#
# In : csv     results of common/experiments/tiles.cu, timed on a GPU
#      remark  optional: to stand behind the GPU's name
# Out: out     .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/tile_width.gp
#
# Times for a small, a medium and a large product: of all sizes in csv the
# smallest, the middle one and the largest. A point is the median run, its
# whisker spans the fastest and the slowest.

WIDTHS = 5
array Width[WIDTHS] = ["2", "4", "8", "16", "32"]
COLUMNS = WIDTHS + 1 # the last one is the kernel without tiles
ROWS = 32            # sizes
array Volume[ROWS]   # m * n * k of a size, by which they are ordered
array Size[ROWS]
array Ms[ROWS * COLUMNS]
array Least[ROWS * COLUMNS]
array Most[ROWS * COLUMNS]
do for [i = 1:ROWS * COLUMNS] {
    Ms[i] = NaN
    Least[i] = NaN
    Most[i] = NaN
}
at_column(variant) = variant eq "untiled" ? COLUMNS \
    : (sum [k = 1:WIDTHS] (Width[k] eq variant ? k : 0))
cell(size, column) = (size - 1) * COLUMNS + column
row_of(size) = sum [k = 1:sizes] (Size[k] eq size ? k : 0)

sizes = 0
call "plots/rows.gp" csv "timed right every-variant every-size" \
    "variant device_name shape m n k kernel_ms kernel_ms_min kernel_ms_max"
name = text(rows, "device_name").(exists("remark") ? remark : "")
do for [i = 1:rows] {
    if (row_of(text(i, "shape")) == 0 && sizes < ROWS) {
        sizes = sizes + 1
        Size[sizes] = text(i, "shape")
        Volume[sizes] = number(i, "m") * number(i, "n") * number(i, "k")
    }
    at = at_column(text(i, "variant"))
    if (at > 0 && row_of(text(i, "shape")) > 0) {
        at = cell(row_of(text(i, "shape")), at)
        Ms[at] = number(i, "kernel_ms")
        Least[at] = number(i, "kernel_ms_min")
        Most[at] = number(i, "kernel_ms_max")
    }
}

# The smallest, the middle one and the largest: those with so many below them.
shown = sizes < 3 ? sizes : 3
below(k) = sum [j = 1:sizes] (Volume[j] < Volume[k])
with_below(count) = sum [k = 1:sizes] (below(k) == count ? k : 0)
pick(i) = with_below(sizes <= 3 ? i - 1 : i == 1 ? 0 \
    : i == 2 ? (sizes + 1) / 2 - 1 : sizes - 1)

# --- drawing ------------------------------------------------------------------

width = 800
height = 400
load "plots/style.gp"
set output out
unset key

# A time as one would say it.
say_ms(x) = sprintf(x >= 100 ? "%.0f" : x >= 1 ? "%.3g" : "%.2g", x)

# A number stands where neither the line goes nor the number before stands.
is_low(c) = c < WIDTHS ? Y[c + 1] > Y[c] : Y[c] < Y[c - 1]
set style textbox opaque noborder margins 0.1, 0.1

array Y[WIDTHS]
array Low[WIDTHS]
array High[WIDTHS]
array Best[WIDTHS]
set multiplot
set label 1 sprintf("Time in ms by the width of a tile, on %s", name) \
    at screen 0.015, screen up(0.94) font large_font
set label 2 "log scale; diamond: the best width; dashed: the kernel without tiles" \
    at screen 0.015, screen up(0.86)
do for [i = 1:shown] {
    size = pick(i)
    best = NaN
    least = 1e30
    most = 0
    do for [c = 1:COLUMNS] {
        ms = Ms[cell(size, c)]
        if (ms == ms) {
            least = ms < least ? ms : least
            most = ms > most ? ms : most
        }
    }
    do for [c = 1:WIDTHS] {
        Y[c] = Ms[cell(size, c)]
        Low[c] = Least[cell(size, c)]
        High[c] = Most[cell(size, c)]
        if (Y[c] == Y[c] && !(Y[c] >= best)) { best = Y[c] }
    }
    do for [c = 1:WIDTHS] {
        Best[c] = Y[c] == best ? best : NaN
    }
    untiled = Ms[cell(size, COLUMNS)]

    set margins at screen 0.09 + 0.32 * (i - 1), \
        screen 0.32 + 0.32 * (i - 1), screen up(0.17), screen up(0.72)
    set logscale y
    set yrange [least / 2.2:most * 2]
    set xrange [0.5:WIDTHS + 1.6]
    set ytics ()
    do for [decade = -6:6] {
        do for [digit in (most < 20 * least ? "1 2 5" : "1")] {
            set ytics add (sprintf("%g", digit * 10.0 ** decade) \
                digit * 10.0 ** decade)
        }
    }
    set xtics scale 0 ()
    do for [c = 1:WIDTHS] {
        set xtics add (Width[c] c)
    }
    set xlabel "width of a tile, elements" offset 0, 0.4
    set title Size[size] offset 0, -0.4
    if (untiled == untiled) {
        set arrow 1 from graph 0, first untiled to graph 1, first untiled \
            nohead lc rgb ink lw 1.5 dt 2
        set label 4 "untiled ".say_ms(untiled) at graph 0.99, graph 0.95 right
    }
    plot Y using 1:2 with lines lw 2 lc rgb sky, \
        Y using 1:2:(Low[$1]):(High[$1]) \
            with yerrorbars pt 7 ps 0.8 lw 1.5 lc rgb blue, \
        Best using 1:2 with points pt 13 ps 1.7 lc rgb vermillion, \
        Y using 1:(is_low($1) ? NaN : $2):(say_ms($2)) \
            with labels boxed left font small_font offset 0.6, 0.7, \
        Y using 1:(is_low($1) ? $2 : NaN):(say_ms($2)) \
            with labels boxed left font small_font offset 0.6, -0.7
    unset label
    unset arrow
}
unset multiplot
