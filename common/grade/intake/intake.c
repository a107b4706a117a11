#define _GNU_SOURCE
#include "grade/intake/intake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "grade/intake/names.h"

enum {
    MOST_UNKNOWN = 5 /* files that are named */
};

/* --- a file --------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void
refuse_handed(struct grade_handed *handed, enum grade_verdict verdict,
              const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsnprintf(handed->text, sizeof handed->text, format, ap);
    va_end(ap);
    handed->verdict = verdict;
}

static void cannot_read(struct grade_handed *handed, const char *place,
                        int error)
{
    const int is_theirs = error == EACCES; /* a mode that the archive gave it */

    refuse_handed(handed, is_theirs ? GRADE_REJECTED : GRADE_GRADER_ERROR,
                  "%s cannot be read: %s%s", place, strerror(error),
                  is_theirs ? " (hand it in with the permission to read it)"
                            : "");
}

static const char *kind_of(mode_t mode)
{
    return S_ISLNK(mode)    ? "a symbolic link"
           : S_ISDIR(mode)  ? "a folder"
           : S_ISFIFO(mode) ? "a named pipe"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

/* May this be read? Returns 0, or -1 with the reason in handed. */
static int check_status(const struct stat *status, const char *place,
                        size_t most, struct grade_handed *handed)
{
    if (!S_ISREG(status->st_mode)) {
        refuse_handed(handed, GRADE_REJECTED,
                      "%s is %s; only a file is taken (hand in the source "
                      "itself)",
                      place, kind_of(status->st_mode));
    } else if (status->st_nlink != 1) {
        refuse_handed(
            handed, GRADE_REJECTED,
            "%s is a hard link: the file has another name elsewhere, so it may "
            "be somebody else's (hand in a copy; a class that was copied by "
            "cp -al must be copied by cp -r)",
            place);
    } else if (status->st_size > (off_t)most) {
        refuse_handed(handed, GRADE_REJECTED,
                      "%s has %lld bytes; at most %zu are taken (a lab has "
                      "about 5000)",
                      place, (long long)status->st_size, most);
    } else {
        return 0;
    }
    return -1;
}

/* Reads all of an open file, which may grow meanwhile. */
static void read_open_file(FILE *file, const char *place, size_t most,
                           struct grade_handed *handed)
{
    char *const source = malloc(most + 2);
    const size_t length = source != NULL ? fread(source, 1, most + 1, file) : 0;

    if (source == NULL || ferror(file)) {
        cannot_read(handed, place, errno);
    } else if (length > most) {
        refuse_handed(handed, GRADE_REJECTED, "%s grew while it was read",
                      place);
    } else {
        source[length] = '\0';
        *handed = (struct grade_handed){
            .verdict = GRADE_PASS, .source = source, .size = length};
        return;
    }
    free(source);
}

/* Takes the file of that name below folder, if there is one. */
static void take_file(int folder, const char *name, const char *place,
                      size_t most, struct grade_handed *handed)
{
    /* To open a device may do something. So what lies there is held first, and
       opened when it is known to be a file. */
    const int held = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    char path[40];
    FILE *from;

    if (held < 0 || fstat(held, &status) != 0) {
        if (errno != ENOENT)
            cannot_read(handed, place, errno);
    } else if (check_status(&status, place, most, handed) == 0) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", held);
        from = fopen(path, "re");
        if (from != NULL) {
            read_open_file(from, place, most, handed);
            fclose(from);
        } else {
            cannot_read(handed, place, errno);
        }
    }
    if (held >= 0)
        close(held);
}

void grade_intake_read(const struct grade_intake *intake,
                       const struct grade_file *file, size_t most,
                       struct grade_handed *handed)
{
    const struct grade_item *const item = file->item;
    const char *name;
    int folder;

    *handed = (struct grade_handed){.verdict = GRADE_MISSING};
    if (item->refusal != NULL) {
        refuse_handed(handed, GRADE_REJECTED, "%s %s", file->path,
                      item->refusal);
    } else if (item->error != 0) {
        cannot_read(handed, file->path, item->error);
    } else if (item->is_unpacked) {
        handed->source = malloc(item->size + 1);
        if (handed->source == NULL) {
            cannot_read(handed, file->path, errno);
            return;
        }
        memcpy(handed->source, item->bytes, item->size + 1);
        handed->size = item->size;
        handed->verdict = GRADE_PASS;
    } else {
        folder = grade_open_above(intake->tree.folder, item->path, &name);
        if (folder < 0) {
            cannot_read(handed, file->path, errno);
            return;
        }
        take_file(folder, name, file->path, most, handed);
        close(folder);
    }
}

/* What is taken for a lab, while its files are looked at. */
struct taken {
    struct grade_handed *handed;
    const char *lab, *from; /* NULL: there is nothing yet */
    int rank;               /* of its name */
    int is_own;             /* the skeletons are this student's work */
};

