#!/bin/sh
# check.sh [WHAT [FILE...]]: is the code as the house wants it? For make check.
# WHAT is one of the checks: format, c, shell, circles; or one of those of
# texts, in these Markdown files or in all: texts (their spelling), links,
# quotes. Without it, all but those of texts. What is not installed is skipped.
set -u
what=${1-}
[ $# = 0 ] || shift
status=0

# with TOOL COMMAND...: runs it, or says that the tool is not here.
with()
{
    tool=$1
    shift
    if command -v "$tool" >/dev/null; then
        echo "  CHECK $tool"
        "$@" || status=1
    else
        echo "skipped: $tool is not installed"
    fi
}

# is NAME: is this check asked for?
is() { [ -z "$what" ] || [ "$what" = "$1" ]; }

# Lists of files are left to be split; none has a blank in its name.
# shellcheck disable=SC2046,SC2086
checks_of_code()
{
    sources=$(git ls-files '*.c' '*.h' '*.cu')
    c=$(git ls-files '*.c')
    ! is format || with clang-format clang-format --dry-run -Werror $sources
    if is c; then
        with cppcheck cppcheck --quiet --enable=warning,performance,portability \
            --std=c11 --inline-suppr --error-exitcode=1 -Icommon $c
        with clang-tidy tidy $(git ls-files 'common/*.c' 'slides/*.c' ':!common/site/wasm' ':!common/grade/module')
    fi
    if is shell; then
        with shellcheck shellcheck $(git ls-files '*.sh' '*/run_autograder' .ci/run \
            tests/fresh-machine)
    fi
    ! is format || with awk awk -f common/course/comments.awk $sources Makefile \
        $(git ls-files '*.S' '*.sh' '*.mk' '*.gp')
    ! is circles || with nm sh common/course/circles.sh build/cpu/libgrade.a \
        build/cpu/libteach.a build/cpu/libcourse.a
}

tidy()
{
    # shellcheck disable=SC2016 # for the other shell
    echo "$@" | xargs -n 20 -P "$(nproc)" sh -c 'clang-tidy --quiet \
        --warnings-as-errors="*" "$@" -- -std=c11 -Icommon '"$API"' 2>/dev/null' sh
}

case $what in
texts | links | quotes) ;;
*)
    checks_of_code
    exit $status
    ;;
esac

# shellcheck disable=SC2046 # words
[ $# -gt 0 ] ||
    set -- $(find . -name '*.md' ! -path './build/*' ! -path '*/node_modules/*' \
        ! -path './.git/*' | sort | sed 's,^\./,,')
case $what in
links) exec build/tools/links "$@" ;;
quotes)
    build/tools/quotes "$@"
    status=$?
    awk -f common/teach/numbers.awk "$@" || status=1
    exit $status
    ;;
esac
sh common/teach/spell.sh "$@" labs/*/hints.txt labs/*/questions.txt
