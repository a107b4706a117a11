#!/bin/sh
# lay_leaks.sh ARCHIVE CLASS LAB...: lays out what a cheat would hand in, who
# has read nothing but an archive: each skeleton, exercise and program in
# it, and each block of code in its texts, as each of these labs, 03_tiling.
# With FAST=1 the skeletons alone.
set -eu
archive=$1
class=$2
shift 2
mkdir -p "$class"

# hand_in STUDENT FILE LAB...
hand_in()
{
    mkdir -p "$class/$1"
    student=$1
    source=$2
    shift 2
    for lab in "$@"; do
        cp "$source" "$class/$student/$lab.cu"
    done
}

for file in "$archive"/labs/[0-9]*/*.cu; do
    hand_in "skeleton_$(basename "$file" .cu)" "$file" "$@"
done
[ -z "${FAST-}" ] || exit 0
find "$archive" -name '*.cu' ! -path '*/labs/[0-9]*' | while read -r file; do
    hand_in "program_$(basename "$file" .cu)" "$file" "$@"
done
# An exercise with its mistake mended.
for folder in "$archive"/labs/spot_the_bug/[0-9]*/; do
    name=$(basename "$folder")
    source=build/mended/$name.cu
    [ ! -d "$folder" ] || [ ! -f "$source" ] || hand_in "mended_$name" "$source" "$@"
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
find "$archive" \( -name '*.md' -o -name '*.ipynb' \) | sort | while read -r page; do
    awk -v to="$scratch/$(echo "${page#"$archive"/}" | tr / _)" '
        /^```/ { inside = !inside; n += inside; next }
        inside { text[n] = text[n] $0 "\n" }
        END {
            for (i = 1; i <= n; i++)
                if (text[i] ~ /;/)
                    printf "#include \"lab.h\"\n%s", text[i] >(to "_" i)
        }' "$page"
done
for block in "$scratch"/*; do
    [ ! -f "$block" ] || hand_in "text_$(basename "$block")" "$block" "$@"
done
