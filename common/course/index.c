#define _POSIX_C_SOURCE 200809L
#include "course/index.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "base/words.h"

/* Reads up to three whole numbers from `least` to `most`, with that character
   between them. Returns how many there are, or -1. */
static int read_numbers(const char *text, char between, long least, long most,
                        int *const number[3])
{
    for (int i = 0; i < 3; i++) {
        char *end;
        const long value = strtol(text, &end, 10);

        if (!isdigit((unsigned char)*text) || value < least || value > most ||
            (*end != '\0' && *end != between))
            return -1;
        *number[i] = (int)value;
        if (*end == '\0')
            return i + 1;
        text = end + 1;
    }
    return -1;
}

/* --- sizes ---------------------------------------------------------------- */

/* Reads a size such as 37x53x29; of a lab of another problem than the product
   it may be 37x53, M x N, or 53, N. *sides: of all sizes of the lab; 0: not
   known yet. */
static int read_shape(const struct base_records *file,
                      const struct base_field *field, const char *word,
                      int *sides, struct course_shape *shape)
{
    int first = 1, second = 1, third = 1;
    int *const side[] = {&first, &second, &third};
    const int found = read_numbers(word, 'x', 1, INT_MAX, side);

    if (found < 0 || (*sides != 0 && found != *sides)) {
        return base_records_wrong(file, field->line, "size '%s': write %s",
                                  word,
                                  *sides == 1   ? "N as in 53"
                                  : *sides == 2 ? "M x N as in 37x53"
                                                : "M x N x K as in 37x53x29");
    }
    *sides = found;
    *shape = found == 1 ? (struct course_shape){1, first, 1}
                        : (struct course_shape){first, second, third};
    return 0;
}

static int read_some(const struct base_records *file,
                     const struct base_field *field, int *sides,
                     struct course_shapes *shapes)
{
    char *word[COURSE_SHAPES];

    shapes->count = base_words(field->value, word, COURSE_SHAPES);
    if (shapes->count > COURSE_SHAPES) {
        return base_records_wrong(file, field->line, "more than %d shapes",
                                  COURSE_SHAPES);
    }
    for (int i = 0; i < shapes->count; i++) {
        if (read_shape(file, field, word[i], sides, &shapes->shape[i]) != 0)
            return -1;
    }
    return 0;
}

static int read_shapes(const struct base_records *file,
                       const struct base_field *field, void *member)
{
    int sides = 3;

    return read_some(file, field, &sides, member);
}

static int read_one_shape(const struct base_records *file,
                          const struct base_field *field, void *member)
{
    int sides = 3;

    return read_shape(file, field, field->value, &sides, member);
}

/* The same of one lab, whose sizes all have as many sides: of a product, which
   a lab is that has named no problem before, three. */
static int *sides_of(struct course_lab *lab)
{
    if (lab->problem == NULL)
        lab->sides = 3;
    return &lab->sides;
}

static int read_lab_shapes(const struct base_records *file,
                           const struct base_field *field, void *member)
{
    struct course_lab *const lab = member;

    return read_some(file, field, sides_of(lab), &lab->shapes);
}

static int read_counting(const struct base_records *file,
                         const struct base_field *field, void *member)
{
    struct course_lab *const lab = member;

    return read_shape(file, field, field->value, sides_of(lab), &lab->counting);
}

static int read_tile(const struct base_records *file,
                     const struct base_field *field, void *member)
{
    struct course_lab *const lab = member;

    return read_shape(file, field, field->value, sides_of(lab), &lab->tile);
}

/* --- what a lab is -------------------------------------------------------- */

/* A lab's name is also a folder's and a file's: 03_tiling. */
static int read_name(const struct base_records *file,
                     const struct base_field *field, void *member)
{
    const char *const name = field->value;
    const size_t length = strlen(name);

    if (length < 4 || !isdigit((unsigned char)name[0]) ||
        !isdigit((unsigned char)name[1]) || name[2] != '_' ||
        strspn(name + 3, "abcdefghijklmnopqrstuvwxyz0123456789_") !=
            length - 3) {
        return base_records_wrong(file, field->line,
                                  "name '%s': write it as in 03_tiling", name);
    }
    *(const char **)member = name;
    return 0;
}

