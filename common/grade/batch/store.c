#define _GNU_SOURCE
#include "grade/batch/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "grade/batch/record.h"
#include "grade/base/remove_tree.h"

enum {
    LOCK_TRIES = 100, /* a killed grader's processes are gone by then */
    LOCK_PAUSE = 30   /* ms */
};

static const char work_begins[] = "/grade.", note_begins[] = "work-";

/* The path of something in the store, for free(); NULL with errno. */
static char *path_of(const struct grade_store *store, const char *name)
{
    char *path;

    return asprintf(&path, "%s/%s", store->path, name) >= 0 ? path : NULL;
}

static int complain_of_path(const char *path, const char *what, char *why,
                            size_t size)
{
    snprintf(why, size, "%s: %s: %s", path, what, strerror(errno));
    return -1;
}

/* --- seed ----------------------------------------------------------------- */

/* Reads 16 hexadecimal digits. Returns 0 or -1. */
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
    char *const part = strdup(path);
    int result = -1;

    if (part == NULL)
        return -1;
    for (char *slash = strchr(part + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0777); /* what is wrong is told by the last one */
        *slash = '/';
    }
    if (mkdir(part, 0700) == 0 || errno == EEXIST)
        result = 0;
    free(part);
    return result;
}

/* Takes the lock of the store: alone, or shared with others that say so.
   Returns 0, or -1 with errno. */
static int take_lock(struct grade_store *store, int shared)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE * 1000000L};
    char *const path = path_of(store, "lock");

    if (path == NULL)
        return -1;
    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    free(path);
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
static void remove_noted(const struct grade_store *store, const char *note)
{
    char why[300];
    char *const path = path_of(store, note);
    char *const work =
        path != NULL ? base_read_file(path, why, sizeof why) : NULL;

    if (work != NULL) {
        const char *const name = strrchr(work, '/');
        struct stat status;

        work[strcspn(work, "\n")] = '\0';
        if (name != NULL && work[0] == '/' &&
            strncmp(name, work_begins, sizeof work_begins - 1) == 0 &&
            lstat(work, &status) == 0 && S_ISDIR(status.st_mode) &&
            status.st_uid == geteuid())
            grade_remove_tree(work);
    }
    if (path != NULL)
        unlink(path);
    free(work);
    free(path);
}

/* Removes what graders that were killed left on this machine, from a folder of
   the store and from those below it: half-written files, and the temporary
   folders that are noted. */
static void sweep(const struct grade_store *store, int at, const char *name,
                  int depth)
{
    const int folder =
        openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *const listing = folder >= 0 ? fdopendir(folder) : NULL;
    const struct dirent *entry;

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        const char *const n = entry->d_name;

        if (n[0] == '.')
            continue;
        /* base_write_file and draw_seed write to NAME.XXXXXX first. */
        if (strstr(n, ".record.") != NULL || strncmp(n, "seed.", 5) == 0) {
            unlinkat(dirfd(listing), n, 0);
        } else if (strncmp(n, note_begins, sizeof note_begins - 1) == 0) {
            remove_noted(store, n);
        } else if (depth > 0) {
            sweep(store, dirfd(listing), n, depth - 1);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    } else if (folder >= 0) {
        close(folder);
    }
}

int grade_store_open(struct grade_store *store, const char *path,
                     const char *seed_file, int shared, char *why, size_t size)
{
    char *seed = NULL, *results = NULL;
    int result = -1;

    *store = (struct grade_store){.path = strdup(path), .lock = -1};
    if (store->path != NULL) {
        seed = seed_file != NULL ? strdup(seed_file) : path_of(store, "seed");
        results = path_of(store, "results");
    }
    if (seed == NULL || results == NULL || make_private_folder(path) != 0 ||
        (mkdir(results, 0700) != 0 && errno != EEXIST)) {
        complain_of_path(path, "cannot be made", why, size);
    } else if (take_lock(store, shared) != 0) {
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
            sweep(store, AT_FDCWD, path, 2);
        result = take_seed(seed, &store->seed, why, size);
    }
    free(results);
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

void grade_store_id(const char *student, char id[GRADE_STORE_ID])
{
    struct grade_digest digest;
    char text[GRADE_DIGEST_TEXT];

    grade_digest_begin(&digest);
    grade_digest_string(&digest, student);
    grade_digest_end(&digest, text);
    snprintf(id, GRADE_STORE_ID, "%.*s", GRADE_STORE_ID - 1, text);
}

/* The path of a student's folder, or of a lab in it; for free(). */
static char *record_path(const struct grade_store *store, const char *student,
                         const char *lab)
{
    char id[GRADE_STORE_ID], *path;

    grade_store_id(student, id);
    if (asprintf(&path, "%s/results/%s%s%s%s", store->path, id,
                 lab != NULL ? "/" : "", lab != NULL ? lab : "",
                 lab != NULL ? ".record" : "") < 0)
        return NULL;
    return path;
}

int grade_store_put(const struct grade_store *store, const char *student,
                    const char *key, const struct grade_result *result,
                    char *why, size_t size)
{
    char *const folder = record_path(store, student, NULL);
    char *const path = record_path(store, student, result->lab);
    char *const text = grade_record_write(result, key, student);
    int done = -1;

    if (folder == NULL || path == NULL || text == NULL) {
        snprintf(why, size, "%s: %s", store->path, strerror(ENOMEM));
    } else if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        complain_of_path(folder, "cannot be made", why, size);
    } else {
        done = base_write_file(path, text, why, size);
    }
    free(folder);
    free(path);
    free(text);
    return done;
}

int grade_store_get(const struct grade_store *store, const char *student,
                    const char *lab, const char *key,
                    struct grade_result *result)
{
    char why[300];
    char *const path = record_path(store, student, lab);
    char *const text = path != NULL && access(path, R_OK) == 0
                           ? base_read_file(path, why, sizeof why)
                           : NULL;
    const int found = text != NULL ? grade_record_read(text, key, result) : 0;

    free(text);
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
    int noted = 0;

    /* The note comes first, so the name is not mkdtemp's. */
    if (getrandom(&number, sizeof number, 0) == (ssize_t)sizeof number &&
        asprintf(&work, "%s%s%016" PRIx64, below, work_begins, number) >= 0 &&
        asprintf(&note, "%s/%s%016" PRIx64, store->path, note_begins, number) >=
            0) {
        noted = base_write_file(note, work, why, size) == 0;
        /* A slot's folder below it may belong to the slot's own user; chmod,
           whatever the umask. */
        if (noted && mkdir(work, 0711) == 0 && chmod(work, 0711) == 0) {
            free(note);
            return work;
        }
    }
    if (noted || note == NULL)
        complain_of_path(below, "no temporary folder can be made", why, size);
    free(note);
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
