#define _GNU_SOURCE
#include "grade/intake/intake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/base/text.h"

enum {
    PLACES = 4,
    DEPTH = 3,        /* of a place: labs/04_coalescing/coalescing.cu */
    NAME = 80,        /* bytes of each part of one */
    MOST_UNKNOWN = 5, /* files that are named */
    MOST_LOOKED_AT = 10000
};

enum {
    FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
    FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
};

/* The parts of a path below a student's folder; the last is the file. */
struct place {
    char part[DEPTH][NAME];
    int parts;
    char shown[DEPTH * NAME];
};

static void list_places(const char *lab, struct place place[PLACES])
{
    const char *const name = lab + 3; /* behind "04_" */

    for (int i = 0; i < PLACES; i++) {
        struct place *const p = &place[i];
        const int inside = i == 0 || i == 3; /* in a folder of the lab's */
        int k = 0;

        if (i == 3)
            snprintf(p->part[k++], NAME, "labs");
        if (inside)
            snprintf(p->part[k++], NAME, "%s", lab);
        snprintf(p->part[k++], NAME, "%s.cu", i == 1 ? lab : name);
        p->parts = k;
        snprintf(p->shown, sizeof p->shown, "%s%s%s%s%s", p->part[0],
                 k > 1 ? "/" : "", k > 1 ? p->part[1] : "", k > 2 ? "/" : "",
                 k > 2 ? p->part[2] : "");
    }
}

/* --- the folder of submissions -------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_name(char ***list, size_t *count, const char *name)
{
    char **const more = realloc(*list, (*count + 1) * sizeof *more);

    if (more == NULL)
        return -1;
    *list = more;
    more[*count] = strdup(name);
    if (more[*count] == NULL)
        return -1;
    (*count)++;
    return 0;
}

/* Is it a student's? A symbolic link counts as one, to be refused by name; a
   name with a dot first does not: such folders are a program's own. */
static int is_student(int folder, const char *name)
{
    struct stat status;

    return name[0] != '.' &&
           fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           (S_ISDIR(status.st_mode) || S_ISLNK(status.st_mode));
}

static int is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

