/*
 * agree: does the witness count what the program of g++ counts?
 *
 *   agree [-j WORKERS] LIST >agree.csv
 *
 * A line of LIST is "03_tiling<TAB>path of a .cu". Each source is built and run
 * as the grader does, without isolation, at the size of labs/INDEX that is
 * counted; if it is right and clean, then it is counted again by the witness.
 * Each measure of its lab is a row: both numbers, the share of its points that
 * each earns, and whether the two agree: the goal is reached by both or by
 * neither, and the shares are at most 0.05 apart. Where there are no two
 * numbers, a single row says why.
 *
 * Run it where labs/ and build/ are. Exit code: 0 also if some do not agree.
 */
#define _GNU_SOURCE
#include "grade/judge/judging.h"

#include "base/file.h"
#include "base/words.h"
#include "grade/base/clean_up.h"
#include "harness/counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const double apart = 0.05; /* shares */

static struct course_index course;
static struct grade_rubric rubric;

/* In place of numbers: "program" or "witness", a verdict's word, a sentence. */
static void write_why(const char *lab, const char *path, const char *whose,
                      const char *text)
{
    char why[500];

    snprintf(why, sizeof why, "%s: %.400s", whose, text);
    base_one_line(why);
    for (char *at = why; (at = strchr(at, ',')) != NULL;)
        *at = ';';
    printf("%s,%s,,,,,,,%s\n", lab, path, why);
}

static void compare(const struct grade_judging *j, const char *path,
                    const double *witness)
{
    for (int i = 0; i < j->lab->measures; i++) {
        const double home = grade_number_share(j, i, j->value[i]);
        const double there = grade_number_share(j, i, witness[i]);
        const int agrees =
            (home >= 1.0) == (there >= 1.0) && fabs(home - there) <= apart;

        printf("%s,%s,%s,%.6g,%.4f,%.6g,%.4f,%s,\n", j->lab->name, path,
               j->lab->measure[i].column, j->value[i], home, witness[i], there,
               agrees ? "yes" : "no");
    }
}

/* Runs what the program of g++ launches, up to what is not right. Returns 1 if
   all is right and clean; or 0, with a row. */
static int run_program(struct grade_judging *j, const char *path)
{
    for (int i = 0; i < j->plans; i++) {
        const struct grade_plan *const plan = &j->plan[i];
        double counter[LAB_COUNTERS];
        struct grade_ran ran;
        char text[600];

        if (!plan->counting)
            continue;
        grade_case_run(j->setting, plan, &ran);
        if (ran.verdict == GRADE_PASS && plan->entry->kind == COURSE_LAUNCH) {
            grade_derive_counts(j, &ran.report.count, ran.fmas, counter);
            grade_keep_worst(j, counter, j->value);
        }
        grade_report_free(&ran.report);
        if (ran.verdict != GRADE_PASS) {
            snprintf(text, sizeof text, "%s: %s: %.400s",
                     grade_verdict_word[ran.verdict], plan->name, ran.text);
            write_why(j->lab->name, path, "program", text);
            return 0;
        }
    }
    return 1;
}

static void judge_source(struct grade_judging *j, const char *path,
                         const char *source)
{
    const size_t size = strlen(source);
    double witness[COURSE_MEASURES];

    for (int i = 0; i < COURSE_MEASURES; i++)
        j->value[i] = NAN;
    if (j->lab == NULL || j->lab->measures == 0 || !course_has_launch(j->lab)) {
        write_why("lab", path, "lab", "it has no number that is counted");
        return;
    }
    grade_plan_cases(j);
    if (!grade_build(j, source, size)) {
        write_why(j->lab->name, path, "program", j->result->text);
    } else if (run_program(j, path)) {
        if (grade_count_again(j, source, size, witness) == 0) {
            compare(j, path, witness);
            return;
        }
        write_why(j->lab->name, path, "witness",
                  j->flags > 0 ? j->result->flags[0] : j->result->text);
    }
}

static void judge_file(const struct grade_setting *setting, const char *lab,
                       const char *path)
{
    struct grade_result result = {.verdict = GRADE_PASS};
    struct grade_judging *const j = calloc(1, sizeof *j);
    char why[400], *source = base_read_file(path, why, sizeof why);

    if (j == NULL || source == NULL) {
        write_why(lab, path, "file", source == NULL ? why : "out of memory");
    } else {
        j->setting = setting;
        j->lab = course_index_find(&course, lab);
        j->rubric = grade_rubric_find(&rubric, lab);
        j->result = &result;
        judge_source(j, path, source);
    }
    fflush(stdout); /* whole rows: workers share the file */
    grade_result_free(&result);
    free(source);
    free(j);
}

/* Judges each line of the list that is the worker's turn. Returns an exit
   code. */
static int work(FILE *list, int worker, int workers, const char *folder,
                int slot)
{
    struct grade_setting setting = {.index = &course,
                                    .rubric = &rubric,
                                    .isolation = GRADE_UNSAFE,
                                    .slot = slot,
                                    .work = grade_slot_begin(folder, slot),
                                    .seed = 31};
    char lab[80], path[400];

    if (setting.work == NULL) {
        perror(folder);
        return 2;
    }
    for (int i = 0; fscanf(list, "%79s %399s", lab, path) == 2; i++) {
        if (i % workers == worker)
            judge_file(&setting, lab, path);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *const path = argv[argc - 1];
    char folder[] = "/tmp/agree_XXXXXX", why[400] = "no folder in /tmp";
    int slot[64], workers, failed = 0, status;
    unsigned long long number = 1;

    if ((argc != 2 && argc != 4) ||
        (argc == 4 && base_whole_number(argv[2], 64, &number) != 0) ||
        number == 0) {
        fprintf(stderr, "usage: agree [-j WORKERS] LIST\n");
        return 2;
    }
    workers = (int)number;
    if (mkdtemp(folder) == NULL || chmod(folder, 0755) != 0 ||
        course_index_read("labs/INDEX", &course, why, sizeof why) != 0 ||
        grade_slots_take(slot, workers, why, sizeof why) < 0) {
        fprintf(stderr, "agree: %s\n", why);
        return 2;
    }
    grade_rubric_default(&course, &rubric);
    puts("lab,file,measure,home,home_share,witness,witness_share,agrees,why");
    fflush(stdout);
    for (int i = 0; i < workers; i++) {
        if (fork() == 0) {
            FILE *const list = fopen(path, "re"); /* a place of its own in it */

            return list != NULL ? work(list, i, workers, folder, slot[i]) : 2;
        }
    }
    while (wait(&status) > 0)
        failed |= status != 0;
    grade_remove_tree(folder);
    return failed ? 2 : 0;
}
