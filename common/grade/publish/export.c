/* Which learning systems are results written for, and with which files? */
#define _POSIX_C_SOURCE 200809L
#include "grade/publish/papers.h"

#include <string.h>

#include "base/refuse.h"

static const struct {
    const char *word;
    grade_export_one *write;
    const char *setting, *needs; /* the table that it needs, or NULL */
} known[GRADE_EXPORTS] = {{"canvas", grade_export_canvas, "CANVAS=FILE",
                           "the gradebook as Canvas exports it"},
                          {"moodle", grade_export_moodle, "MOODLE=FILE",
                           "the list of the course's users"},
                          {"gradescope", grade_export_gradescope, NULL, NULL},
                          {"github", grade_export_github, NULL, NULL}};

int grade_export_read(const char *words, void *to, char *why, size_t size)
{
    struct grade_export_wanted *const wanted = to;
    char copy[200], *rest = NULL;

    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, " ,", &rest); word != NULL;
         word = strtok_r(NULL, " ,", &rest)) {
        int which = 0;

        while (which < GRADE_EXPORTS && strcmp(known[which].word, word) != 0)
            which++;
        if (which == GRADE_EXPORTS) {
            return base_refuse(
                why, size,
                "--export: '%.40s' is not known: use canvas, moodle, "
                "gradescope and github",
                word);
        }
        wanted->is_wanted[which] = wanted->is_any = 1;
    }
    return 0;
}

int grade_export_check(const struct grade_export_wanted *wanted, char *why,
                       size_t size)
{
    struct grade_table table;

    for (int i = 0; i < GRADE_EXPORTS; i++) {
        const char *const given = wanted->given[i];

        if (known[i].needs != NULL && wanted->is_wanted[i] && given == NULL) {
            return base_refuse(why, size, "--export: %s needs %s, %s",
                               known[i].word, known[i].setting, known[i].needs);
        }
        if (given != NULL && !wanted->is_wanted[i]) {
            return base_refuse(why, size, "%s goes with EXPORT=%s",
                               known[i].setting, known[i].word);
        }
        if (given != NULL && grade_table_read(&table, given, why, size) != 0)
            return -1;
        if (given != NULL)
            base_csv_free(&table.csv);
    }
    return 0;
}

int grade_export(const struct grade_papers *papers,
                 const struct grade_export_wanted *wanted)
{
    for (int i = 0; i < GRADE_EXPORTS; i++) {
        if (wanted->is_wanted[i] &&
            known[i].write(papers, wanted->given[i]) != 0)
            return -1;
    }
    return 0;
}
