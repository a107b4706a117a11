#include "options.h"

#include "base/options.h"
#include "base/words.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_seed(const char *text, void *to, char *why, size_t size)
{
    unsigned long long seed;

    if (base_whole_number(text, UINT64_MAX, &seed) != 0) {
        snprintf(why, size,
                 "--seed: '%.40s' is not a whole number from 0 to %llu", text,
                 (unsigned long long)UINT64_MAX);
        return -1;
    }
    *(uint64_t *)to = seed;
    return 0;
}

/* Reads a compute capability whose banks common/banks knows. */
static int read_capability(const char *text, void *to, char *why, size_t size)
{
    const size_t digits = strspn(text, "0123456789");
    const long major = strtol(text, NULL, 10);

    if (digits < 1 || digits > 2 || text[digits] != '.' ||
        !isdigit((unsigned char)text[digits + 1]) || text[digits + 2] != '\0') {
        snprintf(why, size,
                 "--cc: '%.40s' is no compute capability: write it as 1.3 or "
                 "9.0",
                 text);
        return -1;
    }
    if (major != 1 && major < 5) {
        snprintf(why, size,
                 "--cc: the banks of %s are not known here: use 1.0 to 1.3, or "
                 "5.0 and up, whose rules are published or measured",
                 text);
        return -1;
    }
    *(int *)to = major == 1 ? 1 : 9;
    return 0;
}

#define AT(field) .at = offsetof(struct lab_options, field)

static const struct base_option known[] = {
    {.help = "Size: C is M x N, A is M x K, B is K x N"},
    {"m", 'm', "M", "Rows of A and C", AT(shape.m), 1, LAB_MAX_SIDE, 0},
    {"n", 'n', "N", "Columns of B and C", AT(shape.n), 1, LAB_MAX_SIDE, 0},
    {"k", 'k', "K", "Columns of A, rows of B", AT(shape.k), 1, LAB_MAX_SIDE - 1,
     0},
    {.help = "What to do (without these: verify, then time)"},
    {"counters", 0, NULL,
     "Count memory accesses, barriers and backward jumps; the -analyse "
     "program can",
     AT(counters)},
    {"checks", 0, NULL,
     "Look for races, reads of what nobody wrote, and the like, at one small "
     "size; the -analyse program can",
     AT(checks)},
    {"try", 0, NULL,
     "Try small changes of the lab, and say which make it right: the program in "
     "build/try alone",
     AT(tried)},
    {"places", 0, "FILE",
     "With --why: write which lines were shown; with --try: begin with them",
     AT(places)},
    {"left", 0, "FILE",
     "With --try: changes by which C is right, from one program to the other",
     AT(left)},
    {"why", 0, NULL,
     "Say why the lab is wrong, from the size that says most; the -analyse "
     "program can",
     AT(why)},
    {"explain-counters", 0, NULL,
     "Explain what is counted, with Nsight Compute's names", AT(explain)},
    {"bench", 0, NULL,
     "Time one size; 1024 is the side on a GPU, 256 on the CPU device",
     AT(bench)},
    {"map", 0, "FILE",
     "Write to FILE what each lane of one request asks for, in global and in "
     "shared memory: of the costliest accesses; the -analyse program can",
     AT(map)},
    {"footprint", 0, "FILE",
     "Write to FILE which elements of A, B and C one thread, its warp and its "
     "block touch; with --map or alone",
     AT(footprint)},
    {"card", 0, NULL, "Describe the device", AT(card)},
    {.help = "How"},
    {"repeat", 0, "N", "Timed runs; the median counts", AT(repeat), 1,
     LAB_MAX_REPEAT, 0},
    {"seed", 0, "S", "Seed of the random matrices", AT(seed),
     .read = read_seed},
    {"cc", 0, "N.N",
     "Compute capability whose banks count: 1.3, or 9.0 as today", AT(banks),
     .read = read_capability},
    {"map-line", 0, "N", "Map the accesses of this source line", AT(map_line),
     1, INT_MAX, 0},
    {"map-array", 0, "NAME", "Map accesses to this array", AT(map_array)},
    {"map-request", 0, "N", "Map this request of a warp, counted from 0",
     AT(map_request), 0, INT_MAX - 1, 0},
    {"cublas", 0, NULL, "Time cuBLAS in the same run (GPU)", AT(cublas)},
    {.help = "Output"},
    {"csv", 0, "FILE",
     "Append a row for each run to FILE; with --card, write the card", AT(csv)},
    {"resume", 0, NULL,
     "Do nothing if FILE of --csv has these rows from this chip, compiler and "
     "build; else replace older ones",
     AT(resume)},
    {"renew", 0, NULL, "Replace the rows that FILE of --csv has", AT(renew)},
    {"findings", 0, "FILE",
     "Write what the checks saw and found to FILE, as CSV", AT(findings)},
    {"verbose", 0, NULL,
     "Show the counters by source line, kernel and launch as well",
     AT(verbose)},
    {"short", 0, NULL, "One verdict in a few lines, as make lab-03", AT(brief)},
    {"quiet", 'q', NULL, "Print the last line only", AT(quiet)}};

static const struct base_command command = {
    known, sizeof known / sizeof *known, NULL, 0,
    "Runs a lab and says whether it is right and how fast it is."
    "\vExit status: 0 right, 1 wrong or unfinished, 2 the command line or the "
    "machine does not allow the run, 77 skipped."};

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
    if (o->bench + o->counters + o->checks + o->explain + o->card + maps > 1) {
        snprintf(why, size,
                 "choose one of --bench, --counters, --checks, "
                 "--explain-counters, --map, --card");
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
    if (o->findings != NULL && !o->counters && !o->checks && !o->why) {
        snprintf(why, size,
                 "--findings goes with --counters, --checks or --why");
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
    *options = (struct lab_options){.seed = 1};
    const int result =
        base_options_read(&command, argc, argv, options, why, size);

    return result != 0 ? result : check_together(options, why, size);
}
