/* How are counts and findings written as CSV or JSON? See report.h. */
#include "report.h"

#include "base/replace_file.h"
#include "base/values.h"

#include <string.h>

static const char *const answer_word[] = {"clean", "found", "warned", "nothing",
                                          "blind"};

/* "race in shared memory" is for people; programs want a word. */
static const char *const check_word[SIMT_MISTAKES] = {
    [SIMT_RACE_SHARED] = "race_shared",
    [SIMT_RACE_GLOBAL] = "race_global",
    [SIMT_UNWRITTEN_SHARED] = "unwritten_shared",
    [SIMT_UNWRITTEN_GLOBAL] = "unwritten_global",
    [SIMT_BOUNDS] = "bounds",
    [SIMT_ALIGNMENT] = "alignment",
    [SIMT_ADDRESS] = "address",
    [SIMT_DIVERGENCE] = "divergence",
    [SIMT_ASSERTION] = "assertion",
    [SIMT_ENDLESS] = "endless",
    [SIMT_EARLY] = "early",
    [SIMT_OPERANDS] = "operands",
};

/* The columns of the CSV file and the members of the JSON objects. */
enum text {
    RECORD,
    KERNEL,
    FILE_NAME,
    ARRAY,
    SPACE,
    KIND,
    CHECK,
    ANSWER,
    OTHER_FILE,
    TEXT,
    TEXTS
};

enum number {
    LINE,
    SIZE,
    REQUESTS,
    LANES,
    BYTES,
    SECTORS,
    SECTORS_IDEAL,
    WAVEFRONTS,
    WAVEFRONTS_IDEAL,
    FLOPS,
    LAUNCHES,
    THREADS,
    BARRIERS,
    BACKWARD_JUMPS,
    GRID,
    BLOCK = GRID + 3,
    DYNAMIC_SHARED = BLOCK + 3,
    SEEN,
    FOUND,
    OTHER_LINE,
    NUMBERS
};

static const char *const text_name[TEXTS] = {
    [RECORD] = "record", [KERNEL] = "kernel", [FILE_NAME] = "file",
    [ARRAY] = "array",   [SPACE] = "space",   [KIND] = "kind",
    [CHECK] = "check",   [ANSWER] = "answer", [OTHER_FILE] = "other_file",
    [TEXT] = "text"};

static const char *const number_name[NUMBERS] = {
    [LINE] = "line",
    [SIZE] = "size",
    [REQUESTS] = "requests",
    [LANES] = "lanes",
    [BYTES] = "bytes",
    [SECTORS] = "sectors",
    [SECTORS_IDEAL] = "sectors_ideal",
    [WAVEFRONTS] = "wavefronts",
    [WAVEFRONTS_IDEAL] = "wavefronts_ideal",
    [FLOPS] = "flops",
    [LAUNCHES] = "launches",
    [THREADS] = "threads",
    [BARRIERS] = "barriers",
    [BACKWARD_JUMPS] = "backward_jumps",
    [GRID] = "grid_x",
    [GRID + 1] = "grid_y",
    [GRID + 2] = "grid_z",
    [BLOCK] = "block_x",
    [BLOCK + 1] = "block_y",
    [BLOCK + 2] = "block_z",
    [DYNAMIC_SHARED] = "dynamic_shared",
    [SEEN] = "seen",
    [FOUND] = "found",
    [OTHER_LINE] = "other_line"};

/* One record: a text that is NULL and a number below 0 are not there. */
struct record {
    const char *text[TEXTS];
    double number[NUMBERS];
};

static struct record begin_record(const char *name, const char *kernel)
{
    struct record r = {.text = {[RECORD] = name, [KERNEL] = kernel}};

    for (int i = 0; i < NUMBERS; i++)
        r.number[i] = -1.0;
    return r;
}

static void set_place(struct record *r, const char *file, int line)
{
    if (line > 0) {
        r->text[FILE_NAME] = file;
        r->number[LINE] = line;
    }
}

static struct record of_row(const struct simt_row *row)
{
    struct record r = begin_record("access", row->kernel);

