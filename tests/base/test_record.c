/* What could the reader of `key: value` files get wrong? */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "../testing.h"
#include "base/record.h"
#include "base/words.h"

static char why[300];

/* Reads a text; the file is to be freed if that went well. */
static int parse(struct base_records *file, const char *text)
{
    why[0] = '\0';
    file->path = "f";
    file->why = why;
    file->why_size = sizeof why;
    return base_records_parse(file, strdup(text));
}

/* The text must be refused with exactly this message. */
static void is_refused(enum base_record_kind kind, const char *text,
                       const char *message)
{
    struct base_records file = {.kind = kind};

    assert_int_equal(parse(&file, text), -1);
    assert_string_equal(why, message);
    assert_null(file.text);
}

TEST(test_head_and_records_are_told_apart)
{
    struct base_records file = {.leader = "lab"};

    assert_int_equal(parse(&file, "# a list\nfrom: 3\n\nlab: 03\ntitle: T\n\n"
                                  "points: 1\nlab:04\n"),
                     0);
    assert_int_equal(file.head.fields, 1);
    assert_string_equal(file.head.field->value, "3");
    assert_int_equal(file.count, 2);
    assert_int_equal(file.record[0].fields, 3);
    assert_string_equal(base_record_find(&file.record[0], "points")->value,
                        "1");
    assert_int_equal(base_record_find(&file.record[0], "points")->line, 7);
    assert_null(base_record_find(&file.record[1], "points"));
    assert_ptr_equal(base_records_find(&file, "04"), &file.record[1]);
    assert_null(base_records_find(&file, "05"));
    base_records_free(&file);
}

TEST(test_a_file_without_a_leader_is_all_head)
{
    struct base_records file = {.leader = NULL};

    assert_int_equal(parse(&file, "3.1: 2\n3.2: 1"), 0);
    assert_int_equal(file.head.fields, 2);
    assert_int_equal(file.count, 0);
    base_records_free(&file);
    assert_int_equal(parse(&file, ""), 0);
    assert_int_equal(file.head.fields, 0);
    base_records_free(&file);
}

TEST(test_a_value_goes_on_in_indented_lines)
{
    static const char text[] = "a:\n  one\ttwo\n\n# no part of it\n three  \n"
                               "b: \nc: x: y\n";
    struct base_records file = {.leader = NULL};

    assert_int_equal(parse(&file, text), 0);
    assert_int_equal(file.head.fields, 3);
    assert_string_equal(file.head.field[0].value, "one two three");
    assert_string_equal(file.head.field[1].value, "");
    assert_string_equal(file.head.field[2].value, "x: y");
    base_records_free(&file);
}

TEST(test_in_texts_only_a_number_begins_a_value)
{
    struct base_records file = {.kind = BASE_RECORD_TEXTS};

    assert_int_equal(
        parse(&file, "# a note\n\n03.1: one\nNote: two\n# 3\n\n"
                     "? 3.14: How much?\n? More\n3.14: pi\n 3.2: x\n3.145: y"),
        0);
    assert_int_equal(file.head.fields, 2);
    assert_string_equal(file.head.field[0].key, "03.1");
    assert_string_equal(file.head.field[0].value, "one\nNote: two\n# 3");
    assert_string_equal(file.head.field[1].value, "pi\n 3.2: x\n3.145: y");
    base_records_free(&file);
}

TEST(test_marks_and_line_ends_of_windows_are_no_text)
{
    struct base_records file = {.leader = "a"};

    assert_int_equal(parse(&file, "\xef\xbb\xbf"
                                  "a: b\r\n\r\n c\r\nd: e\r"),
                     0);
    assert_string_equal(file.record[0].field[0].key, "a");
    assert_string_equal(file.record[0].field[0].value, "b c");
    assert_string_equal(file.record[0].field[1].value, "e");
    base_records_free(&file);
}

