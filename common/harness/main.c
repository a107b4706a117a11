/* What does a lab's program do with its options? It runs one mode, writes the
   files and says what came of it. */
#define _POSIX_C_SOURCE 200809L
/* The program of a lab. What it can do: options.h; how: program.h. */
#include "program.h"

#include "base/language.h"
#include "base/replace_file.h"
#include "base/wrap.h"
#include "device_kind.h"
#include "measure.h"
#include "screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXIT_RIGHT = 0,
    EXIT_WRONG = 1,
    EXIT_NOT_POSSIBLE = 2,
    EXIT_SKIPPED = 77
};

/* 0 if a file can be made at path, which may be NULL; else -1 with why. Asked
   before the run, so that nobody waits for results that cannot be kept. */
static int check_path(struct lab_program *program, const char *path)
{
    struct base_replacement r;

    if (path == NULL)
        return 0;
    if (base_replace_begin(&r, path, program->why, sizeof program->why) != 0)
        return -1;
    return base_replace_end(&r, 0, program->why, sizeof program->why);
}

static int write_files(struct lab_program *program)
{
    const struct lab_options *o = &program->options;
    const struct simt_count none = {0};
    const struct simt_findings found = {.finding = program->found,
                                        .count = program->founds};

    if (o->findings != NULL && program->checks.runs > 0 &&
        simt_report_write(o->findings, &none, &program->checks, &found,
                          program->why, sizeof program->why) != 0)
        return -1;
    if (program->results == 0)
        return 0;
    return o->csv == NULL
               ? 0
               : lab_results_write_csv(o->csv, program->result,
                                       program->results, o->resume || o->renew,
                                       program->why, sizeof program->why);
}

/* Opens cuBLAS if it was asked for, or says why not. */
static void open_cublas(struct lab_program *program)
{
    char why[200];

    if (!program->options.cublas)
        return;
    program->cublas = lab_cublas_open(why, sizeof why);
    if (program->cublas == NULL) {
        fprintf(lab_screen(), "%s  cuBLAS: %s\n", lab_screen_word(LAB_SKIPPED),
                why);
    }
}

static int is_banks(void)
{
    return lab_info.lab->entries > 0 &&
           lab_info.lab->entry[0].kind == COURSE_BANKS;
}

/* 1 if --resume finds that all is there, 0 if not, or -1 with why. */
static int is_known(struct lab_program *program)
{
    const struct lab_options *o = &program->options;
    struct course_shape shape = {0, 0, 0};
    struct lab_result run;
    char date[32];
    int known;

    if (!o->resume)
        return 0;
    if (!is_banks()) {
        shape =
            o->counters ? lab_count_shape(program) : lab_bench_shape(program);
    }
    lab_program_fill(program, "", shape, &run);
    known = lab_results_known(o->csv, &run, o->bench && !is_banks(), date,
                              program->why, sizeof program->why);
    if (known > 0) {
        snprintf(program->summary, sizeof program->summary,
                 _("kept, as measured %s,"), date);
    }
    return known;
}

/* 1 if this device has what the lab needs; else 0, said on the screen and in a
   result; or -1 with why. */
static int has_needs(struct lab_program *program)
{
    const struct course_needs *needs = &lab_info.lab->needs;
    const struct cudaDeviceProp *p = &program->device.prop;
    const int has = 10 * p->major + p->minor;
    const int wanted = 10 * needs->major + needs->minor;
    struct lab_result *result;
    char line[200];

    if (needs->what == NULL || (needs->on_cpu && !lab_device_is_gpu()) ||
        (lab_device_is_gpu() &&
         (needs->exactly ? has == wanted : has >= wanted)))
        return 1;
    snprintf(
        line, sizeof line,
        _("Lab %.2s needs %s, which GPUs of compute capability %d.%d%s have."),
        lab_info.lab->name, needs->what, needs->major, needs->minor,
        needs->exactly ? "" : _(" and later"));
    base_wrap(lab_screen(), "", line);
    snprintf(program->summary, sizeof program->summary, _("cannot run"));
    result = lab_program_add(program, lab_info.lab->entry[0].variant,
                             (struct course_shape){0, 0, 0});
    if (result == NULL)
        return -1;
    result->verdict = lab_verdict_word(LAB_SKIPPED);
    result->precision = lab_precision_word(lab_info.lab->entry[0].precision);
    return 0;
}

