/* What the checks found, and what stands beside it: see why.h. */
#include "why.h"

#include "base/language.h"
#include "simt/report.h"
#include "source.h"
#include "source_value.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum lab_rank rank_of(enum simt_check check)
{
    switch (check) {
    case SIMT_UNWRITTEN_SHARED:
    case SIMT_UNWRITTEN_GLOBAL:
    case SIMT_RACE_GLOBAL:
    case SIMT_BOUNDS:
        return LAB_FOUND;
    default:
        return LAB_ENDING;
    }
}

/* The block of the kernel's launch, and its line. */
static void note_block(const struct lab_trial *t, const char *file,
                       const char *kernel, struct lab_story *story)
{
    const struct simt_host_call *launch = lab_trial_launch(t);
    const int line = lab_source_block(file, kernel);

    if (launch == NULL || line == 0)
        return;
    lab_lines_add(&story->beside, line);
    lab_note(story, "The block is %u x %u threads (line %d).", launch->block[0],
             launch->block[1], line);
}

/* How many rows and columns has a matrix that was left, or how long are its
   rows where vectors of them are misaligned? */
static void note_extent(const struct lab_trial *t, const struct simt_finding *f,
                        struct lab_story *story)
{
    const int m = t->shape.m, n = t->shape.n, k = t->shape.k;
    const int matrix = f->array[0] - 'A';
    const int rows = matrix == LAB_B ? k : m, cols = matrix == LAB_A ? k : n;
    const char side = matrix == LAB_A ? 'k' : 'n';
    const char *extent = strstr(f->text, ", which has ");
    const char *size = strstr(f->text, " bytes at byte ");
    const char *element = strstr(f->text, " element");
    char guard[320] = "";
    int line = 0;

    if (lab_info.lab->problem != NULL || matrix < LAB_A || matrix > LAB_C ||
        f->array[1] != '\0')
        return;
    if (extent != NULL && strtol(extent + 12, NULL, 10) == (long)rows * cols) {
        lab_note(story, "%s has %d rows (%c) and %d columns (%c).", f->array,
                 rows, matrix == LAB_B ? 'k' : 'm', cols, side);
        if (element != NULL) {
            const long at = strtol(strchr(element + 1, ' '), NULL, 10);

            if (at >= (long)rows * cols) {
                lab_note(story, "Element %ld would be in row %ld.", at,
                         at / cols);
            }
        }
        for (int is_row = 1; is_row >= 0 && guard[0] == '\0'; is_row--) {
            line = lab_source_guard(f->file, f->line, f->array, is_row,
                                    (is_row ? "mkm" : "knn")[matrix], guard,
                                    sizeof guard);
        }
        if (guard[0] != '\0') {
            lab_lines_add(&story->beside, line);
            base_capital(guard);
            lab_note(story, "%s.", guard);
        }
        if (lab_source_arguments(f->file, f->line, "__pipeline_memcpy_async") ==
            3) {
            lab_note(story, "The copy's fourth argument, which says how many "
                            "of its bytes are 0 and not read, is 0 or left "
                            "out.");
        }
    }
    if (size != NULL && strtol(size - 2, NULL, 10) == 16 && cols % 4 != 0) {
        lab_source_chosen(f->file, f->kernel, &story->beside);
        lab_note(story,
                 "A row of %s has %d elements (%c), which is no multiple of "
                 "4.",
                 f->array, cols, side);
    }
}

/* Which numbers led there? Of an index, in its words, or of an access. */
static int find_numbers(const struct lab_trial *t, const struct simt_finding *f,
                        const char *index, char *text, size_t size,
                        struct lab_lines *lines)
{
    struct lab_seen seen = {.file = f->file,
                            .line = f->line,
                            .array = f->array,
                            .launch = lab_trial_launch(t),
                            .block = f->block,
                            .thread = f->thread,
                            .index = index,
                            .value = f->offset,
                            .zeros = f->check == SIMT_RACE_SHARED};

    const char *uses = f->text != NULL ? strstr(f->text, " uses index ") : NULL;

    if (seen.launch == NULL || strcmp(seen.launch->name, f->kernel) != 0)
        return 0;
    if (index != NULL && uses != NULL)
        seen.value = strtoll(uses + 12, NULL, 10);
    return lab_source_numbers(&seen, lines, text, size);
}

static int note_numbers(const struct lab_trial *t, const struct simt_finding *f,
                        const char *index, struct lab_story *story)
{
    char text[300];

    if (!find_numbers(t, f, index, text, sizeof text, &story->beside))
        return 0;
    lab_note(story, "In this thread %s.", text);
    return 1;
}

/* An index of an array of the kernel's own: what sets it, and how long is the
   array? */
static void take_index(const struct lab_trial *t, const struct simt_finding *f,
                       struct lab_story *story)
{
    const char *text = f->text != NULL ? f->text : "";
    const char *index = strstr(text, " uses index ");
    const char *type = strstr(text, " it is ");
    int is_thread = 0;

