#define _POSIX_C_SOURCE 200809L
#include "language/compare.h"

#include "base/file.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/refuse.h"
#include "base/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what must be the same ------------------------------------------------ */

/* Finds the next piece of some kind from *at on, and moves *at behind it.
   Returns its length, 0: there is none. */
typedef size_t (*next_piece)(const char **at, const char **piece);

static size_t next_number(const char **at, const char **piece)
{
    const char *text = *at + strcspn(*at, "0123456789"), *end = text;

    while (isdigit((unsigned char)*end) ||
           ((*end == '.' || *end == ',') && end > text &&
            isdigit((unsigned char)end[1])))
        end++;
    *at = end;
    *piece = text;
    return (size_t)(end - text);
}

static size_t between(const char **at, const char **piece, const char *open,
                      char close)
{
    const char *const begin = strstr(*at, open);
    const char *const end =
        begin != NULL ? strchr(begin + strlen(open), close) : NULL;

    if (end == NULL)
        return 0;
    *piece = begin;
    *at = end + 1;
    return (size_t)(*at - begin);
}

static size_t next_span(const char **at, const char **piece)
{
    return between(at, piece, "`", '`');
}

static size_t next_address(const char **at, const char **piece)
{
    return between(at, piece, "](", ')');
}

/* How often a text has such a piece. */
static size_t count_piece(next_piece next, const char *text, const char *piece,
                          size_t length)
{
    const char *found;
    size_t n, count = 0;

    while ((n = next(&text, &found)) > 0)
        count += n == length && memcmp(found, piece, n) == 0;
    return count;
}

/* Has b each piece of a as often as a? */
static int has_pieces(next_piece next, const char *a, const char *b,
                      const char *what, char *why, size_t size)
{
    const char *const all = a;
    const char *piece;
    size_t length;

    while ((length = next(&a, &piece)) > 0) {
        const size_t here = count_piece(next, all, piece, length);
        const size_t there = count_piece(next, b, piece, length);

        if (here != there) {
            return base_refuse(why, size, "%s %.*s: %zu in English, %zu here",
                               what, (int)length, piece, here, there);
        }
    }
    return 0;
}

/* The same in both directions. */
static int have_same(next_piece next, const char *id, const char *str,
                     const char *what, char *why, size_t size)
{
    char other[200];

    if (has_pieces(next, id, str, what, why, size) != 0)
        return -1;
    if (has_pieces(next, str, id, what, other, sizeof other) != 0) {
        const char *piece;
        size_t length;

        for (const char *at = str; (length = next(&at, &piece)) > 0;) {
            if (count_piece(next, id, piece, length) == 0) {
                return base_refuse(why, size, "%s %.*s is not in English", what,
                                   (int)length, piece);
            }
        }
    }
    return 0;
}

/* --- words that are code -------------------------------------------------- */

/* Is a word of English code, or a name? */
static int is_code(const char *word, size_t length)
{
    size_t capitals = 0, letters = 0;

    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)word[i];
        const int is_inside = i > 0 && i + 1 < length;

        capitals += isupper(c) != 0;
        letters += isalpha(c) != 0;
        if (strchr("_[]{}=<>&|#;", c) != NULL)
            return 1;
        if (is_inside && isupper(c) && islower((unsigned char)word[i - 1]))
            return 1; /* threadIdx, GFlop */
        if (is_inside && c == '.' && isalpha((unsigned char)word[i - 1]) &&
            islower((unsigned char)word[i + 1]))
            return 1; /* tiling.cu */
        if (i + 1 < length && c == '(' && word[i + 1] == ')')
            return 1;
    }
    return letters >= 2 && capitals == letters;
}

/* Writes a text without what is compared apart: code spans, addresses, and what
   printf fills in. */
static char *strip(const char *text, int is_format)
{
    char *const out = strdup(text);
    char *to = out;

    while (out != NULL && *text != '\0') {
        const char *end = NULL;

        if (is_format && strncmp(text, "%%", 2) == 0) {
            text += 2;
            continue;
        }
        if (is_format && *text == '%') {
            end = text + 1 + strcspn(text + 1, "diouxXeEfFgGcsp");
            end = *end != '\0' ? end : NULL;
        } else if (*text == '`') {
            end = strchr(text + 1, '`');
        } else if (strncmp(text, "](", 2) == 0) {
            end = strchr(text, ')');
        }
        if (end != NULL) {
            *to++ = ' ';
            text = end + 1;
        } else if (strncmp(text, "![", 2) == 0 || *text == '*' ||
                   *text == '[') {
            /* emphasis, and the words of a link; [ of code stays */
            if (*text == '[' && strstr(text, "](") == NULL)
                *to++ = '[';
            text += *text == '!' ? 2 : 1;
        } else {
            *to++ = *text++;
        }
    }
    if (out != NULL)
        *to = '\0';
    return out;
}

