#!/bin/sh
# next_archive.sh FILE: puts the next archive of the course into the folder of
# an earlier one, for make next-archive. What a student wrote stays: each .cu
# below labs/ that is there, and all that no archive has. All else becomes that
# of the new archive, and the lists of labs have the labs of both.
set -eu
archive=${1-}
fail()
{
    echo "next-archive: $*" >&2
    exit 2
}
[ -n "$archive" ] || fail "say which: make next-archive FILE=cuda-labs-04-07-1.0.0.tar.gz"
[ ! -d solutions ] || fail "this is the whole course, which has all labs already"
[ -f "$archive" ] || fail "$archive: there is no such file"
mkdir -p build
new=$(mktemp -d build/next.XXXXXX)
trap 'rm -rf "$new"' EXIT
if ! tar -xzf "$archive" -C "$new" --strip-components=1 2>/dev/null ||
    [ ! -f "$new/labs/INDEX" ] || [ ! -f "$new/labs/TODOS" ]; then
    fail "$archive is no archive of this course, or is cut off: download it anew"
fi

last()
{
    sed -n 's/^lab: *\(..\)_.*/\1/p' "$1" | tail -n 1
}
[ "$(last "$new/labs/INDEX")" -gt "$(last labs/INDEX)" ] ||
    fail "$archive ends with lab $(last "$new/labs/INDEX"), and here is lab" \
        "$(last labs/INDEX) already: a later archive goes into the folder of an earlier one"

# The blocks of both lists, in the order of the labs; those of the first file,
# and what stands before its labs, are what counts.
merge()
{
    awk '
        FNR == 1 { file++; lab = "" }
        /^lab:/ { lab = $2; from[lab] = from[lab] ? from[lab] : file }
        lab == "" && file == 1 { head = head $0 "\n" }
        lab != "" && from[lab] == file && NF { block[lab] = block[lab] $0 "\n" }
        END {
            sub(/\n+$/, "\n", head)
            printf "%s", head
            for (n = 1; n <= 99; n++)
                for (lab in block)
                    if (substr(lab, 1, 2) + 0 == n) printf "\n%s", block[lab]
        }' "$new/$1" "$1" >"$new/merged"
    mv "$new/merged" "$new/$1"
}
merge labs/INDEX
merge labs/TODOS

find "$new" -type f | sed "s|^$new/||" | sort >"$new/files"
while IFS= read -r file; do
    [ "$file" != files ] || continue
    case $file in labs/*.cu | .vscode/*) [ ! -e "$file" ] || continue ;; esac
    ! cmp -s "$new/$file" "$file" || continue
    mkdir -p "$(dirname "$file")"
    # In one step, for make reads the Makefile and this file meanwhile.
    cp "$new/$file" "$file.next"
    mv "$file.next" "$file"
done <"$new/files"
echo "Your labs are now $(awk '/^lab:/ { printf "%s%s", s, substr($2, 1, 2); s = " " }' labs/INDEX);" \
    "what you wrote is as it was. make answers adds the new questions to answers.txt"
