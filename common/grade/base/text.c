#define _POSIX_C_SOURCE 200809L
#include "grade/base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "base/wrap.h"

/* How many bytes the character at s takes, with its number in *code; 0 if these
   bytes are no UTF-8 (RFC 3629). */
static size_t character(const unsigned char *s, unsigned *code)
{
    static const struct {
        unsigned char mask, lead; /* of the first byte */
        unsigned least;           /* a shorter form would do for less */
    } form[] = {{0x80, 0x00, 0},
                {0xe0, 0xc0, 0x80},
                {0xf0, 0xe0, 0x800},
                {0xf8, 0xf0, 0x10000}};

    for (size_t i = 0; i < 4; i++) {
        if ((s[0] & form[i].mask) != form[i].lead)
            continue;
        *code = s[0] & (unsigned char)~form[i].mask;
        for (size_t k = 1; k <= i; k++) {
            if ((s[k] & 0xc0) != 0x80)
                return 0; /* the end of the text as well */
            *code = *code << 6 | (s[k] & 0x3f);
        }
        if (*code < form[i].least || *code > 0x10ffff ||
            (*code >= 0xd800 && *code < 0xe000))
            return 0;
        return i + 1;
    }
    return 0;
}

/* Does it act on a terminal, or change how its neighbours are read? Controls,
   marks of direction and of no width (Unicode, chapter 23). */
static int acts(unsigned code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad ||
           (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
           (code >= 0xfff9 && code <= 0xfffb) || (code & 0xfffe) == 0xfffe ||
           (code >= 0xe0000 && code <= 0xe0fff);
}

/* Writes the character at s, escaped if it must be. Returns its bytes. */
static size_t put_character(FILE *to, const unsigned char *s)
{
    unsigned code = 0;
    const size_t length = character(s, &code);

    if (length > 0 && !acts(code)) {
        fwrite(s, 1, length, to);
        return length;
    }
    for (size_t i = 0; i < (length > 0 ? length : 1); i++)
        fprintf(to, "\\x%02x", s[i]);
    return length > 0 ? length : 1;
}

void grade_text_name(FILE *to, const char *name)
{
    const unsigned char *s = (const unsigned char *)name;

    while (*s != '\0') {
        if (*s == '\\' || *s == '\n' || *s == '\t') {
            fprintf(to, "\\%c", *s == '\\' ? '\\' : *s == '\n' ? 'n' : 't');
            s++;
        } else {
            s += put_character(to, s);
        }
    }
}

char *grade_text_shown(const char *name)
{
    char *shown = NULL;
    size_t length;
    FILE *file = open_memstream(&shown, &length);

    if (file == NULL)
        return NULL;
    grade_text_name(file, name);
    if (fclose(file) != 0) {
        free(shown);
        return NULL;
    }
    return shown;
}

void grade_text_lines(FILE *to, const char *text, const char *indent)
{
    const unsigned char *s = (const unsigned char *)text;
    int begun = 0;

    while (*s != '\0') {
        if (*s == '\n') {
            fputc('\n', to);
            begun = 0;
            s++;
            continue;
        }
        if (*s == '\r' && s[1] == '\n') {
            s++;
            continue;
        }
        if (!begun)
            fputs(indent, to);
        begun = 1;
        if (*s == '\t') {
            fputc(*s++, to);
        } else {
            s += put_character(to, s);
        }
    }
    if (begun)
        fputc('\n', to);
}

char *grade_text_clean(const char *text, size_t most)
{
    static const char cut[] = "\n(the rest is left out)";
    char *clean = NULL;
    size_t length;
    FILE *file = open_memstream(&clean, &length);

    if (file == NULL)
        return NULL;
    grade_text_lines(file, text, "");
    fputs(cut, file); /* makes room for it */
    if (fclose(file) != 0) {
        free(clean);
        return NULL;
    }
    length -= sizeof cut - 1;
    if (length > most) { /* so that it fits with the note, also if cut again */
        length = most > sizeof cut - 1 ? most - (sizeof cut - 1) : 0;
        while (length > 0 && ((unsigned char)clean[length] & 0xc0) == 0x80)
            length--; /* no half of a character */
        memcpy(clean + length, cut, sizeof cut);
        return clean;
    }
    while (length > 0 && clean[length - 1] == '\n')
        length--;
    clean[length] = '\0';
    return clean;
}

void grade_text_wrapped(FILE *to, const char *text, const char *indent)
{
    char *const clean = grade_text_clean(text, SIZE_MAX);

    if (clean == NULL) {
        grade_text_lines(to, text, indent);
        return;
    }
    output_wrap(to, indent, clean);
    free(clean);
}

int grade_text_is_formula(const char *text)
{
    static const char *const sign[] = {"=",
                                       "+",
                                       "-",
                                       "@",
                                       "\xef\xbc\x9d",
                                       "\xef\xbc\x8b",
                                       "\t",
                                       "\r",
                                       "\xef\xbc\x8d",
                                       "\xef\xbc\xa0"};

    for (size_t i = 0; i < sizeof sign / sizeof sign[0]; i++) {
        if (strncmp(text, sign[i], strlen(sign[i])) == 0)
            return 1;
    }
    return 0;
}

void grade_text_cell(FILE *to, const char *text)
{
    char *cell = NULL;
    size_t length;
    FILE *file = open_memstream(&cell, &length);

    if (file == NULL) {
        fputs("?", to);
        return;
    }
    if (grade_text_is_formula(text) && *text != '\t' && *text != '\r')
        fputc('\'', file); /* a tab is written \t */
    grade_text_name(file, text);
    if (fclose(file) == 0)
        output_csv_text(to, cell);
    free(cell);
}

void grade_text_markdown(FILE *to, const char *name)
{
    char *const shown = grade_text_shown(name);

    for (const char *s = shown != NULL ? shown : "?"; *s != '\0'; s++) {
        if (strchr("\\`*_{}[]<>()#+-.!|&~$", *s) != NULL)
            fputc('\\', to);
        fputc(*s, to);
    }
    free(shown);
}

void grade_text_file_name(const char *name, char file[GRADE_FILE_NAME])
{
    static const char keep[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "abcdefghijklmnopqrstuvwxyz0123456789._-";
    size_t i = 0;

    for (; i < GRADE_FILE_NAME - 1 && name[i] != '\0'; i++)
        file[i] = strchr(keep, name[i]) != NULL ? name[i] : '_';
    file[i] = '\0';
}
