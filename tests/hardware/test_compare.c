/* What could the comparison with a GPU let pass? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "compare.h"

#include <stdlib.h>
#include <string.h>

#define GPU     "program,kernel,label,launch,metric,value\n"
#define OURS    "kernel,label,launch,quantity,value\n"
#define KNOWN   "rows,low,high,reason\n"
#define SECTORS "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
#define THREAD  "smsp__sass_thread_inst_executed_op_"

/* What compare_program and compare_unused say of these three tables. */
struct verdict {
    int wrong, unused;
    int equal, explained; /* rows of the GPU's file */
    char *report;
};

static struct verdict compare_texts(const char *gpu_text, const char *ours_text,
                                    const char *known_text)
{
    struct compare_table gpu, ours;
    struct compare_differences known;
    struct verdict verdict;
    char why[200];
    size_t length;
    FILE *report = open_memstream(&verdict.report, &length);

    assert_non_null(report);
    assert_int_equal(compare_read(&gpu, "gpu", gpu_text, why, sizeof why), 0);
    assert_int_equal(compare_read(&ours, "ours", ours_text, why, sizeof why),
                     0);
    assert_int_equal(
        compare_differences_read(&known, "known", known_text, why, sizeof why),
        0);
    verdict.wrong = compare_program(&gpu, "p", NULL, &ours, &known, report);
    verdict.unused = compare_unused(&known, report);
    verdict.equal = known.equal;
    verdict.explained = known.explained;
    fclose(report);
    compare_free(&gpu);
    compare_free(&ours);
    compare_differences_free(&known);
    return verdict;
}

static void expect_counts(struct verdict verdict, int wrong, int unused,
                          const char *words)
{
    assert_int_equal(verdict.wrong, wrong);
    assert_int_equal(verdict.unused, unused);
    if (strstr(verdict.report, words) == NULL)
        fail_msg("'%s' is not in '%s'", words, verdict.report);
    free(verdict.report);
}

TEST(test_equal_rows_pass)
{
    expect_counts(compare_texts("# a comment\n# more\n" GPU "p,k,x,1," SECTORS
                                ",128\n",
                                OURS "k,x,1,global_load_sectors,128\n", KNOWN),
                  0, 0, "");
}

TEST(test_a_row_that_differs_for_no_known_reason_fails)
{
    expect_counts(compare_texts(GPU "p,k,x,1," SECTORS ",129\n",
                                OURS "k,x,1,global_load_sectors,128\n", KNOWN),
                  1, 0, "129 on the GPU, 128 here");
    expect_counts(compare_texts(GPU "p,k,x,1," SECTORS ",1\n",
                                OURS "k,x,1,global_load_sectors,0\n",
                                KNOWN
                                "*,0,1000000,it is noise of the hardware\n"),
                  1, 1, "1 on the GPU, 0 here");
}

TEST(test_a_count_that_only_the_gpu_has_may_be_known)
{
    expect_counts(compare_texts(GPU "p,k,x,1," SECTORS ",7\n",
                                OURS "k,x,1,global_load_sectors,0\n",
                                KNOWN "p/*,inf,inf,it is nothing here\n"),
                  0, 0, "");
    expect_counts(compare_texts(GPU "p,k,x,1," SECTORS ",7\n",
                                OURS "k,x,1,global_load_sectors,1\n",
                                KNOWN "p/*,inf,inf,it is nothing here\n"),
                  1, 1, "7 on the GPU, 1 here");
}

TEST(test_a_known_difference_holds_within_its_bounds_only)
{
    expect_counts(
        compare_texts(GPU "p,k,x,1," SECTORS ",132\n",
                      OURS "k,x,1,global_load_sectors,128\n",
                      KNOWN "p/k/*/*sectors*,1,1.05,it is noise of the chip\n"),
        0, 0, "");
    expect_counts(
        compare_texts(GPU "p,k,x,1," SECTORS ",136\n",
                      OURS "k,x,1,global_load_sectors,128\n",
                      KNOWN "p/k/*/*sectors*,1,1.05,it is noise of the chip\n"),
        1, 1, "136 on the GPU");
    expect_counts(
        compare_texts(GPU "p,k,x,1," SECTORS ",127\n",
                      OURS "k,x,1,global_load_sectors,128\n",
                      KNOWN "p/k/*/*sectors*,1,1.05,it is noise of the chip\n"),
        1, 1, "127 on the GPU");
    expect_counts(compare_texts(GPU "p,k,x,1," SECTORS ",132\n",
                                OURS "k,x,1,global_load_sectors,128\n",
                                KNOWN
                                "p/other/*,1,1.05,it is noise of the chip\n"),
                  1, 1, "no row needs the difference p/other/*");
}

TEST(test_a_known_difference_that_no_row_needs_fails)
{
    expect_counts(compare_texts(GPU "p,k,x,1," SECTORS ",128\n",
                                OURS "k,x,1,global_load_sectors,128\n",
                                KNOWN "p/*,0.9,1.1,it is noise of the chip\n"),
                  0, 1, "no row needs");
}

