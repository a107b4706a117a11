/* Does GitHub Actions show what it is given, and obey none of a student's words
   in it? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "folder.h"
#include "small_class.h"

static const char path[] = "export/github.txt", beside[] = "export/github.md";

/* Of a row of the class. */
static void export_to_github(size_t row)
{
    struct grade_class own = class;
    struct grade_papers of_own = papers;

    own.row += row;
    of_own.class = &own;
    if (grade_export_github(&of_own, NULL) != 0)
        fail_msg("%s", why);
}

EACH_TEST(small_class_begin, small_class_end);

TEST(test_github_points_to_the_lines_of_ones_own_labs)
{
    char *text;

    export_to_github(2);
    text = text_of(path);
    assert_string_equal(
        text, "::error file=labs/03_tiling/tiling.cu,line=48,"
              "title=03_tiling::race on As with line 64\n"
              "::error file=labs/04_coalescing/coalescing.cu,"
              "title=04_coalescing::GRADER_ERROR, no points were decided\n");
    export_to_github(0);
    text = text_of(path);
    assert_string_equal(text,
                        "::error file=labs/04_coalescing/coalescing.cu,"
                        "title=04_coalescing::PASS, 83.33 of 100 points\n");
}

TEST(test_github_escapes_what_a_message_may_hold)
{
    char *text;

    free(class.row[2].result[0].findings);
    class.row[2].result[0].findings =
        strdup("tiling.cu:9: 50% of a, b: c\r\ntiling.cu:10: \r::error::x\n");
    export_to_github(2);
    text = text_of(path);
    assert_non_null(strstr(text, "line=9,title=03_tiling::50%25 of a, b: c\n"));
    assert_non_null(strstr(text, "line=10,title=03_tiling::\\x0d::error::x\n"));
    for (char *line = strtok(text, "\n"); line != NULL;
         line = strtok(NULL, "\n"))
        assert_int_equal(strncmp(line, "::error file=labs/", 18), 0);
}

TEST(test_github_shows_ten_errors)
{
    char *text, many[2000] = "";
    int errors = 0;

    for (int i = 1; i <= 30; i++)
        snprintf(many + strlen(many), 60, "tiling.cu:%d: race\n", i);
    class.row[0].result[0].verdict = GRADE_UNCLEAN;
    class.row[0].result[0].points[GRADE_CLEAN] = 0.0;
    free(class.row[0].result[0].findings);
    class.row[0].result[0].findings = strdup(many);
    export_to_github(0);
    text = text_of(path);
    for (const char *s = text; (s = strstr(s, "::error ")) != NULL; s++)
        errors++;
    assert_int_equal(errors, 10);
}

TEST(test_github_has_a_table_for_the_summary)
{
    char *text;

    export_to_github(2);
    text = text_of(beside);
    assert_string_equal(text,
                        "| lab | verdict | points |\n| --- | --- | --- |\n"
                        "| 03_tiling | FAIL | 33.33 of 100 |\n"
                        "| 04_coalescing | GRADER_ERROR | not decided |\n");
}
