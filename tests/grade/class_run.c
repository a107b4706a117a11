#define _GNU_SOURCE

#include "../testing.h"
#include "class_run.h"
#include "processes.h"

#include "../command.h"
#include "../corpus/case.h"
#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    NOBODY = 65534,
    MOST_OPTIONS = 20
};

const char *class_path(const struct class_run *run, const char *name)
{
    static char path[4][CLASS_PATH + 100];
    static int next;

    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", run->path, name);
    return path[next];
}

static void make_class_folder(const struct class_run *run, const char *name)
{
    const char *const path = class_path(run, name);

    assert_return_code(mkdir(path, 0755), errno);
    assert_return_code(chown(path, run->user, run->user), errno);
}

void class_make(struct class_run *run)
{
    *run = (struct class_run){.user = geteuid(),
                              .program = "build/tools/grade",
                              .timeout = 1200.0,
                              .grace = 10.0};
    /* What the grader leaves behind becomes a child of this process. */
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    snprintf(run->path, sizeof run->path, "/tmp/grade_class.XXXXXX");
    assert_non_null(mkdtemp(run->path));
    assert_return_code(chmod(run->path, 0755), errno);
    assert_non_null(getcwd(run->course, sizeof run->course));
    snprintf(run->out, sizeof run->out, "%s", class_path(run, "out"));
    make_class_folder(run, "class");
    make_class_folder(run, "store");
    make_class_folder(run, "tmp");
}

/* What a grader needs of a course, where everybody may read it. */
static void copy_course(struct class_run *run)
{
    snprintf(run->course, sizeof run->course, "%s", class_path(run, "course"));
    if (mkdir(run->course, 0755) != 0)
        return; /* it is there */
    RUN_GIVES(0, NULL,
              "cp -r --parents labs/INDEX labs/TODOS build/grade "
              "build/tools/grade build/tools/grade_fake "
              "common/grade/control.cu '%s' && chmod -R a+rX '%s'",
              run->course, run->course);
}

void class_shrink(struct class_run *run)
{
    copy_course(run);
    /* Lab 09 counts barriers and requests, of which there are fewer. */
    RUN_GIVES(
        0, NULL,
        "sed -i -e 's/256x384x512/64x96x128/' "
        "-e 's/_thread full 33 zero 64 before 64/_thread full 9 zero 16 before 16/' "
        "-e 's/_requests full 122880 zero 245760 before 122880/_requests full 1920 "
        "zero 3840 before 1920/' '%s/labs/INDEX'",
        run->course);
}

void class_become_nobody(struct class_run *run)
{
    run->user = NOBODY;
    copy_course(run);
    snprintf(run->out, sizeof run->out, "%s", class_path(run, "nobody/out"));
    make_class_folder(run, "nobody");
    assert_return_code(chown(class_path(run, "tmp"), NOBODY, NOBODY), errno);
}

int class_all(void)
{
    const char *const corpus = getenv("CORPUS");

    return corpus != NULL && strcmp(corpus, "all") == 0;
}

void class_lay(const struct class_run *run, const char *submission)
{
    struct corpus_case *const c = corpus_find(submission);

    corpus_lay(c, class_path(run, "class"), class_path(run, "store"));
    corpus_free(c, 1);
}

size_t class_write_roster(const struct class_run *run)
{
    FILE *file = fopen(class_path(run, "roster.csv"), "w");
    struct dirent **entry;
    const int entries =
        scandir(class_path(run, "class"), &entry, NULL, alphasort);
    size_t students = 0;

    assert_non_null(file);
    assert_true(entries >= 2);
    fputs("id\n", file);
    for (int i = 0; i < entries; i++) {
        const char *const name = entry[i]->d_name;

        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            putc('"', file);
            for (const char *s = name; *s != '\0'; s++)
                fprintf(file, *s == '"' ? "\"\"" : "%c", *s);
            fputs("\"\n", file);
            students++;
        }
        free(entry[i]);
    }
    free(entry);
    assert_int_equal(fclose(file), 0);
    return students;
}

/* --- a run ---------------------------------------------------------------- */

/* In the child: becomes the grader. */
static void become(const struct class_run *run, const char *const *options)
{
    char roster[CLASS_PATH + 20], class[CLASS_PATH + 20];
    const char *const first[] = {run->program, "--jobs", "2", "--out",
                                 run->out};
    char *argv[MOST_OPTIONS + 10] = {NULL};
    int count = 0;
    const int printed =
        open(class_path(run, "printed"), O_WRONLY | O_CREAT | O_TRUNC, 0644);

    snprintf(class, sizeof class, "%s/class", run->path);
    snprintf(roster, sizeof roster, "%s/roster.csv", run->path);
    while (count < (int)(sizeof first / sizeof *first)) {
        argv[count] = strdup(first[count]);
        count++;
    }
    if (access(roster, R_OK) == 0) {
        argv[count++] = strdup("--roster");
        argv[count++] = roster;
    }
    for (; *options != NULL && count < MOST_OPTIONS; options++)
        argv[count++] = strdup(*options);
    argv[count++] = class;
    setenv("TMPDIR", class_path(run, "tmp"), 1);
    if (dup2(printed, 1) < 0 || dup2(printed, 2) < 0 || chdir(run->course) != 0)
        _exit(126);
    if (run->user != geteuid() &&
        (setgroups(0, NULL) != 0 ||
         setresgid(run->user, run->user, run->user) != 0 ||
         setresuid(run->user, run->user, run->user) != 0))
        _exit(126);
    execv(argv[0], argv);
    _exit(127);
}

