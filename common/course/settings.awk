# settings.awk: prints what is wrong with make's settings, in one line, or
# nothing. Called with the goals, in one word, with those settings that stand in
# make's command, in another, and with NAME=VALUE of each that is set; reads
# SETTINGS. A setting has a line for each meaning: that of the goals counts. What
# make does not know it may have of its own, but for one that looks like a
# setting.
function wrong(why)
{
    print why
    exit
}

# 1 if one of the goals is like one of the patterns, as lab-*; or if a goal is
# a file, of which nothing is known.
function is_taken(patterns,    pattern, n, i, j)
{
    n = split(patterns, pattern, " ")
    for (i = 1; i <= n; i++) {
        gsub(/[*]/, ".*", pattern[i])
        for (j = 1; j <= goals; j++)
            if (goal[j] ~ ("^" pattern[i] "$"))
                return 1
    }
    for (j = 1; j <= goals; j++)
        if (goal[j] ~ /\//)
            return 1
    return n == 0 || goals == 0
}

# What a value of this kind may be, "" if it is right.
function refusal(kind, value,    word, n, i, list)
{
    if (kind == "number" || kind == "list") {
        n = split(value, word, kind == "list" ? "," : " ")
        for (i = 1; i <= n; i++)
            if (word[i] !~ (kind == "list" ? "^[0-9]+(x[0-9]+x[0-9]+)?$" : "^[0-9]+$") || word[i] + 0 < 1)
                return "a number from 1 up"
        return ""
    }
    if (kind == "whole")
        return value ~ /^[0-9]+$/ ? "" : "a number from 0 up"
    n = split(kind, word, " ")
    for (i = 1; i <= n; i++)
        if (value == word[i] || (word[i] ~ /\/$/ && index(value, word[i]) == 1))
            return ""
    # A folder is for those who test the course, and is not told.
    gsub(/ *[^ ]+\//, "", kind)
    n = split(kind, word, " ")
    for (i = 1; i <= n; i++)
        list = list (i == 1 ? "" : i < n ? ", " : " or ") word[i]
    return list
}

BEGIN {
    FS = " *[|] *"
    goals = split(ARGV[2], goal, " ")
    typed = " " ARGV[3] " "
    for (i = 4; i < ARGC; i++) {
        at = index(ARGV[i], "=")
        value[substr(ARGV[i], 1, at - 1)] = substr(ARGV[i], at + 1)
    }
    ARGC = 2
}

/^#/ || NF < 5 { next }

{
    n = split($1, name, " ")
    for (i = 1; i <= n; i++) {
        known[name[i]]
        if (value[name[i]] == "")
            continue
        order[++seen] = name[i]
        if (is_taken($4)) {
            taken[name[i]] = 1
            if (refused[name[i]] == "")
                refused[name[i]] = refusal($3, value[name[i]])
        } else {
            for_others[name[i]] = for_others[name[i]] " " $4
        }
    }
}

END {
    n = split(typed, name, " ")
    for (i = 1; i <= n; i++) {
        for (setting in known) {
            upper = toupper(name[i])
            if (!(name[i] in known) && (upper == setting || (length(upper) > 3 && length(setting) > 3 && \
                                        (index(upper, setting) == 1 || index(setting, upper) == 1))))
                wrong("there is no setting " name[i] ": write " setting)
        }
    }
    for (i = 1; i <= seen; i++) {
        name[1] = order[i]
        if (refused[name[1]] != "")
            wrong(name[1] " is '" value[name[1]] "': use " refused[name[1]])
        if (!taken[name[1]] && index(typed, " " name[1] " ")) {
            others = substr(for_others[name[1]], 2)
            gsub(/-[*]/, "-NN", others)
            gsub(/ /, ", ", others)
            wrong("make " goal[1] " takes no " name[1] ": it is for " others)
        }
    }
    if ((value["M"] != "" || value["K"] != "") &&
        (value["M"] == "" || value["N"] == "" || value["K"] == ""))
        wrong("M, N and K go together, or N alone for square matrices")
}
