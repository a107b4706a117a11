/* Does a source make a program? It is vetted, and compiled in a box. */
#define _GNU_SOURCE
#include "grade/judge/judging.h"

#include "course/vet.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    /* What grade_build.sh ends with. */
    EXIT_MISTAKE = 1,
    EXIT_LIMIT = 3,
    MOST_LINES = 30 /* of the compiler's messages */
};

/* Writes a file that any user may read and run, since a box's is another, in
   place of that of a run before. Returns 0, or -1 with errno. */
static int write_program(const char *work, const char *bytes, size_t size)
{
    char path[4200];
    FILE *file;
    int failed;

    snprintf(path, sizeof path, "%s/program", work);
    unlink(path);
    file = fopen(path, "wxe");
    if (file == NULL)
        return -1;
    failed = fwrite(bytes, 1, size, file) != size;
    failed |= fclose(file) != 0;
    return failed || chmod(path, 0755) != 0 ? -1 : 0;
}

/* gcc and g++ tell that one of their own parts was killed, and end as for a
   mistake. No limit of a compile box kills but that on seconds. */
static int is_part_killed(const struct grade_box_outcome *box)
{
    static const char words[] = ": fatal error: Killed signal";
    const char *const text = box->bytes[GRADE_TEXT];
    const char *const found =
        memmem(text, box->size[GRADE_TEXT], words, sizeof words - 1);

    return box->end == GRADE_ENDED && box->code == EXIT_MISTAKE &&
           found != NULL && found - text >= 3 &&
           (strncmp(found - 3, "gcc", 3) == 0 ||
            strncmp(found - 3, "g++", 3) == 0) &&
           (found - text == 3 || found[-4] == '\n');
}

/* How many bytes the first lines of a text have. */
static int first_lines(const char *text)
{
    const char *end = text;

    for (int i = 0; i < MOST_LINES && *end != '\0'; i++)
        end += strcspn(end, "\n") + (strchr(end, '\n') != NULL);
    return (int)(end - text);
}

/* --- what grade_build.sh told of the program ------------------------------ */

/* What stands behind a word at the beginning of a line; NULL: no line begins
   so. Ends with the line. */
