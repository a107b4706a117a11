#!/bin/sh
# answers.sh: writes answers.txt, for make answers: each question of the labs
# that are here, in lines that begin with ?, and its number, behind which the
# answer goes (keyed.h). A question whose number stands there already is left as
# it is, so what somebody wrote is kept.
set -eu
# shellcheck disable=SC2046 # a list of paths without blanks
set -- $(sh common/language/page.sh labs/[0-9]*/questions.txt)
[ -f answers.txt ] || cat >answers.txt <<'EOF'
# Write each answer behind its number, over as many lines as you like. A line
# that begins with ? is part of a question. make report reads this file.
EOF
awk '
    function room() { if (key) print key ":"; key = "" }
    /^[0-9]+\.[0-9]+:/ { number = $1; gsub(/^0+|:.*/, "", number) }
    FILENAME == "answers.txt" { print; known[number] = 1; next }
    /^#/ || !NF { next }
    /^[0-9]/ {
        room()
        if (number in known) next
        key = $1; sub(/:/, "", key)
        added++
        file = FILENAME
        sub(/^build\/pages\/[^\/]*\//, "", file)
        later += index(advanced, file) > 0
        print ""
    }
    key { print "? " $0 }
    END {
        room()
        print "answers.txt: " added + 0 " questions added" \
            (later ? ", " later " of them of the advanced track" : "") >"/dev/stderr"
    }' advanced="$(awk -f common/course/labs.awk labs/INDEX | sed -n 's|^\(.*\):advanced$|labs/\1/questions.txt|p')" answers.txt "$@" >answers.txt.new
mv answers.txt.new answers.txt
