#!/bin/sh
# embed_fonts.sh THEME.css: the style with its fonts inside, so that a deck
# loads nothing. A line with url("FILE") becomes one with what FILE holds.
set -eu
folder=$(dirname "$1")
while IFS= read -r line; do
    case $line in
    *'url("'*.woff2*)
        file=${line#*url(\"}
        file=${file%%\"*}
        printf '    src: url("data:font/woff2;base64,'
        base64 -w 0 "$folder/$file"
        printf '") format("woff2");\n'
        ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$1"
