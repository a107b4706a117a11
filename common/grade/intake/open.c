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
#include "grade/base/remove_tree.h"
#include "grade/base/text.h"
#include "grade/intake/names.h"

enum {
    DEEPEST = 4,   /* folders that hold nothing but one folder */
    MOST_TOLD = 20 /* students who are named */
};

enum {
    FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
    FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
};

/* --- what lies there ------------------------------------------------------ */

struct listing {
    struct grade_entry *entry;
    size_t entries;
};

static void free_listing(struct listing *l)
{
    for (size_t i = 0; i < l->entries; i++)
        free(l->entry[i].name);
    free(l->entry);
    *l = (struct listing){.entries = 0};
}

static int add_entry(struct listing *l, const char *name, size_t length,
                     int is_folder)
{
    struct grade_entry *more;

    if (length == 0 || strcmp(name, "__MACOSX") == 0)
        return 0;
    if ((l->entries & (l->entries - 1)) == 0) {
        more = realloc(l->entry,
                       (l->entries > 0 ? l->entries * 2 : 1) * sizeof *more);
        if (more == NULL)
            return -1;
        l->entry = more;
    }
    l->entry[l->entries] = (struct grade_entry){.name = strndup(name, length),
                                                .is_folder = is_folder};
    return l->entry[l->entries++].name != NULL ? 0 : -1;
}

