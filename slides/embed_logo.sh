#!/bin/sh
# embed_logo.sh FILE: a rule that puts a PNG or SVG file into the corner of each
# title slide.
set -eu
case $1 in
*.svg) type=svg+xml ;;
*.png) type=png ;;
*)
    echo "slides: LOGO=$1: is no .png or .svg" >&2
    exit 2
    ;;
esac
[ -r "$1" ] || {
    echo "slides: LOGO=$1: there is no such file" >&2
    exit 2
}
printf 'section.title { background-image: url("data:image/%s;base64,' "$type"
base64 -w 0 "$1"
printf '"); background-repeat: no-repeat;\n'
printf '    background-position: right 60px top 40px; background-size: auto 90px; }\n'
