#define _GNU_SOURCE
#include "grade/publish/exports.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/base/text.h"
#include "base/replace_file.h"

void grade_numbered_name(const struct grade_class *class, size_t row,
                         const char *ending, char name[GRADE_NUMBERED])
{
    char harmless[GRADE_FILE_NAME];

    grade_text_file_name(class->row[row].student, harmless);
    snprintf(name, GRADE_NUMBERED, "%04zu_%s%s", row + 1, harmless, ending);
}

/* Is it a file of an earlier run, or the half of one, that no row has now? */
static int is_old(const struct grade_class *class, const char *name,
                  const char *ending)
{
    const size_t digits = strspn(name, "0123456789");
    const size_t row = strtoul(name, NULL, 10);
    const char *const end = strstr(name, ending);
    char now[GRADE_NUMBERED];

    if (digits < 4 || name[digits] != '_' || end == NULL)
        return 0;
    if (row == 0 || row > class->rows)
        return 1;
    grade_numbered_name(class, row - 1, ending, now);
    return strcmp(name, now) != 0;
}

/* Makes the folder, or removes what is old in it. */
static int begin_folder(const char *folder, const struct grade_class *class,
                        const char *ending, char *why, size_t size)
{
    const struct dirent *entry;
    DIR *listing;

    if ((mkdir(folder, 0700) != 0 && errno != EEXIST) ||
        (listing = opendir(folder)) == NULL) {
        snprintf(why, size, "%s: %s", folder, strerror(errno));
        return -1;
    }
    while ((entry = readdir(listing)) != NULL) {
        if (is_old(class, entry->d_name, ending))
            unlinkat(dirfd(listing), entry->d_name, 0);
    }
    closedir(listing);
    return 0;
}

static int write_row_file(const char *folder, const struct grade_class *class,
                          size_t row, const char *ending, grade_put_row *put,
                          char *why, size_t size)
{
    char name[GRADE_NUMBERED], *path;
    struct base_replacement r;
    int failed, result;

    grade_numbered_name(class, row, ending, name);
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        snprintf(why, size, "%s: %s", folder, strerror(ENOMEM));
        return -1;
    }
    result = base_replace_begin(&r, path, why, size);
    if (result == 0) {
        failed = put(r.file, class, &class->row[row]) != 0;
        result = base_replace_end(&r, failed ? -1 : 1, why, size);
    }
    free(path);
    return result;
}

/* Has one of the signals come that the grader holds back (engine.h)? */
static int is_asked_to_end(void)
{
    sigset_t pending;

    return sigpending(&pending) == 0 && (sigismember(&pending, SIGINT) == 1 ||
                                         sigismember(&pending, SIGTERM) == 1 ||
                                         sigismember(&pending, SIGHUP) == 1);
}

int grade_numbered_write(const char *folder, const struct grade_class *class,
                         const char *ending, grade_put_row *put, char *why,
                         size_t size)
{
    int result = begin_folder(folder, class, ending, why, size);

    for (size_t i = 0; i < class->rows && result == 0; i++) {
        if (is_asked_to_end()) {
            snprintf(why, size,
                     "%s: ended by a signal; the same command goes "
                     "on from there",
                     folder);
            result = -1;
        } else {
            result = write_row_file(folder, class, i, ending, put, why, size);
        }
    }
    return result;
}
