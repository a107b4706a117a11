# compare.awk: how far off is the model? Joins predictions (predict.sh) with
# times that were measured (plots/data/), and writes Markdown: a table of
# measured / predicted times and a line on how many lie in the printed range, or
# one row of them.
# A program's kernels stand in the same order in both.
#
#   awk -F, -v chip=H200 -v code=nvcc -f compare.awk PREDICTED MEASURED...
#
#   -v skip='NAME,NAME'  kernels that are left out
#   -v what=table        all of it
#   -v what=pairs        one row: the order at 4096
#   -v what='labs, '     one row that begins so: all kernels and sizes

FNR == 1 {
    file++
    delete column
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}
{
    program = $1
    sub(/.*\//, "", program)
    at = program SUBSEP $column["m"]
}
file == 1 && $column["chip"] ~ chip && $column["code"] == code {
    n = ++kernels[at]
    ms[at, n] = $column["predicted_ms"]
    binds[at, n] = $column["limit"]
    low[at, n] = $column["low_ms"]
    high[at, n] = $column["high_ms"]
}
file > 1 && $column["device_name"] ~ chip {
    n = ++variants[at]
    name = program
    if ($column["variant"] != "kernel")
        name = name " " $column["variant"]
    if ((at, n) in ms && index("," skip ",", "," name ",") == 0)
        add($column["m"], $column["kernel_ms"])
}

# A kernel at a size. The error is that of the predicted time.
function add(m, took,    error) {
    if (!(name in seen)) {
        seen[name] = 1
        order[++names] = name
    }
    ratio[name, m] = took / ms[at, n]
    error = 1 / ratio[name, m] - 1
    error = error < 0 ? -error : error
    sum[m] += error
    count[m]++
    if (error > largest[m])
        largest[m] = error
    if (m == 4096) {
        limit[name] = binds[at, n]
        measured[name] = took
        predicted[name] = ms[at, n]
    }
    all += error
    times++
    within += took >= low[at, n] && took <= high[at, n]
    worst = error > worst ? error : worst
}

function say(x)
{
    return sprintf(x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : "%.2f", x)
}

function print_table(    i, k, sizes, size) {
    sizes = split("512 1024 2048 4096 8192", size, " ")
    printf "| %s, %s |", chip, code
    for (i = 1; i <= sizes; i++)
        if (count[size[i]])
            printf " %s |", size[i]
    printf " at 4096: predicted, ms | measured, ms | binds |\n|---|"
    for (i = 1; i <= sizes; i++)
        if (count[size[i]])
            printf "---|"
    print "---|---|---|"
    for (k = 1; k <= names; k++) {
        printf "| %s |", order[k]
        for (i = 1; i <= sizes; i++)
            if (count[size[i]])
                printf " %.2f |", ratio[order[k], size[i]]
        printf " %s | %s | %s |\n", say(predicted[order[k]]),
            say(measured[order[k]]), limit[order[k]]
    }
    printf "| error: mean, largest |"
    for (i = 1; i <= sizes; i++)
        if (count[size[i]])
            printf " %.0f %%, %.0f %% |", 100 * sum[size[i]] / count[size[i]],
                100 * largest[size[i]]
    print " | | |"
    printf "\nAll %d times: mean %.0f %%, largest %.0f %%, %d in the printed " \
        "range.\n", times, 100 * all / times, 100 * worst, within
}

# Pairs that differ by less than 15 % are not counted; one that is predicted to
# be the same is wrong.
function print_pairs(    i, k, a, b, told, wrong, among) {
    for (i = 1; i <= names; i++) {
        a = order[i]
        among++
        for (k = 1; k < i; k++) {
            b = order[k]
            if (measured[a] <= 1.15 * measured[b] &&
                measured[b] <= 1.15 * measured[a])
                continue
            told++
            wrong += ((measured[a] - measured[b]) * \
                      (predicted[a] - predicted[b]) <= 0)
        }
    }
    printf "| %s, %s | %d | %d | %d |\n", chip, code, among, told, wrong
}

END {
    if (what == "pairs")
        print_pairs()
    else if (what == "table")
        print_table()
    else
        printf "| %s%s, %s | %d | %.0f %% | %.0f %% | %d |\n", what, chip, code,
            times, 100 * all / times, 100 * worst, within
}
