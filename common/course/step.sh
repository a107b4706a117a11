#!/bin/sh
# step.sh TARGET COMMAND...: one step of the build, for make. On a terminal what
# is built is said in one line that moves, elsewhere once that something is
# built; with V=1 by the command. What a compiler has to say is told whole.
#
# COMMAND writes a file of another name, which takes the place of TARGET when
# it is complete: so two that build the course at once do each other no harm,
# and whatever is there is whole.
target=$1
shift
[ -d "${target%/*}" ] || mkdir -p "${target%/*}" || exit
[ -z "${V-}" ] || echo "$*"
part=$target.$$
before=
for word; do
    shift
    if [ "$word" = "$target" ] && [ "$before" != -MT ]; then word=$part; fi
    set -- "$@" "$word"
    before=$word
done

say_building()
{
    awk -f common/language/say.awk -f common/course/building.awk
}

# finish: TARGET is what COMMAND made, or as it was.
finish()
{
    if [ "$code" = 0 ] && [ -e "$part" ]; then
        mv -f "$part" "$target"
    else
        rm -f "$part"
    fi
    exit "$code"
}

if [ -z "${V-}" ] && [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then
    count=
    if [ -n "${COURSE_OBJECTS-}" ]; then
        done=$(find build/cpu/common -name '*.o' 2>/dev/null | wc -l)
        [ "$done" -ge "$COURSE_OBJECTS" ] || count="$((done + 1)) of $COURSE_OBJECTS "
    fi
    printf '\r\033[K  building %s%.60s\r' "$count" "${target#build/}"
    said=$("$@" 2>&1)
    code=$?
    printf '\r\033[K'
    [ -z "$said" ] || printf '%s\n' "$said" >&2
    finish
fi
# The first step of this make finds no such folder (configure.sh).
if [ -z "${V-}" ] && mkdir build/said 2>/dev/null; then
    case ${MAKEFLAGS%% *} in
    -*) say_building ;;
    *s*) ;;
    *) say_building ;;
    esac
fi
if [ -n "${COURSE_QUIET-}" ]; then
    (
        sleep 10 >/dev/null 2>&1
        echo "  for 10 s now: ${target#build/}"
    ) &
    waiting=$!
fi
"$@"
code=$?
[ -z "${waiting-}" ] || kill "$waiting" 2>/dev/null
finish
