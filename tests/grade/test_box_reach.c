/* What can a program in a box see and touch? */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../testing.h"
#include "boxes.h"

/* What a program of boxed/ answers, for free(). */
static char *answer(const struct grade_box_job *job)
{
    struct grade_box_outcome outcome;
    char *text;

    outcome = boxes_run(job);
    assert_int_equal(outcome.end, GRADE_ENDED);
    assert_int_equal(outcome.code, 0);
    text = strdup(outcome.bytes[GRADE_RESULT]);
    assert_non_null(text);
    return text;
}

static void expect_words(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("there is no '%s' in:\n%s", words, text);
}

/* Only the control may be reached; and, if names of files are no secret there,
   what says "sees". */
static void reaches_nothing(const struct grade_box_job *job, int names)
{
    char *text = answer(job), *rest = text, *line;
    int lines = 0;

    expect_words(text, "control reached\n");
    while ((line = strsep(&rest, "\n")) && *line) {
        size_t length = strlen(line);

        lines++;
        if (strncmp(line, "control ", 8) != 0 &&
            !(names && strncmp(line, "sees ", 5) == 0) && length > 8 &&
            strcmp(line + length - 8, " reached") == 0)
            fail_msg("%s", line);
    }
    assert_true(lines > 70);
    free(text);
}

/* A folder of another student's, which everybody may read. */
static char neighbours[] = "/tmp/test_box.XXXXXX", neighbours_file[64];

static void remove_neighbour(void)
{
    (void)unlink(neighbours_file);
    (void)rmdir(neighbours);
}

static const char *neighbour(void)
{
    int file;

    if (neighbours_file[0] != '\0')
        return neighbours_file;
    assert_non_null(mkdtemp(neighbours));
    (void)snprintf(neighbours_file, sizeof neighbours_file, "%s/kernel.cu",
                   neighbours);
    assert_int_equal(atexit(remove_neighbour), 0);
    assert_int_equal(chmod(neighbours, 0755), 0);
    file = open(neighbours_file, O_WRONLY | O_CREAT, 0644);
    assert_true(file >= 0);
    assert_int_equal(write(file, "x", 1), 1);
    assert_int_equal(close(file), 0);
    return neighbours_file;
}

BOX_TEST(nothing_is_reached_that_is_not_in_the_box, BOXED)
{
    struct grade_box_job job =
        boxes_job(state, "reaches", "/box/control", neighbour());

    reaches_nothing(&job, 0);
}

/* It opens what the driver's library needs, and nothing of anybody's. */
BOX_TEST(a_box_for_a_gpu_opens_little_more, BOXED)
{
    static const char *const more[] = {
        "control",
        "reads /proc/self/status",
        "sees /proc/self/status",
        "sees /proc/1/mem",
        "reads /proc/sys/kernel/core_pattern",
        "sees /proc/sys/kernel/core_pattern",
        "reads /dev/null",
        "sees /dev/null",
        "reads /usr/bin/env",
        "sees /usr/bin/env",
        "reads /tmp", /* its own */
        "sees /tmp",
        "writes /tmp/grade_reached",
        "socket 1"}; /* to nobody: it has a network of its own */
    struct grade_box_job job =
        boxes_job(state, "reaches", "/box/control", neighbour());
    char *text, *rest, *line;

    job.kind = GRADE_BOX_GPU;
    job.address_bytes = 0;
    text = rest = answer(&job);
    while ((line = strsep(&rest, "\n")) && *line) {
        const size_t length = strlen(line);
        size_t i = 0;

        if (length < 8 || strcmp(line + length - 8, " reached") != 0)
            continue;
        line[length - 8] = '\0';
        while (i < sizeof more / sizeof more[0] && strcmp(line, more[i]) != 0)
            i++;
        if (i == sizeof more / sizeof more[0])
            fail_msg("%s", line);
    }
    free(text);
}

/* Landlock hides what is in files, not that there are files. */
BOX_TEST(a_container_reaches_no_other_file, CONTAINER)
{
    struct grade_box_job job =
        boxes_job(state, "reaches", "/box/control", neighbour());

    if (syscall(SYS_landlock_create_ruleset, NULL, 0,
                LANDLOCK_CREATE_RULESET_VERSION) < 1) {
        print_message("# skipped: this kernel has no Landlock\n");
        skip();
    }
    reaches_nothing(&job, 1);
}

/* The control of the two above: with limits alone, it does reach. */
BOX_TEST(without_isolation_the_same_program_does_reach, UNSAFE)
{
    struct grade_box_job job =
        boxes_job(state, "reaches", "/box/control", neighbour());
    char *text = answer(&job), words[128];

    (void)snprintf(words, sizeof words, "reads %s reached", neighbour());
    expect_words(text, words);
    expect_words(text, "reads /etc/passwd reached");
    expect_words(text, "socket 1 reached");
    expect_words(text, "memfd reached");
    expect_words(text, "ptrace itself reached");
    free(text);
}

