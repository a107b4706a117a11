/* Which files does an archive hold? A process without rights reads it, since
   the archive is not to be trusted. See tree.h. */
#define _GNU_SOURCE
#include "grade/intake/tree.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <grp.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "grade/base/wire.h"
#include "grade/intake/names.h"

enum {
    DEPTH = 3,        /* archives in archives */
    PATH = 1000,      /* bytes of a path */
    BLOCK = 64 * 1024 /* that libarchive reads at a time */
};

static const size_t inner_most = (size_t)32 << 20; /* an archive in another */
static const rlim_t memory_most = (rlim_t)1 << 30;
static const uid_t nobody = 65534;

const struct grade_archive_limits grade_archive_of_class = {4LL << 30, 200000,
                                                            120},
                                  grade_archive_of_student = {256LL << 20, 5000,
                                                              10};

/* Why a file is not read. */
enum refusal {
    NONE,
    NO_FILE,
    TOO_LARGE,
    BAD_PATH,
    UNREADABLE,
    SECRET,
    TOO_MUCH,
    REFUSALS
};
static const char *const refusal_text[REFUSALS] = {
    NULL,
    "is a link or the like in an archive; only files are taken",
    "is larger than 256 KiB (a lab has about 5000 bytes)",
    "has a path that leads out of its archive, or a very long one",
    "is an archive that cannot be read to its end (zip, tar and 7z can)",
    "is encrypted (hand in an archive without a password)",
    "is an archive with more files or bytes than are taken"};

/* What the process that reads tells of each file. */
struct message {
    char *path, *bytes; /* bytes: NULL if there are none */
    size_t size;
    int refusal;
};
static const struct grade_wire_member of_message[] = {
    {GRADE_WIRE(TEXT, message, path, PATH - 1)},
    {GRADE_WIRE(BELOW, message, refusal, REFUSALS)},
    {GRADE_WIRE(LIST, message, bytes, GRADE_METADATA_LARGEST),
     .count = offsetof(struct message, size)}};
static const struct grade_wire_form form = GRADE_WIRE_FORM(message, of_message);

size_t grade_archive_ending(const char *name)
{
    static const char *const ending[] = {".zip", ".tar.gz",  ".tgz",
                                         ".tar", ".tar.xz",  ".tar.bz2",
                                         ".7z",  ".tar.zst", ".txz"};
    const size_t length = strlen(name);

    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        const size_t own = strlen(ending[i]);

        if (length > own && strcasecmp(name + length - own, ending[i]) == 0)
            return own;
    }
    return 0;
}

int grade_item_is_source(const char *path)
{
    const char *const dot = strrchr(path, '.');

    return dot != NULL && (strcasecmp(dot, ".cu") == 0 ||
                           (strcasecmp(dot, ".txt") == 0 && dot - path > 3 &&
                            strncasecmp(dot - 3, ".cu", 3) == 0));
}

/* How many bytes are wanted at most: of a source, of answers, as Canvas calls
   them, too ("person_4711_98765_answers.txt"), and of Gradescope's list; 0 of
   what else there is. */
static size_t most_wanted(const char *path)
{
    const char *const slash = strrchr(path, '/');
    const char *const name = slash != NULL ? slash + 1 : path;
    const char *const answers = strcasestr(name, "answers");

    if (strcmp(name, GRADE_METADATA) == 0)
        return GRADE_METADATA_LARGEST;
    return grade_item_is_source(path) ||
                   (answers != NULL && grade_name_of_answers(answers))
               ? GRADE_SOURCE_LARGEST
               : 0;
}

/* --- the list ------------------------------------------------------------- */

void grade_items_add(struct grade_items *items, const char *path,
                     struct grade_item item)
{
    struct grade_item *added = NULL;

    item.path = base_text("%s", path);
    if (item.path != NULL)
        added = base_list_add(&items->item, &items->items, sizeof *added);
    if (added == NULL) {
        free(item.path);
        free(item.bytes);
        return;
    }
    *added = item;
}

