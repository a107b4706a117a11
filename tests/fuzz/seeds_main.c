/*
 * seeds: writes what a fuzzer begins with.
 *
 *   seeds TARGET FOLDER     from the repository's root
 *
 * Sources of the course, of its tests and of the corpus for what reads sources;
 * files as the course writes them for the rest.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include "../corpus/case.h"
#include "../simt/assembly.h"
#include "grade/batch/store.h"
#include "grade/base/rubric.h"
#include "grade/runner/report.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGEST = 60000 /* bytes; a fuzzer is slow with more */
};

static const char *folder;
static int number;

static void put_bytes(const void *bytes, size_t size)
{
    char path[400];
    FILE *file;

    if (size > LARGEST)
        return;
    snprintf(path, sizeof path, "%s/seed%04d", folder, number++);
    file = fopen(path, "w");
    if (file == NULL || fwrite(bytes, 1, size, file) != size ||
        fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

static void put_files(const char *pattern)
{
    glob_t found;

    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *const text = malloc(LARGEST + 1);
        FILE *const file = fopen(found.gl_pathv[i], "r");

        if (text != NULL && file != NULL)
            put_bytes(text, fread(text, 1, LARGEST + 1, file));
        if (file != NULL)
            fclose(file);
        free(text);
    }
    globfree(&found);
}

static void put_corpus(void)
{
    struct corpus_case *cases;
    const size_t count = corpus_read("tests/corpus/*/*.edit", &cases);

    for (size_t i = 0; i < count; i++) {
        corpus_make(&cases[i]);
        if (cases[i].source != NULL)
            put_bytes(cases[i].source, cases[i].size);
        corpus_forget(&cases[i]);
    }
    corpus_free(cases, count);
}

static void put_sources(void)
{
    put_files("solutions/*/*.cu");
    put_files("labs/*/*.cu");
    put_files("labs/spot_the_bug/*/*.cu");
    put_files("tests/simt/*/*.cu");
    put_files("tests/hardware/*.cu");
    put_corpus();
}

static void put_record(void)
{
    struct grade_result r = {.verdict = GRADE_FLAG};
    struct grade_case *c;
    struct grade_measure *m;
    char *bytes = NULL;
    size_t size;
    FILE *const to = open_memstream(&bytes, &size);

    strcpy(r.lab, "04_coalescing");
    r.text = strdup("tiling.cu:3: a \"word\"\n");
    r.findings = strdup("a race");
    r.costs = strdup("line 46");
    r.points[0] = 60.0;
    r.of[0] = 100.0 / 3.0;
    c = grade_result_case(&r);
    m = grade_result_measure(&r);
    grade_result_flag(&r, "look");
    if (c == NULL || m == NULL)
        exit(2);
    strcpy(c->name, "hidden 1");
    c->hidden = 1;
    c->text = strdup("3 of 4 elements");
    strcpy(m->column, "efficiency");
    m->value = (double)NAN;
    grade_record_put(to, &r, "key", "=alice");
    fclose(to);
    put_bytes(bytes, size);
    free(bytes);
    grade_result_free(&r);
}

static void put_rubric(void)
{
    struct grade_rubric rubric;
    char *text = NULL;
    size_t length;
    FILE *const file = open_memstream(&text, &length);

    grade_rubric_default(fuzz_course(), &rubric);
    grade_rubric_write(file, fuzz_course(), &rubric);
    fclose(file);
    put_bytes(text, length);
    free(text);
}

static void put_wire(void)
{
    const struct simt_row row = {.kernel = "matmul",
                                 .array = "As",
                                 .file = "tiling.cu",
                                 .line = 46,
                                 .size = 4,
                                 .requests = 1};
    const struct simt_kernel kernel = {.kernel = "matmul", .launches = 1};
    const struct simt_finding finding = {.kernel = "matmul",
                                         .array = "As",
                                         .file = "tiling.cu",
                                         .other_file = "tiling.cu",
                                         .text = "a race\n"};
    const struct grade_report report = {
        .has_table = 1,
        .crash = "text",
        .memory = "text",
        .wrong = "text",
        .count = {.row = &row, .rows = 1, .kernel = &kernel, .kernels = 1},
        .findings = {.finding = &finding, .count = 1}};
    size_t size;
    char *const bytes = grade_report_write(&report, &size);

    put_bytes(bytes, size);
    free(bytes);
}

static void put_string(const char *text)
{
    put_bytes(text, strlen(text));
}

int main(int argc, char **argv)
{
    const char *const target = argc == 3 ? argv[1] : "";

    if (argc != 3) {
        fputs("usage: seeds TARGET FOLDER\n", stderr);
        return 2;
    }
    folder = argv[2];
    put_string("");
    if (strcmp(target, "rewrite") == 0 || strcmp(target, "vet") == 0 ||
        strcmp(target, "todo") == 0) {
        put_sources();
    } else if (strcmp(target, "record") == 0) {
        put_record();
    } else if (strcmp(target, "rubric") == 0) {
        put_rubric();
        put_string("hidden 3\n[08_eighth] # x\nloads full 0.1 zero 1e3\n");
        put_string("hidden: 3\r\nright: all_or_nothing\nlab: 08_eighth\n"
                   "measure: loads full 0.1 zero 1e3\ngraded: no\n");
    } else if (strcmp(target, "wire") == 0) {
        put_wire();
    } else if (strcmp(target, "roster") == 0 || strcmp(target, "csv") == 0) {
        put_string("id,name,email\r\nalice,\"A, \"\"B\"\"\",a@b\r\nbob,,\r\n");
        put_string("\xef\xbb\xbfname,id\n\n\"=x\",y\n");
    } else if (strcmp(target, "manual") == 0) {
        put_string("student,lab,points,reason\nalice,04,85,\"explained, it\"\n"
                   "bob,first,0,\nbob,8,1e2,x\n");
    } else if (strcmp(target, "index") == 0) {
        put_files("labs/INDEX");
    } else if (strcmp(target, "hints") == 0) {
        put_files("labs/*/hints.txt");
        put_string("3.1: 2\n3.2: 1\n12.3: 3\n");
    } else if (strcmp(target, "answers") == 0) {
        put_files("labs/*/questions.txt");
        put_string("# a note\n03.1: one\n  two\r\n\n3.2:\n");
    } else if (strcmp(target, "results") == 0) {
        put_files("build/results/ladder.csv");
        put_files("plots/data/h200_ladder.csv");
    } else if (strcmp(target, "tables") == 0) {
        put_string(ASSEMBLY_OF_X86);
        put_string(ASSEMBLY_OF_ARM);
    }
    return 0;
}
