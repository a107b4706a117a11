/* Is what a fuzzer once found still mended? Each file of found/TARGET is given
   to that target, which ends this program with a message if it does not bear
   it; so are texts that every parser meets. */
#define _GNU_SOURCE

#include "../testing.h"
#include "fuzz.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 1 << 20
};

static void give_file(const struct fuzz_target *target, const char *path)
{
    uint8_t *const bytes = malloc(MOST);
    FILE *const file = fopen(path, "r");
    size_t size;

    assert_non_null(bytes);
    assert_non_null(file);
    size = fread(bytes, 1, MOST, file);
    fclose(file);
    fprintf(stderr, "# %s\n", path); /* the last one, if it ends here */
    target->run(bytes, size);
    free(bytes);
}

static void bears_what_was_found(void **state)
{
    const struct fuzz_target *const target = *state;
    char pattern[100];
    glob_t found;

    snprintf(pattern, sizeof pattern, "tests/fuzz/found/%s/*", target->name);
    if (glob(pattern, 0, NULL, &found) != 0)
        return; /* nothing was found yet */
    for (size_t i = 0; i < found.gl_pathc; i++)
        give_file(target, found.gl_pathv[i]);
    globfree(&found);
}

static void bears_common_oddities(void **state)
{
    static const char *const odd[] = {"",
                                      "\n",
                                      "\r\n",
                                      "\r",
                                      "\xef\xbb\xbf",
                                      "\xff\xfe",
                                      "\"",
                                      "\"\"",
                                      "'",
                                      "\\",
                                      "\\\n",
                                      "#",
                                      "[",
                                      "[]",
                                      "a,b\n1",
                                      "id\n",
                                      "\xe2\x80\xae",
                                      "/*",
                                      "//",
                                      "R\"(",
                                      "{",
                                      "<<<",
                                      ">>>",
                                      "1e999",
                                      "nan",
                                      "0x1p9",
                                      "-",
                                      "=1+1",
                                      "%s%n",
                                      "%",
                                      "3.1:",
                                      "\t",
                                      "\x1b[2J",
                                      "{\"key\":\"key\"}",
                                      "id\r\rx\r"};
    const struct fuzz_target *const target = *state;

    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        target->run((const uint8_t *)odd[i], strlen(odd[i]));
    target->run((const uint8_t *)"a\0b", 3);
}

static void add_targets(void)
{
    for (const struct fuzz_target *t = fuzz_targets; t->name != NULL; t++) {
        testing_add_case(bears_what_was_found, t, "%s_bears_what_was_found",
                         t->name);
        testing_add_case(bears_common_oddities, t, "%s_bears_common_oddities",
                         t->name);
    }
}

MORE_TESTS(add_targets);