int grade_intake_open(struct grade_intake *intake, const char *path, char *why,
                      size_t size)
{
    const struct dirent *entry;
    DIR *listing = NULL;
    int failed = 0;

    *intake = (struct grade_intake){
        .folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (intake->folder >= 0)
        listing = fdopendir(dup(intake->folder));
    if (listing == NULL) {
        snprintf(why, size,
                 "%s: %s (give the folder that holds the students' folders)",
                 path, strerror(errno));
        grade_intake_close(intake);
        return -1;
    }
    while (failed == 0 && (errno = 0, (entry = readdir(listing)) != NULL)) {
        if (is_dots(entry->d_name))
            continue;
        failed =
            is_student(intake->folder, entry->d_name)
                ? add_name(&intake->student, &intake->students, entry->d_name)
                : add_name(&intake->other, &intake->others, entry->d_name);
    }
    if (errno != 0 || failed != 0) {
        snprintf(why, size, "%s: %s", path,
                 strerror(failed != 0 ? ENOMEM : errno));
        closedir(listing);
        grade_intake_close(intake);
        return -1;
    }
    closedir(listing);
    if (intake->students > 0) {
        qsort(intake->student, intake->students, sizeof *intake->student,
              by_bytes);
    }
    if (intake->others > 0)
        qsort(intake->other, intake->others, sizeof *intake->other, by_bytes);
    return 0;
}

void grade_intake_close(struct grade_intake *intake)
{
    for (size_t i = 0; i < intake->students; i++)
        free(intake->student[i]);
    for (size_t i = 0; i < intake->others; i++)
        free(intake->other[i]);
    free(intake->student);
    free(intake->other);
    if (intake->folder >= 0)
        close(intake->folder);
    *intake = (struct grade_intake){.folder = -1};
}

int grade_intake_student(const struct grade_intake *intake, const char *name)
{
    return openat(intake->folder, name, FOLDER_FLAGS);
}

/* --- a lab's source ------------------------------------------------------- */

static const char *kind_of(mode_t mode)
{
    return S_ISLNK(mode)    ? "a symbolic link"
           : S_ISDIR(mode)  ? "a folder"
           : S_ISFIFO(mode) ? "a named pipe"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

static void refuse_handed(struct grade_handed *handed,
                          enum grade_verdict verdict, const char *place,
                          const char *what)
{
    handed->verdict = verdict;
    snprintf(handed->text, sizeof handed->text, "%s %s", place, what);
}

/* May this be read? Returns 0, or -1 with the reason in handed. */
static int check_status(const struct stat *status, const char *place,
                        struct grade_handed *handed)
{
    char what[160];

    if (!S_ISREG(status->st_mode)) {
        snprintf(what, sizeof what,
                 "is %s; only a file is taken (hand in the source itself)",
                 kind_of(status->st_mode));
        refuse_handed(handed, GRADE_REJECTED, place, what);
        return -1;
    }
    if (status->st_nlink != 1) {
        refuse_handed(
            handed, GRADE_REJECTED, place,
            "is a hard link: the file has another name elsewhere, so it may "
            "be somebody else's (hand in a copy; a class that was copied by "
            "cp -al must be copied by cp -r)");
        return -1;
    }
    if (status->st_size > GRADE_SOURCE_LARGEST) {
        snprintf(what, sizeof what,
                 "has %lld bytes; at most %d are taken (a lab has about 5000)",
                 (long long)status->st_size, GRADE_SOURCE_LARGEST);
        refuse_handed(handed, GRADE_REJECTED, place, what);
        return -1;
    }
    return 0;
}

static void cannot_read(struct grade_handed *handed, const char *place)
{
    char what[160];

    snprintf(what, sizeof what, "cannot be read: %s", strerror(errno));
    refuse_handed(handed, GRADE_GRADER_ERROR, place, what);
}

/* Reads all of an open file, which may grow meanwhile. */
static void read_open_file(int file, const char *place,
                           struct grade_handed *handed)
{
    char *const source = malloc(GRADE_SOURCE_LARGEST + 2);
    size_t length = 0;
    ssize_t got = -1;

    if (source != NULL) {
        while (length <= GRADE_SOURCE_LARGEST &&
               ((got = read(file, source + length,
                            GRADE_SOURCE_LARGEST + 1 - length)) > 0 ||
                (got < 0 && errno == EINTR))) {
            if (got > 0)
                length += (size_t)got;
        }
    }
    if (got < 0 || length > GRADE_SOURCE_LARGEST) {
        if (got < 0) {
            cannot_read(handed, place);
        } else {
            refuse_handed(handed, GRADE_REJECTED, place,
                          "grew while it was read");
        }
        free(source);
        return;
    }
    source[length] = '\0';
    handed->verdict = GRADE_PASS;
    handed->source = source;
    handed->size = length;
}

/* Takes the file of that name below folder, if there is one. */
static void take_file(int folder, const char *name, const char *place,
                      struct grade_handed *handed)
{
    struct stat status;
    int file;

    /* To open a device may do something, so look first; and look again at what
       was opened, which may be another file by now. */
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno != ENOENT)
            cannot_read(handed, place);
        return;
    }
    if (check_status(&status, place, handed) != 0)
        return;
    file = openat(folder, name, FILE_FLAGS);
    if (file < 0) {
        cannot_read(handed, place);
        return;
    }
    if (fstat(file, &status) != 0) {
        cannot_read(handed, place);
    } else if (check_status(&status, place, handed) == 0) {
        read_open_file(file, place, handed);
    }
    close(file);
}

/* Takes what lies at a place, if anything does. */
static void take_place(int folder, const struct place *p,
                       struct grade_handed *handed)
{
    int at = folder;

