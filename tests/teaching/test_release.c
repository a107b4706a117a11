/* The students' archive: has it what one needs, and no line of a solution? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"
#include "../scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A repository of its own, with some of the tree's files as they are now. */
#define FILES                                                                                    \
    ".vscode Makefile VERSION INSTRUCTORS.md LICENSE plots/CAPTIONS plots/gallery common/lab.h " \
    "common/course/release.sh common/course/labs.awk common/course/next_archive.sh "             \
    "common/grade/README.md labs "                                                               \
    "slides/README.md solutions tests/simt/programs "                                            \
    "tests/corpus/labs"
#define GIT "git -c user.name=t -c user.email=t "
/* An archive of it after an edit, which is taken back. */
#define IN_A_REPOSITORY                                                \
    "exec 2>&1; cut=$PWD/build/tools/make_skeleton; cd $TREE && "      \
    "{ %s; } && git add -A && " GIT "commit -qm t --allow-empty "      \
    "&& sh common/course/release.sh $cut %s && "                       \
    "cat build/release/*/README.md build/release/*/plots/CAPTIONS && " \
    "for a in build/release/*.tar.gz; do tar tzf $a; done; "           \
    "code=$?; git reset -q --hard begin; rm -rf build; exit $code"

static char tree[] = "/tmp/test_release.XXXXXX";

FIXTURE(make_repository)
{
    if (mkdtemp(tree) == NULL || setenv("TREE", tree, 1) != 0)
        return -1;
    RUN_GIVES(0, NULL,
              "tar -cf - " FILES " | tar -C $TREE -xf - && cd $TREE && "
              "git init -q . && git add -A && " GIT
              "commit -qm t && git tag begin");
    return 0;
}

FIXTURE(remove_repository)
{
    struct command run = command_run("rm -rf $TREE");

    command_free(&run);
    return 0;
}

TEST(test_an_archive_has_its_labs_and_no_solution)
{
    RUN_GIVES(0,
              SAYS("lines of the solutions is in it",
                   "make lab-01     # builds lab 01 and says what to do",
                   "- [03 Shared-memory tiles](labs/03_tiling/README.md)",
                   "cuda-labs-01-03/Makefile",
                   "cuda-labs-01-03/.vscode/tasks.json",
                   "cuda-labs-01-03/labs/INDEX",
                   "cuda-labs-01-03/labs/03_tiling/tiling.cu",
                   "cuda-labs-01-03/common/course/skeletons/03_tiling.cu",
                   "cuda-labs-01-03/common/lab.h",
                   "cuda-labs-01-03/labs/spot_the_bug/05_add_vectors/",
                   "cuda-labs-01-03/labs/warm_up/01_index/index.cu",
                   NOT "/solutions/", NOT "/slides/", NOT "/tests/",
                   "by: make bench WHAT=sweep", NOT "by: make demo",
                   NOT "by: make bench WHAT=tiles", NOT "INSTRUCTORS.md",
                   NOT "common/grade/README.md", NOT "gallery/banks.svg",
                   NOT "labs/04_coalescing", NOT "04_product_by_tiles",
                   NOT "07_product_k_30"),
              IN_A_REPOSITORY,
              "cp solutions/03_tiling/tiling.cu labs/03_tiling", "'01 02 03'");
}

/* The skeleton of lab 04 is lab 03's solution but for its own lines. */
TEST(test_no_archive_has_a_lab_and_its_solution)
{
    RUN_GIVES(1, SAYS("the skeleton of lab 04 shows the solution of lab 03"),
              IN_A_REPOSITORY, ":", "'3 4'");
    RUN_GIVES(0,
              SAYS("lab 03 begins with 3 of the 21 lines that lab 02 asks for: "
                   "<<<grid,block>>>(p->A,p->B,p->C,p->m,p->n,p->k); "
                   "C[row*n+col]=sum; LAB_CHECK(cudaGetLastError());",
                   "lab 10 begins with 2 of the 11 lines that lab 09 asks for: "
                   "constboolmore=",
                   NOT "lab 02 begins with",
                   "cuda-labs-01-03/labs/03_tiling/tiling.cu",
                   "cuda-labs-04-07/labs/07_outer_product/",
                   "cuda-labs-08/labs/08_unrolling/unrolling.cu",
                   NOT "cuda-labs-01-03/labs/04_coalescing",
                   NOT "cuda-labs-04-07/labs/03_tiling", NOT "an older one"),
              IN_A_REPOSITORY,
              "mkdir -p build/release/cuda-labs-02 && "
              "echo an older one >build/release/cuda-labs-02/README.md",
              "");
}

