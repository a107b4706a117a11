#!/bin/sh
# release.sh MAKE_SKELETON [LABS [FOLDER...]]: makes students' archives: the
# course without solutions, tests, slides, the instructor's pages, what shows
# later labs, and these folders. LABS, as in "01 02 03", are those of one
# archive.
#
# Without LABS there is an archive for each stage. The skeleton of a lab begins
# with the solution of an earlier one: where it has a third of the lines that
# were asked for there, a new stage begins, for which the earlier one is handed
# in.
#
# With SITE=folder in the environment the web site is made there instead, of the
# files of one such archive. It has all of LABS, for each lab is given out when
# what it shows has been handed in.
#
# With REPOSITORY=folder it is a commit in that bare git repository, of the same
# files, which students merge: LABS are those that they have then.
#
# With COURSE_LANGUAGE=es in the environment it is in Spanish.
#
# Labs are cut anew from solutions/, so that nobody's own work is in it. Then
# each line that students of this stage or a later one are to write is searched
# for in all of the archive.
set -eu
cut=$1
wanted=${2-}
if [ $# -gt 1 ]; then shift 2; else shift; fi
without=
for folder in "$@"; do
    if [ ! -d "$folder" ]; then
        echo "release: WITHOUT: there is no folder $folder" >&2
        exit 2
    fi
    without="$without :!$folder"
done
out=build/release
version=$(cat VERSION)

if ! git rev-parse --verify -q HEAD >/dev/null 2>&1; then
    echo "release: needs the course's git repository, to know its files" >&2
    exit 2
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# --- which labs show which ----------------------------------------------------

# The lines of a solution that its TODOs ask for, without blanks, one a line;
# none so short that it could stand anywhere.
list_secret()
{
    awk '
        /\/\* TODO / { todo = 1 }
        todo { if (/\*\//) { todo = 0; secret = 1 } next }
        /\/\* end [0-9]/ { secret = 0 }
        /\/\* skeleton:/ { next }
        secret {
            gsub(/[ \t]/, "")
            if (length >= 10) print
        }' "$1" | sort -u
}

all=
known=$(awk -f common/course/labs.awk labs/INDEX | sed -n 's/:lab$//p')
for lab in $known; do
    number=${lab%%_*}
    all="$all $number"
    "$cut" solutions/"$lab"/*.cu -o "$scratch/$number.cu"
    tr -d ' \t' <"$scratch/$number.cu" >"$scratch/$number.given"
    list_secret solutions/"$lab"/*.cu >"$scratch/$number.asked"
    # Of these, an index or a value is in what says something.
    grep -E "\\[|=|<<<" "$scratch/$number.asked" >"$scratch/$number.secret"
done

# Does the skeleton of lab $2 show a third of what lab $1 asks for?
shows()
{
    asked=$(wc -l <"$scratch/$1.asked")
    shown=$(while IFS= read -r line; do
        grep -qF -e "$line" "$scratch/$2.given" && echo x
    done <"$scratch/$1.asked" | wc -l)
    [ "$shown" -gt 2 ] && [ $((3 * shown)) -ge "$asked" ]
}

# --- one archive --------------------------------------------------------------

# What git knows, but for what is no student's.
list_files()
{
    # shellcheck disable=SC2086 # a list of words
    git ls-files -z -- . ':!solutions' ':!slides' ':!tests' ':!.ci' ':!*.numbers' \
        ':!README.md' ':!INSTRUCTORS.md' ':!CONTRIBUTING.md' ':!CHANGELOG.md' \
        ':!common/experiments/tiles*' ':!common/experiments/bench_start.sh' \
        ':!common/grade/*.md' ':!common/grade/share.sh' \
        ':!common/grade/publish/gradescope' ':!common/course/release.sh' \
        ':!common/site' ':!labs/languages/*/[!s]*' ':!common/language/*.[ch]' ':!common/language/translations.sh' ':!.github' ':!plots/data/*.sh' ':!plots/gallery' ':!labs/[0-9]*' \
        ':!labs/spot_the_bug/[0-9]*' $without
}

# The exercises that show none of these labs, one a line: those that fit an
# earlier lab, by the table of INSTRUCTORS.md, and those that fit one of these
# but multiply no matrices; without a line that is to be written.
list_exercises()
{
    awk -F '|' -v first="$first" -v last="$last" '
        $4 ~ /^ *[0-9][0-9]_/ || $2 ~ /^ *B the/ {
            lab = $2 ~ /^ *B/ ? 0 : $4 + 0
            n = split($8, e, ",")
            for (i = 1; i <= n; i++)
                if (e[i] + 0 && lab <= last + 0)
                    printf "%02d %d\n", e[i], lab < first + 0
        }' INSTRUCTORS.md | while read -r exercise is_over; do
        for folder in labs/spot_the_bug/"$exercise"_*; do
            [ -d "$folder" ] || continue
            if [ "$is_over" = 0 ] &&
                grep -qE '__shared__|\+= .*\*' "$folder"/*.cu; then
                continue
            fi
            cat "$folder"/*.cu | tr -d ' \t' | grep -qFf "$scratch/secret" ||
                echo "$folder"
        done
    done
}

# Links to what is not in the archive become words.
cut_links()
{
    find . -name '*.md' | while read -r page; do
        (
            cd "$(dirname "$page")"
            file=$(basename "$page")
            grep -o '](\([^)#:]*\)[^):]*)' "$file" | sed 's/^](//; s/[#)].*//' |
                sort -u | while read -r link; do
                [ -z "$link" ] || [ -e "$link" ] || printf '%s\n' "$link"
            done >"$scratch/dead"
            # Whole pages at once: a link may go on over two lines.
            awk 'FILENAME == ARGV[1] { dead[$0] = 1; next }
                { text = text $0 "\n" }
                END {
                    while (match(text, /!?\[[^]]*\]\([^)]*\)/)) {
                        link = substr(text, RSTART, RLENGTH)
                        path = link; sub(/^.*\]\(/, "", path); sub(/[#)].*/, "", path)
                        words = link; sub(/\]\([^)]*\)$/, "", words); sub(/^!?\[/, "", words)
                        printf "%s%s", substr(text, 1, RSTART - 1),
                            path in dead ? words : link
                        text = substr(text, RSTART + RLENGTH)
                    }
                    printf "%s", text
                }' "$scratch/dead" "$file" >"$scratch/page"
            cp "$scratch/page" "$file"
        )
    done
}

