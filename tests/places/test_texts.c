/*
 * Do the container, the notebook for Colab and the page on machines say what
 * README and the Makefile say?
 */
#define _POSIX_C_SOURCE 200809L
#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "../scratch.h"
#include "../command.h"

#define NOTEBOOK "labs/colab.ipynb"
#define FOLDER   ".devcontainer/"

enum {
    LONGEST = 64 /* a goal of make, with its NUL */
};

static cJSON *read_json(const char *path)
{
    char *const text = file_text(path);
    cJSON *const whole = cJSON_Parse(text);

    if (whole == NULL)
        fail_msg("%s is no JSON", path);
    free(text);
    return whole;
}

static const cJSON *get_member(const cJSON *from, const char *name)
{
    const cJSON *const item = cJSON_GetObjectItemCaseSensitive(from, name);

    if (item == NULL)
        fail_msg("there is no \"%s\"", name);
    return item;
}

/* Copies the first command of make in the students' README, without what is
   said about it. */
static void readme_command(char *command, size_t size)
{
    char *const readme = file_text("labs/README.md");
    const char *at = strstr(readme, "\n    make "), *end;

    assert_non_null(at);
    at += strlen("\n    ");
    end = strstr(at, "  ");
    assert_non_null(end);
    assert_true((size_t)(end - at) < size);
    memcpy(command, at, (size_t)(end - at));
    command[end - at] = '\0';
    free(readme);
}

/* The next instruction of a Containerfile, or NULL; *rest moves behind it. */
static const char *next_instruction(char **rest)
{
    while (**rest != '\0') {
        char *const line = *rest, *const end = line + strcspn(line, "\n");

        *rest = *end != '\0' ? end + 1 : end;
        *end = '\0';
        if (line[0] != '#' && line[0] != '\0')
            return line;
    }
    return NULL;
}

TEST(test_the_container_does_what_readme_says)
{
    char command[100];
    static const char *const expected[] = {
        "FROM docker.io/library/debian:bookworm",
        "RUN apt-get update && "
        "apt-get install -y --no-install-recommends git make",
        "WORKDIR /course"};
    static const char run[] = "RUN --mount=type=bind,target=/course ";
    char *const text = file_text(FOLDER "Containerfile");
    char *rest = text;
    const char *line;

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        line = next_instruction(&rest);
        assert_non_null(line);
        assert_string_equal(line, expected[i]);
    }
    readme_command(command, sizeof command);
    line = next_instruction(&rest);
    assert_non_null(line);
    if (strncmp(line, run, strlen(run)) != 0)
        fail_msg("%s", line);
    assert_string_equal(line + strlen(run), command);
    assert_null(next_instruction(&rest));
    free(text);
}

TEST(test_the_devcontainer_names_the_containerfile)
{
    cJSON *const whole = read_json(FOLDER "devcontainer.json");
    const cJSON *const build = get_member(whole, "build");
    char path[200];

    snprintf(path, sizeof path, FOLDER "%s",
             get_member(build, "dockerfile")->valuestring);
    assert_int_equal(access(path, R_OK), 0);
    snprintf(path, sizeof path, FOLDER "%s/Makefile",
             get_member(build, "context")->valuestring);
    assert_int_equal(access(path, R_OK), 0);
    cJSON_Delete(whole);
}

/* --- goals of make -------------------------------------------------------- */

/* 1 if make help, whose output this is, has the goal; lab-03 is lab-NN. */
static int help_has(const char *help, const char *goal)
{
    const char *const dash = strrchr(goal, '-');
    char line[LONGEST + 16];

    snprintf(line, sizeof line, "  make %s ", goal);
    if (strstr(help, line) != NULL)
        return 1;
    if (dash == NULL || !isdigit((unsigned char)dash[1]))
        return 0;
    snprintf(line, sizeof line, "  make %.*s-NN ", (int)(dash - goal), goal);
    return strstr(help, line) != NULL;
}

/* Checks the words behind a "make", up to two blanks: goals, options, settings
   and words for them, such as TASK. A file below build/ is a goal too, which
   nobody lists. Returns the number of goals. */
static int check_goals(const char *at, const char *help, const char *where)
{
    int goals = 0;

    while (*at == ' ' && at[1] != ' ') {
        char goal[LONGEST];
        size_t length;

        at++;
        length = strcspn(at, " `\n\"#|&;)");
        if (length == 0)
            break;
        snprintf(goal, sizeof goal, "%.*s", (int)length, at);
        if (islower((unsigned char)goal[0]) && strchr(goal, '=') == NULL &&
            strncmp(goal, "build/", 6) != 0) {
            if (!help_has(help, goal))
                fail_msg("%s: make %s: make help has no such goal", where,
                         goal);
            goals++;
        }
        at += length;
    }
    return goals;
}

/* Checks each make that a line calls: where it begins, behind a ! or a `, or as
   another command's words. Prose may have the word make anywhere else. */
static int check_line(const char *line, int is_code, const char *help,
                      const char *where)
{
    int goals = 0;

    for (const char *at = line; (at = strstr(at, "make ")) != NULL; at += 4)
        if (at == line
                ? is_code
                : strchr("!`", at[-1]) != NULL || (is_code && at[-1] == ' '))
            goals += check_goals(at + 4, help, where);
    return goals;
}