/* By the table of INSTRUCTORS.md, from which the schedules follow. */
TEST(test_exercises_come_with_the_archives_that_the_guide_names)
{
    struct command run = command_run(IN_A_REPOSITORY, ":", "");
    char *const guide = file_text("INSTRUCTORS.md"), before[60] = "";
    const char *row = strstr(guide, "| archive | exercises");
    int named = 0;

    command_ends(&run, 0);
    assert_non_null(row);
    while ((row = strchr(row, '\n')) != NULL && *++row == '|') {
        int first, last, used = 0;
        char archive[60], folder[120];

        if (sscanf(row, "| %d to %d |%n", &first, &last, &used) == 2 &&
            used > 0) {
            snprintf(archive, sizeof archive, "cuda-labs-%02d-%02d", first,
                     last);
        } else if (sscanf(row, "| %d |%n", &first, &used) == 1 && used > 0) {
            snprintf(archive, sizeof archive, "cuda-labs-%02d", first);
        } else {
            continue; /* the line below the head */
        }
        for (const char *at = row + used; *at != '|'; at++, named++) {
            char *end;
            const int exercise = (int)strtol(at, &end, 10);

            snprintf(folder, sizeof folder, "\n%s/labs/spot_the_bug/%02d_",
                     archive, exercise);
            command_says(&run, folder);
            snprintf(folder, sizeof folder, "\n%s/labs/spot_the_bug/%02d_",
                     before, exercise);
            if (*before != '\0' && strstr(run.text, folder) != NULL)
                fail_msg("exercise %02d comes with %s", exercise, before);
            at = end + strspn(end, " ");
            if (*at == '|')
                at--;
        }
        snprintf(before, sizeof before, "%s", archive);
    }
    assert_int_equal(named, 21);
    free(guide);
    command_free(&run);
}

/* In the folder of the first archive, each next one; what a student wrote, and
   what is no archive, change nothing. */
TEST(test_the_next_archive_goes_into_the_folder_of_the_first)
{
    RUN_GIVES(
        0,
        SAYS("is no archive of this course, or is cut off", "begin: same",
             "Your labs are now 01 02 03 04 05 06 07;",
             "Your labs are now 01 02 03 04 05 06 07 08;",
             "ends with lab 07, and here is lab 08 already",
             "this is the whole course", "1 mine.cu 1 index.cu 1 answers",
             "lists: same", "labs/08_unrolling/unrolling.cu",
             "skeletons/05_bank_conflicts.cu", NOT ".next", NOT "build/next",
             NOT "solutions/"),
        "exec 2>&1; cut=$PWD/build/tools/make_skeleton; cd $TREE && "
        "sh common/course/release.sh $cut >/dev/null && mv build $TREE.built; "
        "sh common/course/next_archive.sh $TREE.built/release/*-08-*.gz; "
        "cd $TREE.built/release/cuda-labs-01-03 && "
        "next='sh common/course/next_archive.sh' && "
        "echo mine >labs/02_gpu_naive/gpu_naive.cu && "
        "echo mine >labs/warm_up/01_index/index.cu && "
        "echo mine >answers.txt && find . -type f | sort >../begin && "
        "head -c 9999 ../cuda-labs-08-*.gz >../half.tar.gz && "
        "{ $next ../half.tar.gz; } ; find . -type f | sort | cmp - ../begin && "
        "echo begin: same; $next ../cuda-labs-04-07-*.gz && "
        "$next ../cuda-labs-08-*.gz && { $next ../cuda-labs-04-07-*.gz; }; "
        "echo $(grep -c mine labs/02_gpu_naive/gpu_naive.cu) mine.cu "
        "$(grep -c mine labs/warm_up/01_index/index.cu) index.cu "
        "$(grep -c mine answers.txt) answers; find .; "
        "for list in INDEX TODOS; do sed '/^lab: 09_/,$d' $TREE/labs/$list | "
        "diff -B - labs/$list || exit 1; done; echo lists: same; code=$?; "
        "cd $TREE && git reset -q --hard begin; rm -rf $TREE.built; "
        "exit $code");
}

/* Alice changed lab 03 and committed it, Bob lab 02 and did not, and Carol's is
   what GitHub makes of a template: without its history. Meanwhile the lecturer
   mends a line of lab 03. A line of lab 08 that somebody commits is found. */
