#!/bin/sh
# translations.sh TRANSLATE CUT [LANGUAGE [WHAT]]: what of labs/languages is
# translated, and what is wrong there; of one language or of all. WHAT=update
# first puts the texts of today into its files, and marks what became stale.
set -eu
export LC_ALL=C.UTF-8 LANGUAGE=C
translate=$(readlink -f "$1") cut=$(readlink -f "$2") all=$PWD
languages=${3:-$(cd labs/languages && for folder in */; do echo "${folder%/}"; done)}
what=${4-}
build=build/languages
names='labs pages screen tasks'

# The files of texts, and what each has texts of.
list()
{
    case $1 in
    pages) echo README.md labs/README.md labs/CUDA.md labs/GLOSSARY.md \
        labs/warm_up/README.md labs/transpose/README.md labs/spot_the_bug/README.md ;;
    labs) echo labs/0*/README.md ;;
    tasks) echo labs/0*/*.cu labs/0*/hints.txt labs/0*/questions.txt \
        labs/warm_up/*/*.cu labs/transpose/*.cu labs/spot_the_bug/*/*.cu ;;
    esac
}

# What stands in _( ) and N_( ), and what functions say by themselves; titles
# of labs, and what make help says. What has no words is left out.
screen()
{
    {
        sed -n 's/^title: *//p' labs/INDEX
        sed -n 's/^# --- for \(.*[a-z]\) -*$/For \1/p; s/^## \{1,\}[^ ]* *//p' Makefile
    } | sed 's/"/\\"/g; s/.*/N_("&")/' >"$build/titles.c"
    xgettext -L C -o "$build/c.pot" --from-code=UTF-8 --keyword=_ --keyword=N_ \
        --keyword=lab_say:2 --keyword=lab_note:2 --keyword=lab_tell:3 --keyword=tell:4 \
        --keyword=lab_advice_say:2 --keyword=replace_advice:2 \
        --add-location=file --omit-header common/harness/*.c common/harness/counters.def \
        common/simt/*.c common/chip/*.c common/teach/hint_main.c \
        common/grade/publish/feedback.c "$build/titles.c"
    xgettext -L awk -j -o "$build/c.pot" --add-location=file --omit-header common/course/*.awk
    { "$translate" units && echo && cat "$build/c.pot"; } |
        msguniq --add-location=file | msggrep --msgid -e '[a-z][a-z]' -
}

# tree: the labs without anybody's work in them: a comment of that is no text.
tree()
{
    rm -rf "$build/tree"
    for file in $(list tasks); do
        mkdir -p "$build/tree/${file%/*}"
        cp "$file" "$build/tree/$file"
    done
    for solution in solutions/0*/*.cu; do
        "$cut" "$solution" -o "$build/tree/labs/${solution#solutions/}"
    done
}

# today NAME: what a file would have.
today()
{
    # shellcheck disable=SC2046 # lists of files
    case $1 in
    screen) screen ;;
    tasks) tree && cd "$build/tree" && "$translate" units $(list tasks) ;;
    *) "$translate" units $(list "$1") ;;
    esac >"$all/$build/$1.texts"
    cd "$all"
    msguniq --add-location=file -o "$build/$1.pot" "$build/$1.texts"| msguniq --add-location=file -o "$build/$1.pot"
}

has_gettext=
! command -v msgmerge >/dev/null || has_gettext=1
if [ "$what" = update ] && [ -z "$has_gettext" ]; then
    echo "translations: WHAT=update needs GNU gettext: apt-get install gettext" >&2
    exit 2
fi
mkdir -p $build
[ -z "$has_gettext" ] || for name in $names; do today "$name"; done

# What each file would be with the texts of today, where gettext is there.
wrong=0
for language in $languages; do
    mkdir -p "$build/$language"
    for name in $names; do
        po=labs/languages/$language/$name.po
        new=$build/$language/$name.po
        if [ -z "$has_gettext" ]; then
            cp "$po" "$new"
            continue
        fi
        [ -f "$po" ] || [ "$what" != update ] ||
            sed "s/^\"Content-Type/\"Language: $language\\\\n\"\n&/" "$build/$name.pot" >"$po"
        msgfmt --check-format -o /dev/null "$po" || wrong=1
        msgmerge -q --previous --add-location=file -o "$new" "$po" "$build/$name.pot"
        [ "$what" != update ] || cp "$new" "$po"
    done
    "$translate" check "labs/languages/$language/terms" "$build/$language"/*.po \
        >"$build/said" || wrong=1
    sed 's/^build/labs/' "$build/said"
done
exit $wrong
