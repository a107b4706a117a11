#!/bin/sh
# solution.sh LAB SETTING: shows the solution of a lab, 03_tiling, and puts a
# copy beside the student's work. SETTING is after-pass, never or always. It
# keeps nobody out who opens solutions/: an instructor who wants that hands the
# labs out without the folder.
set -u
lab=$1
setting=$2
number=${lab%%_*}
file=${lab#??_}.cu

refuse()
{
    echo "solution-$number: $1" >&2
    exit 2
}

[ -f "solutions/$lab/$file" ] ||
    refuse "this copy has no solutions: ask whoever gave it to you"
case $setting in
    always) ;;
    never) refuse "your instructor keeps the solutions (SOLUTIONS = never)" ;;
    after-pass)
        said=$(build/tools/results verdict "$lab") || case $said in
            *"saved since"*) refuse "your file was saved after the last run: type make lab-$number once more" ;;
            "" | *"||"*) refuse "first pass it yourself: make lab-$number (hints: make hint-$number)" ;;
            *) refuse "first pass it yourself; the last run said: $(echo "$said" | cut -d "|" -f 2)
make hint-$number gives a hint" ;;
        esac
        ;;
    *) refuse "SOLUTIONS is '$setting': use after-pass, never or always" ;;
esac

mkdir -p build/solutions
# Without the marks that only serve to cut the skeleton.
sed -e '/\/\* end [0-9.]* \*\//d' -e '/\/\* skeleton:/,/\*\//d' \
    "solutions/$lab/$file" >"build/solutions/$file"
cat "build/solutions/$file"
echo
echo "A copy is build/solutions/$file. Beside yours:"
echo "    diff -u labs/$lab/$file build/solutions/$file"
