/*
 * index.h: which labs are there, and what is asked of each?
 *
 * labs/INDEX is the one list of the labs; its head explains the fields. All
 * programs read it through this part.
 */
#ifndef COURSE_INDEX_H
#define COURSE_INDEX_H

#include "base/record.h"

enum {
    COURSE_LABS = 32, /* the most of each that an INDEX may hold */
    COURSE_SHAPES = 16,
    COURSE_ENTRIES = 6,  /* of one lab */
    COURSE_MEASURES = 4, /* of one lab */
    COURSE_NAME = 64     /* bytes for a lab's name with its NUL */
};

struct lab_matmul;
struct lab_matmul_bf16;

struct course_shape {
    int m, n, k; /* A is m x k, B is k x n, C is m x n; each at least 1 */
};

struct course_shapes {
    struct course_shape shape[COURSE_SHAPES];
    int count;
};

enum course_kind {
    COURSE_HOST,   /* A, B and C are in host memory */
    COURSE_LAUNCH, /* ... in device memory */
    COURSE_BANKS,  /* lab 05's lab_read */
    COURSE_SHOWN   /* a launch of which the goal is not asked */
};

/* The arithmetic of an entry: harness/precision.h says what each is. */
enum lab_precision {
    LAB_FP32,
    LAB_TF32,
    LAB_BF16
};

/* A function that a lab offers. */
struct course_entry {
    const char *variant;  /* short name for tables: "kernel" */
    const char *function; /* "lab_launch" */
    enum course_kind kind;
    enum lab_precision precision;
    /* The function itself, in the lab's own program (harness/info.h); that of
       LAB_BF16 is run_bf16. NULL for lab_read. */
    void (*run)(const struct lab_matmul *p);
    void (*run_bf16)(const struct lab_matmul_bf16 *p);
};

/* What not every device has, and a lab needs. */
struct course_needs {
    const char *what;    /* "wgmma"; NULL: nothing */
    const char *targets; /* for nvcc: "sm_80 compute_80" */
    int major, minor;    /* compute capability of a GPU that has it */
    int exactly;         /* 1: only that one has it; 0: later ones too */
    int on_cpu;          /* 1: the CPU device has it as well; 2: it has, but
                            not in a browser */
};

/* A column of results.csv and the values that earn all points and none. */
struct course_measure {
    const char *column;
    double full, zero; /* never equal; full < zero: less is better */
    double before;     /* without the lab's work; -1: there is no such number */
};

struct course_points {
    int right, clean, measure; /* each 0 or more; 100 together */
};

struct course_lab {
    const char *name;  /* "03_tiling": two digits, '_', then the file's name */
    const char *title; /* "Shared-memory tiles" */
    struct course_entry entry[COURSE_ENTRIES];
    struct course_measure measure[COURSE_MEASURES];
    int entries, measures; /* how many; at least 1 entry */
    struct course_points points;
    struct course_shape tile;    /* what its code divides M, N, K by; 0: none */
    const char *problem;         /* NULL: a product; else problem/problem.h */
    int sides;                   /* of its sizes: 1: n; 2: m, n; else m, n, k */
    struct course_shapes shapes; /* its own; none: those of all labs */
    struct course_shape counting; /* likewise; m is 0: it has none */
    int advanced;      /* 1: of the advanced track, which no class must do */
    int parts;         /* 1: its blocks may share sums (labs/INDEX) */
    const char *about; /* what its handout explains: words, blanks between */
    struct course_needs needs;
};

struct course_index {
    struct course_shapes shapes;          /* tested sizes */
    struct course_shapes advanced_shapes; /* also, of the advanced track */
    struct course_shape counting;         /* whose counts are graded */
    struct course_lab lab[COURSE_LABS];   /* in ascending order */
    int labs;
    int advanced; /* number of the first lab of the advanced track; 0: none */
    char *text;   /* all strings above point into it */
};

/*
 * Reads the INDEX at path. Returns 0, or -1 with a message in why that names
 * file, line and what is wrong; index then holds nothing to free.
 */
int course_index_read(const char *path, struct course_index *index, char *why,
                      size_t size);

/* The same for a text in memory, which is copied; path serves messages only. */
int course_index_parse(const char *path, const char *text,
                       struct course_index *index, char *why, size_t size);

void course_index_free(struct course_index *index);

/*
 * The name of the lab that a source belongs to is the name of its folder:
 * 03_tiling for labs/03_tiling/tiling.cu. Returns 0, or -1 with a message.
 */
int course_lab_of(const char *path, char name[COURSE_NAME], char *why,
                  size_t size);

/* Reads "COLUMN full F zero Z", with "before B" behind it or not, of an INDEX
   or a rubric. Returns 0, or -1 after base_records_wrong. */
int course_measure_read(const struct base_records *file,
                        const struct base_field *field,
                        struct course_measure *measure);

/* 1 if the entry launches a kernel on matrices in device memory. */
static inline int course_is_launch(const struct course_entry *entry)
{
    return entry->kind == COURSE_LAUNCH || entry->kind == COURSE_SHOWN;
}

/* 1 if an entry of the lab does. */
static inline int course_has_launch(const struct course_lab *lab)
{
    int launches = 0;

    for (int i = 0; i < lab->entries; i++)
        launches += course_is_launch(&lab->entry[i]);
    return launches > 0;
}

/* Of a product of that shape. */
static inline double course_multiply_adds(const struct course_shape *s)
{
    return (double)s->m * s->n * s->k;
}

/* Does the lab's handout explain that, a word of its `about`? */
int course_is_about(const struct course_lab *lab, const char *word);

/* The lab of that name ("03_tiling"), or NULL. */
const struct course_lab *course_index_find(const struct course_index *index,
                                           const char *name);

/* With how many shapes the lab is tested, and which is number i of them: the
   last one of all labs is its last, too, since that is the one timed. */
int course_index_shapes(const struct course_index *index,
                        const struct course_lab *lab);
struct course_shape course_index_shape(const struct course_index *index,
                                       const struct course_lab *lab, int i);

/* Keeps the labs alone that are steps of the ladder: that multiply matrices. */
void course_index_keep_ladder(struct course_index *index);

/* The size of the lab whose counts are graded. */
struct course_shape course_counting(const struct course_index *index,
                                    const struct course_lab *lab);

/* The size with 1 for the sides that the lab's sizes do not have. */
struct course_shape course_sides(const struct course_lab *lab,
                                 struct course_shape shape);

/* A size for people: "37 x 53 x 29", or "37 x 53", or "53". Returns text. */
enum {
    COURSE_SIZE_TEXT = 48
};
const char *course_size(const struct course_lab *lab, struct course_shape shape,
                        char text[COURSE_SIZE_TEXT]);

/*
 * How many small sizes there are, and number i of them. From 1 x 2 x 1 on each
 * side grows up to its tile and a little more, k up to two tiles, and is then 1
 * again, so that every remainder comes up; of a tile longer than 64 some, with
 * every remainder of 32. Then the same in steps of 4, so that rows begin at
 * 16 bytes.
 */
int course_small_shapes(const struct course_lab *lab);
struct course_shape course_small_shape(const struct course_lab *lab, int i);

#endif /* COURSE_INDEX_H */
