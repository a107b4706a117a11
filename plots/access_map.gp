# access_map.gp: where does each lane of one request go?
#
# Global memory: the 32-byte sectors that the request touches, word by word. A
# word that lanes ask for holds their numbers; grey words are moved although
# nobody asks for them. Shared memory: a row a lane, a column a bank. The number
# is the wavefront that serves the lane: a bank serves one word a wavefront. A
# wavefront that no order of the lanes could save is no fault, and keeps its
# colour.
#
# In : csv    a lab's program --map FILE
#      space  optional: "global" or "shared", which request of the file; without
#             it the first one
# Out: out    .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; space='shared'; out='...'" plots/access_map.gp

call "plots/rows.gp" csv "all" "lab device shape kernel line space kind array \
size element_bytes cols block_x block_y warp sectors sectors_ideal wavefronts \
wavefronts_ideal banks lane element sector bank wavefront"

# A request's rows stand together: from begin to end.
LANES = 32
WORDS = 8 # of a sector
wanted = exists("space") && strlen(space) > 0 ? space : text(1, "space")
begin = 0
end = 0
do for [i = 1:rows] {
    if (text(i, "space") eq wanted) {
        begin = begin > 0 ? begin : i
        end = i
    }
}
if (begin == 0) {
    printerr sprintf("plot: %s: no request of %s memory", csv, wanted)
    exit status 2
}
is_shared = wanted eq "shared"
name = text(begin, "array")
kind = text(begin, "kind")
bytes = int(number(begin, "size"))
element_bytes = int(number(begin, "element_bytes"))
columns = text(begin, "cols") eq "NaN" ? 0 : int(number(begin, "cols"))
banks = is_shared ? number(begin, "banks") : 0
cost = number(begin, is_shared ? "wavefronts" : "sectors")
ideal = number(begin, is_shared ? "wavefronts_ideal" : "sectors_ideal")
counted_by = text(begin, "device") eq "cpu" ? "the CPU device" \
    : text(begin, "device")
# A lane of 8 or 16 bytes fills several words; one of 1 or 2 bytes shares one.
more = bytes > 4 ? bytes / 4 - 1 : 0 # words of a lane behind its first

# The sectors, and in each of their words the lanes: Text holds the runs of
# neighbours that are complete, From and To the last one.
array Sector[2 * LANES]
array Text[2 * LANES * WORDS]
array From[2 * LANES * WORDS]
array To[2 * LANES * WORDS]
sectors = 0
nth(sector) = sum [i = 1:sectors] (Sector[i] == sector ? i : 0)
run(from, to) = from < 0 ? "" : from == to ? sprintf("%d", from) \
    : sprintf(to == from + 1 ? "%d %d" : "%d-%d", from, to)
lanes_of(cell) = Text[cell].(Text[cell] eq "" ? "" : " "). \
    run(From[cell], To[cell])
if (!is_shared) {
    do for [row = begin:end] {
        if (nth(int(number(row, "sector"))) == 0) {
            sectors = sectors + 1
            Sector[sectors] = int(number(row, "sector"))
        }
    }
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
    do for [row = begin:end] {
        lane = int(number(row, "lane"))
        start = (nth(int(number(row, "sector"))) - 1) * WORDS + 1 \
            + int(number(row, "element")) * element_bytes % 32 / 4
        do for [cell = start:start + more] {
            if (To[cell] < 0 || To[cell] != lane - 1) {
                Text[cell] = lanes_of(cell)
                From[cell] = lane
            }
            To[cell] = lane
        }
    }
    do for [cell = 1:sectors * WORDS] {
        Text[cell] = lanes_of(cell)
        if (strlen(Text[cell]) > 12) {
            Text[cell] = Text[cell][1:9]."..."
        }
    }
}

# Wide accesses: lanes that are served together, by the rule of common/banks.
array Element[LANES]
do for [lane = 1:LANES] { Element[lane] = NaN }
do for [row = begin:end] {
    Element[int(number(row, "lane")) + 1] = number(row, "element")
}
# 1 if each lane asks for the same as the one whose number differs in bit; lanes
# that ask for nothing are NaN, and differ from none.
same(bit) = 0 == sum [i = 1:LANES] (Element[i] > Element[((i - 1) ^ bit) + 1])
together = bytes == 16 ? 8 : bytes == 8 ? 16 : LANES
pairs = kind ne "load" ? "" : same(1) ? "0 and 1, 2 and 3" \
    : same(2) ? "0 and 2, 1 and 3" : ""
together = together < LANES && strlen(pairs) ? 2 * together : together
is_wide = is_shared && banks == 32 && bytes >= 8 && kind ne "atomic"
reason = !is_wide || together == LANES ? "" \
    : sprintf("%d lanes at a time, %s: at least %d wavefronts", together, \
        strlen(pairs) ? "since ".pairs." ... read the same" \
        : "which could use each bank once", ideal)

# --- drawing ------------------------------------------------------------------

width = 800
source = sprintf("recorded by %s at %s", counted_by, text(begin, "shape"))
# A third line for what sets the least.
header = 112.0 + (strlen(reason) ? 26 : 0)
height = header + 66 + (is_shared ? 18 * LANES : 30 * (sectors > 4 ? sectors : 4))
load "plots/style.gp"
set output out

