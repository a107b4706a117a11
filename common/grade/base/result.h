/*
 * result.h: what came of one lab of one student?
 *
 * The verdict fills it (verdict.h); the store, the exports and the feedback
 * read it. It holds no decision of theirs and nothing that changes from one
 * run of the same submission and seed to the next: no time, no path, no
 * process number.
 */
#ifndef GRADE_RESULT_H
#define GRADE_RESULT_H

#include <stddef.h>

/* The course's words, the gravest last. */
enum grade_verdict {
    GRADE_PASS,    /* right in every case, and clean; points tell the number */
    GRADE_FLAG,    /* the same, with something that a person must look at: the
                      number earns nothing until then */
    GRADE_UNCLEAN, /* right, but a check found something: a race, bounds, ... */
    GRADE_FAIL,    /* not right in every case, or the kernel is the one that the
                      lab begins with */
    GRADE_UNFINISHED, /* the same, and TODOs are open */
    GRADE_CRASH,      /* ended by a signal or an error of the device */
    GRADE_MEMORY,     /* wanted more memory than there is for it */
    GRADE_TIME,
    GRADE_COMPILE,      /* is no C++ */
    GRADE_REJECTED,     /* holds what no lab may: vet.h, intake.h */
    GRADE_MISSING,      /* nothing was handed in */
    GRADE_GRADER_ERROR, /* the grader's own fault: no points were decided */
    GRADE_VERDICTS
};

/* "PASS", "FLAG", ..., "GRADER_ERROR" */
extern const char *const grade_verdict_word[GRADE_VERDICTS];

enum grade_part {
    GRADE_RIGHT,
    GRADE_CLEAN,
    GRADE_NUMBER,
    GRADE_PARTS
};

/* One entry of the lab at one size, with inputs of its own. */
struct grade_case {
    char name[48];              /* "kernel, 37 x 53 x 29"; "hidden 1" */
    int hidden;                 /* 1: a student sees name and verdict only */
    enum grade_verdict verdict; /* PASS, UNCLEAN, FAIL, CRASH, MEMORY, TIME */
    char *text;                 /* what is wrong, in sentences; "" */
};

struct grade_measure {
    char column[64];   /* of results.csv */
    double value;      /* NaN: it was not counted */
    double full, zero; /* the rubric's */
    double points, of;
};

struct grade_result {
    char lab[64]; /* "03_tiling" */
    enum grade_verdict verdict;
    char *text; /* why, in sentences, where cases do not say it:
                                  the compiler's words, what is refused; "" */
    double points[GRADE_PARTS], of[GRADE_PARTS];
    struct grade_case *cases;
    struct grade_measure *measures;
    char **flags; /* what a person should look at: takes no points by itself */
    size_t case_count, measure_count, flag_count;
    char *findings; /* what the device's checks found, as a student may read
                       it; "" */
    char *costs;    /* which line reads how many sectors a request against the
                       ideal, and the like; "" */
};

void grade_result_free(struct grade_result *result);

/* Add one to the arrays. Texts are copied. Return the new member, or NULL
   without memory (base/memory.h). */
struct grade_case *grade_result_case(struct grade_result *result);
struct grade_measure *grade_result_measure(struct grade_result *result);
void grade_result_flag(struct grade_result *result, const char *text);

/* Sum of points. */
double grade_result_points(const struct grade_result *result);

#endif /* GRADE_RESULT_H */