    index = index != NULL ? strstr(index, " in ") : NULL;
    if (index == NULL || type == NULL)
        return;
    note_numbers(t, f, index + 4, story);
    lab_source_index(f->file, f->line, index + 4, type, &story->beside,
                     &is_thread);
    if (is_thread)
        note_block(t, f->file, f->kernel, story);
}

/* A line that races with itself: does each thread choose another element? */
static void take_own_race(const struct lab_trial *t,
                          const struct simt_finding *f, struct lab_story *story)
{
    const struct simt_host_call *launch = lab_trial_launch(t);
    char text[300];
    int is_shared;
    const int declared =
        lab_source_declared(f->file, f->line, f->array, &is_shared);

    if (is_shared && lab_source_is_of_thread(f->file, f->line, f->array) == 0) {
        lab_lines_add(&story->beside, declared);
        lab_note(story,
                 "%s is __shared__ (line %d): the block has one, and its index "
                 "in line %d is not made of threadIdx, so all threads store to "
                 "the same elements.",
                 f->array, declared, f->line);
        return;
    }
    if (launch != NULL && launch->block[1] > 1 &&
        !lab_source_uses(f->file, f->kernel, "threadIdx", 'y')) {
        note_block(t, f->file, f->kernel, story);
        lab_note(story,
                 " %s does not use threadIdx.y, so threads with the same "
                 "threadIdx.x do the same.",
                 f->kernel);
    } else {
        find_numbers(t, f, NULL, text, sizeof text, &story->beside);
        lab_source_made(f->file, f->line, f->array, f->kernel, &story->beside);
    }
}

/* A line of a race that uses another array by its words, and by what it does
   elsewhere: it has left that one. */
static void note_left_array(const char *file, int line, const char *array,
                            struct lab_story *story)
{
    struct simt_count count;

    if (lab_source_has(file, line, array) || simt_count_read(&count) != 0)
        return;
    for (size_t i = 0; i < count.rows; i++) {
        const struct simt_row *row = &count.row[i];

        if (row->space != SIMT_SHARED || row->line != line ||
            strcmp(row->file, file) != 0 || strcmp(row->array, array) == 0 ||
            !lab_source_has(file, line, row->array))
            continue;
        lab_note(story, "Line %d uses %s: its index leads out of %s, to %s.",
                 line, row->array, row->array, array);
        return;
    }
}

/* Where threads store to the array by another name. */
static void add_stores(const struct simt_finding *f, struct lab_story *story)
{
    struct simt_count count;

    if (simt_count_read(&count) != 0)
        return;
    for (size_t i = 0; i < count.rows; i++) {
        const struct simt_row *row = &count.row[i];

        if (row->space != SIMT_SHARED || row->kind == SIMT_LOAD ||
            strcmp(row->array, f->array) != 0 ||
            strcmp(row->file, f->file) != 0 ||
            strcmp(row->kernel, f->kernel) != 0 ||
            lab_source_has(f->file, row->line, f->array))
            continue;
        lab_lines_add(&story->beside, row->line);
        lab_source_made(f->file, row->line, f->array, f->kernel,
                        &story->beside);
    }
}

/* An access that lies outside or is misaligned, or of what was never stored:
   what makes its index, and how long is the array? */
static void take_access(const struct lab_trial *t, const struct simt_finding *f,
                        struct lab_story *story)
{
    char *advice = strstr(story->text, "    Check the index,");
    int is_known;

    note_extent(t, f, story);
    is_known = (f->check == SIMT_BOUNDS || f->check == SIMT_ALIGNMENT) &&
               note_numbers(t, f, NULL, story);
    if (is_known && advice != NULL)
        *advice = '\0'; /* the numbers say more */
    if (f->check == SIMT_BOUNDS && strstr(f->array, "dynamic") != NULL) {
        lab_source_dynamic(f->file, f->kernel, &story->beside);
    } else if (f->check == SIMT_BOUNDS && !is_known) {
        lab_source_called(f->file, f->line, f->array, 0, &story->beside);
        lab_source_let(f->file, f->line, &story->beside);
    }
    lab_source_hangs_on(f->file, f->line, &story->beside);
    if (f->check == SIMT_BOUNDS || f->check == SIMT_ALIGNMENT)
        lab_source_row(f->file, f->line, f->array, &story->beside);
    if (!is_known)
        lab_source_made(f->file, f->line, f->array, f->kernel, &story->beside);
    if (f->check == SIMT_UNWRITTEN_SHARED)
        add_stores(f, story);
}

/* A barrier that some threads do not come to, or come to another one: what
   keeps them away from either? */
