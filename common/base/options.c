#define _GNU_SOURCE
#include "base/options.h"

#include "base/refuse.h"
#include "base/version.h"
#include "base/words.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The key of the first option; those of the others follow. */
enum {
    FIRST_KEY = 256
};

struct reading {
    const struct base_command *command;
    char *to;
    char *why;
    size_t size;
    int arguments, help;
};

static int read_int(const struct base_option *o, const char *text, int *value,
                    char *why, size_t size)
{
    unsigned long long number;

    if (base_whole_number(text, (unsigned)o->most, &number) != 0 ||
        number < (unsigned)o->least) {
        return base_refuse(why, size,
                           "--%s: '%.40s' is not a whole number from %d to %d",
                           o->name, text, o->least, o->most);
    }
    *value = (int)number;
    return 0;
}

static int read_choice(const struct base_option *o, const char *text,
                       int *value, char *why, size_t size)
{
    char words[200];

    *value = base_find_word(text, o->choice);
    if (*value >= 0)
        return 0;
    base_list_words(words, sizeof words, o->choice);
    return base_refuse(why, size, "--%s: '%.40s' is not known: use %s", o->name,
                       text, words);
}

static int read_value(const struct reading *r, const struct base_option *o,
                      const char *text)
{
    void *const to = r->to + o->at;

    if (o->value == NULL) {
        *(int *)to = 1;
        return 0;
    }
    if (o->read != NULL)
        return o->read(text, to, r->why, r->size);
    if (o->choice != NULL)
        return read_choice(o, text, to, r->why, r->size);
    if (o->most > 0)
        return read_int(o, text, to, r->why, r->size);
    if (text[0] == '\0')
        return base_refuse(r->why, r->size, "--%s: is empty", o->name);
    *(const char **)to = text;
    return 0;
}

static int read_argument(struct reading *r, const char *text)
{
    const struct base_command *const c = r->command;

    if (c->argument == NULL) {
        return base_refuse(r->why, r->size,
                           "'%.40s' is not an option (--help lists them)",
                           text);
    }
    if (r->arguments++ > 0) {
        return base_refuse(r->why, r->size,
                           "'%.40s' is one too many: there is one %s", text,
                           c->argument);
    }
    if (text[0] == '\0')
        return base_refuse(r->why, r->size, "%s: is empty", c->argument);
    *(const char **)(void *)(r->to + c->argument_at) = text;
    return 0;
}

/* Says what is wrong with a word that argp did not take as an option. */
static void explain_word(const struct reading *r, const char *word)
{
    const char *const name = word + strspn(word, "-");
    const size_t length = strcspn(name, "=");

    for (int i = 0; i < r->command->options; i++) {
        const struct base_option *const o = &r->command->option[i];

        if (o->name == NULL || strlen(o->name) != length ||
            strncmp(o->name, name, length) != 0)
            continue;
        if (o->value != NULL) {
            snprintf(r->why, r->size, "--%s needs a value: --%s %s", o->name,
                     o->name, o->value);
        } else {
            snprintf(r->why, r->size, "--%s takes no value", o->name);
        }
        return;
    }
    snprintf(r->why, r->size, "'%.40s' is not an option (--help lists them)",
             word);
}

static int key_of(const struct base_command *c, int i)
{
    return c->option[i].letter != 0 ? c->option[i].letter : FIRST_KEY + i;
}

static error_t read_option(int key, char *text, struct argp_state *state)
{
    struct reading *const r = state->input;

    switch (key) {
    case 'h':
        r->help = 1;
        return 0;
    case 'V':
        base_version_show();
    case ARGP_KEY_ARG:
        return read_argument(r, text) == 0 ? 0 : EINVAL;
    case ARGP_KEY_ERROR:
        if (r->why[0] == '\0')
            explain_word(r, state->argv[state->next - 1]);
        return 0;
    default:
        for (int i = 0; i < r->command->options; i++) {
            if (r->command->option[i].name != NULL &&
                key_of(r->command, i) == key) {
                return read_value(r, &r->command->option[i], text) == 0
                           ? 0
                           : EINVAL;
            }
        }
        return ARGP_ERR_UNKNOWN;
    }
}

/* The table as argp wants it, for free(); NULL without memory. */
static struct argp_option *options_for_argp(const struct base_command *c)
{
    struct argp_option *const all = calloc((size_t)c->options + 3, sizeof *all);
    int group = 0;

    if (all == NULL)
        return NULL;

    for (int i = 0; i < c->options; i++) {
        const struct base_option *const o = &c->option[i];

        all[i] = (struct argp_option){.name = o->name,
                                      .key = o->name ? key_of(c, i) : 0,
                                      .arg = o->value,
                                      .doc = o->help,
                                      .group = o->name ? 0 : ++group};
    }
    all[c->options] = (struct argp_option){
        .name = "help", .key = 'h', .doc = "Show this list"};
    all[c->options + 1] = (struct argp_option){
        .name = "version", .key = 'V', .doc = "Show the course's version"};
    return all;
}

int base_options_read(const struct base_command *command, int argc, char **argv,
                      void *to, char *why, size_t size)
{
    struct argp_option *const all = options_for_argp(command);
    const struct argp parser = {.options = all,
                                .parser = read_option,
                                .args_doc = command->argument,
                                .doc = command->about};
    struct reading r = {command, to, why, size, 0, 0};
    int result = 0;

    why[0] = '\0';
    if (all == NULL) {
        snprintf(why, size, "out of memory");
        return -1;
    }
    if (argp_parse(&parser, argc, argv,
                   ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &r) != 0) {
        if (why[0] == '\0')
            snprintf(why, size, "the options cannot be read (see --help)");
        result = -1;
    } else if (r.help) {
        argp_help(&parser, stdout,
                  ARGP_HELP_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, argv[0]);
        result = 1;
    }
    free(all);
    return result;
}
