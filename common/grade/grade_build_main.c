/*
 * grade_build: makes a student's program, in a compile box.
 *
 * The source, which was vetted, comes on descriptor 3. It is rewritten for g++
 * (simt/rewrite.h), compiled as the analyse build of a lab is, given its tables
 * (simt/tables/tables.h), stripped of all names that are nobody's business and
 * linked with the runner. The program goes to descriptor 4, the
 * object to 5, for the grader to look at.
 *
 * Ends with 0; with 1 if the source is at fault, whose mistakes are told on
 * stderr; with 3 if compiling it takes more than there is for it; and with 2 if
 * something is wrong with this machine.
 */
#define _GNU_SOURCE
#include "box.h"
#include "symbols.h"

#include "simt/rewrite/rewrite.h"
#include "simt/tables/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    EXIT_MISTAKE = 1,
    EXIT_MACHINE = 2,
    EXIT_LIMIT = 3,
    MOST_ARGUMENTS = 128
};

static void __attribute__((noreturn)) die(const char *what)
{
    fprintf(stderr, "grade_build: %s: %s\n", what, strerror(errno));
    exit(EXIT_MACHINE);
}

/* --- arguments -------------------------------------------------------------------- */

struct arguments {
    char *word[MOST_ARGUMENTS + 1];
    int count;
};

static void add(struct arguments *a, const char *word)
{
    if (a->count == MOST_ARGUMENTS ||
        (a->word[a->count] = strdup(word)) == NULL)
        die("arguments");
    a->word[++a->count] = NULL;
}

/* Adds the words of a file of the kit, which blanks and line ends part. */
static void add_file(struct arguments *a, const char *path)
{
    FILE *file = fopen(path, "re");
    char word[400];

    if (file == NULL)
        die(path);
    while (fscanf(file, "%399s", word) == 1)
        add(a, word);
    fclose(file);
}

static void drop(struct arguments *a)
{
    for (int i = 0; i < a->count; i++)
        free(a->word[i]);
    a->count = 0;
}

/* Runs a program to its end and drops its arguments. If it fails, this program
   ends as well, with EXIT_MISTAKE if `mistakes` is 1 and the exit code says so. */
static void run(struct arguments *a, int mistakes)
{
    const pid_t child = a->count > 0 ? fork() : -1;
    int status;

    if (child == 0) {
        execvp(a->word[0], a->word);
        _exit(EXIT_MACHINE);
    }
    if (child < 0)
        die("fork");
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            die("waitpid");
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
        fprintf(stderr, "grade_build: somebody killed %s\n", a->word[0]);
        exit(EXIT_MACHINE);
    }
    if (WIFSIGNALED(status))
        exit(EXIT_LIMIT);
    if (WEXITSTATUS(status) == 4) /* g++: the compiler itself was ended */
        exit(EXIT_LIMIT);
    if (WEXITSTATUS(status) != 0) {
        exit(mistakes && WEXITSTATUS(status) == 1 ? EXIT_MISTAKE
                                                  : EXIT_MACHINE);
    }
    drop(a);
}

/* --- files ------------------------------------------------------------------------ */

static char *read_all(int descriptor, size_t *size)
{
    size_t room = 0;
    char *bytes = NULL;

    *size = 0;
    for (;;) {
        ssize_t got;

        if (*size == room) {
            room = 2 * room + (1 << 16);
            bytes = realloc(bytes, room);
            if (bytes == NULL)
                die("memory");
        }
        got = read(descriptor, bytes + *size, room - *size);
        if (got == 0)
            return bytes;
        if (got < 0 && errno != EINTR)
            die("read");
        if (got > 0)
            *size += (size_t)got;
    }
}

static void write_all(int descriptor, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t sent = write(descriptor, bytes, size);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            die("write");
        bytes += sent;
        size -= (size_t)sent;
    }
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);

    if (file == NULL)
        die(path);
    return file;
}

static void close_file(FILE *file, const char *path)
{
    if (ferror(file) || fclose(file) != 0)
        die(path);
}

static void give(const char *path, int descriptor)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    size_t size;
    char *bytes;

    if (file < 0)
        die(path);
    bytes = read_all(file, &size);
    write_all(descriptor, bytes, size);
    free(bytes);
    close(file);
}

/* --- steps ------------------------------------------------------------------------ */

