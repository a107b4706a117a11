#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

struct command command_run(const char *format, ...)
{
    struct command result = {0, NULL};
    char line[2048];
    size_t length = 0;
    FILE *pipe, *kept = open_memstream(&result.text, &length);
    va_list list;
    int status, used, c;

    va_start(list, format);
    used = vsnprintf(line, sizeof line - 8, format, list);
    va_end(list);
    assert_true(used > 0 && (size_t)used < sizeof line - 8);
    snprintf(line + used, sizeof line - (size_t)used, " 2>&1");

    assert_non_null(kept);
    fflush(stdout);
    pipe = popen(line, "r");
    assert_non_null(pipe);
    while ((c = getc(pipe)) != EOF)
        putc(c, kept);
    status = pclose(pipe);
    fclose(kept);
    result.code =
        WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return result;
}

void command_free(struct command *command)
{
    free(command->text);
    command->text = NULL;
}

void command_says(const struct command *command, const char *words)
{
    if (strstr(command->text, words) == NULL) {
        print_error("%s", command->text);
        fail_msg("'%s' is not in the output above", words);
    }
}

void command_ends(const struct command *command, int code)
{
    if (command->code != code) {
        print_error("%s", command->text);
        fail_msg("exit code %d after the output above, expected %d",
                 command->code, code);
    }
}
