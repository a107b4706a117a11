#!/bin/sh
# facts.sh LAB...: writes common/chip/facts.csv, what nvcc makes of the
# solutions, from build/chip/solutions/LAB.cubin, which make why-facts has made.
set -eu
facts=build/chip/facts.csv
rm -f "$facts"
for lab in "$@"; do
    set -- build/chip/facts.64 build/chip/facts.96 build/chip/facts.128
    for requests in "$@"; do
        SIMT_REQUESTS=$requests "build/cpu/solutions/$lab-analyse" --counters \
            --quiet --m 256 --n 256 --k "${requests##*.}" >/dev/null
    done
    build/tools/chip --chip common/chip/chips/h200.csv \
        --cubin "build/chip/solutions/$lab.cubin" --write-facts "$lab" 256 "$@" |
        if [ -f "$facts" ]; then sed 1d; else cat; fi >"$facts.part"
    cat "$facts.part" >>"$facts"
done
rm "$facts.part"
mv "$facts" common/chip/facts.csv
