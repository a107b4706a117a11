# class.gp: how did a class do, and what did it fail most?
#
# In : csv   a class's table (common/grade/publish/picture.c): class.csv
# Out: out   .svg, .png or .pdf
# Run: gnuplot -c plots/class.gp CSV OUT, or -e "csv=...; out=..." as the others
#
# Left, a bar for each tenth of the points that can be had: how many students
# have so many. Right, the failures that most students share, each with its lab,
# verdict and reason.

if (!exists("csv")) { csv = ARG1; out = ARG2 }
call "plots/columns.gp" csv "kind lab verdict reason from to students missing"

# Rows of kind points come first; in a sum the others count 0.
points(value) = strcol("kind") eq "points" ? value : 0
failure(value) = strcol("kind") eq "failure" ? value : 0
stats csv using (points(1)) name "BINS" nooutput
stats csv using (points(column("students"))) name "STUDENTS" nooutput
stats csv using (points(column("missing"))) name "ABSENT" nooutput
stats csv using (points(column("to"))) name "POINTS" nooutput
stats csv using (failure(1)) name "FAILURES" nooutput
stats csv using (failure(column("students"))) name "FAILED" nooutput
bins = int(BINS_sum)
failures = int(FAILURES_sum)
most = STUDENTS_max > 0 ? STUDENTS_max : 1
if (bins == 0) {
    printerr sprintf("plot: %s: no row of kind points (nothing to draw)", csv)
    exit status 2
}

# --- drawing ------------------------------------------------------------------

width = 1240
height = 640
load "plots/style.gp"
set output out
unset key

# Whole students only.
step(x) = x <= 6 ? 1 : x <= 12 ? 2 : x <= 30 ? 5 : x <= 60 ? 10 \
    : x <= 120 ? 20 : x <= 300 ? 50 : x <= 600 ? 100 : 200
people(n) = sprintf(n == 1 ? "%d student" : "%d students", n)

set multiplot
set label 1 "The class: ".people(STUDENTS_sum) at screen 0.012, screen 0.955 \
    font large_font
set label 2 "points" at screen 0.245, screen 0.03 center
set label 3 "students" at screen 0.012, screen 0.895
if (ABSENT_sum > 0) {
    set object 1 rectangle at screen 0.26, screen 0.895 size screen 0.012, \
        screen 0.024 fillcolor rgb grey fillstyle solid noborder
    set label 4 "handed in nothing" at screen 0.272, screen 0.895
}
set label 5 (failures > 0 ? "What was failed most, and by how many" \
    : "Nothing was failed") at screen 0.5, screen 0.955 font large_font

set margins at screen 0.05, screen 0.46, screen 0.11, screen 0.84
set xrange [0.4:bins + 0.6]
set yrange [0:most * 1.08]
set ytics step(most)
set xtics scale 0 ()
set xtics add (say(POINTS_max) bins + 0.5)
plot csv every ::0::bins - 1 using ($0 + 1):"students":(0.86) \
        with boxes lc rgb blue, \
    csv every ::0::bins - 1 using ($0 + 1):"missing":(0.86) \
        with boxes lc rgb grey, \
    csv every ::0::bins - 1 using ($0 + 0.5):(0):xtic(say(column("from"))) \
        with points ps 0, \
    csv every ::0::bins - 1 using ($0 + 1):"students": \
        (column("students") > 0 ? strcol("students") : "") \
        with labels center offset 0, 0.6
unset label
unset object 1

if (failures > 0) {
    # A line of text, and below it a bar.
    ROWS = failures > 12 ? failures : 12
    set margins at screen 0.5, screen 0.985, screen 0.04, screen 0.915
    set xrange [0:FAILED_max * 1.12]
    set yrange [ROWS + 0.5:0.5]
    unset grid
    unset tics
    unset border
    said(lab, verdict, reason) = lab[1:2]." ".verdict. \
        (reason eq "" ? "" : ": ".reason)
    plot csv every ::bins \
            using (0):($0 + 1):(0):"students":($0 + 1.1):($0 + 1.32) \
            with boxxyerror lc rgb vermillion, \
        csv every ::bins using "students":($0 + 1.21):(strcol("students")) \
            with labels left offset 0.5, 0, \
        csv every ::bins using (0):($0 + 0.8):(said(strcol("lab"), \
            strcol("verdict"), strcol("reason"))) \
            with labels left font small_font
}
unset multiplot
