#!/bin/sh
# slurm_task.sh COURSE MANIFEST GRADER [OPTION...]: a task of an array, which grades
# its share of the manifest (cluster.c). Slurm copies this file to a node; the exit
# codes 66 and 67 say what the node does not see.
course=$1
manifest=$2
grader=$3
shift 3
cd "$course" || exit 66
[ -f "$manifest" ] || exit 67
exec >"$manifest-$SLURM_ARRAY_TASK_ID.log" 2>&1
[ -d "${TMPDIR:-/tmp}" ] || unset TMPDIR # that of the machine it was submitted on
exec "$grader" --manifest "$manifest" --task "$SLURM_ARRAY_TASK_ID" "$@"