    *handed = (struct grade_handed){.verdict = GRADE_MISSING};
    for (int i = 0; i + 1 < p->parts; i++) {
        const int next = openat(at, p->part[i], FOLDER_FLAGS);
        const int error = errno;

        if (at != folder)
            close(at);
        if (next < 0) {
            errno = error;
            if (error == ELOOP || error == ENOTDIR) {
                refuse_handed(
                    handed, GRADE_REJECTED, p->shown,
                    "is not reached through folders alone (no symbolic "
                    "link is followed)");
            } else if (error != ENOENT) {
                cannot_read(handed, p->shown);
            }
            return;
        }
        at = next;
    }
    take_file(at, p->part[p->parts - 1], p->shown, handed);
    if (at != folder)
        close(at);
}

void grade_intake_take(int folder, const char *lab, struct grade_handed *handed)
{
    struct place place[PLACES];
    int from = -1;

    list_places(lab, place);
    *handed = (struct grade_handed){.verdict = GRADE_MISSING};
    for (int i = 0; i < PLACES; i++) {
        struct grade_handed more;

        take_place(folder, &place[i], &more);
        if (more.verdict == GRADE_MISSING)
            continue;
        if (handed->verdict == GRADE_MISSING) {
            *handed = more;
            from = i;
            continue;
        }
        if (handed->verdict == GRADE_PASS && more.verdict == GRADE_PASS &&
            (handed->size != more.size ||
             memcmp(handed->source, more.source, more.size) != 0)) {
            free(handed->source);
            handed->source = NULL;
            handed->size = 0;
            handed->verdict = GRADE_REJECTED;
            snprintf(handed->text, sizeof handed->text,
                     "%s and %s are both there and differ (hand in one of "
                     "them)",
                     place[from].shown, place[i].shown);
        }
        free(more.source);
    }
}

/* --- what else is there --------------------------------------------------- */

/* Does a lab look for this name in the student's folder itself? */
static int is_known(const char *name, const char *const *lab, int labs)
{
    if (strcmp(name, "labs") == 0)
        return 1;
    for (int i = 0; i < labs; i++) {
        struct place place[PLACES];

        list_places(lab[i], place);
        for (int k = 0; k < PLACES; k++) {
            if (strcmp(name, place[k].part[0]) == 0)
                return 1;
        }
    }
    return 0;
}

char *grade_intake_unknown(int folder, const char *const *lab, int labs)
{
    const int again = openat(folder, ".", FOLDER_FLAGS);
    DIR *const listing = again >= 0 ? fdopendir(again) : NULL;
    const struct dirent *entry;
    char **name = NULL, *text = NULL;
    size_t names = 0, length = 0;
    int failed = 0;
    FILE *file = open_memstream(&text, &length);

    for (int i = 0; listing != NULL && i < MOST_LOOKED_AT && failed == 0 &&
                    (entry = readdir(listing)) != NULL;
         i++) {
        if (entry->d_name[0] != '.' && !is_known(entry->d_name, lab, labs))
            failed = add_name(&name, &names, entry->d_name);
    }
    if (names > 0)
        qsort(name, names, sizeof *name, by_bytes);
    for (size_t i = 0; file != NULL && i < names && i < MOST_UNKNOWN; i++) {
        fputs(i > 0 ? ", " : "", file);
        grade_text_name(file, name[i]);
    }
    if (file != NULL && names > MOST_UNKNOWN)
        fprintf(file, " and %zu more", names - MOST_UNKNOWN);
    for (size_t i = 0; i < names; i++)
        free(name[i]);
    free(name);
    if (listing != NULL) {
        closedir(listing);
    } else if (again >= 0) {
        close(again);
    }
    if (file == NULL || fclose(file) != 0 || failed != 0) {
        free(text);
        errno = ENOMEM;
        return NULL;
    }
    return text;
}
