#!/bin/sh
# unknown.sh GOAL: says in one line what to type instead of a goal that make
# does not know, or which file is missing.
set -u
goal=$1

say()
{
    echo "$*"
    exit
}

# moved NEW...: the goal has another name now.
moved() { say "make $goal is make $* now"; }

number=${goal##*-}
number=${number%%_*}
case $goal in
doctor) moved deps WHAT=list ;;
sweep | tiles | roofline | ceilings) moved "bench WHAT=$goal" ;;
bench-start | bench-grade | bench-simt)
    moved "bench WHAT=$(echo "$goal" | sed 's/.*-//; s/grade/grader/; s/simt/device/')" ;;
rubric | speed) moved "grade WHAT=$goal" ;;
autograder-zip) moved release WHAT=autograder ;;
look) moved "slides WHAT=$goal" ;;
quotes | links) moved "check WHAT=$goal" ;;
spell) moved check WHAT=texts ;;
test-all | test-device) moved "test WHAT=$number" ;;
soak | fuzz) moved "test WHAT=$goal" ;;
test-programs) moved test-built ;;
sass-*) moved "why-$number WHAT=code" ;;
why-predictions | why-tables | why-facts) moved "why WHAT=$number" ;;
bug-* | warm-*)
    folder=labs/spot_the_bug
    [ "${goal%%-*}" = bug ] || folder=labs/warm_up
    there=$(cd $folder 2>/dev/null && echo [0-9]*)
    last=${there##* }
    say "there is no exercise '$number': use ${there%%_*} to ${last%%_*}" ;;
lab-* | hint-* | watch-* | reset-* | map-* | why-* | solution-*)
    wrong=$(sh common/course/labs_named.sh "$number")
    [ "${wrong#!}" = "$wrong" ] || say "${wrong#!}"
    [ "${goal%%-*}" = why ] ||
        say "make map-${number%%_*}: it draws A, B and C, and this lab multiplies no matrices"
    say "make why-${number%%_*}: it knows kernels that multiply matrices, and this lab has none" ;;
lab | hint | watch | reset | map | why | bug | warm | solution)
    say "write it with a hyphen, as in make $goal-03" ;;
lab[0-9]* | hint[0-9]* | watch[0-9]* | reset[0-9]* | map[0-9]* | why[0-9]* | bug[0-9]* | \
    warm[0-9]* | solution[0-9]*)
    say "write it with a hyphen: make $(echo "$goal" | sed 's/[0-9]/-&/')" ;;
labs/*/*.cu)
    lab=${goal#labs/}
    say "$goal is missing: bring it back, or begin anew with make reset-${lab%%_*}" ;;
*/*)
    say "$goal is missing, and nothing makes it" ;;
labs) say "write it with a hyphen, as in make lab-03" ;;
esac
small=$(echo "$goal" | tr '[:upper:]' '[:lower:]')
[ "$small" = "$goal" ] || say "write it in small letters: make $small"
say "there is no make $goal: make help lists what there is"
