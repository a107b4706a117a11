#!/bin/sh
# bug.sh EXERCISE PROGRAM: runs an exercise of labs/spot_the_bug, as 01_..., for
# make bug-01. The first time, at a terminal, it asks where the mistake is
# before the run tells. With EXPLAIN set it shows the page's answer instead.
set -u
page=labs/spot_the_bug/README.md
number=${1%%_*}
# section PATTERN: the lines of this exercise up to one of this pattern.
section()
{
    awk -v number="$number" -v end="$1" '
        /^## / { shown = $2 == number; next }
        $0 ~ end { shown = 0 }
        shown && !/details>|summary>/' "$page"
}
if [ -n "${EXPLAIN-}" ]; then
    section '^never$'
    exit 0
fi
asked=build/hints/bug_$number
if [ -t 0 ] && [ -t 1 ] && [ ! -e "$asked" ]; then
    section '<details>'
    echo "The program is labs/spot_the_bug/$1/${1#*_}.cu."
    printf 'Which line, and what happens then? Write it down; Enter runs it. '
    read -r _
    mkdir -p build/hints && : >"$asked"
fi
exec "$2"
