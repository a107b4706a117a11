# status.awk: see status.sh. SAID is what the results tool said of each lab.
function bar(done, out_of,   i, text) {
    if (out_of == 0) # nobody has counted them
        return "            "
    for (i = 1; i <= 10; i++)
        text = text (out_of > 0 && i * out_of <= done * 10 ? "#" : ".")
    return "[" text "]"
}

function ratio(done, out_of) {
    return sprintf(say(_"%d of %d"), done, out_of)
}

# The words of a verdict, "PASS, goal reached".
function judged(verdict,   word, words, i, text) {
    words = split(verdict, word, ", ")
    for (i = 1; i <= words; i++)
        text = text (i > 1 ? ", " : "") say(word[i])
    return text
}

function sum() {
    printf " %-19s %s %8s  %s\n", "", bar(parts, alls),
           (count > 0 ? ratio(parts, alls) : ""),
           sprintf(say(_"in all %d of %d passed"), passed, labs)
    parts = alls = passed = labs = 0
}

BEGIN {
    print "\n" say(_" Your labs                 TODOs closed    the last run")
    rows = split(ENVIRON["SAID"], row, "\n")
    for (i = 1; i <= rows; i++) {
        fields = split(row[i], word, "|")
        if (word[2] != "")
            verdict[word[1]] = word[2]
        if (fields < 4)
            continue
        part[word[1]] = word[3]
        all[word[1]] = word[4]
        count++
    }
}
!apart && index("\n" ENVIRON["ADVANCED"] "\n", "\n" $1 "\n") {
    sum()
    print "\n " say(_"The advanced track, for those who want more")
    apart = 1
}
{
    if ($1 in verdict)
        text = judged(verdict[$1])
    else
        text = sprintf(say(_"not run yet: make lab-%s"), substr($1, 1, 2))
    printf " %-19s %s %8s  %s\n", $1, bar(part[$1], all[$1]),
           (all[$1] != "" ? ratio(part[$1], all[$1]) : ""), text
    labs++
    passed += verdict[$1] ~ /^PASS/
    parts += part[$1]
    alls += all[$1]
}
END {
    sum()
    if (count == 0)
        print "  " say(_"make status counts the TODOs that are closed.")
}
