# tile_counters.gp: what does the width of a tile change, as the counters see it?
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

columns = "lab variant device device_name m n k verdict"
do for [panel = 1:PANELS] {
    columns = columns." ".Column[panel]
}
call "plots/columns.gp" csv columns

# --- reading: stats calls a function for each row -----------------------------

array Cell[PANELS * COLUMNS]
do for [i = 1:PANELS * COLUMNS] {
    Cell[i] = NaN
}
size = ""
rows = 0

set datafile separator comma
set datafile columnheaders

at_column(variant) = sum [i = 1:COLUMNS] (Width[i] eq variant ? i : 0)
is_counted(device, verdict, variant) = device eq "cpu" && verdict eq "PASS" \
    && at_column(variant) > 0
note(variant, value) = (Cell[(panel - 1) * COLUMNS + at_column(variant)] = \
    value * (panel == 4 ? 100 : 1), rows = rows + 1, 1)
note_size(text) = (size = text, 1)
stats csv using (is_counted(strcol("device"), strcol("verdict"), \
    strcol("variant")) ? note_size(size_text(column("m"), column("n"), \
    column("k"))) : 0) nooutput
do for [panel = 1:PANELS] {
    stats csv using (is_counted(strcol("device"), strcol("verdict"), \
        strcol("variant")) && size_text(column("m"), column("n"), \
        column("k")) eq size && column(Column[panel]) > 0 \
        ? note(strcol("variant"), column(Column[panel])) : 0) nooutput
}
if (rows == 0) {
    printerr sprintf("plot: %s: no width of a tile was counted (nothing to \
draw)", csv)
    exit status 2
}

# --- drawing ------------------------------------------------------------------

width = 1200
height = 480
load "plots/style.gp"
set datafile separator whitespace # arrays are no CSV
set datafile nocolumnheaders
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
