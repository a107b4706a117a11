/*
 * po.h: what does a file of translations say of a text?
 *
 * Such a file has the form of GNU gettext (PO files), in UTF-8, and is read as
 * it is: nobody has to compile it. Plural forms and contexts are not known.
 */
#ifndef BASE_PO_H
#define BASE_PO_H

#include <stddef.h>

struct base_po_entry {
    const char *id, *str; /* the English text; its translation, or "" */
    const char *from;     /* the files that it is in, with blanks between */
    const char *flags;    /* as "fuzzy, no-wrap" */
    int line;             /* where it stands */
    int is_stale;         /* str translates an earlier form of id */
};

struct base_po {
    struct base_po_entry *entry; /* in the order of the file, without the head
                                     and what is obsolete */
    size_t count;
    size_t *by_id; /* their places, in the order of the ids */
    char *text;    /* all texts point into it */
};

/* Reads a file. Returns 0, or -1 with "path:line: ..." in why; po then holds
   nothing to free. */
int base_po_read(const char *path, struct base_po *po, char *why, size_t size);

void base_po_free(struct base_po *po);

/* The entry of an English text, or NULL. */
const struct base_po_entry *base_po_find(const struct base_po *po,
                                         const char *id);

#endif /* BASE_PO_H */
