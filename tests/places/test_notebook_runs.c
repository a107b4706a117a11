/*
 * Does each cell of the notebook for Colab do what the text beside it says? A
 * local Jupyter kernel runs it on a copy of this tree in which lab 02 is done.
 * What Colab has beside that, a GPU among it, is not tried.
 */
#define _POSIX_C_SOURCE 200809L
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../command.h"
#include "base/file.h"

/* What a cell that begins so must print, and how many pictures it shows. */
static const struct {
    const char *source, *says[2];
    int pictures; /* at least */
} cells[] = {
    {"COURSE = ", {"01_cpu_naive", "10 of 10"}, 0},
    {"!make deps WHAT=list", {"DEVICE is", "GPU"}, 0},
    {"!make deps lab-01", {"TODO 1.1", "UNFINISHED"}, 0},
    {"!make lab-02", {"loads per multiply-add", "reached"}, 0},
    {"!make hint-02", {"No TODO of labs/02_gpu_naive is open", ""}, 0},
    {"!make deps plots", {"plots: build/plots/", "counters_by_lab.svg"}, 0},
    {"from glob", {"build/plots/counters_by_lab.png", "map_02"}, 4},
    {"!make bench", {"Results: build/results/bench.csv", ""}, 1},
    {"!tar", {"PASS, goal reached", ""}, 0},
};

enum {
    CELLS = sizeof cells / sizeof cells[0]
};

static char folder[] = "/tmp/test_notebook.XXXXXX";
static int has_jupyter;

/* The copy is a repository, for the first cell to clone, and an archive. */
#define COPY                                                                \
    "top=%s && mkdir $top/course && "                                       \
    "git ls-files -z --cached --others --exclude-standard | "               \
    "tar --null --ignore-failed-read -T - -cf - | "                         \
    "tar -C $top/course -xf - && cd $top/course && "                        \
    "cp solutions/02_gpu_naive/*.cu labs/02_gpu_naive && git init -q . && " \
    "git add -A && git -c user.name=t -c user.email=t commit -qm t && "     \
    "mkdir $top/home && git archive --prefix=cuda-labs/ "                   \
    "-o $top/cuda-labs.tar.gz HEAD"

FIXTURE(make_copy)
{
    struct command command =
        command_run("/usr/bin/python3 -c 'import nbconvert.nbconvertapp, "
                    "ipykernel.kernelapp'");

    has_jupyter = command.code == 0;
    command_free(&command);
    if (mkdtemp(folder) == NULL)
        return -1;
    command = command_run(COPY, folder);
    if (command.code != 0)
        print_error("%s\n", command.text);
    return command.code;
}

FIXTURE(remove_copy)
{
    struct command command = command_run("rm -rf '%s'", folder);

    command_free(&command);
    return 0;
}

static void need_jupyter(void)
{
    if (!has_jupyter) {
        print_message("skipped: Jupyter is not installed (apt-get install "
                      "jupyter-nbconvert python3-ipykernel)\n");
        skip();
    }
}

/* Runs all cells of a notebook in a folder of its own; what they print is in
   NAME/done.ipynb. */
static cJSON *run_notebook(const char *name, const char *course)
{
    cJSON *whole;

    struct command command;
    RUN_GIVES(0, NULL,
              "cd '%s/%s' && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u DEVICE "
              "HOME='%s/home' COURSE='%s/%s' /usr/bin/python3 -m nbconvert "
              "--to notebook --execute --ExecutePreprocessor.timeout=1200 "
              "--output done.ipynb colab.ipynb",
              folder, name, folder, folder, course);
    command = command_run("cat '%s/%s/done.ipynb'", folder, name);
    command_ends(&command, 0);
    whole = cJSON_Parse(command.text);
    assert_non_null(whole);
    command_free(&command);
    return whole;
}

static const cJSON *get_member(const cJSON *from, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(from, name);
}

/* Adds the lines of an array of strings, or the one string that it is; NULL is
   none. */
static void add_text(FILE *to, const cJSON *lines)
{
    const cJSON *line;

    if (cJSON_IsString(lines))
        fputs(lines->valuestring, to);
    for (line = lines != NULL ? lines->child : NULL; line != NULL;
         line = line->next)
        fputs(line->valuestring, to);
}

/* What a cell printed; *pictures is how many it showed. Freed by the caller. */
static char *printed_by(const cJSON *cell, int *pictures)
{
    char *text = NULL;
    size_t length = 0;
    FILE *const all = open_memstream(&text, &length);
    const cJSON *output;

    assert_non_null(all);
    *pictures = 0;
    for (output = get_member(cell, "outputs")->child; output != NULL;
         output = output->next) {
        add_text(all, get_member(output, "text"));
        if (get_member(get_member(output, "data"), "image/png") != NULL)
            ++*pictures;
    }
    fclose(all);
    return text;
}