/* Is it the lab's skeleton, as it was given out? */
static int is_skeleton(const struct grade_handed *handed, const char *lab)
{
    char path[200], why[300], *skeleton;
    int same;

    snprintf(path, sizeof path, "labs/%.80s/%.80s.cu", lab, lab + 3);
    skeleton = base_read_file(path, why, sizeof why);
    same = skeleton != NULL && handed->source != NULL &&
           strcmp(skeleton, handed->source) == 0;
    free(skeleton);
    return same;
}

static void drop_source(struct grade_handed *handed)
{
    free(handed->source);
    handed->source = NULL;
}

/* Takes one of the lab's files beside what there is: it must say the same, or
   have a name that is less sure, or one of both is the skeleton. */
static void merge(struct taken *t, struct grade_handed *more, const char *place,
                  int rank)
{
    struct grade_handed *const handed = t->handed;
    const int is_new = t->from == NULL;

    if (!is_new &&
        (handed->verdict != GRADE_PASS || more->verdict != GRADE_PASS ||
         (handed->size == more->size &&
          memcmp(handed->source, more->source, more->size) == 0) ||
         (!t->is_own && is_skeleton(more, t->lab)))) {
        drop_source(more);
    } else if (is_new || (!t->is_own && is_skeleton(handed, t->lab))) {
        if (!is_new)
            drop_source(handed);
        *handed = *more;
        t->from = place;
        t->rank = rank;
    } else if (rank > t->rank) {
        drop_source(more);
        snprintf(handed->text, sizeof handed->text,
                 "%.120s is graded, and %.120s is there too and differs",
                 t->from, place);
    } else {
        drop_source(more);
        drop_source(handed);
        *handed = (struct grade_handed){.source = NULL};
        refuse_handed(handed, GRADE_REJECTED,
                      "%.120s and %.120s are both there and differ (hand in "
                      "one of them)",
                      t->from, place);
    }
}

/* --- from wherever it lies ------------------------------------------------ */

struct grade_parcel *grade_intake_parcel(const struct grade_intake *intake,
                                         const char *student)
{
    return intake->students == 0
               ? NULL
               : bsearch(&student, intake->parcel, intake->students,
                         sizeof *intake->parcel, grade_names_compare);
}

static void take_nearest(const struct grade_intake *intake,
                         const struct grade_parcel *p, const char *lab,
                         struct grade_handed *handed)
{
    struct taken taken = {
        .handed = handed, .lab = lab, .is_own = intake->is_own};

    for (int rank = 1; rank <= 3; rank++) {
        for (size_t i = 0; i < p->files; i++) {
            const struct grade_file *const file = &p->file[i];
            struct grade_handed more;

            if (grade_name_of_source(file->path, lab) != rank)
                continue;
            grade_intake_read(intake, file, GRADE_SOURCE_LARGEST, &more);
            if (more.verdict != GRADE_MISSING)
                merge(&taken, &more, file->path, rank);
        }
    }
    handed->path = handed->verdict == GRADE_PASS ? taken.from : NULL;
}

static int is_of_any(const char *path, const struct course_index *index)
{
    for (int i = 0; i < index->labs; i++) {
        if (grade_name_of_source(path, index->lab[i].name) > 0)
            return 1;
    }
    return 0;
}

/* The only source that a student handed in, if one lab alone is graded and no
   source has a lab's name; else NULL. */
static const struct grade_file *only_source(const struct grade_intake *intake,
                                            const struct grade_parcel *p)
{
    const struct grade_file *only = NULL;

    for (size_t i = 0; intake->is_of_one_lab && i < p->files; i++) {
        if (!grade_item_is_source(p->file[i].path))
            continue;
        if (only != NULL || is_of_any(p->file[i].path, intake->index))
            return NULL;
        only = &p->file[i];
    }
    return only;
}

int grade_intake_is_clone(const struct grade_intake *intake,
                          const struct grade_parcel *p)
{
    for (size_t i = 0; intake->layout == GRADE_REPOSITORIES && i < p->files;
         i++) {
        if (strcmp(p->file[i].path, "labs/INDEX") == 0)
            return 1;
    }
    return 0;
}

/* Nothing has the lab's name. Is there something that might be it, or that
   could not be read? */
static void explain_missing(const struct grade_intake *intake,
                            const struct grade_parcel *p, const char *lab,
                            struct grade_handed *handed)
{
    const int is_clone = grade_intake_is_clone(intake, p);

