#!/bin/sh
# handouts.sh OUTDIR HANDOUT.md...: a PDF of each handout, with its pictures and
# without its HTML comments. LABS/README.de.md becomes LAB.de.pdf.
# DECK_COURSE, DECK_UNIVERSITY and DECK_LOGO stand at its head.
set -eu
out=$1
shift
sh slides/install.sh handouts || exit 0
mkdir -p "$out"
node slides/handouts.mjs "$out" "$@"
for page in "$@"; do
    name=$(basename "$(dirname "$page")")$(basename "$page" .md | sed 's/^README//')
    sh common/report/pdf.sh "$out/$name.html" "$out/$name.pdf"
done