TEST(test_students_merge_the_next_labs_by_git)
{
    RUN_GIVES(
        0,
        SAYS("LABS: say which labs students have then",
             "branch main, tag labs-01-03; labs 01 02 03,",
             "branch main, tag labs-01-07; labs 01 02 03 04 05 06 07,",
             "has all of this already", "students have lab 04 already",
             "alice: tiling, mended mine 07_outer_product",
             "bob: mine tiling, mended 07_outer_product",
             "carol: tiling, mended mine 07_outer_product",
             "2 commits, the first is labs-01-03",
             "labs/07_outer_product/outer_product.cu",
             "a solution's line is in ", "constfloatb1=B[",
             "2 commits after that", NOT "CONFLICT", NOT "solutions/",
             NOT "INSTRUCTORS.md", NOT "08_unrolling"),
        "exec 2>&1; next=\"sh common/course/release.sh $PWD/build/tools/"
        "make_skeleton\"; cd $TREE && mkdir build || exit\n"
        "export REPOSITORY=build/labs.git git=$TREE/build/labs.git\n"
        "for who in AUTHOR COMMITTER; do export GIT_${who}_NAME=t "
        "GIT_${who}_EMAIL=t; done\n"
        "$next; $next '01 02 03'\n"
        "cd build; git clone -q labs.git alice; git clone -q labs.git bob\n"
        "mkdir carol; (cd carol; git init -q -b main; git -C $git archive main "
        "| tar -xf -; git add -Af; git commit -qm template)\n"
        "sed -i 's/TODO 3.1 (/mine (/' [ac]*/labs/03_tiling/tiling.cu\n"
        "sed -i 's/TODO 2.1 (/mine (/' bob/labs/02_gpu_naive/gpu_naive.cu\n"
        "for s in alice carol; do git -C $s commit -qam mine; done\n"
        "cd ..; sed -i '2s/tiling/&, mended/' solutions/03_tiling/tiling.cu\n"
        "$next '01 02 03 04 05 06 07'; $next '01 02 03 04 05 06 07'\n"
        "git reset -q --hard begin; $next '01 02 03'; cd build\n"
        "pull='git pull -q --no-rebase --no-edit'\n"
        "(cd carol; $pull -s ours --allow-unrelated-histories $git labs-01-03)\n"
        "for s in alice bob carol; do (cd $s; $pull $git main; echo $s: $(grep "
        "-oh -e 'mine' -e 'tiling, mended' labs/0[23]*/*.cu) "
        "$(ls labs | grep 07_)); done\n"
        "cd $git; git log --format= --name-only --all; echo $(git rev-list "
        "--count main) commits, the first is $(git describe --tags main~1)\n"
        "cd ../bob; grep -h 'b1 = B' $TREE/solutions/08*/*.cu >leak; "
        "git add leak; git commit -qm leak; git push -q $git HEAD:other\n"
        "cd $TREE; $next '01 02 03 04 05 06 07'; code=$?\n"
        "echo $(git -C $git rev-list --count main) commits after that\n"
        "rm -rf build; [ $code = 1 ]");
}

/* Where the last labs are of the advanced track, the first ones are not. */
TEST(test_a_repository_keeps_the_advanced_track_apart)
{
    RUN_GIVES(0, SAYS("advanced: 10", "lab: 03_tiling", "lab: 12_warp_tiling"),
              "exec 2>&1; cut=$PWD/build/tools/make_skeleton; cd $TREE; "
              "for who in AUTHOR COMMITTER; do export GIT_${who}_NAME=t "
              "GIT_${who}_EMAIL=t; done; "
              "REPOSITORY=build/labs.git sh common/course/release.sh $cut "
              "'03 12' && git -C build/labs.git show main:labs/INDEX; code=$?; "
              "rm -rf build; exit $code");
}

TEST(test_folders_can_be_left_out)
{
    RUN_GIVES(0, SAYS("cuda-labs-01/Makefile", NOT "spot_the_bug/"),
              IN_A_REPOSITORY, ":", "01 labs/spot_the_bug");
    RUN_GIVES(2, SAYS("there is no folder labs/spot"), IN_A_REPOSITORY, ":",
              "01 labs/spot");
    RUN_GIVES(2, SAYS("LABS: there is no lab 77"), IN_A_REPOSITORY, ":", "77");
}

TEST(test_a_lab_that_is_left_out_is_in_no_archive)
{
    RUN_GIVES(0,
              SAYS("labs/06_conflict_free/conflict_free.cu",
                   NOT "05_bank_conflicts", NOT "answers.txt"),
              IN_A_REPOSITORY, "sed -i '/^lab: 05_/,/^$/d' labs/INDEX",
              "'04 06'");
    RUN_GIVES(2, SAYS("LABS: there is no lab 05"), IN_A_REPOSITORY,
              "sed -i '/^lab: 05_/,/^$/d' labs/INDEX", "05");
}

