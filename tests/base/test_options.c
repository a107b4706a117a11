/* Is a command line taken as it was meant, and a mistake told in one line? */

#include <stdio.h>
#include <string.h>

#include "../testing.h"
#include "base/options.h"
#include "base/words.h"

struct call {
    int many, loud, odd, colour;
    const char *file, *folder;
};

static int read_odd(const char *text, void *to, char *why, size_t size)
{
    unsigned long long number;

    if (base_whole_number(text, 99, &number) != 0 || number % 2 == 0) {
        snprintf(why, size, "--odd: '%s' is not", text);
        return -1;
    }
    *(int *)to = (int)number;
    return 0;
}

#define AT(field) .at = offsetof(struct call, field)

static const struct base_option known[] = {
    {.help = "Values"},
    {"many", 'm', "N", "How many", AT(many), 1, 8, 0},
    {"odd", 0, "N", "An odd number", AT(odd), .read = read_odd},
    {"file", 0, "FILE", "A file", AT(file)},
    {"colour", 0, "WORD", "A colour", AT(colour), .choice = "red green blue"},
    {.help = "Others"},
    {"loud", 0, NULL, "Says more", AT(loud)}};

static const struct base_command command = {
    known, sizeof known / sizeof *known, "[FOLDER]",
    offsetof(struct call, folder), "Tries options."};

static char why[200];

static int read_words(struct call *call, const char *first, const char *second)
{
    static char name[] = "program", one[40], two[40];
    char *argv[] = {name, one, two, NULL};

    *call = (struct call){.folder = "here"};
    strcpy(one, first);
    strcpy(two, second);
    return base_options_read(&command, second[0] != '\0' ? 3 : 2, argv, call,
                             why, sizeof why);
}

TEST(test_each_kind_of_value_arrives)
{
    struct call call;

    assert_int_equal(read_words(&call, "-m3", "--odd=7"), 0);
    assert_int_equal(call.many, 3);
    assert_int_equal(call.odd, 7);
    assert_string_equal(call.folder, "here");
    assert_int_equal(read_words(&call, "--loud", "there"), 0);
    assert_int_equal(call.loud, 1);
    assert_string_equal(call.folder, "there");
    assert_int_equal(read_words(&call, "--file", "a b"), 0);
    assert_string_equal(call.file, "a b");
    assert_int_equal(read_words(&call, "--colour", "blue"), 0);
    assert_int_equal(call.colour, 2);
}

TEST(test_a_mistake_is_one_line)
{
    static const char *const wrong[][3] = {
        {"--many=9", "x", "--many: '9' is not a whole number from 1 to 8"},
        {"--many=", "x", "--many: '' is not a whole number from 1 to 8"},
        {"--many=+3", "x", "--many: '+3' is not a whole"},
        {"--many=99999999999999999999", "x", "is not a whole number"},
        {"x", "--many", "--many needs a value: --many N"},
        {"--loud=1", "x", "--loud takes no value"},
        {"--file=", "x", "--file: is empty"},
        {"--odd", "4", "--odd: '4' is not"},
        {"--colour", "gree", "'gree' is not known: use red, green or blue"},
        {"--nothing", "x", "'--nothing' is not an option (--help lists them)"},
        {"x", "y", "'y' is one too many: there is one [FOLDER]"},
    };
    struct call call;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(read_words(&call, wrong[i][0], wrong[i][1]), -1);
        if (strstr(why, wrong[i][2]) == NULL)
            fail_msg("'%s' does not say '%s'", why, wrong[i][2]);
        assert_null(strchr(why, '\n'));
    }
}

TEST(test_help_is_shown_and_said)
{
    struct call call;

    assert_int_equal(read_words(&call, "--help", ""), 1);
}
