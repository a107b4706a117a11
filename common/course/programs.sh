#!/bin/sh
# programs.sh: prints build/programs.mk, for make: lists of the labs and a plain
# rule for each program that is built of a file of its own. All of it is found
# from labs/INDEX and the folders, so that a new lab or tool needs no new line.
set -u
labs='' both='' cpu=''
about=$(awk -f common/course/labs.awk labs/INDEX)

# those WHAT: the labs of which labs.awk says this.
those()
{
    for word in $about; do
        [ "${word#*:}" != "$1" ] || printf ' %s' "${word%%:*}"
    done
}

# name_it VERB FOLDER: 03 and 3 stand for 03_tiling.
name_it()
{
    number=${2%%_*}
    short=
    [ "$number" = "${number#0}" ] || short=" $1-${number#0}"
    echo "$1-$number$short: $1-$2"
}

echo "# Written by common/course/programs.sh."
for lab in $(those lab); do
    found=
    for whose in labs solutions; do
        [ -d "$whose/$lab" ] || continue
        found=1
        both="$both $whose/$lab"
    done
    [ -z "$found" ] || labs="$labs $lab"
done
needy=$(those needs) gpu=$(those gpu) host=$(those host)
echo "ALL_LABS :=$labs"
echo "BOTH :=$both"
echo "HOST_LABS :=$host"
echo "BANK_LABS :=$(those banks)"
echo "OTHER_LABS :=$(those other)"
echo "NEEDY_LABS :=$needy"
echo "GPU_LABS :=$gpu"

# How a lab may be called: 03, 3 and 03_tiling.
for lab in $labs; do
    echo
    echo "# $lab"
    for verb in lab hint watch reset map why solution; do
        name_it $verb "$lab"
    done
    targets=
    for word in $about; do
        case $word in "$lab:for="*)
            target=${word#*=}
            targets="$targets -gencode arch=compute_${target#*_},code=$target" ;;
        esac
    done
    for whose in labs solutions; do
        [ -d "$whose/$lab" ] || continue
        source=$lab/${lab#??_}.cu
        echo "build/cpu/$whose/$lab.cpp: $whose/$source \$(T)/simt_rewrite | \$(BEFORE_LAB); \$(rewrite)"
        # nvcc is asked of what g++ takes, for else both would fail.
        echo "build/chip/$whose/$lab.cubin: $whose/$source | \$(if \$(filter lab-%,\$(GOALS)),build/cpu/$whose/$lab-analyse); \$(cubin)"
        [ -z "$targets" ] ||
            echo "build/gpu/$whose/$lab.o build/nvcc/$whose/${source%.cu}.log: FOR_GPU =$targets"
        fast=build/cpu/$whose/$lab.o counting=build/cpu/$whose/$lab-analyse.o
        # Of a lab that only a GPU can run, programs that say so, and hold none.
        case " $gpu " in
        *" $lab "*) fast='' counting='' ;;
        *) cpu="$cpu $whose/$lab" ;;
        esac
        # What g++ finds wrong is told in plain words, and nvcc does not begin.
        echo "build/gpu/$whose/$lab.o: $whose/$source build/gpu/settings \
            | \$(if \$(filter lab-%,\$(GOALS)),$counting); \$(nvcc_o)"
        echo "build/cpu/$whose/$lab: \$(BEGIN_O) $fast \$(END); \$(link)"
        echo "build/cpu/$whose/$lab-analyse: \$(BEGIN_O) $counting \$(END) | \$(T)/compiler_counts; \$(link)"
        echo "build/gpu/$whose/$lab: build/gpu/$whose/$lab.o \$(ON_GPU_A); \$(link_gpu)"
    done
done
echo
echo "ON_CPU :=$cpu"

# The goals bug-01_turn_groups, warm-01_index and so on, and their programs.
exercises='' programs=''
for folder in labs/spot_the_bug/[0-9][0-9]_*/ labs/warm_up/[0-9][0-9]_*/; do
    [ -d "$folder" ] || continue
    exercise=${folder%/} && exercise=${exercise##*/}
    verb=bug
    [ "${folder#*warm_up}" = "$folder" ] || verb=warm
    exercises="$exercises $verb-$exercise"
    program=build/cpu/$folder${exercise#??_}-analyse
    programs="$programs $program"
    name_it $verb "$exercise"
    echo "$verb-$exercise: \$(if \$(EXPLAIN),,$program)"
    echo "$program: \$(BEGIN_O) $program.o \$(END); \$(link)"
done
echo "EXERCISES :=$exercises"
echo "EXERCISED :=$programs"

# --- tools --------------------------------------------------------------------

# box_init has a rule of its own. What labs are built with waits for nothing
# that it does not need.
for main in common/*/*_main.c common/*/*/*_main.c slides/*/*_main.c; do
    [ -f "$main" ] || continue
    tool=${main##*/} && tool=${tool%_main.c}
    objects=build/cpu/${main%.c}.o
    needs="\$(COURSE_A); \$(link_tool)"
    case $main in
    */box_init_main.c) continue ;;
    common/grade/*) needs="\$(GRADE_A) \$(TEACH_A) \$(COURSE_A); \$(link_grade)" ;;
    common/teach/* | common/report/* | common/chip/*) needs="\$(TEACH_A) $needs" ;;
    slides/* | common/language/* | */simt_*_main.c)
        needs="\$(TEACH_A) $needs"
        case $main in
        */simt_alternatives_*) needs="\$(COURSE_A); \$(link_tool)" ;;
        common/language/* | */simt_*) needs="\$(BASE_A); \$(link_tool)" ;;
        esac
        for c in "${main%/*}"/*.c; do
            [ "$c" = "$main" ] || objects="$objects build/cpu/${c%.c}.o"
        done ;;
    esac
    echo "build/tools/$tool: $objects $needs"
done
