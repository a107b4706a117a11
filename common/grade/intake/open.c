/* What was handed in, and which of its files belong to which student? See
   intake.h. */
#define _GNU_SOURCE
#include "grade/intake/intake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/refuse.h"
#include "grade/base/clean_up.h"
#include "grade/intake/names.h"

enum {
    DEEPEST = 4,       /* folders that hold nothing but one folder */
    MOST_FILES = 5000, /* of one student */
    MOST_TOLD = 20     /* students who are named */
};

/* --- where the students' things lie --------------------------------------- */

/* The name is a lab's folder, or a course's. */
static int is_of_lab(const char *name)
{
    return strcmp(name, "labs") == 0 || strcmp(name, "common") == 0 ||
           (strlen(name) > 3 && strspn(name, "0123456789") == 2 &&
            name[2] == '_') ||
           strncasecmp(name, "lab", 3) == 0;
}

/* Is the one folder that is there one too many: does it hold students'? */
static int holds_students(const struct grade_listing *l)
{
    size_t folders = 0;

    for (size_t i = 0; i < l->entries; i++) {
        const struct grade_entry *const e = &l->entry[i];

        if (e->name[0] == '.' || !e->is_folder)
            continue;
        folders++;
        if (is_of_lab(e->name)) {
            folders = 0;
            break;
        }
    }
    return folders > 1 || grade_layout_of(l) != GRADE_FOLDERS;
}

/* Lists the students' folder: below folders that hold nothing but one folder,
   which is not a student's. Returns 0, or -1 with errno. */
static void go_down(struct grade_intake *intake)
{
    struct grade_listing *const l = &intake->listing;
    struct grade_tree *const tree = &intake->tree;

    tree->base = base_text("%s", "");
    if (tree->base != NULL)
        grade_tree_list(tree, tree->base, l);
    for (int depth = 0; depth < DEEPEST; depth++) {
        const struct grade_entry *one = NULL;
        struct grade_listing below;
        size_t shown = 0;
        char *base;

        for (size_t i = 0; i < l->entries; i++) {
            if (l->entry[i].name[0] == '.')
                continue;
            shown++;
            one = &l->entry[i];
        }
        if (shown != 1 || !one->is_folder ||
            (!tree->is_archive && grade_archive_ending(one->name) > 0))
            return;
        base = base_text("%s%s/", tree->base, one->name);
        if (base == NULL)
            return;
        grade_tree_list(tree, base, &below);
        if (!holds_students(&below)) {
            grade_listing_free(&below);
            free(base);
            return;
        }
        grade_listing_free(l);
        free(tree->base);
        *l = below;
        tree->base = base;
    }
}

/* --- whose it is ---------------------------------------------------------- */

/* What a student has handed in; a new one if it is the first thing. NULL
   without memory. */
static struct grade_parcel *find_parcel(struct grade_intake *intake,
                                        const char *student, const char *name,
                                        int listed)
{
    struct grade_parcel *p;

    for (size_t i = 0; i < intake->students; i++) {
        if (strcmp(intake->parcel[i].student, student) == 0)
            return &intake->parcel[i];
    }
    p = base_list_add(&intake->parcel, &intake->students, sizeof *p);
    if (p == NULL)
        return NULL;
    *p = (struct grade_parcel){.student = base_text("%s", student),
                               .name = base_text("%s", name),
                               .listed = listed};
    if (p->student != NULL && p->name != NULL)
        return p;
    intake->students--;
    return NULL;
}

/* Is a path none of a person's: .git/config, __MACOSX/._tiling.cu? */
static int is_of_a_program(const char *path)
{
    return *path == '.' || strstr(path, "/.") != NULL ||
           strstr(path, "__MACOSX/") != NULL;
}

/* The file of that name in another attempt; NULL: there is none, or the system
   gives one attempt alone. */
static struct grade_file *find_attempted(const struct grade_parcel *p,
                                         const struct grade_file *own)
{
    for (size_t i = 0; own->said[0] != '\0' && i < p->files; i++) {
        if (strcmp(p->file[i].path, own->path) == 0)
            return &p->file[i];
    }
    return NULL;
}

