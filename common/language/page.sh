#!/bin/sh
# page.sh FILE...: where each page is in the reader's language
# (COURSE_LANGUAGE): in build/pages, made anew, or where it is. Its pictures lie
# beside it there.
set -eu
language=${COURSE_LANGUAGE-}
from=labs/languages/$language
case $language in */*) from=$language ;; esac
if [ -z "$language" ] || [ ! -f "$from/tasks.po" ]; then
    printf '%s\n' "$@"
    exit 0
fi
to=build/pages/${language##*/}
mkdir -p "$to/labs"
[ -e "$to/plots" ] || ln -s ../../../plots "$to/plots"
[ -e "$to/labs/pictures" ] || ln -s ../../../../labs/pictures "$to/labs/pictures"
for page; do
    mkdir -p "$(dirname "$to/$page")"
    build/tools/translate file "$from"/*.po -- "$page" "$to/$page" >&2
    printf '%s\n' "$to/$page"
done
