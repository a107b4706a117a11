#define _GNU_SOURCE
#include "grade/intake/names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "grade/base/text.h"

/* --- of persons ----------------------------------------------------------- */

/* The letters from U+00C0 to U+017F without their marks; the first of two where
   one is written as two; a blank is no letter. */
static const char plain[] = "aaaaaaaceeeeiiiidnooooo ouuuuyts"
                            "aaaaaaaceeeeiiiidnooooo ouuuuyty"
                            "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii"
                            "iijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssss"
                            "ttttttuuuuuuuuuuuuwwyyyzzzzzzs";
_Static_assert(sizeof plain - 1 == 0x180 - 0xc0, "one for each letter");
enum {
    FIRST_MARKED = 0xc0,
    WORDS = 32
};

/* Writes what a character folds to; returns its length. */
static size_t fold_character(const char *s, size_t length, unsigned code,
                             char *to)
{
    if (code >= FIRST_MARKED && code - FIRST_MARKED < sizeof plain - 1) {
        *to = plain[code - FIRST_MARKED];
        return 1;
    }
    if ((code >= 0x300 && code < 0x370) || code == '\'' || code == '`' ||
        code == 0xb4 || code == 0x2018 || code == 0x2019 || code == 0x2bc)
        return 0; /* a mark by itself, an apostrophe */
    if (code < 0x80) {
        *to = (char)(isalnum((int)code) ? tolower((int)code) : ' ');
        return 1;
    }
    if (length == 0 || code == 0xa0) {
        *to = ' ';
        return 1;
    }
    memcpy(to, s, length);
    return length;
}

void grade_names_tell(struct grade_names *names, const char *name)
{
    if (names->names < names->most) {
        fputs(names->names == 0 ? names->before : ", ", names->to);
        grade_text_name(names->to, name);
    }
    names->names++;
}

void grade_names_end(const struct grade_names *names, const char *behind)
{
    if (names->names > names->most)
        fprintf(names->to, " and %zu more", names->names - names->most);
    if (names->names > 0)
        fputs(behind, names->to);
}

int grade_names_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void grade_name_folded(const char *name, char folded[GRADE_NAME])
{
    char text[GRADE_NAME] = "", *word[WORDS], *rest = NULL;
    size_t used = 0, words = 0, put = 0;

    for (const char *s = name; *s != '\0' && used < GRADE_NAME - 5;) {
        unsigned code = 0;
        const size_t length = base_utf8_character(s, &code);

        used += length > 0 ? fold_character(s, length, code, text + used) : 0;
        s += length > 0 ? length : 1;
    }
    for (char *w = strtok_r(text, " ", &rest); w != NULL && words < WORDS;
         w = strtok_r(NULL, " ", &rest))
        word[words++] = w;
    if (words > 0)
        qsort(word, words, sizeof *word, grade_names_compare);
    folded[0] = '\0';
    for (size_t i = 0; i < words; i++) {
        put += (size_t)snprintf(folded + put, GRADE_NAME - put, "%s%s",
                                i > 0 ? " " : "", word[i]);
    }
}

/* --- of labs -------------------------------------------------------------- */

/* Small letters and digits stay, all between them is one blank. */
static void simplify(const char *text, char words[GRADE_NAME])
{
    size_t used = 0;

    for (; *text != '\0' && used < GRADE_NAME - 1; text++) {
        if (isalnum((unsigned char)*text)) {
            words[used++] = (char)tolower((unsigned char)*text);
        } else if (used > 0 && words[used - 1] != ' ') {
            words[used++] = ' ';
        }
    }
    used -= used > 0 && words[used - 1] == ' ';
    words[used] = '\0';
}

static int is_alike(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b || *a == '\0')
            return *a == *b;
    }
}

int grade_name_is_lab(const char *title, const char *lab)
{
    char words[GRADE_NAME] = "", name[GRADE_NAME] = "";
    const char *rest = words;
    int numbered = 0;

    simplify(title, words);
    simplify(lab + 3, name);
    if (strncmp(rest, "lab", 3) == 0) {
        rest += 3;
        rest += *rest == ' ';
        numbered = 1; /* its number is enough */
    }
    if (isdigit((unsigned char)*rest)) {
        char *end;

        if (strtol(rest, &end, 10) != strtol(lab, NULL, 10))
            return 0;
        rest = end + (*end == ' ');
        if (*rest == '\0')
            return numbered;
    }
    return is_alike(rest, name);
}

/* Cuts what systems and browsers put behind the name of a second copy: "-1",
   " (1)", "_2". Returns 1 if there was such a thing. */
static int cut_copy(char *name)
{
    size_t at = strlen(name), digits;
    const int closed = at > 0 && name[at - 1] == ')';

    at -= (size_t)closed;
    for (digits = at; digits > 0 && isdigit((unsigned char)name[digits - 1]);)
        digits--;
    if (digits == at || digits < 2 || at - digits > 3 ||
        strchr(closed ? "(" : "-_ ", name[digits - 1]) == NULL)
        return 0;
    digits--;
    while (digits > 0 && name[digits - 1] == ' ')
        digits--;
    name[digits] = '\0';
    return 1;
}

/* Is it NAME.ENDING, or the name of a second copy? */
static int is_called(const char *path, const char *called, const char *ending)
{
    const char *const slash = strrchr(path, '/');
    char name[GRADE_NAME];
    char *dot;

    snprintf(name, sizeof name, "%.200s", slash != NULL ? slash + 1 : path);
    dot = strrchr(name, '.');
    if (dot == NULL || strcasecmp(dot, ending) != 0)
        return 0;
    *dot = '\0';
    return strcasecmp(name, called) == 0 ||
           (cut_copy(name) && strcasecmp(name, called) == 0);
}

int grade_name_of_answers(const char *path)
{
    return is_called(path, "answers", ".txt");
}

int grade_name_of_report(const char *path)
{
    return is_called(path, "report", ".html") ||
           is_called(path, "report", ".pdf");
}

/* Is it one of the places that the course names (intake.h)? */
static int is_place(const char *path, const char *lab)
{
    const size_t length = strlen(lab);
    char place[GRADE_NAME];

    snprintf(place, sizeof place, "%.100s/%.100s.cu", lab, lab + 3);
    path += strncmp(path, "labs/", 5) == 0 ? 5 : 0;
    return strcmp(path, place) == 0 || strcmp(path, place + length + 1) == 0 ||
           (strncmp(path, lab, length) == 0 &&
            strcmp(path + length, ".cu") == 0);
}

int grade_name_of_source(const char *path, const char *lab)
{
    const char *const slash = strrchr(path, '/');
    char name[GRADE_NAME];
    char *dot;

    snprintf(name, sizeof name, "%.200s", slash != NULL ? slash + 1 : path);
    dot = strrchr(name, '.');
    if (dot != NULL && strcasecmp(dot, ".txt") == 0) {
        *dot = '\0'; /* some browsers save tiling.cu.txt */
        dot = strrchr(name, '.');
    }
    if (dot == NULL || strcasecmp(dot, ".cu") != 0)
        return 0;
    if (strcmp(dot, ".cu") == 0) {
        *dot = '\0';
        if (strcmp(name, lab) == 0 || strcmp(name, lab + 3) == 0)
            return is_place(path, lab) ? 1 : 2;
    }
    *dot = '\0';
    return grade_name_is_lab(name, lab) ||
                   (cut_copy(name) && grade_name_is_lab(name, lab))
               ? 3
               : 0;
}