static int has_map(const struct lab_options *o)
{
    return o->map != NULL || o->footprint != NULL;
}

/* How the program runs, and the option that asks for it if only a program that
   counts can do that. */
struct mode {
    int (*run)(struct lab_program *program);
    const char *counting;
};

static struct mode choose_mode(const struct lab_options *o)
{
    if (has_map(o)) {
        return (struct mode){lab_recording.map,
                             o->map != NULL ? "map" : "footprint"};
    }
    if (is_banks())
        return (struct mode){.run = lab_mode_banks};
    if (o->counters)
        return (struct mode){lab_mode_count, "counters"};
    if (o->checks)
        return (struct mode){lab_mode_checks, "checks"};
    return (struct mode){.run = o->bench ? lab_mode_bench : lab_mode_verify};
}

static int run_mode(struct lab_program *program)
{
    const struct lab_options *o = &program->options;
    const struct mode mode = choose_mode(o);
    int verdict;
    char line[500];

    if (o->tried && lab_recording.tried != NULL)
        return lab_recording.tried(program);
    if (o->why && lab_recording.why != NULL)
        return lab_recording.why(program);
    if (o->why) {
        lab_mode_possible(program, "why", &verdict);
        return verdict;
    }
    snprintf(line, sizeof line, _("%s  %s, on %s\n"), lab_info.lab->name,
             _(lab_info.lab->title), program->device.label);
    base_wrap(lab_screen(), "", line);
    if (!is_banks() && lab_info.lab->entry[0].precision != LAB_FP32) {
        fprintf(lab_screen(), "      %s\n",
                lab_precision_says(lab_info.lab->entry[0].precision));
    }
    if (mode.run != lab_mode_banks)
        open_cublas(program);
    if (mode.counting != NULL &&
        !lab_mode_possible(program, mode.counting, &verdict))
        return verdict;
    return mode.run(program);
}

/* Runs, unless --resume finds that all is there. */
static int run_or_keep(struct lab_program *program)
{
    const int known = is_known(program);

    if (known < 0)
        return -1;
    return known > 0 ? (int)LAB_PASS : run_mode(program);
}

/* A run that failed has a row that says so: its results are read without its
   exit code. */
static void mark_failure(struct lab_program *program, int verdict)
{
    const char *const pass = lab_verdict_word(LAB_PASS);

    if (verdict != LAB_FAIL && verdict != LAB_UNFINISHED)
        return;
    for (size_t i = 0; i < program->results; i++) {
        if (program->result[i].measure_ok == 0 ||
            strcmp(program->result[i].verdict, pass) != 0)
            return;
    }
    if (program->results > 0) {
        program->result[program->results - 1].verdict =
            lab_verdict_word((enum lab_verdict)verdict);
    }
}

/* "Next: lab 04, Coalesced loads: read labs/04_...", behind what is shown. */
static void tell_next(void)
{
    const struct course_index *index = &lab_info.index;
    const struct course_lab *next = lab_info.lab + 1;

    /* The ladder ends where other problems begin. */
    if (next >= index->lab + index->labs ||
        (next->problem != NULL && lab_info.lab->problem == NULL)) {
        fprintf(lab_screen(), _("Next: make report.\n"));
        return;
    }
    fprintf(
        lab_screen(),
        _("Next: lab %.2s, %s.\n      Read labs/%s/README.md, then type make "
          "lab-%.2s.\n"),
        next->name, _(next->title), next->name, next->name);
}

