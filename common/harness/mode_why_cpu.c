/*
 * Why is the lab wrong? Sizes are tried until one tells a cause: small ones, in
 * which a student can follow what happens, before those of INDEX. One story is
 * told, in a screen of 80 columns and 24 lines at most. The fast build tells of
 * one cause alone, an index that lies outside of an array of the kernel's own,
 * which g++ checks in that build.
 */
#include "program.h"

#include "bank_reads.h"
#include "base/language.h"
#include "base/words.h"
#include "base/wrap.h"
#include "device_kind.h"
#include "measure.h"
#include "predictions.h"
#include "screen.h"
#include "simt/report_message.h"
#include "source.h"
#include "why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINES = 14,        /* of a message */
    FEW_LINES = 6,          /* of the source, which there is always room for */
    SCREEN = 24 - 7,        /* without what stands below the lines */
    MOST_PRODUCTS = 4000000 /* of a size that takes no time worth a word */
};

static const struct course_shape small[] = {{16, 16, 16}, {37, 53, 29}};

enum {
    SMALL = sizeof small / sizeof small[0]
};

/* Tries sizes, up to the first that is wrong or, `all`, all of them; keeps what
   the one says that says most. 1 if one is wrong, 0 or -1. */
static int try_sizes(struct lab_program *program,
                     const struct course_entry *entry,
                     const struct course_shape *shape, int count, int all,
                     struct lab_why *best)
{
    int wrong = 0;

    /* What does not end does not end at another size. */
    for (int i = 0; i < count && (all || !wrong) && !best->is_endless; i++) {
        struct lab_why why;

        const struct course_shape at = course_sides(lab_info.lab, shape[i]);

        if (lab_why_at(program, entry, at, &why) != 0)
            return -1;
        /* What the threads before this one did tells which array it is. */
        simt_set_seed(0);
        if (why.is_outside && !why.is_index && why.story.is_message &&
            lab_why_at(program, entry, at, &why) != 0)
            return -1;
        simt_set_seed(program->options.seed);
        if (why.wrong && why.story.rank > best->story.rank)
            *best = why;
        wrong |= why.wrong;
    }
    return wrong;
}

/* The lab's small sizes, up to the first that is wrong; first those with a
   whole tile along k, as of one or two products less can be told. Likewise. */
static int try_small(struct lab_program *program,
                     const struct course_entry *entry, struct lab_why *best)
{
    const int count = course_small_shapes(lab_info.lab);
    int wrong = 0;

    for (int i = 0; i < count && wrong == 0; i++) {
        const struct course_shape shape = course_small_shape(
            lab_info.lab, (i + lab_info.lab->tile.k) % count);

        wrong = try_sizes(program, entry, &shape, 1, 1, best);
    }
    return wrong;
}

/* The host code is not written yet, and the kernel is right at small sizes: is
   it at others, too? Keeps what they say if it is not. Returns 0 or -1. */
static int try_kernel(struct lab_program *program, struct lab_why *best)
{
    const int kernel = lab_measure_entry(lab_info.lab);
    struct lab_why why = {.wrong = 0};

    if (!best->is_unwritten || kernel < 0 || best->entry->kind != COURSE_HOST ||
        program->options.shape.m > 0)
        return 0;
    for (int i = 0; i < lab_info.shapes && !why.wrong; i++) {
        const struct course_shape *shape = &lab_info.shape[i];

        if (course_multiply_adds(shape) <= MOST_PRODUCTS &&
            try_sizes(program, &lab_info.lab->entry[kernel], shape, 1, 1,
                      &why) < 0)
            return -1;
    }
    if (why.wrong)
        *best = why;
    return 0;
}

/* Only lab 05 has this table; the other labs are linked without it. */
#pragma weak lab_prediction

