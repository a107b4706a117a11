#!/bin/sh
# labs_named.sh WORD...: the full names of labs that are called 3, 03 or
# 03_tiling, or 10-15, with blanks or commas between them. Prints ! and what is
# wrong instead, if there is none of a name.
set -u
all=
# shellcheck disable=SC2013 # words
for lab in $(sed -n 's/^lab: *//p' labs/INDEX); do
    [ ! -d "labs/$lab" ] && [ ! -d "solutions/$lab" ] || all="$all $lab"
done
set -f
# shellcheck disable=SC2046,SC2048,SC2086 # words
set -- $(echo $* | tr , ' ')
named=
for asked; do
    case $asked in
    [0-9]*-[0-9]*) words=$(seq -f %02g "${asked%%-*}" "${asked#*-}" 2>/dev/null) || words=$asked ;;
    *) words=$asked ;;
    esac
    [ "$words" ] || words=$asked
    for word in $words; do
        found=
        for lab in $all; do
            case $lab in "$word" | "${word}_"* | "0${word}_"*) found=$lab ;; esac
        done
        [ "$found" ] || { echo "!there is no lab '$word': use $(echo "$all" | sed 's|_[^ ]*||g' | awk '{
            for (i = 1; i <= NF; i++) {
                if (i == 1 || $i != $(i - 1) + 1) from = $i
                if ($i + 1 == $(i + 1)) continue
                text = text (text ? ", " : "") from (from == $i ? "" : " to " $i)
            }
            print text }')" && exit; }
        named="$named $found"
    done
done
echo "$named"
