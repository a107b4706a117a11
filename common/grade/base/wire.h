/*
 * wire.h: how does a struct get to another process, or to a file, and back?
 *
 * As bytes of this machine, its members in the order in which a form names
 * them. Nobody trusts what is read: each length and number is checked, and a
 * member that the form does not name is zero, so that no address of another
 * process comes out.
 */
#ifndef GRADE_WIRE_H
#define GRADE_WIRE_H

#include <stddef.h>
#include <stdio.h>

enum grade_wire_kind {
    GRADE_WIRE_BYTES, /* `most` bytes, as they lie */
    GRADE_WIRE_BELOW, /* an int from 0 to below `most` */
    GRADE_WIRE_TEXT,  /* a char * to `most` bytes; of a longer one the rest is
                         left out when it is written, and NULL is "" */
    GRADE_WIRE_PRINT, /* the same; what is not printable ASCII, nor the end of a
                         line, is read as a question mark */
    GRADE_WIRE_LIST   /* a pointer to `most` structs, which are `each`, or to
                         single bytes: `each` is NULL */
};

struct grade_wire_form {
    size_t size; /* of the struct */
    const struct grade_wire_member {
        enum grade_wire_kind kind;
        size_t at; /* where it lies in the struct */
        size_t most;
        int may_be_none; /* of a text: NULL stays NULL */
        size_t count;    /* of a list: where its size_t lies */
        const struct grade_wire_form *each;
    } * member;
    size_t members;
};

/* To begin a member with, as {GRADE_WIRE(TEXT, person, name, 80)}; members that
   lie side by side, as bytes; and a form, by the array of its members. */
#define GRADE_WIRE(what, type, place, limit)                       \
    .kind = GRADE_WIRE_##what, .at = offsetof(struct type, place), \
    .most = (limit)
#define GRADE_WIRE_SPAN(type, first, last)             \
    GRADE_WIRE(BYTES, type, first,                     \
               offsetof(struct type, last) +           \
                   sizeof((struct type *)NULL)->last - \
                   offsetof(struct type, first))
#define GRADE_WIRE_FORM(type, members)                                    \
    {                                                                     \
        sizeof(struct type), members, sizeof(members) / sizeof *(members) \
    }

/* Errors are those of the FILE. */
void grade_wire_put(FILE *to, const struct grade_wire_form *form,
                    const void *from);

/* Reads one struct. Returns NULL, or what is wrong; then there is nothing to
   free. Each text and list is owned, and has a NUL behind it. */
const char *grade_wire_get(FILE *from, const struct grade_wire_form *form,
                           void *to);

/* Frees what was read, and makes all of it zero. */
void grade_wire_free(const struct grade_wire_form *form, void *what);

#endif /* GRADE_WIRE_H */