/* Waits for the grader, and for what it left to this process. */
static void watch(struct class_run *run, pid_t grader, double kill_after)
{
    const struct timespec pause = {0, 5000000};
    const double begin = base_seconds();
    int status = 0;

    while (waitpid(grader, &status, WNOHANG) == 0) {
        const long peak = process_kib(grader, "VmHWM");

        run->peak_kib = peak > run->peak_kib ? peak : run->peak_kib;
        if ((kill_after > 0.0 && base_seconds() - begin > kill_after) ||
            base_seconds() - begin > run->timeout)
            kill(grader, SIGKILL);
        nanosleep(&pause, NULL);
    }
    run->code =
        WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Kills the children of this process, and says which. Returns how many. */
static int end_orphans(void)
{
    static struct process process[4096];
    const int count = process_list(process, 4096);
    int orphans = 0;

    for (int i = 0; i < count; i++) {
        if (process[i].parent != getpid())
            continue;
        fprintf(stderr, "# the grader left process %d: %s\n",
                (int)process[i].pid, process[i].name);
        orphans += kill(process[i].pid, SIGKILL) == 0;
    }
    return orphans;
}

/* Processes of which this one has become the parent. They have some time to end
   in, and are ended after that. */
static int take_orphans(double grace)
{
    const struct timespec pause = {0, 10000000};
    const double begin = base_seconds();
    int orphans = 0;

    for (;;) {
        siginfo_t info = {0};

        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG) != 0)
            return orphans; /* there is none */
        if (info.si_pid != 0)
            continue; /* it has ended in time */
        if (base_seconds() - begin > grace)
            orphans += end_orphans();
        nanosleep(&pause, NULL);
    }
}

void class_grade(struct class_run *run, const char *const *options,
                 double kill_after)
{
    char path[CLASS_PATH + 20], why[300];
    pid_t grader;

    class_forget(run);
    run->peak_kib = 0;
    fflush(NULL);
    grader = fork();
    assert_return_code(grader, errno);
    if (grader == 0)
        become(run, options);
    watch(run, grader, kill_after);
    run->orphans = take_orphans(run->grace);
    snprintf(path, sizeof path, "%s/grades.csv", run->out);
    if (access(path, R_OK) == 0 &&
        base_csv_read(path, &run->grades, why, sizeof why) != 0)
        fail_msg("%s", why);
}

/* --- what it says --------------------------------------------------------- */

int class_row(const struct class_run *run, const char *student)
{
    for (size_t i = 0; i < run->grades.rows; i++) {
        if (strcmp(base_csv_text(&run->grades, i, "student"), student) == 0)
            return (int)i;
    }
    return -1;
}

static char *read_path(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t length = 0;
    FILE *kept = open_memstream(&text, &length);
    int c;

    assert_non_null(kept);
    while (file != NULL && (c = getc(file)) != EOF)
        putc(c, kept);
    if (file != NULL)
        fclose(file);
    fclose(kept);
    return text;
}

char *class_read(const struct class_run *run, const char *name)
{
    return read_path(class_path(run, name));
}

char *class_feedback(const struct class_run *run, int row)
{
    char folder[CLASS_PATH + 20], number[20], *text = NULL;
    DIR *listing;
    const struct dirent *entry;

    snprintf(folder, sizeof folder, "%s/feedback", run->out);
    snprintf(number, sizeof number, "%04d_", row + 1);
    listing = opendir(folder);
    assert_non_null(listing);
    while (text == NULL && (entry = readdir(listing)) != NULL) {
        char path[CLASS_PATH + 300];

        if (strncmp(entry->d_name, number, strlen(number)) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        text = read_path(path);
    }
    closedir(listing);
    return text != NULL ? text : strdup("");
}

size_t class_entries(const struct class_run *run, const char *name)
{
    DIR *listing = opendir(class_path(run, name));
    size_t entries = 0;

    assert_non_null(listing);
    while (readdir(listing) != NULL)
        entries++;
    closedir(listing);
    return entries - 2;
}

void class_forget(struct class_run *run)
{
    if (run->grades.cell != NULL)
        base_csv_free(&run->grades);
    run->grades = (struct base_csv){0};
}

void class_remove(struct class_run *run)
{
    class_forget(run);
    if (run->path[0] != '\0' && getenv("KEEP_CLASS") == NULL) {
        /* Deeper than what the grader itself makes and removes. */
        struct command gone = command_run("rm -rf -- '%s'", run->path);

        command_free(&gone);
    }
}
