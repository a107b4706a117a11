# help.awk: see help.sh.
/^# --- for / {
    sub(/^# --- f/, "F")
    sub(/ -*$/, "")
    group = say($0)
}
/^## / || (/^##[+] / && whole) {
    if (group != shown) {
        if (first && shown)
            exit
        if (shown)
            print ""
        print group ":"
        shown = group
    }
    name = $2
    sub(/^##[+]? +[^ ]+ +/, "")
    printf "  make %-12s %s\n", name, say($0)
}
END {
    if (!first)
        print "\n" say(_"Settings, as make NAME=value: common/course/SETTINGS")
}
