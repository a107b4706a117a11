#define _GNU_SOURCE
#include "grade/slurm.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_WORDS = 64 /* of a command */
};

/* Memory of a task: of a compiler (build.c) and of the grader. */
static const char memory[] = "--mem=3G";

/* --- its programs ------------------------------------------------------------ */

struct command {
    char *word[MOST_WORDS + 1];
    int words;
    int full; /* 1: a word is missing */
};

__attribute__((format(printf, 2, 3))) static void add(struct command *command,
                                                      const char *form, ...)
{
    va_list list;
    char *word;

    va_start(list, form);
    if (command->words == MOST_WORDS || vasprintf(&word, form, list) < 0) {
        command->full = 1;
    } else {
        command->word[command->words++] = word;
    }
    va_end(list);
}

static void free_command(struct command *command)
{
    for (int i = 0; i < command->words; i++)
        free(command->word[i]);
}

/* All that was written to a file, with a NUL behind it; for free(). */
static char *read_all(int file)
{
    const off_t length = lseek(file, 0, SEEK_END);
    char *const text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    const ssize_t got = text != NULL ? pread(file, text, (size_t)length, 0) : 0;

    if (text != NULL)
        text[got > 0 ? got : 0] = '\0';
    return text;
}

/* Starts a program with its output and its messages in these files. The
   signals that this process holds back end it. Returns 0 or an errno. */
static int start(pid_t *process, char *const *word, int out, int messages)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, standard;
    int error;

    sigemptyset(&none);
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    if (posix_spawnattr_init(&how) != 0)
        return ENOMEM;
    if (posix_spawn_file_actions_init(&files) != 0) {
        posix_spawnattr_destroy(&how);
        return ENOMEM;
    }
    posix_spawnattr_setflags(&how,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &standard);
    error = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    if (error == 0) {
        error =
            posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
    }
    if (error == 0)
        error = posix_spawnp(process, word[0], &files, &how, word, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return error;
}

/* Takes the last line that says something, which is where Slurm's programs say
   why. */
static void take_words(const char *messages, char *why, size_t size)
{
    size_t end = messages != NULL ? strlen(messages) : 0, begin;

    while (end > 0 && messages[end - 1] == '\n')
        end--;
    for (begin = end; begin > 0 && messages[begin - 1] != '\n';)
        begin--;
    snprintf(why, size, "%.*s", (int)(end - begin),
             end > 0 ? messages + begin : "");
}

/* Runs a program of Slurm's and waits for it. Returns what it printed, for
   free(), or NULL with its words in why. Frees the command. */
static char *run(struct command *command, char *why, size_t size)
{
    const int out = memfd_create("out", MFD_CLOEXEC);
    const int messages = memfd_create("messages", MFD_CLOEXEC);
    const char *const name = command->words > 0 ? command->word[0] : "Slurm";
    char *text = NULL, *words = NULL;
    pid_t process;
    int error = out < 0 || messages < 0 ? errno : 0, status = 0;

    if (command->full)
        error = ENOMEM;
    if (error == 0)
        error = start(&process, command->word, out, messages);
    if (error == 0 && waitpid(process, &status, 0) < 0)
        error = errno;
    if (error == 0) {
        text = read_all(out);
        words = read_all(messages);
    }
    if (error != 0) {
        snprintf(why, size, "%s: %s", name, strerror(error));
    } else if (status != 0 || text == NULL) {
        take_words(words, why, size);
        if (why[0] == '\0')
            snprintf(why, size, "%s: failed without a word", name);
        free(text);
        text = NULL;
    }
    free(words);
    if (out >= 0)
        close(out);
    if (messages >= 0)
        close(messages);
    free_command(command);
    return text;
}

/* Is the program in PATH? */
static int is_in_path(const char *program)
{
    const char *folder = getenv("PATH");

    while (folder != NULL && *folder != '\0') {
        const size_t length = strcspn(folder, ":");
        char path[4096];

        snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, program);
        if (length > 0 && access(path, X_OK) == 0)
            return 1;
        folder += length + (folder[length] == ':');
    }
    return 0;
}

int grade_slurm_find(char *why, size_t size)
{
    static const char *const needed[] = {"sbatch", "squeue", "scancel"};

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (is_in_path(needed[i]))
            continue;
        snprintf(why, size,
                 "ENGINE=slurm: there is no %s in PATH: run this where jobs "
                 "are submitted, or load the site's module of Slurm "
                 "(ENGINE=local needs none)",
                 needed[i]);
        return -1;
    }
    return 0;
}

/* --- what is asked of it ----------------------------------------------------- */

/* A whole number, 0 to 999999; -1: it is none. */
static int read_number(const char *text)
{
    char *end;
    const long number = strtol(text, &end, 10);

    return end == text || *end != '\0' || number < 0 || number > 999999
               ? -1
               : (int)number;
}

