/*
 * handed.c: when was a lab handed in (intake.h)?
 *
 * A repository was made by somebody else, and its settings may name programs
 * that git starts. So git never sees it as a repository: it runs in an empty
 * one of our own, and reads the other's objects alone.
 */
#define _GNU_SOURCE
#include "grade/intake/intake.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/memory.h"
#include "grade/intake/names.h"

enum {
    HASH = 64, /* hexadecimal digits of a commit, at most */
    LOG = 4096 /* bytes of the end of a log, with its last line */
};

static const double git_seconds = 10.0;

/* Runs a program and returns what it printed, for free(); NULL if it failed. */
static char *run_program(const char *const *argv)
{
    struct base_child child;
    struct base_child_end end;
    char *said = NULL;

    if (base_child_start(&child, argv, BASE_CHILD_HEARD | BASE_CHILD_APART) !=
        0)
        return NULL;
    end = base_child_wait(&child, git_seconds, &said);
    if (end.how == BASE_CHILD_ENDED && end.code == 0)
        return said;
    free(said);
    return NULL;
}

/* The commit that is checked out, by the last line of the log of HEAD, "BEFORE
   NOW WHO ...". Returns 0, or -1: there is none. */
static int read_commit(int folder, char commit[HASH + 1])
{
    const int file =
        openat(folder, "HEAD", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char text[LOG + 1] = "";
    const char *line = text, *now;
    ssize_t got = -1;
    off_t length;

    if (file < 0)
        return -1;
    length = lseek(file, 0, SEEK_END);
    if (length > 0)
        got = pread(file, text, LOG, length > LOG ? length - LOG : 0);
    close(file);
    for (const char *c = text; got > 0 && c < text + got - 1; c++)
        line = *c == '\n' ? c + 1 : line;
    now = strchr(line, ' ');
    if (now == NULL || strspn(now + 1, "0123456789abcdef") > HASH ||
        strspn(now + 1, "0123456789abcdef") < 40)
        return -1;
    snprintf(commit, HASH + 1, "%.*s", (int)strspn(now + 1, "0123456789abcdef"),
             now + 1);
    return 0;
}

/* Makes our empty repository, once. Returns whether there is one. */
static int has_repository(struct grade_intake *intake)
{
    const char *const make[] = {"git",         "init",      "--quiet", "--bare",
                                "--template=", intake->git, NULL};
    char *said = NULL;

    if (intake->git[0] != '\0')
        return intake->has_git;
    snprintf(intake->git, sizeof intake->git, "/tmp/grade-git-XXXXXX");
    if (mkdtemp(intake->git) != NULL)
        said = run_program(make);
    intake->has_git = said != NULL;
    free(said);
    if (!intake->has_git) {
        fputs("grade: git tells no dates of commits (is it installed?)\n",
              stderr);
    }
    return intake->has_git;
}

/* How much of the path a commit knows: all of it, or as far as the archive that
   holds the file. */
static int committed(const char *path)
{
    for (const char *c = strchr(path, '/'); c != NULL; c = strchr(c + 1, '/')) {
        char *const above = base_text("%.*s", (int)(c - path), path);
        const size_t ending = above != NULL ? grade_archive_ending(above) : 0;

        free(above);
        if (ending > 0)
            return (int)(c - path);
    }
    return (int)strlen(path);
}

/* The time of the last commit that changed what lies at path; of the last one
   at all, if none did or path is NULL. 0: nobody knows. */
static time_t read_commit_time(struct grade_intake *intake, const char *name,
                               const char *path)
{
    const int above = grade_open_below(intake->tree.folder, intake->tree.base);
    const int folder = grade_open_below(above, name);
    const int logs = grade_open_below(folder, ".git/logs");
    const int store = grade_open_below(folder, ".git/objects");
    char dir[100], objects[100], commit[HASH + 1];
    char *const changed =
        path != NULL ? base_text(":(literal)%.*s", committed(path), path)
                     : NULL;
    char *said = NULL;
    time_t time = 0;

    if (store >= 0 && logs >= 0 && read_commit(logs, commit) == 0 &&
        has_repository(intake)) {
        const char *const log[] = {
            "env", "-i", "PATH=/usr/bin:/bin", dir,    objects, "git",
            "log", "-1", "--format=%ct",       commit, "--",    changed,
            NULL};
        const char *const last[] = {"env",          "-i",   log[2], dir,
                                    objects,        "git",  "log",  "--no-walk",
                                    "--format=%ct", commit, NULL};

        snprintf(dir, sizeof dir, "GIT_DIR=%s", intake->git);
        snprintf(objects, sizeof objects,
                 "GIT_OBJECT_DIRECTORY=/proc/%ld/fd/%d", (long)getpid(), store);
        said = changed != NULL ? run_program(log) : NULL;
        if (said == NULL || *said == '\0') {
            free(said);
            said = run_program(last);
        }
        time = said != NULL ? (time_t)strtoll(said, NULL, 10) : 0;
    }
    free(said);
    free(changed);
    /* Those that are not open are -1, which closes nothing. */
    close(store);
    close(logs);
    close(folder);
    close(above);
    return time;
}

void grade_intake_when(struct grade_intake *intake, const char *student,
                       const char *lab, time_t *when, int *late)
{
    const struct grade_parcel *const p = grade_intake_parcel(intake, student);
    struct grade_handed handed = {.source = NULL};

    *when = p != NULL ? p->handed : 0;
    *late = 0;
    for (size_t i = 0; p != NULL && i < p->files; i++) {
        *late |=
            p->file[i].late && grade_name_of_source(p->file[i].path, lab) > 0;
    }
    if (p == NULL || intake->layout != GRADE_REPOSITORIES ||
        intake->tree.is_archive)
        return;
    grade_intake_take(intake, student, lab, &handed);
    for (size_t k = 0; k < p->pieces; k++) {
        const time_t time = read_commit_time(intake, p->piece[k], handed.path);

        *when = time > *when ? time : *when;
    }
    free(handed.source);
}
