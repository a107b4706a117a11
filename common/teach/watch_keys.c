#define _POSIX_C_SOURCE 200809L
#include "teach/watch.h"

#include <termios.h>
#include <unistd.h>

static struct termios before;
static volatile sig_atomic_t is_changed;

int watch_keys_begin(void)
{
    struct termios keys;

    if (!isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) != getpgrp() ||
        tcgetattr(STDIN_FILENO, &keys) != 0)
        return 0;
    if (!is_changed)
        before = keys;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    is_changed = 1; /* first: a signal in between puts back what is there */
    if (tcsetattr(STDIN_FILENO, TCSANOW, &keys) != 0) {
        is_changed = 0;
        return 0;
    }
    return 1;
}

void watch_keys_end(void)
{
    if (is_changed)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
    is_changed = 0;
}