int grade_slurm_processors(const char *partition)
{
    struct command command = {.words = 0};
    char why[100], *text, *rest = NULL;
    int sum = 0;

    add(&command, "sinfo");
    add(&command, "--noheader");
    add(&command, "--format=%%P %%C");
    if (partition != NULL)
        add(&command, "--partition=%s", partition);
    text = run(&command, why, sizeof why);
    for (char *line = text != NULL ? strtok_r(text, "\n", &rest) : NULL;
         line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char name[200], busy[8], idle[8];

        /* Busy, idle, out of order, all. The default's name ends with '*'. */
        if (sscanf(line, "%199s %7[0-9]/%7[0-9]/", name, busy, idle) == 3 &&
            (partition != NULL || name[strlen(name) - 1] == '*') &&
            read_number(busy) >= 0 && read_number(idle) >= 0)
            sum += read_number(busy) + read_number(idle);
    }
    free(text);
    return sum;
}

int grade_slurm_submit(const struct grade_slurm_array *array, char number[24],
                       char *why, size_t size)
{
    struct command command = {.words = 0};
    char most[20] = "", *text;

    if (array->at_a_time > 0)
        snprintf(most, sizeof most, "%%%d", array->at_a_time);
    add(&command, "sbatch");
    add(&command, "--parsable");
    add(&command, "--job-name=%s", array->name);
    add(&command, "--array=0-%d%s", array->tasks - 1, most);
    add(&command, "--ntasks=1");
    add(&command, "--cpus-per-task=1");
    add(&command, "%s", memory);
    add(&command, "--output=/dev/null"); /* the script writes a log */
    if (array->partition != NULL)
        add(&command, "--partition=%s", array->partition);
    if (array->account != NULL)
        add(&command, "--account=%s", array->account);
    if (array->without[0] != '\0')
        add(&command, "--exclude=%s", array->without);
    add(&command, "%s", array->script);
    for (const char *const *a = array->arguments; *a != NULL; a++)
        add(&command, "%s", *a);
    text = run(&command, why, size);
    if (text == NULL)
        return -1;
    snprintf(number, 24, "%.*s", (int)strspn(text, "0123456789"), text);
    free(text);
    return 0;
}

/* Has a task in this state ended for good? */
static int has_ended(const char *state)
{
    static const char *const ended[] = {
        "BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE", "FAILED",
        "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY", "TIMEOUT",  "REVOKED"};

    for (size_t i = 0; i < sizeof ended / sizeof ended[0]; i++) {
        if (strcmp(state, ended[i]) == 0)
            return 1;
    }
    return 0;
}

/* Reads a line of squeue. */
static void take_line(const char *line, struct grade_slurm_state *state,
                      struct grade_slurm_task *task, int tasks)
{
    struct grade_slurm_task t;
    char index[20], code[12];
    int number, status;

    t.reason[0] = '\0';
    if (sscanf(line, "%19s %23s %11s %255s %127[^\n]", index, t.state, code,
               t.node, t.reason) < 4)
        return;
    for (size_t end = strlen(t.reason); end > 0 && t.reason[end - 1] == ' ';)
        t.reason[--end] = '\0';
    status = read_number(code);
    t.exit_code = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (!has_ended(t.state)) {
        state->alive++;
        if (strcmp(t.state, "PENDING") != 0) {
            state->running++;
        } else if (strcmp(t.reason, "JobArrayTaskLimit") != 0) {
            memcpy(state->reason, t.reason, sizeof state->reason);
        }
    }
    number = read_number(index);
    if (number >= 0 && number < tasks)
        task[number] = t;
}

int grade_slurm_look(const char *name, struct grade_slurm_state *state,
                     struct grade_slurm_task *task, int tasks, char *why,
                     size_t size)
{
    struct command command = {.words = 0};
    char *text, *rest = NULL;

    *state = (struct grade_slurm_state){.alive = 0};
    add(&command, "squeue");
    add(&command, "--noheader");
    add(&command, "--array");
    add(&command, "--states=all");
    add(&command, "--name=%s", name);
    add(&command, "--Format=ArrayTaskID:20,State:24,exit_code:12,BatchHost:256,"
                  "Reason:120");
    text = run(&command, why, size);
    if (text == NULL)
        return -1;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        take_line(line, state, task, tasks);
    free(text);
    return 0;
}

int grade_slurm_cancel(const char *name, char *why, size_t size)
{
    struct command command = {.words = 0};
    char *text;

    add(&command, "scancel");
    add(&command, "--name=%s", name);
    text = run(&command, why, size);
    free(text);
    return text != NULL ? 0 : -1;
}
