/* Ends, or does not, in the way that its argument names. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long turns;

static void spin(void)
{
    for (;;)
        turns++;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";

    if (strcmp(way, "exit") == 0)
        return 0;
    if (strcmp(way, "code") == 0)
        return 139; /* what a shell says of signal 11 */
    if (strcmp(way, "abort") == 0)
        abort();
    if (strcmp(way, "segv") == 0)
        (void)raise(SIGSEGV);
    if (strcmp(way, "kill") == 0)
        (void)raise(SIGKILL);
    if (strcmp(way, "sleep") == 0)
        (void)sleep(1000);
    if (strcmp(way, "spin") == 0)
        spin();
    if (strcmp(way, "deaf") == 0) {
        for (int i = 1; i < NSIG; i++)
            (void)signal(i, SIG_IGN);
        spin();
    }
    if (strcmp(way, "parent") == 0) { /* kills it, then all, then goes on */
        (void)kill(getppid(), SIGKILL);
        (void)kill(1, SIGKILL);
        (void)usleep(100000);
        return 21;
    }
    if (strcmp(way, "stop") == 0) { /* its parent, for good */
        (void)kill(getppid(), SIGSTOP);
        (void)sleep(1000);
    }
    if (strcmp(way, "all") == 0) {
        (void)kill(-1, SIGKILL);
        (void)usleep(100000);
        return 22;
    }
    return 99;
}
