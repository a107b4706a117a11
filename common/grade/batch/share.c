#include "grade/batch/share.h"

#include <stdio.h>
#include <stdlib.h>

#include "grade/batch/store.h"

int grade_share_read(struct grade_share *share, const char *text)
{
    char number[7], of[7];
    int end = 0;

    if (sscanf(text, "%6[0-9]/%6[0-9]%n", number, of, &end) != 2 ||
        text[end] != '\0')
        return -1;
    *share = (struct grade_share){.number = (int)strtol(number, NULL, 10),
                                  .of = (int)strtol(of, NULL, 10)};
    return share->number >= 1 && share->number <= share->of &&
                   share->of <= GRADE_SHARES
               ? 0
               : -1;
}

/* The digest of a name is as good as a die. A student's labs go to shares next
   to each other, since some labs take longer than others. */
int grade_share_has(const struct grade_share *share, const char *student,
                    const char *lab)
{
    char id[GRADE_STORE_ID];
    unsigned long drawn;

    if (share->of == 0)
        return 1;
    grade_store_id(student, id);
    id[8] = '\0';
    drawn = strtoul(id, NULL, 16) + strtoul(lab, NULL, 10);
    return drawn % (unsigned long)share->of == (unsigned long)share->number - 1;
}
