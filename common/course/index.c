#define _POSIX_C_SOURCE 200809L
#include "course/index.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum {
    NAME,
    TITLE,
    ENTRIES,
    POINTS,
    MEASURE,
    FULL,
    ZERO,
    BEFORE,
    ABOUT,
    FIELDS
};

/* Where the reader stands, and where its message goes. */
struct place {
    const char *path;
    int line;
    char *why;
    size_t size;
};

/* Writes "path:line: " and the message. Returns -1. */
static int bad_line(const struct place *at, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int bad_line(const struct place *at, const char *format, ...)
{
    char message[160];
    va_list values;

    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    snprintf(at->why, at->size, "%s:%d: %s", at->path, at->line, message);
    return -1;
}

/* Reads a whole number of at least least and stores what follows it in end.
   Returns 0 or -1. */
static int read_whole_number(const char *text, int least, int *number,
                             char **end)
{
    long value;

    if (!isdigit((unsigned char)*text))
        return -1;
    errno = 0;
    value = strtol(text, end, 10);
    if (errno != 0 || value < least || value > INT_MAX)
        return -1;
    *number = (int)value;
    return 0;
}

/* Reads a size such as 37x53x29. */
static int read_shape(const struct place *at, const char *word,
                      struct course_shape *shape)
{
    char *rest;

    if (read_whole_number(word, 1, &shape->m, &rest) == 0 && *rest == 'x' &&
        read_whole_number(rest + 1, 1, &shape->n, &rest) == 0 && *rest == 'x' &&
        read_whole_number(rest + 1, 1, &shape->k, &rest) == 0 && *rest == '\0')
        return 0;
    return bad_line(at, "size '%s': write M x N x K as in 37x53x29", word);
}

/* Reads a size, and counts it. */
static int add_shape(const struct place *at, struct course_index *index,
                     const char *word, int *count)
{
    const int have = index->shapes + index->advanced_shapes;

    if (have == COURSE_SHAPES)
        return bad_line(at, "more than %d shapes", COURSE_SHAPES);
    if (read_shape(at, word, &index->shape[have]) != 0)
        return -1;
    ++*count;
    return 0;
}

/* Reads the sizes behind the word "shapes". */
static int read_shapes(const struct place *at, struct course_index *index,
                       char *words)
{
    char *rest = NULL;

    if (index->shapes > 0)
        return bad_line(at, "shapes were given before");
    for (char *word = strtok_r(words, " \t", &rest); word != NULL;
         word = strtok_r(NULL, " \t", &rest)) {
        if (add_shape(at, index, word, &index->shapes) != 0)
            return -1;
    }
    return index->shapes > 0 ? 0 : bad_line(at, "shapes without a size");
}

/* A lab's name is also a folder's and a file's: 03_tiling. */
static int check_name(const struct place *at, const struct course_index *index,
                      const char *name)
{
    const struct course_lab *last = index->lab + index->labs - 1;
    const size_t length = strlen(name);

    if (length < 4 || !isdigit((unsigned char)name[0]) ||
        !isdigit((unsigned char)name[1]) || name[2] != '_' ||
        strspn(name + 3, "abcdefghijklmnopqrstuvwxyz0123456789_") != length - 3)
        return bad_line(at, "name '%s': write it as in 03_tiling", name);
    if (index->labs > 0 && strncmp(last->name, name, 2) >= 0)
        return bad_line(at, "lab %s does not come after %s", name, last->name);
    return 0;
}

/* Reads "variant:function:kind". */
static int read_entry(const struct place *at, char *word,
                      struct course_entry *entry)
{
    static const struct {
        const char *word;
        enum course_kind kind;
        enum lab_precision precision;
    } kinds[] = {
        {"host", COURSE_HOST, LAB_FP32},
        {"launch", COURSE_LAUNCH, LAB_FP32},
        {"banks", COURSE_BANKS, LAB_FP32},
        {"shown", COURSE_SHOWN, LAB_FP32},
        {"launch_tf32", COURSE_LAUNCH, LAB_TF32},
        {"launch_bf16", COURSE_LAUNCH, LAB_BF16},
    };
    char *const function = strchr(word, ':');
    char *const kind = function != NULL ? strchr(function + 1, ':') : NULL;

    if (kind == NULL || function == word || kind == function + 1)
        return bad_line(at, "entry '%s': write variant:function:kind", word);
    *function = '\0';
    *kind = '\0';
    entry->variant = word;
    entry->function = function + 1;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kind + 1, kinds[i].word) == 0) {
            entry->kind = kinds[i].kind;
            entry->precision = kinds[i].precision;
            return 0;
        }
    }
    return bad_line(at,
                    "kind '%s': use host, launch, launch_tf32, launch_bf16, "
                    "banks or shown",
                    kind + 1);
}