/* Lab 05, once its table is right: which load is wrong? Likewise. */
static int try_banks(struct lab_program *program,
                     const struct course_entry *entry, struct lab_why *best)
{
    struct lab_bank_table table;
    struct lab_bank_reads reads;

    lab_bank_table_fill(&table);
    if (!lab_can_count() || lab_info.open.count > 0 ||
        lab_predictions_score(lab_prediction, &table).right < LAB_CELLS)
        return 0;
    if (lab_bank_reads_run(&reads, program->options.banks, program->why,
                           sizeof program->why) != 0)
        return -1;
    *best = (struct lab_why){.entry = entry, .story = reads.story};
    best->wrong = reads.story.rank != LAB_NOTHING;
    return best->wrong;
}

/* --- the screen ----------------------------------------------------------- */

/* Lines that are on the screen, for --try. */
static int shown[4 * MOST_LINES], shown_count;

/* The source line of a place, and the next one where it ends within a list or a
   sum. */
static void read_place(char *text, size_t room, struct lab_place p)
{
    size_t used;

    simt_source_line(text, room, p.file, p.line);
    used = strlen(text);
    if (used == 0 || strchr(",+", text[used - 1]) == NULL || used + 10 > room)
        return;
    text[used] = ' ';
    simt_source_line(text + used + 1, room - used - 1, p.file, p.line + 1);
}

/* The source line of a place, behind its name: its code in one row, or in two;
   without its comment, if that does not fit. is_long 0: in one. Returns how
   many rows it takes; `to` is NULL: only that. */
static int show_place(FILE *to, struct lab_place p, int is_long)
{
    char place[80], text[2 * BASE_WIDTH + 1];
    const char *comment;
    size_t room, fits;
    int used;

    if (p.line <= 0)
        return 0;
    if (to != NULL && shown_count < MOST_LINES * 4)
        shown[shown_count++] = p.line;
    used = snprintf(place, sizeof place, "  %.50s:%d   ",
                    simt_base_name(p.file), p.line);
    room = (size_t)(BASE_WIDTH - used);
    read_place(text, 2 * room + 1, p);
    fits = base_fits(text, room);
    comment = strstr(text, "/*");
    if (!is_long || text[fits] == '\0' || fits > room ||
        (comment != NULL && comment <= text + room)) {
        read_place(text, room + 1, p);
        if (to != NULL)
            fprintf(to, "%s%s\n", place, text);
        return 1;
    }
    read_place(text, fits + room + 1, p);
    if (to != NULL) {
        fprintf(to, "%s%.*s\n%*s%s\n", place, (int)fits, text, used, "",
                text + fits);
    }
    return 2;
}

/* A message of the device: its first line is the headline, the others are
   shown as they are, up to a screen. */
static void show_message(const char *text)
{
    const char *end = strchr(text, '\n');
    int lines = 0;

    if (end == NULL)
        return;
    for (text = end + 1; *text != '\0' && lines < MOST_LINES; lines++) {
        end = strchr(text, '\n');
        if (end == NULL)
            end = text + strlen(text);
        fprintf(lab_screen(), "%.*s\n", (int)(end - text), text);
        text = *end != '\0' ? end + 1 : end;
    }
}

/* Adds the loop around the place; all of them, of its calls too, where their
   bounds may be wrong. */
static void add_loops(const struct lab_why *why, struct lab_lines *lines)
{
    const struct lab_place here = why->story.here;
    int line = here.line;

    if (why->is_endless)
        lab_lines_add(lines, lab_source_loop(here.file, line, 1));
    for (int i = 0; i < LAB_LINES && why->story.is_bound && !why->is_endless;
         i++) {
        const int loop = lab_source_loop(here.file, line, 0);

        lab_lines_first(lines, loop);
        line = loop > 0 ? loop : lab_source_call(here.file, line);
    }
}

static void keep_shown(const char *path)
{
    FILE *file = path != NULL ? fopen(path, "w") : NULL;

    for (int i = 0; file != NULL && i < shown_count; i++)
        fprintf(file, "%d\n", shown[i]);
    if (file != NULL)
        fclose(file);
}

