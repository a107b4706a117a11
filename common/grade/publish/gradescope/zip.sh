#!/bin/sh
# zip.sh [LABS [RUBRIC]]: makes build/release/autograder.zip for Gradescope: the
# course without solutions, tests and slides, and at its root setup.sh and
# run_autograder. LABS, as in "04", are those that it grades.
set -eu
labs=${1-}
rubric=${2-}
out=build/release
stage=$out/autograder
archive=$out/autograder.zip

if ! git rev-parse --verify -q HEAD >/dev/null 2>&1; then
    echo "release: WHAT=autograder needs the course's git repository, to know its" \
        "files" >&2
    exit 2
fi
if ! command -v zip >/dev/null; then
    echo "release: zip is not installed: make deps release WHAT=autograder" >&2
    exit 2
fi

rm -rf "$stage" "$archive"
mkdir -p "$stage/settings"
{
    git ls-files -z -- . ':!solutions' ':!labs/spot_the_bug' ':!labs/warm_up' ':!tests' \
        ':!slides' ':!plots' ':!.ci'
    git ls-files -z -- plots/class.gp plots/columns.gp plots/style.gp
} | tar --null -T - -cf - | tar -C "$stage" -xf -
cp common/grade/publish/gradescope/setup.sh common/grade/publish/gradescope/run_autograder \
    "$stage"
[ -z "$labs" ] || echo "$labs" >"$stage/settings/labs"
[ -z "$rubric" ] || cp "$rubric" "$stage/settings/rubric"

# The same bytes from the same commit: names in order, its time, its modes.
chmod -R u=rwX,go=rX "$stage"
find "$stage" -exec touch -h -d "@$(git log -1 --format=%ct)" {} +
(cd "$stage" && find . -type f | LC_ALL=C sort |
    TZ=UTC zip -q -X -9 ../autograder.zip.part -@)
mv "$out/autograder.zip.part" "$archive"
echo "Autograder: $archive, $(find "$stage" -type f | wc -l)" \
    "files${labs:+; it grades $labs}"
