/* Does the advice follow from the numbers, and is nothing said where nothing is
   to be said? All counts are made up. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../scratch.h"
#include "course/index.h"
#include "harness/advice.h"

/* A tiled product with 1,000 threads of 100 multiply-adds each. */
enum {
    THREADS = 1000,
    FMAS = 100000
};

static struct course_index course = {
    .lab = {{.name = "02_naive", .about = "lanes"},
            {.name = "03_tiling", .about = "global_loads barriers"},
            {.name = "04_coalescing", .about = "coalescing"},
            {.name = "05_banks", .about = "bank_conflicts"},
            {.name = "06_conflict_free", .about = "bank_conflicts"},
            {.name = "07_outer", .about = "shared_loads"},
            {.name = "08_unrolling", .about = "loops"},
            {.name = "09_prefetch", .about = "barriers"},
            {.name = "12_warp_tiling", .about = "bank_conflicts"},
            {.name = "13_more", .about = "bank_conflicts"}},
};

enum {
    LABS = 8,
    MORE_LABS = 10
};

static struct simt_row rows[3];
static struct simt_kernel kernel;
static struct simt_count count;
static double counter[LAB_COUNTERS];
static struct lab_spent spent;
static struct lab_advice advice;

/* Everything is ideal, and the lab is 09: nothing is left. */
FIXTURE(set_up)
{
    rows[0] = (struct simt_row){.kernel = "tile",
                                .array = "B",
                                .file = "labs/x/tile.cu",
                                .line = 46,
                                .space = SIMT_GLOBAL,
                                .kind = SIMT_LOAD,
                                .size = 4,
                                .requests = 1000,
                                .lanes = 32000,
                                .sectors = 4000,
                                .sectors_ideal = 4000};
    rows[1] = (struct simt_row){.kernel = "tile",
                                .array = "C",
                                .file = "labs/x/tile.cu",
                                .line = 60,
                                .space = SIMT_GLOBAL,
                                .kind = SIMT_STORE,
                                .size = 4,
                                .requests = 10,
                                .lanes = 320,
                                .sectors = 40,
                                .sectors_ideal = 40};
    rows[2] = (struct simt_row){.kernel = "tile",
                                .array = "Bs",
                                .file = "labs/x/tile.cu",
                                .line = 52,
                                .space = SIMT_SHARED,
                                .kind = SIMT_LOAD,
                                .size = 4,
                                .requests = 2000,
                                .lanes = 64000,
                                .wavefronts = 2000,
                                .wavefronts_ideal = 2000};
    kernel = (struct simt_kernel){
        .kernel = "tile", .threads = THREADS, .barriers = 10 * THREADS};
    count = (struct simt_count){
        .row = rows, .rows = 3, .kernel = &kernel, .kernels = 1};
    lab_counters_clear(counter);
    counter[LAB_GLOBAL_LOADS_PER_FMA] = 0.125;
    counter[LAB_SHARED_LOADS_PER_FMA] = 1.0;
    counter[LAB_BACKWARD_JUMPS_PER_FMA] = 0.015;
    counter[LAB_BARRIERS_PER_THREAD] = 10;
    course.labs = LABS;
    for (int i = LABS; i < MORE_LABS; i++)
        course.lab[i].advanced = 0;
    spent =
        (struct lab_spent){.count = &count,
                           .counter = counter,
                           .fmas = FMAS,
                           .reached = 1,
                           .index = &course,
                           .lab = course_index_find(&course, "09_prefetch")};
    return 0;
}

static void is(int at, const char *sentence)
{
    assert_true(at < advice.sentences);
    assert_string_equal(advice.sentence[at], sentence);
}

EACH_TEST(set_up, NULL);

TEST(test_nothing_is_left_where_all_is_ideal)
{
    lab_advise(&spent, &advice);
    assert_int_equal(advice.sentences, 1);
    is(0, "No line stands out in what was counted.");
    assert_null(advice.row);
}

TEST(test_the_line_that_wastes_most_sectors_is_named)
{
    rows[0].sectors = 16000;
    lab_advise(&spent, &advice);
    assert_int_equal(advice.sentences, 3);
    is(0, "tile.cu:46 takes 16,000 of 16,040 sectors (100 %): 16.0 sectors a "
          "request where 4.0 would do.");
    is(2, "Lab 04 is about this: labs/04_coalescing.");
    assert_ptr_equal(advice.row, &rows[0]);
}

