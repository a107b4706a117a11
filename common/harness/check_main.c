/*
 * check LAB PROGRAM COUNTING RUN COUNT [TRIED]: checks a lab, as
 * labs/03_tiling, for make lab-03, and tells one story. First what the grader
 * would refuse, in its words. PROGRAM is right or not, on the device at hand;
 * if it is, COUNTING tells the number and whether all is clean, which only the
 * CPU device can see; if not, why. COUNTING is empty for a lab that only a GPU
 * can run. RUN and COUNT are the options of both; with --verbose among those
 * of COUNT all is shown. Without, a lab that passes is told how fast it would
 * be on an H200, and of one that is wrong small changes are tried, if TRIED
 * names it and it has no open TODO: by programs in build/try, which make
 * builds then.
 * The verdict of one size that was asked for does not become that of the lab.
 *
 * Called in the course's folder. Exit codes: those of PROGRAM, and 1 for what
 * is refused.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/language.h"
#include "base/child.h"
#include "base/file.h"
#include "base/words.h"
#include "base/wrap.h"
#include "course/index.h"
#include "course/vet.h"
#include "speed.h"

enum {
    RIGHT = 0,
    WRONG = 1,
    NO_RUN = 2, /* as without a GPU */
    SKIPPED = 77,
    SIGNALLED = 128,
    WORDS = 40, /* of a command */
    PATH = 300
};

/* What this run writes takes the place of what the last one wrote when it has
   come to its end; two may check one lab at once. */
static char results[PATH], findings[PATH], last_results[PATH],
    last_findings[PATH];

/* Changes, on their way from one program to the other. */
static char left[PATH + 20];

struct check {
    const char *lab, *program, *counting, *run, *count, *tried;
    const char *brief; /* "--short", or "" */
    char *told;        /* by the first run */
};

/* --- files ---------------------------------------------------------------- */

static void forget(int signal)
{
    unlink(results);
    unlink(findings);
    unlink(left);
    _exit(SIGNALLED + signal);
}

static void name_files(const struct check *c)
{
    static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
    const int is_asked = strstr(c->run, "--m ") != NULL; /* of one size */
    const char *const into = is_asked ? "build/asked" : "build/results";

    snprintf(last_results, PATH, "%s/%s.csv", into, c->lab);
    snprintf(last_findings, PATH, "%s/checks/%s.csv", into, c->lab);
    snprintf(results, PATH, "%.280s.%ld", last_results, (long)getpid());
    snprintf(findings, PATH, "%.280s.%ld", last_findings, (long)getpid());
    base_make_folders(results);
    base_make_folders(findings);
    base_make_folders("build/chip/");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        signal(ends[i], forget);
}

static void keep(const char *file, const char *as)
{
    if (rename(file, as) != 0)
        unlink(as);
}

/* This run takes the place of the last one. Returns the code. */
static int finish(int code)
{
    keep(results, last_results);
    keep(findings, last_findings);
    return code;
}

/* --- programs ------------------------------------------------------------- */

/* Runs a program with words, each a few of them with blanks between. Returns
   its exit code; said as base_child_wait, or NULL: it is for all to see. */
static int run(const char *program, const char *const *words, char **said)
{
    const char *argv[WORDS + 1] = {program};
    char text[1000] = "", *at = text;
    struct base_child child;
    struct base_child_end end;
    int count = 1;

    for (; *words != NULL; words++)
        base_append(text, sizeof text, "%s ", *words);
    while (count < WORDS && (argv[count] = strsep(&at, " ")) != NULL)
        count += argv[count][0] != '\0';
    argv[count] = NULL;
    fflush(stdout);
    if (base_child_start(&child, argv, said != NULL ? BASE_CHILD_HEARD : 0)) {
        perror(program);
        return NO_RUN;
    }
    end = base_child_wait(&child, 0.0, said);
    return end.how == BASE_CHILD_ENDED ? end.code : SIGNALLED + end.code;
}

static void tell(const struct check *c)
{
    fputs(c->told != NULL ? c->told : "", stdout);
}

/* --- the steps ------------------------------------------------------------ */

/* What the grader refuses in the source. Returns 1 if there is something. Of
   labs that need a GPU, which are not graded, and of a lab that lies elsewhere,
   nothing. */
static int vet(const char *folder)
{
    struct course_index index;
    const struct course_lab *lab;
    char path[PATH], name[COURSE_NAME], why[900], *source;
    const char *const last = strrchr(folder, '/');
    int refused = 0;

    snprintf(path, sizeof path, "%s/%s.cu", folder,
             last != NULL && strlen(last) > 4 ? last + 4 : "");
    if (access(path, F_OK) != 0 ||
        course_lab_of(path, name, why, sizeof why) != 0 ||
        course_index_read("labs/INDEX", &index, why, sizeof why) != 0)
        return 0;
    lab = course_index_find(&index, name);
    if (lab != NULL && lab->needs.what == NULL) {
        source = base_read_file(path, why, sizeof why);
        refused =
            source == NULL || course_vet_source(path, source, strlen(source),
                                                why, sizeof why) != 0;
        free(source);
    }
    if (refused) {
        base_wrap(stderr, "", why);
        fprintf(stderr, _("make grade refuses this.\n"));
    }
    course_index_free(&index);
    return refused;
}

