/*
 * cause_parts.h: what the files that look for a cause (cause.h) share.
 *
 *   cause_identity.c  values of A and B that say which element they are
 *   cause_loads.c     what one thread has loaded, as multiply-adds
 *   cause_words.c     a sentence, and a load in it
 *   cause_terms.c     what became of each term of the sum
 *   cause_form.c      the index that gives all of C
 *   cause_rules.c     what the wrong terms have in common
 *   cause_sums.c      all operands are right: what else gives this value?
 *   cause_store.c     what was stored to the element
 *   cause_wrong.c     the first term that is made of others
 *   cause_missing.c   terms that are missing, too many, or there twice
 *   cause.c           which of these is said
 *
 * A row of text has no end of its own: what does not fit is cut.
 */
#ifndef LAB_CAUSE_PARTS_H
#define LAB_CAUSE_PARTS_H

#include "cause.h"

#include <stdarg.h>

/* --- cause_identity.c ----------------------------------------------------- */

struct lab_known {
    float value;
    int at; /* index into A, or behind its end into B */
};

struct lab_identity {
    const float *A, *B;
    int m, n, k;
    struct lab_known *known; /* by value */
    size_t count;
};

enum lab_content {
    LAB_OF_A,
    LAB_OF_B,
    LAB_ZERO,
    LAB_UNSET, /* a NaN: nobody stored it */
    LAB_UNKNOWN
};

struct lab_load {
    enum lab_content what;
    int row, col; /* of LAB_OF_A and LAB_OF_B */
    enum lab_content
        stands; /* LAB_OF_A or LAB_OF_B: in the place of which it was taken */
    double value;
    const struct simt_access *step;
    int word;   /* of the step */
    int staged; /* 1: it was stored to shared memory, and read from there */
};

/* A[row][i] and B[i][col]. */
double lab_cause_a(const struct lab_identity *d, int row, int i);
double lab_cause_b(const struct lab_identity *d, int i, int col);

/* 1 if sums of terms that add up to this, without their signs, are exact. */
int lab_cause_is_exact(double size);

/* Says of a load which element its value is. */
void lab_cause_identify(const struct lab_identity *d, float value,
                        struct lab_load *load);

/* --- cause_loads.c -------------------------------------------------------- */

/* Loads of one kind and then of the other: a multiply-add's, or those of all
   products that a thread makes of them. */
struct lab_load_group {
    size_t first, middle, end; /* in the middle the kind changes */
};

struct lab_account {
    const struct lab_suspect *s;
    const struct lab_identity *d;
    struct lab_load *load;
    size_t loads;
    struct lab_load_group *group;
    int groups;
    const struct lab_load
        *odd; /* the first of a value that is no element, in an
                               array of which no content is known; or NULL */
    struct lab_load odd_load;
    int unset;    /* 1: what nobody stored came from such an array */
    int several;  /* 1: the thread has several sums */
    int left_out; /* 1: the groups were found, and loads belong to none */
    int plain;    /* 1: each group is one of A and one of B */
    double got, want;
    int exact;
};

/* Reads the steps from `from` to `to` into loads, which the caller frees, as
   the groups below. Returns 0, or -1 without memory. */
int lab_cause_read_loads(struct lab_account *a, size_t from, size_t to);

/* Says of each load in the place of what it was taken, and leaves out those of
   which that is not known. */
void lab_cause_type_loads(struct lab_account *a);

/* Makes groups of the loads: each a multiply-add's, or those of all products
   that a thread makes of them; then pairs, where sums can only be made of
   these. Return 0, or -1 without memory. */
int lab_cause_make_groups(struct lab_account *a);
int lab_cause_find_pairs(struct lab_account *a);

/* --- cause_words.c -------------------------------------------------------- */

struct lab_words {
    char *text;
    size_t size, used;
};

void __attribute__((format(printf, 2, 3)))
lab_cause_say(struct lab_words *w, const char *format, ...);

/* "A[0][1] from As[0][1]"; " (tiling.cu:64)". */
void lab_cause_say_load(struct lab_words *w, const struct lab_account *a,
                        const struct lab_load *load);
void lab_cause_say_line(struct lab_words *w, const struct lab_load *load);

/* A path's last part. */
const char *lab_cause_file(const char *path);

/* Who it was, in the middle of a sentence: "its thread (1,0)". */
const char *lab_cause_who(const struct lab_account *a);

/* Keeps where the load was made; NULL: keeps nothing. */
void lab_cause_place(struct lab_cause *cause, const struct lab_load *load);

/* --- cause_terms.c -------------------------------------------------------- */

/* What became of one term of the sum, A[row][i] * B[i][col]. */
struct lab_term {
    int i;
    int times;                    /* how often both were taken together */
    const struct lab_load *a, *b; /* what was taken instead; NULL: nothing */
    int a_right, b_right;         /* the one that is right, if one is */
};

int lab_cause_is_element(const struct lab_load *load, enum lab_content what,
                         int row, int col);

