#define _GNU_SOURCE
#include "../testing.h"
#include "folder.h"

#include "../command.h"
#include "../scratch.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char folder[40], folder_home[4096];

int folder_make(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s", scratch("."));
    if (getcwd(folder_home, sizeof folder_home) == NULL ||
        setenv("HOME_OF_COURSE", folder_home, 1) != 0)
        return -1;
    return chmod(folder, 0755) != 0 || scratch_enter() != 0;
}

int folder_make_course(void **state)
{
    if (folder_make(state) != 0)
        return -1;
    runs("mkdir -p labs common/grade build/grade/kit build/tools tmp s && "
         "cd \"$HOME_OF_COURSE\" && cp labs/INDEX labs/TODOS $OLDPWD/labs && "
         "cp common/grade/control.cu common/grade/share.sh "
         "$OLDPWD/common/grade && "
         "ln -s $PWD/build/tools/grade_fake $OLDPWD/build/tools/grade",
         0, "");
    return 0;
}

void folder_put(const char *path, const char *text)
{
    char *const part = strdup(path);
    char why[300];

    assert_non_null(part);
    for (char *slash = strchr(part + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        assert_true(mkdir(part, 0755) == 0 || errno == EEXIST);
        *slash = '/';
    }
    free(part);
    if (base_write_file(path, text, why, sizeof why) != 0)
        fail_msg("%s", why);
}

void folder_put_as(const char *text, const char *format, ...)
{
    char *path;
    va_list list;

    va_start(list, format);
    assert_true(vasprintf(&path, format, list) > 0);
    va_end(list);
    folder_put(path, text);
    free(path);
}

void hand_in(const char *student, const char *file, const char *text)
{
    folder_put_as(text, "s/%s/%s", student, file);
}

int is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

int files_in(const char *path)
{
    DIR *const listing = opendir(path);
    const struct dirent *entry;
    int count = 0;

    assert_non_null(listing);
    while ((entry = readdir(listing)) != NULL)
        count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

char *text_of(const char *path)
{
    static char *kept[4];
    static int next;

    next = (next + 1) % 4;
    free(kept[next]);
    kept[next] = file_text(path);
    return kept[next];
}

void expect_words(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("'%s' is not in:\n%s", words, text);
}

void expect_none(const char *text, const char *words)
{
    if (strstr(text, words) != NULL)
        fail_msg("'%s' is in:\n%s", words, text);
}

void text_says(const char *path, const char *words)
{
    expect_words(text_of(path), words);
}

void text_lacks(const char *path, const char *words)
{
    expect_none(text_of(path), words);
}

static const char *run_line(const char *program, const char *line, int code,
                            const char *words)
{
    static struct command c;

    command_free(&c);
    c = command_run("exec 2>&1; export TMPDIR=%s/tmp; %s%s", folder, program,
                    line);
    command_ends(&c, code);
    command_says(&c, words);
    return c.text;
}

const char *runs(const char *line, int code, const char *words)
{
    return run_line("", line, code, words);
}

const char *grades(const char *options, int code, const char *words)
{
    return run_line("build/tools/grade ", options, code, words);
}
