/* testing.c: see testing.h. It has the main of the programs of tests. */
#define _GNU_SOURCE
#include "testing.h"

#include "scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* A test, what it begins and ends with, and the state that it begins with. */
struct around {
    CMUnitTestFunction test;
    CMFixtureFunction set_up, tear_down;
    const void *state;
    char *name;
    struct around *next;
};

static struct around *first, **last = &first;
static size_t count;
static int (*run_by)(int argc, char **argv);
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

    assert_non_null(own);
    *own = (struct around){test, each[0], each[1], state, NULL, NULL};
    va_start(ap, name);
    assert_true(vasprintf(&own->name, name, ap) >= 0);
    va_end(ap);
    *last = own;
    last = &own->next;
    count++;
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

void testing_run_by(int (*run)(int argc, char **argv))
{
    run_by = run;
}

int testing_run(const char *name)
{
    struct CMUnitTest *const tests = calloc(count, sizeof *tests);
    struct CMUnitTest *test = tests;
    int failed;

    assert_non_null(tests);
    for (struct around *own = first; own != NULL; own = own->next)
        *test++ = (struct CMUnitTest){own->name, own->test, begin_test,
                                      end_test, own};
    failed = _cmocka_run_group_tests(name, tests, count, all[0], end_all);
    while (first != NULL) {
        struct around *const own = first;

        first = own->next;
        free(own->name);
        free(own);
    }
    free(tests);
    return failed;
}

int main(int argc, char **argv)
{
    return run_by != NULL ? run_by(argc, argv)
                          : testing_run(program_invocation_short_name);
}
