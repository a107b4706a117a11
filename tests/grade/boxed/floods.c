/* Writes without end to what its argument names: a descriptor's number, or a
   folder, in which it fills a file. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Until it is refused; says at how many bytes. */
static int fill_disk(const char *folder, const char *bytes, size_t size)
{
    char path[256], text[64];
    size_t sum = 0;
    int length, files = 0;

    (void)signal(SIGXFSZ, SIG_IGN);
    for (ssize_t got = 1; got > 0 && files < 64; files++) {
        int file;

        (void)snprintf(path, sizeof path, "%s/flood%d", folder, files);
        file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (file < 0)
            break;
        while ((got = write(file, bytes, size)) > 0)
            sum += (size_t)got;
        got = errno == EFBIG || errno == ENOSPC ? errno == EFBIG : 0;
    }
    length = snprintf(text, sizeof text, "%zu", sum);
    return write(4, text, (size_t)length) != length;
}

int main(int argc, char **argv)
{
    static char bytes[65536];

    memset(bytes, argc > 2 ? argv[2][0] : '\n', sizeof bytes);
    if (argc > 1 && (argv[1][0] == '/' || argv[1][0] == '.'))
        return fill_disk(argv[1], bytes, sizeof bytes);
    for (;;)
        (void)!write(argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1, bytes,
                     sizeof bytes);
}
