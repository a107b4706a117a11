#!/bin/sh
# container.sh make ROOT: what a grading service gives a program: a container
# like Docker's, with root without root's rights over the machine, a file
# system, processes and network of its own, no user namespaces, half a processor
# and 768 MB. Says what is limited. Its files are in ROOT, with empty folders
# /tmp and /autograder; of this machine it can read /usr and /etc.
#
# container.sh run ROOT COMMAND...: runs a command of the shell in it, until all
# of its processes have ended. Ends as that does; with 124 if there is none.
#
# container.sh remove ROOT
set -u
what=$1
root=$2
shift 2

# group CONTROLLER: the folder of its control group with that limit: below this
# process's own in version 1; in version 2, where a group with processes has
# none below it, beside all others.
group()
{
    own=$(sed -n "s/^[0-9]*:$1:\(.*\)/\1/p" /proc/self/cgroup)
    if [ -n "$own" ]; then
        echo "/sys/fs/cgroup/$1${own%/}/labs_test_${root##*.}"
    else
        echo "/sys/fs/cgroup/labs_test_$1_${root##*.}"
    fi
}

# limit CONTROLLER FILE VALUE FILE_OF_2 VALUE_OF_2
limit()
{
    folder=$(group "$1")
    mkdir "$folder" 2>/dev/null || return 1
    if [ -e "$folder/$2" ]; then
        echo "$3" >"$folder/$2"
    else
        echo "$5" >"$folder/$4"
    fi 2>/dev/null || { rmdir "$folder" && return 1; }
}

make_one()
{
    [ "$(id -u)" = 0 ] && chmod 755 "$root" && cd "$root" || exit 1
    mkdir -p usr etc run var/lib/dpkg dev proc tmp autograder/source \
        autograder/submission autograder/results && chmod 1777 tmp || exit 1
    for name in bin sbin lib lib64; do ln -s "usr/$name" "$name"; done
    for name in null zero full urandom random; do : >"dev/$name"; done
    processor='half a processor' memory='768 MB'
    limit cpu cpu.cfs_quota_us 50000 cpu.max '50000 100000' ||
        processor='no limit on processors'
    limit memory memory.limit_in_bytes 768M memory.max 768M ||
        memory='no limit on memory'
    # shellcheck disable=SC2016 # in the container
    run_in '[ $$ -lt 100 ]' || exit 1
    echo "$processor and $memory"
}

# In the namespaces, as soon as users are mapped: then what is executed has
# root's rights over them.
# shellcheck disable=SC2016
inside='
while [ "$(id -u)" != 0 ] || [ "$(id -g)" != 0 ]; do sleep 0.02; done
cd "$0" && mount --make-rprivate / || exit 124
for name in usr etc var/lib/dpkg; do
    mount --rbind "/$name" "$name" &&
        mount -o "remount,bind,$(findmnt -n -o VFS-OPTIONS -M "$0/$name" |
            sed s/^rw/ro/)" "$name" || exit 124
done
for name in null zero full urandom random; do
    mount --bind "/dev/$name" "dev/$name" || exit 124
done
mount -t proc proc proc || exit 124
sh -c "echo 0 >proc/sys/user/max_user_namespaces" || exit 124
# What Docker leaves to root of a container (moby, oci/caps/defaults.go).
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . \
    setpriv --bounding-set "-all,$(echo +chown,+dac_override,+fsetid,+fowner, \
        +mknod,+net_raw,+setgid,+setuid,+setfcap,+setpcap,+sys_chroot,+kill, \
        +net_bind_service,+audit_write | tr -d " ")" \
    sh -c "cd / && $1"
exit $? # and all others with it
'

# Its root is ours. Its other users are nobody here: a grader ends all processes
# of its boxes'"'"' users, wherever they are (box.h).
run_in()
{
    for name in cpu memory; do
        sh -c 'echo $PPID >"$0/cgroup.procs"' "$(group $name)" 2>/dev/null
    done
    unshare --user --mount --pid --ipc --net --uts --fork --kill-child \
        sh -c "$inside" "$root" "$1" &
    until [ "$(readlink /proc/$!/ns/user)" != "$(readlink /proc/self/ns/user)" ]; do
        sleep 0.02
    done
    for map in gid_map uid_map; do
        printf '0 0 1\n1 1000001 65535\n' >"/proc/$!/$map" || exit 124
    done
    wait $!
}

case $what in
make) make_one ;;
run) run_in "$@" ;;
remove)
    for name in cpu memory; do
        for try in 1 2 3 4 5; do # its last process has just ended
            rmdir "$(group $name)" 2>/dev/null && break
            sleep "0.$try"
        done
    done
    rm -rf "$root"
    ;;
esac
