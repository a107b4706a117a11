#define _GNU_SOURCE
#include "grade/batch/store.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/refuse.h"
#include "base/replace_file.h"
#include "grade/base/clean_up.h"

enum {
    LOCK_TRIES = 100, /* a killed grader's processes are gone by then */
    LOCK_PAUSE = 30,  /* ms */
    DESCRIPTORS = 16, /* folders that are open at a time */
    ID = 32           /* digits of a digest */
};

static const char work_begins[] = "/grade.", note_begins[] = "work-";

static int complain_of_path(const char *path, const char *what, char *why,
                            size_t size)
{
    return base_refuse(why, size, "%s: %s: %s", path, what, strerror(errno));
}

/* --- seed ----------------------------------------------------------------- */

static int parse_seed(const char *text, uint64_t *seed)
{
    const size_t digits = strspn(text, "0123456789abcdef");

    if (digits != 16 || (text[16] != '\0' && strcmp(text + 16, "\n") != 0))
        return -1;
    *seed = strtoull(text, NULL, 16);
    return 0;
}

/* Draws a seed and puts it at path, whole or not at all, unless one came there
   in the meantime. Returns 0, or -1 with errno. */
static int draw_seed(const char *path)
{
    uint64_t seed;
    char *temporary, text[18];
    int file, failed;

    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed ||
        asprintf(&temporary, "%s.XXXXXX", path) < 0)
        return -1;
    snprintf(text, sizeof text, "%016" PRIx64 "\n", seed);
    file = mkstemp(temporary); /* mode 0600 */
    failed = file < 0 || write(file, text, 17) != 17 || fsync(file) != 0 ||
             (link(temporary, path) != 0 && errno != EEXIST);
    if (file >= 0) {
        const int error = errno;

        close(file);
        unlink(temporary);
        errno = error;
    }
    free(temporary);
    return failed ? -1 : 0;
}

static int take_seed(const char *path, uint64_t *seed, char *why, size_t size)
{
    char *text;
    int result;

    if (access(path, F_OK) != 0 && errno == ENOENT && draw_seed(path) != 0)
        return complain_of_path(path, "the seed cannot be kept", why, size);
    text = base_read_file(path, why, size);
    if (text == NULL)
        return -1;
    result = parse_seed(text, seed);
    if (result != 0) {
        snprintf(why, size,
                 "%s: is no seed of 16 hexadecimal digits (0 to 9, a to f); "
                 "without the file a new one is drawn, and all is graded anew",
                 path);
    }
    free(text);
    return result;
}

/* --- the folder ----------------------------------------------------------- */

/* Makes a folder for its owner alone, with those above it. */
static int make_private_folder(const char *path)
{
    base_make_folders(path);
    return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : -1;
}

/* Takes the lock of the store: alone, or shared with others that say so. */
static int take_lock(struct grade_store *store, const char *path, int shared)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE * 1000000L};

    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (store->lock < 0)
        return -1;
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(store->lock, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0)
            return 0;
        if (errno != EWOULDBLOCK)
            return -1;
        nanosleep(&pause, NULL);
    }
    errno = EWOULDBLOCK;
    return -1;
}

/* Removes the folder that a note names, if it is a grader's, and the note. */
static void remove_noted(const char *note)
{
    char work[PATH_MAX] = "";
    const ssize_t length = readlink(note, work, sizeof work - 1);
    const char *const name = strrchr(work, '/');
    struct stat status;

    if (length > 0 && name != NULL && work[0] == '/' &&
        strncmp(name, work_begins, sizeof work_begins - 1) == 0 &&
        lstat(work, &status) == 0 && S_ISDIR(status.st_mode) &&
        status.st_uid == geteuid())
        grade_remove_tree(work);
    unlink(note);
}

/* Is it a name that base_replace_begin gives: NAME.tmp. and six letters? */
static int is_temporary(const char *name)
{
    const size_t length = strlen(name);

    return length > 11 && strncmp(name + length - 11, ".tmp.", 5) == 0;
}

/* Removes what graders that were killed left on this machine: of what is in
   the store half-written files, and the temporary folders that are noted. */
static int sweep_one(const char *path, const struct stat *about, int kind,
                     struct FTW *place)
{
    const char *const name = path + place->base;
    const int is_at_top = place->level == 1;

    (void)about;
    /* draw_seed writes to seed.XXXXXX first, all else base_replace_begin. */
    if ((is_at_top && strncmp(name, "seed.", 5) == 0) ||
        (kind == FTW_F && is_temporary(name))) {
        unlink(path);
    } else if (is_at_top &&
               strncmp(name, note_begins, sizeof note_begins - 1) == 0) {
        remove_noted(path);
    }
    return 0;
}

