/* Reads a command line as GNU's argp does, by getopt_long. */
#include "argp.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* The table as getopt wants it, and its letters. */
static struct option *table(const struct argp *parser, char letters[256])
{
    const struct argp_option *o = parser->options;
    struct option *all;
    size_t count = 0, length = 0;

    while (o[count].name != NULL || o[count].doc != NULL)
        count++;
    all = calloc(count + 1, sizeof *all);
    letters[length++] = '-'; /* words that are no option come as option 1 */
    for (size_t i = 0, to = 0; i < count && all != NULL; i++) {
        if (o[i].name == NULL)
            continue;
        all[to++] =
            (struct option){o[i].name, o[i].arg != NULL, NULL, o[i].key};
        if (o[i].key < 128) {
            letters[length++] = (char)o[i].key;
            if (o[i].arg != NULL)
                letters[length++] = ':';
        }
    }
    letters[length] = '\0';
    return all;
}

error_t argp_parse(const struct argp *parser, int argc, char **argv, int flags,
                   int *index, void *input)
{
    char letters[256];
    struct option *const all = table(parser, letters);
    struct argp_state state = {.argv = argv, .input = input};
    error_t error = all == NULL ? ENOMEM : 0;
    int key;

    (void)flags;
    (void)index;
    opterr = 0;
    optind = 1;
    while (error == 0 &&
           (key = getopt_long(argc, argv, letters, all, NULL)) != -1) {
        error = key == '?' ? EINVAL
                           : parser->parser(key == 1 ? ARGP_KEY_ARG : key,
                                            optarg, &state);
    }
    while (error == 0 && optind < argc)
        error = parser->parser(ARGP_KEY_ARG, argv[optind++], &state);
    state.next = optind;
    if (error != 0)
        parser->parser(ARGP_KEY_ERROR, NULL, &state);
    free(all);
    return error;
}

void argp_help(const struct argp *parser, FILE *to, int flags, char *name)
{
    (void)flags;
    fprintf(to, "Usage: %s [OPTION...] %s\n", name,
            parser->args_doc != NULL ? parser->args_doc : "");
    for (const struct argp_option *o = parser->options;
         o->name != NULL || o->doc != NULL; o++) {
        if (o->name == NULL) {
            fprintf(to, "\n %s\n", o->doc);
        } else {
            fprintf(to, "      --%s%s%s  %s\n", o->name, o->arg ? "=" : "",
                    o->arg ? o->arg : "", o->doc);
        }
    }
}
