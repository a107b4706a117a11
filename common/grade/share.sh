#!/bin/sh
# A task of a Slurm array: grades its share of a class, on one node
# (CLUSTER.md). In the course's own folder:
#
#   sbatch --wait --array=1-32 common/grade/share.sh SUBMISSIONS [OPTION...]
#
#SBATCH --job-name=grade
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=3G
#SBATCH --output=grade-%A_%a.log
set -eu
# That of the machine where sbatch was typed may not be here.
[ -d "${TMPDIR:-/tmp}" ] || unset TMPDIR
exec build/tools/grade --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --share "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" "$@"
