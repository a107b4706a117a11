/*
 * A grader that needs no box, for tests of all that is around it.
 *
 * The verdict is the source's first word: PASS, FAIL and so on. "half" passes
 * with half of the number's points; "crash" and "hang" are faults of the
 * grader's own process. FAKE_NO_BOX and FAKE_BROKEN_CONTROL in the environment
 * do what they say; who hangs makes the file that FAKE_HANGS names.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grade/judge/verdict.h"

int grade_box_probe(enum grade_isolation isolation, char *why, size_t size)
{
    if (getenv("FAKE_NO_BOX") == NULL || isolation != GRADE_BOXED)
        return 0;
    snprintf(why, size, "no box starts here: do this or that");
    return -1;
}

/* Which verdict does the source ask for? */
static enum grade_verdict asked(const char *source)
{
    for (int i = 0; i < GRADE_VERDICTS; i++) {
        const char *const word = grade_verdict_word[i];

        if (strncmp(source, word, strlen(word)) == 0)
            return (enum grade_verdict)i;
    }
    if (strncmp(source, "#define DROPPED 1", 17) == 0 &&
        getenv("FAKE_BROKEN_CONTROL") == NULL)
        return GRADE_FAIL;
    return GRADE_PASS;
}

static int add_case(struct grade_result *result, const char *name, int hidden,
                    const char *text)
{
    struct grade_case *const c = grade_result_case(result);

    if (c == NULL)
        return -1;
    snprintf(c->name, sizeof c->name, "%s", name);
    c->hidden = hidden;
    c->verdict = *text == '\0' ? GRADE_PASS : GRADE_FAIL;
    c->text = strdup(text);
    return c->text != NULL ? 0 : -1;
}

static void fill_points(struct grade_result *result, double number)
{
    const int right = result->verdict <= GRADE_UNCLEAN;

    result->points[GRADE_RIGHT] = right ? result->of[GRADE_RIGHT] : 0.0;
    result->points[GRADE_CLEAN] = right && result->verdict != GRADE_UNCLEAN
                                      ? result->of[GRADE_CLEAN]
                                      : 0.0;
    result->points[GRADE_NUMBER] =
        result->verdict == GRADE_PASS ? number * result->of[GRADE_NUMBER] : 0.0;
}

/* For good, once the file says so. */
_Noreturn static void hang(void)
{
    const char *const path = getenv("FAKE_HANGS");
    FILE *const file = path != NULL ? fopen(path, "w") : NULL;

    if (file != NULL)
        fclose(file);
    for (;;)
        pause();
}

int grade_source(const struct grade_setting *setting, const char *lab,
                 const char *source, size_t size, struct grade_result *result)
{
    const struct timespec pause = {.tv_nsec = 3000000};
    const struct grade_rubric_lab *const own =
        grade_rubric_find(setting->rubric, lab);
    char path[500];
    FILE *file;

    *result = (struct grade_result){.verdict = GRADE_PASS};
    snprintf(path, sizeof path, "%s/program", setting->work);
    file = fopen(path, "w");
    if (file == NULL || fclose(file) != 0)
        return -1; /* the slot's folder must be there */
    nanosleep(&pause, NULL);
    if (strncmp(source, "crash", 5) == 0)
        raise(SIGKILL);
    if (strncmp(source, "hang", 4) == 0)
        hang();
    snprintf(result->lab, sizeof result->lab, "%s", lab);
    result->verdict = asked(source);
    for (int i = 0; i < GRADE_PARTS; i++)
        result->of[i] = own->points[i];
    fill_points(result, strncmp(source, "half", 4) == 0 ? 0.5 : 1.0);
    result->text = strndup(source, size < 60 ? size : 60);
    result->findings = strdup("");
    result->costs = strdup("line 12: 16 sectors a request, where 4 would do\n");
    if (result->text == NULL || result->findings == NULL ||
        result->costs == NULL ||
        add_case(result, "kernel, 37 x 53 x 29", 0,
                 result->verdict == GRADE_FAIL
                     ? "C[36][2] is 1.5, expected 2.5\n"
                     : "") != 0 ||
        add_case(result, "hidden 1", 1,
                 result->verdict == GRADE_FAIL ? "secret: 31 x 7 x 3\n" : "") !=
            0)
        return -1;
    return 0;
}
