/* Is what a student handed in taken, wherever it may lie, and nothing else ever
   read? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../testing.h"
#include "folder.h"
#include "grade/intake/intake.h"

static char why[300];
static struct grade_intake intake;

static int set_up(void **state)
{
    return folder_make(state) != 0 || mkdir("alice", 0700) != 0 ||
           chdir("alice") != 0;
}

static struct grade_handed take_submission(void)
{
    struct grade_intake own;
    struct grade_handed handed;

    assert_int_equal(grade_intake_own(&own, "labs"), 0);
    grade_intake_take(&own, "labs", "04_coalescing", &handed);
    grade_intake_close(&own);
    return handed;
}

static void takes(const char *text)
{
    const struct grade_handed handed = take_submission();

    assert_string_equal(handed.text, "");
    assert_int_equal(handed.verdict, GRADE_PASS);
    assert_int_equal(handed.size, strlen(text));
    assert_string_equal(handed.source, text);
    free(handed.source);
}

static void refuses_text(const char *text)
{
    const struct grade_handed handed = take_submission();

    assert_int_equal(handed.verdict, GRADE_REJECTED);
    assert_null(handed.source);
    expect_words(handed.text, text);
}

EACH_TEST(set_up, NULL);

TEST(test_a_source_may_lie_in_four_places)
{
    static const char *const place[] = {"coalescing.cu", "04_coalescing.cu",
                                        "04_coalescing/coalescing.cu",
                                        "labs/04_coalescing/coalescing.cu"};

    assert_int_equal(take_submission().verdict, GRADE_MISSING);
    for (size_t i = 0; i < sizeof place / sizeof place[0]; i++) {
        folder_put(place[i], place[i]);
        takes(place[i]);
        unlink(place[i]);
    }
    folder_put("coalescing_old.cu", "no lab's name");
    assert_int_equal(take_submission().verdict, GRADE_MISSING);
}

TEST(test_two_sources_must_say_the_same)
{
    folder_put("coalescing.cu", "same");
    folder_put("04_coalescing.cu", "same");
    takes("same");
    folder_put("coalescing.cu", "else");
    refuses_text(
        "04_coalescing.cu and coalescing.cu are both there and differ");
}

TEST(test_bytes_of_every_kind_are_taken)
{
    struct grade_handed handed;
    FILE *const file = fopen("coalescing.cu", "w");

    assert_non_null(file);
    fwrite("a\0b\xff", 1, 4, file);
    fclose(file);
    handed = take_submission();
    assert_int_equal(handed.verdict, GRADE_PASS);
    assert_int_equal(handed.size, 4);
    assert_memory_equal(handed.source, "a\0b\xff", 5);
    free(handed.source);
    folder_put("coalescing.cu", "");
    takes("");
}

TEST(test_a_symbolic_link_is_not_followed)
{
    folder_put("../secret", "secret");
    assert_int_equal(symlink("../secret", "coalescing.cu"), 0);
    refuses_text("coalescing.cu is a symbolic link");
}

TEST(test_no_folder_on_the_way_is_a_link)
{
    folder_put("../bob/coalescing.cu", "bob's");
    assert_int_equal(symlink("../bob", "04_coalescing"), 0);
    refuses_text("is a symbolic link, and none is followed");
    unlink("04_coalescing");
    folder_put("../bob/04_coalescing/coalescing.cu", "bob's");
    assert_int_equal(symlink("../bob", "labs"), 0);
    refuses_text("is a symbolic link, and none is followed");
}

TEST(test_a_pipe_is_refused_and_not_waited_for)
{
    alarm(10);
    assert_int_equal(mkfifo("coalescing.cu", 0600), 0);
    refuses_text("coalescing.cu is a named pipe");
    alarm(0);
}

TEST(test_a_socket_and_a_folder_are_refused)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int s = socket(AF_UNIX, SOCK_STREAM, 0);

    snprintf(address.sun_path, sizeof address.sun_path, "coalescing.cu");
    assert_int_equal(bind(s, (struct sockaddr *)&address, sizeof address), 0);
    refuses_text("coalescing.cu is a socket");
    close(s);
    unlink("coalescing.cu");
    assert_int_equal(mkdir("coalescing.cu", 0700), 0);
    refuses_text("coalescing.cu is a folder");
}

TEST(test_a_hard_link_is_refused)
{
    folder_put("../secret", "secret");
    assert_int_equal(link("../secret", "coalescing.cu"), 0);
    refuses_text("coalescing.cu is a hard link");
    refuses_text("copied by cp -r");
}

TEST(test_a_source_that_is_too_large_is_not_read)
{
    struct grade_handed handed;

    folder_put("coalescing.cu", "x");
    assert_int_equal(truncate("coalescing.cu", GRADE_SOURCE_LARGEST + 1), 0);
    refuses_text("has 262145 bytes");
    assert_int_equal(truncate("coalescing.cu", (off_t)1 << 40), 0);
    refuses_text("at most 262144 are taken");
    assert_int_equal(truncate("coalescing.cu", GRADE_SOURCE_LARGEST), 0);
    handed = take_submission();
    assert_int_equal(handed.verdict, GRADE_PASS);
    free(handed.source);
}

TEST(test_what_cannot_be_read_is_no_fault_of_the_student)
{
    struct grade_handed handed;

    if (geteuid() == 0) {
        printf("# skipped: root reads everything\n");
        skip();
    }
    folder_put("coalescing.cu", "x");
    assert_int_equal(chmod("coalescing.cu", 0), 0);
    handed = take_submission();
    assert_int_equal(handed.verdict, GRADE_REJECTED);
    assert_non_null(strstr(handed.text, "cannot be read: Permission denied"));
}

static char *unknown_of_alice(const struct course_index *index)
{
    char *unknown;

    assert_int_equal(grade_intake_open(&intake, "..", NULL, why, sizeof why),
                     0);
    unknown = grade_intake_unknown(&intake, "alice", index);
    grade_intake_close(&intake);
    return unknown;
}

TEST(test_files_of_no_lab_are_named)
{
    static char tiling[] = "03_tiling", coalescing[] = "04_coalescing";
    static const struct course_index two = {
        .lab = {{.name = tiling}, {.name = coalescing}}, .labs = 2};
    char *unknown;

    folder_put("coalescing.cu", "x");
    folder_put("04_coalescing.cu", "x");
    folder_put(".hidden", "x");
    assert_int_equal(mkdir("labs", 0700), 0);
    assert_int_equal(mkdir("03_tiling", 0700), 0);
    unknown = unknown_of_alice(&two);
    assert_string_equal(unknown, "");
    free(unknown);
    folder_put("mine.cu", "x");
    folder_put("a\nb", "x");
    unknown = unknown_of_alice(&two);
    assert_string_equal(unknown, "a\\nb, mine.cu");
    free(unknown);
    folder_put("c", "");
    folder_put("d", "");
    folder_put("e", "");
    folder_put("f", "");
    unknown = unknown_of_alice(&two);
    assert_string_equal(unknown, "a\\nb, c, d, e, f and 1 more");
    free(unknown);
}

/* --- folders of students -------------------------------------------------- */

