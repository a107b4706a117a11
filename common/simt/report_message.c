#define _POSIX_C_SOURCE 200809L
#include "report_message.h"

#include "base/format.h"
#include "base/language.h"
#include "base/wrap.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 9, /* arguments of a sentence, with all of it */
    SHORT = 8,
    LONGEST = 1000
};

/* The sentence of the device that a text is, and what its arguments are. */
struct meant {
    const char *sentence; /* NULL: it is none */
    size_t own;           /* bytes of it that are no argument */
    regmatch_t match[MOST];
};

/* The regular expression of a sentence, in which an argument is any text; a
   word, where nothing but a blank parts it from the next argument. Returns how
   many bytes of it are none; 0: it could not be made. */
static size_t compile(regex_t *regex, const char *sentence)
{
    char text[2 * LONGEST] = "^", *to = text + 1;
    struct base_argument a = {.number = 0};
    int has_argument = base_format_next(sentence, 0, &a);
    size_t own = 0;

    while (*sentence != '\0' && to < text + sizeof text - 8) {
        if (has_argument && sentence == a.begin) {
            const int is_integer = strpbrk(a.type, "diu") != NULL;
            const char *any = "(.*)";

            sentence = a.end;
            has_argument = base_format_next(sentence, a.number, &a);
            if (has_argument &&
                ((*sentence == ' ' && a.begin == sentence + 1) ||
                 (strncmp(sentence, ": ", 2) == 0 && a.begin == sentence + 2)))
                any = "([^ ]*)";
            if (is_integer)
                any = "(-?[0-9]+)";
            memcpy(to, any, strlen(any));
            to += strlen(any);
            continue;
        }
        if (strchr(".[]()*+?{}^$|\\", *sentence) != NULL)
            *to++ = '\\';
        *to++ = *sentence++;
        own++;
    }
    memcpy(to, "$", 2);
    return regcomp(regex, text, REG_EXTENDED) == 0 ? own : 0;
}

static struct meant find_sentence(const char *text);

/* Is each argument that may be a sentence one that is known? Of a sentence with
   few words of its own, as "%s on %s", those of some words; of others those
   that hold the end of a sentence: else the text is more than this one. */
static int are_sentences(const struct meant *m, const char *text)
{
    const char *const end = m->own < SHORT ? " " : ". ";

    for (int i = 1; i < MOST && m->match[i].rm_so >= 0; i++) {
        const int length = (int)(m->match[i].rm_eo - m->match[i].rm_so);
        char part[LONGEST];

        snprintf(part, sizeof part, "%.*s", length, text + m->match[i].rm_so);
        if (strstr(part, end) != NULL && find_sentence(part).sentence == NULL)
            return 0;
    }
    return 1;
}

/* The sentence that has most words of its own in common with the text. */
static struct meant find_sentence(const char *text)
{
    struct meant best = {.sentence = NULL};
    const char *sentence;
    size_t at = 0;

    while ((sentence = base_said_next("common/simt/", &at)) != NULL) {
        struct meant m = {.sentence = sentence};
        regex_t regex;

        if (strncmp(text, sentence, strcspn(sentence, "%")) != 0)
            continue;
        m.own = compile(&regex, sentence);
        if (m.own == 0)
            continue;
        if (m.own > best.own && regexec(&regex, text, MOST, m.match, 0) == 0 &&
            are_sentences(&m, text))
            best = m;
        regfree(&regex);
    }
    return best;
}

static void append(char **to, size_t *size, const char *text, size_t length)
{
    if (length >= *size)
        length = *size > 0 ? *size - 1 : 0;
    memcpy(*to, text, length);
    *to += length;
    *size -= length;
    if (*size > 0)
        **to = '\0';
}

static void say_sentences(char *to, size_t size, const char *text);

