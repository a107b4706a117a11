# counters_by_lab.gp: what does each lab change, as seen by the counters?
#
# A row a lab, a column a counter. Colour compares with the lab before, so that
# each lab's gain stands out, and with it the flaw that the next lab removes.
# What cannot be less is no worse. Blocks that share out k pass fewer barriers
# each: of these all parts count.
#
# In : csv           results of the labs, counted (common/harness/results.h)
#      recorded      optional: results of the labs timed on a GPU
#      title_device  optional: how to call the device that counted
# Out: out           .svg, .png or .pdf
# Run: gnuplot -e "csv='...'; out='...'" plots/counters_by_lab.gp
#
# Of several rows of a lab the first one is drawn. Lab 01 runs on the host,
# where nothing is counted.

PANELS = 6
array Column[PANELS] = ["global_loads_per_fma", \
    "global_load_sector_efficiency_B", "shared_load_wavefronts_per_request", \
    "shared_loads_per_fma", "backward_jumps_per_fma", "barriers_per_thread"]
array Heading[PANELS] = ["global loads\nper multiply-\nadd (log)", \
    "bytes of B\nused / bytes\nloaded", \
    "wavefronts\nper shared\nload request", \
    "shared loads\nper multiply-\nadd", \
    "jumps back\nper multiply-\nadd (log)", \
    "barriers for\nall of k"]
array Scale[PANELS] = ["log", "percent", "linear", "linear", "log", "linear"]

columns = "lab device device_name shape verdict m n"
do for [panel = 1:PANELS] {
    columns = columns." ".Column[panel]
}
# Results of before have not all of these.
do for [name in "shared_load_wavefronts shared_load_wavefronts_ideal global_atomics"] {
    if (int(system("head -n 1 '".csv."' | grep -cE '(^|,)".name."(,|$)'"))) {
        columns = columns." ".name
    }
}
optional(i, name) = place(name) > 0 ? number(i, name) : NaN
call "plots/rows.gp" csv "counted" columns

array Lab[rows]
array Verdict[rows]
array AtBest[rows] # 1: no layout saves a wavefront
array Precision[rows] # of the speed, if it is not single
array Cell[(PANELS + 1) * rows] # the last part is the speed on the GPU
cell(panel, i) = (panel - 1) * |Lab| + i
number_of(lab) = sum [k = 1:labs] (Lab[k] eq lab ? k : 0)
labs = 0
size = ""
others = "" # labs that are counted at a size of their own
do for [i = 1:rows] {
    # Lab 01 has no counts, nor has a lab that this device cannot run.
    if (text(i, "lab")[1:2] ne "01" && text(i, "verdict") ne "SKIPPED") {
        labs = labs + 1
        Lab[labs] = text(i, "lab")
        Verdict[labs] = text(i, "verdict")
        Precision[labs] = ""
        if (size eq "" && strlen(text(i, "shape")) > 2) {
            size = text(i, "shape")
            counted_by = text(i, "device") eq "cpu" ? "the CPU device" \
                : text(i, "device_name")
        }
        if (strlen(text(i, "shape")) > 2 && text(i, "shape") ne size) {
            others = others.(others eq "" ? "" : ", "). \
                text(i, "lab")[1:2]." at ".text(i, "shape")
        }
        do for [panel = 1:PANELS] {
            Cell[cell(panel, labs)] = Verdict[labs] eq "PASS" \
                ? number(i, Column[panel]) : NaN
        }
        parts = optional(i, "global_atomics") / (number(i, "m") * number(i, "n"))
        AtBest[labs] = optional(i, "shared_load_wavefronts") \
            <= 1.02 * optional(i, "shared_load_wavefronts_ideal")
        Cell[cell(PANELS, labs)] = Cell[cell(PANELS, labs)] \
            * (parts > 1 ? parts : 1)
        Cell[cell(PANELS + 1, labs)] = NaN
    }
}
if (size eq "") {
    printerr sprintf("plot: %s: no lab from 02 on is counted (run the labs)", \
        csv)
    exit status 2
}
if (exists("title_device") && strlen(title_device) > 0) {
    counted_by = title_device
}

has_speed = exists("recorded") && strlen(recorded) > 0
if (has_speed) {
    call "plots/rows.gp" recorded "timed right" "lab device_name shape \
precision gflops"
    do for [i = 1:rows] {
        lab = number_of(text(i, "lab"))
        if (lab > 0) {
            Cell[cell(PANELS + 1, lab)] = number(i, "gflops") / 1000
            Precision[lab] = text(i, "precision") eq "fp32" ? "" \
                : text(i, "precision") eq "tf32" ? " TF32" : " bf16"
        }
    }
    shape = text(rows, "shape")
    timed_on = text(rows, "device_name")."\nat ". \
        (shape[1:12] eq "M = N = K = " ? shape[13:] : shape)." (log)"
}

# --- drawing ------------------------------------------------------------------

