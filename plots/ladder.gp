# ladder.gp: how fast does each lab run on a GPU, and how much is left?
#
# In : csv           results of the labs, timed on a GPU
#                    (common/harness/results.h)
#      title_device  optional: how to call the GPU
#      remark        optional: to stand behind its name
# Out: out           .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/ladder.gp
#
# Of several rows of a lab the first one from a GPU that is right is drawn. The
# y axis ends at the peak that was measured in the same run. A bar is
# the median run, its whisker spans the slowest and the fastest. Lab 01 runs on
# the host: its bar is the speed of one core. Labs in other precisions than
# single are not drawn.

call "plots/columns.gp" csv "lab variant device device_name m n k verdict \
kernel_ms kernel_ms_min kernel_ms_max gflops peak_gflops cublas_gflops"

# --- reading: stats calls a function for each row -----------------------------

MOST = 32 # labs
array Rate[MOST]
array Slowest[MOST]
array Fastest[MOST]
array Name[MOST]
labs = 0
seen = " "
name = ""
size = ""
peak = 0
cublas = 0

set datafile separator comma
set datafile columnheaders

# 05_bank_conflicts in lines: 05, bank, conflicts.
lines(text) = (at = strstrt(text, "_")) == 0 ? text \
    : text[1:at - 1]."\n".lines(text[at + 1:])

is_drawn(lab, device, verdict, rate) = device eq "gpu" && \
    verdict eq "PASS" && rate > 0 && strstrt(seen, " ".lab." ") == 0
# The last lab's size and device stand in the title: lab 01 has its own size.
note(lab, variant, rate, ms, least, most, gpu, text, top, library) = ( \
    seen = seen.lab." ", labs = labs + 1, Rate[labs] = rate, \
    Slowest[labs] = most > 0 ? rate * ms / most : rate, \
    Fastest[labs] = least > 0 ? rate * ms / least : rate, \
    Name[labs] = lines(lab). \
        (variant eq "host" ? "\n(one core,\n".text.")" : ""), \
    name = gpu, size = text, peak = top > peak ? top : peak, \
    cublas = library > cublas ? library : cublas, 1)
stats csv using (is_single(strcol(precision_of)) && \
    is_drawn(strcol("lab"), strcol("device"), strcol("verdict"), \
    column("gflops")) ? note(strcol("lab"), strcol("variant"), \
        column("gflops"), column("kernel_ms"), column("kernel_ms_min"), \
        column("kernel_ms_max"), strcol("device_name"), \
        size_text(column("m"), column("n"), column("k")), \
        column("peak_gflops"), column("cublas_gflops")) : 0) nooutput
if (labs == 0) {
    printerr sprintf("plot: %s: no lab was timed on a GPU (nothing to draw)", \
        csv)
    exit status 2
}
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
set datafile separator whitespace # arrays are no CSV
set datafile nocolumnheaders
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
