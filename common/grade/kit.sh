#!/bin/sh
# kit.sh KIT COMPILE LINK HEADER...: fills the folder KIT, which the grader
# gives to the compile box, beside KIT/runner.o: tools, what stands around a
# student's code, the calls of the compiler and of the linker, and these
# headers.
set -eu
kit=$1 compile=$2 link=$3
shift 3
built=build/cpu/common
mkdir -p "$kit/include"
cp $built/simt/shared_begin.o $built/simt/shared_end.o \
    $built/grade/runner/runner_begin.o $built/grade/runner/runner_end.o \
    common/grade/runner/grade_build.sh common/simt/compiler_words.awk \
    build/tools/simt_rewrite build/tools/simt_tables build/tools/grade_watch "$kit"
echo "$compile -include cuda_first.h -S" >"$kit/compile.flags"
echo "$link" >"$kit/link.flags"
# By these a lab is called; whatever else it defines is its own.
printf '%s\n' lab_host lab_launch lab_launch_b lab_launch_arrays lab_read lab_prediction >"$kit/offered.names"
# What the runner has a function for is bound to that.
nm $built/grade/runner/runner_calls.o |
    sed -n 's/.* T grade_call_\(.*\)/\1 grade_call_\1/p' >"$kit/guarded.names"
cp -r "$@" "$kit/include"
# shellcheck disable=SC2046 # words
$(echo "$compile" | sed 's/ -x c++ / -x c++-header /') -I"$kit/include" \
    "$kit/include/cuda_first.h" -o "$kit/include/cuda_first.h.gch"
