#!/bin/sh
# exercise.sh GOAL: runs bug-01_..., of labs/spot_the_bug, or warm-01_..., of
# labs/warm_up. The first time, at a terminal, it asks where a bug is before the
# run tells. With EXPLAIN set it shows the page's answer, or hint, instead.
set -u
verb=${1%%-*} name=${1#*-}
folder=labs/spot_the_bug
[ "$verb" = bug ] || folder=labs/warm_up
page=$(sh common/language/page.sh "$folder/README.md")
number=${name%%_*}
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
if [ "$verb" = bug ] && [ -t 0 ] && [ -t 1 ] && [ ! -e "$asked" ]; then
    section '<details>' | plain
    echo "The program is $folder/$name/${name#*_}.cu."
    printf 'Which line, and what happens then? Write it down; Enter runs it. '
    read -r _
    mkdir -p build/hints && : >"$asked"
fi
build/cpu/"$folder/$name/${name#*_}-analyse" || exit
[ -t 1 ] || exit 0
[ "$verb" = warm ] ||
    echo "This run tells of no mistake. make bug-$number EXPLAIN=1 says which there was."
next=$(printf %02d $((${number#0} + 1)))
for following in "$folder/$next"_*/; do
    [ ! -d "$following" ] || echo "The next one: make $verb-$next"
done
