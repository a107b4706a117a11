#!/bin/sh
# A Slurm without a cluster, for test_cluster.c: called as sbatch, squeue, scancel
# or sinfo. sbatch runs the tasks of an array itself, one after the other, and ends
# when they have. In the folder $FAKE_SLURM: calls, a line for each call; state,
# what squeue says of the last array. What goes wrong: the file refuse holds what
# sbatch says; alone: there is no node but node1; lose: so many arrays are not run;
# blind: no task sees its manifest.
set -eu
fake=$FAKE_SLURM
{
    printf '%s' "$(basename "$0")"
    printf ' [%s]' "$@"
    echo
} >>"$fake/calls"
case $(basename "$0") in
squeue) cat "$fake/state" && exit 0 ;;
sinfo) echo 'other 0/9/0/9' && echo 'course* 1/1/0/2' && exit 0 ;;
scancel) exit 0 ;;
esac

last=0
while [ "${1#--}" != "$1" ]; do
    case $1 in
    --array=0-*) last=${1#--array=0-} && last=${last%%%*} ;;
    --exclude=*)
        if [ -e "$fake/alone" ]; then
            echo 'sbatch: error: there is no such node' >&2
            exit 1
        fi
        ;;
    esac
    shift
done
if [ -e "$fake/refuse" ]; then
    cat "$fake/refuse" >&2
    exit 1
fi
: >"$fake/state"
echo 7
lose=$(cat "$fake/lose" 2>/dev/null || echo 0)
if [ "$lose" -gt 0 ]; then
    echo $((lose - 1)) >"$fake/lose"
    exit 0
fi
script=$PWD/$1
shift
[ ! -e "$fake/blind" ] || mv "$2" "$2.elsewhere" # the manifest
cd /
task=0
while [ "$task" -le "$last" ]; do
    code=0
    SLURM_ARRAY_TASK_ID=$task sh "$script" "$@" >/dev/null 2>&1 || code=$?
    state=COMPLETED
    [ "$code" = 0 ] || state=FAILED
    echo "$task $state $((code * 256)) node1 None" >>"$fake/state"
    task=$((task + 1))
done