TEST(test_three_labs_are_listed)
{
    rows[2].wavefronts = 16000;
    course.labs = MORE_LABS;
    lab_advise(&spent, &advice);
    is(2, "Labs 05, 06 and 12 are about this: labs/05_banks, "
          "labs/06_conflict_free, labs/12_warp_tiling.");
}

/* Who does the labs before it is not sent to the advanced track. */
TEST(test_no_lab_of_the_advanced_track_is_named_before_it)
{
    rows[2].wavefronts = 16000;
    course.labs = MORE_LABS;
    for (int i = LABS; i < MORE_LABS; i++)
        course.lab[i].advanced = 1;
    lab_advise(&spent, &advice);
    is(2, "Labs 05 and 06 are about this: labs/05_banks, "
          "labs/06_conflict_free.");
    spent.lab = course_index_find(&course, "12_warp_tiling");
    lab_advise(&spent, &advice);
    is(2, "That is what this lab is about.");
}

TEST(test_bank_conflicts_lead_to_two_labs)
{
    rows[2].wavefronts = 16000;
    lab_advise(&spent, &advice);
    is(0, "tile.cu:52 takes 16,000 of 16,000 wavefronts (100 %): 8.0 "
          "wavefronts a request where 1.0 would do.");
    is(2, "Labs 05 and 06 are about this: labs/05_banks, "
          "labs/06_conflict_free.");
}

/* 7 of 8 sectors are wasted, and one of two wavefronts. */
TEST(test_the_larger_waste_comes_first)
{
    rows[0].sectors = 32000;
    rows[2].wavefronts = 4000;
    lab_advise(&spent, &advice);
    assert_ptr_equal(advice.row, &rows[0]);
    rows[0].sectors = 5000;
    lab_advise(&spent, &advice);
    assert_ptr_equal(advice.row, &rows[2]);
}

TEST(test_the_lab_at_hand_is_not_sent_to_itself)
{
    spent.lab = course_index_find(&course, "04_coalescing");
    rows[0].sectors = 16000;
    lab_advise(&spent, &advice);
    is(2, "That is what this lab is about.");
}

/* A warp of 16 x 2 threads reads two words of A from two sectors, where one
   could hold both; so does every tiled kernel. */
TEST(test_words_that_lanes_share_are_no_waste)
{
    rows[0].sectors = 2000;
    rows[0].sectors_ideal = 1000;
    lab_advise(&spent, &advice);
    is(0, "No line stands out in what was counted.");
}

TEST(test_a_little_waste_at_the_edges_is_not_worth_a_word)
{
    rows[0].sectors = 4100;
    rows[2].wavefronts = 2050;
    lab_advise(&spent, &advice);
    is(0, "No line stands out in what was counted.");
}

TEST(test_idle_lanes_are_told)
{
    rows[2].lanes = 16000;
    rows[2].requests = 4000;
    rows[2].wavefronts = rows[2].wavefronts_ideal = 4000;
    lab_advise(&spent, &advice);
    is(0, "tile.cu:52 takes 4,000 of 5,010 requests (80 %): 4.0 of 32 lanes "
          "are active in them.");
    is(2, "Lab 02 is about this: labs/02_naive.");
}

TEST(test_a_barrier_in_the_inner_loop_comes_before_all)
{
    rows[0].sectors = 32000;
    kernel.barriers = 100 * THREADS;
    counter[LAB_BARRIERS_PER_THREAD] = 100;
    spent.lab = course_index_find(&course, "04_coalescing");
    lab_advise(&spent, &advice);
    is(0, "Each thread waits at 100 barriers, one for every 2.0 FLOPs that it "
          "calculates.");
    is(2, "Labs 03 and 09 are about this: labs/03_tiling, labs/09_prefetch.");
}