static int read_entries(const struct place *at, char *words,
                        struct course_lab *lab)
{
    char *rest = NULL;

    for (char *word = strtok_r(words, " \t", &rest); word != NULL;
         word = strtok_r(NULL, " \t", &rest)) {
        if (lab->entries == COURSE_ENTRIES)
            return bad_line(at, "more than %d entries", COURSE_ENTRIES);
        if (read_entry(at, word, &lab->entry[lab->entries]) != 0)
            return -1;
        lab->entries++;
    }
    return lab->entries > 0 ? 0 : bad_line(at, "no entry");
}

static int read_points(const struct place *at, const char *text,
                       struct course_points *points)
{
    char *rest;

    if (read_whole_number(text, 0, &points->right, &rest) != 0 ||
        *rest != ' ' ||
        read_whole_number(rest + 1, 0, &points->clean, &rest) != 0 ||
        *rest != ' ' ||
        read_whole_number(rest + 1, 0, &points->measure, &rest) != 0 ||
        *rest != '\0') {
        return bad_line(at, "points '%s': write three numbers as in 60 20 20",
                        text);
    }
    if ((long)points->right + points->clean + points->measure != 100)
        return bad_line(at, "points '%s' do not add up to 100", text);
    return 0;
}

/* Reads a finite number that is all of word. */
static int read_value(const struct place *at, const char *word, double *value)
{
    char *rest;

    *value = strtod(word, &rest);
    if (rest == word || *rest != '\0' || !isfinite(*value))
        return bad_line(at, "'%s' is no number", word);
    return 0;
}

/* Reads the columns and their two values, or three times "-". */
static int read_measures(const struct place *at, char *columns, char *fulls,
                         char *zeros, struct course_lab *lab)
{
    char *next_column = NULL, *next_full = NULL, *next_zero = NULL;

    if (strcmp(columns, "-") == 0 && strcmp(fulls, "-") == 0 &&
        strcmp(zeros, "-") == 0) {
        if (lab->points.measure != 0)
            return bad_line(at, "points for a measure, but no measure");
        return 0;
    }
    for (;;) {
        char *const column = strtok_r(columns, " \t", &next_column);
        char *const full = strtok_r(fulls, " \t", &next_full);
        char *const zero = strtok_r(zeros, " \t", &next_zero);
        struct course_measure *const measure = &lab->measure[lab->measures];

        columns = fulls = zeros = NULL;
        if (column == NULL && full == NULL && zero == NULL)
            break;
        if (column == NULL || full == NULL || zero == NULL)
            return bad_line(at, "each measure needs one full and one zero");
        if (lab->measures == COURSE_MEASURES)
            return bad_line(at, "more than %d measures", COURSE_MEASURES);
        if (read_value(at, full, &measure->full) != 0 ||
            read_value(at, zero, &measure->zero) != 0)
            return -1;
        if (!(measure->full < measure->zero || measure->full > measure->zero))
            return bad_line(at, "%s: full and zero are the same", column);
        measure->column = column;
        lab->measures++;
    }
    return lab->measures > 0 ? 0 : bad_line(at, "no measure (write -)");
}

/* Reads what each measure was before the lab: as many values as there are
   measures, each a number or "-". */
static int read_before(const struct place *at, char *words,
                       struct course_lab *lab)
{
    char *rest = NULL;
    int count = 0;

    if (lab->measures == 0 && strcmp(words, "-") == 0)
        return 0;
    for (char *word = strtok_r(words, " \t", &rest); word != NULL;
         word = strtok_r(NULL, " \t", &rest)) {
        double value = -1.0;

        if (count == lab->measures)
            return bad_line(at, "more values of before than measures");
        if (strcmp(word, "-") != 0 &&
            (read_value(at, word, &value) != 0 || value < 0.0))
            return bad_line(at, "before '%s': write a number or -", word);
        lab->measure[count++].before = value;
    }
    if (count < lab->measures)
        return bad_line(at, "each measure needs a value of before, or -");
    return 0;
}

/* Checks the words that say what the handout explains. */
static int read_about(const struct place *at, const char *words,
                      struct course_lab *lab)
{
    if (*words == '\0' ||
        words[strspn(words, "abcdefghijklmnopqrstuvwxyz_- ")] != '\0') {
        return bad_line(
            at, "about '%s': write words as in bank_conflicts, or -", words);
    }
    lab->about = strcmp(words, "-") == 0 ? "" : words;
    return 0;
}

