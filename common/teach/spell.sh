#!/bin/sh
# spell.sh FILE...: names the words of texts that neither hunspell's English
# dictionary nor words.txt beside this file knows. Code is left out. Exit codes:
# 0 none, or no hunspell; 1 some.
set -u
own=${0%/*}/words.txt

if ! command -v hunspell >/dev/null || ! hunspell -D 2>&1 </dev/null | grep -q en_US; then
    echo "spell: skipped, hunspell or its dictionary en_US is not installed" \
        "(apt-get install hunspell hunspell-en-us)"
    exit 0
fi

# Without fenced blocks, code, comments, addresses, and names with _ or digits.
# shellcheck disable=SC2016 # a backtick is a backtick here
prose()
{
    awk '/^[ ]*```/ { code = !code; next } !code' "$1" |
        sed -e ':a' -e '/<!--[^>]*$/{N' -e 'ba' -e '}' \
            -e 's/`[^`]*`//g' -e 's/<!--[^>]*-->//g' -e 's/](.[^)]*)//g' \
            -e 's,https*://[^ ]*,,g' -e 's/\bBs\b//g' |
        tr -c "A-Za-z0-9_'./\n-" ' ' |
        sed -e 's/[^ ]*[_0-9./][^ ]*[A-Za-z0-9_]/ /g'
}

bad=0
for file in "$@"; do
    words=$(prose "$file" | hunspell -d en_US -p "$own" -l | sort -u | tr '\n' ' ')
    if [ -n "$words" ]; then
        echo "$file: $words"
        bad=1
    fi
done
[ $bad = 0 ] && echo "spell: $# files, no unknown word"
exit $bad