/* Reads "VARIANT FUNCTION KIND". */
static int read_entry(const struct base_records *file,
                      const struct base_field *field, void *member)
{
    static const char kinds[] =
        "host launch banks shown launch_tf32 launch_bf16";
    static const struct {
        enum course_kind kind;
        enum lab_precision precision;
    } meant[] = {{COURSE_HOST, LAB_FP32},   {COURSE_LAUNCH, LAB_FP32},
                 {COURSE_BANKS, LAB_FP32},  {COURSE_SHOWN, LAB_FP32},
                 {COURSE_LAUNCH, LAB_TF32}, {COURSE_LAUNCH, LAB_BF16}};
    struct course_lab *const lab = member;
    char *word[3];
    int kind;

    if (lab->entries == COURSE_ENTRIES) {
        return base_records_wrong(file, field->line, "more than %d entries",
                                  COURSE_ENTRIES);
    }
    if (base_words(field->value, word, 3) != 3) {
        return base_records_wrong(file, field->line,
                                  "write 'entry: VARIANT FUNCTION KIND'");
    }
    kind = base_find_word(word[2], kinds);
    if (kind < 0) {
        return base_records_wrong(file, field->line, "kind '%s': use one of %s",
                                  word[2], kinds);
    }
    lab->entry[lab->entries++] =
        (struct course_entry){.variant = word[0],
                              .function = word[1],
                              .kind = meant[kind].kind,
                              .precision = meant[kind].precision};
    return 0;
}

static int read_points(const struct base_records *file,
                       const struct base_field *field, void *member)
{
    struct course_points *const points = member;
    int *const part[] = {&points->right, &points->clean, &points->measure};

    if (read_numbers(field->value, ' ', 0, 1000, part) != 3) {
        return base_records_wrong(file, field->line,
                                  "points: write three numbers as in 60 20 20");
    }
    if (points->right + points->clean + points->measure == 100)
        return 0;
    return base_records_wrong(file, field->line,
                              "points %s do not add up to 100", field->value);
}

int course_measure_read(const struct base_records *file,
                        const struct base_field *field,
                        struct course_measure *measure)
{
    char *word[7];
    const int words = base_words(field->value, word, 7);
    double *const value[] = {&measure->full, &measure->zero, &measure->before};
    static const char *const name[] = {"full", "zero", "before"};

    *measure = (struct course_measure){.column = word[0], .before = -1.0};
    for (int i = 0; i < 3 && (i < 2 || words != 5); i++) {
        if ((words != 5 && words != 7) ||
            strcmp(word[2 * i + 1], name[i]) != 0 ||
            base_number(word[2 * i + 2], value[i]) != 0 ||
            (i == 2 && measure->before < 0.0)) {
            return base_records_wrong(
                file, field->line,
                "write 'measure: COLUMN full F zero Z', with numbers, or also "
                "'before B'");
        }
    }
    if (!(measure->full < measure->zero || measure->full > measure->zero)) {
        return base_records_wrong(file, field->line,
                                  "%s: full and zero are the same, so there "
                                  "is nothing between them",
                                  measure->column);
    }
    return 0;
}

static int read_measure(const struct base_records *file,
                        const struct base_field *field, void *member)
{
    struct course_lab *const lab = member;

    if (lab->measures == COURSE_MEASURES) {
        return base_records_wrong(file, field->line, "more than %d measures",
                                  COURSE_MEASURES);
    }
    return course_measure_read(file, field, &lab->measure[lab->measures++]);
}

/* The words that say what the handout explains. */
static int read_about(const struct base_records *file,
                      const struct base_field *field, void *member)
{
    const char *const words = field->value;

    if (words[strspn(words, "abcdefghijklmnopqrstuvwxyz_- ")] != '\0') {
        return base_records_wrong(file, field->line,
                                  "about '%s': write words as in "
                                  "bank_conflicts",
                                  words);
    }
    *(const char **)member = words;
    return 0;
}

/* Of targets the first, as sm_80, whose last digit is the minor number; an a
   behind it: no other GPU. */
static int read_targets(const struct base_records *file,
                        const struct base_field *field, void *member)
{
    struct course_needs *const needs = member;
    const char *const word = field->value;
    char *end = field->value;
    const long number =
        strncmp(word, "sm_", 3) == 0 && isdigit((unsigned char)word[3])
            ? strtol(word + 3, &end, 10)
            : 0;

    needs->targets = word;
    needs->major = (int)(number / 10);
    needs->minor = (int)(number % 10);
    needs->exactly = *end == 'a';
    end += needs->exactly;
    if (number >= 10 && number <= INT_MAX && (*end == '\0' || *end == ' '))
        return 0;
    return base_records_wrong(file, field->line,
                              "targets '%s': write them as in sm_80 compute_80",
                              word);
}

/* --- all labs ------------------------------------------------------------- */