TEST(test_a_line_of_a_solution_is_found)
{
    RUN_GIVES(1,
              SAYS("a solution's line is in ",
                   "labs/03_tiling/README.md:", NOT "Archive:"),
              IN_A_REPOSITORY,
              "echo 'sum  += As[ty][i]*Bs[i][tx];' >> labs/03_tiling/README.md",
              "03");
}

/* A loop that the course's own C has, too, gives no lab away. */
TEST(test_a_line_that_the_course_has_itself_is_no_solution)
{
    RUN_GIVES(0,
              SAYS("not searched for, since the course has such a line: "
                   "for(introw=0;row<m;row++)",
                   "Archive:", NOT "a solution's line"),
              IN_A_REPOSITORY,
              "echo 'for (int row = 0; row < m; row++) {' >common/x.c && "
              "sed -i 's/for (int i = 0; i < TILE; i++)$/"
              "for (int row = 0; row < m; row++)/' solutions/03_tiling/*.cu",
              "03");
}

/* The same of the web site. Its page here is a line, where common/site/make.sh
   would write pages of what students are given. */
#define OF_A_SITE                                                           \
    "exec 2>&1; cut=$PWD/build/tools/make_skeleton; cd $TREE && "           \
    "mkdir common/site && cat >common/site/make.sh <<'END'\n"               \
    "mkdir -p $1 && cp $2/labs/INDEX $1 && cat >$1/03.html <<'PAGE'\n%s\n"  \
    "PAGE\nEND\nSITE=build/site sh common/course/release.sh $cut '%s'; "    \
    "code=$?; cat build/site/INDEX; find build/release; rm -rf common/site" \
    " build; exit $code"

TEST(test_a_site_has_its_labs_and_no_solution)
{
    RUN_GIVES(0,
              SAYS("site: build/site/index.html, labs 01 02 03 04, 2 files",
                   "lines of the solutions is in it", "lab: 04_coalescing",
                   "site/labs/spot_the_bug/09", NOT "lab: 05_bank_conflicts",
                   NOT "labs/05_", NOT "/solutions", NOT "answers.txt",
                   NOT ".tar.gz"),
              OF_A_SITE, "sum", "1 2 3 4");
    RUN_GIVES(1, SAYS("a solution's line is in build/site/03.html:1:"),
              OF_A_SITE,
              "As[ty][tx] = row &lt; m &amp;&#38; t + tx &#60; k ? A[row * k + "
              "t + tx] : 0.0f;",
              "1 2 3");
    RUN_GIVES(1, SAYS("a solution's line is in build/site/03.html:1:"),
              OF_A_SITE,
              "{\"a\":\"{\\n\\tAs[ty][tx] = row \\u003c m && t + tx "
              "\\u003c k ? A[row * k + t + tx] : 0.0f;\\n}\"}",
              "1 2 3");
}

/* What a cheat would do: hand in all that the archive has, as each of its labs.
   It is done with the skeletons, and with CORPUS=all with every exercise,
   program and block of text of two stages. */
static void hand_in_all(const char *archive, const char *labs,
                        const char *numbers)
{
    RUN_GIVES(
        0, SAYS("grades.csv"),
        "exec 2>&1; tree=$(mktemp -d) && trap 'rm -rf $tree' EXIT && "
        "sh common/course/release.sh build/tools/make_skeleton '%s' "
        ">/dev/null && FAST=%s sh tests/grade/lay_leaks.sh build/release/%s "
        "$tree/class %s && build/tools/grade --out $tree/out --lab '%s' "
        "$tree/class && ! awk -F, 'NR > 1 && $3 != 0' $tree/out/grades.csv | "
        "grep .",
        numbers,
        getenv("CORPUS") != NULL && strcmp(getenv("CORPUS"), "all") == 0 ? ""
                                                                         : "1",
        archive, labs, numbers);
}

TEST(test_what_an_archive_has_earns_nothing)
{
    hand_in_all("cuda-labs-01-03", "01_cpu_naive 02_gpu_naive 03_tiling",
                "01 02 03");
    if (getenv("CORPUS") == NULL)
        return;
    hand_in_all("cuda-labs-04-07",
                "04_coalescing 05_bank_conflicts 06_conflict_free "
                "07_outer_product",
                "04 05 06 07");
}

ALL_TESTS(make_repository, remove_repository);