    set_place(&r, row->file, row->line);
    r.text[ARRAY] = row->array;
    r.text[SPACE] = simt_space_name(row->space);
    r.text[KIND] = simt_kind_name(row->kind);
    r.number[SIZE] = row->size;
    r.number[REQUESTS] = (double)row->requests;
    r.number[LANES] = (double)row->lanes;
    if (row->space == SIMT_GLOBAL) {
        r.number[BYTES] = (double)row->bytes;
        r.number[SECTORS] = (double)row->sectors;
        r.number[SECTORS_IDEAL] = (double)row->sectors_ideal;
    } else {
        r.number[WAVEFRONTS] = (double)row->wavefronts;
        r.number[WAVEFRONTS_IDEAL] = (double)row->wavefronts_ideal;
    }
    return r;
}

static struct record of_flops(const struct simt_flops *flops)
{
    struct record r = begin_record("flops", flops->kernel);

    set_place(&r, flops->file, flops->line);
    r.number[FLOPS] = (double)flops->flops;
    return r;
}

static struct record of_kernel(const struct simt_kernel *kernel)
{
    struct record r = begin_record("kernel", kernel->kernel);

    r.number[LAUNCHES] = (double)kernel->launches;
    r.number[THREADS] = (double)kernel->threads;
    r.number[BARRIERS] = (double)kernel->barriers;
    r.number[BACKWARD_JUMPS] = (double)kernel->backward_jumps;
    r.number[FLOPS] = (double)kernel->flops;
    return r;
}

/* Over the three kinds of access. */
static double sum(const uint64_t value[3])
{
    return (double)(value[SIMT_LOAD] + value[SIMT_STORE] + value[SIMT_ATOMIC]);
}

static struct record of_launch(const struct simt_launch_count *launch)
{
    struct record r = begin_record("launch", launch->kernel);

    set_place(&r, launch->file, launch->line);
    for (int i = 0; i < 3; i++) {
        r.number[GRID + i] = launch->grid[i];
        r.number[BLOCK + i] = launch->block[i];
    }
    r.number[DYNAMIC_SHARED] = (double)launch->dynamic_shared;
    r.number[BARRIERS] = (double)launch->barriers;
    r.number[BACKWARD_JUMPS] = (double)launch->backward_jumps;
    r.number[FLOPS] = (double)launch->flops;
    r.number[REQUESTS] = r.number[LANES] = 0.0;
    for (int space = SIMT_GLOBAL; space <= SIMT_CONSTANT; space++) {
        r.number[REQUESTS] += sum(launch->requests[space]);
        r.number[LANES] += sum(launch->lanes[space]);
    }
    r.number[SECTORS] = sum(launch->sectors_or_wavefronts[SIMT_GLOBAL]);
    r.number[WAVEFRONTS] = sum(launch->sectors_or_wavefronts[SIMT_SHARED]);
    return r;
}

/* line has room for SIMT_CHECK_TEXT bytes and must outlive the record. */
static struct record of_check(const struct simt_checks *checks,
                              enum simt_check check, char *line)
{
    struct record r = begin_record("check", NULL);

    r.text[CHECK] = check_word[check];
    r.text[ANSWER] = answer_word[simt_checks_answer(checks, check)];
    simt_check_text(line, SIMT_CHECK_TEXT, checks, check);
    r.text[TEXT] = line;
    r.number[SEEN] = (double)checks->seen[check];
    r.number[FOUND] = (double)checks->found[check];
    return r;
}

static struct record of_finding(const struct simt_finding *finding)
{
    struct record r = begin_record("finding", finding->kernel);

    set_place(&r, finding->file, finding->line);
    r.text[CHECK] = check_word[finding->check];
    r.text[ARRAY] = finding->array;
    r.text[TEXT] = finding->text;
    r.number[FOUND] = (double)finding->count;
    if (finding->other_line > 0) {
        r.text[OTHER_FILE] = finding->other_file;
        r.number[OTHER_LINE] = finding->other_line;
    }
    return r;
}

/* --- where records go ----------------------------------------------------- */

/* One of the two is NULL. */
struct sink {
    struct base_json *json;
    FILE *csv;
};

static void begin_list(const struct sink *to, const char *name)
{
    if (to->json != NULL)
        base_json_open(to->json, name, '[');
}

