/* Are the findings of all runs written? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "base/csv_read.h"
#include "harness/found.h"

static void add_finding(struct lab_found *found, const char *own)
{
    const struct simt_finding finding = {.check = SIMT_RACE_SHARED,
                                         .kernel = own,
                                         .array = own,
                                         .file = own,
                                         .line = 7,
                                         .count = 2,
                                         .text = own};
    const struct simt_findings findings = {.finding = &finding, .count = 1};

    assert_int_equal(lab_found_add(found, &findings), 0);
}

TEST(test_findings_of_several_runs_are_written)
{
    const struct simt_findings none = {.count = 0};
    struct simt_checks checks = {.runs = 1};
    struct lab_found found = {0};
    struct base_csv csv;
    char path[] = "/tmp/test_found.XXXXXX", why[256];
    size_t seen = 0;

    add_finding(&found, "one,\n\"two\"");
    assert_int_equal(lab_found_add(&found, &none), 0);
    add_finding(&found, "three");
    checks.found[SIMT_RACE_SHARED] = 2;
    close(mkstemp(path));
    assert_int_equal(lab_found_write(path, &checks, &found, why, sizeof why),
                     0);
    lab_found_free(&found);
    assert_int_equal(base_csv_read(path, &csv, why, sizeof why), 0);
    for (size_t i = 0; i < csv.rows; i++) {
        if (strcmp(base_csv_text(&csv, i, "record"), "finding") == 0) {
            assert_string_equal(base_csv_text(&csv, i, "text"),
                                seen++ == 0 ? "one,\n\"two\"" : "three");
            assert_string_equal(base_csv_text(&csv, i, "line"), "7");
        } else if (strcmp(base_csv_text(&csv, i, "check"), "race_shared") ==
                   0) {
            assert_string_equal(base_csv_text(&csv, i, "answer"), "found");
        }
    }
    assert_int_equal(seen, 2);
    assert_int_equal(csv.rows, SIMT_CHECKS + 2);
    base_csv_free(&csv);
    unlink(path);
    assert_int_equal(
        lab_found_write("/not/there/f.csv", &checks, &found, why, sizeof why),
        -1);
    assert_non_null(strstr(why, "/not/there/f.csv"));
}
