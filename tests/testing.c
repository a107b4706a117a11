/* testing.c: see testing.h. A file of tests that has no main gets this one. */
#define _GNU_SOURCE
#include "testing.h"

#include <errno.h>
#include <stdlib.h>

static struct CMUnitTest *tests;
static size_t count;
static CMFixtureFunction each[2], all[2];

void testing_add_case(const char *name, CMUnitTestFunction test, void *state)
{
    tests = realloc(tests, (count + 1) * sizeof *tests);
    assert_non_null(tests);
    tests[count++] = (struct CMUnitTest){name, test, each[0], each[1], state};
}

void testing_add(const char *name, CMUnitTestFunction test)
{
    testing_add_case(name, test, NULL);
}

void testing_each(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    each[0] = set_up;
    each[1] = tear_down;
}

void testing_all(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    all[0] = set_up;
    all[1] = tear_down;
}

int main(void)
{
    const int failed = _cmocka_run_group_tests(program_invocation_short_name,
                                               tests, count, all[0], all[1]);

    free(tests);
    return failed;
}