/* Where no request is too dear, the next lab's subject is told. */
TEST(test_the_way_leads_from_lab_to_lab)
{
    static const struct {
        const char *lab;
        enum lab_counter counter;
        double value;
        const char *sentence, *next;
    } steps[] = {
        {"02_naive", LAB_GLOBAL_LOADS_PER_FMA, 2.0,
         "Each multiply-add takes 2.00 loads from global memory.",
         "Lab 03 is about this: labs/03_tiling."},
        {"06_conflict_free", LAB_SHARED_LOADS_PER_FMA, 2.0,
         "Each multiply-add takes 2.00 loads from shared memory.",
         "Lab 07 is about this: labs/07_outer."},
        {"07_outer", LAB_BACKWARD_JUMPS_PER_FMA, 0.0625,
         "A thread jumps back to the beginning of a loop for every 16 "
         "multiply-adds: counting and jumping instead of calculating.",
         "Lab 08 is about this: labs/08_unrolling."},
        {"08_unrolling", LAB_BARRIERS_PER_THREAD, 10,
         "Each thread waits at 10 barriers.",
         "Lab 09 is about this: labs/09_prefetch."},
    };

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        set_up(NULL);
        spent.lab = course_index_find(&course, steps[i].lab);
        counter[steps[i].counter] = steps[i].value;
        lab_advise(&spent, &advice);
        is(0, "No line stands out in what was counted.");
        is(1, steps[i].sentence);
        is(2, steps[i].next);
    }
}

/* A lab that has not reached its goal is told of its own cost, and of none that
   an earlier lab was about. */
TEST(test_a_goal_not_reached_is_this_labs_cost)
{
    spent.lab = course_index_find(&course, "07_outer");
    spent.reached = 0;
    counter[LAB_GLOBAL_LOADS_PER_FMA] = 2.0;
    counter[LAB_SHARED_LOADS_PER_FMA] = 2.0;
    lab_advise(&spent, &advice);
    assert_int_equal(advice.sentences, 2);
    is(0, "Each multiply-add takes 2.00 loads from shared memory.");
    is(1, "That is what this lab is about.");
}

/* Lab 06 with rows of 17: a store takes 2 wavefronts, few of all there are. But
   they are what the lab is about. */
TEST(test_a_goal_not_reached_by_little_is_told_all_the_same)
{
    spent.lab = course_index_find(&course, "06_conflict_free");
    spent.reached = 0;
    rows[0].sectors = 32000;
    rows[2].wavefronts = 2010;
    lab_advise(&spent, &advice);
    assert_ptr_equal(advice.row, &rows[2]);
    is(2, "That is what this lab is about.");
}

/* A number that was asked for and is missed is told with the lines that it
   comes from: of each of lab 09's, and of what lab 07 and 08 are about. */
