/* Does a task of a cluster take its own share of the manifest, and nothing that
   is none? */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grade/share.h"

#define ID    "0123456789abcdef0123456789abcdef"
#define BUILD ID ID

static char path[40], why[400];

static int begin(void **state)
{
    int file;

    (void)state;
    snprintf(path, sizeof path, "/tmp/test_share.XXXXXX");
    file = mkstemp(path);
    return file < 0 || close(file) != 0;
}

static int end(void **state)
{
    (void)state;
    return unlink(path);
}

static void put(const char *text)
{
    FILE *const file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_a_task_takes_what_is_its_own(void **state)
{
    FILE *const file = fopen(path, "w");
    struct grade_share share;

    (void)state;
    assert_non_null(file);
    grade_share_begin(file, BUILD);
    grade_share_add(file, 0, "alice", "03_tiling");
    grade_share_add(file, 1, "$(touch X)\n", "03_tiling");
    grade_share_add(file, 1, "alice", "04_coalescing");
    grade_share_add(file, 11, "alice", "05_bank_conflicts");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(grade_share_read(&share, path, 1, BUILD, why, sizeof why),
                     0);
    assert_int_equal(share.items, 2);
    assert_true(grade_share_has(&share, "$(touch X)\n", "03_tiling"));
    assert_false(grade_share_has(&share, "$(touch X)", "03_tiling"));
    assert_false(grade_share_has(&share, "alice", "03_tiling"));
    assert_false(grade_share_has(&share, "alice", "05_bank_conflicts"));
    assert_int_equal(grade_share_unseen(&share), 1);
    assert_true(grade_share_has(&share, "alice", "04_coalescing"));
    assert_int_equal(grade_share_unseen(&share), 0);
    grade_share_free(&share);
}

static void test_what_is_no_manifest_is_an_error(void **state)
{
    static const char *const line[] = {"1 " ID "\n",
                                       "1 " ID " 03_tiling",
                                       "1 " ID " 03_tiling x\n",
                                       "x " ID " 03_tiling\n",
                                       "1 0" ID " 03_tiling\n",
                                       "1 " ID " ../x\n",
                                       "1 0123 03_tiling\n",
                                       "\n"};
    struct grade_share share;

    (void)state;
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++) {
        char text[300];

        snprintf(text, sizeof text, "build %s\n%s", BUILD, line[i]);
        put(text);
        if (grade_share_read(&share, path, 1, BUILD, why, sizeof why) != -1)
            fail_msg("this is taken: %s", line[i]);
        assert_non_null(strstr(why, "is no manifest"));
    }
    put("");
    assert_int_equal(grade_share_read(&share, path, 1, BUILD, why, sizeof why),
                     -1);
    assert_int_equal(
        grade_share_read(&share, "/none", 1, BUILD, why, sizeof why), -1);
    assert_non_null(strstr(why, "No such file"));
}

static void test_what_was_built_otherwise_is_noticed(void **state)
{
    struct grade_share share;

    (void)state;
    put("build " BUILD "\n");
    assert_int_equal(grade_share_read(&share, path, 1, BUILD, why, sizeof why),
                     0);
    assert_int_equal(share.items, 0);
    grade_share_free(&share);
    put("build 9" BUILD "\n");
    assert_int_equal(grade_share_read(&share, path, 1, BUILD, why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "begin it again"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_task_takes_what_is_its_own,
                                        begin, end),
        cmocka_unit_test_setup_teardown(test_what_is_no_manifest_is_an_error,
                                        begin, end),
        cmocka_unit_test_setup_teardown(
            test_what_was_built_otherwise_is_noticed, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
