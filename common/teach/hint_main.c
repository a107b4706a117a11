/*
 * hint: shows the next hint for a lab.
 *
 *   hint LAB SHOWN [--todo 3.2] [--again]
 *
 * LAB is labs/03_tiling, SHOWN the file that remembers. The hint is one for the
 * first TODO that is still open, or for the one that is named; --again begins
 * with its first hint anew. Exit codes: 0 done, 2 a wrong call or file.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/language.h"
#include "base/words.h"
#include "base/wrap.h"
#include "course/hints.h"
#include "course/todo.h"

enum {
    WRONG = 2
};

struct call {
    const char *lab;   /* labs/03_tiling */
    const char *shown; /* build/hints/03_tiling */
    const char *todo;  /* "3.2", or NULL */
    int again;
};

static const char *folder_of(const char *lab)
{
    const char *const slash = strrchr(lab, '/');

    return slash == NULL ? lab : slash + 1;
}

/* The TODO that is named, whose comment may be deleted if there are hints for
   it. NULL: there is none, with a sentence in why. */
static const struct course_todo *find_named(const struct course_keyed *hints,
                                            const struct course_todos *todos,
                                            const struct call *call, char *why,
                                            size_t size)
{
    static struct course_todo deleted;
    int wanted[2] = {0, 0};
    const char *const end = base_read_numbers(call->todo, 2, wanted);

    for (size_t i = 0; end != NULL && *end == '\0' && i < todos->count; i++) {
        const struct course_todo *const todo = &todos->todo[i];

        if (todo->lab == wanted[0] && todo->number == wanted[1])
            return todo;
    }
    if (end != NULL && *end == '\0' &&
        course_keyed_find(hints, wanted[0], wanted[1]) != NULL) {
        deleted.lab = wanted[0];
        deleted.number = wanted[1];
        return &deleted;
    }
    snprintf(why, size, _("%s has no TODO %s"), call->lab, call->todo);
    return NULL;
}

/* No TODO is open. A comment that is deleted says nothing of its code. */
static void say_none_open(const struct course_keyed *hints, size_t kept,
                          const char *lab)
{
    const char *number = folder_of(lab);
    const size_t all = hints->count / COURSE_TIERS;
    char text[800];

    if (kept < all) {
        snprintf(
            text, sizeof text,
            _("No TODO comment of %s is open: %zu of %zu are deleted, so that "
              "nobody can tell which of these you have written. Run make "
              "lab-%.2s. For a hint: make hint-%.2s TODO=%d.1"),
            lab, all - kept, all, number, number,
            (int)strtol(number, NULL, 10));
    } else {
        snprintf(text, sizeof text,
                 _("No TODO of %s is open: run make lab-%.2s. For one that you "
                   "wrote already: make hint-%.2s TODO=%d.1"),
                 lab, number, number, (int)strtol(number, NULL, 10));
    }
    base_wrap(stdout, "", text);
}

/* Shows the hint after those that were shown, and remembers it. */
static int show_next(const struct course_keyed *hints,
                     const struct course_todo *todo, const struct call *call,
                     char *why, size_t size)
{
    char ignored[300];
    struct course_keyed shown;
    const int lab = todo->lab, number = todo->number;
    const struct course_keyed_entry *hint;
    char *text = NULL;
    int tier = 1, bad = 0;

    /* Without the file, or where nobody can read it, none was shown. */
    course_keyed_read(call->shown, &shown, ignored, sizeof ignored);
    if (!call->again)
        tier += course_hints_shown(&shown, lab, number);
    hint = course_hint_find(hints, lab, number, tier);

    printf("TODO %d.%d (%s/%s.cu", lab, number, call->lab,
           folder_of(call->lab) + 3);
    if (todo->line > 0) {
        printf(":%d)\n", todo->line);
    } else {
        printf(_(" has its comment no more)\n"));
    }
    if (tier > COURSE_TIERS) {
        printf(
            _("  All %d hints were shown. make hint-%02d AGAIN=1 begins with "
              "the first\n  one; the handout is %s/README.md.\n"),
            (int)COURSE_TIERS, lab, call->lab);
    } else if (hint == NULL) {
        snprintf(why, size, "%s/hints.txt: no hint %d.%d.%d", call->lab, lab,
                 number, tier);
        bad = -1;
    } else {
        printf(_("  Hint %d of %d:\n"), tier, (int)COURSE_TIERS);
        base_wrap(stdout, "  ", hint->text);
        text = course_hints_show(&shown, lab, number, tier);
        bad =
            text == NULL || base_write_file(call->shown, text, why, size) != 0;
    }
    free(text);
    course_keyed_free(&shown);
    return bad ? -1 : 0;
}

static int show_hint(const struct call *call, char *why, size_t size)
{
    char path[400];
    struct course_keyed hints = {.count = 0};
    struct course_todos todos = {.count = 0};
    struct base_records list;
    char *source;
    int bad = -1;

    if (course_todos_read_list("labs/TODOS", &list, why, size) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/%s.cu", call->lab,
             folder_of(call->lab) + 3);
    source = base_read_file(path, why, size);
    snprintf(path, sizeof path, "%s/hints.txt", call->lab);
    if (source != NULL && course_hints_read(path, &hints, why, size) == 0 &&
        course_todos_find(source, &todos) == 0) {
        const char *const lab = folder_of(call->lab);
        const size_t kept = todos.count;
        const struct course_todo *todo;

        if (call->todo != NULL) {
            todo = find_named(&hints, &todos, call, why, size);
        } else {
            course_todos_keep_open(&list, lab, &todos);
            todo = course_todos_next(&todos, course_todos_listed(&list, lab));
        }
        if (todo != NULL) {
            bad = show_next(&hints, todo, call, why, size);
        } else if (call->todo == NULL) {
            say_none_open(&hints, kept, call->lab);
            bad = 0;
        }
    }
    course_todos_free(&todos);
    course_keyed_free(&hints);
    free(source);
    base_records_free(&list);
    return bad;
}

int main(int argc, char **argv)
{
    char why[512] = "no memory is left";
    struct call call = {.lab = NULL};
    int wrong = argc < 3;

    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--again") == 0) {
            call.again = 1;
        } else if (strcmp(argv[i], "--todo") == 0 && i + 1 < argc) {
            call.todo = argv[++i];
        } else {
            wrong = 1;
        }
    }
    if (wrong || strlen(folder_of(argv[1])) < 4) {
        fputs("usage: hint labs/03_tiling SHOWN [--todo 3.2] [--again]\n",
              stderr);
        return WRONG;
    }
    call.lab = argv[1];
    call.shown = argv[2];
    if (show_hint(&call, why, sizeof why) != 0) {
        fprintf(stderr, "hint: %s\n", why);
        return WRONG;
    }
    return 0;
}