void grade_items_free(struct grade_items *items)
{
    for (size_t i = 0; i < items->items; i++) {
        free(items->item[i].path);
        free(items->item[i].bytes);
    }
    free(items->item);
    *items = (struct grade_items){.items = 0};
}

/* --- in the process that reads -------------------------------------------- */

struct reader {
    FILE *to;
    long long bytes; /* that may still be unpacked */
    int files;       /* that may still be told */
};

static void tell(const struct reader *r, const char *path, enum refusal why,
                 const char *bytes, size_t size)
{
    const struct message message = {(char *)(size_t)path, (char *)(size_t)bytes,
                                    bytes != NULL ? size : 0, (int)why};

    grade_wire_put(r->to, &form, &message);
    fflush(r->to); /* what comes next may end this process */
}

static int is_bad_path(const char *path)
{
    for (const char *p = path; *p != '\0'; p += strspn(p, "/")) {
        const size_t length = strcspn(p, "/");

        if (length == 2 && strncmp(p, "..", 2) == 0)
            return 1;
        p += length;
    }
    return *path == '/' || *path == '\0';
}

static struct archive *new_archive(void)
{
    struct archive *const a = archive_read_new();

    if (a == NULL)
        _exit(1);
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_format_zip(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_7zip(a);
    return a;
}

/* Reads a file of at most `most` bytes. Returns NULL with *why. */
static char *read_member(struct reader *r, struct archive *a, size_t most,
                         size_t *size, enum refusal *why)
{
    static char block[BLOCK];
    struct base_memory memory;
    char *bytes;
    ssize_t got;

    if (base_memory_open(&memory) == NULL)
        _exit(1);
    *size = 0;
    while ((got = archive_read_data(a, block, BLOCK)) > 0) {
        *size += fwrite(block, 1, (size_t)got, memory.file);
        r->bytes -= got;
        if (*size > most || r->bytes <= 0)
            break;
    }
    bytes = base_memory_close(&memory);
    if (bytes == NULL)
        _exit(1);
    *why = got == 0        ? NONE
           : got < 0       ? UNREADABLE
           : r->bytes <= 0 ? TOO_MUCH
                           : TOO_LARGE;
    if (*why == NONE)
        return bytes;
    free(bytes);
    return NULL;
}

static void read_members(struct reader *r, struct archive *a,
                         const char *prefix, int depth);

static void read_inner(struct reader *r, struct archive *a, const char *path,
                       int depth)
{
    enum refusal why = TOO_MUCH;
    size_t size = 0;
    char *const bytes =
        depth < DEPTH ? read_member(r, a, inner_most, &size, &why) : NULL;
    struct archive *const inner = new_archive();

    if (bytes == NULL) {
        tell(r, path, why, NULL, 0);
    } else if (archive_read_open_memory(inner, bytes, size) != ARCHIVE_OK) {
        tell(r, path, UNREADABLE, NULL, 0);
    } else {
        read_members(r, inner, path, depth + 1);
    }
    archive_read_free(inner);
    free(bytes);
}

static void read_entry(struct reader *r, struct archive *a,
                       struct archive_entry *entry, const char *prefix,
                       int depth)
{
    const char *name = archive_entry_pathname(entry);
    char path[PATH];
    enum refusal why = NONE;
    size_t size = 0;
    char *bytes = NULL;

    if (archive_entry_filetype(entry) == AE_IFDIR)
        return;
    while (name != NULL && strncmp(name, "./", 2) == 0)
        name += 2;
    if (name == NULL || is_bad_path(name) ||
        snprintf(path, sizeof path, "%s%s%s", prefix,
                 *prefix != '\0' ? "/" : "", name) >= (int)sizeof path) {
        tell(r, *prefix != '\0' ? prefix : "?", BAD_PATH, NULL, 0);
        return;
    }
    if (archive_entry_filetype(entry) != AE_IFREG ||
        archive_entry_hardlink(entry) != NULL) {
        why = NO_FILE;
    } else if (archive_entry_is_encrypted(entry)) {
        why = SECRET;
    } else if (grade_archive_ending(name) > 0) {
        read_inner(r, a, path, depth);
        return;
    } else if (most_wanted(name) > 0) {
        bytes = read_member(r, a, most_wanted(name), &size, &why);
    } else if (archive_entry_size_is_set(entry)) {
        /* What is passed over may have to be unpacked nevertheless. */
        r->bytes -= archive_entry_size(entry);
    }
    tell(r, path, why, bytes, size);
    free(bytes);
}

static void read_members(struct reader *r, struct archive *a,
                         const char *prefix, int depth)
{
    struct archive_entry *entry;
    int got;

    while ((got = archive_read_next_header(a, &entry)) == ARCHIVE_OK ||
           got == ARCHIVE_WARN) {
        if (--r->files < 0 || r->bytes <= 0) {
            tell(r, prefix, TOO_MUCH, NULL, 0);
            return;
        }
        read_entry(r, a, entry, prefix, depth);
    }
    if (got != ARCHIVE_EOF)
        tell(r, prefix, UNREADABLE, NULL, 0);
}

/* An archive needs memory and a processor, and nothing else. */
static void give_up_rights(const struct grade_archive_limits *limits)
{
    const rlim_t seconds = (rlim_t)limits->seconds;

    if (setrlimit(RLIMIT_AS, &(struct rlimit){memory_most, memory_most}) != 0 ||
        setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds}) != 0 ||
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0}) != 0 ||
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        (geteuid() == 0 &&
         (setgroups(0, NULL) != 0 || setresgid(nobody, nobody, nobody) != 0 ||
          setresuid(nobody, nobody, nobody) != 0)))
        _exit(1);
}