TEST(test_what_is_no_record_is_told_with_its_line)
{
    is_refused(BASE_RECORD_WORDS, "a: b\nc d\n",
               "f:2: 'c d' is not 'KEY: VALUE' (indent a line that goes on "
               "with a value)");
    is_refused(BASE_RECORD_WORDS, "# c\n  a: b\n",
               "f:2: '  a: b' is not 'KEY: VALUE' (indent a line that goes on "
               "with a value)");
    is_refused(BASE_RECORD_TEXTS, "\nNote: two\n",
               "f:2: belongs to no question: begin with its number, as in "
               "'03.2: ...'");
    is_refused(BASE_RECORD_WORDS, "a: b\r\n\nb: \xe4\n",
               "f:3: not UTF-8 text, or a control character (save the file as "
               "UTF-8)");
    is_refused(BASE_RECORD_WORDS, "a: b\rc: d\n",
               "f:1: not UTF-8 text, or a control character (save the file as "
               "UTF-8)");
}

TEST(test_a_file_that_is_not_there_is_told)
{
    struct base_records file = {
        .path = "/nowhere/f", .why = why, .why_size = sizeof why};

    assert_int_equal(base_records_read(&file), -1);
    assert_string_equal(why, "/nowhere/f: No such file or directory");
}

/* --- records of known keys ------------------------------------------------ */

struct made {
    const char *name;
    int counts, day, sum;
};

static int add(const struct base_records *file, const struct base_field *field,
               void *to)
{
    struct made *const made = to;

    if (strcmp(field->value, "one") != 0)
        return base_records_wrong(file, field->line, "not one");
    made->sum++;
    return 0;
}

static const struct base_key keys[] = {
    {"name", offsetof(struct made, name), .stands = BASE_NEEDED},
    {"counts", offsetof(struct made, counts), .choice = "no yes"},
    {"day", offsetof(struct made, day), .least = 1, .most = 31},
    {"add", .stands = BASE_REPEATS, .read = add},
};

static int fill(const char *text, struct made *made)
{
    struct base_records file = {.leader = "name"};
    int result;

    assert_int_equal(parse(&file, text), 0);
    result = base_record_fill(&file, file.count ? &file.record[0] : &file.head,
                              keys, sizeof keys / sizeof *keys, made);
    base_records_free(&file);
    return result;
}

static void does_not_fill(const char *text, const char *message)
{
    struct made made;

    assert_int_equal(fill(text, &made), -1);
    assert_string_equal(why, message);
}

TEST(test_each_key_fills_its_place)
{
    struct made made = {.day = 7};

    assert_int_equal(fill("name: x\nadd: one\nadd: one\ncounts: yes", &made),
                     0);
    assert_int_equal(made.counts, 1);
    assert_int_equal(made.day, 7);
    assert_int_equal(made.sum, 2);
    assert_int_equal(fill("name: x\nday: 31\ncounts: no", &made), 0);
    assert_int_equal(made.counts, 0);
    assert_int_equal(made.day, 31);
}

TEST(test_a_wrong_field_is_told_with_what_would_be_right)
{
    does_not_fill("name: x\n\ncolour: red\n",
                  "f:3: 'colour' is not known here: use name, counts, day or "
                  "add");
    does_not_fill("name: x\nday: 1\nday: 1\n",
                  "f:3: 'day' stands here for the second time");
    does_not_fill("name:\n", "f:1: nothing stands behind name");
    does_not_fill("name: x\ncounts: maybe\n",
                  "f:2: write 'counts: no' or 'counts: yes'");
    does_not_fill("name: x\ncounts:\n", "f:2: nothing stands behind counts");
    does_not_fill("name: x\nday: 0\n",
                  "f:2: write 'day:' and a whole number from 1 to 31");
    does_not_fill("name: x\nday: 1.5\n",
                  "f:2: write 'day:' and a whole number from 1 to 31");
    does_not_fill("name: x\nadd: two\n", "f:2: not one");
    does_not_fill("day: 1\n", "f:1: 'name' is missing");
}

TEST(test_numbers_have_dots_between_them)
{
    int number[3];

    assert_string_equal(base_read_numbers("03.12.1: x", 3, number), ": x");
    assert_int_equal(number[0], 3);
    assert_int_equal(number[1], 12);
    assert_int_equal(number[2], 1);
    assert_null(base_read_numbers("03", 2, number));
    assert_null(base_read_numbers("3.", 2, number));
    assert_null(base_read_numbers("123.1", 2, number));
    assert_null(base_read_numbers("-1.1", 2, number));
}
