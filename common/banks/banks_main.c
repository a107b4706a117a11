/*
 * banks: shows which accesses to shared memory conflict, and why.
 *
 *   banks                           the table, its surprises, and padding
 *   banks --type float --stride 2   one access, lane by lane
 *   banks --csv FILE                the table for a plot
 *
 * Exit codes: 0 done, 2 a wrong call or a file that cannot be written.
 */
#define _GNU_SOURCE
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "banks/demo.h"
#include "base/file.h"
#include "base/version.h"

enum {
    WRONG = 2
};

struct options {
    int type;   /* -1: not given */
    int stride; /* 0: not given */
    int rule;   /* -1: not given */
    const char *csv;
    int help;
    char why[160];
};

static const struct argp_option known[] = {
    {0, 0, 0, 0, "One access s[stride * tid], lane by lane:", 1},
    {"type", 't', "TYPE", 0, "Of s: char, short, float or double", 0},
    {"stride", 's', "N", 0, "Elements from lane to lane, 1 to 64", 0},
    {"rule", 'r', "RULE", 0,
     "1.x, for compute capability 1.x, or today (the default)", 0},
    {0, 0, 0, 0, "Output:", 2},
    {"csv", 'c', "FILE", 0, "Write the table of all strides to FILE", 0},
    {"help", 'h', 0, 0, "Show this list", 0},
    {"version", 'V', 0, 0, "Show the course's version", 0},
    {0, 0, 0, 0, 0, 0}};

static error_t bad_value(struct options *o, const char *name, const char *text,
                         const char *allowed)
{
    snprintf(o->why, sizeof o->why, "--%s: '%.40s' is not %s", name, text,
             allowed);
    return EINVAL;
}

static error_t read_type(struct options *o, const char *text)
{
    for (int type = 0; type < BANKS_TYPES; type++) {
        if (strcmp(text, banks_type_name(type)) == 0) {
            o->type = type;
            return 0;
        }
    }
    return bad_value(o, "type", text, "char, short, float or double");
}

static error_t read_rule(struct options *o, const char *text)
{
    for (int rule = 0; rule < BANKS_RULES; rule++) {
        if (strcmp(text, banks_rule_name((enum banks_rule)rule)) == 0) {
            o->rule = rule;
            return 0;
        }
    }
    return bad_value(o, "rule", text, "1.x or today");
}

static error_t read_stride(struct options *o, const char *text)
{
    char *end = NULL;
    long value = 0;

    errno = 0;
    if (isdigit((unsigned char)text[0]))
        value = strtol(text, &end, 10);
    if (end == NULL || *end != '\0' || errno != 0 || value < 1 ||
        value > BANKS_MAX_STRIDE)
        return bad_value(o, "stride", text, "a whole number from 1 to 64");
    o->stride = (int)value;
    return 0;
}

static error_t read_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 't':
        return read_type(o, text);
    case 's':
        return read_stride(o, text);
    case 'r':
        return read_rule(o, text);
    case 'c':
        if (text[0] == '\0')
            return bad_value(o, "csv", text, "the name of a file");
        o->csv = text;
        return 0;
    case 'h':
        o->help = 1;
        return 0;
    case 'V':
        course_version_show();
    case ARGP_KEY_ARG:
        snprintf(o->why, sizeof o->why,
                 "'%.40s' is not an option (--help lists them)", text);
        return EINVAL;
    case ARGP_KEY_ERROR:
        if (o->why[0] == '\0') {
            snprintf(o->why, sizeof o->why,
                     "'%.40s' is not an option, or its value is missing "
                     "(--help lists them)",
                     state->argv[state->next - 1]);
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    known,
    read_option,
    0,
    "Shows which accesses to shared memory conflict, and why."
    "\vWithout options: the table of all types and strides. Exit status: 0 "
    "done, 2 a wrong call or a file that cannot be written.",
    0,
    0,
    0};

static int options_read(struct options *o, int argc, char **argv)
{
    *o = (struct options){.type = -1, .rule = -1};
    if (argp_parse(&parser, argc, argv,
                   ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, NULL, o) != 0) {
        if (o->why[0] == '\0') {
            snprintf(o->why, sizeof o->why,
                     "the options cannot be read (see --help)");
        }
        return -1;
    }
    if (o->help)
        return 0;
    if ((o->type >= 0) != (o->stride > 0) || (o->rule >= 0 && o->type < 0)) {
        snprintf(o->why, sizeof o->why,
                 "--type and --stride go together, and --rule with both");
        return -1;
    }
    if (o->csv != NULL && o->type >= 0) {
        snprintf(o->why, sizeof o->why,
                 "--csv writes the whole table: leave out --type and --stride");
        return -1;
    }
    return 0;
}

/* Returns 0, or -1 with a message. */
static int write_csv(const char *path, char *why, size_t size)
{
    char *text = NULL;
    size_t length = 0;
    struct stat status;
    FILE *stream;
    int bad;

    /* Else a device, /dev/null say, would be replaced by a file. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        snprintf(why, size, "%s: not a regular file (name another one)", path);
        return -1;
    }
    stream = open_memstream(&text, &length);
    if (stream != NULL)
        banks_demo_csv(stream);
    if (stream == NULL || fclose(stream) != 0) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        free(text);
        return -1;
    }
    bad = course_write_file(path, text, why, size);
    free(text);
    return bad;
}

static int is_coloured(void)
{
    const char *no_color = getenv("NO_COLOR"); /* https://no-color.org */

    return isatty(STDOUT_FILENO) && (no_color == NULL || no_color[0] == '\0');
}

int main(int argc, char **argv)
{
    struct options o;
    char why[512], name[] = "banks";

    if (options_read(&o, argc, argv) != 0) {
        fprintf(stderr, "banks: %s\n", o.why);
        return WRONG;
    }
    if (o.help) {
        argp_help(&parser, stdout,
                  ARGP_HELP_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, name);
    } else if (o.csv != NULL) {
        if (write_csv(o.csv, why, sizeof why) != 0) {
            fprintf(stderr, "banks: %s\n", why);
            return WRONG;
        }
        printf("Passes for %d strides are in %s\n", BANKS_STRIDES, o.csv);
    } else if (o.type >= 0) {
        banks_demo_explain(stdout,
                           o.rule < 0 ? BANKS_TODAY : (enum banks_rule)o.rule,
                           o.type, o.stride, is_coloured());
    } else {
        banks_demo_print(stdout, is_coloured());
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "banks: standard output: %s\n", strerror(errno));
        return WRONG;
    }
    return 0;
}
