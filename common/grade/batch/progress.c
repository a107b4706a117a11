#define _POSIX_C_SOURCE 200809L
#include "grade/batch/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "grade/base/text.h"

static void write_over(const struct grade_progress *p)
{
    fprintf(stderr, "\r  %zu of %zu graded ", p->done, p->all);
    fflush(stderr);
}

void grade_progress_begin(struct grade_progress *progress, size_t all)
{
    *progress =
        (struct grade_progress){.all = all, .terminal = isatty(STDERR_FILENO)};
    if (progress->terminal)
        write_over(progress);
}

void grade_progress_step(struct grade_progress *progress, const char *student,
                         const struct grade_result *result)
{
    progress->done++;
    if (progress->terminal) {
        write_over(progress);
        return;
    }
    fprintf(stderr, "  %zu of %zu  %s  %s  ", progress->done, progress->all,
            result->lab, grade_verdict_word[result->verdict]);
    grade_text_name(stderr, student);
    fputc('\n', stderr);
}

void grade_progress_end(struct grade_progress *progress)
{
    if (progress->terminal)
        fputs("\r\033[K", stderr); /* an empty line */
}
