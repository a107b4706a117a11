#!/bin/sh
# lab.sh LAB PROGRAM COUNTING RUN COUNT: checks a lab, as labs/03_tiling, for
# make lab-03, and tells one story. First what the grader would refuse, in its
# words. PROGRAM is right or not, on the device at hand; if it is, COUNTING
# tells the number and whether all is clean, which only the CPU device can see;
# if not, why. COUNTING is empty for a lab that only a GPU can run. RUN and
# COUNT are the options of both; with --verbose among those of COUNT all is
# shown. Without, a lab that passes is told how fast it would be on an H200.
# The verdict of one size that was asked for does not become that of the lab.
set -u
program=$2 counting=$3 run=$4 count=$5
into=build/results
case " $run " in (*" --m "*) into=build/asked ;; esac # of one size alone
results=$into/$1.csv.$$
findings=$into/checks/$1.csv.$$
told=$into/$1.$$.txt # two may check one lab at once
mkdir -p "${results%/*}" "${findings%/*}" || exit 2
asked=build/chip/$$
trap 'rm -f "$told" "$asked".* "$results" "$findings"' EXIT
trap 'exit 143' HUP INT TERM # then the last run that came to its end stays
[ ! -t 1 ] || export LAB_COLOUR=1
short=--short
case "$count " in (*'--verbose '*) short= ;; esac
# predict LAB: what the model promises for the kernel, for tell_speed, on the
# GPU at hand if the course knows it. That C is right is known, and what one
# block alone makes of it is not.
predict()
{
    mkdir -p build/chip
    code=
    case $1 in (solutions/*) code="--facts common/chip/facts.csv" ;; esac # as why-02
    [ ! -f "build/chip/$1.cubin" ] || code="--cubin build/chip/$1.cubin"
    # shellcheck disable=SC2086 # options are words
    build/tools/chip --line --chip "$chip" $code --sizes "$side" \
        --requests "$asked" --program "$counting" "${1#*/}" >"$asked.line" 2>/dev/null
}