TEST(test_each_missed_number_has_words_of_its_own)
{
    struct course_measure missed = {"shared_store_wavefronts_per_request_As", 1,
                                    8, 8};

    spent.missed = &missed;
    spent.reached = 0;
    spent.lab = course_index_find(&course, "07_outer");
    rows[2] = (struct simt_row){.kernel = "tile",
                                .array = "As",
                                .file = "labs/x/tile.cu",
                                .line = 52,
                                .space = SIMT_SHARED,
                                .kind = SIMT_STORE,
                                .size = 4,
                                .requests = 10,
                                .lanes = 320,
                                .wavefronts = 20,
                                .wavefronts_ideal = 10};
    counter[LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_AS] = 2;
    lab_advise(&spent, &advice);
    is(0, "tile.cu:52 takes 20 of 20 wavefronts (100 %): 2.0 wavefronts a "
          "request where 1.0 would do.");
    is(1, "Lanes whose words lie in the same bank wait for each other: make "
          "map-07 ARRAY=As draws them.");
    assert_int_equal(advice.line, 52);

    missed = (struct course_measure){"global_load_requests", 900, 2000, 900};
    counter[LAB_GLOBAL_LOAD_REQUESTS] = 1010;
    lab_advise(&spent, &advice);
    is(0, "tile.cu:46 makes 1,000 of 1,000 requests for loads from global "
          "memory, each of 4 bytes a lane.");
    rows[1].array = "B";
    rows[1].kind = SIMT_LOAD;
    rows[1].requests = 110;
    lab_advise(&spent, &advice);
    is(0, "Global loads make 110 requests more than the goal, as many as "
          "tile.cu:60 makes for one tile of each block: does tile.cu:46 also "
          "fetch a tile that nobody needs?");
    assert_int_equal(advice.line, 46);

    missed = (struct course_measure){"fetch_overlap", 0.75, 0, 0};
    counter[LAB_FETCH_OVERLAP] = 0.25;
    count.own_later_fetches = 1;
    lab_advise(&spent, &advice);
    is(0, "Of what a thread loads from shared memory 25 % is loaded while the "
          "next tile, or a part of it, is under way (a part counts as a part). "
          "One begins with its load and ends with its store: fetch before the "
          "sums, and store after them.");
    count.own_fetch_line = 71;
    count.own_store_line = 78;
    lab_advise(&spent, &advice);
    assert_non_null(strstr(advice.sentence[0],
                           "load (line 71) and ends with its store (line "
                           "78): fetch"));

    missed = (struct course_measure){"barriers_per_thread", 6, 10, 10};
    lab_advise(&spent, &advice);
    is(0, "Each thread waits at 10 barriers, and 6 are enough.");
    assert_int_equal(advice.line, 0);

    missed = (struct course_measure){"backward_jumps_per_fma", 0.004, 1, 1};
    counter[LAB_BACKWARD_JUMPS_PER_FMA] = 0.0625;
    lab_advise(&spent, &advice);
    is(0, "A thread jumps back to the beginning of a loop for every 16 "
          "multiply-adds: counting and jumping instead of calculating.");
    kernel.backward_jumps = 100;
    kernel.loop_jumps = 94;
    kernel.loop_file = "labs/x/tile.cu";
    kernel.loop_line = 85;
    lab_advise(&spent, &advice);
    is(0, "A thread jumps back to the beginning of a loop for every 16 "
          "multiply-adds, and 94 % of these jumps are those of the loop around "
          "tile.cu:85: it is not unrolled far enough.");
    assert_int_equal(advice.line, 85);
}

TEST(test_a_line_that_is_not_known_is_named_by_its_array)
{
    rows[0].line = 0;
    rows[0].file = "";
    rows[0].sectors = 16000;
    lab_advise(&spent, &advice);
    assert_non_null(
        strstr(advice.sentence[0], "The load of B in tile takes 16,000 of"));
}

TEST(test_nothing_counted_is_no_advice_about_requests)
{
    const struct simt_count none = {0};

    spent.count = &none;
    lab_counters_clear(counter);
    spent.reached = 0;
    lab_advise(&spent, &advice);
    assert_int_equal(advice.sentences, 0);
}

TEST(test_the_print_fits_the_screen)
{
    const char *text;

    rows[0].sectors = 16000;
    rows[0].file = "tests/harness/test_advice.c";
    lab_advise(&spent, &advice);
    lab_advice_print(writing(), &advice);
    text = written();
    for (const char *line = text; *line != '\0';
         line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
    assert_non_null(strstr(text, "  test_advice.c:46 takes 16,000"));
}

/* Each word of labs/INDEX is a cost, and each cost has a handout. */
TEST(test_labs_index_and_the_costs_use_the_same_words)
{
    struct course_index index;
    char why[200];

    assert_int_equal(course_index_read("labs/INDEX", &index, why, sizeof why),
                     0);
    for (int cost = 0; cost < LAB_COSTS; cost++) {
        int found = 0;

        for (int i = 0; i < index.labs; i++)
            found |= strstr(index.lab[i].about, lab_cost_word[cost]) != NULL;
        if (!found)
            fail_msg("no lab is about %s", lab_cost_word[cost]);
    }
    for (int i = 0; i < index.labs; i++) {
        char words[200], *rest = NULL;

        snprintf(words, sizeof words, "%s", index.lab[i].about);
        for (char *word = strtok_r(words, " ", &rest); word != NULL;
             word = strtok_r(NULL, " ", &rest)) {
            int known = 0;

            for (int cost = 0; cost < LAB_COSTS; cost++)
                known |= strcmp(word, lab_cost_word[cost]) == 0;
            if (!known)
                fail_msg("%s: '%s' is no cost", index.lab[i].name, word);
        }
    }
    course_index_free(&index);
}