plural(count) = count == 1 ? "" : "s"
verb = kind eq "load" ? "loads" : kind eq "store" ? "stores" : "changes"
unit = is_shared ? sprintf("wavefront%s of the banks", plural(cost)) \
    : sprintf("sector%s", plural(cost))
set multiplot # for two titles of different size
set label 1 sprintf("Lab %s: a warp %s %s in %d %s%s", \
    text(begin, "lab")[1:2], verb, name, \
    cost, unit, cost > ideal ? sprintf(", where %d would do", ideal) : "") \
    at screen 0.012, screen 1 - 26.0 / height font large_font
set label 2 sprintf("line %s of %s, block (%d,%d), warp %d%s", \
    text(begin, "line"), text(begin, "kernel"), number(begin, "block_x"), \
    number(begin, "block_y"), number(begin, "warp"), \
    bytes > 4 ? sprintf(", %d bytes a lane", bytes) : "") \
    at screen 0.012, screen 1 - 56.0 / height
if (strlen(reason)) {
    set label 5 reason at screen 0.012, screen 1 - 112.0 / height
}
set border 0
unset grid
set tics scale 0
set tmargin at screen 1 - header / height
set bmargin at screen (66 + foot) / height
set rmargin at screen 0.985
unset key
# entry(i, x, colour, text): one of the key, x pixels from the left.
entry(i, x, colour, text) = sprintf("set object %d rectangle at screen %g, \
screen %g size screen %g, screen %g fillcolor rgb %d fillstyle solid noborder; \
set label %d '%s' at screen %g, screen %g", 100 + i, (x + 8.0) / width, \
    1 - 88.0 / height, 16.0 / width, 16.0 / height, colour, 100 + i, text, \
    (x + 24.0) / width, 1 - 88.0 / height)
middle = (1 + (66 + foot - header) / height) / 2 # of the height of the map

if (is_shared) {
    eval entry(1, 12, sky, ideal > 1 ? sprintf("served in this wavefront, of %d \
needed", ideal) : "served in wavefront 1")
    if (cost > ideal) {
        eval entry(2, 330, vermillion, "waits for the wavefront of this number")
    }
    set lmargin at screen 0.075
    set xrange [-0.6:banks - 0.4]
    set yrange [LANES - 0.4:-0.6]
    set xtics 0, 1, banks - 1 font small_font
    set ytics 0, 1, LANES - 1 font small_font
    set xlabel sprintf("bank of shared memory; %s begins in bank 0", name)
    set label 3 "lane of the warp" at screen 0.02, screen middle rotate center
    do for [i = 0:LANES] {
        set arrow from graph 0, first i - 0.5 to graph 1, first i - 0.5 nohead \
            back lc rgb "#e6e6e6" lw 1
    }
    do for [i = 0:banks] {
        set arrow from i - 0.5, graph 0 to i - 0.5, graph 1 nohead \
            back lc rgb "#e6e6e6" lw 1
    }
    do for [i = together:LANES - 1:together] {
        set arrow from graph 0, first i - 0.5 to graph 1, first i - 0.5 nohead \
            back lc rgb (strlen(reason) ? ink : 0xe6e6e6) lw 1.5
    }
    get(name) = column(place(name))
    # Of those served late, or of the others: the middle of its banks.
    middle_of(late) = (get("wavefront") > ideal) == late \
        ? get("bank") + more / 2.0 : NaN
    plot $table every ::begin - 1::end - 1 \
            using (get("bank")):(get("lane")):(get("bank") - 0.46): \
            (get("bank") + more + 0.46):(get("lane") - 0.44): \
            (get("lane") + 0.44):(get("wavefront") > ideal ? vermillion : sky) \
            with boxxyerror lc rgb variable notitle, \
        $table every ::begin - 1::end - 1 \
            using (middle_of(0)):(get("lane")): \
            (sprintf("%d", get("wavefront"))) with labels notitle, \
        $table every ::begin - 1::end - 1 \
            using (middle_of(1)):(get("lane")): \
            (sprintf("%d", get("wavefront"))) with labels \
            textcolor rgb "white" notitle
} else {
    # "B[3][8..15]" where rows hold whole sectors, else the elements' numbers.
    a_sector = 32 / element_bytes
    first_of(i) = Sector[i] * a_sector
    label_of(i) = columns > 0 && columns % a_sector == 0 \
        ? sprintf("%s[%d][%d..%d]", name, first_of(i) / columns, \
            first_of(i) % columns, \
            first_of(i) % columns + a_sector - 1) \
        : sprintf("%s: %d..%d", name, first_of(i), first_of(i) + a_sector - 1)
    eval entry(1, 12, blue, "asked for by these lanes")
    eval entry(2, 330, grey, "moved, not asked for")
    set lmargin at screen 0.21
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
    plot Text using (x($1)):(y($1)):(x($1) - 0.48):(x($1) + 0.48): \
            (y($1) - 0.42):(y($1) + 0.42):(strlen(Text[$1]) ? blue : grey) \
            every ::0::sectors * WORDS - 1 \
            with boxxyerror lc rgb variable notitle, \
        Text using (x($1)):(y($1)):(Text[$1]) every ::0::sectors * WORDS - 1 \
            with labels textcolor rgb "white" notitle
}
unset multiplot
