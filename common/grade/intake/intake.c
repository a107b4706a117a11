#define _GNU_SOURCE
#include "grade/intake/intake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "grade/base/text.h"
#include "grade/intake/gather.h"
#include "grade/intake/names.h"

enum {
    MOST_UNKNOWN = 5 /* files that are named */
};

enum {
    FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
    FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
};

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

    const int is_theirs = errno == EACCES; /* a mode that the archive gave it */

    snprintf(what, sizeof what, "cannot be read: %s%s", strerror(errno),
             is_theirs ? " (hand it in with the permission to read it)" : "");
    refuse_handed(handed, is_theirs ? GRADE_REJECTED : GRADE_GRADER_ERROR,
                  place, what);
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

/* Takes `more` beside what there is, which must say the same. */
static void merge(struct grade_handed *handed, struct grade_handed *more,
                  const char *from, const char *place)
{
    if (handed->verdict == GRADE_MISSING) {
        *handed = *more;
        return;
    }
    if (handed->verdict == GRADE_PASS && more->verdict == GRADE_PASS &&
        (handed->size != more->size ||
         memcmp(handed->source, more->source, more->size) != 0)) {
        free(handed->source);
        handed->source = NULL;
        handed->size = 0;
        handed->verdict = GRADE_REJECTED;
        snprintf(handed->text, sizeof handed->text,
                 "%.120s and %.120s are both there and differ (hand in one of "
                 "them)",
                 from, place);
    }
    free(more->source);
}

/* --- from wherever it lies ------------------------------------------------ */

struct grade_parcel *grade_intake_parcel(const struct grade_intake *intake,
                                         const char *student)
{
    char **const at =
        intake->parcel == NULL || intake->students == 0
            ? NULL
            : bsearch(&student, intake->student, intake->students,
                      sizeof *intake->student, grade_names_compare);

    return at != NULL ? &intake->parcel[at - intake->student] : NULL;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct grade_item *)a)->path,
                  ((const struct grade_item *)b)->path);
}

/* Lists all that a student handed in, once, in the order of names. */
static int gather(const struct grade_intake *intake, struct grade_parcel *p)
{
    for (size_t k = 0; k < p->pieces && !p->gathered; k++) {
        const struct grade_piece *const piece = &p->piece[k];
        const int failed =
            intake->is_archive
                ? grade_gather_archived(&p->items, &intake->archive,
                                        piece->path, piece->called)
                : grade_gather(&p->items, intake->folder, piece->path,
                               piece->called);

        if (failed != 0)
            return -1;
    }
    if (p->items.items > 0)
        qsort(p->items.item, p->items.items, sizeof *p->items.item, by_path);
    p->gathered = 1;
    return 0;
}

/* Reads an item. */
static void take_item(const struct grade_intake *intake,
                      const struct grade_item *item,
                      struct grade_handed *handed)
{
    const char *const slash = item->at != NULL ? strrchr(item->at, '/') : NULL;
    char *above;
    int folder;

    *handed = (struct grade_handed){.verdict = GRADE_MISSING};
    if (item->refusal != NULL) {
        refuse_handed(handed, GRADE_REJECTED, item->path, item->refusal);
    } else if (item->error != 0) {
        errno = item->error;
        cannot_read(handed, item->path);
    } else if (item->at == NULL) {
        handed->source =
            item->bytes != NULL ? malloc(item->size + 1) : strdup("");
        if (handed->source == NULL) {
            cannot_read(handed, item->path);
            return;
        }
        if (item->bytes != NULL)
            memcpy(handed->source, item->bytes, item->size + 1);
        handed->size = item->size;
        handed->verdict = GRADE_PASS;
    } else {
        above =
            strndup(item->at, slash != NULL ? (size_t)(slash - item->at) : 0);
        folder = above != NULL ? grade_open_below(intake->folder, above) : -1;
        free(above);
        if (folder < 0) {
            cannot_read(handed, item->path);
            return;
        }
        take_file(folder, slash != NULL ? slash + 1 : item->at, item->path,
                  handed);
        close(folder);
    }
}

