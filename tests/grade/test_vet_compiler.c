/*
 * Does the first look at a source see every word that the compiler sees? What
 * tells words from strings and comments is not easy in C++, and who finds a
 * difference could hide a refused word. Random texts, made of what is hard to
 * read, are given to both: 1000, or VET_TEXTS.
 */
#define _GNU_SOURCE

#include "../testing.h"
#include "course/vet.h"
#include "harness/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_PIECES = 24,
    LONGEST = MOST_PIECES * 16
};

/* As a macro it is expanded where it is a word, and nowhere else. */
static const char hidden[] = "asm";
static const char seen[] = "seen_by_the_compiler";

static const char *const pieces[] = {
    "asm",
    "asm",
    "a\\\nsm",
    "as\\\n\\\nm",
    "a\\ \nsm",
    "\"",
    "'",
    "R\"(",
    ")\"",
    "R\"x(",
    ")x\"",
    "R\\\n",
    "u\\\n8",
    "u8",
    "L",
    "\\\n",
    "\\ \t\n",
    "\\\r\n",
    "\\\\",
    "//",
    "/*",
    "*/",
    "/",
    "*",
    "1",
    "1e+",
    ".5",
    "1'",
    "0x1p-",
    ".",
    "_",
    "$",
    "\xc3\x97",
    "\xc3\xa9",
    "?\?/\n",
    "+",
    "(",
    ")",
    " ",
    "\n",
    "\r",
    "\f",
    "#",
    "\n#if 0\n",
    "\n#if 1\n",
    "\n#endif\n",
    "\n#define X ",
    "\n#undef X\n",
    "\n#error ",
    "<:",
    "%:",
    "\n#define Y(x) x ",
};

static void add_pieces(uint64_t *state, size_t count, char *text)
{
    for (size_t i = 0; i < count; i++)
        strcat(text,
               pieces[lab_random(state) % (sizeof pieces / sizeof *pieces)]);
}

/* Pieces in any order; or the word after some that could hide it, and before
   some that could end what hides it, which the compiler takes for a comment. */
static void make_text(uint64_t seed, char *text)
{
    static const char *const before[] = {"#if 0\n", "#define X ", "",
                                         "#if 0\n#error "};
    static const char *const behind[] = {"\n#endif\n", "\n", "\n",
                                         "\n#endif\n"};
    uint64_t state = seed;
    const size_t kind = lab_random(&state) % 5;

    text[0] = '\0';
    if (kind == 4) {
        add_pieces(&state, 2 + lab_random(&state) % (MOST_PIECES - 2), text);
    } else {
        strcat(text, before[kind]);
        add_pieces(&state, 1 + lab_random(&state) % 4, text);
        strcat(text, behind[kind]);
        strcat(text, "asm(\"\");\n//");
        add_pieces(&state, 1 + lab_random(&state) % 3, text);
    }
    strcat(text, "\n");
}

/* Does the compiler take the text, and find the word in it? */
static int compiler_sees(const char *text)
{
    char path[] = "/tmp/vet_compiler.XXXXXX", command[200], line[4096];
    const int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    int found = 0, status;

    assert_non_null(file);
    fprintf(file, "#define %s %s\n%s", hidden, seen, text);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command,
             "g++ -std=c++17 -E -P -x c++ '%s' 2>/dev/null", path);
    file = popen(command, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        found |= strstr(line, seen) != NULL;
    status = pclose(file);
    unlink(path);
    return found && status == 0;
}

TEST(what_the_compiler_sees_is_seen)
{
    const char *const wanted = getenv("VET_TEXTS");
    const char *const begin = getenv("VET_BEGIN");
    const int texts = wanted != NULL ? atoi(wanted) : 1000;
    const uint64_t first = begin != NULL ? strtoull(begin, NULL, 10) : 1;
    char text[LONGEST], why[800];
    int let_through = 0;

    for (int i = 0; i < texts; i++) {
        make_text(first + (uint64_t)i, text);
        if (strstr(text, "sm") == NULL ||
            course_vet_source("lab.cu", text, strlen(text), why, sizeof why) !=
                0)
            continue;
        let_through++;
        if (compiler_sees(text)) {
            fail_msg("text %llu holds '%s', and is let through:\n%s",
                     (unsigned long long)(first + (uint64_t)i), hidden, text);
        }
    }
    printf("# %d of %d texts hide the word\n", let_through, texts);
    assert_true(let_through > 0); /* or nothing was tested */
}

/* Each of these was let through once. */
TEST(ways_to_hide_a_word_are_known)
{
    static const char *const ways[] = {
        "_\\\n\\\n_attribute__((constructor)) void f(void);\n",
        "a\\\n\\\nsm(\"\");\n",
        "#define S(x)\nS(1.R\"(\") asm(\"\"); S(\")\")\n",
        "#define S(x)\nS(1e+R\"(\") asm(\"\"); S(\")\")\n",
        "#define S(x)\nS(1'_) asm(\"\"); S(1'_)\n",
        "#define S(x)\nS(.5.R\"(\") asm(\"\"); S(\")\")\n",
        "#define S(x)\nS(1\xc3\x97R\"(\" )\" ) asm(\"\"); S(\" )\n\")\n",
        "#define S(x)\nS(R\\\n\"(\" )\" ) asm(\"\"); S(\" )\n\")\n",
        "#define S(x)\nS(u\\\n8R\"(\" )\" ) asm(\"\"); S(\" )\n\")\n",
        "// a \\ \nR\"(\nasm(\"\");\n// )\"\n",
        "// a\rasm(\"\");\n",
        "#if 0\nit's /*\n#endif\nasm(\"\");\n// */\n",
        "#define X ' /*\nasm(\"\");\n// */\n",
        "#if 0\n#error it's /*\n#endif\nasm(\"\");\n// */\n",
        "\"\\\\\nn\"; asm(\"\"); \"\"\n",
    };
    char why[800];

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (course_vet_source("lab.cu", ways[i], strlen(ways[i]), why,
                              sizeof why) == 0)
            fail_msg("let through: %s", ways[i]);
    }
}
