#define _GNU_SOURCE
#include "grade/publish/exports.h"
#include "grade/publish/feedback.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "course/file.h"
#include "grade/base/text.h"

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

int grade_numbered_sweep(const char *folder, const struct grade_class *class,
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

int grade_numbered_write(const char *folder, const struct grade_class *class,
                         size_t row, const char *ending, const char *text,
                         char *why, size_t size)
{
    char name[GRADE_NUMBERED], *path;
    int result;

    grade_numbered_name(class, row, ending, name);
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        snprintf(why, size, "%s: %s", folder, strerror(ENOMEM));
        return -1;
    }
    result = course_write_file(path, text, why, size);
    free(path);
    return result;
}

int grade_feedback_write(const char *folder, const struct grade_class *class,
                         char *why, size_t size)
{
    int result = grade_numbered_sweep(folder, class, ".md", why, size);

    for (size_t i = 0; i < class->rows && result == 0; i++) {
        char *text = NULL;
        size_t length;
        FILE *const file = open_memstream(&text, &length);

        if (file != NULL)
            grade_feedback_row(file, class, &class->row[i], GRADE_MARKDOWN, 0);
        if (file == NULL || fclose(file) != 0) {
            snprintf(why, size, "%s: %s", folder, strerror(ENOMEM));
            result = -1;
        } else {
            result =
                grade_numbered_write(folder, class, i, ".md", text, why, size);
        }
        free(text);
    }
    return result;
}

int grade_gradescope_write(const char *folder, const struct grade_class *class,
                           char *why, size_t size)
{
    int result = grade_numbered_sweep(folder, class, ".json", why, size);

    for (size_t i = 0; i < class->rows && result == 0; i++) {
        char *text = NULL;

        if (grade_gradescope(class, &class->row[i], &text) != 0) {
            snprintf(why, size, "%s: %s", folder, strerror(ENOMEM));
            return -1;
        }
        result =
            grade_numbered_write(folder, class, i, ".json", text, why, size);
        free(text);
    }
    return result;
}
