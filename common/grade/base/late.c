#define _GNU_SOURCE
#include "grade/base/late.h"

#include <string.h>

enum {
    DAY = 24 * 3600
};

time_t grade_time_read(const char *text)
{
    struct tm at = {.tm_isdst = -1}, given;
    const char *rest = strptime(text, "%Y-%m-%d", &at);
    time_t time;

    if (rest == NULL)
        return -1;
    if (*rest == '\0') {
        rest = strptime("23:59:59", "%H:%M:%S", &at);
    } else if (*rest == ' ' || *rest == 'T') {
        const char *const minutes = strptime(rest + 1, "%H:%M", &at);

        rest = minutes != NULL && *minutes == ':'
                   ? strptime(minutes, ":%S", &at)
                   : minutes;
    }
    if (rest == NULL)
        return -1;
    if (*rest == '.')
        rest += 1 + strspn(rest + 1, "0123456789");
    rest += strspn(rest, " ");
    given = at;
    if (*rest == '\0') {
        time = mktime(&at);
    } else {
        const char *const end =
            strcmp(rest, "UTC") == 0 ? rest + 3 : strptime(rest, "%z", &given);

        if (end == NULL || *end != '\0')
            return -1;
        time = timegm(&at) - given.tm_gmtoff;
    }
    /* What is no day of the calendar, as 31 February, comes back as another. */
    return at.tm_mday == given.tm_mday ? time : -1;
}

int grade_days_late(time_t due, time_t handed)
{
    const long long late = (long long)handed - (long long)due;

    return late <= 0 ? 0 : (int)((late + DAY - 1) / DAY);
}

double grade_late_share(const struct grade_rubric *rubric, int days)
{
    const int paid = days - rubric->grace;
    const double share =
        1.0 - (paid > 0 ? paid : 0) * rubric->late_percent / 100.0;

    return share > 0.0 ? share : 0.0;
}
