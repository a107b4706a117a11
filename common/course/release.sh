#!/bin/sh
# release.sh MAKE_SKELETON [FOLDER...]: makes the students' archive: the course
# without the solutions, the tests, the slides, and these folders.
#
# Labs are cut anew from solutions/, so that nobody's own work is in it. Then
# each line that a student is to write is searched for in all of the archive but
# labs/spot_the_bug/: some of these are kernels like those of labs 02, 03 and
# 06, with a mistake.
set -eu
cut=$1
shift
without=
for folder in "$@"; do
    if [ ! -d "$folder" ]; then
        echo "release: WITHOUT: there is no folder $folder" >&2
        exit 2
    fi
    without="$without :!$folder"
done
out=build/release
name=cuda-labs
stage=$out/$name
archive=$out/$name-$(cat VERSION).tar.gz

if ! git rev-parse --verify -q HEAD >/dev/null 2>&1; then
    echo "release: needs the course's git repository, to know its files" >&2
    exit 2
fi

# What git knows, but not: solutions, slides, which show them, tests, CI, and a
# program for experiments that is the tile kernel of labs 03 to 06.
list_files()
{
    # shellcheck disable=SC2086 # a list of words
    git ls-files -z -- . ':!solutions' ':!slides' ':!tests' ':!.ci' \
        ':!common/experiments/tiles*' $without
}

# The lines of a solution that its TODOs ask for, without blanks, one a line;
# none so short that it could stand anywhere.
list_secret()
{
    for file in solutions/*/*.cu; do
        awk '
            /\/\* TODO / { todo = 1 }
            todo { if (/\*\//) { todo = 0; secret = 1 } next }
            /\/\* end [0-9]/ { secret = 0 }
            /\/\* skeleton:/ { next }
            secret { gsub(/[ \t]/, ""); if (length >= 10) print }' "$file"
    done | sort -u
}

rm -rf "$stage" "$archive"
mkdir -p "$stage"
list_files | tar --null -T - -cf - | tar -C "$stage" -xf -
for lab in solutions/*/; do
    lab=$(basename "$lab")
    mkdir -p "$stage/labs/$lab"
    "$cut" solutions/"$lab"/*.cu -o "$stage/labs/$lab/${lab#??_}.cu"
done
"$cut" --todos "$stage"/labs/*/*.cu -o "$stage/labs/TODOS"

# Lab n begins with the solution of lab n - 1, so what stands in a skeleton is
# no secret.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
list_secret >"$scratch/all"
cat "$stage"/labs/*/*.cu | tr -d ' \t' >"$scratch/given"
awk 'NR == FNR { given = given $0 "\n"; next } !index(given, $0)' \
    "$scratch/given" "$scratch/all" >"$scratch/secret"
if [ ! -s "$scratch/secret" ]; then
    echo "release: no line of solutions/ was found to look for" >&2
    exit 2
fi
find "$stage" -type f -name '[!.]*' | sort >"$scratch/all_files"
grep -v "^$stage/labs/spot_the_bug/" "$scratch/all_files" >"$scratch/files"
# shellcheck disable=SC2016 # awk expands these
tr '\n' '\0' <"$scratch/files" |
    xargs -0 awk '{ gsub(/[ \t]/, ""); print FILENAME ":" FNR ":" $0 }' |
    grep -aFf "$scratch/secret" |
    sed "s|^|release: a solution's line is in |" >"$scratch/found"
if [ -s "$scratch/found" ]; then
    cat "$scratch/found" >&2
    exit 1
fi

# The same bytes from the same commit.
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$(git log -1 --format=%ct)" -cf - "$name" |
    gzip -n9 >"$archive.part"
mv "$archive.part" "$archive"
echo "Archive: $archive, $(wc -l <"$scratch/all_files") files; none of" \
    "$(wc -l <"$scratch/secret") lines of the solutions is in it"
if [ -d "$stage/labs/spot_the_bug" ]; then
    echo "(labs/spot_the_bug/ was not searched: its kernels have a mistake" \
        "each; WITHOUT=labs/spot_the_bug leaves them out)"
fi
