#!/bin/sh
# fuzz.sh TARGET SECONDS: runs one fuzzer, from the repository's root. What it
# has learnt stays in build/fuzz/corpus; what it has found is in
# build/fuzz/found, to be mended and then kept in tests/fuzz/found/TARGET.
set -eu
target=$1
corpus=build/fuzz/corpus/$target
seeds=build/fuzz/seeds/$target
mkdir -p "$corpus" "$seeds" build/fuzz/found
build/tools/seeds "$target" "$seeds"
set -- "$corpus" "$seeds" -max_total_time="$2" -timeout=20 -rss_limit_mb=2048 \
    -max_len=65536 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="build/fuzz/found/$target-"
if [ -d "tests/fuzz/found/$target" ]; then
    set -- "tests/fuzz/found/$target" "$@"
fi
if [ -f "tests/fuzz/dictionaries/$target.dict" ]; then
    set -- "$@" -dict="tests/fuzz/dictionaries/$target.dict"
fi
exec nice "build/fuzz/$target" "$@"
