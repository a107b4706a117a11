/* Takes more and more of what its argument names, and says on descriptor 4 how
   much it got. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
    MOST = 20000
};

static const size_t step = (size_t)4 << 20;

static void answer(size_t number)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%zu", number);

    (void)!write(4, text, (size_t)length);
}

static void *wait_for_ever(void *nothing)
{
    for (;;)
        (void)pause();
    return nothing;
}

static size_t processes(void)
{
    size_t count = 0;
    pid_t pid = 0;

    while (count < MOST && (pid = fork()) > 0)
        count++;
    if (pid == 0)
        (void)wait_for_ever(NULL);
    return count;
}

/* Each child does the same as its parent. */
_Noreturn static void all_fork(const char *name)
{
    if (name[0] != '\0')
        (void)prctl(PR_SET_NAME, name);
    for (;;)
        (void)fork();
}

/* Each lives only until its child does. */
static size_t runs_away(const char *name)
{
    (void)prctl(PR_SET_NAME, name);
    for (int i = 0; i < 2000000; i++)
        if (fork() > 0)
            _exit(0);
    return 0;
}

static size_t threads(void)
{
    pthread_attr_t small;
    pthread_t one;
    size_t count = 0;

    (void)pthread_attr_init(&small);
    (void)pthread_attr_setstacksize(&small, 65536);
    while (count < MOST &&
           pthread_create(&one, &small, wait_for_ever, NULL) == 0)
        count++;
    return count;
}

static size_t from_malloc(void)
{
    size_t got = 0;

    for (char *more; got < MOST && (more = malloc(step)); got++)
        memset(more, 1, step);
    return got;
}

static size_t from_mmap(void)
{
    size_t got = 0;
    char *more;

    while (got < MOST &&
           (more = mmap(NULL, step, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) != MAP_FAILED) {
        memset(more, 1, step);
        got++;
    }
    return got;
}

static size_t from_brk(void)
{
    size_t got = 0;
    char *more;

    while (got < MOST && (more = sbrk((intptr_t)step)) != (void *)-1) {
        memset(more, 1, step);
        got++;
    }
    return got;
}

static size_t from_stack(size_t depth)
{
    volatile unsigned char frame[65536];

    frame[0] = frame[65535] = (unsigned char)depth;
    return depth > (size_t)1 << 20 ? depth : from_stack(depth + 1) + frame[0];
}

/* An orphan in a session of its own, under a name by which it is found. */
static size_t leaves_daemon(const char *name)
{
    int said[2];
    char byte;

    if (pipe(said) != 0)
        return 1;
    if (fork() == 0) {
        (void)setsid();
        if (fork() > 0)
            _exit(0);
        (void)prctl(PR_SET_NAME, name);
        (void)!write(4, "daemon ", 7);
        for (int i = 0; i < 64; i++)
            (void)close(i);
        (void)wait_for_ever(NULL);
    }
    (void)close(said[1]);
    (void)!read(said[0], &byte, 1); /* its end: the daemon has closed all */
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "", *name = argc > 2 ? argv[2] : "";
    size_t got = MOST;

    if (strcmp(what, "processes") == 0)
        got = processes();
    if (strcmp(what, "threads") == 0)
        got = threads();
    if (strcmp(what, "fork") == 0)
        all_fork(name);
    if (strcmp(what, "away") == 0)
        got = runs_away(name);
    if (strcmp(what, "malloc") == 0)
        got = from_malloc();
    if (strcmp(what, "mmap") == 0)
        got = from_mmap();
    if (strcmp(what, "brk") == 0)
        got = from_brk();
    if (strcmp(what, "stack") == 0)
        got = from_stack(0);
    if (strcmp(what, "named") == 0) {
        (void)prctl(PR_SET_NAME, name);
        (void)wait_for_ever(NULL);
    }
    if (strcmp(what, "daemon") == 0)
        got = leaves_daemon(name);
    answer(got);
    return 0;
}