/* Checks a text in Markdown, in which lines between ``` are code. It is cut
   into its lines. Returns the number of goals. */
static int check_text(char *text, const char *help, const char *where)
{
    int goals = 0, is_code = 0;

    for (char *line = text, *end; *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        if (*end != '\0')
            *end++ = '\0';
        if (strncmp(line, "```", 3) == 0)
            is_code = !is_code;
        else if (strncmp(line, "    make ", 9) == 0)
            goals += check_line(line + 4, 1, help, where);
        else
            goals += check_line(line, is_code, help, where);
    }
    return goals;
}

static struct command make_help(void)
{
    struct command help =
        command_run("env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make help");

    command_ends(&help, 0);
    return help;
}

/* The texts that tell people what to type. */
static const char *const pages[] = {"README.md",
                                    "labs/README.md",
                                    "labs/COMMANDS.md",
                                    "labs/MACHINES.md",
                                    "INSTRUCTORS.md",
                                    "CONTRIBUTING.md",
                                    "slides/README.md",
                                    "common/simt/README.md",
                                    "common/teach/README.md",
                                    "common/grade/README.md",
                                    "common/grade/EXPORTS.md"};

TEST(test_commands_of_the_pages_exist)
{
    struct command help = make_help();
    int goals = 0;

    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        char *const text = file_text(pages[i]);

        goals += check_text(text, help.text, pages[i]);
        free(text);
    }
    assert_true(goals > 60);
    command_free(&help);
}

/* Is there a "make GOAL" on a page? Of lab-NN the number is any. */
static int has_page(const char *goal)
{
    const size_t length = strcspn(goal, " N");
    char command[LONGEST + 16];
    int found = 0;

    snprintf(command, sizeof command, "make %.*s", (int)length, goal);
    for (size_t i = 0; !found && i < sizeof pages / sizeof *pages; i++) {
        char *const text = file_text(pages[i]);

        for (const char *at = text; !found && (at = strstr(at, command));
             at += length) {
            const char after = at[strlen(command)];

            found = goal[length] == 'N' ||
                    (after != '-' && !isalnum((unsigned char)after));
        }
        free(text);
    }
    return found;
}

TEST(test_each_command_of_make_help_is_on_a_page)
{
    struct command help = make_help();
    const char *at = help.text;

    for (; (at = strstr(at, "  make ")) != NULL; at++) {
        if (!has_page(at + strlen("  make ")))
            fail_msg("no page says what to do with %.19s", at + 2);
    }
    command_free(&help);
}

TEST(test_a_goal_that_does_not_exist_is_seen)
{
    static const char help[] = "\n  make deps     x\n  make lab-NN   x\n";

    assert_true(help_has(help, "deps"));
    assert_true(help_has(help, "lab-03"));
    assert_false(help_has(help, "dep"));
    assert_false(help_has(help, "lab"));
    assert_false(help_has(help, "map-03"));
    assert_int_equal(check_line("`make -j4 deps lab-02 V=1`", 0, help, ""), 2);
    assert_int_equal(check_line("make deps", 0, help, ""), 0);
    assert_int_equal(check_line("srun make deps", 0, help, ""), 0);
    assert_int_equal(check_line("srun make deps", 1, help, ""), 1);
}

/* --- the notebook --------------------------------------------------------- */

TEST(test_the_notebook_has_cells_and_no_outputs)
{
    cJSON *const whole = read_json(NOTEBOOK);
    const cJSON *cell;
    int cells = 0;

    assert_int_equal(get_member(whole, "nbformat")->valueint, 4);
    for (cell = get_member(whole, "cells")->child; cell != NULL;
         cell = cell->next) {
        const char *const type = get_member(cell, "cell_type")->valuestring;

        assert_true(cJSON_IsArray(get_member(cell, "source")));
        if (strcmp(type, "code") != 0) {
            assert_string_equal(type, "markdown");
            continue;
        }
        cells++;
        assert_int_equal(cJSON_GetArraySize(get_member(cell, "outputs")), 0);
        assert_true(cJSON_IsNull(get_member(cell, "execution_count")));
    }
    assert_true(cells >= 6);
    cJSON_Delete(whole);
}

TEST(test_the_notebook_names_no_machine)
{
    cJSON *const whole = read_json(NOTEBOOK);
    const cJSON *cell, *line;

    for (cell = get_member(whole, "cells")->child; cell != NULL;
         cell = cell->next)
        for (line = get_member(cell, "source")->child; line != NULL;
             line = line->next) {
            assert_null(strstr(line->valuestring, "://"));
            assert_null(strstr(line->valuestring, "\"/"));
            if (strncmp(line->valuestring, "COURSE = \"", 10) == 0)
                assert_string_equal(line->valuestring, "COURSE = \"\"\n");
        }
    cJSON_Delete(whole);
}

TEST(test_commands_of_the_notebook_exist)
{
    struct command help = make_help();
    cJSON *const whole = read_json(NOTEBOOK);
    const cJSON *cell, *line;
    int goals = 0;

    for (cell = get_member(whole, "cells")->child; cell != NULL;
         cell = cell->next)
        for (line = get_member(cell, "source")->child; line != NULL;
             line = line->next) {
            goals += check_line(line->valuestring, 0, help.text, NOTEBOOK);
        }
    assert_true(goals >= 8);
    cJSON_Delete(whole);
    command_free(&help);
}
