/* How is a line of assembly read: numbers, names, comments, strings? See
   parts.h. */
#define _GNU_SOURCE
#include "parts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int simt_tables_is_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    return strncmp(text, word, length) == 0 &&
           !isalnum((unsigned char)text[length]) && text[length] != '_';
}

int simt_tables_is_one_of(const char *text, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (simt_tables_is_word(text, *words))
            return 1;
    }
    return 0;
}

int simt_tables_is_header(const char *file)
{
    return strstr(file, "simt/include/") != NULL ||
           strstr(file, "common/lab.h") != NULL ||
           strncmp(file, "/usr/include/", 13) == 0 ||
           strncmp(file, "/usr/lib/", 9) == 0;
}

const char *simt_tables_comment(const char *line)
{
    int is_quoted = 0;

    for (; *line != '\0'; line++) {
        if (is_quoted && *line == '\\' && line[1] != '\0') {
            line++;
        } else if (*line == '"') {
            is_quoted = !is_quoted;
        } else if (!is_quoted &&
                   (*line == '#' || (*line == '/' && line[1] == '/'))) {
            line += *line == '#' ? 1 : 2;
            return line + strspn(line, " \t");
        }
    }
    return NULL;
}

char *simt_tables_unquote(const char **text)
{
    const char *at = strchr(*text, '"');
    char *const result = at ? malloc(strlen(at)) : NULL;
    size_t length = 0;

    errno = at != NULL && result == NULL ? ENOMEM : 0;
    if (result == NULL)
        return NULL;
    for (at++; *at != '"' && *at != '\0'; at++) {
        int c = (unsigned char)*at;

        if (c == '\\' && at[1] != '\0') {
            c = (unsigned char)*++at;
            if (c >= '0' && c <= '7') {
                c -= '0';
                for (int i = 0; i < 2 && at[1] >= '0' && at[1] <= '7'; i++)
                    c = 8 * c + (*++at - '0');
            }
        }
        result[length++] = (char)c;
    }
    result[length] = '\0';
    *text = at + (*at == '"');
    return result;
}

void simt_tables_put_string(FILE *to, const char *text)
{
    fputs("\t.string \"", to);
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;

        if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
            fputc(c, to);
        } else {
            fprintf(to, "\\%03o", c);
        }
    }
    fputs("\"\n", to);
}

void simt_tables_open(FILE *to, const char *section, const char *group)
{
    if (group != NULL) {
        fprintf(to, "\t.pushsection %s,\"aG\",@progbits,%s,comdat\n", section,
                group);
    } else {
        fprintf(to, "\t.pushsection %s,\"a\",@progbits\n", section);
    }
    fprintf(to, "\t.p2align 2\n");
}