/* Adds an entry's files. Of several attempts the last one has it. */
static void add_files(const struct grade_tree *tree, struct grade_parcel *p,
                      const struct grade_entry *e,
                      const struct grade_owner *owner)
{
    const char *const called = owner->called;
    const size_t above = strlen(tree->base) + strlen(e->name);

    for (size_t i = e->first; i < e->first + e->items; i++) {
        const struct grade_item *const item = &tree->all.item[i];
        const char *rest = item->path + above;
        struct grade_file *file, own = {.item = item, .late = owner->late};

        rest += *rest == '/';
        if (item->path[strlen(item->path) - 1] == '/' && item->error == 0)
            continue;
        if (p->files == MOST_FILES || grade_tree_passes_over(rest)) {
            p->is_passed_over |= !is_of_a_program(rest);
            continue;
        }
        snprintf(own.said, sizeof own.said, "%s", owner->said);
        own.path = base_text("%s%s%s",
                             called != NULL  ? called
                             : *rest == '\0' ? e->name
                                             : "",
                             called != NULL && *rest != '\0' ? "/" : "", rest);
        if (own.path == NULL)
            return;
        file = find_attempted(p, &own);
        if (file == NULL)
            file = base_list_add(&p->file, &p->files, sizeof *file);
        if (file == NULL || strcmp(file->said, own.said) > 0) {
            free(own.path); /* or a later attempt has it */
            continue;
        }
        free(file->path);
        *file = own;
    }
}

/*
 * Is this owner one of two of the same name? Where a folder has another number,
 * it is another person's. several: more than one on the roster has the name;
 * then folders of the same number may be theirs as well, for what Brightspace's
 * numbers say is not known.
 */
static int is_of_two(const struct grade_intake *intake,
                     const struct grade_owner *owner, int several)
{
    const struct grade_listing *const l = &intake->listing;
    int found = 0;

    for (size_t i = 0; owner->apart != NULL && i < l->entries && !found; i++) {
        struct grade_owner other;

        if (strstr(l->entry[i].name, owner->name) == NULL)
            continue;
        found = grade_layout_owner(intake->layout, &l->entry[i], &other) &&
                other.apart != NULL && other.name != NULL &&
                strcmp(other.name, owner->name) == 0 &&
                strcmp(other.apart, owner->apart) != 0 &&
                (several || strcmp(other.number, owner->number) != 0);
        grade_owner_free(&other);
    }
    return found;
}

/*
 * Who on the roster is it? NULL: nobody, or it is not known; *apart is then the
 * owner's name as it is told from that of another, or NULL: it need not be.
 * Moodle's number is a person's: of two who handed in under one name, the name
 * alone names neither, even if one of them is not on the roster.
 */
static const struct grade_person *find_person(const struct grade_intake *intake,
                                              const struct grade_owner *owner,
                                              const struct grade_roster *roster,
                                              const char **apart)
{
    const struct grade_person *person =
        roster != NULL ? grade_roster_find(roster, owner) : NULL;
    const int is_sure =
        person != NULL &&
        (intake->layout != GRADE_MOODLE_FOLDERS ||
         strcmp(person->alias[GRADE_SYSTEM], owner->number) == 0);

    *apart = NULL;
    if (is_sure || owner->apart == NULL || owner->name == NULL ||
        !is_of_two(intake, owner,
                   person == NULL && roster != NULL &&
                       grade_roster_has_name(roster, owner->name)))
        return person;
    *apart = owner->apart;
    return NULL;
}

/* Adds an entry to what its owner has handed in; team: 0, or the number of
   those who handed it in together. */
