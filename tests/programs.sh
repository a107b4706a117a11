#!/bin/sh
# programs.sh CXX: prints build/tests.mk, for make: lists of what the tests run
# and a plain rule for each program that is built of a file of its own.
set -u
# link NAME SOURCE.cu...: a program that runs and one that counts, with a main
# of its own.
link()
{
    program=build/cpu/$1 fast_o='' counting_o=''
    shift
    for cu; do
        fast_o="$fast_o build/cpu/${cu%.cu}.o"
        counting_o="$counting_o build/cpu/${cu%.cu}-analyse.o"
    done
    echo "$program: \$(BEGIN_O)$fast_o \$(END); \$(link)"
    echo "$program-analyse: \$(BEGIN_O)$counting_o \$(END); \$(link)"
}

# --- wrong labs ---------------------------------------------------------------

# 03_no_first_barrier is made from the solution of lab 03, with all others of
# that lab in one run, which leaves those as they are that would not change; or
# it is a kernel of others, which the model of common/chip had not seen.
mutants=''
for edits in tests/corpus/labs/*.edits; do
    lab=${edits##*/} && lab=${lab%.edits}
    echo "build/mutants/$lab.made: $edits $(echo solutions/"$lab"/*.cu) \$(T)/mutate; \$(mutate)"
    # shellcheck disable=SC2013 # words
    for mutant in $(sed -n 's/^case: //p' "$edits"); do
        mutants="$mutants $mutant"
        echo "build/mutants/$mutant.cu: build/mutants/$lab.made ;"
    done
done
for kernel in tests/chip/ladder/*.cu; do
    mutant=${kernel##*/} && mutant=${mutant%.cu}
    mutants="$mutants $mutant"
    echo "build/mutants/$mutant.cu: $kernel; \$(STEP) \$@ cp \$< \$@"
done
echo "MUTANTS :=$mutants"

# Those that have a line with such a beginning: no other builds are run.
cases_with()
{
    awk '/^case: / { name = $2 } /^('"$1"')/ { print name }' tests/corpus/labs/*.edits |
        sort -u | tr '\n' ' '
}
echo "CAUGHT_FAST := $(cases_with says:)"
echo "CAUGHT_COUNTING := $(cases_with 'checks:|counts:|slow:')"
echo "IN_PAGE := $(cases_with 'when: .*why|kind: endless')" # tests/site/test_site.mjs
# Of the labs that must be told why they are wrong those for make test, and all.
# Indices of arrays the fast build tells about, and all else the other one.
for all in '' 1; do
    awk -v all="$all" 'BEGIN { printf "TOLD%s :=", all ? "_ALL" : "" }
        /^case: / { name = $2; now = all }
        /^when: .*why/ { now = 1 }
        /^kind: / && now { printf " %s", name ($NF == "array" ? "" : "-analyse") }
        END { print "" }' tests/corpus/labs/*.edits
done

# --- programs for the CPU device ----------------------------------------------

# Those that know it, and public ones, which nvcc builds as well. A folder in
# public/ is one program of several files. The first lines say if one build
# alone is run.
public=$(echo tests/simt/programs/*.cu tests/simt/public/*.cu tests/simt/public/*/main.cu)
# shellcheck disable=SC2086 # words
fast_alone=$(grep -l 'build: fast' $public) counting_alone=$(grep -l 'build: analyse' $public)
fast='' counting='' samples=''
for source in $public; do
    name=${source##*/} && name=${name%.cu}
    case $source in
    */main.cu) name=${source%/main.cu} && name=${name##*/} && link "programs/$name" "${source%/main.cu}"/*.cu ;;
    *) link "programs/$name" "$source" ;;
    esac
    samples="$samples $name"
    case $counting_alone in *"$source"*) ;; *) fast="$fast $name" ;; esac
    case $fast_alone in *"$source"*) ;; *) counting="$counting $name" ;; esac
done
echo "SAMPLES :=$samples"
echo "SAMPLES_FAST :=$fast"
echo "SAMPLES_COUNTING :=$counting"

# The exercises' twins without the mistake, and the warm-ups with their line, or
# a wrong one.
mended=
for edits in tests/corpus/exercises/*.edits solutions/warm_up.edits; do
    [ -f "$edits" ] || continue
    made=build/mended/$(echo "$edits" | tr / _)
    names=$(sed -n 's/^case: //p' "$edits")
    echo "$made: $edits $(sed -n 's/^from: //p' "$edits" | tr '\n' ' ')\$(T)/mutate; \$(mutate)"
    for name in $names; do
        echo "build/mended/$name.cu: $made ;"
        mended="$mended $name"
    done
done
echo "MENDED :=$mended"

# Programs that were measured on a GPU; bank_patterns makes sense there alone.
measured=
for source in tests/hardware/*.cu; do
    name=${source##*/} && name=${name%.cu}
    [ "$name" != bank_patterns ] || continue
    measured="$measured $name"
    link "hardware/$name" "$source"
done
echo "MEASURED :=$measured"

# --- other compilers ----------------------------------------------------------

# What other versions of g++, if installed, make of the solutions and of lab
# 08's skeleton: build/cpu/by/g++-11/solutions/08_unrolling-analyse.
here=$("$1" -dumpversion 2>/dev/null | cut -d. -f1)
others=
for version in 11 12 13 14 15 16; do
    if [ "$version" = "$here" ] || ! command -v "g++-$version" >/dev/null; then
        continue
    fi
    echo "build/cpu/by/g++-$version/%: private CXX = g++-$version"
    for name in $(sed -n 's/^ON_CPU := //p' build/programs.mk) mutants/08_not_unrolled; do
        case $name in (labs/*) continue ;; esac
        program=build/cpu/by/g++-$version/$name-analyse
        others="$others $program"
        echo "$program.o: build/cpu/$name.cpp \$(T)/simt_tables; \$(by_other)"
        echo "$program: \$(BEGIN_O) $program.o \$(END); \$(link)"
    done
done
echo "BY_OTHER :=$others"