BOX_TEST(only_its_own_descriptors_are_open_and_limits_are_hard, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "looks", NULL, NULL);
    int low = open("/dev/zero", O_RDONLY), high = fcntl(low, F_DUPFD, 300);
    char *text;

    assert_true(low >= 0 && high >= 300);
    job.input = "input";
    job.input_size = 5;
    text = answer(&job);
    expect_words(text, "open 0 1 2 3 4 5\n");
    expect_words(text, "variables 0\n");
    expect_words(text, "limits 16 0 0 0 0 11\n");
    expect_words(text, "writes input 0\n");
    free(text);
    assert_int_equal(close(low), 0);
    assert_int_equal(close(high), 0);
}

BOX_TEST(it_is_nobody_in_its_folder, BOXED)
{
    struct grade_box_job job = boxes_job(state, "looks", NULL, NULL);
    char *text = answer(&job);

    expect_words(text, "user 65534 65534 group 65534 65534\n");
    expect_words(text, "folder /box\n");
    free(text);
}

BOX_TEST(roots_boxes_have_the_slots_user, CONTAINER)
{
    struct grade_box_job job = boxes_job(state, "looks", NULL, NULL);
    char *text = answer(&job), words[128];

    (void)snprintf(words, sizeof words, "folder %s\n", boxes_folder());
    expect_words(text, words);
    if (geteuid() == 0) {
        expect_words(text, "user 60"); /* 60007, unless another box has it */
        expect_words(text, " group 60007 60007\n");
        expect_words(text, "groups 0\n");
    }
    free(text);
}

/* A compiler works in there. */
BOX_TEST(a_compiler_compiles_and_links, EVERYWHERE)
{
    const char *const argv[] = {
        "/bin/sh", "-c",
        "printf '#include <vector>\\nint main() { std::vector<int> v(3); "
        "return v.size() - 3; }' >a.cpp && g++ -O2 -static a.cpp -o a && "
        "./a && cat a >&4 && echo fine 2>/dev/null",
        NULL};
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);
    struct grade_box_outcome outcome;

    job.kind = GRADE_BOX_COMPILE;
    job.argv = argv;
    job.limit[GRADE_RESULT] = (size_t)8 << 20;
    job.address_bytes = (size_t)1 << 30;
    job.processes = 8;
    job.wall_seconds = 100.0;
    outcome = boxes_run(&job);
    assert_string_equal(outcome.bytes[GRADE_TEXT], "fine\n");
    assert_int_equal(outcome.end, GRADE_ENDED);
    assert_int_equal(outcome.code, 0);
    assert_true(outcome.size[GRADE_RESULT] > 100000);
    assert_memory_equal(outcome.bytes[GRADE_RESULT], "\177ELF", 4);
}

/* And includes nothing but itself. */
static void refuses_to_include(void **state, const char *path)
{
    const char *const argv[] = {
        "/bin/sh", "-c", "echo \"#include \\\"$0\\\"\" | g++ -E -x c++ - >&4",
        path, NULL};
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);
    struct grade_box_outcome outcome;

    job.kind = GRADE_BOX_COMPILE;
    job.argv = argv;
    job.processes = 8;
    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, GRADE_ENDED);
    if (outcome.code == 0)
        fail_msg("%s was included", path);
    expect_words(outcome.bytes[GRADE_TEXT], path);
}

BOX_TEST(a_compiler_includes_no_secret, BOXED)
{
    static const char *const paths[] = {"/etc/shadow", "/etc/passwd",
                                        "/dev/zero", "/proc/self/environ",
                                        "/etc/gshadow"};

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        refuses_to_include(state, paths[i]);
    refuses_to_include(state, neighbour());
}

/* cc1plus is killed, and g++ goes on to say so. */
BOX_TEST(a_compile_bomb_is_out_of_time, BOXED)
{
    const char *const argv[] = {
        "/bin/sh", "-c",
        "echo 'constexpr int f() { int s = 0; for (int i = 0; i < 2000000000; "
        "i++) s ^= i; return s; } constexpr int a = f();' >a.cpp && g++ -c "
        "-fconstexpr-loop-limit=2147483647 -fconstexpr-ops-limit=4294967295 "
        "a.cpp",
        NULL};
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);
    struct grade_box_outcome outcome;

    job.kind = GRADE_BOX_COMPILE;
    job.argv = argv;
    job.processes = 8;
    job.cpu_seconds = 1;
    job.address_bytes = (size_t)4 << 30;
    outcome = boxes_run(&job);
    assert_int_equal(outcome.end, GRADE_OUT_OF_TIME);
}