/* How well does a path say that it is the lab's, or, of no lab, the answers? 0:
   not at all; 1 is best. */
static int rank_path(const char *path, const char *lab)
{
    return lab != NULL ? grade_name_of_source(path, lab)
                       : grade_name_of_answers(path);
}

/* Takes the items whose names fit best. */
static void take_nearest(const struct grade_intake *intake,
                         const struct grade_parcel *p, const char *lab,
                         struct grade_handed *handed)
{
    const char *from = NULL;

    for (int rank = 1; rank <= 3 && from == NULL; rank++) {
        for (size_t i = 0; i < p->items.items; i++) {
            const struct grade_item *const item = &p->items.item[i];
            struct grade_handed more;

            if (rank_path(item->path, lab) != rank)
                continue;
            take_item(intake, item, &more);
            if (more.verdict == GRADE_MISSING)
                continue;
            if (from == NULL)
                from = item->path;
            merge(handed, &more, from, item->path);
        }
    }
}

/* Nothing has the lab's name. Is there something that might be it, or that
   could not be read? */
static void explain_missing(const struct grade_parcel *p, const char *lab,
                            struct grade_handed *handed)
{
    for (size_t i = 0; i < p->items.items; i++) {
        const struct grade_item *const item = &p->items.item[i];

        if (item->error != 0) {
            errno = item->error;
            cannot_read(handed, item->path);
            return;
        }
        if (item->refusal == NULL || grade_item_is_source(item->path))
            continue;
        refuse_handed(handed, GRADE_REJECTED, item->path, item->refusal);
        return;
    }
    for (size_t i = 0; i < p->items.items; i++) {
        if (!grade_item_is_source(p->items.item[i].path))
            continue;
        snprintf(handed->text, sizeof handed->text,
                 "No file has a name of this lab's: it is graded as %s.cu or "
                 "%s.cu.",
                 lab + 3, lab);
        return;
    }
}

void grade_intake_take(struct grade_intake *intake, const char *student,
                       const char *lab, struct grade_handed *handed)
{
    struct grade_parcel *const p = grade_intake_parcel(intake, student);

    *handed = (struct grade_handed){.verdict = GRADE_MISSING};
    if (p == NULL)
        return;
    if (gather(intake, p) != 0) {
        errno = ENOMEM;
        cannot_read(handed, student);
        return;
    }
    take_nearest(intake, p, lab, handed);
    if (handed->verdict == GRADE_MISSING && lab != NULL)
        explain_missing(p, lab, handed);
}

/* --- what else is there --------------------------------------------------- */

static int is_of_any(const char *path, const char *const *lab, int labs)
{
    for (int i = 0; i < labs; i++) {
        if (grade_name_of_source(path, lab[i]) > 0)
            return 1;
    }
    return 0;
}

char *grade_intake_unknown(struct grade_intake *intake, const char *student,
                           const char *const *lab, int labs)
{
    struct grade_parcel *const p = grade_intake_parcel(intake, student);
    char **name = NULL, *text;
    size_t names = 0;
    struct base_memory memory;
    struct grade_names told = {base_memory_open(&memory), "", MOST_UNKNOWN, 0};
    int failed = p != NULL && gather(intake, p) != 0;

    for (size_t i = 0; p != NULL && i < p->items.items && !failed; i++) {
        const char *const path = p->items.item[i].path;

        /* Deeper down lies a whole course, of which sources alone matter. */
        if (!is_of_any(path, lab, labs) && !grade_name_of_answers(path) &&
            (strchr(path, '/') == NULL || grade_item_is_source(path)))
            failed = grade_names_add(&name, &names, path);
    }
    if (names > 0)
        qsort(name, names, sizeof *name, grade_names_compare);
    for (size_t i = 0; i < names; i++) {
        if (told.to != NULL)
            grade_names_tell(&told, name[i]);
        free(name[i]);
    }
    if (told.to != NULL)
        grade_names_end(&told, "");
    free(name);
    text = base_memory_close(&memory);
    if (text != NULL && !failed)
        return text;
    free(text);
    errno = ENOMEM;
    return NULL;
}