/* Writes a translation with what stood for each argument, itself translated. */
static void fill(char *to, size_t size, const struct meant *m, const char *text)
{
    const char *format = base_say(m->sentence);
    struct base_argument a = {.number = 0};

    while (base_format_next(format, a.number, &a)) {
        const regmatch_t *const of = &m->match[a.number < MOST ? a.number : 0];
        char part[LONGEST], said[LONGEST];

        append(&to, &size, format, (size_t)(a.begin - format));
        snprintf(part, sizeof part, "%.*s", (int)(of->rm_eo - of->rm_so),
                 text + of->rm_so);
        say_sentences(said, sizeof said, part);
        append(&to, &size, said, strlen(said));
        format = a.end;
    }
    append(&to, &size, format, strlen(format));
}

void simt_sentence_say(char *to, size_t size, const char *sentence)
{
    const struct meant m = find_sentence(sentence);

    if (size > 0)
        *to = '\0';
    if (m.sentence != NULL) {
        fill(to, size, &m, sentence);
    } else {
        snprintf(to, size, "%s", sentence);
    }
}

/* Where the last sentence of a text ends that ends before `end`: behind its
   point, or where the text begins. */
static size_t end_before(const char *text, size_t end)
{
    while (end > 2 && !(text[end - 2] == '.' && text[end - 1] == ' '))
        end--;
    return end > 2 ? end - 1 : 0;
}

/* A text of several sentences: as many at once as are known together. */
static void say_sentences(char *to, size_t size, const char *text)
{
    if (size > 0)
        *to = '\0';
    while (*text != '\0') {
        char part[LONGEST], said[LONGEST];
        size_t length = strlen(text), shorter;

        for (;; length = shorter) {
            snprintf(part, sizeof part, "%.*s", (int)length, text);
            shorter = end_before(text, length);
            if (shorter == 0 || find_sentence(part).sentence != NULL)
                break;
        }
        simt_sentence_say(said, sizeof said, part);
        append(&to, &size, said, strlen(said));
        text += length;
        if (*text == ' ')
            append(&to, &size, text++, 1);
    }
}

/* Does a line begin something, and not go on with the line before? */
static int begins(const char *line)
{
    const size_t name = strcspn(line, ": \n");

    return strncmp(line, "line ", 5) == 0 || strncmp(line, "Seen ", 5) == 0 ||
           strncmp(line, "Kernel ", 7) == 0 ||
           strncmp(line, "In kernel ", 10) == 0 ||
           (line[name] == ':' && isdigit((unsigned char)line[name + 1]));
}

void simt_message_say(char *to, size_t size, const char *message)
{
    const size_t first = strcspn(message, "\n");
    const char *const place = strstr(message, ": ");
    const size_t prefix = place != NULL && place < message + first &&
                                  isdigit((unsigned char)place[-1])
                              ? (size_t)(place + 2 - message)
                              : 0;
    char text[LONGEST * 2], said[LONGEST * 2];

    if (base_language()[0] == '\0') {
        snprintf(to, size, "%s", message);
        return;
    }
    snprintf(text, sizeof text, "%.*s", (int)(first - prefix),
             message + prefix);
    simt_sentence_say(said, sizeof said, text);
    append(&to, &size, message, prefix);
    append(&to, &size, said, strlen(said));
    message += first;
    while (*message == '\n') {
        char *end = text;

        *text = '\0';
        do {
            const size_t blanks = strspn(++message, " ");
            const size_t length = strcspn(message + blanks, "\n");

            end +=
                snprintf(end, sizeof text - (size_t)(end - text), "%s%.*s",
                         end > text ? " " : "", (int)length, message + blanks);
            message += blanks + length;
        } while (*message == '\n' && message[1] != '\0' &&
                 end < text + LONGEST &&
                 !begins(message + 1 + strspn(message + 1, " ")));
        if (*text != '\0') {
            FILE *lines;

            say_sentences(said, sizeof said, text);
            append(&to, &size, "\n", 1);
            lines = size > 1 ? fmemopen(to, size, "w") : NULL;
            if (lines == NULL)
                return;
            base_wrap(lines, "    ", said);
            fclose(lines);
            size -= strlen(to);
            to += strlen(to);
            *--to = '\0'; /* the next line begins with it */
            size++;
        }
    }
    append(&to, &size, "\n", 1);
}
