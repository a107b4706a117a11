/* Does `make banks` show what fits a screen, and refuse what it cannot show? */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "../command.h"

#include <string.h>

static void test_every_screen_has_80_columns(void **state)
{
    struct command wide = command_run(
        "{ build/tools/banks; build/tools/banks -t char -s 5; "
        "build/tools/banks -t double -s 3 -r 1.x; build/tools/banks --help; } "
        "| awk 'length > 80 { wide++ } END { print (NR > 100) + wide }'");

    (void)state;
    assert_string_equal(wide.text, "1\n"); /* long enough, and none wide */
    command_free(&wide);
}

static void test_a_conflict_is_explained_lane_by_lane(void **state)
{
    struct command run = command_run("build/tools/banks --type float --stride "
                                     "2");

    (void)state;
    command_ends(&run, 0);
    command_says(&run, "32 banks of 4 bytes (today): 2 passes");
    command_says(&run, "  16     128      32     0  conflict: 1 other word");
    command_free(&run);
    run = command_run("build/tools/banks -t float -s 1 | grep -c conflict");
    command_says(&run, "0");
    command_free(&run);
}

static void test_wrong_options_are_one_line_and_exit_2(void **state)
{
    static const char *const options[] = {
        "--stride 0 --type char",
        "--stride 65 --type char",
        "--stride x",
        "--type int --stride 1",
        "--type char",
        "--stride 4",
        "--rule 2.x",
        "surplus",
        "--csv /no/such/folder/f",
    };

    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        struct command run = command_run("build/tools/banks %s", options[i]);

        command_ends(&run, 2);
        assert_ptr_equal(strchr(run.text, '\n') + 1,
                         run.text + strlen(run.text));
        command_free(&run);
    }
}

static void test_the_file_has_a_row_for_each_case(void **state)
{
    struct command run = command_run(
        "f=$(mktemp) && build/tools/banks --csv $f >/dev/null && wc -l < $f && "
        "grep -c '^float,32,today,32,1$' $f; ls $f*; rm -f $f");

    (void)state;
    command_says(&run, "265\n1\n/tmp/");
    assert_null(strstr(run.text, ".part"));
    command_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_screen_has_80_columns),
        cmocka_unit_test(test_a_conflict_is_explained_lane_by_lane),
        cmocka_unit_test(test_wrong_options_are_one_line_and_exit_2),
        cmocka_unit_test(test_the_file_has_a_row_for_each_case),
    };

    return cmocka_run_group_tests_name("banks screen", tests, NULL, NULL);
}
