#define _GNU_SOURCE

#include "testing.h"
#include "scratch.h"

#include "command.h"

#include "base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH = 4096
};

static char folder[40];      /* "": there is none */
static int in_test, of_test; /* of_test: a test has made it */
static char *text;           /* of written() */
static size_t length;
static FILE *stream;
static int home = -1; /* where the program was before scratch_enter */

/* The path below the folder, unless it is a whole one. */
static const char *below(const char *path)
{
    static char kept[8][PATH];
    static int next;
    char *to;

    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "/tmp/test_scratch.XXXXXX");
        assert_non_null(mkdtemp(folder));
        of_test = in_test;
    }
    if (strcmp(path, ".") == 0)
        return folder;
    to = kept[next++ % 8];
    if (path[0] == '/')
        snprintf(to, PATH, "%s", path);
    else
        snprintf(to, PATH, "%s/%.4000s", folder, path);
    return to;
}

const char *scratch(const char *format, ...)
{
    char path[PATH];
    va_list ap;

    va_start(ap, format);
    vsnprintf(path, sizeof path, format, ap);
    va_end(ap);
    return below(path);
}

int scratch_make(void **state)
{
    (void)state;
    below(".");
    return 0;
}

int scratch_enter(void)
{
    if (home < 0)
        home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(home >= 0);
    assert_int_equal(chdir(below(".")), 0);
    return 0;
}

const char *scratch_write(const char *words, const char *format, ...)
{
    char path[PATH];
    const char *whole;
    FILE *file;
    va_list ap;

    va_start(ap, format);
    vsnprintf(path, sizeof path, format, ap);
    va_end(ap);
    whole = below(path);
    snprintf(path, sizeof path, "%s", whole);
    for (char *slash = strchr(path + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    file = fopen(whole, "w");
    assert_non_null(file);
    assert_true(fputs(words, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return whole;
}

char *file_text(const char *path)
{
    char why[300] = "";
    char *const held = base_read_file(path, why, sizeof why);

    if (held == NULL)
        fail_msg("%s", why);
    return held;
}

char *scratch_read(const char *path)
{
    return file_text(below(path));
}

int scratch_has(const char *path)
{
    return access(below(path), F_OK) == 0;
}

char *written(void)
{
    if (stream != NULL)
        assert_int_equal(fclose(stream), 0);
    stream = NULL;
    return text;
}

FILE *writing(void)
{
    free(written());
    text = NULL;
    stream = open_memstream(&text, &length);
    assert_non_null(stream);
    return stream;
}

void scratch_begin_test(void)
{
    in_test = 1;
}

void scratch_end(int all)
{
    free(written());
    text = NULL;
    if (folder[0] == '\0' || !(all || of_test))
        return;
    if (home >= 0) {
        assert_int_equal(fchdir(home), 0);
        close(home);
        home = -1;
    }
    RUN_GIVES(0, NULL, "chmod -R u+rwX %s; rm -rf %s", folder, folder);
    folder[0] = '\0';
}
