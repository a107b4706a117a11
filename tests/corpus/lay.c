/*
 * Lays a case into a class. Beside sources as they are, "make" knows:
 *
 *   symlink [PATH]   the source is a symbolic link to PATH, or to the source
 *   hardlink         the source has a second name
 *   fifo, socket, folder   the source is such a thing
 *   unreadable       nobody may read it
 *   student_link NAME      the student's folder is a link to another student's
 *   deep_folders, many_files   lie beside it
 */
#define _GNU_SOURCE
#include "../testing.h"
#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Everything that is laid lies in the folder `at`. Each returns 0, or -1 with
   errno. */

static int lay_file(int at, const char *name, const char *bytes, size_t size)
{
    const int fd =
        openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    size_t done = 0;

    if (fd < 0)
        return -1;
    while (done < size) {
        const ssize_t written = write(fd, bytes + done, size - done);

        if (written < 0)
            break;
        done += (size_t)written;
    }
    return close(fd) == 0 && done == size ? 0 : -1;
}

/* "notes.txt 5000" */
static int lay_beside(int at, const char *line)
{
    char name[100];
    long long size;
    int fd, result;

    if (sscanf(line, "%99s %lld", name, &size) != 2) {
        errno = EINVAL;
        return -1;
    }
    fd = openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0)
        return -1;
    result = ftruncate(fd, size); /* takes no room on the disk */
    close(fd);
    return result;
}

static int lay_deep_folders(int at)
{
    int here = dup(at);

    for (int i = 0; i < 200 && here >= 0; i++) {
        const int next =
            mkdirat(here, "deeper", 0755) == 0
                ? openat(here, "deeper", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                : -1;

        close(here);
        here = next;
    }
    if (here < 0)
        return -1;
    return close(here);
}

static int lay_many_files(int at)
{
    for (int i = 0; i < 3000; i++) {
        char name[20];

        snprintf(name, sizeof name, "file%d.cu", i);
        if (lay_file(at, name, "", 0) != 0)
            return -1;
    }
    return 0;
}

static int lay_socket(int at, const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int result;

    if (fd < 0)
        return -1;
    /* The path of a socket is short, so it is given by descriptor. */
    snprintf(address.sun_path, sizeof address.sun_path,
             "/proc/self/fd/%d/%.80s", at, name);
    result = bind(fd, (struct sockaddr *)&address, sizeof address);
    close(fd);
    return result;
}

static int lay_link(const struct corpus_case *c, int at, int store, int is_hard)
{
    const char *const blank = strchr(corpus_last(c, "make"), ' ');
    char path[4400], elsewhere[4096];
    ssize_t length;

    if (blank != NULL)
        return symlinkat(blank + 1, at, c->file);
    if (lay_file(store, c->student, c->source, c->size) != 0)
        return -1;
    if (is_hard)
        return linkat(store, c->student, at, c->file, 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", store);
    length = readlink(path, elsewhere, sizeof elsewhere - 1);
    if (length < 0)
        return -1;
    elsewhere[length] = '\0';
    snprintf(path, sizeof path, "%s/%s", elsewhere, c->student);
    return symlinkat(path, at, c->file);
}

static int is_made_by(const char *make, const char *word)
{
    const size_t length = strlen(word);

    return strncmp(make, word, length) == 0 &&
           (make[length] == '\0' || make[length] == ' ');
}

/* The source, in whatever form. */
static int lay_source(const struct corpus_case *c, int at, int store)
{
    const char *const make = corpus_last(c, "make");

    if (is_made_by(make, "symlink") || is_made_by(make, "hardlink"))
        return lay_link(c, at, store, is_made_by(make, "hardlink"));
    if (is_made_by(make, "fifo"))
        return mkfifoat(at, c->file, 0644);
    if (is_made_by(make, "socket"))
        return lay_socket(at, c->file);
    if (is_made_by(make, "folder"))
        return mkdirat(at, c->file, 0755);
    if (c->source != NULL && lay_file(at, c->file, c->source, c->size) != 0)
        return -1;
    if (is_made_by(make, "unreadable"))
        return fchmodat(at, c->file, 0, 0);
    if (is_made_by(make, "deep_folders"))
        return lay_deep_folders(at);
    if (is_made_by(make, "many_files"))
        return lay_many_files(at);
    if (make[0] == '\0')
        return 0;
    errno = EINVAL;
    return -1;
}

static int lay_all(const struct corpus_case *c, int class, int store)
{
    const char *const make = corpus_last(c, "make"), *beside;
    int at, result;

    if (is_made_by(make, "student_link"))
        return symlinkat(strchr(make, ' ') + 1, class, c->student);
    if (mkdirat(class, c->student, 0755) != 0)
        return -1;
    at = openat(class, c->student, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (at < 0)
        return -1;
    result = lay_source(c, at, store);
    for (int i = 0;
         result == 0 && (beside = corpus_value(c, "beside", i)) != NULL; i++)
        result = lay_beside(at, beside);
    close(at);
    return result;
}

void corpus_lay(const struct corpus_case *c, const char *class_path,
                const char *store)
{
    const int class = open(class_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int beside = open(store, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (class < 0 || beside < 0 || lay_all(c, class, beside) != 0)
        fail_msg("%s: cannot be laid out: %s", c->student, strerror(errno));
    close(class);
    close(beside);
}
