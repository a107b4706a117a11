/*
 * Calls that nvcc refuses: of a kernel without <<<>>>, of a __device__ function
 * on the host, of a host function in a kernel; and launches of what is no
 * kernel, or with too few arguments.
 */
#define _GNU_SOURCE
#include "functions.h"
#include "rewriter.h"

#include "base/words.h"

#include <stdio.h>
#include <string.h>

/* What students call in kernels and nvcc refuses there: of the C and C++
   libraries, of CUDA, and of lab.h. */
static const char host_only[] =
    " rand srand exit abort fprintf sprintf snprintf scanf fopen fclose fflush "
    "puts fputs putchar perror fgets system getchar cout cerr cin calloc "
    "realloc memcmp memmove strcmp strcpy strncpy strcat strtol atoi atof "
    "getenv time gettimeofday clock_gettime sleep usleep qsort cudaMemcpy "
    "cudaMemset cudaMallocManaged cudaMemcpyToSymbol cudaStreamSynchronize "
    "cudaEventElapsedTime cudaSetDevice LAB_CHECK lab_check lab_ceil_div ";

/* CUDA has these for both, so a declaration of the program's may mean them. */
static const char *const everywhere[] = {"min", "max"};

/* What kernels alone may call, besides what begins with atomic. */
static const char *const device_only[] = {
    "__syncthreads",    "__syncwarp",     "__shfl_sync",
    "__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync",
    "__ballot_sync",    "__threadfence",  "__activemask"};

static const char *const indices[] = {"threadIdx", "blockIdx", "blockDim",
                                      "gridDim"};

/* Often misspelt: before another word, and before a parenthesis. */
static const char *const specifiers[] = {"__global__", "__device__", "__host__",
                                         "__shared__", "__constant__"};
static const char *const calls[] = {"__syncthreads"};

static int is_one_of(const struct rewriter *r, size_t i,
                     const char *const *words, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        if (simt_is(r, i, words[j]))
            return 1;
    }
    return 0;
}

#define IS_ONE_OF(r, i, words) \
    is_one_of(r, i, words, sizeof(words) / sizeof(words)[0])

/* "add" of the token, for messages: one of the last four that were asked for.
 */
static const char *name_of(const struct rewriter *r, size_t i)
{
    static char texts[4][64];
    static unsigned last;
    char *text = texts[last++ % 4];

    snprintf(text, sizeof texts[0], "a function");
    if (i != SIMT_NO_TOKEN)
        base_token_copy(&r->tokens, i, text, sizeof texts[0]);
    return text;
}

/* "line 3", or "line 3 of add.cuh"; until it is asked for again. */
static const char *place_of(const struct rewriter *r,
                            const struct simt_function *f)
{
    static char text[128];
    const char *slash = strrchr(f->path, '/');

    snprintf(text, sizeof text, "line %d", f->line);
    if (strcmp(f->path, r->path) != 0) {
        snprintf(text, sizeof text, "line %d of %s", f->line,
                 slash == NULL ? f->path : slash + 1);
    }
    return text;
}

/* 1 if the name at i, behind which a `next` stands, has another mark behind it
   earlier in the body: a parameter, a local variable, a template's parameter
   has that name. */
static int is_local(const struct rewriter *r, const struct simt_body *body,
                    size_t i, char next)
{
    char name[64];

    base_token_copy(&r->tokens, i, name, sizeof name);
    for (size_t at = body->declaration; at < i; at++) {
        if (simt_is(r, at, name) && at != body->name &&
            simt_mark(r, simt_skip(r, at + 1)) != next)
            return 1;
    }
    return 0;
}

/* 1 if std:: or a :: with nothing before it ends at `before`, and the program
   has no function of that name. */
static int is_scope_of_library(const struct rewriter *r, size_t before,
                               size_t i)
{
    const size_t scope = simt_before(r, before - 1);

    return (simt_is(r, scope, "std") ||
            (!simt_is_name(r, scope) && simt_mark(r, scope) != '>')) &&
           simt_functions_find(r->functions, r, i) == NULL;
}

