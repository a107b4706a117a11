#!/bin/sh
# facts.sh LAB...: writes common/why/facts.csv, what nvcc makes of the
# solutions, from build/why/solutions/LAB.cubin, which make why-facts has made.
set -eu
facts=build/why/facts.csv
rm -f "$facts"
for lab in "$@"; do
    set -- build/why/facts.64 build/why/facts.96 build/why/facts.128
    for requests in "$@"; do
        SIMT_REQUESTS=$requests "build/cpu/solutions/$lab-analyse" --counters \
            --quiet --m 256 --n 256 --k "${requests##*.}" >/dev/null
    done
    build/tools/why --chip common/why/chips/h200.csv \
        --cubin "build/why/solutions/$lab.cubin" --write-facts "$lab" 256 "$@" |
        if [ -f "$facts" ]; then sed 1d; else cat; fi >"$facts.part"
    cat "$facts.part" >>"$facts"
done
rm "$facts.part"
mv "$facts" common/why/facts.csv
