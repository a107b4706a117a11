/*
 * Has each rule that refuses an attack in the corpus, and each of them a row in
 * DEFENCES.md? A row of its first table begins with words of the refusal; the
 * submissions that the row names must get these and no other.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../corpus/case.h"
#include "base/file.h"
#include "course/vet.h"

static struct attack {
    const char *name;
    char why[900]; /* "" if the first look takes it */
} * attack;
static struct corpus_case *cases;
static size_t attacks;
static char *page;

FIXTURE(read_all)
{
    char why[300];

    page = base_read_file("common/grade/DEFENCES.md", why, sizeof why);
    assert_non_null(page);
    attacks = corpus_read("tests/corpus/*/*.edit*", &cases);
    attack = calloc(attacks, sizeof *attack);
    assert_non_null(attack);
    for (size_t i = 0; i < attacks; i++) {
        struct corpus_case *const c = &cases[i];

        attack[i].name = c->student;
        corpus_make(c);
        if (c->source != NULL)
            course_vet_source("lab.cu", c->source, c->size, attack[i].why,
                              sizeof attack[i].why);
        corpus_forget(c);
    }
    return 0;
}

FIXTURE(forget_all)
{
    free(page);
    free(attack);
    corpus_free(cases, attacks);
    return 0;
}

/* The attacks of the corpus that a name such as `hides_*` stands for, and that
   are refused with these words; NULL: whatever comes of them. */
static int count_attacks(const char *name, const char *words)
{
    int count = 0;

    for (size_t i = 0; i < attacks; i++) {
        const char *const own = strchr(attack[i].name, '_') + 1;

        count += fnmatch(name, own, 0) == 0 &&
                 (words == NULL || strstr(attack[i].why, words) != NULL);
    }
    return count;
}

/* Calls look with each name in backticks of a row's last cell, and the words of
   its first. Returns how many rows there are. */
static int for_each_row(const char *from, const char *to,
                        void (*look)(const char *words, const char *name))
{
    char *const copy = strndup(from, (size_t)(to - from));
    char *rest = NULL;
    int rows = 0;

    assert_non_null(copy);
    for (char *row = strtok_r(copy, "\n", &rest); row != NULL;
         row = strtok_r(NULL, "\n", &rest)) {
        char *const words = row + 2;
        char *last, *end;

        if (strncmp(row, "| ", 2) != 0 || strncmp(row, "| r", 3) == 0)
            continue;
        end = strstr(words, " | ");
        last = strrchr(row, '`');
        assert_non_null(end);
        assert_non_null(last);
        *last = *end = '\0';
        rows++;
        last = strstr(end + 3, " | ");
        assert_non_null(last);
        while ((last = strchr(last, '`')) != NULL) {
            char *const name = last + 1;

            end = strchr(name, '`');
            if (end != NULL)
                *end = '\0';
            look(words, name);
            last = end != NULL ? end + 1 : name + strlen(name);
        }
    }
    free(copy);
    return rows;
}

static void refused_by_its_rule(const char *words, const char *name)
{
    if (count_attacks(name, words) == 0)
        fail_msg("%s is not refused with '%s'", name, words);
}

static void is_in_the_corpus(const char *words, const char *name)
{
    if (count_attacks(name, NULL) == 0)
        fail_msg("'%s': no %s in tests/corpus", words, name);
}

TEST(test_each_rule_refuses_what_its_row_names)
{
    const char *const second = strstr(page, "\n## What became");

    assert_non_null(second);
    assert_in_range(for_each_row(page, second, refused_by_its_rule), 12, 40);
    assert_in_range(for_each_row(second, page + strlen(page), is_in_the_corpus),
                    10, 40);
}

static char row_words[40][200];
static int row_count;

static void keep_words(const char *words, const char *name)
{
    (void)name;
    if (row_count == 0 || strcmp(row_words[row_count - 1], words) != 0)
        snprintf(row_words[row_count++], sizeof *row_words, "%s", words);
}

/* The longest piece of the text of one refusal between two of its values. */
static void longest_piece(const char *at, char *piece, size_t size)
{
    char text[600] = "";
    size_t used = 0, best = 0;

    for (; used + 1 < sizeof text; at++) {
        if (*at == '"') { /* the next literal goes on, or none does */
            at += 1 + strspn(at + 1, " \n\t");
            if (*at != '"')
                break;
        } else {
            text[used++] = *at;
        }
    }
    text[used] = '\0';
    for (char *rest = NULL, *part = strtok_r(text, "%", &rest); part != NULL;
         part = strtok_r(NULL, "%", &rest)) {
        if (strlen(part) > best) {
            best = strlen(part);
            snprintf(piece, size, "%s", part);
        }
    }
}

/* Each refusal in vet.c has a row, and each word of its list an attack. */
TEST(test_each_rule_has_a_row)
{
    char why[300], piece[300], *source;
    const char *const second = strstr(page, "\n## What became");
    int rules = 0;

    for_each_row(page, second, keep_words);
    source = base_read_file("common/course/vet.c", why, sizeof why);
    assert_non_null(source);
    for (const char *at = source; (at = strstr(at, "refuse_")) != NULL; at++) {
        const char *const text = strchr(at, '"');
        int row = 0;

        if (text == NULL || memchr(at, ';', (size_t)(text - at)) != NULL ||
            memchr(at, '{', (size_t)(text - at)) != NULL ||
            strncmp(text, "\"'%s' %s", 8) == 0 ||
            strncmp(text, "\"%s\"", 4) == 0)
            continue;
        longest_piece(text + 1, piece, sizeof piece);
        while (row < row_count && strstr(piece, row_words[row]) == NULL)
            row++;
        if (row == row_count)
            fail_msg("no row for '%s'", piece);
        rules++;
    }
    assert_in_range(rules, 14, 30);
    for (char *at = strstr(source, "refused[] = {"); at != NULL;) {
        char word[40] = "'", *const open = strstr(at, "{\"");

        if (open == NULL || strstr(at, "};") < open)
            break;
        snprintf(word + 1, sizeof word - 1, "%.*s'",
                 (int)strcspn(open + 2, "\""), open + 2);
        if (count_attacks("*", word) == 0)
            fail_msg("no attack by %s", word);
        at = open + 2;
    }
    free(source);
}

ALL_TESTS(read_all, forget_all);
