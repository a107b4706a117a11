#define _POSIX_C_SOURCE 200809L
#include "grade/base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "base/values.h"
#include "base/wrap.h"

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
static size_t put_character(FILE *to, const char *s)
{
    unsigned code = 0;
    const size_t length = base_utf8_character(s, &code);

    if (length > 0 && !acts(code)) {
        fwrite(s, 1, length, to);
        return length;
    }
    for (size_t i = 0; i < (length > 0 ? length : 1); i++)
        fprintf(to, "\\x%02x", (unsigned)(unsigned char)s[i]);
    return length > 0 ? length : 1;
}

void grade_text_name(FILE *to, const char *name)
{
    const char *s = name;

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
    struct base_memory shown;

    if (base_memory_open(&shown) != NULL)
        grade_text_name(shown.file, name);
    return base_memory_close(&shown);
}

char *grade_text_clean(const char *text, size_t most)
{
    static const char cut[] = "\n(the rest is left out)";
    struct base_memory memory;
    size_t length;
    char *clean;

    if (base_memory_open(&memory) != NULL) {
        while (*text != '\0') {
            text += *text == '\r' && text[1] == '\n';
            if (*text == '\n' || *text == '\t') {
                fputc(*text++, memory.file);
            } else {
                text += put_character(memory.file, text);
            }
        }
        fputs(cut, memory.file); /* makes room for it */
    }
    clean = base_memory_close(&memory);
    if (clean == NULL)
        return NULL;
    length = memory.length - (sizeof cut - 1);
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

    base_wrap(to, indent, clean != NULL ? clean : "?");
    free(clean);
}

int grade_text_is_formula(const char *text)
{
    /* The full-width forms are U+FF1D, U+FF0B, U+FF0D and U+FF20. */
    static const char wide[] = "\x9d\x8b\x8d\xa0";

    return *text != '\0' &&
           (strchr("=+-@\t\r", *text) != NULL ||
            (strncmp(text, "\xef\xbc", 2) == 0 && text[2] != '\0' &&
             strchr(wide, text[2]) != NULL));
}

void grade_text_guarded(FILE *to, const char *text)
{
    struct base_memory memory;
    char *cell;

    if (base_memory_open(&memory) != NULL) {
        fputs(grade_text_is_formula(text) ? "'" : "", memory.file);
        fputs(text, memory.file);
    }
    cell = base_memory_close(&memory);
    base_put_csv_text(to, cell != NULL ? cell : "?");
    free(cell);
}

void grade_text_cell(FILE *to, const char *text)
{
    char *const shown = grade_text_shown(text); /* a tab is \t there */

    grade_text_guarded(to, shown != NULL ? shown : "?");
    free(shown);
}

void grade_text_markdown(FILE *to, const char *name)
{
    char *const shown = grade_text_shown(name);

    for (const char *s = shown != NULL ? shown : "?"; *s != '\0'; s++) {
        if (strchr("\\`*_[]<>|&~$", *s) != NULL ||
            (*s == '.' && s - shown >= 3 &&
             strncasecmp(s - 3, "www", 3) == 0) ||
            strncmp(s, "://", 3) == 0)
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
