# rows.gp: the rows of a CSV file that count. Draws nothing.
#
# Run: call "plots/rows.gp" FILE "timed right" "lab device_name gflops"
#
# The results tool picks them (common/harness/results_main.c says by which
# words), and tells what is wrong with the file; gnuplot then ends with exit
# code 2. Afterwards there are `rows` of them, and text(i, "lab") and
# number(i, "gflops") are cells of row i, from 1.

if (strstrt(ARG1, "'") > 0) {
    printerr sprintf("plot: %s: there is a quote in its name", ARG1)
    exit status 2
}
ROW_COLUMNS = ARG3
set print $table
print system("build/tools/results table '".ARG2."' '".ARG1."' ".ROW_COLUMNS)
unset print
if (strlen($table[1]) == 0) {
    exit status 2
}
rows = |$table|
place(name) = sum [k = 1:words(ROW_COLUMNS)] (word(ROW_COLUMNS, k) eq name ? k : 0)
text(i, name) = word($table[i], place(name))
number(i, name) = text(i, name) eq "NaN" ? NaN : real(text(i, name))
