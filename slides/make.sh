#!/bin/sh
# make.sh OUTDIR [WHAT]: makes HTML, PDF and PPTX of the decks in OUTDIR/md,
# with Marp. With look each slide, and a report that is there, is then opened in
# a browser.
#
# Marp comes from npm (install.sh). HTML needs node alone, PDF and PPTX need
# Chromium. What is missing is told, and is no error: the decks are Markdown.
# DECK_COURSE, DECK_UNIVERSITY and DECK_LOGO are the settings of config.mk.
set -eu
out=$1
here=slides

sh "$here/install.sh" slides || exit 0
sh "$here/embed_fonts.sh" "$here/theme.css" >"$out/theme.css"
if [ -n "${DECK_LOGO-}" ]; then
    sh "$here/embed_logo.sh" "$DECK_LOGO" >>"$out/theme.css"
fi
# Where students are to write lines, the slide has the TODO. Its lines may have
# 80 letters; those of larger code would not fit.
case $out in
*-without-answers)
    echo 'section.large pre, section.larger pre { font-size: 22px; }' \
        >>"$out/theme.css"
    ;;
esac
# Whose course it is: the begin of each footer.
footer=${DECK_COURSE:-CUDA C labs}${DECK_UNIVERSITY:+, $DECK_UNIVERSITY}
for deck in "$out"/md/*.md; do
    FOOTER=$footer awk -f "$here/footer.awk" "$deck" >"$deck.part"
    mv "$deck.part" "$deck"
done

# marp KIND [OPTION...]: converts all decks.
marp()
{
    echo "  MARP  $out/*.$1"
    shift
    "$here/node_modules/.bin/marp" --config-file "$here/marp.config.mjs" \
        --theme-set "$out/theme.css" --input-dir "$out/md" --output "$out" \
        "$@" >"$out/marp.log" 2>&1 </dev/null || {
        echo "slides: Marp failed; its last words, all in $out/marp.log:" >&2
        tail -n 3 "$out/marp.log" >&2
        exit 2
    }
}
marp html

browser=
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && browser=$(command -v "$name") && break
done
if [ -z "$browser" ]; then
    echo "slides: no PDF and PPTX, Chromium is not installed: apt-get install" \
        chromium
    exit 0
fi
CHROME_PATH=$browser
export CHROME_PATH
marp pdf --pdf
# One after the other: a tab that is not in front takes no pictures.
marp pptx --pptx --no-parallel --browser-timeout 100
echo "slides: $out/*.html, *.pdf and *.pptx"
[ "${2-}" = look ] || exit 0
node tests/slides/look.mjs "$out" build/report/report.html || [ $? = 77 ]
