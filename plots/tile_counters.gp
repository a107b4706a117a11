# tile_counters.gp: what does a tile's width change, as the counters see it?
#
# In : csv  results of common/experiments/tiles.cu, counted by the CPU device
# Out: out  .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/tile_counters.gp
#
# Of several sizes the last one in the file is drawn.

PANELS = 4
array Column[PANELS] = ["global_loads_per_fma", \
    "global_load_lanes_per_request", "global_load_sectors_per_request", \
    "global_load_sector_efficiency"]
array Heading[PANELS] = ["global loads per multiply-add", \
    "active lanes per request, of 32", "sectors per request", \
    "bytes used / bytes loaded, %"]
WIDTHS = 5
COLUMNS = WIDTHS + 1 # the last one is the kernel without tiles
array Width[COLUMNS] = ["2", "4", "8", "16", "32", "untiled"]

columns = "variant shape"
do for [panel = 1:PANELS] {
    columns = columns." ".Column[panel]
}
call "plots/rows.gp" csv "counted right every-variant every-size" columns

array Cell[PANELS * COLUMNS]
do for [i = 1:PANELS * COLUMNS] {
    Cell[i] = NaN
}
size = text(rows, "shape")
at_column(variant) = sum [k = 1:COLUMNS] (Width[k] eq variant ? k : 0)
do for [i = 1:rows] {
    do for [panel = 1:PANELS] {
        at = at_column(text(i, "variant"))
        if (at > 0 && text(i, "shape") eq size) {
            Cell[(panel - 1) * COLUMNS + at] = \
                number(i, Column[panel]) * (panel == 4 ? 100 : 1)
        }
    }
}

# --- drawing ------------------------------------------------------------------

width = 800
height = 560
load "plots/style.gp"
set output out
unset key
set boxwidth 0.66

unset grid
set border 1
unset ytics # each bar has its number

array Value[COLUMNS]
set multiplot
set label 1 "Wide tiles load less, and use all lanes and bytes" \
    at screen 0.015, screen up(0.955) font large_font
set label 2 sprintf("counted by the CPU device at %s", size) \
    at screen 0.015, screen up(0.9)
do for [panel = 1:PANELS] {
    most = 0
    do for [i = 1:COLUMNS] {
        Value[i] = Cell[(panel - 1) * COLUMNS + i]
        most = Value[i] > most ? Value[i] : most
    }
    left = 0.02 + 0.5 * ((panel - 1) % 2)
    low = panel < 3 ? 0.545 : 0.11
    set margins at screen left, screen left + 0.46, \
        screen up(low), screen up(low + 0.255)
    set yrange [0:1.12 * most]
    set xrange [0.4:COLUMNS + 0.6]
    set xtics scale 0 ()
    do for [i = 1:COLUMNS] {
        set xtics add (i == COLUMNS ? "no tile" : Width[i] i)
    }
    set xlabel (panel < 3 ? "" : "width of a tile, elements") offset 0, 0.5
    set title Heading[panel] offset 0, -0.5
    plot Value using 1:2:($1 == COLUMNS ? grey : blue) \
            with boxes lc rgb variable, \
        Value using 1:2:($2 == $2 ? say($2) : "") with labels \
            font small_font offset 0, 0.6
    unset label
}
unset multiplot
