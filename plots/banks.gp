# banks.gp: how many passes do the banks need at each stride, then and now?
#
# In : csv  build/tools/banks --csv FILE
# Out: out  .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/banks.gp

call "plots/columns.gp" csv "type stride rule wavefronts"

width = 1000
height = 640
load "plots/style.gp"
set output out

wavefronts(type, rule) = strcol("type") eq type && strcol("rule") eq rule \
    ? column("wavefronts") : NaN

set multiplot layout 2,1 title \
    "Passes of the banks for a warp that reads s[stride * tid]" \
    font large_font
set logscale y 2
set yrange [0.8:44] # a bar of one pass is seen
set ytics (1, 2, 4, 8, 16, 32)
set xrange [0.4:33.6]
set xtics 1, 1, 33 scale 0
set ylabel "passes"
set boxwidth 0.24
set key top left reverse Left horizontal

do for [rule in "1.x today"] {
    if (rule eq "1.x") {
        set title "Compute capability 1.x: 16 banks, half a warp at a time"
    } else {
        set title "Today: 32 banks, the whole warp"
        set xlabel "stride, in elements"
        unset key
    }
    plot csv using (column("stride") - 0.26):(wavefronts("char", rule)) \
            with boxes lc rgb orange title "char", \
        csv using (column("stride")):(wavefronts("short", rule)) \
            with boxes lc rgb green title "short", \
        csv using (column("stride") + 0.26):(wavefronts("float", rule)) \
            with boxes lc rgb blue title "float"
}
unset multiplot
