#!/bin/sh
# configure.sh: what make must find out before it begins. Writes
# build/config.mk, what this machine has, what SETTINGS are if nobody sets them,
# and what config.mk sets; build/programs.mk, a rule for each program
# (programs.sh); and build/problems.c, a list of problems (problems.sh).
set -u
here=${0%/*}
mkdir -p build || exit
rmdir build/said 2>/dev/null # step.sh says once that something is built

# replace FILE: with what is read, if that is anything else.
replace()
{
    cat >"$1.$$"
    if cmp -s "$1.$$" "$1"; then rm "$1.$$"; else mv -f "$1.$$" "$1"; fi
}

nvcc=$(command -v nvcc) || nvcc=
# Its folder is what nvcc itself says, for the one in PATH may be a script. One
# that says nothing does not work.
cuda=$("${nvcc:-false}" --dryrun -x cu -c /dev/null -o /dev/null 2>&1 |
    sed -n 's/^#\$ TOP=//p')
[ -n "$cuda" ] || nvcc=
device=cpu
[ -z "$nvcc" ] || ! nvidia-smi -L >/dev/null 2>&1 || device=gpu
# The first of the reader's languages, if the course has it.
locale=${LANGUAGE:-${LC_ALL:-${LC_MESSAGES:-${LANG-}}}}
locale=${locale%%[:.@]*}
language=
for name in "$locale" "${locale%%_*}"; do
    if [ -n "$name" ] && [ -z "$language" ] && [ -d "labs/languages/$name" ]; then
        language=$name
    fi
done
[ ! -f labs/languages/default ] || read -r language <labs/languages/default
whose=labs
[ ! -d solutions ] || whose=solutions
{
    echo "# Written by common/course/configure.sh."
    awk -F ' *[|] *' '!/^#/ && NF > 4 {
        n = split($1, name, " ")
        for (i = 1; i <= n; i++) {
            if (known[name[i]]++) continue
            print name[i] " := " $2
            names = names " " name[i]
        }
    } END { print "SETTINGS :=" names }' "$here/SETTINGS"
    echo "DEVICE := $device"
    echo "LANGUAGE := $language"
    echo "FROM := $whose"
    echo "HAS_NVCC := $nvcc"
    echo "CUDA := ${nvcc:+$(readlink -f "$cuda")}"
    echo "CORES := $(nproc 2>/dev/null || echo 1)"
    gold=
    ! command -v ld.gold >/dev/null || gold=-fuse-ld=gold
    echo "QUICK_LD := $gold"
    # Without remarks, and the blanks before them.
    [ ! -f config.mk ] || sed 's/\(^\|[^\\]\)#.*$/\1/; s/[[:space:]]*$//' config.mk
} | replace build/config.mk
sh "$here/programs.sh" | replace build/programs.mk
sh "$here/problems.sh" | replace build/problems.c
