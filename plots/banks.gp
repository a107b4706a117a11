# banks.gp: how many wavefronts do the banks need at each stride, then and now?
#
# A row for each rule and type, a column for each stride, in a cell the number
# of wavefronts: the more, the darker.
#
# In : csv  build/tools/banks --csv FILE
# Out: out  .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/banks.gp

call "plots/columns.gp" csv "type stride rule wavefronts"

width = 860
height = 300
load "plots/style.gp"
set output out

# Rows from the top: compute capability 1.x, a gap, today.
type(i) = word("char short float", i)
row_of(type, rule) = (type eq "char" ? 1 : type eq "short" ? 2 : \
    type eq "float" ? 3 : NaN) + (rule eq "today" ? 4 : 0)
y(c) = row_of(strcol("type"), strcol("rule"))
shade(n) = n <= 1 ? 0xe8eef3 : n <= 2 ? 0xf6d9a0 : n <= 4 ? 0xf0b23a \
    : n <= 8 ? 0xe07b1f : 0xa83c00

set label 1 "Strides that conflict: wavefronts for a warp's s[stride * tid]" \
    at screen 0.015, screen 0.93 font large_font
set label 2 "1: served at once; 32: all lanes wait for one bank; odd strides of \
float never conflict" \
    at screen 0.015, screen 0.83
set label 3 "16 banks,\nhalf a warp\n(cc 1.x)" at screen 0.015, graph 0.79
set label 4 "32 banks,\na warp\n(today)" at screen 0.015, graph 0.28
set lmargin at screen 0.175
set rmargin at screen 0.99
set tmargin at screen 0.76
set bmargin at screen 0.19
set border 0
unset grid
unset key
set xrange [0.5:33.5]
set yrange [7.5:0.5]
set xtics scale 0 1, 1, 33 font small_font offset 0, 0.4
set xlabel "stride, in elements" offset 0, 0.6
set ytics scale 0 ()
do for [i = 1:3] {
    set ytics add (type(i) i)
    set ytics add (type(i) i + 4)
}
plot csv using (column("stride")):(y(0)):(column("stride") - 0.47): \
        (column("stride") + 0.47):(y(0) - 0.45):(y(0) + 0.45): \
        (shade(column("wavefronts"))) with boxxyerror lc rgb variable, \
    csv using (column("stride")):(y(0)): \
        (column("wavefronts") > 8 ? "" : strcol("wavefronts")) with labels \
        font small_font, \
    csv using (column("stride")):(y(0)): \
        (column("wavefronts") > 8 ? strcol("wavefronts") : "") with labels \
        font small_font textcolor rgb "white"
