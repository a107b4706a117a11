/*
 * options.h: what does a command line ask for?
 *
 * A program has one table of options. It is read, checked and shown by --help
 * here, so that all programs refuse a mistake in the same words. --help and
 * --version are known to each and stand in no table.
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stddef.h>

struct base_option {
    const char *name;  /* without its dashes; NULL: help heads what follows */
    char letter;       /* as -j, or 0 */
    const char *value; /* what --help calls its value; NULL: it takes none, and
                          an int becomes 1 */
    const char *help;
    size_t at;       /* where, in the struct that is filled in */
    int least, most; /* of an int; most is 0: a text that is not empty, as a
                        const char * that points into argv */
    /* Reads any other value, to the place of `at`. Returns 0, or -1 with a line
       in why, which should begin with the option's name. */
    int (*read)(const char *text, void *to, char *why, size_t size);
    const char *choice; /* one of these words, as "no yes": an int, from 0 */
};

struct base_command {
    const struct base_option *option;
    int options;
    const char *argument; /* what --help calls the one word that is no option,
                             as "[FOLDER]"; NULL: there is none */
    size_t argument_at;   /* a const char * */
    const char *about;    /* for --help; behind a \v: below the options */
};

/*
 * Reads argv, whose strings must outlive *to, a struct whose defaults are set.
 * Returns 0; 1 if --help was asked for, which is shown; or -1 with one line
 * about the first mistake in why. --version ends the program.
 */
int base_options_read(const struct base_command *command, int argc, char **argv,
                      void *to, char *why, size_t size);

#endif /* BASE_OPTIONS_H */
