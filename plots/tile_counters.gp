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
array Heading[PANELS] = ["global loads\nper multiply-add", \
    "active lanes\nper request, of 32", "sectors\nper request", \
    "share used of the\nsectors loaded, %"]
WIDTHS = 5
COLUMNS = WIDTHS + 1 # the last one is the kernel without tiles
array Width[COLUMNS] = ["2", "4", "8", "16", "32", "untiled"]

columns = "variant size"
do for [panel = 1:PANELS] {
    columns = columns." ".Column[panel]
}
call "plots/rows.gp" csv "counted right every-variant every-size" columns

array Cell[PANELS * COLUMNS]
do for [i = 1:PANELS * COLUMNS] {
    Cell[i] = NaN
}
size = text(rows, "size")
at_column(variant) = sum [k = 1:COLUMNS] (Width[k] eq variant ? k : 0)
do for [i = 1:rows] {
    do for [panel = 1:PANELS] {
        at = at_column(text(i, "variant"))
        if (at > 0 && text(i, "size") eq size) {
            Cell[(panel - 1) * COLUMNS + at] = \
                number(i, Column[panel]) * (panel == 4 ? 100 : 1)
        }
    }
}

# --- drawing ------------------------------------------------------------------

width = 1200
height = 480
load "plots/style.gp"
set output out
unset key
set boxwidth 0.66

unset grid
set border 1
unset ytics # each bar has its number

array Value[COLUMNS]
set multiplot
set label 1 sprintf("What the width of a tile changes, counted by the CPU \
device at %s", size) at screen 0.012, screen 0.94 font large_font
do for [panel = 1:PANELS] {
    most = 0
    do for [i = 1:COLUMNS] {
        Value[i] = Cell[(panel - 1) * COLUMNS + i]
        most = Value[i] > most ? Value[i] : most
    }
    set margins at screen 0.012 + 0.248 * (panel - 1), \
        screen 0.244 + 0.248 * (panel - 1), screen 0.155, screen 0.73
    set yrange [0:1.12 * most]
    set xrange [0.4:COLUMNS + 0.6]
    set xtics scale 0 ()
    do for [i = 1:COLUMNS] {
        set xtics add (i == COLUMNS ? "no tile" : Width[i] i)
    }
    set xlabel "width of a tile, elements"
    set title Heading[panel]
    plot Value using 1:2:($1 == COLUMNS ? grey : blue) \
            with boxes lc rgb variable, \
        Value using 1:2:($2 == $2 ? say($2) : "") with labels \
            font small_font offset 0, 0.6
    unset label 1
}
unset multiplot
