# columns.gp: has a CSV file the columns that a plot needs? Draws nothing.
#
# Run: call "plots/columns.gp" FILE "lab device gflops"
#
# If not, gnuplot ends with exit code 2 and a line that says what is missing.
# Columns are found by name, so their order is free and more may be added.

if (strstrt(ARG1, "'") > 0) {
    printerr sprintf("plot: %s: there is a quote in its name", ARG1)
    exit status 2
}
header = system("head -n 1 '".ARG1."' 2>/dev/null | tr -d '\\r'")
if (header eq "") {
    printerr sprintf("plot: %s: not there or empty (run the labs first)", ARG1)
    exit status 2
}
do for [name in ARG2] {
    if (strstrt(",".header.",", ",".name.",") == 0) {
        printerr sprintf("plot: %s: no column '%s'", ARG1, name)
        exit status 2
    }
}
if (int(system("grep -c . '".ARG1."'")) < 2) {
    printerr sprintf("plot: %s: no rows (run the labs first)", ARG1)
    exit status 2
}

set datafile separator comma
set datafile columnheaders

# A matrix product's size, M x N x K, in words.
size_text(m, n, k) = m == n && n == k ? sprintf("M = N = K = %d", m) \
    : sprintf("%d x %d x %d", m, n, k)
