/* testing.c: see testing.h. A program of tests without a main gets this one. */
#define _GNU_SOURCE
#include "testing.h"

#include "scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* What a test begins and ends with, the state that it begins with, its name. */
struct around {
    CMFixtureFunction set_up, tear_down;
    const void *state;
    char *name;
};

static struct CMUnitTest *tests;
static struct around **around;
static size_t count;
static CMFixtureFunction each[2], all[2];
static const struct around *now; /* of the test that runs */

static int begin_test(void **state)
{
    now = *state;
    *state = (void *)(uintptr_t)now->state;
    scratch_begin_test();
    return now->set_up != NULL ? now->set_up(state) : 0;
}

static int end_test(void **state)
{
    const int result = now->tear_down != NULL ? now->tear_down(state) : 0;

    scratch_end(0);
    return result;
}

static int end_all(void **state)
{
    const int result = all[1] != NULL ? all[1](state) : 0;

    scratch_end(1);
    return result;
}

void testing_add_case(CMUnitTestFunction test, const void *state,
                      const char *name, ...)
{
    struct around *const own = malloc(sizeof *own);
    va_list ap;

    tests = realloc(tests, (count + 1) * sizeof *tests);
    around = realloc(around, (count + 1) * sizeof *around);
    assert_true(own != NULL && tests != NULL && around != NULL);
    *own = (struct around){each[0], each[1], state, NULL};
    va_start(ap, name);
    assert_true(vasprintf(&own->name, name, ap) >= 0);
    va_end(ap);
    tests[count] =
        (struct CMUnitTest){own->name, test, begin_test, end_test, own};
    around[count++] = own;
}

void testing_add(const char *name, CMUnitTestFunction test)
{
    testing_add_case(test, NULL, "%s", name);
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

int testing_run(const char *name)
{
    const int failed =
        _cmocka_run_group_tests(name, tests, count, all[0], end_all);

    for (size_t i = 0; i < count; i++) {
        free(around[i]->name);
        free(around[i]);
    }
    free(around);
    free(tests);
    return failed;
}

__attribute__((weak)) int main(void)
{
    return testing_run(program_invocation_short_name);
}
