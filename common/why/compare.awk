# compare.awk: how far off is the model? Joins predictions (predict.sh) and
# measured times (plots/data/h200_rotating.csv and the like), in this order, and
# writes Markdown tables. A program's kernels stand in the same order in both.
#
#   awk -F, -v chip=H200 -v code=nvcc -f compare.awk PREDICTED MEASURED
#
# Times are ms; the ratio is measured / predicted.

FNR == 1 {
    file++
    delete column
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}
file == 1 && $column["chip"] ~ chip && $column["code"] == code {
    at = $1 SUBSEP $column["m"]
    n = ++kernels[at]
    ms[at, n] = $column["predicted_ms"]
    binds[at, n] = $column["limit"]
    waves[at, n] = $column["waves"]
    unsure[at, n] = $column["unsure"]
}
file > 1 && $column["device_name"] ~ chip {
    at = $1 SUBSEP $column["m"]
    n = ++variants[at]
    if ((at, n) in ms) {
        m = $column["m"]
        name = $1
        sub(/.*\//, "", name)
        if ($column["variant"] != "kernel")
            name = name " " $column["variant"]
        if (!(name in seen)) {
            seen[name] = 1
            order[++names] = name
        }
        ratio = $column["kernel_ms"] / ms[at, n]
        cell[name, m] = sprintf("%.3g / %.3g = %.2f", $column["kernel_ms"],
            ms[at, n], ratio)
        if (m == 4096)
            limit[name] = binds[at, n]
        error = 1 / ratio - 1
        error = error < 0 ? -error : error
        sum[m] += error
        count[m]++
        if (error > largest[m])
            largest[m] = error
        promised = unsure[at, n] == "" || unsure[at, n] == "rule"
        if (promised) {
            all += error
            inside++
            within += error <= 0.15
            worst = error > worst ? error : worst
        }
    }
}
END {
    split("512 1024 2048 4096 8192", size, " ")
    printf "| %s, %s |", chip, code
    for (i = 1; i <= 5; i++)
        if (count[size[i]])
            printf " %s |", size[i]
    printf " binds at 4096 |\n|---|"
    for (i = 1; i <= 5; i++)
        if (count[size[i]])
            printf "---|"
    print "---|"
    for (k = 1; k <= names; k++) {
        printf "| %s |", order[k]
        for (i = 1; i <= 5; i++)
            if (count[size[i]])
                printf " %s |", cell[order[k], size[i]]
        printf " %s |\n", limit[order[k]]
    }
    printf "| error: mean, largest |"
    for (i = 1; i <= 5; i++)
        if (count[size[i]])
            printf " %.0f %%, %.0f %% |", 100 * sum[size[i]] / count[size[i]],
                100 * largest[size[i]]
    print " |"
    if (inside)
        printf "\nWhere the model promises something (%d of these): mean " \
            "%.0f %%, largest %.0f %%, %d within 15 %%.\n", inside,
            100 * all / inside, 100 * worst, within
}
