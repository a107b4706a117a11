# tile_width.gp: which width of a tile is the fastest?
#
# In : csv        results of common/experiments/tiles.cu, timed on a GPU
#      published  times that others published (plots/data/published_tiles.csv)
#      remark     optional: to stand behind the GPU's name
# Out: out        .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; published='...'; out='...'" plots/tile_width.gp
#
# Above are our times for a small, a medium and a large product: of all sizes in
# csv the smallest, the middle one and the largest. Below are the published
# ones, whose sizes are not known. A point is the median run, its whisker spans
# the fastest and the slowest; the published times came without a spread.

WIDTHS = 5
array Width[WIDTHS] = ["2", "4", "8", "16", "32"]
COLUMNS = WIDTHS + 1 # the last one is the kernel without tiles
ROWS = 32            # sizes: up to 29 of ours, and the three published
array Side[ROWS]     # m * n * k of a size, by which they are ordered
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
    "variant device_name size m n k kernel_ms kernel_ms_min kernel_ms_max"
name = text(rows, "device_name")
do for [i = 1:rows] {
    if (row_of(text(i, "size")) == 0 && sizes < 29) {
        sizes = sizes + 1
        Size[sizes] = text(i, "size")
        Side[sizes] = number(i, "m") * number(i, "n") * number(i, "k")
    }
    at = at_column(text(i, "variant"))
    if (at > 0 && row_of(text(i, "size")) > 0) {
        at = cell(row_of(text(i, "size")), at)
        Ms[at] = number(i, "kernel_ms")
        Least[at] = number(i, "kernel_ms_min")
        Most[at] = number(i, "kernel_ms_max")
    }
}
ours = sizes

call "plots/rows.gp" published "all" "source size variant ms"
source = text(1, "source")
do for [i = 1:rows] {
    if (row_of(text(i, "size")) == 0) {
        sizes = sizes + 1
        Size[sizes] = text(i, "size")
    }
    Ms[cell(row_of(text(i, "size")), at_column(text(i, "variant")))] = \
        number(i, "ms")
}
theirs = sizes - ours
if (exists("remark")) {
    name = name.remark
}

# The smallest, the middle one and the largest of ours.
array Order[ours]
do for [i = 1:ours] {
    Order[i] = i
}
do for [pass = 2:ours] {
    do for [i = 2:ours] {
        if (Side[Order[i]] < Side[Order[i - 1]]) {
            other = Order[i]
            Order[i] = Order[i - 1]
            Order[i - 1] = other
        }
    }
}
shown = ours < 3 ? ours : 3
pick(i) = ours <= 3 ? Order[i] \
    : i == 1 ? Order[1] : i == 2 ? Order[(ours + 1) / 2] : Order[ours]

# --- drawing ------------------------------------------------------------------

width = 1200
height = 860
load "plots/style.gp"
set output out
unset key

# A time as one would say it.
say_ms(x) = x >= 100 ? sprintf("%.0f", x) : sprintf("%.3g", x)

# A number stands where the line does not go.
rises(c) = c < WIDTHS ? Y[c + 1] > Y[c] : 0
set style textbox opaque noborder margins 0.1, 0.1

array Y[WIDTHS]
array Low[WIDTHS]
array High[WIDTHS]
array Best[WIDTHS]
set multiplot
do for [line = 1:2] {
    do for [i = 1:(line == 1 ? shown : theirs)] {
        size = line == 1 ? pick(i) : ours + i
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
            if (Low[c] != Low[c]) { Low[c] = Y[c]; High[c] = Y[c] }
            if (Y[c] == Y[c] && !(Y[c] >= best)) { best = Y[c] }
        }
        do for [c = 1:WIDTHS] {
            Best[c] = Y[c] == best ? best : NaN
        }
        untiled = Ms[cell(size, COLUMNS)]

        set margins at screen 0.085 + 0.315 * (i - 1), \
            screen 0.34 + 0.315 * (i - 1), \
            screen (line == 1 ? 0.555 : 0.085), \
            screen (line == 1 ? 0.845 : 0.375)
        set logscale y
        set yrange [least / 2.2:most * 2]
        set xrange [0.5:WIDTHS + 0.9]
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
        if (i == 1) {
            set ylabel "ms, log scale"
            set label 1 (line == 1 ? "Measured on ".name \
                : "Published: ".source) at screen 0.012, \
                screen (line == 1 ? 0.905 : 0.435)
        }
        if (line == 1 && i == 1) {
            set label 2 "Time of a product for each width of a tile" \
                at screen 0.012, screen 0.965 font large_font
            set label 3 "diamond: the best width; dashed: the kernel \
without tiles; whiskers: fastest and slowest run" at screen 0.988, \
                screen 0.905 right
        }
        if (untiled == untiled) {
            set arrow 1 from graph 0, first untiled to graph 1, first untiled \
                nohead lc rgb ink lw 1.5 dt 2
            set label 4 "untiled ".say_ms(untiled) at graph 0.01, \
                first untiled offset 0, -0.6
        }
        plot Y using 1:2 with lines lw 2 lc rgb sky, \
            Y using 1:2:(Low[$1]):(High[$1]) \
                with yerrorbars pt 7 ps 0.8 lw 1.5 lc rgb blue, \
            Best using 1:2 with points pt 13 ps 1.7 lc rgb vermillion, \
            Y using 1:(rises($1) ? NaN : $2):(say_ms($2)) \
                with labels boxed left font small_font offset 0.6, 0.7, \
            Y using 1:(rises($1) ? $2 : NaN):(say_ms($2)) \
                with labels boxed left font small_font offset 0.6, -0.7
        unset label
        unset arrow
        unset ylabel
    }
}
unset multiplot
