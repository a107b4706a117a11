/* command.h: runs a program as a user would and keeps what it prints. */
#ifndef TESTS_COMMAND_H
#define TESTS_COMMAND_H

/* In front of a program, within a command line: lets it run on one core. */
#define ON_ONE_CORE "taskset -c $(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')"

/* What a program left behind. */
struct command {
    int code;   /* exit code; 128 + n if signal n ended it */
    char *text; /* stdout and stderr together; freed by command_free */
};

/* Runs a shell command line, given in printf's form. Fails the test if it
   cannot be started. */
struct command command_run(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
void command_free(struct command *command);

/* Skips the test, and says so, where the program is not installed. */
void command_needs(const char *program);

/* Skips the test, and says so, where no pseudo-terminal can be opened: a
   container may have none. */
void command_needs_terminal(void);

/* 1 if labs/INDEX says that the lab needs more than the CPU device has. */
int command_lab_needs_gpu(const char *lab);

/* Fail the test, showing the output, unless it holds the words, or unless the
   exit code is the expected one. */
void command_says(const struct command *command, const char *words);
void command_ends(const struct command *command, int code);

/* Words for a check of what was printed: those behind NOT must not be there. */
#define SAYS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NOT       "\1"

enum {
    ANY_CODE = -1
};

/* Fails the test, showing the output, unless the command ended with the code
   (ANY_CODE: with whichever) and printed the words (NULL: whatever it printed).
   Frees the command. */
void command_gives(struct command command, int code, const char *const *words);

/* The same of a command line in printf's form. */
#define RUN_GIVES(code, words, ...) \
    command_gives(command_run(__VA_ARGS__), code, words)

/* Fails the test, showing the text, unless it holds the words. */
void text_has(const char *text, const char *const *words);

/*
 * The same as command_says, for words that name lines of a source: {text}
 * stands for the number of the first line with that text, and {A}, one letter,
 * for that of the line with the comment A. How the output is broken into lines
 * does not matter.
 */
void command_says_lines(const struct command *command, const char *words,
                        const char *source);

#endif /* TESTS_COMMAND_H */