/* 1 if a call of a free function may begin at i. */
static int is_call(const struct rewriter *r, size_t i)
{
    const size_t before = simt_before(r, i);

    if (simt_mark(r, simt_skip(r, i + 1)) != '(' || simt_mark(r, before) == '.')
        return 0;
    if (simt_ends(r, before, ':', ':'))
        return is_scope_of_library(r, before, i);
    if (simt_ends(r, before, '-', '>') || simt_mark(r, before) == '>' ||
        simt_mark(r, before) == '~')
        return 0;
    /* A type before it: a declaration. */
    return !simt_is_name(r, before);
}

/* How many letters to put in, take out or change make one word the other; 3:
   that many or more. */
static int letters_apart(const char *a, const char *b)
{
    enum {
        LONGEST = 16
    };
    const int rows = (int)strlen(a), columns = (int)strlen(b);
    int cost[LONGEST + 1], most = 3;

    if (rows > LONGEST || columns > LONGEST)
        return most;
    for (int j = 0; j <= columns; j++)
        cost[j] = j;
    for (int i = 1; i <= rows; i++) {
        int diagonal = cost[0];

        cost[0] = i;
        for (int j = 1; j <= columns; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);

            best = best < cost[j] + 1 ? best : cost[j] + 1;
            best = best < cost[j - 1] + 1 ? best : cost[j - 1] + 1;
            diagonal = cost[j];
            cost[j] = best;
        }
    }
    return cost[columns] < most ? cost[columns] : most;
}

/* 1 if the program itself has that word, as far as this file tells. */
static int is_defined(const struct rewriter *r, size_t i)
{
    for (size_t j = 0; j < r->functions->macros; j++) {
        if (simt_is(r, i, r->functions->macro[j].name))
            return 1;
    }
    for (size_t at = 0; at < i; at++) {
        if (simt_is_line(r, at, "define", name_of(r, i)))
            return 1;
    }
    return simt_functions_find(r->functions, r, i) != NULL;
}

/* Words that are almost one of CUDA's, and nobody else's. */
static int check_spelling(const struct rewriter *r, size_t i)
{
    const size_t next = simt_skip(r, i + 1);
    const int is_call = simt_mark(r, next) == '(';
    const char *const *const known = is_call ? calls : specifiers;
    const size_t count = is_call ? 1 : sizeof specifiers / sizeof *specifiers;
    const char *name = name_of(r, i);

    if (next == SIMT_NO_TOKEN || strchr(name, '_') == NULL ||
        (!is_call && r->tokens.token[next].kind != BASE_WORD))
        return 0;
    for (size_t j = 0; j < count; j++) {
        const int apart = letters_apart(name, known[j]);

        if (apart > 0 && apart < 3 && !is_defined(r, i)) {
            return simt_fail(
                r, i, is_call ? "%s() is written %s()" : "%s is written %s",
                name, known[j]);
        }
    }
    return 0;
}

/* __shared__ float s[4] = {0}; from the word at i. */
static int check_shared(const struct rewriter *r, size_t i)
{
    int depth = 0;

    for (size_t at = i; at < r->end; at++) {
        const char c = simt_mark(r, at);

        depth += simt_is_opening(c) - simt_is_closing(c);
        if (depth < 0 || c == ';' || c == '{')
            return 0;
        if (depth == 0 && c == '=') {
            /* Of the next line: a ; is missing between the two. */
            if (r->tokens.token[at].line != r->tokens.token[i].line)
                return 0;
            return simt_fail(r, i,
                             "a __shared__ variable has no initial value: let "
                             "the threads assign it, and wait with "
                             "__syncthreads() before it is read");
        }
    }
    return 0;
}

/* k<<1, 32>>(x), and __syncthreads; */
static int check_marks(const struct rewriter *r, size_t i)
{
    const struct simt_function *f = simt_functions_find(r->functions, r, i);
    const size_t next = simt_skip(r, i + 1);
    if (f != NULL && f->runs == SIMT_IS_KERNEL && simt_mark(r, next) == '<' &&
        simt_mark(r, next + 1) == '<' &&
        simt_behind_triple(r, next, '<') == 0) {
        return simt_fail(r, i,
                         "a launch has three of each: %s<<<grid, block>>>(...)",
                         name_of(r, i));
    }
    if (simt_is(r, i, "__syncthreads") && simt_mark(r, next) == ';') {
        return simt_fail(r, i,
                         "a barrier is a call: write __syncthreads(), with "
                         "parentheses");
    }
    return 0;
}

