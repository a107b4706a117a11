#define _POSIX_C_SOURCE 200809L
#include "grade/publish/papers.h"

#include <stdlib.h>
#include <string.h>

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

/* Sets wanted[] by the words. Returns 0, or -1 with why. */
static int read_export_words(const char *words, int wanted[GRADE_EXPORTS],
                             char *why, size_t size)
{
    static const char between[] = " ,";

    memset(wanted, 0, GRADE_EXPORTS * sizeof *wanted);
    while (words != NULL && *(words += strspn(words, between)) != '\0') {
        const size_t length = strcspn(words, between);
        int which = 0;

        while (which < GRADE_EXPORTS &&
               (strlen(known[which].word) != length ||
                strncmp(words, known[which].word, length) != 0))
            which++;
        if (which == GRADE_EXPORTS) {
            snprintf(why, size,
                     "--export: '%.*s' is not known: use canvas, moodle, "
                     "gradescope and github",
                     length < 40 ? (int)length : 40, words);
            return -1;
        }
        wanted[which] = 1;
        words += length;
    }
    return 0;
}

int grade_export_check(const struct grade_export_wanted *wanted, char *why,
                       size_t size)
{
    int is_wanted[GRADE_EXPORTS];
    struct grade_table table;

    if (read_export_words(wanted->words, is_wanted, why, size) != 0)
        return -1;
    for (int i = 0; i < GRADE_EXPORTS; i++) {
        const char *const given = wanted->given[i];

        if (known[i].needs != NULL && is_wanted[i] && given == NULL) {
            snprintf(why, size, "--export: %s needs %s, %s", known[i].word,
                     known[i].setting, known[i].needs);
            return -1;
        }
        if (given != NULL && !is_wanted[i]) {
            snprintf(why, size, "%s goes with EXPORT=%s", known[i].setting,
                     known[i].word);
            return -1;
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
    int is_wanted[GRADE_EXPORTS];

    if (wanted->words == NULL)
        return 0;
    if (read_export_words(wanted->words, is_wanted, papers->why,
                          papers->size) != 0 ||
        grade_papers_folder(papers, "export") != 0)
        return -1;
    for (int i = 0; i < GRADE_EXPORTS; i++) {
        if (is_wanted[i] && known[i].write(papers, wanted->given[i]) != 0)
            return -1;
    }
    return 0;
}
