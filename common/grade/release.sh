#!/bin/sh
# release.sh MAKE_SKELETON: makes the students' archive: the course without the
# solutions, the tests and what else holds a line of a solution.
#
# Labs are cut anew from solutions/, so that nobody's own work is in it. Then
# each line that a student is to write is searched for in all of the archive.
set -eu
cut=$1
out=build/release
name=cuda-labs
stage=$out/$name
archive=$out/$name.tar.gz

if ! git rev-parse --verify -q HEAD >/dev/null 2>&1; then
    echo "release: needs the course's git repository, to know its files" >&2
    exit 2
fi

# What git knows, but not: solutions and tests, CI, and a program for
# experiments that is the tile kernel of labs 03 to 06. Of the tests stays what
# make needs to find out whether the compiler can count.
list_files()
{
    git ls-files -z -- . ':!solutions' ':!tests' ':!.ci' \
        ':!common/experiments/tiles*'
    git ls-files -z -- tests/tests.mk tests/simt/programs
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
cat "$stage"/labs/*/*.cu | tr -d ' \t' | sort -u >"$scratch/given"
comm -23 "$scratch/all" "$scratch/given" >"$scratch/secret"
if [ ! -s "$scratch/secret" ]; then
    echo "release: no line of solutions/ was found to look for" >&2
    exit 2
fi
find "$stage" -type f -name '[!.]*' | sort >"$scratch/files"
while read -r file; do
    tr -d ' \t' <"$file" | grep -nFf "$scratch/secret" 2>/dev/null |
        sed "s|^|release: a solution's line is in $file:|" || true
done <"$scratch/files" >"$scratch/found"
if [ -s "$scratch/found" ]; then
    cat "$scratch/found" >&2
    exit 1
fi

# The same bytes from the same commit.
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$(git log -1 --format=%ct)" -cf - "$name" |
    gzip -n9 >"$archive.part"
mv "$archive.part" "$archive"
echo "Archive: $archive, $(wc -l <"$scratch/files") files; none of" \
    "$(wc -l <"$scratch/secret") lines of the solutions is in it"