int grade_store_open(struct grade_store *store, const char *path,
                     const char *seed_file, int shared, char *why, size_t size)
{
    char *results = NULL, *lock = NULL, *seed = NULL;
    int result = -1;

    *store = (struct grade_store){.path = strdup(path), .lock = -1};
    if (store->path == NULL || asprintf(&results, "%s/results", path) < 0 ||
        asprintf(&lock, "%s/lock", path) < 0 ||
        asprintf(&seed, "%s/seed", path) < 0 ||
        make_private_folder(path) != 0 ||
        (mkdir(results, 0700) != 0 && errno != EEXIST)) {
        complain_of_path(path, "cannot be made", why, size);
    } else if (take_lock(store, lock, shared) != 0) {
        if (errno == EWOULDBLOCK) {
            snprintf(why, size,
                     "%s: another grader is at work here (wait for it, or "
                     "name another folder: OUT=)",
                     path);
        } else {
            complain_of_path(path, "cannot be locked", why, size);
        }
    } else {
        if (!shared)
            nftw(path, sweep_one, DESCRIPTORS, FTW_PHYS);
        result = take_seed(seed_file != NULL ? seed_file : seed, &store->seed,
                           why, size);
    }
    free(results);
    free(lock);
    free(seed);
    if (result != 0)
        grade_store_close(store);
    return result;
}

void grade_store_close(struct grade_store *store)
{
    if (store->lock >= 0)
        close(store->lock); /* and unlock */
    free(store->path);
    *store = (struct grade_store){.lock = -1};
}

/* --- records -------------------------------------------------------------- */

/* ID of a student in results/. */
static void id_of(const char *student, char id[GRADE_DIGEST_TEXT])
{
    struct sha256_ctx digest;

    sha256_init(&digest);
    grade_digest_string(&digest, student);
    grade_digest_end(&digest, id);
    id[ID] = '\0';
}

static char *record_path(const struct grade_store *store, const char *student,
                         const char *lab)
{
    char id[GRADE_DIGEST_TEXT];

    id_of(student, id);
    return base_text("%s/results/%s/%s.record", store->path, id, lab);
}

int grade_store_put(const struct grade_store *store, const char *student,
                    const char *key, struct grade_result *result, char *why,
                    size_t size)
{
    char *const path = record_path(store, student, result->lab);
    char *const name = path != NULL ? strrchr(path, '/') : NULL;
    struct base_replacement r;
    int done = -1;

    if (name == NULL)
        return base_refuse(why, size, "%s: %s", store->path, strerror(ENOMEM));
    *name = '\0';
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        complain_of_path(path, "has no folder", why, size);
    } else {
        *name = '/';
        done = base_replace_begin(&r, path, why, size);
        if (done == 0) {
            grade_record_put(r.file, result, key, student);
            done = base_replace_end(&r, 1, why, size);
        }
    }
    free(path);
    return done;
}

int grade_store_get(const struct grade_store *store, const char *student,
                    const char *lab, const char *key,
                    struct grade_result *result)
{
    char *const path = record_path(store, student, lab);
    FILE *const from = path != NULL ? fopen(path, "re") : NULL;
    const int found = from != NULL && grade_record_get(from, key, result);

    if (from != NULL)
        fclose(from);
    free(path);
    return found;
}

/* --- the temporary folder ------------------------------------------------- */

char *grade_store_work(const struct grade_store *store, char *why, size_t size)
{
    const char *const given = getenv("TMPDIR");
    const char *const below = given != NULL && given[0] == '/' ? given : "/tmp";
    uint64_t number;
    char *note = NULL, *work = NULL;
    int made;

    /* The note comes first, so the name is not mkdtemp's. A slot's folder below
       it may belong to the slot's own user; chmod, whatever the umask. */
    made =
        getrandom(&number, sizeof number, 0) == (ssize_t)sizeof number &&
        asprintf(&work, "%s%s%016" PRIx64, below, work_begins, number) >= 0 &&
        asprintf(&note, "%s/%s%016" PRIx64, store->path, note_begins, number) >=
            0 &&
        symlink(work, note) == 0 && mkdir(work, 0711) == 0 &&
        chmod(work, 0711) == 0;
    free(note);
    if (made)
        return work;
    complain_of_path(below, "no temporary folder can be made", why, size);
    free(work);
    return NULL;
}

void grade_store_work_end(const struct grade_store *store, char *work)
{
    char *note = NULL;

    grade_remove_tree(work);
    if (asprintf(&note, "%s/%s%s", store->path, note_begins,
                 strrchr(work, '.') + 1) >= 0)
        unlink(note);
    free(note);
    free(work);
}

/* --- shares --------------------------------------------------------------- */

int grade_share_read(const char *text, void *to, char *why, size_t size)
{
    struct grade_share *const share = to;
    char number[7] = "", of[7] = "";
    int end = 0;

    sscanf(text, "%6[0-9]/%6[0-9]%n", number, of, &end);
    *share = (struct grade_share){.number = (int)strtol(number, NULL, 10),
                                  .of = (int)strtol(of, NULL, 10)};
    if (end > 0 && text[end] == '\0' && share->number >= 1 &&
        share->number <= share->of && share->of <= GRADE_SHARES)
        return 0;
    return base_refuse(
        why, size,
        "--share: '%.40s' is no share: use 2/8 for the second of eight", text);
}

/* The digest of a name is as good as a die. A student's labs go to shares next
   to each other, since some labs take longer than others. */
int grade_share_has(const struct grade_share *share, const char *student,
                    const char *lab)
{
    char id[GRADE_DIGEST_TEXT];
    unsigned long drawn;

    if (share->of == 0)
        return 1;
    id_of(student, id);
    id[8] = '\0';
    drawn = strtoul(id, NULL, 16) + strtoul(lab, NULL, 10);
    return drawn % (unsigned long)share->of == (unsigned long)share->number - 1;
}
