#!/bin/sh
# refuse.sh GOALS TYPED [NAME=VALUE...]: prints one line if make cannot do these
# goals here, as they are asked for, and else nothing. TYPED are the settings in
# make's command, NAME=VALUE all that are set.
set -u
goals=$1 typed=$2
shift 2
here=${0%/*}
case " ${goals:-menu} " in *' help '* | ' clean ') exit ;; esac

# A goal is a file, or in the lines that make help prints, or one of a lab.
named=$(sed -n 's/^##[+]* \([^ ]*\).*/\1/p' Makefile | tr '\n' ' ')
for goal in $goals; do
    case " $named menu test-built " in *" $goal "*) [ "$goal$typed" = why ] || continue ;; esac
    case $goal in */*) continue ;; esac
    grep -qE "(^| )$goal( |:|\$)" build/programs.mk && continue
    sh "$here/unknown.sh" "$goal"
    exit
done

awk -f "$here/settings.awk" "$here/SETTINGS" "$goals" "$typed" "$@" | grep . && exit
cc=gcc cxx=g++ device='' what=''
for setting; do
    case $setting in
    CC=*) cc=${setting#*=} ;;
    CXX=*) cxx=${setting#*=} ;;
    WHAT=*) what="=${setting#*=}" ;;
    DEVICE=*) device=${setting#*=} ;;
    esac
done
case $cc in
[0-9]*)
    echo "CC is the compiler now: make BANKS=$cc counts the banks of compute" \
        "capability $cc"
    exit
    ;;
esac
if [ "$device" = gpu ] && ! command -v nvcc >/dev/null; then
    echo "DEVICE=gpu needs nvcc, which is not in PATH: install the CUDA toolkit or" \
        "use DEVICE=cpu"
    exit
fi

# The students' archive has neither solutions nor tests.
if [ ! -d solutions ]; then
    for goal in $goals; do
        pattern=$(echo "$goal" | sed 's/-[0-9].*/-NN/')
        case $goal$what in
        bench=tiles | bench=start | bench=device | bench=grader | grade=speed) goal="$goal WHAT$what" ;;
        *) grep -q "^##[+] $pattern " Makefile || continue ;;
        esac
        echo "make $goal needs the solutions or the tests, which the students'" \
            "archive has not"
        exit
    done
fi

# Nothing is built for these.
case " ${goals:-menu} " in
' menu ' | ' status ') exit ;;
esac

# What labs need was there if their tools were built.
asked=
for goal in $goals; do
    case $goal in
    lab-* | hint-* | watch-* | reset-* | status | solution-* | map-* | why-* | run | bug-* | warm-* | \
        banks | demo | bench | plots | report)
        [ -x build/tools/simt_rewrite ] || asked="$asked $goal$what" ;;
    *) asked="$asked $goal$what" ;;
    esac
done
# shellcheck disable=SC2086 # a list of words
[ -z "$asked" ] || sh "$here/needs.sh" $asked || exit

# The CPU device counts by switches of g++ that clang has not, and g++ from
# version 11 on. clang alone puts a number in the place of __clang__. Those that
# were taken once are not asked again.
! echo "$cc+$cxx" | cmp -s - build/compilers || exit
for compiler in "$cc" "$cxx"; do
    case $(echo __clang__ __GNUC__ | $compiler -E -P - 2>/dev/null) in
    '' | "__clang__ "1[1-9] | "__clang__ "[2-9]?) continue ;;
    "__clang__ "*) said="is older than version 11" ;;
    *) said="is clang" ;;
    esac
    echo "$compiler $said, and the CPU device counts with gcc and g++ 11 or" \
        "later alone: use those, as in make CC=gcc CXX=g++"
    exit
done
echo "$cc+$cxx" >build/compilers
