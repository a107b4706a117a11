#include "cause_parts.h"

#include "simt/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void __attribute__((format(printf, 2, 3)))
lab_cause_say(struct lab_words *w, const char *format, ...)
{
    va_list list;
    int length;

    va_start(list, format);
    length = vsnprintf(w->text + w->used, w->size - w->used, format, list);
    va_end(list);
    if (length > 0) {
        w->used += (size_t)length;
        if (w->used >= w->size)
            w->used = w->size - 1;
    }
}

/* "A[0][1] from As[0][1]"; "0 from Bs[3][0]". */
void lab_cause_say_load(struct lab_words *w, const struct lab_account *a,
                        const struct lab_load *load)
{
    struct simt_access step = *load->step;
    char place[120];

    switch (load->what) {
    case LAB_OF_A:
    case LAB_OF_B:
        lab_cause_say(w, "%c[%d][%d]", load->what == LAB_OF_A ? 'A' : 'B',
                      load->row, load->col);
        break;
    case LAB_ZERO:
        lab_cause_say(w, "0");
        break;
    case LAB_UNSET:
        if (a->s->kernel == NULL) {
            lab_cause_say(
                w, "element %zu of %c, which has %zu", load->step->offset / 4,
                load->stands == LAB_OF_A ? 'A' : 'B',
                (size_t)(load->stands == LAB_OF_A ? a->d->m * a->d->k
                                                  : a->d->k * a->d->n));
        } else {
            lab_cause_say(w, "what nobody stored");
        }
        break;
    case LAB_UNKNOWN:
        lab_cause_say(w, "%g, which is no element of A or B,", load->value);
        break;
    }
    if (a->s->kernel == NULL)
        return;
    step.offset += 4 * (uintptr_t)load->word;
    step.size = 4;
    if (step.space == SIMT_SHARED) {
        simt_access_name(place, sizeof place, &step);
        lab_cause_say(w, " from %s", place);
    }
}

const char *lab_cause_file(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

void lab_cause_say_line(struct lab_words *w, const struct lab_load *load)
{
    if (load != NULL && load->step->line > 0) {
        lab_cause_say(w, " (%s:%d)", lab_cause_file(load->step->file),
                      load->step->line);
    }
}

const char *lab_cause_who(const struct lab_account *a)
{
    static char who[sizeof a->s->who];

    snprintf(who, sizeof who, "%s", a->s->who);
    who[0] = (char)(who[0] | 0x20);
    return who;
}

void lab_cause_place(struct lab_cause *cause, const struct lab_load *load)
{
    if (load == NULL)
        return;
    cause->file = load->step->file;
    cause->line = load->step->line;
    cause->other_file = load->step->writer_file;
    cause->other_line = load->step->writer_line;
    cause->taken = load->step;
}

char lab_side(int m, int n, int k, int length)
{
    const int sides = (length == m) + (length == n) + (length == k);

    return sides != 1 ? '\0' : length == m ? 'm' : length == n ? 'n' : 'k';
}