/* Reads one lab's line. */
static int read_lab_line(const struct place *at, struct course_index *index,
                         char *line)
{
    char *field[FIELDS];
    struct course_lab *lab;
    int fields = 0;

    for (char *next = line; next != NULL; fields++) {
        char *const bar = strchr(next, '|');

        if (bar != NULL)
            *bar = '\0';
        if (fields < FIELDS)
            field[fields] = base_trim(next);
        next = bar != NULL ? bar + 1 : NULL;
    }
    if (fields != FIELDS)
        return bad_line(at, "%d fields where %d are needed", fields, FIELDS);
    if (index->labs == COURSE_LABS)
        return bad_line(at, "more than %d labs", COURSE_LABS);
    if (check_name(at, index, field[NAME]) != 0)
        return -1;
    if (*field[TITLE] == '\0')
        return bad_line(at, "no title");

    lab = &index->lab[index->labs];
    lab->name = field[NAME];
    lab->title = field[TITLE];
    if (read_entries(at, field[ENTRIES], lab) != 0 ||
        read_points(at, field[POINTS], &lab->points) != 0 ||
        read_measures(at, field[MEASURE], field[FULL], field[ZERO], lab) != 0 ||
        read_before(at, field[BEFORE], lab) != 0 ||
        read_about(at, field[ABOUT], lab) != 0)
        return -1;
    index->labs++;
    return 0;
}

/* Reads the first target, as sm_80, whose last digit is the minor number; an a
   behind it: no other GPU. */
static int read_target(const char *word, struct course_needs *needs)
{
    char *end;
    int number;

    if (strncmp(word, "sm_", 3) != 0 ||
        read_whole_number(word + 3, 10, &number, &end) != 0)
        return -1;
    needs->major = number / 10;
    needs->minor = number % 10;
    needs->exactly = *end == 'a';
    end += needs->exactly;
    return *end == '\0' || isspace((unsigned char)*end) ? 0 : -1;
}

/* Reads "lab | targets | what" behind the word "needs", and "| cpu" if the CPU
   device has it as well. */
static int read_needs(const struct place *at, struct course_index *index,
                      char *line)
{
    char *const targets = strchr(line, '|');
    char *const what = targets != NULL ? strchr(targets + 1, '|') : NULL;
    struct course_lab *lab = NULL;
    char *cpu;

    if (what == NULL)
        return bad_line(at, "needs: write lab | targets | what for");
    *targets = *what = '\0';
    line = base_trim(line);
    for (int i = 0; i < index->labs; i++) {
        if (strcmp(index->lab[i].name, line) == 0)
            lab = &index->lab[i];
    }
    if (lab == NULL)
        return bad_line(at, "needs: there is no lab '%s' above", line);
    if (lab->needs.what != NULL)
        return bad_line(at, "needs of %s were given before", lab->name);
    lab->needs.targets = base_trim(targets + 1);
    cpu = strchr(what + 1, '|');
    if (cpu != NULL) {
        *cpu = '\0';
        if (strcmp(base_trim(cpu + 1), "cpu") != 0) {
            return bad_line(at, "needs of %s: behind what only cpu may stand",
                            lab->name);
        }
        lab->needs.on_cpu = 1;
    }
    lab->needs.what = base_trim(what + 1);
    if (*lab->needs.what == '\0')
        return bad_line(at, "needs of %s: what for?", lab->name);
    if (read_target(lab->needs.targets, &lab->needs) != 0) {
        return bad_line(at, "targets '%s': write them as in sm_80 compute_80",
                        lab->needs.targets);
    }
    return 0;
}

/* The rest of line if its first word is word, else NULL. */
static char *after_word(char *line, const char *word)
{
    const size_t length = strlen(word);

    if (strncmp(line, word, length) != 0 ||
        (line[length] != '\0' && !isspace((unsigned char)line[length])))
        return NULL;
    return base_trim(line + length);
}

/* Reads the number behind the word "advanced", and the sizes. */
static int read_advanced(const struct place *at, struct course_index *index,
                         char *words)
{
    char *rest = NULL, *end;
    char *word = strtok_r(words, " \t", &rest);

    if (index->advanced > 0)
        return bad_line(at, "advanced was given before");
    if (index->shapes == 0)
        return bad_line(at, "advanced stands before shapes");
    if (word == NULL ||
        read_whole_number(word, 1, &index->advanced, &end) != 0 ||
        *end != '\0') {
        return bad_line(at, "advanced '%s': write a lab's number",
                        word != NULL ? word : "");
    }
    while ((word = strtok_r(NULL, " \t", &rest)) != NULL) {
        if (add_shape(at, index, word, &index->advanced_shapes) != 0)
            return -1;
    }
    return 0;
}