/* C is right: what was counted, and what it means. Returns an exit code. */
static int count_right(const struct check *c)
{
    const char *const words[] = {"--counters", c->count,     c->brief, "--csv",
                                 results,      "--findings", findings, NULL};
    struct lab_speed speed = {.lab = c->lab,
                              .program = c->program,
                              .counting = c->counting,
                              .results = results};
    int code;

    if (c->brief[0] == '\0') {
        tell(c);
        code = run(c->counting, words, NULL);
        return code == SKIPPED ? RIGHT : code; /* there is no kernel */
    }
    snprintf(speed.asked, sizeof speed.asked, "build/chip/%ld", (long)getpid());
    lab_speed_begin(&speed);
    code = run(c->counting, words, NULL);
    code = code == SKIPPED ? RIGHT : code;
    lab_speed_end(&speed, code == RIGHT);
    if (code == RIGHT)
        tell(c);
    return code;
}

/* C is wrong: says why. Returns 1 if there is an answer. */
static int say_why(const struct check *c)
{
    char places[PATH];
    const char *const words[] = {"--findings", findings, "--why",
                                 c->run,       places,   NULL};
    const char *const *const fast = words + 2;
    const char *const checks[] = {"--checks", NULL};
    const int is_on_gpu = strncmp(c->program, "build/gpu/", 10) == 0;

    snprintf(places, sizeof places, "--places build/try/%.250s.places",
             c->tried);
    base_make_folders(places + strlen("--places "));

    /* The fast program alone checks indices. */
    if ((is_on_gpu || run(c->program, fast, NULL) != WRONG) &&
        run(c->counting, words, NULL) != WRONG)
        return 0;
    if (c->brief[0] == '\0') {
        putchar('\n');
        tell(c);
        putchar('\n');
        run(c->counting, checks, NULL);
    }
    return 1;
}

/* Which small change makes it right, if one does. The fast program tries them,
   and hands on to the counting one those by which C is right; if it leaves none
   of these, it goes on once. */
static void try_changes(const struct check *c)
{
    char program[PATH], counting[PATH + 20], places[PATH + 20];
    const char *const make[] = {"--silent", program, NULL};
    const char *const words[] = {"--quiet --try --places", places, "--left",
                                 left, NULL};
    const char *const programs[] = {"make", program, counting, program,
                                    counting};
    const int shows = isatty(STDOUT_FILENO);
    int code = RIGHT;
    char *said = NULL;

    snprintf(program, sizeof program, "build/try/%.270s", c->tried);
    snprintf(counting, sizeof counting, "%s-analyse", program);
    snprintf(places, sizeof places, "%s.places", program);
    snprintf(left, sizeof left, "%s.%ld", program, (long)getpid());
    if (shows) {
        printf("%s\r",
               _("Trying small changes, up to 60 s; Ctrl-C ends it ..."));
    }
    for (int i = 0; i < 5 && code == RIGHT; i++) {
        if (i == 3 && said != NULL && said[0] != '\0')
            break;
        free(said);
        said = NULL;
        code = run(programs[i], i == 0 ? make : words, &said);
    }
    fputs(shows ? "\r\033[K" : "", stdout);
    if (code == RIGHT && said != NULL && said[0] != '\0')
        printf("\n%s", said);
    free(said);
    unlink(left);
}

static int check(struct check *c)
{
    const char *const words[] = {c->run, c->brief, "--csv", results, NULL};
    const int refused = vet(c->lab);
    const int can_count = c->counting[0] != '\0';
    const int code = run(c->program, words, &c->told);
    int counted;

    if (code == RIGHT && can_count) {
        counted = count_right(c);
        return finish(counted != RIGHT ? counted : refused);
    }
    if (code != RIGHT && code != SKIPPED && code != NO_RUN && can_count &&
        say_why(c)) {
        counted = finish(WRONG); /* all is told, whoever ends what follows */
        if (c->brief[0] != '\0' && c->tried[0] != '\0')
            try_changes(c);
        return counted;
    }
    tell(c);
    if (code == NO_RUN) { /* what the last run said stays */
        unlink(results);
        unlink(findings);
        return NO_RUN;
    }
    /* The device cannot run a lab that is skipped, and has said so. */
    return finish(code == SKIPPED ? RIGHT : code != RIGHT ? code : refused);
}

int main(int argc, char **argv)
{
    struct check c = {.brief = "--short"};
    int code;

    if (argc != 6 && argc != 7) {
        fprintf(stderr,
                "usage: check LAB PROGRAM COUNTING RUN COUNT [TRIED]\n");
        return NO_RUN;
    }
    c.lab = argv[1];
    c.program = argv[2];
    c.counting = argv[3];
    c.run = argv[4];
    c.count = argv[5];
    c.tried = argc == 7 ? argv[6] : "";
    if (strstr(c.count, "--verbose") != NULL)
        c.brief = "";
    if (isatty(STDOUT_FILENO))
        setenv("LAB_COLOUR", "1", 1);
    name_files(&c);
    code = check(&c);
    free(c.told);
    return fflush(stdout) == 0 ? code : NO_RUN;
}
