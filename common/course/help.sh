#!/bin/sh
# help.sh [first]: the commands of make, by who uses them, as the Makefile lists
# them; with first those for students alone. What a copy of the course without
# solutions cannot do, marked ##+, is not shown there.
awk -v first="${1-}" -v whole="$([ -d solutions ] && echo 1)" '
    /^# --- for / {
        sub(/^# --- /, "")
        sub(/ -*$/, "")
        group = $0
    }
    /^## / || (/^##[+] / && whole) {
        if (group != shown) {
            if (first && shown)
                exit
            if (shown)
                print ""
            print toupper(substr(group, 1, 1)) substr(group, 2) ":"
            shown = group
        }
        name = $2
        sub(/^##[+]? +[^ ]+ +/, "")
        printf "  make %-12s %s\n", name, $0
    }
    END { if (!first) print "\nSettings, as make NAME=value: common/course/SETTINGS" }' Makefile