/* How long it took, in a line. */
static void tell_times(const struct lab_program *program)
{
    int launches = 0;

    for (int e = 0; e < lab_info.lab->entries; e++)
        launches += course_is_launch(&lab_info.lab->entry[e]);
    for (size_t i = 0; i < program->results; i++) {
        const struct lab_result *r = &program->result[i];
        const struct course_shape shape = {r->m, r->n, r->k};
        const char *unit;
        const double speed = lab_speed_of(shape, r->kernel_ms, &unit);
        char size[COURSE_SIZE_TEXT];

        if (!(r->kernel_ms > 0.0) ||
            (i > 0 && lab_info.lab->entries > 1 &&
             course_is_launch(&lab_info.lab->entry[0]) &&
             strcmp(r->variant, "host") == 0))
            continue;
        fprintf(lab_screen(), _("  %s%s%s took %.*f ms, %.*f %s%s.\n"),
                launches > 1 ? r->variant : "", launches > 1 ? ": " : "",
                course_size(lab_info.lab, shape, size),
                lab_screen_decimals(r->kernel_ms), r->kernel_ms,
                lab_screen_decimals(speed), speed, unit,
                lab_device_is_gpu() ? ""
                : lab_measure_entry(lab_info.lab) < 0
                    ? _(", on one core")
                    : _(" on the CPU device"));
    }
}

/* What a lab that passes is told: what was run, and no more. */
static void say_right(char *to, size_t size, const struct lab_program *program,
                      int is_counted)
{
    const struct course_shape *asked = &program->options.shape;
    char text[COURSE_SIZE_TEXT];
    const char *found = is_counted ? _(", and the checks found nothing") : "";

    if (asked->m > 0) {
        snprintf(to, size,
                 _("%s: %s is right at %s, the one size that was asked "
                   "for%s. make lab-%.2s tries all sizes."),
                 lab_info.lab->name, lab_result_name(),
                 course_size(lab_info.lab, *asked, text), found,
                 lab_info.lab->name);
    } else {
        snprintf(to, size, _("%s: %s is right at all sizes%s."),
                 lab_info.lab->name, lab_result_name(), found);
    }
}

/*
 * One verdict in a few lines. The counting program of a lab tells it, and of a
 * lab that cannot be counted this one; else only what that one cannot know is
 * told here: times, and what comes next. Returns 1 if all is told, 0 if nothing
 * is, or -1 with why.
 */
static int tell_in_brief(struct lab_program *program, int verdict)
{
    const struct course_needs *const needs = &lab_info.lab->needs;
    const int has_kernel = lab_measure_entry(lab_info.lab) >= 0;
    const int is_counted = has_kernel && (needs->what == NULL || needs->on_cpu);
    char reason[700];

    if (verdict == LAB_SKIPPED && !has_kernel) {
        lab_screen_drop();
        return 1;
    }
    if (program->unchecked[0] != '\0') {
        snprintf(reason, sizeof reason, _("%s: %s is right. %s"),
                 lab_info.lab->name, lab_result_name(), program->unchecked);
        lab_screen_drop();
        lab_screen_verdict((enum lab_verdict)verdict, reason);
        lab_tell_change();
        return 1;
    }
    if (verdict == LAB_SKIPPED ||
        (verdict != LAB_PASS && (is_banks() || !lab_can_count()))) {
        lab_screen_show_all();
        return 0;
    }
    if (verdict != LAB_PASS && !program->goal_missed) {
        lab_screen_drop();
        verdict = lab_recording.why(program);
        return verdict < 0 ? -1 : verdict != LAB_PASS;
    }
    if (program->goal_missed || is_banks()) {
        snprintf(
            reason, sizeof reason, "%s: %s%s", lab_info.lab->name,
            program->goal_missed ? lab_result_name() : "",
            program->goal_missed
                ? _(" is right, but this is not yet the lab's number.")
                : _("each cell of the table is right, and the checks found "
                    "nothing."));
    } else {
        say_right(reason, sizeof reason, program, is_counted);
    }
    lab_screen_show_summary(
        (enum lab_verdict)verdict,
        (is_counted || is_banks()) && !lab_can_count() ? NULL : reason);
    if (program->goal_missed)
        lab_tell_change();
    if (!lab_can_count()) {
        tell_times(program);
        if (program->options.shape.m == 0)
            tell_next();
    }
    return 1;
}

/* The last line; its word has a colour where that needs no second line. */
static void tell_verdict(const struct lab_program *program,
                         enum lab_verdict verdict)
{
    char line[600];

