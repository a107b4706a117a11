#!/bin/sh
# facts.sh LAB...: writes common/chip/facts.csv, what nvcc makes of the
# solutions, from build/chip/solutions/LAB.cubin, which make why WHAT=facts has
# made.
set -eu
facts=build/chip/facts.csv
rm -f "$facts"
for lab in "$@"; do
    build/tools/chip --chip common/chip/chips/h200.csv --requests build/chip/facts \
        --program "build/cpu/solutions/$lab-analyse" \
        --cubin "build/chip/solutions/$lab.cubin" --write-facts "$lab" |
        if [ -f "$facts" ]; then sed 1d; else cat; fi >"$facts.part"
    cat "$facts.part" >>"$facts"
done
rm "$facts.part"
mv "$facts" common/chip/facts.csv
