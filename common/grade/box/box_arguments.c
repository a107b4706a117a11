/* box_arguments.c: what does a box see? See box_parts.h. */
#define _GNU_SOURCE
#include "grade/box/box_parts.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct words {
    char **word;
    size_t count;
    int failed;
};

static void add_owned(struct words *words, char *word)
{
    char **more =
        realloc(words->word, (words->count + 2) * sizeof *words->word);

    if (more) {
        words->word = more;
        more[words->count] = NULL;
    }
    if (!more || !word) {
        words->failed = 1;
        free(word);
        return;
    }
    more[words->count++] = word;
    more[words->count] = NULL;
}

static void add_word(struct words *words, const char *word)
{
    add_owned(words, strdup(word));
}

/* Ends with a NULL. */
static void add_all(struct words *words, const char *const *all)
{
    for (; *all; all++)
        add_word(words, *all);
}

/*
 * Adds what leads a compiler to its libraries: on a merged /usr, /lib is a link
 * to usr/lib; elsewhere it is a folder.
 */
static void add_library_folder(struct words *words, const char *folder)
{
    char target[PATH_MAX];
    struct stat about;
    ssize_t length;

    if (lstat(folder, &about) != 0)
        return;
    if (!S_ISLNK(about.st_mode)) {
        add_all(words,
                (const char *const[]){"--ro-bind", folder, folder, NULL});
        return;
    }
    length = readlink(folder, target, sizeof target - 1);
    if (length > 0) {
        target[length] = '\0';
        add_all(words,
                (const char *const[]){"--symlink", target, folder, NULL});
    }
}

/* Programs and libraries of the machine. g++ can be a link through
   /etc/alternatives (Debian). */
static void add_system(struct words *words)
{
    static const char *const folders[] = {"/bin", "/lib", "/lib32", "/lib64",
                                          "/libx32"};

    add_all(words, (const char *const[]){"--ro-bind", "/usr", "/usr",
                                         "--ro-bind-try", "/etc/alternatives",
                                         "/etc/alternatives", "--dev-bind",
                                         "/dev/null", "/dev/null", NULL});
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        add_library_folder(words, folders[i]);
}

/* A /tmp that goes with the box. */
static void add_tmp(struct words *words)
{
    char size[32];

    (void)snprintf(size, sizeof size, "%zu", BOX_TMP_BYTES);
    add_all(words, (const char *const[]){"--perms", "0700", "--size", size,
                                         "--tmpfs", "/tmp", NULL});
}

/*
 * What the driver's library opens: the devices of all GPUs, and its own process
 * in /proc, which here holds the processes of the box alone.
 */
static void add_gpu(struct words *words)
{
    glob_t devices = {.gl_pathc = 0};

    add_all(words, (const char *const[]){"--proc", "/proc", "--ro-bind-try",
                                         "/etc/ld.so.cache", "/etc/ld.so.cache",
                                         NULL});
    if (glob("/dev/nvidia*", 0, NULL, &devices) == 0) {
        for (size_t i = 0; i < devices.gl_pathc; i++) {
            const char *const device = devices.gl_pathv[i];
            struct stat about;

            if (stat(device, &about) == 0 && S_ISCHR(about.st_mode)) {
                add_all(words, (const char *const[]){"--dev-bind", device,
                                                     device, NULL});
            }
        }
    }
    globfree(&devices);
}

static void add_namespaces(struct words *words, const struct grade_box_job *job)
{
    char self[16];

    add_all(words, (const char *const[]){
                       BOX_BWRAP, "--unshare-all", "--unshare-user",
                       "--disable-userns", "--uid", "65534", "--gid", "65534",
                       "--die-with-parent", "--new-session", "--as-pid-1",
                       "--cap-drop", "ALL", "--clearenv", "--ro-bind",
                       job->folder, GRADE_BOX_FOLDER, NULL});
    if (job->kind != GRADE_BOX_RUN) {
        add_system(words);
        add_tmp(words);
    }
    if (job->kind == GRADE_BOX_GPU)
        add_gpu(words);
    add_all(words, (const char *const[]){"--chdir",
                                         job->kind == GRADE_BOX_COMPILE
                                             ? "/tmp"
                                             : GRADE_BOX_FOLDER,
                                         NULL});
    (void)snprintf(self, sizeof self, "%d", BOX_SELF);
    add_all(words, (const char *const[]){"--perms", "0555", "--ro-bind-data",
                                         self, BOX_INIT_PATH, "--remount-ro",
                                         "/", "--", BOX_INIT_PATH, NULL});
}

/*
 * Where there is no namespace, there is no GRADE_BOX_FOLDER either: an argument
 * that begins with it is led to the folder itself. A program begins in there; a
 * compiler begins elsewhere, and has it open.
 */
static void add_led(struct words *words, const char *word, const char *folder)
{
    size_t length = strlen(GRADE_BOX_FOLDER);
    char *led;

    if (strncmp(word, GRADE_BOX_FOLDER, length) != 0 ||
        (word[length] != '\0' && word[length] != '/')) {
        add_word(words, word);
        return;
    }
    if (asprintf(&led, "%s%s", folder, word + length) < 0)
        led = NULL;
    add_owned(words, led);
}

char **box_arguments(const struct grade_box_job *job)
{
    struct words words = {0};

    if (job->isolation == GRADE_BOXED) {
        add_namespaces(&words, job);
        add_all(&words, job->argv);
    } else {
        add_word(&words, BOX_INIT_PATH);
        for (const char *const *word = job->argv; *word; word++) {
            add_led(&words, *word,
                    job->kind == GRADE_BOX_COMPILE ? BOX_PLACE_PATH : ".");
        }
    }
    if (words.failed) {
        box_arguments_free(words.word);
        errno = ENOMEM;
        return NULL;
    }
    return words.word;
}

void box_arguments_free(char **argv)
{
    for (char **word = argv; word && *word; word++)
        free(*word);
    free(argv);
}
