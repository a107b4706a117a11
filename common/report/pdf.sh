#!/bin/sh
# pdf.sh REPORT.html REPORT.pdf: prints the report to a PDF with a browser that
# needs no screen. A browser is no part of what the course needs: without one
# the HTML is the report, and this ends well.
set -u
html=$(realpath "$1") || exit 2
pdf=$2

browser=
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then
        browser=$name
        break
    fi
done
if [ -z "$browser" ]; then
    echo "skipped: the PDF, since Chromium is not here: apt-get install" \
        "chromium fonts-wqy-microhei, or print $1 from your browser"
    [ -f "$pdf" ] && echo "         $pdf is from an earlier report"
    exit 0
fi

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# print OPTION...
print_page()
{
    timeout 120 "$browser" --headless "$@" --user-data-dir="$scratch/profile" \
        --disable-gpu --disable-background-networking --disable-dev-shm-usage \
        --disable-component-update --no-first-run --no-pdf-header-footer \
        --print-to-pdf="$scratch/report.pdf" "file://$html" \
        >"$scratch/log" 2>&1 && [ -s "$scratch/report.pdf" ]
}

# The browser's sandbox does not work for root and in many containers. The page
# has no script and loads nothing, so it is printed without one then.
if ! print_page && ! print_page --no-sandbox; then
    echo "No PDF: $browser did not print $1 ($(tail -n 1 "$scratch/log"))." \
        "The HTML is the report: print it from your browser."
    exit 0
fi
if ! cp "$scratch/report.pdf" "$pdf.part" || ! mv "$pdf.part" "$pdf"; then
    rm -f "$pdf.part"
    echo "No PDF: $pdf cannot be written. $1 is the report."
    exit 0
fi
echo "PDF:    $pdf"
