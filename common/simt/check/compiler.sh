#!/bin/sh
# compiler.sh PROGRAM SOURCE COMPILER...: can this compiler be used for
# the analyse build? PROGRAM is common/simt/check/divergence.cu, SOURCE, built
# by it: nine kernels whose threads take different ways. The source says what
# they must count, which is what an H200 counted. Ends 1 with one line if the
# program counts anything else.
set -eu
program=$1
source=$2
shift 2
counted=$("$program") || {
    echo "$("$@" --version | head -n 1) cannot be used to count: $program does not run" >&2
    exit 1
}
sed -n 's|^/\* says: \(.*\) \*/$|\1|p' "$source" | while read -r expected; do
    if ! printf '%s\n' "$counted" | grep -qF "$expected"; then
        found=$(printf '%s\n' "$counted" | grep -F "${expected%%:*}:" || echo nothing)
        echo "$("$@" --version | head -n 1) cannot be used to count: '$expected' is right," \
            "it makes '$found' of it; use g++ 12, as in make CXX=g++-12" >&2
        exit 1
    fi
done
