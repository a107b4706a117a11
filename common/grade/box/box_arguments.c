/* box_arguments.c: what does a box see? See box_parts.h. */
#define _GNU_SOURCE
#include "grade/box/box_parts.h"

#include "base/memory.h"

#include <argz.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Writes words up to a NULL, each with a NUL behind it. */
static void add_words(FILE *to, const char *const *word)
{
    for (; *word; word++)
        fwrite(*word, 1, strlen(*word) + 1, to);
}
#define ADD(to, ...) add_words(to, (const char *const[]){__VA_ARGS__, NULL})

/* Programs and libraries of the machine, which has all of them in /usr. g++ can
   be a link through /etc/alternatives (Debian). */
static void add_system(FILE *to)
{
    ADD(to, "--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/alternatives",
        "/etc/alternatives", "--dev-bind", "/dev/null", "/dev/null",
        "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib",
        "--symlink", "usr/lib64", "/lib64");
}

/* A /tmp that goes with the box. */
static void add_tmp(FILE *to)
{
    char size[32];

    (void)snprintf(size, sizeof size, "%zu", BOX_TMP_BYTES);
    ADD(to, "--perms", "0700", "--size", size, "--tmpfs", "/tmp");
}

/*
 * What the driver's library opens: the devices of all GPUs, and its own process
 * in /proc, which here holds the processes of the box alone.
 */
static void add_gpu(FILE *to)
{
    glob_t devices = {.gl_pathc = 0};

    ADD(to, "--proc", "/proc", "--ro-bind-try", "/etc/ld.so.cache",
        "/etc/ld.so.cache");
    if (glob("/dev/nvidia*", 0, NULL, &devices) == 0) {
        for (size_t i = 0; i < devices.gl_pathc; i++) {
            const char *const device = devices.gl_pathv[i];
            struct stat about;

            if (stat(device, &about) == 0 && S_ISCHR(about.st_mode)) {
                ADD(to, "--dev-bind", device, device);
            }
        }
    }
    globfree(&devices);
}

static void add_namespaces(FILE *to, const struct grade_box_job *job)
{
    char self[16];

    ADD(to, BOX_BWRAP, "--unshare-all", "--unshare-user", "--disable-userns",
        "--uid", "65534", "--gid", "65534", "--die-with-parent",
        "--new-session", "--as-pid-1", "--cap-drop", "ALL", "--clearenv",
        "--ro-bind", job->folder, GRADE_BOX_FOLDER);
    if (job->kind != GRADE_BOX_RUN) {
        add_system(to);
        add_tmp(to);
    }
    if (job->kind == GRADE_BOX_GPU)
        add_gpu(to);
    ADD(to, "--chdir",
        job->kind == GRADE_BOX_COMPILE ? "/tmp" : GRADE_BOX_FOLDER);
    (void)snprintf(self, sizeof self, "%d", BOX_SELF);
    ADD(to, "--perms", "0555", "--ro-bind-data", self, BOX_INIT_PATH,
        "--remount-ro", "/", "--", BOX_INIT_PATH);
}

/*
 * Where there is no namespace, there is no GRADE_BOX_FOLDER either: an argument
 * that begins with it is led to the folder itself. A program begins in there; a
 * compiler begins elsewhere, and has it open.
 */
static void add_led(FILE *to, const char *word, const char *folder)
{
    const size_t length = strlen(GRADE_BOX_FOLDER);

    if (strncmp(word, GRADE_BOX_FOLDER, length) == 0 &&
        (word[length] == '\0' || word[length] == '/')) {
        fputs(folder, to);
        word += length;
    }
    ADD(to, word);
}

static void add_job(FILE *to, const struct grade_box_job *job)
{
    const int boxed = job->isolation == GRADE_BOXED;

    if (boxed) {
        add_namespaces(to, job);
    } else {
        ADD(to, BOX_INIT_PATH);
    }
    for (const char *const *word = job->argv; *word; word++) {
        add_led(to, *word,
                boxed                            ? GRADE_BOX_FOLDER
                : job->kind == GRADE_BOX_COMPILE ? BOX_PLACE_PATH
                                                 : ".");
    }
}

char **box_arguments(const struct grade_box_job *job)
{
    struct base_memory words;
    char *text, **argv = NULL;

    if (base_memory_open(&words))
        add_job(words.file, job);
    text = base_memory_close(&words);
    if (text)
        argv = calloc(argz_count(text, words.length) + 1, sizeof *argv);
    if (argv) {
        argz_extract(text, words.length, argv);
    } else {
        free(text);
        errno = ENOMEM;
    }
    return argv;
}

void box_arguments_free(char **argv)
{
    if (argv)
        free(argv[0]); /* where all of them lie */
    free(argv);
}
