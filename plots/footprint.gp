# footprint.gp: which elements of A, B and C do a thread, its warp and its block
# touch in global memory?
#
# C stands below B and beside A, so that an element of C is in the row of A and
# the column of B that it is made of.
#
# In : csv  a lab's program --footprint FILE
# Out: out  .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/footprint.gp

call "plots/columns.gp" csv "lab device m n k kernel block_x block_y warp \
thread_x thread_y array row col by"

# --- reading ------------------------------------------------------------------

MATRICES = 3
array Thread[MATRICES] # how many elements each touches
array Warp[MATRICES]
array Block[MATRICES]
do for [i = 1:MATRICES] { Thread[i] = 0; Warp[i] = 0; Block[i] = 0 }
matrix(name) = strstrt("ABC", name)
add(i, by) = (Block[i] = Block[i] + 1, \
    Warp[i] = Warp[i] + (by ne "block"), Thread[i] = Thread[i] + (by eq "thread"))
stats csv using (lab = strcol("lab"), device = strcol("device"), \
    kernel = strcol("kernel"), m = column("m"), n = column("n"), \
    k = column("k"), bx = column("block_x"), by = column("block_y"), \
    tx = column("thread_x"), ty = column("thread_y"), warp = column("warp"), \
    add(matrix(strcol("array")), strcol("by"))) nooutput
counted_by = device eq "cpu" ? "the CPU device" : device

# --- drawing ------------------------------------------------------------------

# All matrices in one system of axes, whose unit is an element, which is as wide
# as it is high. In pixels:
LEFT = 50.0
RIGHT = 20.0
TOP = 216.0
BOTTOM = 42.0
GAP = 100.0 # between matrices
width = 1100.0
element = (width - LEFT - RIGHT - GAP) / (k + n)
if (element * (k + m) > 800) { element = 800.0 / (k + m) }
width = ceil(element * (k + n) + GAP + LEFT + RIGHT)
width = width < 860 ? 860 : width # the title is as long
height = ceil(element * (k + m) + GAP + TOP + BOTTOM)
gap = GAP / element
x_of(name) = name eq "A" ? 0 : k + gap
y_of(name) = name eq "B" ? 0 : k + gap
load "plots/style.gp"
set output out

set lmargin at screen LEFT / width
set rmargin at screen 1 - RIGHT / width
set tmargin at screen 1 - TOP / height
set bmargin at screen BOTTOM / height
set xrange [0:(width - LEFT - RIGHT) / element]
set yrange [k + gap + m:0]
unset border
unset tics
unset grid
unset key

set label 1 sprintf("Lab %s: what a thread, its warp and its block touch in \
global memory", lab[1:2]) at screen 0.012, screen 1 - 26.0 / height \
    font large_font
set label 2 sprintf("%s, recorded by %s at %s", kernel, counted_by, \
    size_text(m, n, k)) at screen 0.012, screen 1 - 56.0 / height

do for [name in "A B C"] {
    i = matrix(name)
    rows = name eq "B" ? k : m
    cols = name eq "A" ? k : n
    x = x_of(name)
    y = y_of(name)
    set object i rectangle from x, y to x + cols, y + rows \
        fillstyle empty border rgb ink linewidth 1.5 front
    set label 10 * i sprintf("%s, %d x %d elements", name, rows, cols) \
        at x, y offset 0, 0.7
    set label 10 * i + 1 sprintf("columns 0 to %d", cols - 1) \
        at x + cols / 2.0, y + rows center offset 0, -0.8
    set label 10 * i + 2 sprintf("rows 0 to %d", rows - 1) \
        at x, y + rows / 2.0 center rotate offset -1.2, 0
}

# The colours, and how many elements each touches.
array Who[4] = ["", sprintf("thread (%d,%d)", tx, ty), \
    sprintf("its warp (%d)", warp), sprintf("its block (%d,%d)", bx, by)]
array Shade[4] = [0, ink, vermillion, sky]
line_of(i) = 1 - (66 + 24.0 * i) / height
do for [i = 1:4] {
    if (i > 1) {
        set object 10 + i rectangle at screen 22.0 / width, screen line_of(i) \
            size screen 16.0 / width, screen 16.0 / height \
            fillcolor rgb Shade[i] fillstyle solid noborder
    }
    set label 40 + i Who[i] at screen 38.0 / width, screen line_of(i)
    do for [j = 1:MATRICES] {
        shown = i == 1 ? word("A B C", j) : sprintf("%d", \
            i == 2 ? Thread[j] : i == 3 ? Warp[j] : Block[j])
        set label 50 + 4 * i + j shown right \
            at screen (190.0 + 56 * j) / width, screen line_of(i)
    }
}
set label 70 "elements" at screen 38.0 / width, screen line_of(1)

# A white line between elements where there is room for one.
half = element < 4 ? 0.5 : 0.42
x(name, col) = x_of(name) + col + 0.5
y(name, row) = y_of(name) + row + 0.5
plot for [who in "block warp thread"] csv \
    using (strcol("by") eq who ? x(strcol("array"), column("col")) : NaN): \
        (y(strcol("array"), column("row"))): \
        (x(strcol("array"), column("col")) - half): \
        (x(strcol("array"), column("col")) + half): \
        (y(strcol("array"), column("row")) - half): \
        (y(strcol("array"), column("row")) + half) \
    with boxxyerror lc rgb who eq "block" ? sky \
        : who eq "warp" ? vermillion : ink