static void rewrite(const char *name)
{
    char *text, *output, why[600];
    size_t size, length;
    FILE *file;

    text = read_all(GRADE_BOX_INPUT, &size);
    if (simt_rewrite(text, size, name, &output, &length, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        exit(EXIT_MISTAKE);
    }
    file = open_file("lab.cpp", "we");
    fwrite(output, 1, length, file);
    close_file(file, "lab.cpp");
    free(output);
    free(text);
}

static void compile(const char *kit)
{
    struct arguments a = {.count = 0};
    char path[500];

    snprintf(path, sizeof path, "%s/compile.flags", kit);
    add_file(&a, path);
    snprintf(path, sizeof path, "-I%s/include", kit);
    add(&a, path);
    add(&a, "lab.cpp");
    add(&a, "-o");
    add(&a, "lab.s");
    run(&a, 1);
}

/* The tool stands ready to call the constructor __tsan_init before main: the
   runner has nothing to prepare, and no lab may have constructors. */
static void drop_constructor(FILE *from, FILE *to, const char *name)
{
    char *line = NULL;
    size_t room = 0;
    int dropping = 0;

    while (getline(&line, &room, from) > 0) {
        if (strncmp(line, "#APP", 4) == 0) { /* no header of the kit has any */
            fprintf(stderr, "%s: it holds inline assembly.\n", name);
            exit(EXIT_MISTAKE);
        }
        if (strstr(line, ".section\t.init_array.00099,") != NULL)
            dropping = 3; /* the section, its alignment and its one entry */
        if (dropping > 0) {
            dropping--;
            continue;
        }
        fputs(line, to);
    }
    free(line);
}

static void assemble(const char *name)
{
    struct arguments a = {.count = 0};
    FILE *from = open_file("lab.s", "re"), *to = open_file("table.s", "we");
    char why[256];

    if (simt_tables_add(from, to, 0, why, sizeof why) != 0) {
        fprintf(stderr, "grade_build: %s\n", why);
        exit(errno == ENOMEM ? EXIT_LIMIT : EXIT_MACHINE);
    }
    fclose(from);
    close_file(to, "table.s");
    from = open_file("table.s", "re");
    to = open_file("plain.s", "we");
    drop_constructor(from, to, name);
    fclose(from);
    close_file(to, "plain.s");
    add(&a, "as");
    add(&a, "plain.s");
    add(&a, "-o");
    add(&a, "plain.o");
    run(&a, 0);
}

/* What may write is bound to the runner's functions, and what is not the lab's
   contract is made local. */
static void bind(void)
{
    struct arguments a = {.count = 0};
    FILE *file = open_file("names", "we");
    char option[100];

    for (size_t i = 0; grade_symbol_guarded(i) != NULL; i++) {
        fprintf(file, "%s " GRADE_GUARDED "%s\n", grade_symbol_guarded(i),
                grade_symbol_guarded(i));
    }
    close_file(file, "names");
    add(&a, "objcopy");
    add(&a, "--redefine-syms=names");
    for (size_t i = 0; grade_symbol_offered(i) != NULL; i++) {
        snprintf(option, sizeof option, "--keep-global-symbol=%s",
                 grade_symbol_offered(i));
        add(&a, option);
    }
    add(&a, "plain.o");
    add(&a, "lab.o");
    run(&a, 0);
}

/* The words of link.flags, with the student's object where it says LAB and the
   kit's folder for KIT. */
static void link_program(const char *kit)
{
    struct arguments words = {.count = 0}, a = {.count = 0};
    char path[600];

    snprintf(path, sizeof path, "%s/link.flags", kit);
    add_file(&words, path);
    for (int i = 0; i < words.count; i++) {
        if (strcmp(words.word[i], "LAB") == 0) {
            add(&a, "lab.o");
        } else if (strncmp(words.word[i], "KIT/", 4) == 0) {
            snprintf(path, sizeof path, "%s/%s", kit, words.word[i] + 4);
            add(&a, path);
        } else {
            add(&a, words.word[i]);
        }
    }
    drop(&words);
    run(&a, 1);
}

/* A folder to work in, which goes with the program: a box takes its own along,
   and where there is none, several of these may run side by side. */
static char folder[300];

static void remove_folder(void)
{
    static const char *const files[] = {"lab.cpp", "lab.s",   "table.s",
                                        "plain.s", "plain.o", "names",
                                        "lab.o",   "program"};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    rmdir(folder);
}

int main(int argc, char **argv)
{
    /* getauxval(3): the path name used to execute the program. */
    const char *name = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    char kit[400];

    if (argc != 2 || name == NULL || strrchr(name, '/') == NULL) {
        fputs("usage: KIT/grade_build NAME.cu  <source on descriptor 3>\n",
              stderr);
        return EXIT_MACHINE;
    }
    /* A box gives no environment; g++ looks for its parts beside itself. */
    setenv("PATH", "/usr/bin", 1);
    setenv("LC_ALL", "C", 1);
    snprintf(kit, sizeof kit, "%.*s", (int)(strrchr(name, '/') - name), name);
    snprintf(folder, sizeof folder, "%s/grade_XXXXXX",
             getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        die(folder);
    atexit(remove_folder);
    rewrite(argv[1]);
    compile(kit);
    assemble(argv[1]);
    bind();
    give("lab.o", GRADE_BOX_REPORT);
    link_program(kit);
    give("program", GRADE_BOX_RESULT);
    return EXIT_SUCCESS;
}
