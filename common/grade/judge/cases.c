/* Which entries of a lab are run, at which sizes, some of them secret? */
#include "grade/judge/judging.h"

#include "harness/inputs.h"

#include <stdio.h>

/* A number that depends on the secret seed, the lab and what it is for. */
static uint64_t draw_number(const struct grade_judging *j, uint64_t what)
{
    uint64_t state = j->setting->seed;

    for (const char *c = j->lab->name; *c != '\0'; c++)
        state = lab_random(&state) ^ (unsigned char)*c;
    state ^= lab_random(&state) + what * UINT64_C(0x9e3779b97f4a7c15);
    return lab_random(&state);
}

/* Three sides: not square, and no multiples of a tile. Two of three are primes;
   and of a product one is longer than any of labs/INDEX: m, n or k. */
static struct course_shape hidden_shape(const struct course_lab *lab,
                                        uint64_t seed)
{
    static const int side[] = {19, 23, 29, 31, 35, 41, 43, 47, 51, 53,
                               59, 61, 67, 71, 73, 77, 79, 83, 89, 97};
    enum {
        SIDES = sizeof side / sizeof *side
    };
    const int m = (int)(lab_random(&seed) % SIDES);
    const int n = (m + 1 + (int)(lab_random(&seed) % (SIDES - 1))) % SIDES;
    const int k = (int)(lab_random(&seed) % SIDES);
    struct course_shape shape = {side[m], side[n], side[k]};
    int *const all[] = {&shape.m, &shape.n, &shape.k};

    if (lab->problem == NULL)
        *all[lab_random(&seed) % 3] = 641 + (int)(lab_random(&seed) % 256);
    return shape;
}

/* More than 1024 blocks of 16 x 16 threads, and no square: who exchanges block
   and grid asks for a block that no device has. */
static struct course_shape wide_shape(uint64_t seed)
{
    return (struct course_shape){513 + (int)(lab_random(&seed) % 16),
                                 561 + (int)(lab_random(&seed) % 16),
                                 2 + (int)(lab_random(&seed) % 2)};
}

/* As a size of the lab: what has fewer sides has longer ones. */
static struct course_shape fold(const struct course_lab *lab,
                                struct course_shape s)
{
    if (lab->sides == 1)
        return (struct course_shape){1, s.m * s.n, 1};
    if (lab->sides == 2)
        return (struct course_shape){s.m, s.n * s.k, 1};
    return s;
}

static int is_same_shape(const struct course_shape *a,
                         const struct course_shape *b)
{
    return a->m == b->m && a->n == b->n && a->k == b->k;
}

static struct grade_plan *add_plan(struct grade_judging *j,
                                   const struct course_entry *entry,
                                   enum grade_task task)
{
    struct grade_plan *plan = &j->plan[j->plans];

    *plan = (struct grade_plan){.task = task,
                                .problem = lab_problem_find(j->lab->problem),
                                .entry = entry,
                                .shape = {1, 1, 1},
                                .launches = course_has_launch(j->lab),
                                .seed = draw_number(j, (uint64_t)j->plans)};
    j->plans += j->plans < GRADE_MOST_CASES;
    return plan;
}

static void plan_shape(struct grade_judging *j,
                       const struct course_entry *entry,
                       struct course_shape shape)
{
    const struct course_shape counted =
        course_counting(j->setting->index, j->lab);
    const int counting = is_same_shape(&shape, &counted);
    char size[COURSE_SIZE_TEXT];
    struct grade_plan *plan;

    /* The size that is counted takes a second. Where another entry of the lab
       has it, host code does without. */
    if (counting && !course_is_launch(entry) && course_has_launch(j->lab))
        return;
    plan = add_plan(j, entry, GRADE_TASK_PRODUCT);
    plan->shape = shape;
    plan->counting = counting && course_is_launch(entry);
    snprintf(plan->name, sizeof plan->name, "%.14s, %.30s", entry->variant,
             course_size(j->lab, shape, size));
}

static void plan_entry(struct grade_judging *j,
                       const struct course_entry *entry)
{
    const struct course_index *index = j->setting->index;
    struct grade_plan *plan;

    if (entry->kind == COURSE_BANKS) {
        plan = add_plan(j, entry, GRADE_TASK_BANKS);
        snprintf(plan->name, sizeof plan->name, "%.14s, each type and stride",
                 entry->variant);
        return;
    }
    for (int i = 0; i < course_index_shapes(index, j->lab); i++)
        plan_shape(j, entry, course_index_shape(index, j->lab, i));
    for (int i = 0; i < j->setting->rubric->hidden_cases; i++) {
        plan = add_plan(j, entry, GRADE_TASK_PRODUCT);
        plan->shape = fold(j->lab, i == 1 && course_has_launch(j->lab)
                                       ? wide_shape(~plan->seed)
                                       : hidden_shape(j->lab, ~plan->seed));
        plan->hidden = 1;
        snprintf(plan->name, sizeof plan->name, "%.14s, hidden %d",
                 entry->variant, i + 1);
    }
    if (entry->kind == COURSE_HOST && course_has_launch(j->lab)) {
        plan = add_plan(j, entry, GRADE_TASK_CALLS);
        snprintf(plan->name, sizeof plan->name,
                 "%.14s, each CUDA call fails once", entry->variant);
    }
}

void grade_plan_cases(struct grade_judging *j)
{
    for (int i = 0; i < j->lab->entries; i++)
        plan_entry(j, &j->lab->entry[i]);
}
