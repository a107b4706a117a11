#!/bin/sh
# handouts.sh OUTDIR HANDOUT.md...: a PDF of each handout, with its pictures and
# without its HTML comments, in the language COURSE_LANGUAGE: in OUTDIR/es then.
# DECK_COURSE, DECK_UNIVERSITY and DECK_LOGO stand at its head.
set -eu
out=$1
shift
sh slides/install.sh handouts || exit 0
language=${COURSE_LANGUAGE-}
out=$out${language:+/${language##*/}}
mkdir -p "$out"
# shellcheck disable=SC2046 # a list of paths without blanks
set -- $(sh common/language/page.sh "$@")
node slides/handouts.mjs "$out" "$@"
for page in "$@"; do
    name=$(basename "$(dirname "$page")")
    sh common/report/pdf.sh "$out/$name.html" "$out/$name.pdf"
done
