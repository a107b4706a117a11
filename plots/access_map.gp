# access_map.gp: where does each lane of one request go?
#
# Global memory: the 32-byte sectors that the request touches, word by word. A
# word that lanes ask for holds their numbers; grey words are moved although
# nobody asks for them. Shared memory: a row a lane, a column a bank. The number
# is the pass that serves the lane: a bank serves one word a pass.
#
# In : csv    a lab's program --map FILE
#      space  optional: "global" or "shared", which request of the file; without
#             it the first one
# Out: out    .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; space='shared'; out='...'" plots/access_map.gp

call "plots/columns.gp" csv "lab device m n k kernel line space kind array size \
cols block_x block_y warp sectors sectors_ideal wavefronts wavefronts_ideal \
banks lane element sector bank pass"

# --- reading: stats calls a function for each row -----------------------------

LANES = 32
WORDS = 8 # of a sector
wanted = exists("space") ? space : ""
lanes = 0
is_wanted(name) = (wanted = wanted eq "" ? name : wanted, name eq wanted)
# What all lanes of a request have in common is read from the last one.
stats csv using (is_wanted(strcol("space")) ? ( \
    lanes = lanes + 1, lab = strcol("lab"), \
    device = strcol("device"), kernel = strcol("kernel"), \
    size = size_text(column("m"), column("n"), column("k")), \
    line = column("line"), kind = strcol("kind"), name = strcol("array"), \
    bytes = column("size"), columns = strcol("cols") eq "" ? 0 : column("cols"), \
    block = sprintf("block (%d,%d)", column("block_x"), column("block_y")), \
    warp = column("warp"), is_shared = wanted eq "shared", \
    banks = is_shared ? column("banks") : 0, \
    cost = column(is_shared ? "wavefronts" : "sectors"), \
    ideal = column(is_shared ? "wavefronts_ideal" : "sectors_ideal")) : 0) \
    nooutput
if (lanes == 0) {
    printerr sprintf("plot: %s: no request of %s memory", csv, wanted)
    exit status 2
}
counted_by = device eq "cpu" ? "the CPU device" : device

# The sectors, and in each of their words the lanes: Text holds the runs of
# neighbours that are complete, From and To the last one.
array Sector[2 * LANES]
array Text[2 * LANES * WORDS]
array From[2 * LANES * WORDS]
array To[2 * LANES * WORDS]
sectors = 0
place(sector) = sum [i = 1:sectors] (Sector[i] == sector ? i : 0)
add_sector(sector) = place(sector) > 0 ? 1 \
    : (sectors = sectors + 1, Sector[sectors] = sector, 1)
run(from, to) = from < 0 ? "" : from == to ? sprintf("%d", from) \
    : sprintf(to == from + 1 ? "%d %d" : "%d-%d", from, to)
add_lane(cell, lane) = (To[cell] >= 0 && To[cell] == lane - 1) \
    ? (To[cell] = lane, 1) \
    : (Text[cell] = lanes_of(cell), From[cell] = lane, To[cell] = lane, 1)
lanes_of(cell) = Text[cell].(Text[cell] eq "" ? "" : " "). \
    run(From[cell], To[cell])
# A lane of 8 or 16 bytes fills several words; one of 1 or 2 bytes shares one.
more = bytes > 4 ? int(bytes) / 4 - 1 : 0 # words of a lane behind its first
add_words(sector, byte, lane) = sum [w = 0:more] \
    add_lane((place(sector) - 1) * WORDS + byte % 32 / 4 + w + 1, lane)
if (!is_shared) {
    stats csv using (strcol("space") eq wanted \
        ? add_sector(int(column("sector"))) : 0) nooutput
    do for [i = 2:sectors] {
        do for [j = i:2:-1] {
            if (Sector[j] < Sector[j - 1]) {
                swap = Sector[j]
                Sector[j] = Sector[j - 1]
                Sector[j - 1] = swap
            }
        }
    }
    do for [cell = 1:sectors * WORDS] {
        Text[cell] = ""
        From[cell] = -1
        To[cell] = -1
    }
    stats csv using (strcol("space") eq wanted ? add_words( \
        int(column("sector")), int(column("element")) * int(bytes), \
        int(column("lane"))) : 0) nooutput
    do for [cell = 1:sectors * WORDS] {
        Text[cell] = lanes_of(cell)
        if (strlen(Text[cell]) > 12) {
            Text[cell] = Text[cell][1:9]."..."
        }
    }
}

# --- drawing ------------------------------------------------------------------

width = 1000
height = 190 + (is_shared ? 20 * LANES : 30 * (sectors > 4 ? sectors : 4))
load "plots/style.gp"
set output out