static void check_cell(const cJSON *cell, int expected)
{
    const char *const source =
        cJSON_GetArrayItem(get_member(cell, "source"), 0)->valuestring;
    const int may_fail = strstr(source, "lab-01") != NULL;
    int pictures;
    char *const text = printed_by(cell, &pictures);

    assert_true(expected < CELLS);
    if (strncmp(source, cells[expected].source,
                strlen(cells[expected].source)) != 0)
        fail_msg("after '%s' comes '%s'", cells[expected - 1].source, source);
    for (int i = 0; i < 2; i++)
        if (strstr(text, cells[expected].says[i]) == NULL)
            fail_msg("'%s' does not print '%s' but:\n%s", source,
                     cells[expected].says[i], text);
    if (!may_fail && strstr(text, "make: ***") != NULL)
        fail_msg("'%s' prints:\n%s", source, text);
    if (pictures < cells[expected].pictures)
        fail_msg("'%s' shows %d pictures", source, pictures);
    free(text);
}

TEST(test_all_cells_do_what_they_say)
{
    const cJSON *cell;
    cJSON *done;
    int seen = 0;

    need_jupyter();
    RUN_GIVES(0, NULL, "mkdir '%s/whole' && cp labs/colab.ipynb '%s/whole'",
              folder, folder);
    done = run_notebook("whole", "course");
    for (cell = get_member(done, "cells")->child; cell != NULL;
         cell = cell->next)
        if (strcmp(get_member(cell, "cell_type")->valuestring, "code") == 0)
            check_cell(cell, seen++);
    assert_int_equal(seen, CELLS);
    cJSON_Delete(done);
    RUN_GIVES(0, SAYS("labs/02_gpu_naive/gpu_naive.cu"),
              "tar -tzf '%s/whole/my-labs.tar.gz'", folder);
}

/* Writes a notebook with the first code cell twice; between them a student
   writes lab 01 and leaves the course's folder. */
static void write_first_cell_twice(const char *path)
{
    char why[256];
    char *text = base_read_file("labs/colab.ipynb", why, sizeof why);
    cJSON *const whole = cJSON_Parse(text);
    cJSON *const list = cJSON_CreateArray();
    const cJSON *first;
    cJSON *between, *lines;

    free(text);
    assert_non_null(whole);
    for (first = get_member(whole, "cells")->child; first != NULL;
         first = first->next)
        if (get_member(first, "outputs") != NULL)
            break;
    assert_non_null(first);
    between = cJSON_Duplicate(first, 1);
    lines = cJSON_CreateArray();
    cJSON_AddItemToArray(lines,
                         cJSON_CreateString("!cp solutions/01_cpu_naive/*.cu "
                                            "labs/01_cpu_naive\n"));
    cJSON_AddItemToArray(lines, cJSON_CreateString("os.chdir(\"..\")"));
    cJSON_ReplaceItemInObjectCaseSensitive(between, "source", lines);
    cJSON_AddItemToArray(list, cJSON_Duplicate(first, 1));
    cJSON_AddItemToArray(list, between);
    cJSON_AddItemToArray(list, cJSON_Duplicate(first, 1));
    cJSON_ReplaceItemInObjectCaseSensitive(whole, "cells", list);
    text = cJSON_Print(whole);
    assert_non_null(text);
    assert_int_equal(base_write_file(path, text, why, sizeof why), 0);
    free(text);
    cJSON_Delete(whole);
}

TEST(test_an_archive_will_do_and_work_is_not_replaced)
{
    static const char *const says[] = {"0 of 2", "", "2 of 2"};
    char path[200];
    cJSON *done;

    need_jupyter();
    RUN_GIVES(0, NULL,
              "mkdir '%s/twice' && mv '%s/cuda-labs.tar.gz' "
              "'%s/twice'",
              folder, folder, folder);
    snprintf(path, sizeof path, "%s/twice/colab.ipynb", folder);
    write_first_cell_twice(path);
    done = run_notebook("twice", "twice/cuda-labs.tar.gz");
    for (int i = 0; i < 3; i++) {
        int pictures;
        char *const text = printed_by(
            cJSON_GetArrayItem(get_member(done, "cells"), i), &pictures);

        if (strstr(text, says[i]) == NULL)
            fail_msg("cell %d prints:\n%s", i + 1, text);
        free(text);
    }
    cJSON_Delete(done);
}

ALL_TESTS(make_copy, remove_copy);