static int check_call_on_host(const struct rewriter *r,
                              const struct simt_body *body, size_t i)
{
    const struct simt_function *f = simt_functions_find(r->functions, r, i);
    const char *name = name_of(r, i), *caller = name_of(r, body->name);

    if (f != NULL && f->runs == SIMT_IS_KERNEL && !is_local(r, body, i, '(')) {
        return simt_fail(
            r, i,
            "%s is a kernel: launch it, %s<<<grid, block>>>(...), for a "
            "plain call does not run it on the device",
            name, name);
    }
    if (f != NULL && f->runs == SIMT_ON_DEVICE && !is_local(r, body, i, '(')) {
        return simt_fail(
            r, i,
            "%s is a __device__ function, which kernels alone can call, "
            "and %s runs on the host: write __host__ __device__ in %s if "
            "both call it",
            name, caller, place_of(r, f));
    }
    if (f == NULL && (IS_ONE_OF(r, i, device_only) ||
                      (strncmp(name, "atomic", 6) == 0 && strlen(name) > 8 &&
                       strchr("ASEMIDCOX", name[6]) != NULL))) {
        return is_local(r, body, i, '(')
                   ? 0
                   : simt_fail(
                         r, i,
                         "%s() works in kernels alone, and %s runs on the host",
                         name, caller);
    }
    return 0;
}

static int check_call_on_device(const struct rewriter *r,
                                const struct simt_body *body, size_t i)
{
    const struct simt_function *f = simt_functions_find(r->functions, r, i);
    const char *name = name_of(r, i), *caller = name_of(r, body->name);

    if (is_local(r, body, i, '('))
        return 0;
    if (simt_is(r, i, "cudaDeviceSynchronize")) {
        return simt_fail(r, i,
                         "cudaDeviceSynchronize() in a kernel is not in CUDA "
                         "13: no kernel can wait for those that it launches");
    }
    if (f == NULL && base_find_word(name, host_only) >= 0) {
        return simt_fail(
            r, i, "%s() runs on the host alone, and %s on the device%s", name,
            caller,
            strcmp(name, "puts") == 0 || strcmp(name, "fprintf") == 0
                ? ": kernels have printf()"
                : "");
    }
    if (f == NULL)
        return 0;
    if (f->runs == SIMT_IS_KERNEL) {
        return simt_fail(
            r, i,
            "%s is a kernel, and %s runs on the device: what it calls is "
            "a __device__ function (%s)",
            name, caller, place_of(r, f));
    }
    if (f->runs == SIMT_ON_HOST && !IS_ONE_OF(r, i, everywhere)) {
        return simt_fail(
            r, i,
            "%s is a function of the host, and %s runs on the device: "
            "write __device__ before it in %s",
            name, caller, place_of(r, f));
    }
    return 0;
}

/* 1 if the name at i is declared in the body, or among its parameters, before:
   there stands a type, or a comma or star behind one. */
static int is_declared_in(const struct rewriter *r,
                          const struct simt_body *body, size_t i)
{
    char name[64];

    base_token_copy(&r->tokens, i, name, sizeof name);
    for (size_t at = body->declaration; at <= i; at++) {
        const size_t before = simt_before(r, at);
        const char c = simt_mark(r, before);

        if (simt_is(r, at, name) && !simt_is(r, before, "return") &&
            (c == '*' || c == '&' || c == '>' || (c == ',' && at < i) ||
             r->tokens.token[before].kind == BASE_WORD))
            return 1;
    }
    return 0;
}

/* A variable of the host in a kernel. */
static int check_host_variable(const struct rewriter *r,
                               const struct simt_body *body, size_t i)
{
    const size_t before = simt_before(r, i);

    if (!simt_is_host_variable(r->functions, r, i) ||
        simt_mark(r, before) == '.' || simt_ends(r, before, '-', '>') ||
        simt_ends(r, before, ':', ':') ||
        simt_is(r, simt_before(r, before), "sizeof") ||
        is_declared_in(r, body, i))
        return 0;
    return simt_fail(r, i,
                     "%s is a variable of the host, and %s runs on the device: "
                     "write __device__ before the variable, or pass its value",
                     name_of(r, i), name_of(r, body->name));
}

