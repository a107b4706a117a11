/* write.c: what Marp gets of a deck (deck.h). */
#define _POSIX_C_SOURCE 200809L
#include "deck.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where a deck is being read. */
struct place {
    const struct deck *deck;
    int line;
    int pictures;
};

/* What says where a block comes from; common/teach/README.md has the words. */
static int is_origin(const char *comment)
{
    static const char *const words[] = {"of ", "from ", "not run:"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strncmp(comment, words[i], strlen(words[i])) == 0)
            return 1;
    }
    return 0;
}

/* Code and figures become what they stand for; notes and what Marp itself
   understands stay. */
static int write_comment(struct place *at, const char *comment, FILE *out,
                         char *why, size_t size)
{
    char reason[400] = "";
    int failed = 0;

    if (strncmp(comment, "code ", 5) == 0) {
        failed = deck_code(comment + 5, at->deck->first_asked, out, reason,
                           sizeof reason);
    } else if (strncmp(comment, "figure ", 7) == 0) {
        failed = deck_picture(comment + 7, ++at->pictures, out, reason,
                              sizeof reason);
    } else if (!is_origin(comment) && strcmp(comment, "solution") != 0 &&
               (at->deck->first_asked < 0 ||
                !isdigit((unsigned char)*comment))) {
        fprintf(out, "<!-- %s -->", comment);
    }
    if (failed)
        snprintf(why, size, "%s:%d: %s", at->deck->path, at->line, reason);
    return failed;
}

/* Behind the slides from here on, each after its rule "---", that students do
   not see. */
static const char *skip_solutions(const char *text)
{
    static const char rule[] = "\n---\n";

    while (strncmp(text, rule + 1, strlen(rule) - 1) == 0) {
        const char *const end = strstr(text + strlen(rule) - 2, rule);
        const char *const mark = strstr(text, "<!-- solution -->");

        if (!mark || (end && mark > end))
            break;
        text = end ? end + 1 : text + strlen(text);
    }
    return text;
}

/* The comment that begins here, without its marks; NULL if it does not end.
   *text is set behind it. */
static char *take_comment(const char *from, const char **text)
{
    const char *end = strstr(from, "-->");
    char *comment;

    if (!end)
        return NULL;
    *text = end + 3;
    from += 4;
    from += strspn(from, " ");
    while (end > from && end[-1] == ' ')
        end--;
    comment = malloc((size_t)(end - from) + 1);
    if (comment) {
        memcpy(comment, from, (size_t)(end - from));
        comment[end - from] = '\0';
    }
    return comment;
}

int deck_write(const struct deck *deck, FILE *out, char *why, size_t size)
{
    struct place at = {deck, 1, 0};
    int is_new = 1, is_code = 0;

    for (const char *text = deck->text; *text;) {
        if (is_new && !is_code && deck->first_asked >= 0) {
            const char *const behind = skip_solutions(text);

            for (; text < behind; text++)
                at.line += *text == '\n';
        }
        if (is_new && strncmp(text, "```", 3) == 0)
            is_code = !is_code;
        if (!is_code && strncmp(text, "<!--", 4) == 0) {
            const char *behind = text;
            char *comment = take_comment(text, &behind);

            if (!comment) {
                snprintf(why, size, "%s:%d: the comment does not end",
                         deck->path, at.line);
                return -1;
            }
            const int failed = write_comment(&at, comment, out, why, size);

            free(comment);
            if (failed)
                return -1;
            for (; text < behind; text++)
                at.line += *text == '\n';
            is_new = 0;
        } else {
            is_new = *text == '\n';
            at.line += is_new;
            fputc(*text++, out);
        }
    }
    return 0;
}
