#!/bin/sh
# spell.sh FILE...: names the words of texts that neither hunspell's English
# dictionary nor words.txt beside this file knows, and the sentences that
# ENGLISH.md beside it has under "Sentences that we do not write". Code is left
# out. Exit codes: 0 none; 1 some. Without hunspell words are not looked at.
set -u
own=${0%/*}/words.txt
english=${0%/*}/ENGLISH.md

words=yes
if ! command -v hunspell >/dev/null || ! hunspell -D 2>&1 </dev/null | grep -q en_US; then
    echo "spell: words are skipped, hunspell or its dictionary en_US is not installed" \
        "(apt-get install hunspell hunspell-en-us)"
    words=
fi
# "on their way|...", each a pattern of grep -E.
unwritten=$(awk -F ' *[|] *' '/^## Sentences/ { here = 1 }
    here && NF > 3 && $2 != "not" && $2 !~ /^-/ { gsub(/[*]/, "[^.;]*", $2); printf "%s%s", sep, $2; sep = "|" }' "$english")

# Without fenced blocks, code, comments, addresses, and names with _ or digits.
# shellcheck disable=SC2016 # a backtick is a backtick here
prose()
{
    awk '/^[ ]*```/ { code = !code; next } !code' "$1" |
        sed -e ':a' -e '/<!--[^>]*$/{N' -e 'ba' -e '}' \
            -e ':b' -e '/^[^`]*`[^`]*\(`[^`]*`[^`]*\)*$/{N;b b' -e '}' \
            -e 's/`[^`]*`//g' -e 's/<!--[^>]*-->//g' -e 's/](.[^)]*)//g' \
            -e 's,https*://[^ ]*,,g' -e 's/\bBs\b//g' |
        tr -c "A-Za-z0-9_'./\n-" ' ' |
        sed -e 's/[^ ]*[_0-9./][^ ]*[A-Za-z0-9_]/ /g'
}

bad=0
for file in "$@"; do
    unknown=${words:+$(prose "$file" | hunspell -d en_US -p "$own" -l | sort -u | tr '\n' ' ')}
    # A sentence may go on in the next line.
    said=$(case $file in (*ENGLISH.md) ;; (*) prose "$file" ;; esac | tr -s '\n ' ' ' | grep -oiE "$unwritten" | sort -u | tr '\n' ';')
    if [ -n "$unknown$said" ]; then
        echo "$file: $unknown${said:+we do not write: $said}"
        bad=1
    fi
done
[ $bad = 0 ] && echo "spell: $# files, no unknown word or sentence"
exit $bad
