#define _POSIX_C_SOURCE 200809L
#include "base/words.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int base_words(char *text, char **word, int most)
{
    char *rest = NULL;
    int words = 0;

    for (char *w = strtok_r(text, " \t\r\n", &rest); w != NULL;
         w = strtok_r(NULL, " \t\r\n", &rest)) {
        if (words < most)
            word[words] = w;
        words++;
    }
    return words;
}

int base_find_word(const char *word, const char *list)
{
    const size_t length = strlen(word);
    int number = 0;

    for (const char *at = list + strspn(list, " "); *at != '\0'; number++) {
        const size_t next = strcspn(at, " ");

        if (next == length && strncmp(at, word, length) == 0)
            return number;
        at += next + strspn(at + next, " ");
    }
    return -1;
}

void base_list_words(char *text, size_t size, const char *list)
{
    *text = '\0';
    for (const char *at = list; *at != '\0';) {
        const int word = (int)strcspn(at, " ");
        const char *const next = at + word + strspn(at + word, " ");

        base_append(text, size, "%s%.*s",
                    at == list      ? ""
                    : *next == '\0' ? " or "
                                    : ", ",
                    word, at);
        at = next;
    }
}

int base_whole_number(const char *text, unsigned long long most,
                      unsigned long long *value)
{
    char *end;

    if (!isdigit((unsigned char)text[0]))
        return -1;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);

    if (errno != 0 || *end != '\0' || number > most)
        return -1;
    *value = number;
    return 0;
}

int base_number(const char *text, double *value)
{
    char *end;
    const double number = strtod(text, &end);

    if (end == text || *end != '\0' || !isfinite(number))
        return -1;
    *value = number;
    return 0;
}

const char *base_read_numbers(const char *text, int parts, int *number)
{
    for (int i = 0; i < parts; i++) {
        int digits = 0;

        if (i > 0 && *text++ != '.')
            return NULL;
        number[i] = 0;
        while (digits < 3 && isdigit((unsigned char)text[digits]))
            number[i] = 10 * number[i] + (text[digits++] - '0');
        if (digits < 1 || digits > 2)
            return NULL;
        text += digits;
    }
    return text;
}

void base_append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list values;

    va_start(values, format);
    vsnprintf(text + used, size - used, format, values);
    va_end(values);
}
