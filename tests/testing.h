/*
 * testing.h: cmocka, and tests that need no list: TEST(name) { ... } defines a
 * test, and the program runs all of its tests in the order in which they stand
 * in the file.
 */
#ifndef TESTS_TESTING_H
#define TESTS_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* A test. `state` is what its set-up left there. */
#define TEST(name)                                              \
    static void name(void **state);                             \
    __attribute__((constructor)) static void name##_joins(void) \
    {                                                           \
        testing_add(#name, name);                               \
    }                                                           \
    static void name(__attribute__((unused)) void **state)

/* A set-up or tear-down that needs no state. */
#define FIXTURE(name) static int name(__attribute__((unused)) void **state)

#define TESTING_JOIN(a, b) a##b
#define TESTING_AT(line)   TESTING_JOIN(testing_each_, line)

/* What each test behind this line begins and ends with; NULL: nothing. */
#define EACH_TEST(set_up, tear_down)                                    \
    __attribute__((constructor)) static void TESTING_AT(__LINE__)(void) \
    {                                                                   \
        testing_each(set_up, tear_down);                                \
    }                                                                   \
    _Static_assert(1, "takes the semicolon")

/* What the program begins and ends with. */
#define ALL_TESTS(set_up, tear_down)                                  \
    __attribute__((constructor)) static void testing_around_all(void) \
    {                                                                 \
        testing_all(set_up, tear_down);                               \
    }                                                                 \
    _Static_assert(1, "takes the semicolon")

/* A function that adds tests by testing_add_case() while the program starts. */
#define MORE_TESTS(add)                                             \
    __attribute__((constructor)) static void testing_add_more(void) \
    {                                                               \
        add();                                                      \
    }                                                               \
    _Static_assert(1, "takes the semicolon")

/* Adds a test with a state, which must last, and a name in printf's form. */
void testing_add_case(CMUnitTestFunction test, const void *state,
                      const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/* Has main call this one, which runs all tests by testing_run() and returns how
   many failed. */
void testing_run_by(int (*run)(int argc, char **argv));
int testing_run(const char *name);

/* For the macros above. */
void testing_add(const char *name, CMUnitTestFunction test);
void testing_each(CMFixtureFunction set_up, CMFixtureFunction tear_down);
void testing_all(CMFixtureFunction set_up, CMFixtureFunction tear_down);

#endif /* TESTS_TESTING_H */