_Noreturn static void read_apart(int file, int to, const char *prefix,
                                 const struct grade_archive_limits *limits)
{
    struct reader r = {fdopen(to, "w"), limits->bytes, limits->files};
    struct archive *a;

    setlocale(LC_CTYPE, "C.UTF-8"); /* names are UTF-8 in what systems give */
    give_up_rights(limits);
    if (r.to == NULL)
        _exit(1);
    a = new_archive();
    if (archive_read_open_fd(a, file, BLOCK) != ARCHIVE_OK) {
        tell(&r, prefix, UNREADABLE, NULL, 0);
    } else {
        read_members(&r, a, prefix, 1);
    }
    _exit(fclose(r.to) == 0 ? 0 : 1);
}

/* --- here ----------------------------------------------------------------- */

/* Reads what is told of one file. Returns 1; 0 at the end, or where it makes no
   sense. */
static int get_item(FILE *from, struct grade_items *items)
{
    struct message message;

    if (grade_wire_get(from, &form, &message) != NULL)
        return 0;
    grade_items_add(
        items, message.path,
        (struct grade_item){.is_unpacked = 1,
                            .bytes = message.bytes,
                            .size = message.size,
                            .refusal = refusal_text[message.refusal]});
    free(message.path);
    return 1;
}

void grade_archive_read(struct grade_items *items, int file, const char *prefix,
                        const struct grade_archive_limits *limits)
{
    int way[2] = {-1, -1}, status = 0;
    pid_t child = -1;
    FILE *from;

    fflush(NULL);
    if (pipe(way) == 0)
        child = fork();
    if (child == 0) {
        close(way[0]);
        read_apart(file, way[1], prefix, limits);
    }
    if (child < 0)
        grade_items_add(items, prefix, (struct grade_item){.error = errno});
    close(way[1]);
    from = child > 0 ? fdopen(way[0], "r") : NULL;
    while (from != NULL && get_item(from, items))
        ;
    if (from != NULL) {
        fclose(from);
    } else {
        close(way[0]);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        grade_items_add(
            items, prefix,
            (struct grade_item){.refusal = refusal_text[UNREADABLE]});
    }
}