TEST(test_a_launch_of_one_side_only_fails)
{
    expect_counts(compare_texts(GPU "p,k,x,2," SECTORS ",128\n",
                                OURS "k,x,1,global_load_sectors,128\n", KNOWN),
                  2, 0, "counts no global_load_sectors");
    expect_counts(compare_texts(GPU "p,k,x,1," SECTORS ",128\n",
                                OURS "k,x,1,global_load_sectors,128\n"
                                     "k,y,2,global_load_sectors,128\n",
                                KNOWN),
                  1, 0, "launch 2, k y: 0 counts on the GPU, 1 in launch 1");
    expect_counts(
        compare_texts(GPU "p,k,x,1," SECTORS ",128\n"
                          "p,k,x,1,smsp__inst_executed_op_global_ld.sum,9\n"
                          "p,k,x,2," SECTORS ",128\n",
                      OURS "k,x,1,global_load_sectors,128\n"
                           "k,x,1,global_load_requests,9\n"
                           "k,x,2,global_load_sectors,128\n",
                      KNOWN),
        1, 0, "launch 2, k x: 1 counts on the GPU, 2 in launch 1");
    expect_counts(compare_texts(GPU "q,k,x,1," SECTORS ",128\n",
                                OURS "k,x,1,global_load_sectors,128\n", KNOWN),
                  -1, 0, "");
}

TEST(test_another_kernel_or_label_fails_although_counts_agree)
{
    expect_counts(compare_texts(GPU "p,k,x,1," SECTORS ",128\n",
                                OURS "other,x,1,global_load_sectors,128\n",
                                KNOWN),
                  1, 0, "measure again");
    expect_counts(compare_texts(GPU "p,k,x,1," SECTORS ",128\n",
                                OURS "k,other,1,global_load_sectors,128\n",
                                KNOWN),
                  1, 0, "measure again");
}

TEST(test_an_unknown_metric_fails)
{
    expect_counts(compare_texts(GPU "p,k,x,1,sm__cycles_active.sum,128\n",
                                OURS "k,x,1,global_load_sectors,128\n", KNOWN),
                  1, 0, "knows no quantity");
}

TEST(test_instructions_that_calculate_add_up_to_flops)
{
    expect_counts(compare_texts(GPU "p,k,x,1," THREAD "fadd_pred_on.sum,3\n"
                                    "p,k,x,1," SECTORS ",7\n"
                                    "p,k,x,1," THREAD "ffma_pred_on.sum,20\n"
                                    "p,k,x,2," THREAD "dfma_pred_on.sum,1\n"
                                    "p,k,x,2," SECTORS ",7\n",
                                OURS
                                "k,x,1,flops,43\nk,x,1,global_load_sectors,7\n"
                                "k,x,2,flops,2\nk,x,2,global_load_sectors,7\n",
                                KNOWN),
                  0, 0, "");
}

TEST(test_both_kinds_of_atomics_are_one_count)
{
    expect_counts(
        compare_texts(GPU
                      "p,k,x,1,l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"
                      ",1\n"
                      "p,k,x,1,l1tex__t_requests_pipe_lsu_mem_global_op_atom."
                      "sum,2\n",
                      OURS "k,x,1,global_atomic_requests,3\n", KNOWN),
        0, 0, "");
}

/* What is added up before it is compared is as many rows as the file has. */
TEST(test_rows_are_counted_as_equal_explained_or_neither)
{
    struct verdict v =
        compare_texts(GPU "p,k,x,1," THREAD "fadd_pred_on.sum,3\n"
                          "p,k,x,1," THREAD "ffma_pred_on.sum,20\n"
                          "p,k,x,1," SECTORS ",7\n"
                          "p,k,x,2," THREAD "fadd_pred_on.sum,9\n"
                          "p,k,x,2," SECTORS ",9\n",
                      OURS "k,x,1,flops,43\nk,x,1,global_load_sectors,5\n"
                           "k,x,2,flops,9\nk,x,2,global_load_sectors,5\n",
                      KNOWN "*sectors*,1.4,1.4,it is so on the chip\n");

    assert_int_equal(v.wrong, 1); /* 9 for 5 */
    assert_int_equal(v.equal, 3);
    assert_int_equal(v.explained, 1);
    free(v.report);
}

TEST(test_a_table_that_says_nothing_is_refused)
{
    static const char *const texts[] = {
        GPU,
        "# only a comment\n",
        GPU "p,k,x,1," SECTORS ",\n",
        GPU "p,k,x,1," SECTORS ",n/a\n",
        GPU "p,k,x,0," SECTORS ",4\n",
        "a,b\n1,2\n",
    };
    static const char *const known[] = {
        KNOWN "p/*,0.9,1.1,\n",
        KNOWN "p/*,1.1,0.9,it is noise of the chip\n",
        KNOWN "p/*,0.9,inf,it is noise of the chip\n",
        KNOWN "p/*,0.9,,it is noise of the chip\n",
        KNOWN ",0.9,1.1,it is noise of the chip\n",
    };
    char why[200];

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct compare_table table;

        why[0] = '\0';
        assert_int_equal(compare_read(&table, "t", texts[i], why, sizeof why),
                         -1);
        assert_true(strlen(why) > 5);
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct compare_differences table;

        why[0] = '\0';
        assert_int_equal(
            compare_differences_read(&table, "t", known[i], why, sizeof why),
            -1);
        assert_true(strlen(why) > 5);
    }
}