# The archive's own first page.
write_readme()
{
    echo "# CUDA C labs: matrix multiplication made faster, step by step"
    echo
    echo "You need a Linux machine (or WSL), make, gcc and g++. A GPU is not"
    echo "needed: kernels run on the CPU, and the run counts what a GPU would see."
    echo
    echo '```sh'
    echo "make lab-$first     # builds lab $first and says what to do"
    echo "make            # a menu, and how far you are"
    echo "make deps       # if something is missing, also for plots and reports"
    echo '```'
    echo
    echo "Read [labs/README.md](labs/README.md) first. The labs here:"
    echo
    for number in $labs; do
        folder=$(cd solutions && echo "${number}"_*)
        title=$(sed -n "/^lab: $folder\$/,/^\$/s/^title: *//p" labs/INDEX)
        echo "- [$number $title](labs/$folder/README.md)"
    done
    echo
    echo "The licence is [LICENSE](LICENSE)."
}

# In the archive's folder, the lists and the menu have what is there alone.
trim()
{
    keep=$(echo "$labs" | tr ' ' '|')
    # Where all are of the advanced track, there is no other.
    awk -v keep="^($keep)_" -v lowest="${labs%% *}" 'BEGIN { kept = 1 }
        /^advanced:/ && lowest + 0 >= $2 + 0 { next }
        /^lab:/ { kept = $2 ~ keep }
        kept' labs/INDEX >"$scratch/INDEX"
    cp "$scratch/INDEX" labs/INDEX
    # A report names no command that is not there.
    sed -i '/^by: make demo/d; /^by: make bench WHAT=tiles/d' plots/CAPTIONS
    awk -F '|' -v last="$last" '$3 !~ /^ *[0-9][0-9] *$/ || $3 + 0 <= last + 0' \
        labs/GLOSSARY.md >"$scratch/GLOSSARY"
    cp "$scratch/GLOSSARY" labs/GLOSSARY.md
    if [ -f labs/spot_the_bug/README.md ]; then
        (cd labs/spot_the_bug && echo [0-9]*_*) >"$scratch/here"
        awk 'NR == FNR { for (i = 1; i <= NF; i++) here[substr($i, 1, 2)]; next }
            /^## / { shown = !($2 ~ /^[0-9][0-9]$/) || $2 in here }
            FNR == 1 { shown = 1 }
            /^\| \[[0-9]/ && !(substr($2, 2, 2) in here) { next }
            shown' "$scratch/here" labs/spot_the_bug/README.md >"$scratch/bugs"
        cp "$scratch/bugs" labs/spot_the_bug/README.md
    fi
}

# In the stage's folder, what is read is in the language COURSE_LANGUAGE, and so
# is what programs say. What is not translated stays in English.
translate()
{
    from=labs/languages/$COURSE_LANGUAGE
    find "$stage/labs" "$stage/common/course/skeletons" -name '*.md' -o \
        -name hints.txt -o -name questions.txt -o -name '*.cu' | sort |
        while read -r page; do
            "${cut%/*}/translate" file "$from"/labs.po "$from"/pages.po "$from"/tasks.po -- \
                "$page" "$page"
        done
    echo "$COURSE_LANGUAGE" >"$stage/labs/languages/default"
}

# make_stage NAME: the folder $stage, of $labs, which end a stage that begins
# with lab $first.
make_stage()
{
    stage=$out/$1
    last=${labs##* }
    rm -rf "$stage"
    mkdir -p "$stage"
    list_files | tar --null -T - -cf - | tar -C "$stage" -xf -
    list_secrets "$first"
    [ ! -d "$stage/labs/spot_the_bug" ] || list_exercises | while read -r folder; do
        git ls-files -z -- "$folder" | tar --null -T - -cf - | tar -C "$stage" -xf -
    done
    for number in $labs; do
        lab=$(cd solutions && echo "${number}"_*)
        git ls-files -z -- "labs/$lab" ':!*.numbers' |
            tar --null -T - -cf - | tar -C "$stage" -xf -
        cp "$scratch/$number.cu" "$stage/labs/$lab/${lab#??_}.cu"
        mkdir -p "$stage/common/course/skeletons" # for make reset-NN
        cp "$scratch/$number.cu" "$stage/common/course/skeletons/$lab.cu"
    done
    "$cut" --todos "$stage"/labs/[0-9]*/*.cu -o "$stage/labs/TODOS"
    # Pictures that the handouts show; that of lab 05 is its table.
    mkdir -p "$stage/plots/gallery"
    cat "$stage"/labs/*.md "$stage"/labs/[0-9]*/README.md |
        grep -o 'plots/gallery/[a-z0-9_]*\.svg' | grep -v banks | sort -u |
        while read -r picture; do
            [ ! -f "$picture" ] || cp "$picture" "$stage/plots/gallery"
        done
    write_readme >"$stage/README.md"
    [ -z "${COURSE_LANGUAGE-}" ] || translate
    (cd "$stage" && trim && cut_links)
    search "$stage"
}

# make_archive LAB...
make_archive()
{
    labs=$*
    first=$1
    for number in "$@"; do last=$number; done
    name=cuda-labs-${COURSE_LANGUAGE:+$COURSE_LANGUAGE-}$first
    [ "$first" = "$last" ] || name=$name-$last
    archive=$out/$name-$version.tar.gz
    rm -f "$archive"
    make_stage "$name"
    # The same bytes from the same commit.
    tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner \
        --mtime="@$(git log -1 --format=%ct)" -cf - "$name" |
        gzip -n9 >"$archive.part"
    mv "$archive.part" "$archive"
    echo "Archive: $archive, labs $labs, $(wc -l <"$scratch/files") files; none" \
        "of $(wc -l <"$scratch/secret") lines of the solutions is in it, apart" \
        "from what its skeletons begin with"
    tell_given "$@"
}

# Lines without what is no work of a student's: a comment behind them, and the
# name of the kernel that is launched; a barrier alone says nothing.
list_plain()
{
    sed 's|;/\*.*|;|; s/^[a-z_]*<<</<<</; /^__[a-z_]*();$/d' "$1" | sort -u
}

# tell_given LAB...: which of the lines that one asks for stand in the skeleton
# of another one.
tell_given()
{
    for lab; do
        list_plain "$scratch/$lab.given" >"$scratch/$lab.plain"
    done
    for lab; do
        for other; do
            [ "$lab" != "$other" ] || continue
            list_plain "$scratch/$lab.asked" | grep -vxFf "$scratch/$lab.plain" |
                grep -xFf - "$scratch/$other.plain" >"$scratch/told" || :
            [ ! -s "$scratch/told" ] ||
                echo "  but lab $other begins with" \
                    "$(wc -l <"$scratch/told") of the" \
                    "$(wc -l <"$scratch/$lab.asked") lines that lab $lab asks" \
                    "for: $(tr '\n' ' ' <"$scratch/told")"
        done
    done
}

# make_site FIRST: of $labs, the last stage of which begins with this one.
make_site()
{
    first=$1
    make_stage site
    sh common/site/make.sh "$SITE" "$stage"
    # The exercises may show a lab that has been handed in.
    list_secrets 01 "$stage"/labs/spot_the_bug/*/*.cu
    search "$SITE"
    echo "site: $SITE/index.html, labs $labs, $(wc -l <"$scratch/files") files," \
        "$(du -sm "$SITE" | cut -f 1) MB; none of $(wc -l <"$scratch/secret")" \
        "lines of the solutions is in it"
}

# make_commit FIRST: the next one in $REPOSITORY, of $labs, the last stage of
# which begins with this one. What is there stays as it is.
make_commit()
{
    first=$1
    tag=labs-${labs%% *}-${labs##* }
    course=$(git log -1 --format=%h)
    [ -n "$wanted" ] || {
        echo "release: LABS: say which labs students have then, as LABS=01-03" >&2
        exit 2
    }
    [ -e "$REPOSITORY" ] || git init -q --bare -b main "$REPOSITORY"
    store=$(cd "$REPOSITORY" && pwd)
    into() { git --git-dir="$store" --work-tree=. "$@"; }
    into log -p --all >"$scratch/log"
    into ls-tree --name-only main labs/ 2>/dev/null |
        sed -n 's|^labs/\([0-9][0-9]\)_.*|\1|p' | while read -r lab; do
        case " $labs " in *" $lab "*) continue ;; esac
        echo "release: students have lab $lab already: LABS are all that they have" >&2
        exit 2
    done
    make_stage repository
    mkdir "$scratch/history"
    mv "$scratch/log" "$scratch/history"
    list_secrets 01 "$stage"/labs/spot_the_bug/*/*.cu
    search "$scratch/history"
    search "$stage"
    cd "$stage"
    into add --all --force .
    if into rev-parse -q --verify main >/dev/null && into diff --cached --quiet main; then
        echo "Repository: $REPOSITORY has all of this already"
        return
    fi
    into commit -q -m "Labs $labs" -m "Version $version of the course, $course"
    into tag "$tag" 2>/dev/null || tag="$tag, which stays where it was"
    echo "Repository: $REPOSITORY, branch main, tag $tag; labs $labs," \
        "$(wc -l <"$scratch/files") files; none of $(wc -l <"$scratch/secret") lines" \
        "of the solutions is in it or its history"
}

# list_secrets FIRST FILE...: the lines that are to be written in this lab or a
# later one. What stands in the skeletons of the stage is no secret, nor what
# stands in these files, if there are such, nor in the course's own C, where a
# loop over rows may be that of a lab: that is told.
list_secrets()
{
    from=$1
    shift
    for number in $all; do
        [ "$number" -lt "$from" ] || cat "$scratch/$number.secret"
    done | sort -u >"$scratch/later"
    for number in $labs; do
        cat "$scratch/$number.given"
    done >"$scratch/shown"
    for file; do
        [ ! -f "$file" ] || tr -d ' \t' <"$file" >>"$scratch/shown"
    done
    keep_from "$scratch/shown" "$scratch/later" >"$scratch/unseen"
    git ls-files -z -- 'common/*.[ch]' labs/exercise.h labs/transpose |
        xargs -0 cat | tr -d ' \t' >"$scratch/common"
    keep_from "$scratch/common" "$scratch/unseen" >"$scratch/secret"
    if [ ! -s "$scratch/secret" ]; then
        echo "release: no line of solutions/ was found to look for" >&2
        exit 2
    fi
    grep -vxFf "$scratch/secret" "$scratch/unseen" |
        sed 's|^|release: not searched for, since the course has such a line: |' >&2
}

# keep_from FILE LINES: those of the lines that are nowhere in the file.
keep_from()
{
    awk 'FILENAME == ARGV[1] { line[++lines] = $0; next }
         { for (i = 1; i <= lines; i++) if (!(i in seen) && index($0, line[i])) seen[i] }
         END { for (i = 1; i <= lines; i++) if (!(i in seen)) print line[i] }' \
        "$2" "$1"
}

# search FOLDER: ends where it has one of these, be it as HTML or JSON.
search()
{
    find "$1" -type f -name '[!.]*' | sort >"$scratch/files"
    # shellcheck disable=SC2016 # awk expands these
    tr '\n' '\0' <"$scratch/files" |
        xargs -0 awk '{
            gsub(/[ \t]|\\t/, ""); gsub(/&lt;|&#60;|\\u003c/, "<"); gsub(/&gt;|&#62;/, ">")
            gsub(/&quot;|&#34;|\\"/, "\""); gsub(/&amp;|&#38;/, "\\&")
            print FILENAME ":" FNR ":" $0 }' |
        grep -aFf "$scratch/secret" |
        cut -c 1-300 | sed "s|^|release: a solution's line is in |" >"$scratch/found"
    if [ -s "$scratch/found" ]; then
        cat "$scratch/found" >&2
        exit 1
    fi
}

# --- all of them --------------------------------------------------------------

# None of another version is left beside the new ones.
[ -n "$wanted" ] || rm -rf "$out"/cuda-labs-*
set --
labs=
for next in ${wanted:-$all}; do
    next=${next%%_*}
    next=$(printf "%02d" "${next#0}")
    [ -f "$scratch/$next.cu" ] || {
        echo "release: LABS: there is no lab $next" >&2
        exit 2
    }
    for earlier in "$@"; do
        shows "$earlier" "$next" || continue
        if [ -n "${SITE-}${REPOSITORY-}" ]; then
            set --
            break
        elif [ -n "$wanted" ]; then
            echo "release: the skeleton of lab $next shows the solution of lab" \
                "$earlier: give it out when that is handed in" >&2
            exit 1
        fi
        make_archive "$@"
        set --
        break
    done
    set -- "$@" "$next"
    labs="$labs $next"
done
labs=${labs# }
if [ -n "${SITE-}" ]; then
    make_site "$1"
elif [ -n "${REPOSITORY-}" ]; then
    make_commit "$1"
else
    make_archive "$@"
fi