static void add_piece(struct grade_intake *intake,
                      const struct grade_entry *entry,
                      const struct grade_owner *owner,
                      const struct grade_roster *roster, int team)
{
    const char *apart;
    const struct grade_person *const person =
        find_person(intake, owner, roster, &apart);
    const char *const said[] = {person != NULL ? person->id : NULL,
                                owner->any,
                                intake->layout == GRADE_CANVAS_FILES
                                    ? owner->alias[GRADE_SYSTEM]
                                    : NULL,
                                owner->alias[GRADE_MATRICULATION],
                                owner->alias[GRADE_EMAIL],
                                apart,
                                owner->name};
    const char *id = entry->name;
    const char **piece;
    struct grade_parcel *p;

    for (size_t i = sizeof said / sizeof *said; i-- > 0;)
        id = said[i] != NULL && *said[i] != '\0' ? said[i] : id;
    p = find_parcel(intake, id,
                    owner->name != NULL && owner->any == NULL ? owner->name
                                                              : "",
                    person != NULL);
    piece =
        p != NULL ? base_list_add(&p->piece, &p->pieces, sizeof *piece) : NULL;
    if (piece == NULL)
        return;
    *piece = entry->name;
    if (owner->handed > p->handed)
        p->handed = owner->handed;
    if (strcmp(owner->said, p->said) > 0)
        snprintf(p->said, sizeof p->said, "%s", owner->said);
    p->team = team != 0 ? team : p->team;
    add_files(&intake->tree, p, entry, owner);
}

/* The text of Gradescope's list; NULL with a line in why. */
static char *read_metadata(const struct grade_intake *intake, char *why,
                           size_t size)
{
    struct grade_handed handed = {.verdict = GRADE_MISSING};
    struct grade_file list = {
        .path = base_text("%s" GRADE_METADATA, intake->tree.base)};

    if (list.path != NULL) {
        list.item =
            &intake->tree.all.item[grade_tree_find(&intake->tree, list.path)];
        grade_intake_read(intake, &list, GRADE_METADATA_LARGEST, &handed);
        free(list.path);
    }
    if (handed.source == NULL)
        snprintf(why, size, "%s", handed.text);
    return handed.source;
}

/* Hands each entry to its owners. Returns 0, or -1 with why. */
static int share_out(struct grade_intake *intake,
                     const struct grade_roster *roster, char *why, size_t size)
{
    struct grade_listing *const l = &intake->listing;
    char *metadata = NULL;

    if (l->entries > 0)
        qsort(l->entry, l->entries, sizeof *l->entry, grade_names_compare);
    intake->layout = grade_layout_of(l);
    if (intake->layout == GRADE_GRADESCOPE_EXPORT &&
        (metadata = read_metadata(intake, why, size)) == NULL)
        return -1;
    for (size_t i = 0; i < l->entries; i++) {
        struct grade_entry *const e = &l->entry[i];
        struct grade_owner owner;
        int n = 0, found, team = 0;

        /* Gradescope names all of a group; a negative number is theirs. */
        if (metadata != NULL &&
            grade_layout_submitter(metadata, e->name, 1, &owner))
            team = -(int)i - 1;
        if (metadata != NULL)
            grade_owner_free(&owner);
        do {
            found = metadata != NULL
                        ? grade_layout_submitter(metadata, e->name, n, &owner)
                        : grade_layout_owner(intake->layout, e, &owner);
            if (found)
                add_piece(intake, e, &owner, roster, team);
            grade_owner_free(&owner);
        } while (found && metadata != NULL && ++n > 0);
        e->is_nobodys =
            !found && n == 0 &&
            (metadata == NULL || strstr(e->name, GRADE_METADATA) == NULL);
    }
    if (intake->students > 0) {
        qsort(intake->parcel, intake->students, sizeof *intake->parcel,
              grade_names_compare);
    }
    for (size_t i = 0; i < intake->students; i++) {
        struct grade_parcel *const p = &intake->parcel[i];

        if (p->files > 0)
            qsort(p->file, p->files, sizeof *p->file, grade_names_compare);
    }
    free(metadata);
    return 0;
}

int grade_intake_own(struct grade_intake *intake, const char *student)
{
    struct grade_owner owner = {.any = base_text("%s", student)};
    const unsigned before = base_memory_failures();
    static char nothing[] = "";
    struct grade_entry all = {.name = nothing};

    *intake = (struct grade_intake){
        .is_own = 1,
        .tree = {.folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                 .base = base_text("%s", "")}};
    if (intake->tree.folder >= 0 && intake->tree.base != NULL) {
        grade_tree_read(&intake->tree, 1);
        all.items = intake->tree.all.items;
        add_piece(intake, &all, &owner, NULL, 0);
    }
    free(owner.any);
    return intake->students == 1 && base_memory_failures() == before ? 0 : -1;
}

