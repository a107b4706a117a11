/* Which lines made the index of the access that a story is about. */
#include "cause_parts.h"

#include "source.h"

#include <string.h>

static void show_index(struct lab_account *a, int only_pointer)
{
    const struct lab_place here = a->story->here;
    size_t i = 0;

    if (here.line <= 0)
        return;
    while (i < a->alls && (a->all[i].line != here.line ||
                           strcmp(a->all[i].file, here.file) != 0))
        i++;
    if (i == a->alls ||
        (only_pointer &&
         lab_source_has(here.file, here.line, simt_access_array(&a->all[i]))))
        return;
    lab_source_hangs_on(here.file, here.line, &a->story->beside);
    lab_source_made(here.file, here.line, simt_access_array(&a->all[i]),
                    a->kernel, &a->story->beside);
}

void lab_cause_show_index(struct lab_account *a)
{
    show_index(a, 0);
}

void lab_cause_show_pointer(struct lab_account *a)
{
    show_index(a, 1);
}
