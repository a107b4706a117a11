/*
 * Lines of the lab's own file that are worth a look beside the one that a
 * message is about. They are found by their words and shown, never judged.
 */
#include "why.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE = 500,
    NAME = 40
};

static int is_of_name(int c)
{
    return isalnum(c) || c == '_';
}

/* The name as a word of the line, or NULL. */
static const char *find_word(const char *line, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = line; (at = strstr(at, name)) != NULL; at++) {
        if (!is_of_name((unsigned char)at[length]) &&
            (at == line || !is_of_name((unsigned char)at[-1])))
            return at;
    }
    return NULL;
}

/* Reads the name that text begins with, behind blanks and a `&`. */
static void read_name(const char *text, char name[NAME])
{
    size_t length = 0;

    text += strspn(text, " \t&");
    while (length < NAME - 1 && is_of_name((unsigned char)text[length])) {
        name[length] = text[length];
        length++;
    }
    name[length] = '\0';
}

/* 1 if the line, no comment, declares a variable of that type and name. */
static int declares(const char *line, const char *type, const char *name)
{
    const char *at = find_word(line, type);

    if (at == NULL || strchr("*/", line[strspn(line, " \t")]) != NULL)
        return 0;
    at = find_word(at + strlen(type), name);
    if (at == NULL)
        return 0;
    at += strlen(name);
    return strchr("=({;,", at[strspn(at, " \t")]) != NULL;
}

/* The last line before `end` that declares it; 0: none. */
static int last_declaration(FILE *file, int end, const char *type,
                            const char *name)
{
    char line[LINE];
    int found = 0;

    rewind(file);
    for (int at = 1; at < end && fgets(line, sizeof line, file); at++) {
        if (declares(line, type, name))
            found = at;
    }
    return found;
}

int lab_why_grid_line(const char *path, int launch)
{
    FILE *file = fopen(path, "r");
    char line[LINE], name[NAME] = "";
    int found = 0;

    for (int at = 1; file != NULL && at <= launch; at++) {
        const char *grid;

        if (fgets(line, sizeof line, file) == NULL)
            break;
        grid = at == launch ? strstr(line, "<<<") : NULL;
        if (grid != NULL)
            read_name(grid + 3, name);
    }
    if (name[0] != '\0')
        found = last_declaration(file, launch, "dim3", name);
    if (file != NULL)
        fclose(file);
    return found;
}

int lab_why_handed_line(const char *path, const char *function)
{
    FILE *file = fopen(path, "r");
    char line[LINE], name[NAME] = "";
    int call = 0, found = 0;

    for (int at = 1; file != NULL && fgets(line, sizeof line, file); at++) {
        const char *word = find_word(line, function);

        if (word == NULL || word[strlen(function)] != '(' ||
            strchr(word, ';') == NULL || strchr("*/", line[strspn(line, " ")]))
            continue;
        call = at;
        read_name(word + strlen(function) + 1, name);
    }
    if (name[0] != '\0')
        found = last_declaration(file, call, "lab_matmul", name);
    if (file != NULL)
        fclose(file);
    return found > 0 ? found : call;
}

int lab_why_return_line(const char *path, int line)
{
    FILE *file = fopen(path, "r");
    char text[LINE];
    int found = 0, condition = 0; /* the line of an if without its statement */

    for (int at = 1; file != NULL && at < line; at++) {
        if (fgets(text, sizeof text, file) == NULL)
            break;
        if (text[0] == '{')
            found = 0; /* a function begins */
        if (strncmp(text + strspn(text, " \t"), "return", 6) == 0 ||
            (find_word(text, "if") != NULL &&
             find_word(text, "return") != NULL))
            found = condition > 0 ? condition : at;
        condition =
            find_word(text, "if") != NULL && strchr(text, ';') == NULL ? at : 0;
    }
    if (file != NULL)
        fclose(file);
    return found;
}

/* 1 if the brackets that the line opens first close at its `end`. */
static int is_only_head(const char *line, size_t end)
{
    int depth = 0;

    for (size_t i = 0; i < end; i++) {
        depth += (line[i] == '(') - (line[i] == ')');
        if (line[i] == ')' && depth == 0)
            return i + 1 == end;
    }
    return 0;
}

int lab_why_empty_loop_line(const char *path, int line)
{
    FILE *file = fopen(path, "r");
    char text[LINE];
    int found = 0;

    for (int at = 1; file != NULL && at < line; at++) {
        size_t length;

        if (fgets(text, sizeof text, file) == NULL)
            break;
        length = strcspn(text, "\n");
        while (length > 0 && isspace((unsigned char)text[length - 1]))
            length--;
        if (text[0] == '{')
            found = 0; /* a function begins */
        if (length > 2 && strncmp(text + length - 2, ");", 2) == 0 &&
            strncmp(text + strspn(text, " \t"), "for (", 5) == 0 &&
            is_only_head(text, length - 1))
            found = at;
    }
    if (file != NULL)
        fclose(file);
    return found;
}

/* 1 if the line, no comment, stores to an element of the array. */
static int stores_to(const char *line, const char *name)
{
    const char *at = find_word(line, name);

    if (at == NULL || strchr("*/", line[strspn(line, " \t")]) != NULL ||
        at[strlen(name)] != '[')
        return 0;
    at = strchr(at, '=');
    return at != NULL && at[1] != '=';
}

int lab_why_store_line(const char *path, const char *kernel, const char *name)
{
    FILE *file = fopen(path, "r");
    char line[LINE];
    int is_kernel = 0, found = 0;

    for (int at = 1; file != NULL && found == 0; at++) {
        if (fgets(line, sizeof line, file) == NULL)
            break;
        if (line[0] == '}')
            is_kernel = 0;
        is_kernel |= strstr(line, "__global__") != NULL &&
                     find_word(line, kernel) != NULL;
        if (is_kernel && stores_to(line, name))
            found = at;
    }
    if (file != NULL)
        fclose(file);
    return found;
}
