#!/bin/sh
# bug.sh EXERCISE: runs an exercise of labs/spot_the_bug, as 01_..., for
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
# plain: without the marks of Markdown, and with one empty line for several.
plain()
{
    awk '/^```/ { code = !code; next }
        !code { gsub(/\*\*|`/, "") }
        NF || before { print }
        { before = NF }'
}
if [ -n "${EXPLAIN-}" ]; then
    section '^never$' | plain
    exit 0
fi
asked=build/hints/bug_$number
if [ -t 0 ] && [ -t 1 ] && [ ! -e "$asked" ]; then
    section '<details>' | plain
    echo "The program is labs/spot_the_bug/$1/${1#*_}.cu."
    printf 'Which line, and what happens then? Write it down; Enter runs it. '
    read -r _
    mkdir -p build/hints && : >"$asked"
fi
build/cpu/labs/spot_the_bug/"$1/${1#*_}-analyse" || exit
[ -t 1 ] || exit 0
echo "This run tells of no mistake. make bug-$number EXPLAIN=1 says which there was."
next=$(printf %02d $((${number#0} + 1)))
for folder in labs/spot_the_bug/"$next"_*/; do
    [ ! -d "$folder" ] || echo "The next one: make bug-$next"
done
