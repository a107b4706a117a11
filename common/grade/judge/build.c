/* Does a source make a program? It is vetted, compiled in a box, and vetted
   once more as an object. */
#define _GNU_SOURCE
#include "grade/judge/judging.h"

#include "grade/judge/vet.h"

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

/* g++ tells that one of its own parts was killed, and ends as for a mistake. No
   limit of a compile box kills but that on seconds. */
static int is_part_killed(const struct grade_box_outcome *box)
{
    static const char words[] = "g++: fatal error: Killed signal";
    const char *const text = box->bytes[GRADE_TEXT];
    const char *const found =
        memmem(text, box->size[GRADE_TEXT], words, sizeof words - 1);

    return box->end == GRADE_ENDED && box->code == EXIT_MISTAKE &&
           found != NULL && (found == text || found[-1] == '\n');
}

/* How many bytes the first lines of a text have. */
static int first_lines(const char *text)
{
    const char *end = text;

    for (int i = 0; i < MOST_LINES && *end != '\0'; i++)
        end += strcspn(end, "\n") + (strchr(end, '\n') != NULL);
    return (int)(end - text);
}

/* What the compile box made of it. Returns as grade_build. */
static int judge_build(struct grade_judging *j, const char *source,
                       size_t source_size, const struct grade_box_outcome *box)
{
    const char *const object = box->bytes[GRADE_REPORT];
    const char *const said = box->bytes[GRADE_TEXT];
    const size_t object_size = box->size[GRADE_REPORT];
    char text[4000] = "";
    int vetted = 0;

    if (box->end == GRADE_NOT_STARTED) {
        grade_decide(j, GRADE_GRADER_ERROR, "The compile box: %s", box->why);
        return 0;
    }
    if (grade_is_machines_fault(box) || is_part_killed(box)) {
        grade_decide(j, GRADE_GRADER_ERROR, "%s", grade_machines_fault);
        return 0;
    }
    if (box->end != GRADE_ENDED || box->code == EXIT_LIMIT) {
        grade_decide(j, GRADE_COMPILE,
                     "Compiling it takes more time or memory than there is for "
                     "a lab. Usually a macro or a template repeats itself.");
        return 0;
    }
    if (object_size > 0 && !box->over[GRADE_REPORT]) {
        vetted = grade_vet_object(j->lab, j->name, source, source_size, object,
                                  object_size, text, sizeof text);
    }
    if (vetted != 0) {
        grade_decide(j, vetted > 0 ? GRADE_GRADER_ERROR : GRADE_REJECTED, "%s",
                     text);
        return 0;
    }
    if (box->code == EXIT_MISTAKE) {
        grade_decide(j, GRADE_COMPILE, "%.*s", first_lines(said), said);
    } else if (box->over[GRADE_RESULT] || box->over[GRADE_REPORT]) {
        grade_decide(j, GRADE_COMPILE,
                     "The program becomes too large: is an array of many "
                     "megabytes filled in the source?");
    } else if (box->code != 0 || object_size == 0 ||
               box->size[GRADE_RESULT] == 0) {
        grade_decide(j, GRADE_GRADER_ERROR,
                     "Making the program failed with exit code %d: %s",
                     box->code, said);
    } else if (write_program(j->setting->work, box->bytes[GRADE_RESULT],
                             box->size[GRADE_RESULT]) != 0) {
        grade_decide(j, GRADE_GRADER_ERROR, "%s: %s", j->setting->work,
                     strerror(errno));
    } else {
        return 1;
    }
    return 0;
}

/* Runs grade_build.sh on a source in a box; with "witness", for that. */
static void run_box(const struct grade_judging *j, const char *kit,
                    const char *what, const char *source, size_t size,
                    struct grade_box_outcome *box)
{
    const struct grade_setting *const setting = j->setting;
    const char *const argv[] = {GRADE_BOX_FOLDER "/grade_build.sh", j->name,
                                what, NULL};

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
                      [GRADE_REPORT] = (size_t)32 << 20,
                      [GRADE_TEXT] = (size_t)64 << 10},
            .wall_seconds = (what != NULL ? 2 : 1) * GRADE_WALL_SECONDS,
            .cpu_seconds = GRADE_COMPILE_SECONDS,
            .address_bytes = (size_t)2 << 30,
            .processes = 16,
        },
        box);
}

int grade_build_witness(struct grade_judging *j, const char *source,
                        size_t size, char *why, size_t why_size)
{
    char *const kit = realpath("build/grade/kit", NULL);
    struct grade_box_outcome box;
    int failed = 0;

    why[0] = '\0';
    if (kit == NULL) {
        grade_decide(j, GRADE_GRADER_ERROR, "build/grade/kit is gone");
        return -1;
    }
    run_box(j, kit, "witness", source, size, &box);
    if (box.end == GRADE_NOT_STARTED || grade_is_machines_fault(&box)) {
        grade_decide(j, GRADE_GRADER_ERROR, "%s",
                     box.end == GRADE_NOT_STARTED ? box.why
                                                  : grade_machines_fault);
        failed = 1;
    } else if (box.end != GRADE_ENDED || box.code != 0 ||
               box.size[GRADE_RESULT] == 0 || box.over[GRADE_RESULT]) {
        const char *const said = box.bytes[GRADE_TEXT];

        snprintf(why, why_size, "%.*s", (int)strcspn(said, "\n"), said);
        failed = 1;
    } else if (write_program(j->setting->work, box.bytes[GRADE_RESULT],
                             box.size[GRADE_RESULT]) != 0) {
        grade_decide(j, GRADE_GRADER_ERROR, "%s: %s", j->setting->work,
                     strerror(errno));
        failed = 1;
    }
    grade_box_free(&box);
    free(kit);
    return failed ? -1 : 0;
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
    run_box(j, kit, NULL, source, size, &box);
    built = judge_build(j, source, size, &box);
    grade_box_free(&box);
    free(kit);
    return built;
}
