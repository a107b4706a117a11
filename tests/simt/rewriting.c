#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "rewriting.h"

#include "simt/rewrite/rewrite.h"

#include <stdlib.h>
#include <string.h>

static const char first_line[] = "#line 1 \"lab.cu\"\n";

/* The rewritten text behind its first line, to be freed; NULL and why if it is
   refused. */
char *rewriting_of(const char *text, char *why, size_t size)
{
    char *output, *rest;
    size_t length;

    if (simt_rewrite(text, strlen(text), "lab.cu", &output, &length, why,
                     size) != 0)
        return NULL;
    assert_int_equal(strlen(output), length);
    assert_memory_equal(output, first_line, strlen(first_line));
    rest = strdup(output + strlen(first_line));
    free(output);
    return rest;
}

int rewriting_count(const char *text, const char *words)
{
    int found = 0;

    for (; (text = strstr(text, words)) != NULL; text++)
        found++;
    return found;
}

/* The text holds `launches` launches, none is left, every line keeps its
   place. Returns the rewritten text, to be freed. */
char *expect_launches(const char *text, int launches)
{
    char why[256] = "";
    char *output = rewriting_of(text, why, sizeof why);

    if (output == NULL)
        fail_msg("refused: %s\n%s", why, text);
    assert_int_equal(rewriting_count(output, "::simt_device::launch("),
                     launches);
    assert_int_equal(rewriting_count(output, "\n"),
                     rewriting_count(text, "\n"));
    return output;
}

void expect_same(const char *text)
{
    char *output = expect_launches(text, 0);

    assert_string_equal(output, text);
    free(output);
}

void expect_refused(const char *text, const char *message)
{
    char why[256] = "";
    char *output = rewriting_of(text, why, sizeof why);

    if (output != NULL)
        fail_msg("not refused: %s", text);
    if (strstr(why, message) == NULL)
        fail_msg("'%s' instead of '%s'", why, message);
    assert_null(strchr(why, '\n'));
}
