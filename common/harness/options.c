#define _GNU_SOURCE
#include "options.h"

#include "base/version.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Keys of options without a letter. */
enum {
    KEY_REPEAT = 256,
    KEY_SEED,
    KEY_CSV,
    KEY_JSON,
    KEY_FINDINGS,
    KEY_RESUME,
    KEY_RENEW,
    KEY_COUNTERS,
    KEY_CHECKS,
    KEY_EXPLAIN,
    KEY_CC,
    KEY_VERBOSE,
    KEY_LIST,
    KEY_CARD,
    KEY_BENCH,
    KEY_CUBLAS,
    KEY_THREADS,
    KEY_MAP,
    KEY_MAP_LINE,
    KEY_MAP_ARRAY,
    KEY_MAP_REQUEST,
    KEY_FOOTPRINT
};

static const struct argp_option known[] = {
    {0, 0, 0, 0, "Size: C is M x N, A is M x K, B is K x N", 1},
    {"m", 'm', "M", 0, "Rows of A and C", 0},
    {"n", 'n', "N", 0, "Columns of B and C", 0},
    {"k", 'k', "K", 0, "Columns of A, rows of B", 0},
    {0, 0, 0, 0, "What to do (without these: verify, then time)", 2},
    {"counters", KEY_COUNTERS, 0, 0,
     "Count memory accesses, barriers and backward jumps; the -analyse "
     "program can",
     0},
    {"checks", KEY_CHECKS, 0, 0,
     "Look for races, reads of what nobody wrote, and the like, at one small "
     "size; the -analyse program can",
     0},
    {"explain-counters", KEY_EXPLAIN, 0, 0,
     "Explain what is counted, with Nsight Compute's names", 0},
    {"bench", KEY_BENCH, 0, 0,
     "Time one size; 1024 is the side on a GPU, 256 on the CPU device", 0},
    {"map", KEY_MAP, "FILE", 0,
     "Write to FILE what each lane of one request asks for, in global and in "
     "shared memory: of the costliest accesses; the -analyse program can",
     0},
    {"footprint", KEY_FOOTPRINT, "FILE", 0,
     "Write to FILE which elements of A, B and C one thread, its warp and its "
     "block touch; with --map or alone",
     0},
    {"list", KEY_LIST, 0, 0, "List sizes, entries, measures and open TODOs", 0},
    {"card", KEY_CARD, 0, 0, "Describe the device", 0},
    {0, 0, 0, 0, "How", 3},
    {"repeat", KEY_REPEAT, "N", 0, "Timed runs; the median counts", 0},
    {"seed", KEY_SEED, "S", 0, "Seed of the random matrices", 0},
    {"threads", KEY_THREADS, "N", 0,
     "Cores that the CPU device uses; 0, the default: all", 0},
    {"cc", KEY_CC, "N.N", 0,
     "Compute capability whose banks count: 1.3, or 9.0 as today", 0},
    {"map-line", KEY_MAP_LINE, "N", 0, "Map the accesses of this source line",
     0},
    {"map-array", KEY_MAP_ARRAY, "NAME", 0, "Map accesses to this array", 0},
    {"map-request", KEY_MAP_REQUEST, "N", 0,
     "Map this request of a warp, counted from 0", 0},
    {"cublas", KEY_CUBLAS, 0, 0, "Time cuBLAS in the same run (GPU)", 0},
    {0, 0, 0, 0, "Output", 4},
    {"csv", KEY_CSV, "FILE", 0,
     "Append a row for each run to FILE; with --card, write the card", 0},
    {"resume", KEY_RESUME, 0, 0,
     "Do nothing if FILE of --csv has these rows from this chip, compiler and "
     "build; else replace older ones",
     0},
    {"renew", KEY_RENEW, 0, 0, "Replace the rows that FILE of --csv has", 0},
    {"json", KEY_JSON, "FILE", 0, "Write the same as JSON to FILE", 0},
    {"findings", KEY_FINDINGS, "FILE", 0,
     "Write what the checks saw and found to FILE, as CSV", 0},
    {"verbose", KEY_VERBOSE, 0, 0,
     "Show the counters by source line, kernel and launch as well", 0},
    {"quiet", 'q', 0, 0, "Print the last line only", 0},
    {"help", 'h', 0, 0, "Show this list", 0},
    {"version", 'V', 0, 0, "Show the course's version", 0},
    {0, 0, 0, 0, 0, 0}};

/* What the parser's callback writes to. */
struct reading {
    struct lab_options *options;
    char *why;
    size_t size;
};

/* Reads a whole number from 0 up. Returns 0, or -1 if text is none or it is
   more than most. */
static int read_whole(const char *text, uint64_t most, uint64_t *value)
{
    char *end;

    if (!isdigit((unsigned char)text[0]))
        return -1;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);

    if (errno != 0 || *end != '\0' || number > most)
        return -1;
    *value = number;
    return 0;
}

