# banks.gp: how many passes do the banks need at each stride, then and now?
#
# In : csv  build/tools/banks --csv FILE
# Out: out  .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/banks.gp
#
# One panel for each type, so that no line hides another.

call "plots/columns.gp" csv "type stride rule wavefronts ideal"

width = 1000
height = 760
load "plots/style.gp"
set output out

passes(type, rule) = strcol("type") eq type && strcol("rule") eq rule \
    ? column("wavefronts") : NaN

set multiplot layout 3,1 title \
    "Passes of the banks for a warp that reads s[stride * tid]" \
    font large_font
set logscale y 2
set yrange [0.8:40]
set ytics (1, 2, 4, 8, 16, 32)
set xrange [0.3:33.7]
set xtics 1, 1, 33
set ylabel "passes"
set boxwidth 0.36
set key top left reverse Left horizontal
do for [type in "char short float"] {
    set title type offset 0, -0.8
    if (type eq "float") {
        set xlabel "stride, in elements"
    }
    plot csv using (column("stride") - 0.19):(passes(type, "1.x")) \
            with boxes lc rgb orange \
            title "compute capability 1.x: 16 banks, half a warp", \
        csv using (column("stride") + 0.19):(passes(type, "today")) \
            with boxes lc rgb blue title "today: 32 banks, a warp"
    unset key
}
unset multiplot