/* std::cout << in a kernel; threadIdx in main. */
static int check_variable(const struct rewriter *r,
                          const struct simt_body *body, size_t i)
{
    if (body->runs == SIMT_ON_HOST && IS_ONE_OF(r, i, indices) &&
        simt_mark(r, simt_skip(r, i + 1)) == '.' &&
        simt_mark(r, simt_before(r, i)) != '.' &&
        !simt_ends(r, simt_before(r, i), '-', '>') &&
        !is_local(r, body, i, '.')) {
        return simt_fail(
            r, i,
            "%s is known in kernels alone, and %s runs on the host: write "
            "__global__ before a kernel, and __device__ before what it calls",
            name_of(r, i), name_of(r, body->name));
    }
    if (!(body->runs & SIMT_ON_HOST) &&
        (simt_is(r, i, "cout") || simt_is(r, i, "cerr")) &&
        simt_mark(r, simt_skip(r, i + 1)) == '<' &&
        !is_local(r, body, i, '<')) {
        return simt_fail(
            r, i,
            "std::%s is the host's, and %s runs on the device: kernels "
            "have printf()",
            name_of(r, i), name_of(r, body->name));
    }
    return 0;
}

int simt_check_use(const struct rewriter *r, size_t i)
{
    const struct simt_body *body;

    if (r->in_macro || r->conditions > 0)
        return 0;
    if (simt_is(r, i, "__shared__"))
        return check_shared(r, i);
    if (check_spelling(r, i) != 0)
        return -1;
    if (r->is_lab && r->braces.others == 0 && simt_is(r, i, "main") &&
        simt_mark(r, simt_skip(r, i + 1)) == '(') {
        return simt_fail(r, i,
                         "a lab has no main of its own: that of the course "
                         "calls lab_launch (for a whole program: make run "
                         "FILE=...)");
    }
    body = simt_body_of(r->functions, i);
    if (body == NULL || body->runs & SIMT_SOMEWHERE || i == body->name)
        return 0;
    if (check_variable(r, body, i) != 0 || check_marks(r, i) != 0)
        return -1;
    if (!(body->runs & SIMT_ON_HOST) && check_host_variable(r, body, i) != 0)
        return -1;
    if (!is_call(r, i))
        return 0;
    if (!r->knows_printf && simt_is(r, i, "printf") &&
        simt_functions_find(r->functions, r, i) == NULL &&
        !is_local(r, body, i, '(')) {
        return simt_fail(r, i,
                         "printf() is declared in <stdio.h>, which nvcc does "
                         "not include by itself: write #include <stdio.h> "
                         "below the other #include");
    }
    if (body->runs == SIMT_ON_HOST)
        return check_call_on_host(r, body, i);
    return body->runs & SIMT_ON_HOST ? 0 : check_call_on_device(r, body, i);
}

/* How many arguments stand between the tokens; -1: nobody knows. */
static int count_arguments(const struct rewriter *r, size_t from, size_t to)
{
    int depth = 0, count = 0, is_empty = 1;

    for (size_t i = from; i < to; i++) {
        const char c = simt_mark(r, i);

        if (c == '<' || r->tokens.token[i].kind == BASE_DIRECTIVE ||
            simt_ends(r, i, '.', '.'))
            return -1;
        depth += simt_is_opening(c) - simt_is_closing(c);
        is_empty &= simt_is_blank(r, i);
        count += depth == 0 && c == ',';
    }
    return is_empty ? 0 : count + 1;
}

int simt_check_launch(const struct rewriter *r, size_t name, size_t from,
                      size_t to)
{
    const struct simt_function *f = simt_functions_find(r->functions, r, name);
    const struct simt_body *body = simt_body_of(r->functions, name);
    const int given = count_arguments(r, from, to);
    if (f == NULL || r->conditions > 0 ||
        (body != NULL && is_local(r, body, name, '<')))
        return 0;
    if (f->runs == SIMT_ON_DEVICE || f->runs == SIMT_ON_HOST) {
        return simt_fail(
            r, name,
            "%s is %s function (%s): only a kernel can be launched, which "
            "is declared as __global__ void",
            name_of(r, name),
            f->runs == SIMT_ON_DEVICE ? "a __device__" : "a host",
            place_of(r, f));
    }
    if (f->runs != SIMT_IS_KERNEL || f->most < 0 || given < 0 ||
        (given >= f->least && given <= f->most))
        return 0;
    return simt_fail(
        r, name,
        "the kernel %s takes %d argument%s (%s), and this launch gives %d",
        name_of(r, name), f->most, f->most == 1 ? "" : "s", place_of(r, f),
        given);
}
