/* How does feedback come back to all who handed in, at once? As a zip of files
   that are called as the system called what it gave out. */
#define _GNU_SOURCE
#include "grade/publish/papers.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "grade/intake/names.h"

enum {
    MOST_NAMES = 20
};

/* --- a zip ---------------------------------------------------------------- */

static void add_file(struct archive *zip, const char *name, const char *bytes,
                     size_t size)
{
    struct archive_entry *const entry = archive_entry_new();

    if (entry == NULL) {
        base_memory_fail();
        return;
    }
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)size);
    if (archive_write_header(zip, entry) != ARCHIVE_OK ||
        archive_write_data(zip, bytes, size) != (la_ssize_t)size)
        base_memory_fail(); /* the file is not kept then */
    archive_entry_free(entry);
}

/* A zip with as many bytes as it has, and none behind them. */
static struct archive *begin_zip(FILE *to)
{
    struct archive *const zip = archive_write_new();

    if (zip == NULL || archive_write_set_format_zip(zip) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(zip, 1) != ARCHIVE_OK ||
        archive_write_open_FILE(zip, to) != ARCHIVE_OK) {
        base_memory_fail();
        archive_write_free(zip);
        return NULL;
    }
    return zip;
}

static void end_zip(struct archive *zip)
{
    if (archive_write_close(zip) != ARCHIVE_OK)
        base_memory_fail();
    archive_write_free(zip);
}

/* --- what is in it -------------------------------------------------------- */

/* Canvas shows a file under the name of what was handed in: may a text be
   called so? 0: no; 1: it is put into a zip; more: the better. */
static int suits(const char *name)
{
    const char *const dot = strrchr(name, '.');

    return grade_item_is_source(name)                ? 3
           : dot != NULL && strcmp(dot, ".txt") == 0 ? 2
           : dot != NULL && strcmp(dot, ".zip") == 0 ? 1
                                                     : 0;
}

/* What a student's feedback is called, for free(); NULL: nothing that the
   system would take back was handed in. */
static char *find_name(enum grade_layout layout, const struct grade_parcel *p)
{
    char *best = NULL;

    for (size_t i = 0; i < p->pieces; i++) {
        char *const name = grade_layout_feedback(layout, p->piece[i]);

        if (name != NULL && suits(name) > 0 &&
            (best == NULL || suits(name) > suits(best))) {
            free(best);
            best = name;
        } else {
            free(name);
        }
    }
    return best;
}

/* Adds a row's feedback under that name. */
static void add_feedback(struct archive *zip, const char *name,
                         const struct grade_row *row)
{
    struct base_memory text, packed;
    struct archive *inner = NULL;
    char *bytes, *all = NULL;

    if (base_memory_open(&text) == NULL)
        return;
    grade_feedback(text.file, row, GRADE_ALL, GRADE_PLAIN);
    bytes = base_memory_close(&text);
    if (bytes == NULL)
        return;
    if (suits(name) > 1) {
        add_file(zip, name, bytes, text.length);
    } else if (base_memory_open(&packed) != NULL) {
        inner = begin_zip(packed.file);
        if (inner != NULL) {
            add_file(inner, "feedback.txt", bytes, text.length);
            end_zip(inner);
        }
        all = base_memory_close(&packed);
        if (all != NULL)
            add_file(zip, name, all, packed.length);
    }
    free(all);
    free(bytes);
}

/* What is counted meanwhile: who is in no zip, although something was handed
   in, and how many are. */
struct counted {
    struct grade_names *left_out;
    size_t *files;
};

static void put_zip(FILE *to, const struct grade_papers *papers,
                    const void *what)
{
    const struct counted *const counted = what;
    const struct grade_class *const class = papers->class;
    /* Names are UTF-8, and are marked as that. */
    const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    const locale_t before = uselocale(utf8);
    struct archive *const zip = begin_zip(to);

    for (size_t i = 0; i < class->rows && zip != NULL; i++) {
        const struct grade_parcel *const p =
            grade_intake_parcel(papers->intake, class->row[i].student);
        char *const name =
            p != NULL ? find_name(papers->intake->layout, p) : NULL;

        if (name != NULL) {
            add_feedback(zip, name, &class->row[i]);
            ++*counted->files;
        } else if (p != NULL) {
            grade_names_tell(counted->left_out, class->row[i].student);
        }
        free(name);
    }
    if (zip != NULL)
        end_zip(zip);
    uselocale(before);
    if (utf8 != (locale_t)0)
        freelocale(utf8);
}

int grade_export_feedback(const struct grade_papers *papers,
                          enum grade_layout layout, const char *word)
{
    struct grade_names left_out = {
        papers->tell,
        "  handed in no file that can carry feedback, so not in it: ",
        MOST_NAMES, 0};
    struct base_memory names;
    size_t files = 0;
    char name[60], *text;
    int result;

    if (papers->intake == NULL || papers->intake->layout != layout)
        return 0;
    left_out.to = base_memory_open(&names);
    if (left_out.to == NULL)
        return 0; /* which the next file that is written tells */
    snprintf(name, sizeof name, "export/%s-feedback.zip", word);
    result = grade_papers_write(papers, name, put_zip,
                                &(struct counted){&left_out, &files});
    grade_names_end(&left_out, "\n");
    text = base_memory_close(&names);
    if (result == 0) {
        fprintf(papers->tell, "  %s: %s/%s; feedback of %zu students\n%s", word,
                papers->out, name, files, text != NULL ? text : "");
    }
    free(text);
    return result;
}