#define AT(member) offsetof(struct course_index, member)
static const struct base_key of_all[] = {
    {"shapes", AT(shapes), .read = read_shapes, .stands = BASE_NEEDED},
    {"counting", AT(counting), .read = read_one_shape, .stands = BASE_NEEDED},
    {"advanced", AT(advanced), .least = 1, .most = 99},
    {"advanced_shapes", AT(advanced_shapes), .read = read_shapes},
};
#undef AT

#define AT(member) offsetof(struct course_lab, member)
static const struct base_key of_lab[] = {
    {"lab", AT(name), .read = read_name},
    {"title", AT(title), .stands = BASE_NEEDED},
    {"entry", .read = read_entry, .stands = BASE_NEEDED + BASE_REPEATS},
    {"points", AT(points), .read = read_points, .stands = BASE_NEEDED},
    {"measure", .read = read_measure, .stands = BASE_REPEATS},
    {"problem", .at = AT(problem)},
    {"shapes", .read = read_lab_shapes},
    {"counting", .read = read_counting},
    {"tile", .read = read_tile},
    {"parts", AT(parts), .choice = "no yes"},
    {"about", AT(about), .read = read_about},
    {"needs", .at = AT(needs.what)},
    {"targets", AT(needs), .read = read_targets},
    {"on_cpu", AT(needs.on_cpu), .choice = "no yes native"},
};
#undef AT

/* What no field of the lab says alone. */
static int check_lab(const struct base_records *file, int line,
                     const struct course_lab *lab,
                     const struct course_lab *before)
{
    const struct course_needs *const needs = &lab->needs;
    const int is_sized = lab->shapes.count > 0 && lab->counting.m > 0;

    if (lab->problem != NULL && !is_sized) {
        return base_records_wrong(file, line,
                                  "%s has a problem of its own, and no "
                                  "'shapes' or no 'counting'",
                                  lab->name);
    }
    for (int i = 0; lab->problem != NULL && i < lab->entries; i++) {
        if (lab->entry[i].kind != COURSE_LAUNCH &&
            lab->entry[i].kind != COURSE_SHOWN) {
            return base_records_wrong(file, line,
                                      "%s has a problem of its own: its "
                                      "entries are launches",
                                      lab->name);
        }
    }
    if (before != NULL && strncmp(before->name, lab->name, 2) >= 0) {
        return base_records_wrong(file, line, "lab %s does not come after %s",
                                  lab->name, before->name);
    }
    if (lab->measures == 0 && lab->points.measure != 0) {
        return base_records_wrong(file, line,
                                  "%s has points for a measure, but no measure",
                                  lab->name);
    }
    if ((needs->what == NULL) != (needs->targets == NULL)) {
        return base_records_wrong(
            file, line, "%s has no '%s': needs and targets belong together",
            lab->name, needs->what == NULL ? "needs" : "targets");
    }
    return 0;
}

static int read_labs(const struct base_records *file,
                     struct course_index *index)
{
    for (size_t i = 0; i < file->count; i++) {
        const struct base_record *const record = &file->record[i];
        struct course_lab *const lab = &index->lab[i];

        if (i == COURSE_LABS) {
            return base_records_wrong(file, record->field->line,
                                      "more than %d labs", COURSE_LABS);
        }
        lab->about = "";
        if (base_record_fill(file, record, of_lab,
                             sizeof of_lab / sizeof *of_lab, lab) != 0 ||
            check_lab(file, record->field->line, lab, i > 0 ? lab - 1 : NULL) !=
                0)
            return -1;
        lab->advanced = index->advanced > 0 &&
                        strtol(lab->name, NULL, 10) >= index->advanced;
        index->labs++;
    }
    if (index->labs == 0)
        return base_records_wrong(file, 1, "there is no lab");
    /* There would be nothing that a class is graded on. */
    if (index->lab[0].advanced) {
        return base_records_wrong(
            file, base_record_find(&file->head, "advanced")->line,
            "advanced %d: no lab comes before that", index->advanced);
    }
    return 0;
}

/* Makes an index of what the file holds, whose text it keeps. */
static int make_index(struct base_records *file, struct course_index *index)
{
    int result = base_record_fill(file, &file->head, of_all,
                                  sizeof of_all / sizeof *of_all, index);

    if (result == 0)
        result = read_labs(file, index);
    index->text = file->text;
    file->text = NULL;
    base_records_free(file);
    if (result != 0)
        course_index_free(index);
    return result;
}

