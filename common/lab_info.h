/*
 * lab_info.h: what a lab's program knows about its lab.
 *
 * One such constant is generated for each program, from labs/INDEX and from
 * the lab's own source (common/course/describe_lab.c).
 */
#ifndef LAB_INFO_H
#define LAB_INFO_H

#include "harness/precision.h"
#include "lab.h"

struct lab_shape {
    int m, n, k;
};

/* LAB_ENTRY_HOST takes host memory, LAB_ENTRY_LAUNCH device memory;
   LAB_ENTRY_BANKS stands for lab 05's lab_read and has no function here. */
enum lab_entry_kind {
    LAB_ENTRY_HOST,
    LAB_ENTRY_LAUNCH,
    LAB_ENTRY_BANKS
};

struct lab_entry {
    const char *variant; /* short name for tables: "kernel", "by_hand" */
    enum lab_entry_kind kind;
    void (*run)(const struct lab_matmul *p); /* NULL for LAB_ENTRY_BANKS */
    int shown_only; /* its counts are shown, but the goal is not asked of it */
    enum lab_precision precision;
    void (*run_bf16)(
        const struct lab_matmul_bf16 *p); /* of LAB_BF16, for run */
};

/* What a lab needs that not every device has. */
struct lab_needs {
    const char *what; /* "wgmma"; NULL: any device will do */
    int major, minor; /* compute capability of a GPU that has it */
    int exactly;      /* 1: only that one has it; 0: later ones too */
};

/* The number a lab is about: a column of results.csv and its two thresholds. */
struct lab_measure {
    const char *column;
    double full;   /* reaching this earns all points */
    double zero;   /* this or worse earns none; full < zero: less is better */
    double before; /* without the lab's work; -1: there is no such number */
};

/* A TODO of the skeleton that the source still holds untouched. */
struct lab_todo {
    const char *number; /* "3.1" */
    int line;           /* in the source file */
    const char *text;   /* the sentence, without the leading "TODO 3.1" */
};

/* A lab whose handout explains a cost; of all labs, in their order. */
struct lab_handout {
    const char *about; /* "bank_conflicts": common/harness/advice.h */
    const char *lab;   /* "06_conflict_free" */
};

struct lab_info {
    const char *name;                     /* "03_tiling" */
    const char *title;                    /* "Shared-memory tiles" */
    const char *source;                   /* "labs/03_tiling/tiling.cu" */
    int is_solution;                      /* the source stands in solutions/ */
    int entries, shapes, measures, todos; /* how many of each */
    int written;                          /* TODOs that are not open any more */
    const struct lab_entry *entry;
    const struct lab_shape *shape; /* tested sizes, m x n x k */
    struct lab_shape counting;     /* the size whose counts are graded */
    const struct lab_measure *measure;
    const struct lab_todo *todo; /* open TODOs, in the order of the file */
    const struct lab_handout *handout;
    int handouts;
    struct lab_needs needs;
};

extern const struct lab_info lab_info;

#endif /* LAB_INFO_H */
