/* What could go wrong between a text and its translation? */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../scratch.h"
#include "base/language.h"
#include "base/po.h"
#include "language/compare.h"
#include "language/parts.h"

static char why[500];

/* --- parts ---------------------------------------------------------------- */

/* The texts of the parts of a file, one behind the other in brackets. */
static void has_parts(const char *path, const char *text, const char *expected)
{
    struct language_parts parts;
    FILE *const file = writing();

    assert_int_equal(language_parts_find(path, text, &parts), 0);
    for (size_t i = 0; i < parts.count; i++)
        fprintf(file, "[%s]", parts.part[i].text);
    assert_string_equal(written(), expected);
    language_parts_free(&parts);
}

TEST(test_code_and_what_a_run_prints_are_no_parts)
{
    has_parts(
        "x.md",
        "# The head\n\nOne line\nand another.\n\n```c\nint a;\n```\n"
        "```console\n$ make it\nsaid so\n```\n<!-- a remark -->\n"
        "- an item\n  of two lines\n- `code`\n\n| a word | 3.1 |\n|---|\n",
        "[The head][One line and another.][an item of two lines]"
        "[a word]");
    has_parts("x.md", "a sum of 3 +\n12. The next one\n",
              "[a sum of 3 + 12. The next one]");
    has_parts("x.md", "```text\na   drawn\nb   thing\n```\n",
              "[a   drawn\nb   thing]");
    has_parts("x.md", "    make lab-01\n\n    const int a = 1;\n", "");
}

TEST(test_a_text_of_hints_loses_no_letter)
{
    has_parts("hints.txt", "# head\n3.1.1: One\n       two.\n3.1.2: Three.\n",
              "[One two.][Three.]");
    has_parts("questions.txt", "03.1: One\n    two.\n", "[One two.]");
}

TEST(test_comments_are_parts_and_their_code_is_not)
{
    has_parts("x.cu",
              "/*\n * Lab 03: tiling\n *\n * Idea    One\n *         two.\n *\n"
              " *           +--+   drawn\n *           |  |   here\n */\n"
              "int a; /* of A */\n"
              "    /* TODO 3.1 (2 lines): copy it\n     * there. */\n"
              "/* clang-format off */\n",
              "[Lab 03: tiling][Idea][One two.][+--+   drawn\n|  |   here]"
              "[of A][2 lines][copy it there.]");
}

/* Each file, with each part as its own translation, has the same letters. */
static void keeps_letters(const char *path)
{
    char *const text = file_text(path);
    struct language_parts parts;
    const char **own;
    const char *a = text, *b;

    assert_int_equal(language_parts_find(path, text, &parts), 0);
    own = calloc(parts.count + 1, sizeof *own);
    assert_non_null(own);
    for (size_t i = 0; i < parts.count; i++)
        own[i] = parts.part[i].text;
    language_parts_write(text, &parts, own, writing());
    for (b = written(); *a != '\0' || *b != '\0';) {
        /* White space, and the stars of further lines, may differ. */
        if (isspace((unsigned char)*a) || *a == '*') {
            a++;
        } else if (isspace((unsigned char)*b) || *b == '*') {
            b++;
        } else if (strncmp(b, "<a id=", 6) == 0 && *a != '<') {
            b = strstr(b, "</a>") + 4;
        } else if (*a++ != *b++) {
            fail_msg("%s: '%.40s' became '%.40s'", path, a - 1, b - 1);
        }
    }
    free((void *)own);
    language_parts_free(&parts);
    free(text);
}

TEST(test_no_file_of_the_course_loses_a_letter)
{
    static const char *const patterns[] = {"README.md",        "labs/*.md",
                                           "labs/*/README.md", "labs/*/*.txt",
                                           "labs/*/*.cu",      "labs/*/*/*.cu"};
    size_t files = 0;

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;

        assert_int_equal(glob(patterns[i], 0, NULL, &found), 0);
        for (size_t k = 0; k < found.gl_pathc; k++, files++)
            keeps_letters(found.gl_pathv[k]);
        globfree(&found);
    }
    assert_true(files > 100);
}

