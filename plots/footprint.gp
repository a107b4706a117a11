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

# What all rows have in common, from the first.
COMMON = "lab device kernel m n k warp block_x block_y thread_x thread_y"
array First[words(COMMON)]
do for [i = 1:words(COMMON)] {
    set table $cell
    plot csv every ::0::0 using (strcol(word(COMMON, i))) with table
    unset table
    First[i] = $cell[1]
}
text(name) = First[sum [i = 1:words(COMMON)] (word(COMMON, i) eq name ? i : 0)]
m = int(text("m"))
n = int(text("n"))
k = int(text("k"))
counted_by = text("device") eq "cpu" ? "the CPU device" : text("device")

# How many elements of each matrix a thread, its warp and its block touch. A row
# names the smallest of them.
MATRICES = 3
number_of(by) = by eq "thread" ? 1 : by eq "warp" ? 2 : 3
array Touched[3 * MATRICES]
do for [j = 1:MATRICES] {
    do for [i = 1:3] {
        stats csv using (strcol("array") eq word("A B C", j) \
            && number_of(strcol("by")) <= i) nooutput
        Touched[3 * (j - 1) + i] = STATS_sum
    }
}

# --- drawing ------------------------------------------------------------------

# All matrices in one system of axes, whose unit is an element, which is as wide
# as it is high. In pixels:
LEFT = 50.0
RIGHT = 20.0
TOP = 216.0
BOTTOM = 42.0
GAP = 100.0 # between matrices
width = 800.0
element = (width - LEFT - RIGHT - GAP) / (k + n)
if (element * (k + m) > 620) { element = 620.0 / (k + m) }
width = ceil(element * (k + n) + GAP + LEFT + RIGHT)
width = width < 800 ? 800 : width # the title is as long
height = ceil(element * (k + m) + GAP + TOP + BOTTOM)
gap = GAP / element
x_of(name) = name eq "A" ? 0 : k + gap
y_of(name) = name eq "B" ? 0 : k + gap
load "plots/style.gp"
set output out

set lmargin at screen LEFT / width
set rmargin at screen 1 - RIGHT / width
set tmargin at screen 1 - TOP / height
set bmargin at screen (BOTTOM + foot) / height
set xrange [0:(width - LEFT - RIGHT) / element]
set yrange [k + gap + m:0]
unset border
unset tics
unset grid
unset key

set label 1 sprintf("Lab %s: what a thread, its warp and its block touch in \
global memory", text("lab")[1:2]) at screen 0.012, screen 1 - 26.0 / height \
    font large_font
set label 2 sprintf("%s, recorded by %s at %s", text("kernel"), \
    counted_by, size_text(m, n, k)) at screen 0.012, screen 1 - 56.0 / height

do for [name in "A B C"] {
    i = strstrt("ABC", name)
    count = name eq "B" ? k : m
    cols = name eq "A" ? k : n
    x = x_of(name)
    y = y_of(name)
    set object i rectangle from x, y to x + cols, y + count \
        fillstyle empty border rgb ink linewidth 1.5 front
    set label 10 * i sprintf("%s, %d x %d elements", name, count, cols) \
        at x, y offset 0, 0.7
    set label 10 * i + 1 sprintf("columns 0 to %d", cols - 1) \
        at x + cols / 2.0, y + count center offset 0, -0.8
    set label 10 * i + 2 sprintf("rows 0 to %d", count - 1) \
        at x, y + count / 2.0 center rotate offset -1.2, 0
}

# The colours, and how many elements each touches.
array Who[4] = ["", sprintf("thread (%s,%s)", \
    text("thread_x"), text("thread_y")), \
    sprintf("its warp (%s)", text("warp")), \
    sprintf("its block (%s,%s)", text("block_x"), text("block_y"))]
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
        shown = i == 1 ? word("A B C", j) \
            : sprintf("%d", Touched[3 * (j - 1) + i - 1])
        set label 50 + 4 * i + j shown right \
            at screen (190.0 + 56 * j) / width, screen line_of(i)
    }
}
set label 70 "elements" at screen 38.0 / width, screen line_of(1)

# A white line between elements where there is room for one. Where there is
# none, neighbours in a row are one box, from col to last.
half = element < 8 ? 0.5 : 0.42
runs = sprintf("< awk -F, -v merge=%d '\
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print \"array,row,by,col,last\"; next } \
    { key = $at[\"array\"] \",\" $at[\"row\"] \",\" $at[\"by\"]; col = $at[\"col\"] + 0 } \
    merge && key == run && col == last + 1 { last = col; next } \
    run { print run \",\" first \",\" last } \
    { run = key; first = last = col } \
    END { if (run) print run \",\" first \",\" last }' '%s'", half == 0.5, csv)
x(end) = x_of(strcol("array")) + column(end) + 0.5
y(far) = y_of(strcol("array")) + column("row") + 0.5 + far
plot for [who in "block warp thread"] runs \
    using (strcol("by") eq who ? x("col") : NaN):(y(0)): \
        (x("col") - half):(x("last") + half):(y(-half)):(y(half)) \
    with boxxyerror lc rgb who eq "block" ? sky \
        : who eq "warp" ? vermillion : ink