static int by_number(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

/* A text that may begin with a place, whose folders are left out. */
static const char *without_folders(const char *text)
{
    const size_t path = strcspn(text, ": \n");
    size_t begin = 0;

    for (size_t i = 0; i < path; i++)
        begin = text[i] == '/' ? i + 1 : begin;
    return text + begin;
}

/* Of a host entry: 1 if the checks have launched the kernel themselves at this
   size, and it was right, or the story would have ended there. */
static int is_kernel_right(const struct lab_why *why)
{
    return why->entry->kind == COURSE_HOST &&
           lab_measure_entry(lab_info.lab) >= 0;
}

static void say_kernel_right(char *text, size_t size, const struct lab_why *why)
{
    const struct course_shape s = why->shape;

    snprintf(
        text, size,
        _("The kernel is right at %d x %d x %d: the checks have launched it."),
        s.m, s.n, s.k);
}

/* Nothing is in C, and not all is written: no mistake is known yet. */
static void show_unwritten(const struct lab_why *why)
{
    char headline[300];

    snprintf(headline, sizeof headline,
             _("%s: %s%s has stored nothing to %s yet."), lab_info.lab->name,
             is_kernel_right(why)
                 ? _("The kernel is right: the checks have launched it. ")
                 : "",
             why->entry->function, lab_result_name());
    lab_screen_verdict(LAB_UNFINISHED, headline);
    lab_screen_next();
    fprintf(lab_screen(), _("make hint-%.2s gives a hint.\n"),
            lab_info.lab->name);
}

static int ends_sentence(const char *text)
{
    const size_t length = strlen(text);

    return length > 0 && (text[length - 1] == '.' ||
                          (length > 2 && strcmp(text + length - 3, "。") == 0));
}

/* How many rows the text takes. */
static int rows_of(const char *text)
{
    int rows = 0;

    for (; *text != '\0'; rows++) {
        text += base_fits(text, BASE_WIDTH - 4);
        text += strspn(text, " \n");
    }
    return rows;
}

/* Of lines that have to do with it, those that the student wrote, if there are
   any among all of them: what was given is right. */
static void keep_own(const struct lab_story *s, struct lab_lines *lines)
{
    const struct lab_place places[] = {s->here, s->other, s->fetch};
    int own = 0, is_own = 0;

    if (lab_info.lacks)
        return;
    for (int i = 0; i < 3; i++) {
        is_own |= places[i].line > 0 &&
                  lab_info_is_own(places[i].file, places[i].line);
    }
    for (int i = 0; i < lines->count; i++) {
        if (lab_info_is_own(s->here.file, lines->at[i]))
            lines->at[own++] = lines->at[i];
    }
    if (own > 0 || is_own)
        lines->count = own;
}

/* "Of these lines 57 and 66 are yours; the others were given." */
static void say_own(const char *file, const int *line, int count)
{
    char text[600];
    int own = 0, said = 0;

    for (int i = 0; i < count; i++)
        own += lab_info_is_own(file, line[i]);
    if (own == 0 || own == count || lab_info.lacks)
        return;
    snprintf(text, sizeof text, "%s", _("Of these lines "));
    for (int i = 0; i < count; i++) {
        if (!lab_info_is_own(file, line[i]))
            continue;
        base_append(text, sizeof text, "%s%d",
                    said == 0         ? ""
                    : said == own - 1 ? _(" and ")
                                      : ", ",
                    line[i]);
        said++;
    }
    base_append(text, sizeof text, _(" %s yours; the other%s given."),
                own == 1 ? _("is") : _("are"),
                count - own == 1 ? N_(" was") : N_("s were"));
    base_wrap(lab_screen(), "  ", text);
}

/* The lines that the headline is about. empty: a loop without a body, or 0.
   rows: how many there may be. */
static void show_places(const struct lab_why *why, int empty, int rows)
{
    const struct lab_story *s = &why->story;
    const struct lab_place none = {NULL, 0};
    FILE *to = lab_screen();
    struct lab_lines beside = s->beside;
    const struct lab_place ends[] = {
        {s->here.file, empty},
        s->here,
        s->other.line != s->here.line ? s->other : none,
        s->fetch.line != s->here.line && s->fetch.line != s->other.line
            ? s->fetch
            : none};
    int kept = 0, is_long = 1;

    add_loops(why, &beside);
    keep_own(s, &beside);
    for (int i = 0; i < 4; i++)
        rows -= show_place(NULL, ends[i], 1);
    rows--; /* for whose lines they are */
    if (rows < FEW_LINES) {
        rows = FEW_LINES;
        is_long = 0;
    }
    for (int i = 0; i < beside.count; i++) {
        const struct lab_place p = {s->here.file, beside.at[i]};

        if (p.line == s->here.line || p.line == s->other.line ||
            p.line == s->fetch.line)
            continue;
        rows -= show_place(NULL, p, 1);
        if (rows < 0)
            break;
        beside.at[kept++] = p.line;
    }
    qsort(beside.at, (size_t)kept, sizeof beside.at[0], by_number);
    for (int i = 0; i < kept; i++)
        show_place(to, (struct lab_place){s->here.file, beside.at[i]}, 1);
    for (int i = 0; i < 4; i++)
        show_place(to, ends[i], is_long);
    say_own(s->here.file, shown, shown_count);
}

/* Where it was seen, and what else is known. */
static void show_rest(const struct lab_why *why, int empty)
{
    const struct course_lab *const lab = lab_info.lab;
    const int is_one = lab_info.lab->entries == 1;
    FILE *to = lab_screen();
    char text[400], size[COURSE_SIZE_TEXT];

    snprintf(text, sizeof text, _("Seen at %s (%s)%s%s%s%s."),
             course_size(lab, why->shape, size),
             lab->sides == 1   ? "N"
             : lab->sides == 2 ? "M x N"
                               : "M x N x K",
             is_one ? "" : ", ", is_one ? "" : why->entry->variant,
             why->extent[0] ? ": " : "", why->extent);
    if (why->shape.m > 0)
        base_wrap(to, "  ", text);
    base_wrap(to, "  ", why->story.note);
    if (why->story.here.line > 0 &&
        lab_source_macro(why->story.here.file, text, sizeof text) > 0)
        base_wrap(to, "  ", text);
    if (empty > 0) {
        fprintf(to,
                _("  The ; at the end of line %d ends its loop: nothing is in "
                  "it.\n"),
                empty);
    }
    if (is_kernel_right(why)) {
        say_kernel_right(text, sizeof text, why);
        base_wrap(to, "  ", text);
    }
    if (why->more > 0) {
        fprintf(to, _("  The checks found %zu more: VERBOSE=1 shows them.\n"),
                why->more);
    }
    if (lab_info.open.count > 0) {
        fprintf(to, _("  TODO %d.%d is still open (line %d).\n"),
                lab_info.open.todo[0].lab, lab_info.open.todo[0].number,
                lab_info.open.todo[0].line);
    }
}

static void show(const struct lab_why *why)
{
    const char *name = lab_info.lab->name;
    const struct lab_story *story = &why->story;
    const char *text = without_folders(story->text);
    const int empty =
        story->here.line > 0
            ? lab_source_empty_loop(story->here.file, story->here.line)
            : 0;
    char headline[LAB_STORY_TEXT + 100], message[LAB_STORY_TEXT];

    if (why->is_unwritten) {
        show_unwritten(why);
        return;
    }
    simt_message_say(message, sizeof message, text);
    text = message;
    if (!story->is_message)
        message[strcspn(message, "\n")] = '\0';
    if (story->is_message) {
        snprintf(headline, sizeof headline, "%s: %.*s", name,
                 (int)strcspn(text, "\n"), text);
    } else {
        snprintf(headline, sizeof headline, "%s: %s%s", name, text,
                 ends_sentence(text) ? "" : ".");
    }
    lab_screen_verdict(lab_wrong_verdict(), headline);
    if (story->is_message)
        show_message(text);
    fputc('\n', lab_screen());
    show_places(why, empty,
                SCREEN - rows_of(headline) - rows_of(story->note) -
                    (story->is_message ? rows_of(story->text) : 0));
    show_rest(why, empty);
    lab_tell_change();
}

/* A message "path:line: ..." with that line, and what gives its names values.
 */
static void show_host_fault(const char *message)
{
    char headline[1500], said[1400], file[200], name[100];
    int changed;
    const size_t length = strcspn(message, ":");
    const int line = message[length] == ':'
                         ? (int)strtol(message + length + 1, NULL, 10)
                         : 0;
    struct lab_why why = {.story = {.here = {file, line}, .is_bound = 1}};

    simt_message_say(said, sizeof said, without_folders(message));
    said[strcspn(said, "\n")] = '\0';
    snprintf(headline, sizeof headline, "%s: %s", lab_info.lab->name, said);
    lab_screen_verdict(lab_wrong_verdict(), headline);
    if (line > 0 && length < sizeof file) {
        snprintf(file, sizeof file, "%.*s", (int)length, message);
        lab_source_made(file, line, "", NULL, &why.story.beside);
        for (int at = lab_source_call(file, line); at > 0;
             at = lab_source_loop(file, at, 0))
            lab_lines_add(&why.story.beside, at);
        changed = lab_source_unasked(file, line, name, sizeof name);
        if (changed > 0)
            lab_lines_add(&why.story.beside, changed);
        fputc('\n', lab_screen());
        show_places(&why, 0, SCREEN);
        if (changed > 0) {
            snprintf(headline, sizeof headline,
                     _("Line %d changes %s, and nothing that the condition of "
                       "line %d asks for: it stays as it is."),
                     changed, name, line);
            base_wrap(lab_screen(), "  ", headline);
        }
        lab_tell_change();
    }
    fflush(NULL);
    _Exit(1);
}

int lab_mode_why(struct lab_program *program)
{
    const struct course_shape *asked = &program->options.shape;
    const int entries = lab_info.lab->entries;
    struct lab_why best = {.wrong = 0};
    int wrong = 0;

    cudaDeviceReset(); /* what an earlier run has left */
    simt_host_fault = show_host_fault;
    lab_device_settings(1, program->options.seed,
                        program->options.banks == 1 ? 1 : 9);
    if (!lab_can_count())
        simt_set_limit(1); /* the counting build tells of loops */
    for (int i = 0; wrong == 0 && i < 2 * entries; i++) {
        const struct course_entry *entry = &lab_info.lab->entry[i % entries];

        if (entry->kind == COURSE_BANKS) {
            wrong = try_banks(program, entry, &best);
        } else if (i < entries) {
            wrong = try_sizes(program, entry, small, SMALL, 1, &best);
        } else if (asked->m > 0) {
            wrong = try_sizes(program, entry, asked, 1, 1, &best);
        } else {
            wrong = try_small(program, entry, &best);
            if (wrong == 0) {
                wrong = try_sizes(program, entry, lab_info.shape,
                                  lab_info.shapes, 0, &best);
            }
        }
    }
    if (wrong > 0 && try_kernel(program, &best) != 0)
        wrong = -1;
    simt_host_fault = NULL;
    if (wrong < 0)
        return -1;
    snprintf(program->summary, sizeof program->summary, _("not seen again"));
    if (best.story.rank == LAB_NOTHING || (!lab_can_count() && !best.is_index))
        return LAB_PASS;
    show(&best);
    keep_shown(program->options.places);
    return (int)lab_wrong_verdict();
}