static error_t read_int(const struct reading *reading, const char *name,
                        const char *text, int least, int most, int *value)
{
    uint64_t number;

    if (read_whole(text, (uint64_t)most, &number) != 0 ||
        number < (uint64_t)least) {
        snprintf(reading->why, reading->size,
                 "--%s: '%.40s' is not a whole number from %d to %d", name,
                 text, least, most);
        return EINVAL;
    }
    *value = (int)number;
    return 0;
}

/* Reads a compute capability whose banks common/banks knows. */
static error_t read_capability(const struct reading *reading, const char *text,
                               int *banks)
{
    const size_t digits = strspn(text, "0123456789");
    const long major = strtol(text, NULL, 10);

    if (digits < 1 || digits > 2 || text[digits] != '.' ||
        !isdigit((unsigned char)text[digits + 1]) || text[digits + 2] != '\0') {
        snprintf(reading->why, reading->size,
                 "--cc: '%.40s' is no compute capability: write it as 1.3 or "
                 "9.0",
                 text);
        return EINVAL;
    }
    if (major != 1 && major < 5) {
        snprintf(reading->why, reading->size,
                 "--cc: the banks of %s are not known here: use 1.0 to 1.3, or "
                 "5.0 and up, whose rules are published or measured",
                 text);
        return EINVAL;
    }
    *banks = major == 1 ? 1 : 9;
    return 0;
}

static error_t read_path(const struct reading *reading, const char *name,
                         const char *text, const char **path)
{
    if (text[0] == '\0') {
        snprintf(reading->why, reading->size, "--%s: the file has no name",
                 name);
        return EINVAL;
    }
    *path = text;
    return 0;
}

/* Says what is wrong with a word that argp did not take as an option. */
static void explain_word(const struct reading *reading, const char *word)
{
    const size_t length = strcspn(word, "=");
    const char *name = word + strspn(word, "-");
    const size_t name_length = length - (size_t)(name - word);

    for (const struct argp_option *o = known; o->name || o->doc; o++) {
        if (o->name == NULL || strlen(o->name) != name_length ||
            strncmp(o->name, name, name_length) != 0)
            continue;
        if (o->arg != NULL) {
            snprintf(reading->why, reading->size, "--%s needs a value: --%s %s",
                     o->name, o->name, o->arg);
        } else {
            snprintf(reading->why, reading->size, "--%s takes no value",
                     o->name);
        }
        return;
    }
    snprintf(reading->why, reading->size,
             "'%.40s' is not an option (--help lists them)", word);
}

