/* What could go wrong with a text file? One test per answer. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../testing.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/replace_file.h"

static char folder[] = "/tmp/course_file_XXXXXX";
static char path[sizeof folder + 2];

FIXTURE(make_folder)
{
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/f", folder);
    return 0;
}

FIXTURE(remove_folder)
{
    unlink(path);
    return rmdir(folder); /* fails if a temporary file is left */
}

/* Makes a file of length bytes: c, and last at its end. */
static void make_file(size_t length, int c, int last)
{
    FILE *const file = fopen(path, "wb");

    assert_non_null(file);
    for (size_t i = 0; i + 1 < length; i++) {
        fputc(c, file);
    }
    if (length > 0) {
        fputc(last, file);
    }
    assert_int_equal(fclose(file), 0);
}

TEST(test_what_is_written_is_read)
{
    char why[256] = "";
    char *text;

    assert_int_equal(base_write_file(path, "old text\n", why, sizeof why), 0);
    assert_int_equal(base_write_file(path, "new\n", why, sizeof why), 0);
    text = base_read_file(path, why, sizeof why);
    assert_string_equal(why, "");
    assert_non_null(text);
    assert_string_equal(text, "new\n");
    free(text);
}

TEST(test_an_empty_file_is_read)
{
    char why[256] = "";
    char *text;

    make_file(0, 'x', 'x');
    text = base_read_file(path, why, sizeof why);
    assert_non_null(text);
    assert_string_equal(text, "");
    free(text);
}

TEST(test_a_nul_is_refused)
{
    char why[256] = "";

    make_file(10, 'x', '\0');
    assert_null(base_read_file(path, why, sizeof why));
    assert_non_null(strstr(why, "f: holds a NUL byte: save it as plain text"));
}

TEST(test_the_size_is_limited)
{
    char why[256] = "";
    char *text;

    make_file(1 << 20, 'x', 'x');
    text = base_read_file(path, why, sizeof why);
    assert_non_null(text);
    assert_int_equal(strlen(text), 1 << 20);
    free(text);
    make_file((1 << 20) + 1, 'x', 'x');
    assert_null(base_read_file(path, why, sizeof why));
    assert_non_null(strstr(why, "f: larger than 1048576 bytes"));
}

TEST(test_bytes_are_mapped_and_an_empty_file_has_none)
{
    size_t size = 0;
    FILE *file;
    char *bytes;

    make_file(3, 'x', '\0');
    file = fopen(path, "rb");
    assert_non_null(file);
    bytes = base_map_file(fileno(file), &size);
    fclose(file);
    assert_non_null(bytes);
    assert_int_equal(size, 3);
    assert_int_equal(bytes[0], 'x');
    munmap(bytes, size);
    make_file(0, 'x', 'x');
    file = fopen(path, "rb");
    assert_non_null(file);
    assert_null(base_map_file(fileno(file), &size));
    assert_int_equal(errno, EINVAL);
    fclose(file);
    assert_null(base_map_file(-1, &size));
}

TEST(test_a_folder_that_is_missing_is_named)
{
    char why[256] = "";

    assert_int_equal(base_write_file("/nowhere/f", "x", why, sizeof why), -1);
    assert_string_equal(
        why, "/nowhere/f: cannot be written: No such file or directory "
             "(choose another file)");
}

TEST(test_a_folder_in_the_way_is_named)
{
    char why[256] = "", in[sizeof path];

    snprintf(in, sizeof in, "%s", path);
    *strrchr(in, '/') = '\0'; /* the folder itself, which is not empty */
    assert_int_equal(base_write_file(in, "x", why, sizeof why), -1);
    assert_non_null(strstr(why, "not a regular file"));
}

TEST(test_a_file_that_lacks_a_text_is_not_kept)
{
    char why[256] = "", *text;
    struct base_replacement r;

    assert_int_equal(base_write_file(path, "old\n", why, sizeof why), 0);
    assert_int_equal(base_replace_begin(&r, path, why, sizeof why), 0);
    fputs("half\n", r.file);
    base_memory_fail();
    assert_int_equal(base_replace_end(&r, 1, why, sizeof why), -1);
    assert_non_null(strstr(why, "cannot be written: Cannot allocate memory"));
    text = base_read_file(path, why, sizeof why);
    assert_string_equal(text, "old\n");
    free(text);
    /* What was lacking before it is not its own. */
    assert_int_equal(base_write_file(path, "new\n", why, sizeof why), 0);
}

ALL_TESTS(make_folder, remove_folder);