/* Two zeros, from where a tile hangs over the edge: they add nothing. */
int lab_cause_is_padding(const struct lab_account *a, int group);

/* Fills term i; used[g] becomes 1 where group g belongs to it. Then those of
   which neither element was met, of a thread with one sum. */
void lab_cause_find_term(const struct lab_account *a, int i,
                         unsigned char *used, struct lab_term *term);
void lab_cause_pair_rest(const struct lab_account *a, unsigned char *used,
                         struct lab_term *term);

/* --- cause_form.c --------------------------------------------------------- */

enum lab_form {
    LAB_NO_FORM,
    LAB_EXCHANGED, /* row and column are, in all or in tiles */
    LAB_STILL,     /* it does not go along with k */
    LAB_OTHER_FORM
};

/* Says which index gives all of C, if one does: of A, or of B. Returns 1 or 0.
   lab_cause_form: what the index is that gives all of C, of which that of one
   element may be a part by chance. */
int lab_cause_say_form(struct lab_words *w, const struct lab_account *a);
enum lab_form lab_cause_form(const struct lab_account *a, enum lab_content of);
/* Do rows that are `pitch` apart give all of C? */
int lab_cause_is_pitch(const struct lab_account *a, enum lab_content of,
                       int pitch);

/* --- cause_rules.c -------------------------------------------------------- */

/* A rule that all wrong terms follow. */
struct lab_rule {
    const struct lab_account *a;
    const struct lab_term *term;
    int terms;
    enum lab_content of;
};

typedef int lab_rule_test(const struct lab_rule *r, const struct lab_term *t,
                          int row, int col, int want_row, int want_col,
                          int *parameter);

/* Do all terms that are off pass the test, and at least `least` of them?
   *parameter is set by the first. */
int lab_cause_all_pass(const struct lab_rule *r, lab_rule_test *test,
                       int *parameter, int least);

/* Tests: another row, or another column, the same for all. */
int lab_cause_other_row(const struct lab_rule *r, const struct lab_term *t,
                        int row, int col, int want_row, int want_col,
                        int *parameter);
int lab_cause_other_col(const struct lab_rule *r, const struct lab_term *t,
                        int row, int col, int want_row, int want_col,
                        int *parameter);

/* Says what the wrong ones of one matrix have in common. Returns 1 if there is
   something, 2 if it is of this element alone, 0 if there is nothing. */
int lab_cause_say_rule(struct lab_words *w, const struct lab_rule *r);

/* --- cause_sums.c --------------------------------------------------------- */

/* Says what gives the value, to the bit. Returns 1 if something does. */
int lab_cause_say_sum(struct lab_words *w, const struct lab_account *a);

/* The element of C whose value this one holds, if it is just one; else 0. */
int lab_cause_belongs_to(const struct lab_account *a, int *row, int *col);

/* --- cause_store.c -------------------------------------------------------- */

/* The last store to the suspect, or NULL. */
const struct simt_access *lab_cause_last_store(const struct lab_suspect *s);

/* The number of different elements of C that the steps store to; *first and
   *end are those before and behind the last store to the suspect: what belongs
   to it alone, if it is stored once. */
int lab_cause_stored_elements(const struct lab_suspect *s, size_t *first,
                              size_t *end, int *times);

/* Each says one thing, with its place in cause, if it is so: 1, or 0. The
   element holds the value of another, to the bit; the thread stored the right
   value, so it has nothing to do with the cause; the element is read before it
   is stored; a load met a copy that was still under way. */
int lab_cause_say_held(struct lab_words *w, const struct lab_account *a,
                       struct lab_cause *cause);
int lab_cause_say_stored_right(struct lab_words *w, const struct lab_account *a,
                               struct lab_cause *cause);
int lab_cause_say_not_begun(struct lab_words *w, const struct lab_account *a,
                            struct lab_cause *cause);
int lab_cause_say_under_way(struct lab_words *w, const struct lab_account *a,
                            struct lab_cause *cause);

/* --- cause_wrong.c -------------------------------------------------------- */

/* Says the first of the terms, as many as k, that is made of other elements.
   Returns the rank, 0: there is none. */
int lab_cause_say_wrong(struct lab_words *w, const struct lab_account *a,
                        const struct lab_term *term, struct lab_cause *cause);

/* A value that is no element of A or B came from an array of which nothing
   else is known. */
void lab_cause_say_odd(struct lab_words *w, const struct lab_account *a,
                       struct lab_cause *cause);

/* --- cause_missing.c ------------------------------------------------------ */

/* The same of terms that are not there, of products that are none of the terms
   (used: those that are), and of terms that are there twice. */
int lab_cause_say_missing(struct lab_words *w, const struct lab_account *a,
                          const struct lab_term *term, struct lab_cause *cause);
int lab_cause_say_extra(struct lab_words *w, const struct lab_account *a,
                        const unsigned char *used, struct lab_cause *cause);
int lab_cause_say_twice(struct lab_words *w, const struct lab_account *a,
                        const struct lab_term *term, struct lab_cause *cause);

#endif /* LAB_CAUSE_PARTS_H */
