#define _POSIX_C_SOURCE 200809L
#include "teach/watch.h"

#include <sys/stat.h>

static struct watch_look look_at(const char *path)
{
    struct stat found;

    if (stat(path, &found) != 0)
        return (struct watch_look){.size = -1};
    return (struct watch_look){found.st_mtim, (long long)found.st_size,
                               (long long)found.st_ino};
}

static int is_same_file(const struct watch_look *a, const struct watch_look *b)
{
    return a->size == b->size && a->inode == b->inode &&
           a->modified.tv_sec == b->modified.tv_sec &&
           a->modified.tv_nsec == b->modified.tv_nsec;
}

void watch_file_open(struct watch_file *file, const char *path)
{
    *file = (struct watch_file){.path = path, .taken = look_at(path)};
    file->last = file->taken;
}

int watch_file_see(struct watch_file *file, const struct watch_look *look)
{
    const int is_still = is_same_file(look, &file->last);

    file->last = *look;
    file->empty = look->size == 0 ? file->empty + 1 : 0;
    if (!is_still || is_same_file(look, &file->taken) || look->size < 0 ||
        (look->size == 0 && file->empty < WATCH_EMPTY_LOOKS))
        return 0;
    file->taken = *look;
    return 1;
}

int watch_file_changed(struct watch_file *file)
{
    const struct watch_look look = look_at(file->path);

    return watch_file_see(file, &look);
}
