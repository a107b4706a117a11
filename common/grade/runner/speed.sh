#!/bin/sh
# speed.sh LAB NVCC ARCH OPTIONS: makes the lab's own program of a student's
# source and times it, in a box with the GPU's devices.
#
# The source, which was vetted, comes on descriptor 3; the program's CSV file
# goes to 4. Ends with 0; with 1 if C is wrong, which the file says; with 2 if
# the program did not end by itself; with 10 if nvcc made no program, and with
# 20 if something is wrong with this machine.
set -uf
lab=$1
export PATH=/usr/bin:/bin # a box gives no environment
source=labs/$lab/${lab#???}.cu
cd /tmp && cp -r /box/labs . && mkdir -p "labs/$lab" build/labs &&
    cat <&3 >"$source" || exit 20
prlimit --cpu=60 --as=17179869184 -- \
    "$2" -std=c++17 -O3 "-arch=$3" -w -I/box "$source" /box/harness.o \
    -ldl -lpthread -o "build/labs/$lab" || exit 10
# shellcheck disable=SC2086 # words
"build/labs/$lab" --bench $4 --csv speed.csv
code=$?
[ ! -e speed.csv ] || cat speed.csv >&4
[ $code -le 1 ] || exit 2
exit $code
