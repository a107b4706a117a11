#!/bin/sh
# skeletons.sh MAKE_SKELETON LABS NAMED...: cuts the skeletons in labs/ anew
# from solutions/, and lists their TODOs. LABS are all, and NAMED those that the
# user told by name: these alone are written then. Else all are, unless one has
# work in it: it is neither what would be written nor what the last commit has.
set -eu
cut=$1 all=$2
shift 2
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

for lab in $all; do
    mkdir -p "$new/labs/$lab"
    "$cut" solutions/"$lab"/*.cu -o "$new/labs/$lab/${lab#??_}.cu"
done
"$cut" --todos "$new"/labs/*/*.cu -o "$new/TODOS"

if [ $# = 0 ]; then
    at_work=
    # shellcheck disable=SC2086 # a list of words
    set -- $all
    for lab; do
        file=labs/$lab/${lab#??_}.cu
        [ -e "$file" ] || continue
        cmp -s "$new/$file" "$file" ||
            git cat-file blob "HEAD:./$file" 2>/dev/null | cmp -s - "$file" ||
            at_work="$at_work${at_work:+ }${lab%%_*}"
    done
    if [ -n "$at_work" ]; then
        echo "skeletons: labs/ has work in it that is in no commit, and nothing was" \
            "written: make skeletons LABS=\"$at_work\" overwrites it" >&2
        exit 2
    fi
fi
for lab; do
    mkdir -p "labs/$lab"
    cp "$new/labs/$lab/${lab#??_}.cu" "labs/$lab"
done
cp "$new/TODOS" labs/TODOS
