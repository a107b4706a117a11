#define _GNU_SOURCE
#include "grade/publish/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/publish/exports.h"
#include "grade/publish/feedback.h"
#include "grade/base/text.h"

static const char *const word[GRADE_EXPORTS] = {"canvas", "moodle",
                                                "gradescope", "github"};

/* --- what is wanted ------------------------------------------------------- */

/* Sets wanted[] by the words. Returns 0, or -1 with why. */
static int read_export_words(const char *words, int wanted[GRADE_EXPORTS],
                             char *why, size_t size)
{
    char *rest = NULL, *const copy = strdup(words != NULL ? words : "");
    int result = 0;

    memset(wanted, 0, GRADE_EXPORTS * sizeof *wanted);
    if (copy == NULL) {
        snprintf(why, size, "--export: %s", strerror(ENOMEM));
        return -1;
    }
    for (char *w = strtok_r(copy, " ,", &rest); w != NULL && result == 0;
         w = strtok_r(NULL, " ,", &rest)) {
        int which = 0;

        while (which < GRADE_EXPORTS && strcmp(w, word[which]) != 0)
            which++;
        if (which < GRADE_EXPORTS) {
            wanted[which] = 1;
            continue;
        }
        snprintf(why, size,
                 "--export: '%.40s' is not known: use canvas, moodle, "
                 "gradescope and github",
                 w);
        result = -1;
    }
    free(copy);
    return result;
}

/* Does an export have the file that it needs, and the file its export? */
static int check_file(int is_wanted, const char *export, const char *setting,
                      const char *what, const char *file, char *why,
                      size_t size)
{
    struct stat status;

    if (is_wanted && file == NULL) {
        snprintf(why, size, "--export: %s needs %s, %s", export, setting, what);
        return -1;
    }
    if (!is_wanted && file != NULL) {
        snprintf(why, size, "%s goes with EXPORT=%s", setting, export);
        return -1;
    }
    if (file != NULL && (access(file, R_OK) != 0 || stat(file, &status) != 0)) {
        snprintf(why, size, "%s: %s", file, strerror(errno));
        return -1;
    }
    if (file != NULL && !S_ISREG(status.st_mode)) {
        snprintf(why, size, "%s: is no file: give a CSV file", file);
        return -1;
    }
    return 0;
}

int grade_export_check(const struct grade_export_wanted *wanted, char *why,
                       size_t size)
{
    int of[GRADE_EXPORTS];

    if (read_export_words(wanted->words, of, why, size) != 0 ||
        check_file(of[GRADE_CANVAS], "canvas", "CANVAS=FILE",
                   "the gradebook as Canvas exports it", wanted->canvas, why,
                   size) != 0 ||
        check_file(of[GRADE_MOODLE], "moodle", "MOODLE=FILE",
                   "the list of the course's users", wanted->moodle, why,
                   size) != 0)
        return -1;
    return 0;
}

/* --- writing -------------------------------------------------------------- */

static int write_one(enum grade_export which,
                     const struct grade_export_wanted *wanted,
                     const char *folder, const struct grade_class *class,
                     int own, FILE *tell, char *why, size_t size)
{
    static const char *const file[GRADE_EXPORTS] = {
        "canvas.csv", "moodle.csv", "gradescope", "github.txt"};
    char *path = NULL, *beside = NULL;
    int result = -1;

    if (asprintf(&path, "%s/%s", folder, file[which]) < 0 ||
        asprintf(&beside, "%s/github.md", folder) < 0) {
        snprintf(why, size, "%s: %s", folder, strerror(ENOMEM));
        return -1;
    }
    switch (which) {
    case GRADE_CANVAS:
        result =
            grade_export_canvas(path, wanted->canvas, class, tell, why, size);
        break;
    case GRADE_MOODLE:
        result =
            grade_export_moodle(path, wanted->moodle, class, tell, why, size);
        break;
    case GRADE_GRADESCOPE:
        result = grade_numbered_write(path, class, ".json", grade_gradescope,
                                      why, size);
        break;
    default:
        result = grade_export_github(path, beside, class, own, why, size);
        break;
    }
    if (result == 0 && which != GRADE_CANVAS && which != GRADE_MOODLE)
        fprintf(tell, "  %s: %s\n", word[which], path);
    free(path);
    free(beside);
    return result;
}

int grade_export_write(const struct grade_export_wanted *wanted,
                       const char *folder, const struct grade_class *class,
                       int own, FILE *tell, char *why, size_t size)
{
    int of[GRADE_EXPORTS], any = 0;

    if (read_export_words(wanted->words, of, why, size) != 0)
        return -1;
    for (int i = 0; i < GRADE_EXPORTS; i++)
        any |= of[i];
    if (any && mkdir(folder, 0700) != 0 && errno != EEXIST) {
        snprintf(why, size, "%s: %s", folder, strerror(errno));
        return -1;
    }
    for (int i = 0; i < GRADE_EXPORTS; i++) {
        if (of[i] && write_one((enum grade_export)i, wanted, folder, class, own,
                               tell, why, size) != 0)
            return -1;
    }
    return 0;
}