/* The file with another text for each part, in turn. */
static void becomes(const char *path, const char *text,
                    const char *const *other, const char *expected)
{
    struct language_parts parts;

    assert_int_equal(language_parts_find(path, text, &parts), 0);
    language_parts_write(text, &parts, other, writing());
    assert_string_equal(written(), expected);
    language_parts_free(&parts);
}

#define FORTY "1234567 1234567 1234567 1234567 1234567 "

TEST(test_a_translation_is_wrapped_and_begins_no_item)
{
    becomes("x.md", "a text\n", (const char *[]){FORTY FORTY "- it"},
            FORTY "1234567 1234567 1234567 1234567\n1234567 - it\n");
    becomes(
        "x.cu", "    /* TODO 3.1 (1 line): do it. */\n",
        (const char *[]){"1 l\xc3\xadnea de programa", FORTY "1234567 12345"},
        "    /* TODO 3.1 (1 l\xc3\xadnea de programa): 1234567 1234567 1234567 "
        "1234567\n       1234567 1234567 12345 */\n");
    becomes("x.cu", "/*\n * Idea    some words\n */\n",
            (const char *[]){"Id\xc3\xa9", NULL},
            "/*\n * Id\xc3\xa9     some words\n */\n");
}

TEST(test_a_heading_keeps_the_address_that_a_link_of_its_page_has)
{
    becomes("x.md", "See [it](#the-idea).\n\n## The idea\n",
            (const char *[]){NULL, "La idea"},
            "See [it](#the-idea).\n\n<a id=\"the-idea\"></a>\n\n## La idea\n");
}

/* --- files of translations ------------------------------------------------ */

static int reads(const char *text, struct base_po *po)
{
    why[0] = '\0';
    return base_po_read(scratch_write(text, "x.po"), po, why, sizeof why);
}

TEST(test_a_po_file_is_read_as_gettext_reads_it)
{
    const struct base_po_entry *e;
    struct base_po po;

    assert_int_equal(reads("msgid \"\"\nmsgstr \"Language: es\\n\"\n\n"
                           "#: a.md b.md\n#, no-wrap\nmsgid \"\"\n\"one\\n\"\n"
                           "\"\\\"two\\\"\"\nmsgstr \"uno\"\n\n"
                           "#, fuzzy\n#| msgid \"old\"\nmsgid \"new\"\n"
                           "msgstr \"viejo\"\n\n#~ msgid \"gone\"\n"
                           "#~ msgstr \"ido\"\n",
                           &po),
                     0);
    assert_int_equal(po.count, 2);
    e = base_po_find(&po, "one\n\"two\"");
    assert_non_null(e);
    assert_string_equal(e->str, "uno");
    assert_string_equal(e->from, "a.md b.md");
    assert_false(e->is_stale);
    assert_true(base_po_find(&po, "new")->is_stale);
    assert_null(base_po_find(&po, "gone"));
    base_po_free(&po);
}

TEST(test_a_po_file_that_is_none_is_told_with_its_line)
{
    struct base_po po;

    assert_int_equal(reads("msgid \"a\"\nmsgid \"b\"\n", &po), -1);
    assert_non_null(strstr(why, "x.po:2: "));
    assert_int_equal(reads("msgid \"a\"\n", &po), -1);
    assert_int_equal(reads("msgstr \"a\"\n", &po), -1);
    assert_int_equal(reads("msgid \"a\nmsgstr \"b\"\n", &po), -1);
    assert_int_equal(reads("<<<<<<< ours\n", &po), -1);
}

/* --- the same in both ----------------------------------------------------- */

static int is_same(const char *id, const char *str)
{
    why[0] = '\0';
    return language_compare(id, str, 0, strchr(id, '%') != NULL, why,
                            sizeof why) == 0;
}

TEST(test_numbers_and_code_are_the_same)
{
    assert_true(is_same("12 of 0.125", "0.125: 12"));
    assert_false(is_same("0.125 loads", "0,125 cargas"));
    assert_false(is_same("twice 3", "2 veces 3"));
    assert_false(is_same("`a[1]` is it", "`a[2]` es"));
    assert_false(is_same("[a](../x.md#03)", "[a](../x.md#04)"));
    assert_false(is_same("store As[ty][tx] there", "guarda As[tx][ty]"));
    assert_true(is_same("store As[ty][tx], there", "guarda As[ty][tx]"));
    assert_false(is_same("see tiling.cu.", "mira tiling"));
    assert_false(is_same("TODOs are open", "hay tareas"));
    assert_true(is_same("TODOs are open", "hay TODO"));
    assert_true(is_same("*words* have no mark", "*palabras*"));
}

