#!/bin/sh
# circles.sh ARCHIVE...: do files of an archive need each other in a circle? By
# the names that nm shows each of them to use and to have. Names the circles,
# and ends 1 then.
set -u
status=0
for archive; do
    circle=$(nm -A "$archive" | awk '
        { split($1, part, ":"); file = part[2] }
        $(NF - 1) ~ /^[Uw]$/ { wants[file, $NF]; next }
        $(NF - 1) ~ /^[BDRTVW]$/ { owner[$NF] = file }
        END {
            for (want in wants) {
                split(want, part, SUBSEP)
                if (part[2] in owner) print part[1], owner[part[2]]
            }
        }' | tsort 2>&1 >/dev/null |
        sed -n 's/^tsort: \(.*\)[.]o$/ \1/p' | tr -d '\n')
    [ -z "$circle" ] || status=1
    [ -z "$circle" ] || echo "$archive: files in a circle:$circle" >&2
done
exit $status
