/* Which links would be called good or bad by mistake? */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../testing.h"
#include "teach/links.h"

TEST(test_anchors_are_made_of_headings_as_github_does)
{
    static const char text[] = "# Lab 03: tiling\n"
                               "```sh\n# no heading\n```\n"
                               "## Then & now\n## Same\n## Same\n";

    assert_true(links_has_anchor(text, "lab-03-tiling"));
    assert_true(links_has_anchor(text, "then--now"));
    assert_true(links_has_anchor(text, "same"));
    assert_true(links_has_anchor(text, "same-1"));
    assert_false(links_has_anchor(text, "same-2"));
    assert_false(links_has_anchor(text, "no-heading"));
    assert_false(links_has_anchor(text, "lab-03"));
}

TEST(test_links_in_code_are_none)
{
    static const char text[] = "`[a](b)` [c](d.md#e \"t\")\n```\n[f](g)\n```\n"
                               "![h](i.svg)";
    const char *at = text;
    char target[40];

    at = links_next(text, at, target, sizeof target);
    assert_non_null(at);
    assert_string_equal(target, "d.md#e");
    at = links_next(text, at, target, sizeof target);
    assert_non_null(at);
    assert_string_equal(target, "i.svg");
    assert_null(links_next(text, at, target, sizeof target));
}

TEST(test_a_link_that_leads_nowhere_is_counted)
{
    char path[] = "/tmp/linksXXXXXX";
    const int file = mkstemp(path), out = dup(2);
    const int nothing = open("/dev/null", O_WRONLY);
    int links = 0, bad;

    assert_true(file >= 0);
    assert_true(dprintf(file,
                        "# One\n[a](#one) [b](#two) [c](none.md) "
                        "[d](https://x.org/y) [e](%s#one)\n",
                        path + 5) > 0);
    dup2(nothing, 2);
    bad = links_check(path, &links);
    dup2(out, 2);
    unlink(path);
    close(file);
    assert_int_equal(bad, 2);
    assert_int_equal(links, 4);
}