static int is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int list_folder(int folder, struct listing *l)
{
    DIR *const stream = fdopendir(openat(folder, ".", FOLDER_FLAGS));
    const struct dirent *entry;
    int failed = stream == NULL ? -1 : 0;

    while (failed == 0 && (errno = 0, (entry = readdir(stream)) != NULL)) {
        const char *const name = entry->d_name;
        struct stat status = {.st_mode = 0};
        char git[300];

        if (is_dots(name))
            continue;
        if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            status.st_mode = 0;
        failed = add_entry(l, name, strlen(name),
                           S_ISDIR(status.st_mode) || S_ISLNK(status.st_mode) ||
                               grade_archive_ending(name) > 0);
        snprintf(git, sizeof git, "%s/.git", name);
        if (failed == 0 && l->entries > 0 && S_ISDIR(status.st_mode)) {
            l->entry[l->entries - 1].is_repository =
                faccessat(folder, git, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
        }
    }
    if (stream != NULL) {
        const int error = errno;

        closedir(stream);
        errno = error;
        failed |= error != 0 ? -1 : 0;
    }
    return failed;
}

/* What the archive of all has below a path, which ends in a slash. */
static int list_archive(const struct grade_items *archive, const char *base,
                        struct listing *l)
{
    const size_t length = strlen(base);
    int failed = 0;

    for (size_t i = 0; i < archive->items && failed == 0; i++) {
        const char *const name = archive->item[i].path + length;
        const size_t own = strncmp(archive->item[i].path, base, length) == 0
                               ? strcspn(name, "/")
                               : 0;
        int there = own == 0 || strncmp(name, "__MACOSX", own) == 0;

        for (size_t k = l->entries; k-- > 0 && !there;) {
            there = strncmp(l->entry[k].name, name, own) == 0 &&
                    l->entry[k].name[own] == '\0';
        }
        if (!there)
            failed = add_entry(l, name, own, name[own] == '/');
    }
    return failed;
}

/* Entries of a folder `name` in what there is. */
static int list_below(const struct grade_intake *intake, const char *name,
                      struct listing *l)
{
    char *base;
    int result, folder;

    if (!intake->is_archive) {
        folder = openat(intake->folder, name, FOLDER_FLAGS);
        result = folder >= 0 ? list_folder(folder, l) : -1;
        if (folder >= 0)
            close(folder);
        return result;
    }
    if (asprintf(&base, "%s/", name) < 0)
        return -1;
    result = list_archive(&intake->archive, base, l);
    free(base);
    return result;
}

/* The name is a lab's folder, or a course's. */
static int is_of_lab(const char *name)
{
    return strcmp(name, "labs") == 0 || strcmp(name, "common") == 0 ||
           (strlen(name) > 3 && strspn(name, "0123456789") == 2 &&
            name[2] == '_') ||
           strncasecmp(name, "lab", 3) == 0;
}

/* Is the one folder that is there one too many: does it hold students'? */
static int holds_students(const struct listing *l)
{
    size_t folders = 0;

    for (size_t i = 0; i < l->entries; i++) {
        if (l->entry[i].name[0] == '.' || !l->entry[i].is_folder)
            continue;
        folders++;
        if (is_of_lab(l->entry[i].name))
            folders = 0;
        if (folders == 0)
            break;
    }
    return folders > 1 ||
           grade_layout_of(l->entry, l->entries) != GRADE_FOLDERS;
}

/* Takes the path of an archive's items before what they are named by. */
static void shorten(struct grade_items *archive, const char *name)
{
    const size_t length = strlen(name);

    for (size_t i = 0; i < archive->items; i++) {
        char *const path = archive->item[i].path;

        if (strncmp(path, name, length) == 0 && path[length] == '/')
            memmove(path, path + length + 1, strlen(path + length + 1) + 1);
    }
}

/* Goes down into folders that hold nothing but one folder, which is not a
   student's. Returns 0, or -1 with errno. */
static int go_down(struct grade_intake *intake, struct listing *l)
{
    for (int depth = 0; depth < DEEPEST; depth++) {
        const char *one = NULL;
        struct listing below = {.entries = 0};
        size_t shown = 0;
        int folder;

        for (size_t i = 0; i < l->entries; i++) {
            if (l->entry[i].name[0] == '.')
                continue;
            shown++;
            if (l->entry[i].is_folder &&
                grade_archive_ending(l->entry[i].name) == 0)
                one = l->entry[i].name;
        }
        if (shown != 1 || one == NULL || list_below(intake, one, &below) != 0 ||
            !holds_students(&below)) {
            free_listing(&below);
            return 0;
        }
        if (intake->is_archive) {
            shorten(&intake->archive, one);
        } else {
            folder = openat(intake->folder, one, FOLDER_FLAGS);
            if (folder < 0) {
                free_listing(&below);
                return -1;
            }
            close(intake->folder);
            intake->folder = folder;
        }
        free_listing(l);
        *l = below;
    }
    return 0;
}

/* --- whose it is ---------------------------------------------------------- */

static void free_parcel(struct grade_parcel *p)
{
    for (size_t k = 0; k < p->pieces; k++) {
        free(p->piece[k].path);
        free(p->piece[k].called);
    }
    free(p->piece);
    free(p->student);
    free(p->name);
    grade_items_free(&p->items);
}

/* The person who is meant; by lab-03-anna also anna. */
static const struct grade_person *find_person(const struct grade_roster *roster,
                                              const struct grade_label *label)
{
    const struct grade_person *found = grade_roster_find(roster, label);
    const char *rest = label->any;

    while (found == NULL && rest != NULL &&
           (rest = strchr(rest, '-')) != NULL) {
        const struct grade_label cut = {.any = ++rest, .name = rest};

        found = grade_roster_find(roster, &cut);
    }
    return found;
}

/* Adds an entry to what its owner has handed in. Returns 0, or -1 without
   memory. */
static int add_piece(struct grade_intake *intake, const char *path,
                     const struct grade_owner *owner,
                     const struct grade_roster *roster)
{
    const struct grade_label label = {
        .alias = {[GRADE_SYSTEM] = owner->system,
                  [GRADE_MATRICULATION] = owner->number,
                  [GRADE_EMAIL] = owner->email},
        .any = owner->any,
        .name = owner->name};
    const struct grade_person *person =
        roster != NULL ? find_person(roster, &label) : NULL;
    const char *id;
    struct grade_parcel *p = NULL, *more;
    struct grade_piece *pieces;

    id = person != NULL                                    ? person->id
         : owner->any != NULL                              ? owner->any
         : intake->layout == GRADE_CANVAS_FILES            ? owner->system
         : owner->number != NULL && *owner->number != '\0' ? owner->number
         : owner->email != NULL && *owner->email != '\0'   ? owner->email
         : owner->name != NULL                             ? owner->name
                                                           : path;
    for (size_t i = 0; i < intake->students && p == NULL; i++) {
        if (strcmp(intake->parcel[i].student, id) == 0)
            p = &intake->parcel[i];
    }
    if (p == NULL) {
        more = realloc(intake->parcel,
                       (intake->students + 1) * sizeof *intake->parcel);
        if (more == NULL)
            return -1;
        intake->parcel = more;
        p = &more[intake->students++];
        *p = (struct grade_parcel){
            .student = strdup(id),
            .name = strdup(
                owner->name != NULL && owner->any == NULL ? owner->name : ""),
            .listed = person != NULL};
    }
    pieces = realloc(p->piece, (p->pieces + 1) * sizeof *pieces);
    if (pieces == NULL)
        return -1;
    p->piece = pieces;
    if (p->student == NULL || p->name == NULL)
        return -1;
    pieces[p->pieces++] = (struct grade_piece){
        .path = strdup(path),
        .called = owner->called != NULL ? strdup(owner->called) : NULL,
        .handed = owner->handed,
        .late = owner->late};
    return pieces[p->pieces - 1].path != NULL &&
                   (owner->called == NULL ||
                    pieces[p->pieces - 1].called != NULL)
               ? 0
               : -1;
}

/* The text of Gradescope's list; NULL with errno. */
static char *read_metadata(const struct grade_intake *intake)
{
    static const char name[] = "submission_metadata.yml";
    const size_t most = (size_t)16 << 20;
    struct base_memory memory;
    FILE *from, *to;
    size_t read = 0;
    int file, c;

    for (size_t i = 0; i < intake->archive.items; i++) {
        const struct grade_item *const item = &intake->archive.item[i];

        if (strcmp(item->path, name) == 0 && item->bytes != NULL)
            return strdup(item->bytes);
    }
    file = openat(intake->folder, name, FILE_FLAGS);
    from = file >= 0 ? fdopen(file, "r") : NULL;
    if (from == NULL)
        return NULL;
    to = base_memory_open(&memory);
    while (to != NULL && read++ < most && (c = getc(from)) != EOF && c != '\0')
        putc(c, to);
    fclose(from);
    return to != NULL ? base_memory_close(&memory) : NULL;
}

/* Hands each entry to its owners. Returns 0, or -1 without memory. */
static int share_out(struct grade_intake *intake, const struct listing *l,
                     const struct grade_roster *roster)
{
    char *metadata = NULL;
    int failed = 0;

    intake->layout = grade_layout_of(l->entry, l->entries);
    if (intake->layout == GRADE_GRADESCOPE_EXPORT &&
        (metadata = read_metadata(intake)) == NULL)
        return -1;
    for (size_t i = 0; i < l->entries && failed == 0; i++) {
        struct grade_owner owner;
        int n = 0, found;

        do {
            found =
                metadata != NULL
                    ? grade_layout_submitter(metadata, l->entry[i].name, n,
                                             &owner)
                    : grade_layout_owner(intake->layout, &l->entry[i], &owner);
            if (found > 0) {
                failed = add_piece(intake, l->entry[i].name, &owner, roster);
            } else if (found < 0 || n == 0) {
                failed = found < 0
                             ? -1
                             : grade_names_add(&intake->other, &intake->others,
                                               l->entry[i].name);
            }
            grade_owner_free(&owner);
            n++;
        } while (failed == 0 && found > 0 && metadata != NULL);
    }
    free(metadata);
    return failed;
}

static int by_student(const void *a, const void *b)
{
    return strcmp(((const struct grade_parcel *)a)->student,
                  ((const struct grade_parcel *)b)->student);
}

static int sort_students(struct grade_intake *intake)
{
    if (intake->others > 0) {
        qsort(intake->other, intake->others, sizeof *intake->other,
              grade_names_compare);
    }
    if (intake->students == 0)
        return 0;
    qsort(intake->parcel, intake->students, sizeof *intake->parcel, by_student);
    intake->student = calloc(intake->students, sizeof *intake->student);
    for (size_t i = 0; intake->student != NULL && i < intake->students; i++) {
        intake->student[i] = strdup(intake->parcel[i].student);
        if (intake->student[i] == NULL)
            return -1;
    }
    return intake->student != NULL ? 0 : -1;
}

int grade_intake_own(struct grade_intake *intake, const char *student)
{
    char *const any = strdup(student);
    const struct grade_owner owner = {.any = any};

    *intake = (struct grade_intake){
        .folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (any != NULL && intake->folder >= 0 &&
        add_piece(intake, ".", &owner, NULL) == 0 &&
        sort_students(intake) == 0) {
        free(any);
        return 0;
    }
    free(any);
    return -1;
}

int grade_intake_open(struct grade_intake *intake, const char *path,
                      const struct grade_roster *roster, char *why, size_t size)
{
    struct listing l = {.entries = 0};
    struct stat status;
    int failed;

    *intake = (struct grade_intake){
        .folder = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    failed = intake->folder < 0 || fstat(intake->folder, &status) != 0;
    if (!failed && !S_ISDIR(status.st_mode) &&
        grade_archive_ending(path) == 0) {
        failed = 1;
        errno = ENOTDIR;
    }
    if (failed) {
        snprintf(why, size,
                 "%s: %s (give the folder that holds the students' folders, "
                 "or what the system gave, as a .zip)",
                 path, strerror(errno));
        grade_intake_close(intake);
        return -1;
    }
    intake->is_archive = !S_ISDIR(status.st_mode);
    if (intake->is_archive) {
        failed = grade_archive_read(&intake->archive, intake->folder, "",
                                    &grade_archive_of_class) != 0 ||
                 list_archive(&intake->archive, "", &l) != 0;
    } else {
        failed = list_folder(intake->folder, &l) != 0;
    }
    for (size_t i = 0; i < intake->archive.items && !failed; i++) {
        if (*intake->archive.item[i].path != '\0')
            continue;
        snprintf(why, size, "%s: %s", path, intake->archive.item[i].refusal);
        free_listing(&l);
        grade_intake_close(intake);
        return -1;
    }
    if (failed || go_down(intake, &l) != 0 ||
        share_out(intake, &l, roster) != 0 || sort_students(intake) != 0) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        failed = 1;
    }
    free_listing(&l);
    if (failed)
        grade_intake_close(intake);
    return failed ? -1 : 0;
}

void grade_intake_close(struct grade_intake *intake)
{
    for (size_t i = 0; i < intake->students; i++) {
        if (intake->student != NULL)
            free(intake->student[i]);
        if (intake->parcel != NULL)
            free_parcel(&intake->parcel[i]);
    }
    for (size_t i = 0; i < intake->others; i++)
        free(intake->other[i]);
    free(intake->student);
    free(intake->parcel);
    free(intake->other);
    grade_items_free(&intake->archive);
    if (intake->git != NULL)
        grade_remove_tree(AT_FDCWD, intake->git);
    free(intake->git);
    if (intake->folder >= 0)
        close(intake->folder);
    *intake = (struct grade_intake){.folder = -1};
}

char *grade_intake_beside(const char *submissions, const char *ending)
{
    size_t length = strlen(submissions);
    char *path;

    while (length > 1 && submissions[length - 1] == '/')
        length--;
    if (submissions[length] == '\0')
        length -= grade_archive_ending(submissions);
    return asprintf(&path, "%.*s%s", (int)length, submissions, ending) < 0
               ? NULL
               : path;
}

/* --- what is told before anything is graded ------------------------------- */

size_t grade_intake_listed(const struct grade_intake *intake)
{
    size_t listed = 0;

    for (size_t i = 0; i < intake->students; i++)
        listed += (size_t)intake->parcel[i].listed;
    return listed;
}

void grade_intake_tell(FILE *to, const struct grade_intake *intake,
                       const struct grade_roster *roster)
{
    struct grade_names unlisted = {to, "  not on the roster: ", MOST_TOLD, 0};
    struct grade_names others = {to, "  nobody's, so not graded: ", MOST_TOLD,
                                 0};

    fprintf(to, "  taken for %s: %zu students",
            grade_layout_name[intake->layout], intake->students);
    if (roster != NULL) {
        fprintf(to, "; %zu of the %zu on the roster handed in",
                grade_intake_listed(intake), roster->persons);
    }
    fputc('\n', to);
    for (size_t i = 0; roster != NULL && i < intake->students; i++) {
        const struct grade_parcel *const p = &intake->parcel[i];

        if (!p->listed)
            grade_names_tell(&unlisted,
                             *p->name != '\0' ? p->name : p->student);
    }
    grade_names_end(&unlisted, "\n");
    for (size_t i = 0; i < intake->others; i++)
        grade_names_tell(&others, intake->other[i]);
    grade_names_end(&others, "\n");
}