TEST(test_folders_of_every_name_are_found_and_opened)
{
    char longest[256];
    const char *const name[] = {"\n",       " ",    "$(touch X)",        "'\"",
                                "-rf",      ";ls",  "=HYPERLINK(\"x\")", "\\",
                                "\xff\xfe", longest};
    const size_t names = sizeof name / sizeof name[0];
    struct grade_handed handed;
    size_t others = 0;

    memset(longest, 'x', 255);
    longest[255] = '\0';
    for (size_t i = 0; i < names; i++) {
        folder_put_as(name[i], "all/%s/coalescing.cu", name[i]);
    }
    folder_put("all/a file.txt", "");
    folder_put("all/.git/x", "");
    assert_int_equal(grade_intake_open(&intake, "all", NULL, why, sizeof why),
                     0);
    assert_int_equal(intake.students, names);
    for (size_t i = 0; i < intake.listing.entries; i++)
        others += (size_t)intake.listing.entry[i].is_nobodys;
    assert_int_equal(others, 2);
    for (size_t i = 0; i < intake.students; i++) {
        assert_true(i == 0 || strcmp(intake.parcel[i - 1].student,
                                     intake.parcel[i].student) < 0);
        grade_intake_take(&intake, intake.parcel[i].student, "04_coalescing",
                          &handed);
        assert_int_equal(handed.verdict, GRADE_PASS);
        assert_string_equal(handed.source, intake.parcel[i].student);
        free(handed.source);
    }
    grade_intake_close(&intake);
}

TEST(test_a_folder_that_is_a_link_is_not_opened)
{
    struct grade_handed handed;

    assert_int_equal(symlink("/etc", "../bob"), 0);
    assert_int_equal(grade_intake_open(&intake, "..", NULL, why, sizeof why),
                     0);
    assert_int_equal(intake.students, 2);
    grade_intake_take(&intake, "bob", "04_coalescing", &handed);
    assert_int_equal(handed.verdict, GRADE_REJECTED);
    assert_string_equal(handed.text,
                        "bob is a symbolic link, and none is followed");
    grade_intake_close(&intake);
}

TEST(test_a_folder_that_is_not_there_is_told)
{
    assert_int_equal(
        grade_intake_open(&intake, "nowhere", NULL, why, sizeof why), -1);
    assert_non_null(strstr(why, "nowhere: No such file or directory"));
}
