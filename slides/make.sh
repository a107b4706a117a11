#!/bin/sh
# make.sh OUTDIR: makes HTML and PDF of the decks in OUTDIR/md, with Marp.
#
# Marp comes from npm, in the versions of package-lock.json; the first run needs
# a network. HTML needs node alone, PDF needs Chromium. What is missing is told,
# and is no error: the decks are Markdown.
set -eu
out=$1
here=slides

if ! command -v npm >/dev/null; then
    echo "slides: skipped, npm is not installed: apt-get install nodejs npm" \
        "chromium; the decks can be read in $here/*.md"
    exit 0
fi
lock=$here/node_modules/.package-lock.json
if [ ! -f "$lock" ] || 
    [ "$(find "$here/package-lock.json" -newer "$lock")" ]; then
    echo "  NPM   $here: Marp, as package-lock.json has it"
    npm ci --prefix "$here" --no-audit --no-fund --loglevel error >/dev/null
    touch "$lock"
fi
sh "$here/embed_fonts.sh" "$here/theme.css" >"$out/theme.css"

# marp KIND: converts all decks.
marp()
{
    echo "  MARP  $out/*.$1"
    "$here/node_modules/.bin/marp" --config-file "$here/marp.config.mjs" \
        --theme-set "$out/theme.css" --input-dir "$out/md" --output "$out" \
        ${2:+"$2"} >"$out/marp.log" 2>&1 </dev/null || {
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
    echo "slides: no PDF, Chromium is not installed: apt-get install chromium"
    exit 0
fi
CHROME_PATH=$browser
export CHROME_PATH
marp pdf --pdf
echo "slides: $out/*.html and *.pdf"
