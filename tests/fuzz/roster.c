/* A roster: every person has an id of their own, and written again the roster
   is the same. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "grade/intake/roster.h"
#include "base/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *write_again(const struct grade_roster *roster, size_t *length)
{
    char *text = NULL;
    FILE *const file = open_memstream(&text, length);

    if (file == NULL)
        abort();
    fputs("email,name,id\r\n", file);
    for (size_t i = 0; i < roster->persons; i++) {
        fputc(',', file);
        base_put_csv_text(file, roster->person[i].name);
        fputc(',', file);
        base_put_csv_text(file, roster->person[i].id);
        fputs("\r\n", file);
    }
    fclose(file);
    return text;
}

void fuzz_roster(const uint8_t *bytes, size_t size)
{
    char why[700] = "", *again;
    struct grade_roster roster, same;
    size_t length;

    if (grade_roster_read(fuzz_file(bytes, size), &roster, why, sizeof why) !=
        0) {
        fuzz_message(why, sizeof why);
        fuzz_must(roster.person == NULL && roster.persons == 0);
        return;
    }
    fuzz_must(roster.persons > 0);
    for (size_t i = 0; i < roster.persons; i++) {
        fuzz_must(roster.person[i].id[0] != '\0');
        for (size_t k = 0; k < i; k++)
            fuzz_must(strcmp(roster.person[i].id, roster.person[k].id) != 0);
    }
    again = write_again(&roster, &length);
    fuzz_must(grade_roster_read(fuzz_file(again, length), &same, why,
                                sizeof why) == 0);
    fuzz_must(same.persons == roster.persons);
    for (size_t i = 0; i < roster.persons; i++) {
        fuzz_must(strcmp(roster.person[i].id, same.person[i].id) == 0);
        fuzz_must(strcmp(roster.person[i].name, same.person[i].name) == 0);
    }
    grade_roster_free(&same);
    grade_roster_free(&roster);
    free(again);
}
