#!/bin/sh
# translations.sh TRANSLATE [LANGUAGE [WHAT]]: says what of labs/languages is
# translated, and what is wrong there; of one language or of all. WHAT=update
# first puts the texts of today into its files, and marks what became stale.
set -eu
export LC_ALL=C.UTF-8 LANGUAGE=C
translate=$1
languages=${2:-$(cd labs/languages && for folder in */; do echo "${folder%/}"; done)}
what=${3-}
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

# The sentences of programs: what stands in _( ) and N_( ), and what functions
# say by themselves; the titles of the labs. Of these, what has no words is left
# out.
screen()
{
    sed -n 's/^title: *\(.*\)/N_("\1")/p' labs/INDEX >"$build/titles.c"
    xgettext -o - --from-code=UTF-8 --keyword=_ --keyword=N_ --keyword=lab_say:2 \
        --keyword=lab_note:2 --keyword=lab_tell:3 --keyword=lab_advice_say:2 \
        --keyword=replace_advice:2 --keyword=tell:4 --add-location=file \
        common/harness/*.c common/simt/report_message.c common/teach/hint_main.c \
        common/grade/publish/feedback.c "$build/titles.c" |
        sed "s/CHARSET/UTF-8/" | msggrep --msgid -e "[a-z][a-z]" -
}

# today NAME: what a file would have.
today()
{
    mkdir -p $build
    if [ "$1" = screen ]; then
        screen >"$build/screen.pot"
        return
    fi
    # shellcheck disable=SC2046 # a list of files
    "$translate" units $(list "$1") | msguniq --add-location=file -o "$build/$1.pot"
}

has_gettext=
! command -v msgmerge >/dev/null || has_gettext=1
if [ "$what" = update ] && [ -z "$has_gettext" ]; then
    echo "translations: WHAT=update needs GNU gettext: apt-get install gettext" >&2
    exit 2
fi
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