int course_index_parse(const char *path, const char *text,
                       struct course_index *index, char *why, size_t size)
{
    struct base_records file = {
        .path = path, .leader = "lab", .why = why, .why_size = size};

    *index = (struct course_index){.text = NULL};
    if (base_records_parse(&file, strdup(text)) != 0)
        return -1;
    return make_index(&file, index);
}

int course_index_read(const char *path, struct course_index *index, char *why,
                      size_t size)
{
    struct base_records file = {
        .path = path, .leader = "lab", .why = why, .why_size = size};

    *index = (struct course_index){.text = NULL};
    if (base_records_read(&file) != 0)
        return -1;
    return make_index(&file, index);
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
    if (lab->shapes.count > 0)
        return lab->shapes.count;
    return index->shapes.count +
           (lab->advanced ? index->advanced_shapes.count : 0);
}

struct course_shape course_index_shape(const struct course_index *index,
                                       const struct course_lab *lab, int i)
{
    const int last = index->shapes.count - 1;

    if (lab->shapes.count > 0)
        return lab->shapes.shape[i];
    if (i == course_index_shapes(index, lab) - 1)
        return index->shapes.shape[last];
    return i < last ? index->shapes.shape[i]
                    : index->advanced_shapes.shape[i - last];
}

void course_index_keep_ladder(struct course_index *index)
{
    int kept = 0;

    for (int i = 0; i < index->labs; i++) {
        if (index->lab[i].problem == NULL)
            index->lab[kept++] = index->lab[i];
    }
    index->labs = kept;
}

struct course_shape course_counting(const struct course_index *index,
                                    const struct course_lab *lab)
{
    return lab->counting.m > 0 ? lab->counting : index->counting;
}

struct course_shape course_sides(const struct course_lab *lab,
                                 struct course_shape shape)
{
    if (lab->sides == 1)
        shape.m = 1;
    if (lab->sides == 1 || lab->sides == 2)
        shape.k = 1;
    return shape;
}

const char *course_size(const struct course_lab *lab, struct course_shape shape,
                        char text[COURSE_SIZE_TEXT])
{
    if (lab->sides == 1) {
        snprintf(text, COURSE_SIZE_TEXT, "%d", shape.n);
    } else {
        snprintf(text, COURSE_SIZE_TEXT,
                 lab->sides == 2 ? "%d x %d" : "%d x %d x %d", shape.m, shape.n,
                 shape.k);
    }
    return text;
}

enum {
    ALIGNED = 4,     /* floats in 16 bytes */
    ALL_LENGTHS = 64 /* of a side: one longer than that is tried in strides */
};

/* From one length of a side to the next. Odd, so that each remainder of 4, 8,
   16 and 32 comes up all the same. */
static int stride(int tile, int step)
{
    return tile > ALL_LENGTHS && step == 1 ? 2 * (tile / ALL_LENGTHS) - 1
                                           : step;
}

/* The lengths of sides: how many there are of each. They differ, and n is one
   ahead, so that no two sides go in step where their tiles are alike. */
static struct course_shape lengths(const struct course_lab *lab, int step)
{
    const struct course_shape t = lab->tile;

    return (struct course_shape){t.m / stride(t.m, step) + 1,
                                 (t.n + 3) / stride(t.n, step) + 1,
                                 (2 * t.k + 3) / step + 1};
}

static int count_small(const struct course_lab *lab, int step)
{
    const struct course_shape s = lengths(lab, step);
    const int most = s.n > s.k ? s.n : s.k;

    return lab->tile.m == 0 ? 0 : s.m > most ? s.m : most;
}

int course_small_shapes(const struct course_lab *lab)
{
    return count_small(lab, 1) + count_small(lab, ALIGNED);
}

struct course_shape course_small_shape(const struct course_lab *lab, int i)
{
    const int unaligned = count_small(lab, 1);
    const int step = i < unaligned ? 1 : ALIGNED;
    const int at = i < unaligned ? i : i - unaligned;
    const struct course_shape s = lengths(lab, step);

    return course_sides(
        lab,
        (struct course_shape){step + at % s.m * stride(lab->tile.m, step),
                              step + (at + 1) % s.n * stride(lab->tile.n, step),
                              step + at % s.k * step});
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
        return base_refuse(why, size,
                           "%s: not in a lab's folder, as in labs/03_tiling/",
                           path);
    }
    memcpy(name, begin, length);
    name[length] = '\0';
    return 0;
}

int course_is_about(const struct course_lab *lab, const char *word)
{
    return base_find_word(word, lab->about) >= 0;
}
