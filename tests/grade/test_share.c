/* Is each lab of each student in one share, and in one alone? */

#include <stdio.h>

#include "../testing.h"
#include "grade/batch/store.h"

TEST(test_a_share_is_two_numbers)
{
    static const char *const bad[] = {
        "",     "2",    "2/",  "/8",   "0/8", "9/8",   "-1/8",     "2/8x",
        " 2/8", "2 /8", "1/0", "2//8", "a/b", "0x1/8", "1/999999", "1/1000000"};
    struct grade_share share;
    char why[200];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (grade_share_read(bad[i], &share, why, sizeof why) != -1)
            fail_msg("this is taken: '%s'", bad[i]);
    }
    assert_int_equal(grade_share_read("2/8", &share, why, sizeof why), 0);
    assert_int_equal(share.number, 2);
    assert_int_equal(share.of, 8);
    assert_int_equal(grade_share_read("1/1", &share, why, sizeof why), 0);
}

TEST(test_shares_cover_the_class_once)
{
    static const char *const lab[] = {"02_gpu_naive", "03_tiling",
                                      "09_prefetch", "10_vector_loads"};
    static const char *const odd[] = {"", "$(touch X)\n", "x\xff"};

    for (int of = 1; of < 40; of++) {
        int largest = 0, count[40] = {0};

        for (int student = 0; student < 100; student++) {
            char name[20];

            snprintf(name, sizeof name, "%d%s", student, odd[student % 3]);
            for (size_t k = 0; k < sizeof lab / sizeof lab[0]; k++) {
                int found = 0;

                for (int i = 1; i <= of; i++) {
                    const struct grade_share share = {i, of};

                    if (grade_share_has(&share, name, lab[k])) {
                        found++;
                        count[i]++;
                    }
                }
                assert_int_equal(found, 1);
            }
        }
        for (int i = 1; i <= of; i++)
            largest = count[i] > largest ? count[i] : largest;
        /* None has much more than its part of the 400. */
        assert_true(largest <= 400 / of + 25);
    }
}

TEST(test_no_share_is_the_whole_class)
{
    const struct grade_share whole = {0, 0};

    assert_true(grade_share_has(&whole, "alice", "03_tiling"));
}
