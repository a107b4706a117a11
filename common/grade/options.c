#define _POSIX_C_SOURCE 200809L
#include "grade/options.h"

#include <stddef.h>
#include <stdio.h>

#include "base/options.h"
#include "grade/batch/engine.h"

#define AT(field) .at = offsetof(struct grade_options, field)

static const struct base_option known[] = {
    {"roster", 0, "FILE",
     "CSV with a column id, the names of the students' folders, or a list as "
     "Canvas, Moodle or Gradescope writes it: everybody on it gets a row",
     AT(roster)},
    {"rubric", 0, "FILE", "Points, thresholds and dates (those of labs/INDEX)",
     AT(rubric)},
    {"out", 0, "FOLDER",
     "Where the grades go (beside SUBMISSIONS, with .grades behind its name)",
     AT(out)},
    {"class", 0, "FOLDER",
     "The class over a whole term: its course.csv gets the columns of this run; "
     "without SUBMISSIONS it is told, and exported",
     AT(class)},
    {"jobs", 'j', "N", "Work on N labs at a time (one for each core)", AT(jobs),
     1, GRADE_JOBS, 0},
    {"isolation", 0, "HOW",
     "boxed, the default; container, if all of this runs in a container that "
     "is thrown away; unsafe, for code that you trust",
     AT(isolation), .choice = "boxed container unsafe"},
    {"one", 0, "STUDENT", "Grade this student alone", AT(one)},
    {"lab", 0, "LABS",
     "Grade these labs alone, as in '04' or '4 6'; of your own labs also "
     "those of the advanced track",
     AT(labs)},
    {"explain", 0, NULL,
     "Print all that is known, hidden cases too: not for students",
     AT(explain)},
    {"write-rubric", 0, "FILE",
     "Write the default rubric to FILE, to be edited, and end",
     AT(write_rubric)},
    {"seed-file", 0, "FILE",
     "Keep the secret seed of the inputs there (OUT/seed)", AT(seed_file)},
    {"export", 0, "WORDS",
     "Write OUT/export/ for other systems: canvas, moodle, gradescope, "
     "github, classroom50, blackboard, brightspace",
     AT(export), .read = grade_export_read},
    {"canvas", 0, "FILE",
     "For --export canvas: the gradebook as Canvas exports it",
     AT(export.given[GRADE_CANVAS])},
    {"moodle", 0, "FILE", "For --export moodle: the list of the course's users",
     AT(export.given[GRADE_MOODLE])},
    {"blackboard", 0, "FILE",
     "For --export blackboard: the gradebook as Blackboard downloads it",
     AT(export.given[GRADE_BLACKBOARD])},
    {"brightspace", 0, "FILE",
     "For --export brightspace: the gradebook as Brightspace exports it",
     AT(export.given[GRADE_BRIGHTSPACE])},
    {"share", 0, "I/N",
     "Grade the share I of N of the class, for a run without it that collects",
     AT(share), .read = grade_share_read},
    {"missing", 0, "yes",
     "Give zeros, and export them, also where most have handed in nothing",
     AT(missing), .choice = "no yes"},
    {"names", 0, "hidden",
     "Codes in the place of names on the pages of answers", AT(names),
     .choice = "shown hidden"},
    {"speed", 0, "OPTIONS",
     "Grade nobody: time the kernels on this machine's GPU by these options of "
     "each program, as in '--m 64 --repeat 3' (make grade WHAT=speed gives them)",
     AT(speed)},
    {"nvcc", 0, "PATH", "For --speed: nvcc, as it is called in a box",
     AT(nvcc)},
    {"arch", 0, "ARCH", "For --speed: the GPU's architecture, as in sm_90",
     AT(arch)}};

static const struct base_command command = {
    known, sizeof known / sizeof *known, "[SUBMISSIONS]",
    offsetof(struct grade_options, submissions),
    "Grades SUBMISSIONS, a folder or archive as Canvas, Moodle or Gradescope "
    "gives it, or one with a folder or repository for each student; without "
    "it, your own labs/."
    "\vA source is STUDENT/04_coalescing/coalescing.cu, "
    "STUDENT/04_coalescing.cu, STUDENT/coalescing.cu or "
    "STUDENT/labs/04_coalescing/coalescing.cu. In OUT, grades.csv, feedback/, "
    "answers/ and class.svg are written; OUT/manual.csv "
    "(student,lab,points,reason), if you write it, wins over what was graded, "
    "and OUT/late.csv (student,lab,days) over when it was handed in. A run "
    "that was ended goes on where it was.\n\n"
    "Exit status: 0 all are graded; 1 your own labs are not all right, or most "
    "of a class handed in nothing; 2 the "
    "command line or a file is wrong; 3 the grader itself failed somewhere; "
    "78 there is no isolation to be had."};

/* What speeds need. Returns what is missing; NULL: nothing. */
static const char *lacks_for_speed(const struct grade_options *o)
{
    return o->submissions == NULL
               ? "say whose kernels: SUBMISSIONS=folder, with a folder for "
                 "each student"
           : o->nvcc == NULL
               ? "nvcc is not in PATH: speeds are measured where the CUDA "
                 "toolkit and a GPU are"
           : o->arch == NULL
               ? "the GPU's architecture is not known (is nvidia-smi there?): "
                 "set ARCH, as ARCH=sm_90"
           : o->isolation != GRADE_BOXED
               ? "speeds are measured in boxes alone: leave out ISOLATION"
               : NULL;
}

/* Options that make no sense by themselves, without submissions, or beside each
   other. */
static int check_together(const struct grade_options *o, char *why, size_t size)
{
    const char *alone = NULL;

    if (o->submissions == NULL) {
        alone = o->roster != NULL ? "roster"
                : o->out != NULL  ? "out"
                : o->one != NULL  ? "one"
                : o->share.of > 0 ? "share"
                : o->class != NULL && o->export.is_wanted[GRADE_GITHUB]
                    ? "export github"
                : o->class != NULL && o->export.is_wanted[GRADE_GRADESCOPE]
                    ? "export gradescope"
                    : NULL;
    }
    if (o->speed != NULL && lacks_for_speed(o) != NULL) {
        snprintf(why, size, "%s", lacks_for_speed(o));
    } else if (o->one != NULL && o->export.is_any) {
        snprintf(why, size,
                 "--export is about the class, and does not go with --one");
    } else if (o->share.of > 0 && (o->one != NULL || o->export.is_any)) {
        snprintf(why, size,
                 "--share goes with neither --one nor --export: the run that "
                 "collects writes what there is for people");
    } else if (o->class != NULL && (o->one != NULL || o->share.of > 0)) {
        snprintf(why, size, "--class goes with neither --one nor --share");
    } else if (o->submissions != NULL && o->export.is_wanted[GRADE_GITHUB]) {
        snprintf(why, size,
                 "--export: github is for a student's repository: it goes "
                 "without SUBMISSIONS");
    } else if (alone != NULL) {
        snprintf(why, size,
                 "--%s goes with a folder of submissions (SUBMISSIONS=)",
                 alone);
    } else {
        return 0;
    }
    return -1;
}

int grade_options_read(struct grade_options *options, int argc, char **argv,
                       char *why, size_t size)
{
    int result;

    why[0] = '\0';
    *options = (struct grade_options){.isolation = GRADE_BOXED};
    result = base_options_read(&command, argc, argv, options, why, size);
    if (result != 0)
        return result;
    why[0] = '\0';
    return grade_export_check(&options->export, why, size) != 0
               ? -1
               : check_together(options, why, size);
}
