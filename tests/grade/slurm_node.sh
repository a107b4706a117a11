#!/bin/sh
# slurm_node.sh FOLDER COMMAND: runs a shell command beside a Slurm of one node,
# which nobody else sees, and ends with its exit code; 77: no Slurm is here.
#
# Debian's slurm-wlm and munge, with a key, a configuration and a state of their
# own in FOLDER, which must not be there yet; all of it listens on 127.0.0.1
# alone. As root or as any other user. The daemons end with this script.
set -eu
folder=$1
command=$2
PATH=$PATH:/usr/sbin
for program in sbatch slurmctld slurmd munged; do
    command -v "$program" >/dev/null || { echo "no $program" && exit 77; }
done

umask 077
mkdir "$folder" "$folder/state" "$folder/spool"
chmod 711 "$folder" # munge wants its socket where others could reach it
head -c 128 /dev/urandom >"$folder/munge.key"
user=$(id -un)
host=$(hostname -s)
port=$((20000 + $$ % 20000))
# Works where there is no cgroup to be had and nobody to account to. The memory
# is more than a task of the grader asks for, whatever the machine has.
cat >"$folder/slurm.conf" <<END
ClusterName=course
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 20000))
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=0
ReturnToService=2
NodeName=localhost NodeHostname=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=8192
PartitionName=course Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$folder/slurm.conf"

# Ends it if this script is killed.
start() {
    setpriv --pdeathsig KILL "$@" >>"$folder/log" 2>&1 &
    daemons="$! $daemons"
}
daemons=
# shellcheck disable=SC2317 # the trap calls it
stop() {
    scancel --quiet --partition=course || :
    for i in $(seq 100); do
        [ -n "$(squeue --noheader)" ] || break
        sleep 0.2
    done
    for daemon in $daemons; do
        kill "$daemon" || :
        wait "$daemon" || :
    done
}
trap stop EXIT
trap 'exit 1' HUP INT TERM

start munged --foreground "--key-file=$folder/munge.key" \
    "--socket=$folder/munge.socket" "--pid-file=$folder/munged.pid" \
    "--seed-file=$folder/munge.seed" "--log-file=$folder/munged.log"
for i in $(seq 300); do
    [ ! -S "$folder/munge.socket" ] || break
    sleep 0.2
done
start slurmctld -D
start slurmd -D
for i in $(seq 300); do
    [ "$(sinfo --noheader --format=%t 2>/dev/null)" != idle ] || break
    [ "$i" -lt 300 ] || { tail "$folder/log" && exit 1; }
    sleep 0.2
done
code=0
sh -c "$command" || code=$?
exit "$code"