TEST(test_each_argument_keeps_its_type)
{
    assert_true(is_same("%d of %s", "%d de %s"));
    assert_true(is_same("%d of %s", "%2$s: %1$d"));
    assert_false(is_same("%d of %s", "%s de %d"));
    assert_false(is_same("%d of %s", "%d de"));
    assert_true(is_same("%d run%s", "%1$d veces%2$.0s"));
    assert_false(is_same("%zu of it", "%d de esto"));
    assert_false(is_same("%d of it", "%d de %s"));
    assert_true(is_same("%.1f %%: it", "%.1f %% eso"));
    assert_true(is_same("it is %d %%", "%d %%\xe3\x80\x82"));
    assert_false(is_same("%d of %s", "%2$s de %d"));
    assert_false(is_same("%d of it", "%99999d de esto"));
    assert_false(is_same("%*d of it", "%1$*d de esto"));
    assert_false(is_same("%s: it is", "%s%n: es"));
}

/* As a hand may leave it: what is said has the arguments that printf gets. */
TEST(test_a_wrong_translation_is_said_in_English)
{
    char folder[300];

    snprintf(folder, sizeof folder, "%s",
             scratch_write("msgid \"%d of %s\"\nmsgstr \"%s: %s %n\"\n\n"
                           "msgid \"%d rows\"\nmsgstr \"%d filas\"\n",
                           "screen.po"));
    *strrchr(folder, '/') = '\0';
    base_language_set(folder);
    assert_string_equal(base_say("%d of %s"), "%d of %s");
    assert_string_equal(base_say("%d rows"), "%d filas");
    base_language_set("");
}

TEST(test_a_term_is_the_word_of_the_table)
{
    struct language_terms terms;
    const char *const path = scratch_write(
        "# remark\nbank conflict | conflicto\nbank | banco\ntile | "
        "\xd1\x82\xd0\xb0\xd0\xb9\xd0\xbb\nrow |\n",
        "terms");

    assert_int_equal(language_terms_read(path, &terms, why, sizeof why), 0);
    assert_int_equal(terms.count, 3);
#define TERMS(id, str, first) \
    language_compare_terms(id, str, &terms, first, why, sizeof why)
    assert_int_equal(TERMS("two banks", "dos Bancos", 0), 0);
    assert_int_equal(TERMS("two banks", "dos cajas", 0), -1);
    assert_int_equal(TERMS("a bank conflict", "un conflicto", 0), 0);
    assert_int_equal(TERMS("a bankrupt", "nada", 0), 0);
    /* A capital letter of Cyrillic. */
    assert_int_equal(
        TERMS("Tiles", "\xd0\xa2\xd0\xb0\xd0\xb9\xd0\xbb\xd1\x8b", 0), 0);
    /* Met for the first time. */
    assert_int_equal(TERMS("a bank", "un banco", 1), -1);
    assert_int_equal(TERMS("a bank", "un banco", 1), 0);
    assert_int_equal(
        TERMS("a bank conflict", "un conflicto (bank conflict)", 1), 0);
#undef TERMS
    language_terms_free(&terms);
}

TEST(test_a_first_letter_becomes_a_capital_one)
{
    char latin[] = "its thread", accent[] = "\xc3\xa9l",
         early[] = "\xd0\xb5\xd1\x91", late[] = "\xd1\x82\xd0\xbe",
         chinese[] = "\xe7\xba\xbf";

    base_capital(latin);
    base_capital(accent);
    base_capital(early);
    base_capital(late);
    base_capital(chinese);
    assert_string_equal(latin, "Its thread");
    assert_string_equal(accent, "\xc3\x89l");
    assert_string_equal(early, "\xd0\x95\xd1\x91");
    assert_string_equal(late, "\xd0\xa2\xd0\xbe");
    assert_string_equal(chinese, "\xe7\xba\xbf");
}