static const char *told_of(const struct grade_box_outcome *box,
                           const char *word)
{
    const size_t length = strlen(word);
    const char *line = box->bytes[GRADE_REPORT];

    while (line != NULL && strncmp(line, word, length) != 0) {
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return line != NULL ? line + length : NULL;
}

static int has_function(const struct grade_box_outcome *box, const char *name)
{
    char line[100];

    snprintf(line, sizeof line, "has %s\n", name);
    return told_of(box, line) != NULL;
}

/* "std::terminate()" of "_ZSt9terminatev", so far as a name can be read. */
static void plain_name(const char *symbol, char *plain, size_t size)
{
    size_t length = strcspn(symbol, "\n");

    if (strncmp(symbol, "_Z", 2) == 0) {
        char *rest;

        symbol += strncmp(symbol, "_ZSt", 4) == 0 ? 4 : 2;
        length = strtoul(symbol, &rest, 10);
        symbol = rest;
        if (length == 0 || length > strcspn(rest, "\n"))
            length = strcspn(rest, "\n");
    }
    snprintf(plain, size, "%.*s", (int)length, symbol);
}

static void refuse_function(struct grade_judging *j, const char *source,
                            size_t size, const char *symbol, const char *why)
{
    char plain[100], at[20] = "";
    int line;

    plain_name(symbol, plain, sizeof plain);
    line = course_vet_find(source, size, plain);
    if (line > 0)
        snprintf(at, sizeof at, ":%d", line);
    grade_decide(j, GRADE_REJECTED, "%s%s: '%s' is a function %s.", j->name, at,
                 plain, why);
}

/* Is all there that the lab is called by? Returns 1; or 0, which is decided. */
static int has_contract(struct grade_judging *j,
                        const struct grade_box_outcome *box)
{
    for (int i = 0; i < j->lab->entries; i++) {
        const struct course_entry *const entry = &j->lab->entry[i];
        const char *const missing = !has_function(box, entry->function)
                                        ? entry->function
                                    : entry->kind == COURSE_BANKS &&
                                            !has_function(box, "lab_prediction")
                                        ? "lab_prediction"
                                        : NULL;

        if (missing == NULL)
            continue;
        grade_decide(j, GRADE_REJECTED,
                     "%s: it has no '%s', by which this lab is called. The "
                     "skeleton has: is it the file of another lab?",
                     j->name, missing);
        return 0;
    }
    return 1;
}

/* The source made no program. */
static void judge_mistake(struct grade_judging *j, const char *source,
                          size_t size, const struct grade_box_outcome *box)
{
    const char *const said = box->bytes[GRADE_TEXT];
    const char *const needs = told_of(box, "needs ");
    const char *const own = told_of(box, "own ");
    const char *const only = told_of(box, "only ");

    if (needs != NULL) {
        refuse_function(j, source, size, needs,
                        "that a lab does not need and the grader does not "
                        "have");
    } else if (own != NULL) {
        refuse_function(j, source, size, own,
                        "of the library. Choose another name");
    } else if (only != NULL) {
        grade_decide(j, GRADE_FLAG,
                     "g++ compiles it, and clang, which makes the program that "
                     "is graded, does not.");
        grade_flag(j, "%s: clang does not compile it: %.*s", j->name,
                   (int)strcspn(only, "\n"), only);
    } else {
        grade_decide(j, GRADE_COMPILE, "%.*s", first_lines(said), said);
    }
}

/* What the compile box made of it. Returns as grade_build. */
static int judge_build(struct grade_judging *j, const char *source,
                       size_t source_size, const struct grade_box_outcome *box)
{
    if (box->end == GRADE_NOT_STARTED) {
        grade_decide(j, GRADE_GRADER_ERROR, "The compile box: %s", box->why);
    } else if (grade_is_machines_fault(box) || is_part_killed(box)) {
        grade_decide(j, GRADE_GRADER_ERROR, "%s", grade_machines_fault);
    } else if (box->end != GRADE_ENDED || box->code == EXIT_LIMIT) {
        grade_decide(j, GRADE_COMPILE,
                     "Compiling it takes more time or memory than there is for "
                     "a lab. Usually a macro or a template repeats itself.");
    } else if (box->over[GRADE_RESULT] || box->over[GRADE_REPORT]) {
        grade_decide(j, GRADE_COMPILE,
                     "The program becomes too large: is an array of many "
                     "megabytes filled in the source?");
    } else if (box->code == EXIT_MISTAKE) {
        judge_mistake(j, source, source_size, box);
    } else if (box->code != 0 || box->size[GRADE_RESULT] == 0) {
        grade_decide(j, GRADE_GRADER_ERROR,
                     "Making the program failed with exit code %d: %s",
                     box->code, box->bytes[GRADE_TEXT]);
    } else if (has_contract(j, box)) {
        j->is_aligned = told_of(box, "aligned") != NULL;
        if (write_program(j->setting->work, box->bytes[GRADE_RESULT],
                          box->size[GRADE_RESULT]) == 0)
            return 1;
        grade_decide(j, GRADE_GRADER_ERROR, "%s: %s", j->setting->work,
                     strerror(errno));
    }
    return 0;
}

/* Runs grade_build.sh on a source in a box. */
static void run_box(const struct grade_judging *j, const char *kit,
                    const char *source, size_t size,
                    struct grade_box_outcome *box)
{
    const struct grade_setting *const setting = j->setting;
    const char *const argv[] = {GRADE_BOX_FOLDER "/grade_build.sh", j->name,
                                NULL};

    grade_box_run(
        &(struct grade_box_job){
            .isolation = setting->isolation,
            .kind = GRADE_BOX_COMPILE,
            .slot = setting->slot,
            .folder = kit,
            .argv = argv,
            .input = source,
            .input_size = size,
            .limit = {[GRADE_RESULT] = (size_t)64 << 20,
                      [GRADE_REPORT] = 16 << 10,
                      [GRADE_TEXT] = (size_t)64 << 10},
            .wall_seconds = GRADE_WALL_SECONDS,
            .cpu_seconds = GRADE_COMPILE_SECONDS,
            .address_bytes = (size_t)2 << 30,
            .processes = 16,
        },
        box);
}

int grade_build(struct grade_judging *j, const char *source, size_t size)
{
    struct grade_box_outcome box;
    char why[800], *kit;
    int built;

    /* 03_tiling is handed in as tiling.cu. */
    snprintf(j->name, sizeof j->name, "%s.cu", j->lab->name + 3);
    if (course_vet_source(j->name, source, size, why, sizeof why) != 0) {
        grade_decide(j, GRADE_REJECTED, "%s", why);
        return 0;
    }
    kit = realpath("build/grade/kit", NULL);
    if (kit == NULL) {
        grade_decide(j, GRADE_GRADER_ERROR,
                     "The grader's kit, build/grade/kit, is not there (make "
                     "build/tools/grade makes it)");
        return 0;
    }
    run_box(j, kit, source, size, &box);
    built = judge_build(j, source, size, &box);
    grade_box_free(&box);
    free(kit);
    return built;
}