/* Has str each word of id that is code? */
static int have_code(const char *id, const char *str, char *why, size_t size)
{
    for (const char *at = id; *at != '\0';) {
        const char *word = at + strspn(at, " \n\"");
        size_t length = strcspn(word, " \n\"");
        char copy[200];

        at = word + length;
        while (length > 0 && strchr(".,:;?!'", word[length - 1]) != NULL)
            length--;
        while (length > 0 && *word == '(' &&
               memchr(word, ')', length) == NULL) {
            word++;
            length--;
        }
        if (length > 1 && word[length - 1] == ')' &&
            memchr(word, '(', length) == NULL)
            length--;
        if (length > 2 && *word == '(' && word[length - 1] == ')') {
            word++;
            length -= 2;
        }
        /* TILE's, GPUs */
        if (length > 2 && memcmp(word + length - 2, "'s", 2) == 0) {
            length -= 2;
        } else if (length > 2 && word[length - 1] == 's' &&
                   isupper((unsigned char)word[length - 2])) {
            length--;
        }
        if (length == 0 || length >= sizeof copy || !is_code(word, length))
            continue;
        memcpy(copy, word, length);
        copy[length] = '\0';
        if (strstr(str, copy) == NULL)
            return base_refuse(why, size, "%s is not here", copy);
    }
    return 0;
}

int language_compare(const char *id, const char *str, int is_drawn,
                     int is_format, char *why, size_t size)
{
    char *const bare = strip(id, is_format);
    char *const other = strip(str, is_format);
    int result = -1;

    if (bare == NULL || other == NULL) {
        base_refuse(why, size, "%s", strerror(ENOMEM));
    } else if ((!is_format || base_format_same(id, str, why, size) == 0) &&
               have_same(next_span, id, str, "code", why, size) == 0 &&
               have_same(next_address, id, str, "address", why, size) == 0 &&
               have_same(next_number, bare, other, "number", why, size) == 0) {
        result = is_drawn ? 0 : have_code(bare, other, why, size);
    }
    free(bare);
    free(other);
    return result;
}

/* --- terms ---------------------------------------------------------------- */

/* A letter without its case: Latin and Cyrillic. */
static unsigned lower(unsigned code)
{
    if (code < 0x80)
        return (unsigned)tolower((int)code);
    if ((code >= 0xc0 && code <= 0xde) || (code >= 0x410 && code <= 0x42f))
        return code + 0x20;
    return code == 0x401 ? 0x451 : code;
}

/* Does text begin with this, whatever the case of letters is? */
static size_t begins_with(const char *text, const char *with, size_t length)
{
    size_t at = 0, n, k;
    unsigned a, b;

    for (size_t i = 0; i < length; i += k) {
        n = base_utf8_character(text + at, &a);
        k = base_utf8_character(with + i, &b);
        if (n == 0 || k == 0 || a == 0 || lower(a) != lower(b))
            return 0;
        at += n;
    }
    return at;
}

/* Where a word of a list with commas stands in the text; an English one stands
   alone. Its length is in *length. */
static char *find_word(char *text, const char *list, int is_english,
                       size_t *length)
{
    for (const char *word = list; *word != '\0';) {
        size_t n;

        word += strspn(word, ", ");
        n = strcspn(word, ",");
        while (n > 0 && word[n - 1] == ' ')
            n--;
        for (char *at = text; n > 0 && *at != '\0'; at++) {
            size_t found;

            if (is_english && at > text && isalnum((unsigned char)at[-1]))
                continue;
            found = begins_with(at, word, n);
            if (found == 0)
                continue;
            if (is_english) {
                found += at[found] == 's';
                if (isalnum((unsigned char)at[found]) || at[found] == '_')
                    continue;
            }
            *length = found;
            return at;
        }
        word += strcspn(word, ",");
    }
    return NULL;
}

int language_terms_read(const char *path, struct language_terms *terms,
                        char *why, size_t size)
{
    char *const text = base_read_file(path, why, size);
    char *next;

    *terms = (struct language_terms){.count = 0};
    if (text == NULL)
        return -1;
    for (char *line = text; line != NULL; line = next) {
        struct language_term *term;
        char *bar;

        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        bar = strchr(line, '|');
        if (*line == '#' || bar == NULL)
            continue;
        *bar = '\0';
        if (*base_trim(bar + 1) == '\0')
            continue;
        term = base_list_add(&terms->term, &terms->count, sizeof *term);
        if (term == NULL)
            break;
        term->english = strdup(base_trim(line));
        term->words = strdup(base_trim(bar + 1));
    }
    free(text);
    return 0;
}

void language_terms_free(struct language_terms *terms)
{
    for (size_t i = 0; i < terms->count; i++) {
        free(terms->term[i].english);
        free(terms->term[i].words);
    }
    free(terms->term);
    *terms = (struct language_terms){.count = 0};
}

int language_compare_terms(const char *id, const char *str,
                           struct language_terms *terms, int first, char *why,
                           size_t size)
{
    char *const bare = strip(id, 0), *const other = strip(str, 0);
    int result = 0;

    for (size_t i = 0; bare != NULL && other != NULL && i < terms->count; i++) {
        struct language_term *const term = &terms->term[i];
        char *at;
        size_t length, n;
        int is_here = 0;

        /* A term of two words stands before its parts in the table. */
        while ((at = find_word(bare, term->english, 1, &length)) != NULL) {
            memset(at, ' ', length);
            is_here = 1;
        }
        if (!is_here || result != 0)
            continue;
        if (find_word(other, term->words, 0, &n) == NULL) {
            result = base_refuse(why, size, "term %s: none of %s is here",
                                 term->english, term->words);
        } else if (first && !term->is_told) {
            term->is_told = 1;
            if (find_word(other, term->english, 0, &n) == NULL) {
                result =
                    base_refuse(why, size,
                                "term %s is met for the first time here: write "
                                "the English word beside it",
                                term->english);
            }
        }
    }
    free(bare);
    free(other);
    return result;
}
