#define _GNU_SOURCE
#include "grade/judge/build.h"

#include "grade/judge/vet.h"

#include "course/vet.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
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

static void decide(struct grade_program *program, enum grade_verdict verdict,
                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void decide(struct grade_program *program, enum grade_verdict verdict,
                   const char *format, ...)
{
    va_list list;

    program->verdict = verdict;
    va_start(list, format);
    vsnprintf(program->text, sizeof program->text, format, list);
    va_end(list);
}

void grade_plain_text(const char *bytes, size_t count, int lines, char *text,
                      size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < count && used + 5 < size; i++) {
        const char c = bytes[i];

        if (c == '\n' && --lines == 0 && i + 1 < count) {
            memcpy(text + used, "\n...", 4);
            used += 4;
            break;
        }
        text[used++] = c == '\n' || (c >= ' ' && c <= '~') ? c : '?';
    }
    text[used] = '\0';
}

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

const char grade_machines_fault[] =
    "The machine ended it or gave it no time: it is too busy, or has too "
    "little memory. Grade again, with fewer JOBS.";

int grade_is_machines_fault(const struct grade_box_outcome *box)
{
    return (box->end == GRADE_SIGNALED && box->code == SIGKILL &&
            !box->over[GRADE_RESULT] && !box->over[GRADE_REPORT] &&
            box->cpu_seconds < 0.5 * GRADE_CPU_SECONDS) ||
           (box->end == GRADE_OUT_OF_TIME &&
            box->wall_seconds >= GRADE_WALL_SECONDS &&
            box->cpu_seconds < 0.8 * GRADE_CPU_SECONDS);
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

/* What the compile box made of it. */
static void judge_build(const struct grade_setting *setting,
                        const struct course_lab *lab, const char *source,
                        size_t source_size, const struct grade_box_outcome *box,
                        struct grade_program *program)
{
    const char *const object = box->bytes[GRADE_REPORT];
    const size_t object_size = box->size[GRADE_REPORT];
    char why[800] = "";
    int vetted = 0;

    if (box->end == GRADE_NOT_STARTED) {
        decide(program, GRADE_GRADER_ERROR, "The compile box: %s", box->why);
        return;
    }
    if (grade_is_machines_fault(box) || is_part_killed(box)) {
        decide(program, GRADE_GRADER_ERROR, "%s", grade_machines_fault);
        return;
    }
    if (box->end != GRADE_ENDED || box->code == EXIT_LIMIT) {
        decide(program, GRADE_COMPILE,
               "Compiling it takes more time or memory than there is for a "
               "lab. Usually a macro or a template repeats itself.");
        return;
    }
    if (object_size > 0 && !box->over[GRADE_REPORT]) {
        vetted = grade_vet_object(lab, program->name, source, source_size,
                                  object, object_size, why, sizeof why);
    }
    if (vetted != 0) {
        decide(program, vetted > 0 ? GRADE_GRADER_ERROR : GRADE_REJECTED, "%s",
               why);
    } else if (box->code == EXIT_MISTAKE) {
        program->verdict = GRADE_COMPILE;
        grade_plain_text(box->bytes[GRADE_TEXT], box->size[GRADE_TEXT],
                         MOST_LINES, program->text, sizeof program->text);
    } else if (box->over[GRADE_RESULT] || box->over[GRADE_REPORT]) {
        decide(program, GRADE_COMPILE,
               "The program becomes too large: is an array of many megabytes "
               "filled in the source?");
    } else if (box->code != 0 || object_size == 0 ||
               box->size[GRADE_RESULT] == 0) {
        grade_plain_text(box->bytes[GRADE_TEXT], box->size[GRADE_TEXT], 5, why,
                         sizeof why);
        decide(program, GRADE_GRADER_ERROR,
               "Making the program failed with exit code %d: %s", box->code,
               why);
    } else if (write_program(setting->work, box->bytes[GRADE_RESULT],
                             box->size[GRADE_RESULT]) != 0) {
        decide(program, GRADE_GRADER_ERROR, "%.300s: %s", setting->work,
               strerror(errno));
    }
}

void grade_build(const struct grade_setting *setting,
                 const struct course_lab *lab, const char *source, size_t size,
                 struct grade_program *program)
{
    const char *const argv[] = {GRADE_BOX_FOLDER "/grade_build.sh",
                                program->name, NULL};
    char why[800];
    struct grade_box_outcome box;
    char *kit;

    *program = (struct grade_program){.verdict = GRADE_PASS};
    /* 03_tiling is handed in as tiling.cu. */
    snprintf(program->name, sizeof program->name, "%s.cu", lab->name + 3);
    if (course_vet_source(program->name, source, size, why, sizeof why) != 0) {
        decide(program, GRADE_REJECTED, "%s", why);
        return;
    }
    kit = realpath("build/grade/kit", NULL);
    if (kit == NULL) {
        decide(program, GRADE_GRADER_ERROR,
               "The grader's kit, build/grade/kit, is not there (make "
               "build/tools/grade makes it)");
        return;
    }
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
            .wall_seconds = GRADE_WALL_SECONDS,
            .cpu_seconds = GRADE_CPU_SECONDS,
            .address_bytes = (size_t)2 << 30,
            .processes = 16,
        },
        &box);
    judge_build(setting, lab, source, size, &box, program);
    grade_box_free(&box);
    free(kit);
}