plural(count) = count == 1 ? "" : "s"
verb = kind eq "load" ? "loads" : kind eq "store" ? "stores" : "changes"
unit = is_shared ? sprintf("pass%s of the banks", cost == 1 ? "" : "es") \
    : sprintf("sector%s", plural(cost))
set multiplot # for two titles of different size
set label 1 sprintf("Lab %s: a warp %s %s in %d %s%s", lab[1:2], verb, name, \
    cost, unit, cost > ideal ? sprintf(", where %d would do", ideal) : "") \
    at screen 0.012, screen 1 - 26.0 / height font large_font
set label 2 sprintf("line %d of %s, %s, warp %d%s; recorded by %s at %s", \
    line, kernel, block, warp, \
    bytes > 4 ? sprintf(", elements of %d bytes", bytes) : "", \
    counted_by, size) \
    at screen 0.012, screen 1 - 56.0 / height
set border 0
unset grid
set tics scale 0
set tmargin at screen 1 - 112.0 / height
set bmargin at screen 62.0 / height
set rmargin at screen 0.985
set key at screen 0.012, screen 1 - 84.0 / height left center horizontal \
    reverse Left samplen 1.2 width 1
middle = (1 + (62.0 - 112.0) / height) / 2 # of the height of the map

if (is_shared) {
    set lmargin at screen 0.075
    set xrange [-0.6:banks - 0.4]
    set yrange [LANES - 0.4:-0.6]
    set xtics 0, 1, banks - 1
    set ytics 0, 1, LANES - 1
    set xlabel sprintf("bank of shared memory (4 bytes wide; that of the first \
element of %s is 0)", name)
    set label 3 "lane of the warp" at screen 0.02, screen middle rotate center
    do for [i = 0:LANES] {
        set arrow from graph 0, first i - 0.5 to graph 1, first i - 0.5 nohead \
            back lc rgb "#e6e6e6" lw 1
    }
    do for [i = 0:banks] {
        set arrow from i - 0.5, graph 0 to i - 0.5, graph 1 nohead \
            back lc rgb "#e6e6e6" lw 1
    }
    late(pass) = pass > 1
    bank(is_drawn) = strcol("space") eq wanted && is_drawn ? column("bank") : NaN
    plot csv using (bank(1)):(column("lane")):(bank(1) - 0.46): \
            (bank(1) + more + 0.46):(column("lane") - 0.44): \
            (column("lane") + 0.44): \
            (late(column("pass")) ? vermillion : sky) \
            with boxxyerror lc rgb variable notitle, \
        csv using (bank(!late(column("pass"))) + more / 2.0):(column("lane")): \
            (sprintf("%d", column("pass"))) with labels notitle, \
        csv using (bank(late(column("pass"))) + more / 2.0):(column("lane")): \
            (sprintf("%d", column("pass"))) with labels \
            textcolor rgb "white" notitle, \
        keyentry with boxes lc rgb sky title "served in the first pass", \
        keyentry with boxes lc rgb vermillion \
            title "in the pass of that number: it waits"
} else {
    # "B[3][8..15]" where rows hold whole sectors, else the elements' numbers.
    a_sector = int(32 / bytes)
    first_of(i) = Sector[i] * a_sector
    label_of(i) = columns > 0 && int(columns) % a_sector == 0 \
        ? sprintf("%s[%d][%d..%d]", name, first_of(i) / int(columns), \
            first_of(i) % int(columns), \
            first_of(i) % int(columns) + a_sector - 1) \
        : sprintf("%s: %d..%d", name, first_of(i), first_of(i) + a_sector - 1)
    set lmargin at screen 0.185
    set xrange [-0.52:WORDS - 0.48]
    set yrange [sectors + 0.5:0.5]
    set xtics 0, 1, WORDS - 1
    set ytics ()
    do for [i = 1:sectors] {
        set ytics add (label_of(i) i)
    }
    set xlabel "word of the sector (4 bytes each)"
    set label 3 "sector (32 bytes)" at screen 0.02, screen middle rotate center
    x(cell) = int(cell - 1) % WORDS
    y(cell) = int(cell - 1) / WORDS + 1
    set datafile separator whitespace # arrays are no CSV
    set datafile nocolumnheaders
    plot Text using (x($1)):(y($1)):(x($1) - 0.48):(x($1) + 0.48): \
            (y($1) - 0.42):(y($1) + 0.42):(strlen(Text[$1]) ? blue : grey) \
            every ::0::sectors * WORDS - 1 \
            with boxxyerror lc rgb variable notitle, \
        Text using (x($1)):(y($1)):(Text[$1]) every ::0::sectors * WORDS - 1 \
            with labels textcolor rgb "white" notitle, \
        keyentry with boxes lc rgb blue title "asked for by these lanes", \
        keyentry with boxes lc rgb grey title "moved, not asked for"
}
unset multiplot
