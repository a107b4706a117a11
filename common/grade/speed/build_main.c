/*
 * speed_build: makes a student's program for a GPU, in a compile box.
 *
 * The source comes on descriptor 3; nvcc compiles it and links it with the
 * runner; the program goes to descriptor 4. Ends with 0; with 1 if nvcc finds a
 * mistake, which it tells on stderr; and with 2 if something is wrong with this
 * machine.
 */
#define _GNU_SOURCE
#include "grade/box.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    EXIT_MISTAKE = 1,
    EXIT_MACHINE = 2
};

static void __attribute__((noreturn)) die(const char *what)
{
    fprintf(stderr, "speed_build: %s: %s\n", what, strerror(errno));
    exit(EXIT_MACHINE);
}

/* All of one descriptor to another. */
static void copy(int from, int to)
{
    static char bytes[1 << 16];
    ssize_t got;

    while ((got = read(from, bytes, sizeof bytes)) != 0) {
        if (got < 0 && errno != EINTR)
            die("read");
        for (ssize_t sent = 0; sent < got;) {
            const ssize_t now = write(to, bytes + sent, (size_t)(got - sent));

            if (now < 0 && errno != EINTR)
                die("write");
            sent += now > 0 ? now : 0;
        }
    }
}

static int open_file(const char *path, int flags)
{
    const int file = open(path, flags | O_CLOEXEC, 0644);

    if (file < 0)
        die(path);
    return file;
}

/* Runs nvcc to its end. */
enum {
    MOST_WORDS = 15
};

static void compile(const char *const *words)
{
    char *argv[MOST_WORDS + 1] = {
        NULL}; /* execv wants what may be written to */
    pid_t child;
    int status;

    for (int i = 0; i < MOST_WORDS && words[i] != NULL; i++) {
        argv[i] = strdup(words[i]);
        if (argv[i] == NULL)
            die("memory");
    }
    child = fork();

    if (child == 0) {
        if (argv[0] != NULL)
            execv(argv[0], argv);
        _exit(EXIT_MACHINE);
    }
    if (child < 0)
        die("fork");
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            die("waitpid");
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 127)
        exit(EXIT_MACHINE);
    if (WEXITSTATUS(status) != 0)
        exit(EXIT_MISTAKE);
}

int main(int argc, char **argv)
{
    static const char runner[] = GRADE_BOX_FOLDER "/runner.o";
    char architecture[40], source[120];
    int file;

    if (argc != 4) {
        fputs(
            "usage: speed_build NAME.cu NVCC ARCH  <source on descriptor 3>\n",
            stderr);
        return EXIT_MACHINE;
    }
    /* A box gives no environment; nvcc looks for the host's compiler. */
    setenv("PATH", "/usr/bin:/bin", 1);
    setenv("LC_ALL", "C", 1);
    snprintf(architecture, sizeof architecture, "-arch=%s", argv[3]);
    snprintf(source, sizeof source, "./%s", argv[1]);
    if (chdir("/tmp") != 0)
        die("/tmp");
    file = open_file(source, O_WRONLY | O_CREAT | O_EXCL);
    copy(GRADE_BOX_INPUT, file);
    close(file);
    compile((const char *const[]){argv[2], "-std=c++17", "-O3", architecture,
                                  "-w", "-I", GRADE_BOX_FOLDER, source, runner,
                                  "-o", "program", NULL});
    copy(open_file("program", O_RDONLY), GRADE_BOX_RESULT);
    return EXIT_SUCCESS;
}