# choose_size: at which size is this GPU's time told, and which chip is it?
# 4096, or what takes some two seconds, by the rate at the size of the check.
choose_size()
{
    side=4096 chip=common/chip/chips/h200.csv repeat=3 device=
    case $program in (build/gpu/*) ;; (*) return ;; esac
    # shellcheck disable=SC2046 # words
    set -- $(build/tools/results table 'timed right' "$results" gflops device_name 2>/dev/null |
        tr -d '"' | awk '$1 > most { most = $1 } { $1 = ""; name = $0 }
            END { if (most) print (most > 150 ? 4096 : most > 20 ? 2048 : 1024), \
                        (most > 400 ? 3 : 1) name }')
    [ $# -gt 2 ] || return
    side=$1 repeat=$2
    shift 2
    device=$*
    for file in common/chip/chips/*.csv; do
        if grep -q "^name,$device," "$file" && grep -q '^measured,1' "$file"; then
            chip=$file
        fi
    done
}

# rate FILE: TFLOP/s of the first kernel in it, at $side; 0 if there is none.
rate()
{
    build/tools/results table 'timed right' "$1" m variant gflops 2>/dev/null | tr -d '"' |
        awk -v side="$side" '$1 == side && $2 != "host" && !rate { rate = $3 / 1000 }
            END { print rate + 0 }'
}

# time_here LAB: this GPU's time of a lab that passes, its best so far, which is
# kept, and a word if it is far from what the model said of this chip.
time_here()
{
    best=build/results/best/$1.csv
    mkdir -p "${best%/*}"
    # shellcheck disable=SC2086 # numbers
    "$program" --bench --quiet --m $side --n $side --k $side --repeat $repeat \
        --csv "$asked.csv" >/dev/null 2>&1 || return 0
    grep -q "^name,$device," "$chip" || rm -f "$asked.line"
    awk -v side="$side" -v now="$(rate "$asked.csv")" -v best="$(rate "$best")" \
        -v said="$(cat "$asked.line" 2>/dev/null)" 'BEGIN {
            printf "  Yours, measured here at %d: %.3g TFLOP/s", side, now
            if (now > 0 && said + 0 >= 2 * now)
                printf ", %.2g times slower than predicted", said / now
            print "."
            if (best > now)
                printf "  Your best so far: %.3g TFLOP/s.\n", best
            exit best > now
        }' && mv "$asked.csv" "$best"
    return 0
}

# tell_speed: what an H200 measured of the course's kernel for this lab and the
# one before, and what the model promises for this one.
tell_speed()
{
    recorded=$(build/tools/results table 'timed right single' plots/data/h200_ladder.csv \
        lab m gflops cublas_gflops 2>/dev/null | tr -d '"' |
        awk -v lab="${1#*/}" '
            $2 != 4096 { next }
            $1 == lab {
                if (before)
                    before = sprintf("lab %s %.1f, ", substr(before, 1, 2), rate)
                said = sprintf("%slab %s %.1f", before, substr(lab, 1, 2), $3 / 1000)
            }
            { before = $1; rate = $3 / 1000; best = $4 > best ? $4 : best }
            END {
                if (said) # with one cuBLAS for all labs
                    printf "  On an H200 at 4096: %s, cuBLAS %.1f TFLOP/s (recorded).\n",
                        said, best / 1000
            }')
    [ -n "$recorded" ] || return 0 # the model knows no other precision
    printf '%s\n' "$recorded"
    # Several sums in a loop that is not unrolled lie in memory: of that machine
    # code the model guesses nothing.
    case $([ -f "build/chip/$1.cubin" ] || echo "${1#*/}") in ('' | 0[1-6]*) ;; (*)
        [ "$(build/tools/results table 'counted right' "$results" \
            backward_jumps_per_fma | awk '{ print ($1 > 0.5) }')" != 1 ] || {
            printf '  %s\n  %s\n' \
                'Yours, predicted: nothing, as each multiply-add is a pass through a loop:' \
                'without #pragma unroll nvcc alone knows whether the sums lie in registers.'
            return 0
        } ;;
    esac
    at=
    [ "$side" = 4096 ] || at=" at $side"
    [ ! -s "$asked.line" ] || sed "s/^/  Yours, predicted$at: /" "$asked.line"
    [ -z "$device" ] || time_here "$1"
}

# finish CODE: this run takes the place of the last one, and ends with CODE.
finish()
{
    for file in "$results" "$findings"; do
        mv -f "$file" "${file%.*}" 2>/dev/null || rm -f "${file%.*}"
    done
    exit "$1"
}

refused=0
[ ! -d "$1" ] || build/tools/vet "$1"/*.cu || refused=1

# shellcheck disable=SC2086 # options are words
"$program" $run $short --csv "$results" >"$told" 2>&1
code=$?
if [ $code = 0 ] && [ -n "$counting" ]; then
    [ -n "$short" ] || cat "$told"
    choose_size
    [ -z "$short" ] || [ ! -x build/tools/chip ] || predict "$1" &
    # shellcheck disable=SC2086
    "$counting" --counters $count $short --csv "$results" --findings "$findings"
    code=$?
    wait # for predict
    [ $code != 77 ] || code=0 # no kernel, nothing to count
    [ -z "$short" ] || [ $code != 0 ] || { tell_speed "$1" && cat "$told"; }
    [ $code != 0 ] || code=$refused
    finish $code
fi
if [ $code != 0 ] && [ $code != 77 ] && [ $code != 2 ] && [ -n "$counting" ]; then
    why=2
    case $program in (*build/gpu/*) ;; (*)
        # shellcheck disable=SC2086
        "$program" --why $run # which checks indices
        why=$? ;;
    esac
    if [ $why != 1 ]; then
        # shellcheck disable=SC2086
        "$counting" --why $run --findings "$findings"
        why=$?
    fi
    if [ -z "$short" ] && [ $why = 1 ]; then
        echo && cat "$told" && echo && "$counting" --checks
    fi
    [ $why != 1 ] || finish 1
fi
cat "$told"
[ $code != 2 ] || exit 2 # there was no run, as without a GPU
[ $code != 77 ] || finish 0 # the device cannot run this lab, and has said so
[ $code != 0 ] || code=$refused
finish $code
