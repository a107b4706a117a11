/* What a good program does: reads its input to the end and answers on all
   streams. */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char bytes[4096];
    ssize_t got;

    printf("%d %s\n", argc, argv[argc - 1]);
    (void)fflush(stdout);
    (void)fputs("to stderr\n", stderr);
    while ((got = read(3, bytes, sizeof bytes)) > 0)
        if (write(4, bytes, (size_t)got) != got)
            return 2;
    if (write(5, "report", 6) != 6)
        return 3;
    return 7;
}