static void end_list(const struct sink *to)
{
    if (to->json != NULL)
        base_json_close(to->json, ']');
}

static void put_object(struct base_json *json, const struct record *r)
{
    base_json_open(json, NULL, '{');
    for (int i = RECORD + 1; i < TEXTS; i++) { /* the list says which record */
        if (r->text[i] != NULL)
            base_json_text(json, text_name[i], r->text[i]);
    }
    for (int i = 0; i < NUMBERS; i++) {
        if (r->number[i] >= 0.0)
            base_json_number(json, number_name[i], r->number[i]);
    }
    base_json_close(json, '}');
}

static void put_csv_row(FILE *file, const struct record *r)
{
    for (int i = 0; i < TEXTS; i++) {
        if (r->text[i] != NULL)
            base_put_csv_text(file, r->text[i]);
        fputc(',', file);
    }
    for (int i = 0; i < NUMBERS; i++) {
        if (r->number[i] >= 0.0)
            base_put_csv_number(file, r->number[i]);
        fputc(i < NUMBERS - 1 ? ',' : '\n', file);
    }
}

static void put_record(const struct sink *to, struct record r)
{
    if (to->json != NULL) {
        put_object(to->json, &r);
    } else {
        put_csv_row(to->csv, &r);
    }
}

static void put_count(const struct sink *to, const struct simt_count *count)
{
    begin_list(to, "lines");
    for (size_t i = 0; i < count->rows; i++)
        put_record(to, of_row(&count->row[i]));
    end_list(to);
    begin_list(to, "flops_by_line");
    for (size_t i = 0; i < count->flops_lines; i++)
        put_record(to, of_flops(&count->flops[i]));
    end_list(to);
    begin_list(to, "kernels");
    for (size_t i = 0; i < count->kernels; i++)
        put_record(to, of_kernel(&count->kernel[i]));
    end_list(to);
    begin_list(to, "launches");
    for (size_t i = 0; i < count->launches; i++)
        put_record(to, of_launch(&count->launch[i]));
    end_list(to);
}

static void put_checks(const struct sink *to, const struct simt_checks *checks,
                       const struct simt_findings *findings)
{
    char line[SIMT_CHECK_TEXT];

    begin_list(to, "checks");
    for (int i = 0; i < SIMT_CHECKS; i++)
        put_record(to, of_check(checks, (enum simt_check)i, line));
    end_list(to);
    begin_list(to, "findings");
    for (size_t i = 0; i < findings->count; i++)
        put_record(to, of_finding(&findings->finding[i]));
    end_list(to);
}

/* --- the interface -------------------------------------------------------- */

static void put_json_count(struct base_json *json,
                           const struct simt_count *count)
{
    const struct sink to = {.json = json};

    put_count(&to, count);
}

static void put_json_checks(struct base_json *json,
                            const struct simt_checks *checks,
                            const struct simt_findings *findings)
{
    const struct sink to = {.json = json};

    put_checks(&to, checks, findings);
}

static void put_csv(FILE *file, const struct simt_count *count,
                    const struct simt_checks *checks,
                    const struct simt_findings *findings)
{
    const struct sink to = {.csv = file};

    for (int i = 0; i < TEXTS; i++)
        fprintf(file, "%s,", text_name[i]);
    for (int i = 0; i < NUMBERS; i++)
        fprintf(file, "%s%s", number_name[i], i < NUMBERS - 1 ? "," : "\n");
    put_count(&to, count);
    put_checks(&to, checks, findings);
}

int simt_report_write(const char *path, const struct simt_count *count,
                      const struct simt_checks *checks,
                      const struct simt_findings *findings, char *why,
                      size_t size)
{
    const size_t length = strlen(path);
    struct base_replacement r;

    if (base_replace_begin(&r, path, why, size) != 0)
        return -1;
    if (length > 5 && strcmp(path + length - 5, ".json") == 0) {
        struct base_json json = {r.file, 0, 0};

        base_json_open(&json, NULL, '{');
        put_json_count(&json, count);
        put_json_checks(&json, checks, findings);
        base_json_close(&json, '}');
    } else {
        put_csv(r.file, count, checks, findings);
    }
    return base_replace_end(&r, 1, why, size);
}