    snprintf(line, sizeof line, _("%s  %s  %s on %s\n"),
             lab_verdict_word(verdict), lab_info.lab->name, program->summary,
             program->device.label);
    if (base_columns(line, strcspn(line, "\n")) <= BASE_WIDTH) {
        printf(_("%s  %s  %s on %s\n"), lab_screen_word(verdict),
               lab_info.lab->name, program->summary, program->device.label);
    } else {
        base_wrap(stdout, "", line);
    }
}

/* Runs what was asked for. Returns an enum lab_verdict or -1 with why. */
static int run_wanted(struct lab_program *program)
{
    int verdict;

    if (check_path(program, program->options.csv) != 0 ||
        check_path(program, program->options.findings) != 0 ||
        check_path(program, program->options.map) != 0 ||
        check_path(program, program->options.footprint) != 0)
        return -1;
    if (program->options.explain) {
        simt_metrics_explain(stdout);
        return LAB_PASS;
    }
    lab_device_settings(0, program->options.seed,
                        program->options.banks == 1 ? 1 : 9);
    if (lab_device_open(&program->device, program->why, sizeof program->why))
        return -1;
    if (program->options.card) {
        if (program->options.csv != NULL &&
            lab_device_write_csv(program->options.csv, &program->device,
                                 program->why, sizeof program->why) != 0)
            return -1;
        lab_device_print(stdout, &program->device);
        return LAB_PASS;
    }
    if ((program->options.checks || program->options.why ||
         program->options.tried) &&
        lab_has_most_todos_open())
        return LAB_SKIPPED; /* and nothing to say: make lab asks, not a user */
    lab_origin_read(&program->origin);
    verdict = has_needs(program);
    if (verdict > 0) {
        verdict = run_or_keep(program);
    } else if (verdict == 0) {
        verdict = LAB_SKIPPED;
    }
    mark_failure(program, verdict);
    if (verdict < 0 || write_files(program) != 0)
        return -1;
    if (program->options.why ||
        program->options.tried) /* it has told its verdict first */
        return verdict;
    if (program->options.brief) {
        const int told = tell_in_brief(program, verdict);

        if (told != 0)
            return told < 0 ? -1 : verdict;
    }
    tell_verdict(program, (enum lab_verdict)verdict);
    return verdict;
}

static int exit_code(int verdict)
{
    switch (verdict) {
    case LAB_PASS:
        return EXIT_RIGHT;
    case LAB_SKIPPED:
        return EXIT_SKIPPED;
    case LAB_FAIL:
    case LAB_UNFINISHED:
        return EXIT_WRONG;
    default:
        return EXIT_NOT_POSSIBLE;
    }
}

/* Finds out which lab this is, and does what was asked for.
   Returns as run_wanted does. */
static int find_and_run(struct lab_program *program)
{
    if (lab_info_read(program->why, sizeof program->why) != 0)
        return -1;
    if (lab_screen_open(program->options.quiet, program->options.brief) != 0) {
        snprintf(program->why, sizeof program->why, _("the screen: %s"),
                 strerror(errno));
        return -1;
    }
    if (program->options.shape.m > 0) {
        program->options.shape =
            course_sides(lab_info.lab, program->options.shape);
    }
    return run_wanted(program);
}

int main(int argc, char **argv)
{
    struct lab_program program = {.name = argv[0]};
    int verdict = lab_options_read(&program.options, argc, argv, program.why,
                                   sizeof program.why);

    if (verdict == 1)
        return fflush(stdout) == 0 ? EXIT_RIGHT : EXIT_NOT_POSSIBLE;
    if (verdict == 0)
        verdict = find_and_run(&program);
    lab_cublas_close(program.cublas);
    free(program.result);
    free(program.found);
    lab_info_free(&lab_info);
    if (lab_screen_close() != 0 && verdict >= 0) {
        snprintf(program.why, sizeof program.why, _("standard output: %s"),
                 strerror(errno));
        verdict = -1;
    }
    if (verdict < 0)
        fprintf(stderr, "%s: %s\n", argv[0], program.why);
    return exit_code(verdict);
}