static error_t read_option(int key, char *text, struct argp_state *state)
{
    const struct reading *reading = state->input;
    struct lab_options *o = reading->options;

    switch (key) {
    case 'm':
        return read_int(reading, "m", text, 1, LAB_MAX_SIDE, &o->shape.m);
    case 'n':
        return read_int(reading, "n", text, 1, LAB_MAX_SIDE, &o->shape.n);
    case 'k':
        return read_int(reading, "k", text, 1, LAB_MAX_SIDE - 1, &o->shape.k);
    case KEY_REPEAT:
        return read_int(reading, "repeat", text, 1, LAB_MAX_REPEAT, &o->repeat);
    case KEY_THREADS:
        return read_int(reading, "threads", text, 0, LAB_MAX_THREADS,
                        &o->threads);
    case KEY_SEED:
        if (read_whole(text, UINT64_MAX, &o->seed) == 0)
            return 0;
        snprintf(reading->why, reading->size,
                 "--seed: '%.40s' is not a whole number from 0 to %llu", text,
                 (unsigned long long)UINT64_MAX);
        return EINVAL;
    case KEY_CSV:
        return read_path(reading, "csv", text, &o->csv);
    case KEY_JSON:
        return read_path(reading, "json", text, &o->json);
    case KEY_FINDINGS:
        return read_path(reading, "findings", text, &o->findings);
    case KEY_RESUME:
        o->resume = 1;
        return 0;
    case KEY_RENEW:
        o->renew = 1;
        return 0;
    case KEY_MAP:
        return read_path(reading, "map", text, &o->map);
    case KEY_FOOTPRINT:
        return read_path(reading, "footprint", text, &o->footprint);
    case KEY_MAP_LINE:
        return read_int(reading, "map-line", text, 1, INT_MAX, &o->map_line);
    case KEY_MAP_REQUEST:
        return read_int(reading, "map-request", text, 0, INT_MAX - 1,
                        &o->map_request);
    case KEY_MAP_ARRAY:
        o->map_array = text;
        return 0;
    case KEY_COUNTERS:
        o->counters = 1;
        return 0;
    case KEY_CHECKS:
        o->checks = 1;
        return 0;
    case KEY_EXPLAIN:
        o->explain = 1;
        return 0;
    case KEY_CC:
        return read_capability(reading, text, &o->banks);
    case KEY_VERBOSE:
        o->verbose = 1;
        return 0;
    case KEY_LIST:
        o->list = 1;
        return 0;
    case KEY_CARD:
        o->card = 1;
        return 0;
    case KEY_BENCH:
        o->bench = 1;
        return 0;
    case KEY_CUBLAS:
        o->cublas = 1;
        return 0;
    case 'q':
        o->quiet = 1;
        return 0;
    case 'h':
        o->help = 1;
        return 0;
    case 'V':
        course_version_show();
    case ARGP_KEY_ARG:
        snprintf(reading->why, reading->size,
                 "'%.40s' is not an option (--help lists them)", text);
        return EINVAL;
    case ARGP_KEY_ERROR:
        if (reading->why[0] == '\0')
            explain_word(reading, state->argv[state->next - 1]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    known,
    read_option,
    0,
    "Runs a lab and says whether it is right and how fast it is."
    "\vExit status: 0 right, 1 wrong or unfinished, 2 the command line or the "
    "machine does not allow the run, 77 skipped.",
    0,
    0,
    0};

void lab_options_help(FILE *stream, char *program)
{
    argp_help(&parser, stream, ARGP_HELP_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC,
              program);
}

int lab_shape_check(struct course_shape s, char *why, size_t size)
{
    const struct {
        const char *matrix;
        int rows, cols;
    } side[] = {{"A", s.m, s.k}, {"B", s.k, s.n}, {"C", s.m, s.n}};

    for (int i = 0; i < 3; i++) {
        if (side[i].rows < 1 || side[i].cols < 1) {
            snprintf(why, size, "%s is %d x %d: no side may be below 1",
                     side[i].matrix, side[i].rows, side[i].cols);
            return -1;
        }
        if (side[i].rows > INT_MAX / side[i].cols) {
            snprintf(why, size,
                     "%s is %d x %d: at most %d elements, an int's range "
                     "(choose smaller sides)",
                     side[i].matrix, side[i].rows, side[i].cols, INT_MAX);
            return -1;
        }
    }
    return 0;
}

/* Options that cannot go together, or not alone. */
static int check_together(const struct lab_options *o, char *why, size_t size)
{
    const struct course_shape s = o->shape;
    const int given = (s.m != 0) + (s.n != 0) + (s.k != 0);
    const int maps = o->map != NULL || o->footprint != NULL;

    if (given != 0 && given != 3) {
        snprintf(why, size, "--m, --n and --k go together: --%s is missing",
                 s.m == 0   ? "m"
                 : s.n == 0 ? "n"
                            : "k");
        return -1;
    }
    if (o->bench + o->counters + o->checks + o->explain + o->list + o->card +
            maps >
        1) {
        snprintf(why, size,
                 "choose one of --bench, --counters, --checks, "
                 "--explain-counters, --map, --list, --card");
        return -1;
    }
    if ((o->banks != 0 && !o->counters && !maps) ||
        (o->verbose && !o->counters)) {
        snprintf(why, size, "--%s goes with --counters",
                 o->verbose ? "verbose" : "cc");
        return -1;
    }
    if ((o->map_line || o->map_array || o->map_request) && !maps) {
        snprintf(why, size, "--map-%s goes with --map",
                 o->map_line    ? "line"
                 : o->map_array ? "array"
                                : "request");
        return -1;
    }
    if (o->counters && o->cublas) {
        snprintf(why, size, "--cublas is for timing: leave out --counters");
        return -1;
    }
    if (o->findings != NULL && !o->counters && !o->checks) {
        snprintf(why, size, "--findings goes with --counters or --checks");
        return -1;
    }
    if (o->resume + o->renew > 1 ||
        ((o->resume || o->renew) &&
         (o->csv == NULL || !(o->bench || o->counters)))) {
        snprintf(why, size,
                 "--%s goes with --csv and with --bench or --counters",
                 o->resume && o->renew ? "resume or --renew, one of them,"
                 : o->resume           ? "resume"
                                       : "renew");
        return -1;
    }
    return given == 3 ? lab_shape_check(s, why, size) : 0;
}

int lab_options_read(struct lab_options *options, int argc, char **argv,
                     char *why, size_t size)
{
    struct reading reading = {options, why, size};

    *options = (struct lab_options){.seed = 1};
    why[0] = '\0';
    if (argp_parse(&parser, argc, argv,
                   ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, NULL,
                   &reading) != 0) {
        if (why[0] == '\0')
            snprintf(why, size, "the options cannot be read (see --help)");
        return -1;
    }
    return options->help ? 0 : check_together(options, why, size);
}