width = 900
height = 178 + 32 * labs
load "plots/style.gp"
set output out
unset key
unset grid
unset tics
set border 2

# In parts of the width and of the height.
NAMES = 0.183
HEAD = 1 - 152.0 / height
FOOT = (26.0 + foot) / height # the axes of logarithms
PANEL = (0.995 - NAMES) / (PANELS + has_speed)
HALF = 0.33 # of a bar's thickness
from_top(pixels) = 1 - 1.0 * pixels / height
row_at(i) = HEAD - (HEAD - FOOT) * (i - 0.5) / labs

array Value[labs]
array Colour[labs]
# A value is NaN where nothing was counted, and only NaN is not itself.
is_number(x) = x == x
# Less than one part in fifty is no difference.
better(x, than) = more_is_better ? x > 1.02 * than : 1.02 * x < than
colour(x, than) = !is_number(than) ? grey \
    : better(x, than) ? blue : better(than, x) && !at_best ? vermillion : grey
# Where a bar's number stands. gnuplot 5.4 crashes if no label has a place.
label_at(i) = is_number(Value[i]) && Value[i] > from ? Value[i] : from
text(i) = !is_number(Value[i]) ? "" \
    : scale eq "percent" ? sprintf("%.0f %%", 100 * Value[i]) \
    : say(Value[i]).(is_speed ? Precision[i] : "")

set multiplot
set label 1 sprintf("What each lab changes, counted by %s at %s", \
    counted_by, size) at screen 0.01, screen from_top(22) font large_font
array Legend[3] = ["better than the lab before", "worse", \
    "as before, the first, or the least there can be"]
array Shade[3] = [blue, vermillion, grey]
array At[3] = [0.013, 0.29, 0.405]
do for [i = 1:3] {
    set object i rectangle at screen At[i] + 0.005, screen from_top(54) \
        size screen 0.011, screen 14.0 / height \
        fillcolor rgb Shade[i] fillstyle solid noborder
    set label 2 + i Legend[i] at screen At[i] + 0.018, screen from_top(54)
}
set label 6 others at screen 0.012, screen 12.0 / height font small_font textcolor rgb "#666666"
do for [i = 1:labs] {
    set label 20 + i Lab[i] at screen NAMES - 0.008, screen row_at(i) right
    if (Verdict[i] ne "PASS") {
        set label 20 + labs + i Verdict[i] textcolor rgb vermillion \
            at screen NAMES + 0.008, screen row_at(i)
    } else { if (!is_number(Cell[cell(1, i)])) {
        set label 20 + labs + i "no matrix product" textcolor rgb "#666666" \
            at screen NAMES + 0.008, screen row_at(i)
    }}
}

do for [panel = 1:PANELS + has_speed] {
    is_speed = panel > PANELS
    scale = is_speed ? "log" : Scale[panel]
    more_is_better = is_speed || scale eq "percent"
    most = 0
    least = 1e30
    last = NaN
    do for [i = 1:labs] {
        Value[i] = Cell[cell(panel, i)]
        at_best = panel == 3 && AtBest[i]
        last = is_speed && strlen(Precision[i]) ? NaN : last # another task
        Colour[i] = colour(Value[i], last)
        if (is_number(Value[i])) {
            last = Value[i]
            most = last > most ? last : most
            least = last > 0 && last < least ? last : least
        }
    }
    if (most == 0) { most = 1; least = 1 }
    # Room for the number behind the longest bar.
    from = scale eq "log" ? least / 4 : 0
    to = scale eq "log" ? most * (most / from) ** (is_speed ? 2 : 1.1) : 2.1 * most
    unset logscale x
    set border 2
    unset xtics
    if (scale eq "log") {
        set logscale x
        set border 3
        set xtics nomirror scale 0.4 font small_font offset 0, 0.4 ()
        step = is_speed ? 3 : log10(most / from) > 3 ? 2 : 1
        do for [decade = -6:6:step] {
            if (10.0 ** decade >= from && 10.0 ** decade < 2 * most) {
                set xtics add (sprintf("%g", 10.0 ** decade) 10.0 ** decade)
            }
        }
    }
    set xrange [from:to]
    set yrange [labs + 0.5:0.5]
    set margins at screen NAMES + (panel - 1) * PANEL, \
        screen NAMES + (panel - 0.1) * PANEL, screen FOOT, screen HEAD
    set label 10 (is_speed ? "TFLOP/s of an\n".timed_on : Heading[panel]) \
        at graph 0, screen from_top(96)
    plot Value using (from):1:(from):2:($1 - HALF):($1 + HALF):(Colour[$1]) \
            with boxxyerror lc rgb variable, \
        Value using (label_at($1)):1:(text($1)) \
            with labels left offset character 0.4, 0
    # What stands outside the panels is drawn with the first.
    do for [i = 1:20 + 2 * labs] { unset label i }
    do for [i = 1:3] { unset object i }
    unset label 9999
}
unset multiplot
