#define _POSIX_C_SOURCE 200809L
#include "report_message.h"

#include "base/language.h"
#include "base/wrap.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sentences, and parts of them that stand for a %s: findings_text.c. */
static const char *const known[] = {
    N_("race in shared memory on %s"),
    N_("race in global memory on %s"),
    N_("read of shared memory that nobody wrote on %s"),
    N_("read of global memory that nobody wrote on %s"),
    N_("access outside of an array: %s"),
    N_("access outside of an array"),
    N_("misaligned access on %s"),
    N_("barrier that not all threads reach"),
    N_("thread %s waits at the __syncthreads() of line %s, and thread %s at "
       "that of line %s."),
    N_("thread %s waits at this __syncthreads() with %s others; %s of the "
       "block, such as %s, ended without reaching it."),
    N_("A barrier must not stand in a branch that only some threads take."),
    N_("A barrier must not stand in a branch or behind a return that only some "
       "threads take."),
    N_("In kernel %s."),
    N_("kernel that does not end"),
    N_("line %s: thread %s reads %s"),
    N_("line %s: thread %s writes %s"),
    N_("line %s: thread %s changes %s"),
    N_("it in its next pass through the loop"),
    N_("it, with no barrier in between"),
    N_("it"),
    N_("memory that belongs to no array: far from all of them"),
    N_("%s bytes at byte %s of %s, no multiple of %s: at %s"),
    N_("%s, which has %s"),
    N_("element %s of %s"),
    N_("elements %s to %s of %s"),
    N_("%s of block %s"),
    N_("the dynamic shared memory"),
    N_("an unnamed array"),
    N_("Seen %s times in kernel %s, as in block %s."),
    N_("Seen %s time in kernel %s, as in block %s."),
    N_("Kernel %s ends there, in block %s: what comes later is not told."),
    N_("No barrier stands on the way from line %s to line %s, nor from line %s "
       "back to line %s."),
    N_("No barrier stands on the way from line %s to line %s, nor from line %s "
       "to line %s."),
    N_("No barrier stands on the way from line %s back to line %s."),
    N_("No barrier stands on the way from line %s to line %s."),
    N_("Either a __syncthreads() is missing between the two, or one of the "
       "lines uses the wrong element."),
    N_("Either a __syncthreads() is missing there, or one of the lines uses "
       "the wrong element."),
    N_("Either a __syncthreads() is missing between the two lines, or one of "
       "them uses the wrong element."),
    N_("Threads of one warp, as these, need the barrier too."),
    N_("One of them can read it before the other has stored it."),
    N_("A sum that several threads add to, as in x += 1, needs atomicAdd."),
    N_("Blocks run in any order, so which value stays is undefined."),
    N_("Blocks run in any order, and __syncthreads() does not wait for other "
       "blocks."),
    N_("What one block reads of another belongs into a second kernel, launched "
       "afterwards."),
    N_("Both write this element, and which value stays is undefined."),
    N_("An atomic operation orders itself among its like alone, not against a "
       "plain read or write: let those be atomic too, or wait in between."),
    N_("The index is negative: it leads in front of the array."),
    N_("The third number between <<< and >>> is the size of this memory in "
       "bytes."),
    N_("The last index of an array is one less than its size."),
    N_("Check the index, the condition that keeps threads away, as in `i < n` "
       "or `row < m && col < n`, and the array's length."),
    N_("Each matrix has rows and columns of its own."),
    N_("Each block begins with its shared memory unwritten, and no thread of "
       "this block has stored that element."),
    N_("Neither a kernel nor a cudaMemset has written it: cudaMalloc sets "
       "nothing to 0."),
    N_("No kernel, cudaMemcpy or cudaMemset has written it: cudaMalloc sets "
       "nothing to 0, and a copy is as long as its number of bytes, elements * "
       "sizeof(float)."),
    N_("launch of %s: the block is %s threads, the limit is %s; it stands "
       "second in <<<grid, block>>>."),
    N_("host code %s, in device memory: only kernels reach device memory; copy "
       "it with cudaMemcpy first"),
    N_("read %s"),
    N_("wrote %s"),
    N_("%s of %s bytes: the destination pointer is device memory where the "
       "direction says host."),
    N_("%s of %s bytes: the source pointer is device memory where the "
       "direction says host."),
    N_("%s of %s bytes: the destination pointer is host memory where the "
       "direction says device."),
    N_("%s of %s bytes: the source pointer is host memory where the direction "
       "says device."),
    N_("host code was ended by abort(). Where the line above names malloc, "
       "free or corruption, it has stored past the end of what malloc gave, or "
       "freed it twice"),
    N_("lab code has not ended after %s seconds: it goes round in line %s"),
    N_("lab code has not ended after %s seconds: it goes round in lines %s to "
       "%s"),
    N_("host code used a misaligned or a wild address"),
    N_("host code divides an integer by zero"),
    N_("A value of 2 or 4 bytes is read and written only at a multiple of its "
       "size."),
    N_("A float2 or a float4 is read and written only at a multiple of its "
       "size: at an index that 2 or 4 divides."),
};

