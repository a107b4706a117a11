#!/bin/sh
# demo.sh right CSV PROGRAM: is the lab of PROGRAM right? CSV is empty if it is,
# else it has the rows that say what it is.
# demo.sh counted|timed CSV RIGHT LAB OPTION...: measures the solution of a lab
# that is right, as RIGHT says, the other's CSV; a lab that is not keeps that
# one's rows. HOST_LABS and GPU_LABS are make's, in the environment.
#
# A lab that fails is told by its rows, or by having none, and the table of the
# labs ends make demo with an error then. So this ends well, and the other labs
# are run.
set -eu
what=$1
csv=$2
shift 2
mkdir -p "${csv%/*}"
rm -f "$csv.part"
: >"$csv.part"
if [ "$what" != right ]; then
    right=$1 lab=$2
    shift 2
    if [ -s "$right" ]; then
        cp "$right" "$csv"
        exit 0
    fi
    is_host=
    case " $HOST_LABS " in *" $lab "*) is_host=1 ;; esac
    program=build/cpu/solutions/$lab
    if [ "$what" = timed ]; then
        # One core needs minutes for 4096. The demonstration runs again and
        # again.
        side=4096
        [ ! "$is_host" ] || side=512
        case " $* " in *' --m '*) ;; *) set -- "$@" --m $side --n $side --k $side ;; esac
        set -- flock build "build/gpu/solutions/$lab" --bench --cublas "$@"
    elif [ "$is_host" ]; then
        set -- "$program" --bench "$@"
    else
        case " $GPU_LABS " in
        *" $lab "*) set -- "$program" ;;
        *) set -- "$program-analyse" --counters ;;
        esac
    fi
fi
code=0
"$@" --quiet --csv "$csv.part" || code=$?
case $what:$code in
    right:0) : >"$csv.part" ;;
    *:0 | *:77) ;;
    *) echo "demo: $1 ended with code $code" >&2 ;;
esac
mv "$csv.part" "$csv"
