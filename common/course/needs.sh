#!/bin/sh
# needs.sh GOAL...: nothing if this machine has all that make needs for these
# goals; else one line that says what is missing and what to type. Ends 1 then.
# Other scripts read it for its functions: deps.sh, doctor.sh.
set -u
list=${0%/*}/NEEDS

# tasks_of GOAL...: the tasks that these goals are part of.
tasks_of()
{
    while IFS='|' read -r task goals _; do
        set -f
        case $task in
        task*)
            for pattern in $goals; do
                for goal in "$@"; do
                    # shellcheck disable=SC2254 # a pattern
                    case $goal in $pattern) echo "${task#task }"; break 2 ;; esac
                done
            done
            ;;
        esac
        set +f
    done <"$list"
}

# has KIND WHAT...: is it there?
has()
{
    kind=$1
    shift
    case $kind in
    command)
        for name in "$@"; do
            command -v "$name" >/dev/null && return
        done
        return 1
        ;;
    header) printf "#if !__has_include(<%s>)\n#error\n#endif\n" "$1" | gcc -E - >/dev/null 2>&1 ;;
    library)
        for folder in ${LD_LIBRARY_PATH-} /usr/lib/*-linux-gnu /usr/lib64 /usr/lib /usr/local/lib; do
            [ -e "$folder/$1" ] && return
        done
        return 1
        ;;
    run) [ -n "$(eval "$*" 2>/dev/null)" ] ;;
    esac
}

# missing TASK...: a line for each part that these tasks need and that is not
# there: part|package|without it. What a package of the system's has installed
# is there, even where the test does not find it.
missing()
{
    sed -n '/^\(#\|task\|$\)/!s/ *| */|/gp' "$list" |
        while IFS='|' read -r of part test package without; do
            [ -z "$without" ] || [ -z "${needed_only-}" ] || continue
            for task in $of; do
                case " $* " in
                *" $task "*)
                    # shellcheck disable=SC2086 # a command and its words
                    has $test || dpkg-query -W -f='${Status}' "$package" \
                        2>/dev/null | grep -q 'ok installed' ||
                        echo "$part|$package|$without"
                    break
                    ;;
                esac
            done
        done
}

case ${0##*/} in
needs.sh)
    needed_only=1
    # shellcheck disable=SC2046 # a list of words
    parts=$(missing $(tasks_of "$@") | sed -n 's/|[^|]*|$//p' |
        awk '{ text = text (NR > 1 ? ", " : "") $0 } END { print text }')
    [ -n "$parts" ] || exit 0
    goals=$(echo "$*" | sed 's/=/ WHAT=/g')
    echo "make $goals needs what is not installed here: $parts: type make deps $goals"
    exit 1
    ;;
esac
