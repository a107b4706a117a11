#define _XOPEN_SOURCE 700

#include "testing.h"
#include "command.h"

#include "base/child.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct command command_run(const char *format, ...)
{
    struct command result = {0, NULL};
    char line[2048];
    const char *const argv[] = {"sh", "-c", line, NULL};
    struct base_child child;
    struct base_child_end end;
    va_list list;
    int used;

    va_start(list, format);
    used = vsnprintf(line, sizeof line - 8, format, list);
    va_end(list);
    assert_true(used > 0 && (size_t)used < sizeof line - 8);
    snprintf(line + used, sizeof line - (size_t)used, " 2>&1");

    assert_int_equal(base_child_start(&child, argv, BASE_CHILD_HEARD), 0);
    end = base_child_wait(&child, 0.0, &result.text);
    assert_non_null(result.text);
    result.code = end.how == BASE_CHILD_SIGNALED ? 128 + end.code : end.code;
    return result;
}

int command_lab_needs_gpu(const char *lab)
{
    struct command run = command_run(
        "awk -f common/course/labs.awk labs/INDEX | grep -qx %s:gpu", lab);
    const int needs = run.code == 0;

    command_free(&run);
    return needs;
}

void command_free(struct command *command)
{
    free(command->text);
    command->text = NULL;
}

void command_needs(const char *program)
{
    struct command run = command_run("command -v %s", program);
    const int code = run.code;

    command_free(&run);
    if (code != 0) {
        print_message("skipped: %s is not installed\n", program);
        skip();
    }
}

/* The number of the first line of a file that holds the text; 0: none does. A
   line that says what to expect is none. */
static int line_with(const char *path, const char *text)
{
    FILE *file = fopen(path, "r");
    char line[512];
    int number = 0, found = 0;

    assert_non_null(file);
    while (found == 0 && fgets(line, sizeof line, file) != NULL) {
        number++;
        if (strstr(line, "says: ") == NULL && strstr(line, text) != NULL)
            found = number;
    }
    fclose(file);
    return found;
}

/* Copies what stands between braces at `from`: {A} is the mark A in a comment.
   Returns what follows. */
static const char *read_mark(const char *from, char *mark, size_t size)
{
    const char *end = strchr(from, '}');
    const int length = (int)(end - from) - 1;

    assert_non_null(end);
    snprintf(mark, size, length == 1 ? "/* %.*s */" : "%.*s", length, from + 1);
    return end + 1;
}

/* Makes one blank of each run of white space. */
static void squeeze(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++) {
        const int is_space = *from == ' ' || *from == '\n';

        if (!is_space) {
            *to++ = *from;
        } else if (to > text && to[-1] != ' ') {
            *to++ = ' ';
        }
    }
    *to = '\0';
}

void command_says_lines(const struct command *command, const char *words,
                        const char *source)
{
    char expected[512], mark[256], *said;
    size_t length = 0;

    while (*words != '\0') {
        assert_true(length < sizeof expected - 20);
        if (*words != '{') {
            expected[length++] = *words++;
            continue;
        }
        words = read_mark(words, mark, sizeof mark);
        if (line_with(source, mark) == 0)
            fail_msg("%s: no line has '%s'", source, mark);
        length += (size_t)snprintf(expected + length, 20, "%d",
                                   line_with(source, mark));
    }
    expected[length] = '\0';
    squeeze(expected);
    said = strdup(command->text);
    assert_non_null(said);
    squeeze(said);
    if (strstr(said, expected) == NULL) {
        fputs(command->text, stderr); /* print_error would cut it */
        fail_msg("'%s' is not in the output above", expected);
    }
    free(said);
}

void command_says(const struct command *command, const char *words)
{
    text_has(command->text, SAYS(words));
}

void command_ends(const struct command *command, int code)
{
    if (command->code != code) {
        fputs(command->text, stderr); /* print_error would cut it */
        fail_msg("exit code %d after the output above, expected %d",
                 command->code, code);
    }
}

void text_has(const char *text, const char *const *words)
{
    for (; words != NULL && *words != NULL; words++) {
        const int is_not = **words == NOT[0];

        if ((strstr(text, *words + is_not) != NULL) == is_not) {
            fputs(text, stderr); /* print_error would cut it */
            fail_msg("'%s' is %s the output above", *words + is_not,
                     is_not ? "in" : "not in");
        }
    }
}

void command_gives(struct command command, int code, const char *const *words)
{
    if (code != ANY_CODE)
        command_ends(&command, code);
    text_has(command.text, words);
    command_free(&command);
}

void command_needs_terminal(void)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    const int slave = master >= 0 && unlockpt(master) == 0
                          ? open(ptsname(master), O_RDWR | O_NOCTTY)
                          : -1;

    if (master >= 0)
        close(master);
    if (slave < 0) {
        printf("skipped: this machine opens no pseudo-terminal\n");
        skip();
    }
    close(slave);
}