static int number_of_lab(const struct course_lab *lab)
{
    return 10 * (lab->name[0] - '0') + (lab->name[1] - '0');
}

/* Marks the labs of the advanced track. Without one of the others there would
   be nothing that a class is graded on. */
static int mark_advanced(const struct place *at, struct course_index *index)
{
    if (index->advanced == 0)
        return 0;
    for (int i = 0; i < index->labs; i++) {
        struct course_lab *const lab = &index->lab[i];

        lab->advanced = number_of_lab(lab) >= index->advanced;
    }
    if (index->lab[0].advanced) {
        return bad_line(at, "advanced %d: no lab comes before that",
                        index->advanced);
    }
    return 0;
}

static int read_index_line(const struct place *at, struct course_index *index,
                           char *line)
{
    char *rest;

    if (*line == '\0' || *line == '#')
        return 0;
    rest = after_word(line, "shapes");
    if (rest != NULL)
        return read_shapes(at, index, rest);
    rest = after_word(line, "counting");
    if (rest != NULL) {
        if (index->counting.m > 0)
            return bad_line(at, "counting was given before");
        return read_shape(at, rest, &index->counting);
    }
    rest = after_word(line, "needs");
    if (rest != NULL)
        return read_needs(at, index, rest);
    rest = after_word(line, "advanced");
    if (rest != NULL)
        return read_advanced(at, index, rest);
    return read_lab_line(at, index, line);
}

int course_index_parse(const char *path, const char *text,
                       struct course_index *index, char *why, size_t size)
{
    struct place at = {.path = path, .line = 1, .size = size};

    at.why = why;
    *index = (struct course_index){.text = strdup(text)};
    if (index->text == NULL)
        return bad_line(&at, "%s", strerror(errno));

    for (char *line = index->text; line != NULL; at.line++) {
        char *const newline = strchr(line, '\n');

        if (newline != NULL)
            *newline = '\0';
        if (read_index_line(&at, index, base_trim(line)) != 0)
            goto bad;
        line = newline != NULL ? newline + 1 : NULL;
    }
    at.line--;
    if (index->shapes == 0 || index->counting.m == 0 || index->labs == 0) {
        bad_line(&at, "the file ends without %s",
                 index->shapes == 0       ? "shapes"
                 : index->counting.m == 0 ? "a counting size"
                                          : "a lab");
        goto bad;
    }
    if (mark_advanced(&at, index) != 0)
        goto bad;
    return 0;

bad:
    course_index_free(index);
    return -1;
}

int course_index_read(const char *path, struct course_index *index, char *why,
                      size_t size)
{
    char *const text = base_read_file(path, why, size);
    int result;

    if (text == NULL)
        return -1;
    result = course_index_parse(path, text, index, why, size);
    free(text);
    return result;
}

void course_index_free(struct course_index *index)
{
    free(index->text);
    *index = (struct course_index){.text = NULL};
}

const struct course_lab *course_index_find(const struct course_index *index,
                                           const char *name)
{
    for (int i = 0; i < index->labs; i++) {
        if (strcmp(index->lab[i].name, name) == 0)
            return &index->lab[i];
    }
    return NULL;
}

int course_index_shapes(const struct course_index *index,
                        const struct course_lab *lab)
{
    return index->shapes + (lab->advanced ? index->advanced_shapes : 0);
}

struct course_shape course_index_shape(const struct course_index *index,
                                       const struct course_lab *lab, int i)
{
    if (i == course_index_shapes(index, lab) - 1)
        return index->shape[index->shapes - 1];
    return index->shape[i < index->shapes - 1 ? i : i + 1];
}

int course_lab_of(const char *path, char name[COURSE_NAME], char *why,
                  size_t size)
{
    const char *const slash = strrchr(path, '/');
    const char *begin = slash;
    size_t length;

    while (begin != NULL && begin > path && begin[-1] != '/')
        begin--;
    length = begin != NULL ? (size_t)(slash - begin) : 0;
    if (length == 0 || length >= COURSE_NAME) {
        snprintf(why, size, "%s: not in a lab's folder, as in labs/03_tiling/",
                 path);
        return -1;
    }
    memcpy(name, begin, length);
    name[length] = '\0';
    return 0;
}

int course_is_about(const struct course_lab *lab, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = lab->about; *at != '\0'; at += strspn(at, " ")) {
        const size_t next = strcspn(at, " ");

        if (next == length && strncmp(at, word, length) == 0)
            return 1;
        at += next;
    }
    return 0;
}
