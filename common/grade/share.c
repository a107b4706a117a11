#define _POSIX_C_SOURCE 200809L
#include "grade/share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void grade_share_begin(FILE *manifest, const char *build)
{
    fprintf(manifest, "build %s\n", build);
}

void grade_share_add(FILE *manifest, int task, const char *student,
                     const char *lab)
{
    char id[GRADE_STORE_ID];

    grade_store_id(student, id);
    fprintf(manifest, "%d %s %s\n", task, id, lab);
}

/* Takes a line if it is one of this task's. Returns 0; -1 if it is no line of a
   manifest, -2 without memory. */
static int take_line(struct grade_share *share, const char *line, int task)
{
    struct grade_share_item item = {.here = 0}, *larger;
    char number[12];
    int end = 0;

    if (sscanf(line, "%11[0-9] %32[0-9a-f] %63[0-9a-z_]\n%n", number,
               item.student, item.lab, &end) != 3 ||
        line[end] != '\0' || line[end - 1] != '\n' ||
        strlen(item.student) != GRADE_STORE_ID - 1)
        return -1;
    if (strtol(number, NULL, 10) != task)
        return 0;
    larger = realloc(share->item, (share->items + 1) * sizeof *larger);
    if (larger == NULL)
        return -2;
    share->item = larger;
    share->item[share->items++] = item;
    return 0;
}

/* Reads the lines behind the first. */
static int take_lines(struct grade_share *share, FILE *manifest, int task,
                      char **line, size_t *room)
{
    int result = 0;

    while (result == 0 && getline(line, room, manifest) > 0)
        result = take_line(share, *line, task);
    return result == 0 && ferror(manifest) ? -1 : result;
}

int grade_share_read(struct grade_share *share, const char *path, int task,
                     const char *build, char *why, size_t size)
{
    FILE *const manifest = fopen(path, "re");
    char *line = NULL, first[GRADE_DIGEST_TEXT] = "";
    size_t room = 0;
    int result = -1;

    *share = (struct grade_share){.items = 0};
    if (manifest == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        return -1;
    }
    if (getline(&line, &room, manifest) > 0 &&
        sscanf(line, "build %64[0-9a-f]\n", first) == 1 &&
        strcmp(first, build) != 0) {
        snprintf(why, size,
                 "the grader, labs/INDEX, labs/TODOS or build/grade is not "
                 "what it was when the run began: begin it again");
    } else {
        result = first[0] != '\0'
                     ? take_lines(share, manifest, task, &line, &room)
                     : -1;
        if (result != 0) {
            snprintf(why, size, "%s: %s", path,
                     result == -2 ? strerror(ENOMEM) : "is no manifest");
        }
    }
    free(line);
    fclose(manifest);
    if (result == 0)
        return 0;
    grade_share_free(share);
    return -1;
}

void grade_share_free(struct grade_share *share)
{
    free(share->item);
    *share = (struct grade_share){.items = 0};
}

int grade_share_has(struct grade_share *share, const char *student,
                    const char *lab)
{
    char id[GRADE_STORE_ID];

    grade_store_id(student, id);
    for (size_t i = 0; i < share->items; i++) {
        struct grade_share_item *const item = &share->item[i];

        if (strcmp(item->student, id) == 0 && strcmp(item->lab, lab) == 0) {
            item->here = 1;
            return 1;
        }
    }
    return 0;
}

size_t grade_share_unseen(const struct grade_share *share)
{
    size_t unseen = 0;

    for (size_t i = 0; i < share->items; i++)
        unseen += !share->item[i].here;
    return unseen;
}
