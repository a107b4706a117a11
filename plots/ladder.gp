# ladder.gp: how fast does each lab run on a GPU, and how much is left?
#
# In : csv           results of the labs, timed on a GPU
#                    (common/harness/results.h)
#      title_device  optional: how to call the GPU
#      remark        optional: to stand behind its name
# Out: out           .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/ladder.gp
#
# The y axis ends at the peak that was measured in the same run. A bar is the
# median run, its whisker spans the slowest and the fastest. Lab 01 runs on
# the host: its bar is the speed of one core. Labs in other precisions than
# single are not drawn.

call "plots/rows.gp" csv "timed right single" "lab variant device_name size \
kernel_ms kernel_ms_min kernel_ms_max gflops peak_gflops cublas_gflops"

labs = rows
array Rate[labs]
array Slowest[labs]
array Fastest[labs]
array Name[labs]
peak = 0
cublas = 0

# 05_bank_conflicts in lines: 05, bank, conflicts.
lines(text) = strstrt(text, "_") == 0 ? text \
    : text[1:strstrt(text, "_") - 1]."\n".lines(text[strstrt(text, "_") + 1:])
larger(a, b) = a > b ? a : b # a may be NaN

do for [i = 1:labs] {
    Rate[i] = number(i, "gflops")
    Slowest[i] = Rate[i] * number(i, "kernel_ms") / number(i, "kernel_ms_max")
    Fastest[i] = Rate[i] * number(i, "kernel_ms") / number(i, "kernel_ms_min")
    Name[i] = lines(text(i, "lab")). \
        (text(i, "variant") eq "host" \
            ? "\n(one core,\n".text(i, "size").")" : "")
    peak = larger(number(i, "peak_gflops"), peak)
    cublas = larger(number(i, "cublas_gflops"), cublas)
}
# Lab 01 has its own size; the last one stands in the title.
name = text(labs, "device_name")
size = text(labs, "size")
if (exists("title_device") && strlen(title_device) > 0) {
    name = title_device
}
if (exists("remark")) {
    name = name.remark
}

# --- drawing ------------------------------------------------------------------

width = labs > 10 ? 96 * labs : 1000 # room for the names
height = 560
load "plots/style.gp"
set output out

most = 0
do for [i = 1:labs] {
    most = Fastest[i] > most ? Fastest[i] : most
}
top = peak > most ? peak : 1.15 * most

unset key
set bmargin 7 # a name of five lines
set title sprintf("Speed of each lab, timed on %s at %s", name, size) \
    font large_font offset 0, 0.8
set tmargin 5
set ylabel "GFLOP/s"
set xrange [0.4:labs + 0.6]
set yrange [0:top]
set boxwidth 0.66
set xtics scale 0 ()
do for [i = 1:labs] {
    set xtics add (Name[i] i)
}
if (peak > 0) {
    set arrow 1 from graph 0, first peak to graph 1, first peak nohead \
        lc rgb ink lw 2
    set label 1 sprintf("measured peak: %.0f", peak) at graph 0.01, first peak \
        offset 0, 0.7
}
if (cublas > 0) {
    set arrow 2 from graph 0, first cublas to graph 1, first cublas nohead \
        lc rgb vermillion lw 2 dt 2
    set label 2 sprintf("cuBLAS: %.0f", cublas) at graph 0.01, first cublas \
        offset 0, 0.8 textcolor rgb vermillion
}
plot Rate using 1:2 every ::0::labs - 1 with boxes lc rgb blue, \
    Rate using 1:(Slowest[$1]):(0):(Fastest[$1] - Slowest[$1]) \
        every ::0::labs - 1 \
        with vectors heads size graph 0.005,90 lw 1.5 lc rgb ink, \
    Rate using 1:(Fastest[$1]):(say($2)) every ::0::labs - 1 \
        with labels offset 0, character 0.7
