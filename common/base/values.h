/*
 * values.h: how is a value written so that another program reads it as it was?
 *
 * CSV as in RFC 4180, with line feeds alone; JSON as in RFC 8259. What is not
 * known is empty in CSV and null in JSON. Errors are those of the FILE: ask
 * ferror, or let base_replace_end (replace_file.h) do so.
 */
#ifndef BASE_VALUES_H
#define BASE_VALUES_H

#include <stdio.h>

/* Writes a finite number in the fewest digits that read back as the same. */
void base_put_number(FILE *file, double number);

/* A cell of CSV, without the commas around it. A number that is not finite is
   an empty cell. */
void base_put_csv_text(FILE *file, const char *text);
void base_put_csv_number(FILE *file, double number);

/*
 * JSON, a value a line, indented by depth. Each function takes the name of the
 * member that it writes; in an array, and outside of everything, name is NULL.
 */
struct base_json {
    FILE *file;
    int depth;   /* of the value that comes next */
    int written; /* 1: it has a neighbour before it */
};

/* open is '{' or '['; close the matching '}' or ']'. */
void base_json_open(struct base_json *json, const char *name, char open);
void base_json_close(struct base_json *json, char close);

/* text may be NULL, and number not finite: both give null. */
void base_json_text(struct base_json *json, const char *name, const char *text);
void base_json_number(struct base_json *json, const char *name, double number);
void base_json_truth(struct base_json *json, const char *name, int is_true);

#endif /* BASE_VALUES_H */