static void take_barrier(const struct simt_finding *f, struct lab_story *story)
{
    static const char other[] = " at that of line ";
    const char *at = strstr(f->text, other);
    char text[300];

    lab_source_kept_away(f->file, f->line, &story->beside, text, sizeof text);
    if (at != NULL) {
        story->other = (struct lab_place){
            f->file, (int)strtol(at + strlen(other), NULL, 10)};
        if (text[0] == '\0') {
            lab_source_kept_away(f->file, story->other.line, &story->beside,
                                 text, sizeof text);
        }
    }
    if (text[0] != '\0') {
        lab_note(story,
                 "%s All threads of a block must come to each of its barriers.",
                 text);
    }
}

/* A line of a race that does not name the array: what leads there? */
static void show_pointer(const struct simt_finding *f, const char *file,
                         int line, struct lab_story *story)
{
    if (!lab_source_has(file, line, f->array))
        lab_source_made(file, line, f->array, f->kernel, &story->beside);
}

/* A pointer was stored over: by a line whose array nobody checks? */
static void ask_for_index(const struct simt_finding *f, struct lab_story *story)
{
    struct lab_lines lines = {.count = 0};
    const int line = lab_source_product(f->file, &lines);

    if (strstr(f->text, "that holds no address") == NULL || line == 0 ||
        line == f->line)
        return;
    lab_lines_add(&story->beside, line);
    for (int i = 0; i < lines.count; i++)
        lab_lines_add(&story->beside, lines.at[i]);
    lab_note(
        story,
        "An index outside of a local array could do that. Where a function "
        "gets the array as a pointer, no check sees it: is each index of "
        "line %d inside?",
        line);
}

/* The barriers that there are in the function of that line. */
static void show_barriers(const char *file, int line, struct lab_story *story)
{
    lab_source_calls(file, line, "__syncthreads", &story->beside);
    lab_source_calls(file, line, "__syncwarp", &story->beside);
}

const struct simt_finding *lab_why_told(const struct simt_findings *findings)
{
    const struct simt_finding *f = &findings->finding[0];

    /* Races may come of what ended the kernel, which stands first. */
    for (size_t i = 1; f->check != SIMT_BOUNDS && i < findings->count; i++) {
        if (rank_of(findings->finding[i].check) > rank_of(f->check))
            f = &findings->finding[i];
    }
    return f;
}

void lab_why_finding(const struct lab_trial *t, struct lab_why *why,
                     const struct simt_findings *findings)
{
    const struct simt_finding *f = lab_why_told(findings);
    struct lab_story *story = &why->story;

    why->is_endless = f->check == SIMT_ENDLESS;
    why->is_outside = f->check == SIMT_BOUNDS || f->check == SIMT_ADDRESS;
    why->is_index = f->check == SIMT_BOUNDS && simt_has_bad_index();
    why->more = findings->count - 1;
    lab_tell(story, rank_of(f->check), "%s", f->text);
    story->is_message = 1;
    story->here = LAB_PLACE(f);
    if (why->is_index) {
        take_index(t, f, story);
    } else if (why->is_outside || f->check == SIMT_ALIGNMENT ||
               f->check == SIMT_UNWRITTEN_SHARED) {
        take_access(t, f, story);
    }
    if (f->check == SIMT_ADDRESS)
        ask_for_index(f, story);
    if (f->check == SIMT_UNWRITTEN_SHARED)
        lab_source_stores(f->file, f->line, f->array, &story->beside);
    if (f->check == SIMT_RACE_SHARED && f->other_line == f->line)
        take_own_race(t, f, story);
    if (f->other_line > 0 && f->other_line != f->line) {
        story->other = (struct lab_place){f->other_file, f->other_line};
        if (f->check == SIMT_RACE_SHARED) {
            show_pointer(f, f->file, f->line, story);
            show_pointer(f, f->other_file, f->other_line, story);
            show_barriers(f->file, f->line, story);
            show_barriers(f->other_file, f->other_line, story);
            note_left_array(f->file, f->line, f->array, story);
            note_left_array(f->other_file, f->other_line, f->array, story);
        }
    } else if (f->check == SIMT_DIVERGENCE) {
        take_barrier(f, story);
    }
}

void lab_why_own_array(const struct lab_trial *t, int is_found,
                       struct lab_story *story)
{
    const struct simt_host_call *launch = lab_trial_launch(t);
    char name[60], text[300];
    int line;

    if (launch == NULL || launch->file[0] == '\0')
        return;
    line = lab_source_own_array(launch->file, launch->name, name, sizeof name);
    if (line == 0)
        return;
    snprintf(
        text, sizeof text,
        _("%s is not __shared__ (line %d): each thread has one of its own, "
          "and what another thread stores is not in it."),
        name, line);
    if (is_found) {
        story->here.file = launch->file;
        lab_lines_add(&story->beside, line);
        lab_note(story, "%s", text);
        return;
    }
    *story = (struct lab_story){.here = {launch->file, line}};
    lab_tell(story, LAB_PROVEN, "%s", text);
}
