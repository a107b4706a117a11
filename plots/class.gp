# class.gp: how did a class do, and what did it fail most?
#
# In : csv   a class's table (common/grade/publish/class_plot.c): class.csv
# Out: out   .svg, .png or .pdf
# Run: gnuplot -c plots/class.gp CSV OUT, or -e "csv=...; out=..." as the others
#
# Left, a bar for each tenth of the points that can be had: how many students
# have so many. Right, the failures that most students share, each with its lab,
# verdict and reason.

if (!exists("csv")) { csv = ARG1; out = ARG2 }
call "plots/columns.gp" csv "kind lab verdict reason from to students missing"

# --- reading: stats calls a function for each row -----------------------------

MOST = 64 # rows of a kind
array From[MOST]
array To[MOST]
array Students[MOST]
array Missing[MOST]
array Text[MOST]
array Failed[MOST]
bins = 0
failures = 0

note_bin(from, to, students, missing) = (bins = bins + 1, From[bins] = from, \
    To[bins] = to, Students[bins] = students, Missing[bins] = missing, 1)
note_failure(lab, verdict, reason, students) = (failures = failures + 1, \
    Text[failures] = lab[1:2]." ".verdict.(reason eq "" ? "" : ": ".reason), \
    Failed[failures] = students, 1)
stats csv using (strcol("kind") eq "points" && bins < MOST ? note_bin( \
    column("from"), column("to"), column("students"), column("missing")) \
    : strcol("kind") eq "failure" && failures < MOST ? note_failure( \
    strcol("lab"), strcol("verdict"), strcol("reason"), column("students")) \
    : 0) nooutput
if (bins == 0) {
    printerr sprintf("plot: %s: no row of kind points (nothing to draw)", csv)
    exit status 2
}

# --- drawing ------------------------------------------------------------------

width = 1240
height = 640
load "plots/style.gp"
set datafile separator whitespace # arrays are no CSV
set datafile nocolumnheaders
set output out
unset key

students = 0
most = 1
absent = 0
array Bar[bins]
array Absent[bins]
do for [i = 1:bins] {
    Bar[i] = Students[i]
    Absent[i] = Missing[i]
    students = students + Students[i]
    absent = absent + Missing[i]
    most = Students[i] > most ? Students[i] : most
}
# Whole students only.
step(x) = x <= 6 ? 1 : x <= 12 ? 2 : x <= 30 ? 5 : x <= 60 ? 10 \
    : x <= 120 ? 20 : x <= 300 ? 50 : x <= 600 ? 100 : 200
people(n) = sprintf(n == 1 ? "%d student" : "%d students", n)

set multiplot
set label 1 "The class: ".people(students) at screen 0.012, screen 0.955 \
    font large_font
set label 2 "points" at screen 0.245, screen 0.03 center
set label 3 "students" at screen 0.012, screen 0.895
if (absent > 0) {
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
do for [i = 1:bins] {
    set xtics add (say(From[i]) i - 0.5)
}
set xtics add (say(To[bins]) bins + 0.5)
plot Bar using 1:2:(0.86) with boxes lc rgb blue, \
    Absent using 1:2:(0.86) with boxes lc rgb grey, \
    Bar using 1:($2 > 0 ? $2 : NaN):(sprintf("%d", $2)) \
        with labels center offset 0, 0.6
unset label
unset object 1

if (failures > 0) {
    # A line of text, and below it a bar.
    array Often[failures]
    do for [i = 1:failures] {
        Often[i] = Failed[i]
    }
    ROWS = failures > 12 ? failures : 12
    set margins at screen 0.5, screen 0.985, screen 0.04, screen 0.915
    set xrange [0:Often[1] * 1.12]
    set yrange [ROWS + 0.5:0.5]
    unset grid
    unset tics
    unset border
    do for [i = 1:failures] {
        set label 10 + i Text[i] at 0, i - 0.2 left font small_font
    }
    plot Often using (0):1:(0):2:($1 + 0.1):($1 + 0.32) \
            with boxxyerror lc rgb vermillion, \
        Often using 2:($1 + 0.21):(sprintf("%d", $2)) \
            with labels left offset 0.5, 0
}
unset multiplot