/* Reads what lies at `path`, which is open. */
static int read_all(struct grade_intake *intake, const char *path,
                    const struct grade_roster *roster, char *why, size_t size)
{
    const struct grade_item *first;

    grade_tree_read(&intake->tree, 0);
    first = intake->tree.all.item;
    if (first != NULL && *first->path == '\0') {
        return base_refuse(why, size, "%s: %s", path,
                           first->refusal != NULL ? first->refusal
                                                  : strerror(first->error));
    }
    go_down(intake);
    return share_out(intake, roster, why, size);
}

int grade_intake_open(struct grade_intake *intake, const char *path,
                      const struct grade_roster *roster, char *why, size_t size)
{
    const unsigned before = base_memory_failures();
    struct stat status;
    int failed;

    *intake = (struct grade_intake){
        .tree.folder = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    failed =
        intake->tree.folder < 0 || fstat(intake->tree.folder, &status) != 0;
    intake->tree.is_archive = !failed && !S_ISDIR(status.st_mode);
    if (intake->tree.is_archive && grade_archive_ending(path) == 0) {
        failed = 1;
        errno = ENOTDIR;
    }
    if (failed) {
        snprintf(why, size,
                 "%s: %s (give the folder that holds the students' folders, "
                 "or what the system gave, as a .zip)",
                 path, strerror(errno));
    } else {
        *why = '\0';
        failed = read_all(intake, path, roster, why, size) != 0;
        if (base_memory_failures() != before)
            failed = base_refuse(why, size, "%s: %s", path, strerror(ENOMEM));
    }
    if (failed)
        grade_intake_close(intake);
    return failed ? -1 : 0;
}

void grade_intake_close(struct grade_intake *intake)
{
    for (size_t i = 0; i < intake->students; i++) {
        struct grade_parcel *const p = &intake->parcel[i];

        for (size_t k = 0; k < p->files; k++)
            free(p->file[k].path);
        free(p->piece);
        free(p->file);
        free(p->student);
        free(p->name);
    }
    free(intake->parcel);
    grade_listing_free(&intake->listing);
    if (intake->git[0] != '\0')
        grade_remove_tree(intake->git);
    grade_tree_free(&intake->tree);
    *intake = (struct grade_intake){.tree.folder = -1};
}

char *grade_intake_beside(const char *submissions, const char *ending)
{
    size_t length = strlen(submissions);

    while (length > 1 && submissions[length - 1] == '/')
        length--;
    if (submissions[length] == '\0')
        length -= grade_archive_ending(submissions);
    return base_text("%.*s%s", (int)length, submissions, ending);
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
    const char *const guess = intake->layout == GRADE_FOLDERS
                                  ? grade_layout_guess(&intake->listing)
                                  : NULL;

    fprintf(to, "  taken for %s: %zu students",
            grade_layout_name[intake->layout], intake->students);
    if (roster != NULL) {
        fprintf(to, "; %zu of the %zu on the roster handed in",
                grade_intake_listed(intake), roster->persons);
    }
    fputc('\n', to);
    for (size_t i = 0; roster != NULL && i < intake->students; i++) {
        const struct grade_parcel *const p = &intake->parcel[i];

        if (!p->listed) {
            grade_names_tell(&unlisted,
                             *p->name != '\0' ? p->name : p->student);
        }
    }
    grade_names_end(&unlisted, "\n");
    if (guess != NULL)
        fprintf(to, "  this is no form that is known: %s\n", guess);
    for (size_t i = 0; i < intake->listing.entries && guess == NULL; i++) {
        if (intake->listing.entry[i].is_nobodys)
            grade_names_tell(&others, intake->listing.entry[i].name);
    }
    grade_names_end(&others, "\n");
}