enum {
    MOST = 6, /* of %s in a sentence, with all of it */
    LONGEST = 1000
};

/* The regular expression of a sentence: each %s is any text. */
static int compile(regex_t *regex, const char *sentence)
{
    char text[2 * LONGEST] = "^", *to = text + 1;

    for (; *sentence != '\0' && to < text + sizeof text - 8; sentence++) {
        if (strncmp(sentence, "%s", 2) == 0) {
            memcpy(to, "(.+)", 4);
            to += 4;
            sentence++;
        } else {
            if (strchr(".[]()*+?{}^$|\\", *sentence) != NULL)
                *to++ = '\\';
            *to++ = *sentence;
        }
    }
    memcpy(to, "$", 2);
    return regcomp(regex, text, REG_EXTENDED);
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

/* Writes a translation with what stood for each %s, itself translated. */
static void fill(char *to, size_t size, const char *format, const char *english,
                 const regmatch_t *match)
{
    int next = 1;

    while (*format != '\0') {
        const size_t plain = strcspn(format, "%");
        int which = next;
        char part[LONGEST], said[LONGEST];
        const char *at;

        append(&to, &size, format, plain);
        format += plain;
        if (*format == '\0')
            return;
        at = format + 1;
        if (isdigit((unsigned char)*at) && at[1] == '$') {
            which = *at - '0';
            at += 2;
        } else {
            next++;
        }
        if (*at != 's' || which < 1 || which >= MOST ||
            match[which].rm_so < 0) {
            append(&to, &size, format++, 1);
            continue;
        }
        format = at + 1;
        snprintf(part, sizeof part, "%.*s",
                 (int)(match[which].rm_eo - match[which].rm_so),
                 english + match[which].rm_so);
        simt_sentence_say(said, sizeof said, part);
        append(&to, &size, said, strlen(said));
    }
}

void simt_sentence_say(char *to, size_t size, const char *sentence)
{
    if (size > 0)
        *to = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        regmatch_t match[MOST];
        regex_t regex;
        int found;

        if (base_say(known[i]) == known[i] || compile(&regex, known[i]) != 0)
            continue;
        found = regexec(&regex, sentence, MOST, match, 0) == 0;
        regfree(&regex);
        if (found) {
            fill(to, size, base_say(known[i]), sentence, match);
            return;
        }
    }
    snprintf(to, size, "%s", sentence);
}

/* Does a line begin something, and not go on with the line before? */
static int begins(const char *line)
{
    const size_t name = strcspn(line, ": \n");

    return strncmp(line, "line ", 5) == 0 || strncmp(line, "Seen ", 5) == 0 ||
           strncmp(line, "Kernel ", 7) == 0 ||
           (line[name] == ':' && isdigit((unsigned char)line[name + 1]));
}

/* The sentences of a text, one after the other. */
static void say_sentences(char *to, size_t size, char *text)
{
    while (*text != '\0') {
        char *end = text, said[LONGEST];
        int is_last;

        while (*end != '\0' &&
               !(end[0] == '.' && end[1] == ' ' && end > text + 2))
            end++;
        is_last = *end == '\0';
        if (!is_last)
            *++end = '\0';
        simt_sentence_say(said, sizeof said, text);
        append(&to, &size, said, strlen(said));
        if (is_last)
            return;
        append(&to, &size, " ", 1);
        text = end + 1 + strspn(end + 1, " ");
    }
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