    for (size_t i = 0; i < p->files; i++) {
        const struct grade_file *const file = &p->file[i];
        const int is_source = grade_item_is_source(file->path);

        if (file->item->error != 0 ||
            (file->item->refusal != NULL && !is_source)) {
            grade_intake_read(intake, file, 0, handed);
            return;
        }
        if (is_source && !(is_clone && access(file->path, F_OK) == 0) &&
            ((intake->is_of_one_lab && !is_clone) || intake->index == NULL ||
             !is_of_any(file->path, intake->index))) {
            refuse_handed(handed, GRADE_MISSING,
                          "No file has a name of this lab's: it is graded as "
                          "%s.cu or %s.cu.",
                          lab + 3, lab);
        }
    }
}

/* Does a file that has no source's name hold a kernel all the same? */
static int has_kernel(const struct grade_intake *intake,
                      const struct grade_file *file)
{
    struct grade_handed handed;
    int found;

    if (grade_name_of_answers(file->path) || grade_name_of_report(file->path))
        return 0;
    grade_intake_read(intake, file, GRADE_SOURCE_LARGEST, &handed);
    found =
        handed.source != NULL && strstr(handed.source, "__global__") != NULL;
    free(handed.source);
    return found;
}

/* The lab's file is as it was given out. Is a source there that has no lab's
   name, or a text with a kernel, and may be the work? */
static void look_beside(const struct grade_intake *intake,
                        const struct grade_parcel *p,
                        struct grade_handed *handed)
{
    const int is_clone = grade_intake_is_clone(intake, p);

    for (size_t i = 0; i < p->files; i++) {
        const char *const path = p->file[i].path;

        if (!is_of_any(path, intake->index) &&
            (grade_item_is_source(path)
                 ? is_clone || strchr(path, '/') == NULL
                 : strchr(path, '/') == NULL &&
                       has_kernel(intake, &p->file[i])) &&
            (!is_clone || access(path, F_OK) != 0)) {
            snprintf(handed->text, sizeof handed->text,
                     "the lab's file is as it was given out, and %.120s is "
                     "there too",
                     path);
        }
    }
}

void grade_intake_take(const struct grade_intake *intake, const char *student,
                       const char *lab, struct grade_handed *handed)
{
    const struct grade_parcel *const p = grade_intake_parcel(intake, student);

    const struct grade_file *only;

    *handed = (struct grade_handed){.verdict = GRADE_MISSING};
    if (p == NULL)
        return;
    take_nearest(intake, p, lab, handed);
    if (handed->verdict == GRADE_PASS && !intake->is_own &&
        intake->index != NULL && is_skeleton(handed, lab))
        look_beside(intake, p, handed);
    if (handed->verdict != GRADE_MISSING)
        return;
    only = only_source(intake, p);
    if (only == NULL) {
        explain_missing(intake, p, lab, handed);
        return;
    }
    grade_intake_read(intake, only, GRADE_SOURCE_LARGEST, handed);
    if (handed->verdict == GRADE_PASS) {
        handed->path = only->path;
        snprintf(handed->text, sizeof handed->text,
                 "%.120s is taken for it, the only source that is there",
                 only->path);
    }
}

const char *grade_intake_answers(const struct grade_intake *intake,
                                 const char *student, size_t n,
                                 struct grade_handed *handed)
{
    const struct grade_parcel *const p = grade_intake_parcel(intake, student);

    for (size_t i = 0; p != NULL && i < p->files; i++) {
        if (!grade_name_of_answers(p->file[i].path) || n-- > 0)
            continue;
        grade_intake_read(intake, &p->file[i], GRADE_SOURCE_LARGEST, handed);
        return p->file[i].path;
    }
    return NULL;
}

/* --- what else is there --------------------------------------------------- */

char *grade_intake_unknown(const struct grade_intake *intake,
                           const char *student,
                           const struct course_index *index)
{
    const struct grade_parcel *const p = grade_intake_parcel(intake, student);
    struct base_memory memory;
    struct grade_names unknown = {base_memory_open(&memory), "", MOST_UNKNOWN,
                                  0};

    const struct grade_file *const only =
        p != NULL ? only_source(intake, p) : NULL;
    const int is_clone = p != NULL && grade_intake_is_clone(intake, p);

    for (size_t i = 0; unknown.to != NULL && p != NULL && i < p->files; i++) {
        const char *const path = p->file[i].path;

        if (&p->file[i] == only)
            continue;

        if (strcmp(path, GRADE_TYPED) == 0 && p->files > 1)
            continue; /* Blackboard's own words on the other files */
        if (is_clone && access(path, F_OK) == 0)
            continue; /* the course's own */

        /* Deeper down lies a whole course, of which sources alone matter. */
        if (!is_of_any(path, index) && !grade_name_of_answers(path) &&
            !grade_name_of_report(path) &&
            (strchr(path, '/') == NULL || grade_item_is_source(path)))
            grade_names_tell(&unknown, path);
    }
    if (unknown.to != NULL)
        grade_names_end(&unknown, "");
    return base_memory_close(&memory);
}
