#define _POSIX_C_SOURCE 200809L
#include "course/describe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/todo.h"

int course_lab_of(const char *path, char name[COURSE_NAME], char *why,
                  size_t size)
{
    const char *const slash = strrchr(path, '/');
    const char *begin = slash;
    size_t length;

    while (begin != NULL && begin > path && begin[-1] != '/')
        begin--;
    length = begin != NULL ? (size_t)(slash - begin) : 0;
    if (length == 0 || length >= COURSE_NAME) {
        snprintf(why, size, "%s: not in a lab's folder, as in labs/03_tiling/",
                 path);
        return -1;
    }
    memcpy(name, begin, length);
    name[length] = '\0';
    return 0;
}

/* Is solutions one of the folders that lead to path? */
static int in_solutions(const char *path)
{
    static const char folder[] = "solutions/";
    const char *const found = strstr(path, folder);

    return found != NULL && (found == path || found[-1] == '/');
}

/* Writes text as a C string. A question mark is escaped since C11 still has
   trigraphs. */
static void write_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\' || c == '?') {
            fprintf(out, "\\%c", c);
        } else if (c < ' ' || c > '~') {
            fprintf(out, "\\%03o", c);
        } else {
            fputc(c, out);
        }
    }
    fputc('"', out);
}

static void write_shape(FILE *out, const struct course_shape *shape)
{
    fprintf(out, "{%d, %d, %d}", shape->m, shape->n, shape->k);
}

static void write_entries(FILE *out, const struct course_lab *lab)
{
    static const char *const kinds[] = {"LAB_ENTRY_HOST", "LAB_ENTRY_LAUNCH",
                                        "LAB_ENTRY_BANKS", "LAB_ENTRY_LAUNCH"};

    static const char *const precisions[] = {"LAB_FP32", "LAB_TF32",
                                             "LAB_BF16"};

    /* A program for a device that lacks what the lab needs has no lab in it. */
    for (int i = 0; lab->needs.what != NULL && i < lab->entries; i++)
        fprintf(out, "#pragma weak %s\n", lab->entry[i].function);
    fputs("static const struct lab_entry entries[] = {\n", out);
    for (int i = 0; i < lab->entries; i++) {
        const struct course_entry *const entry = &lab->entry[i];
        const int packed = entry->precision == LAB_BF16;

        fputs("    {", out);
        write_string(out, entry->variant);
        fprintf(out, ", %s, %s, %d, %s, %s},\n", kinds[entry->kind],
                entry->kind == COURSE_BANKS || packed ? "NULL"
                                                      : entry->function,
                entry->kind == COURSE_SHOWN, precisions[entry->precision],
                packed ? entry->function : "NULL");
    }
    fputs("};\n\n", out);
}

static void write_shapes(FILE *out, const struct course_index *index,
                         const struct course_lab *lab)
{
    fputs("static const struct lab_shape shapes[] = {\n", out);
    for (int i = 0; i < course_index_shapes(index, lab); i++) {
        const struct course_shape shape = course_index_shape(index, lab, i);

        fputs("    ", out);
        write_shape(out, &shape);
        fputs(",\n", out);
    }
    fputs("};\n\n", out);
}

static void write_measures(FILE *out, const struct course_lab *lab)
{
    if (lab->measures == 0)
        return; /* C has no empty arrays */
    fputs("static const struct lab_measure measures[] = {\n", out);
    for (int i = 0; i < lab->measures; i++) {
        fputs("    {", out);
        write_string(out, lab->measure[i].column);
        fprintf(out, ", %.17g, %.17g, %.17g},\n", lab->measure[i].full,
                lab->measure[i].zero, lab->measure[i].before);
    }
    fputs("};\n\n", out);
}

/* Writes what each lab's handout explains; a lab before the advanced track is
   told of none that is in it. Returns how many words there are. */
static int write_handouts(FILE *out, const struct course_index *index,
                          const struct course_lab *lab)
{
    int count = 0;

    for (int i = 0; i < index->labs; i++) {
        const char *word = index->lab[i].about;

        if (index->lab[i].advanced && !lab->advanced)
            continue;
        for (word += strspn(word, " "); *word != '\0';
             word += strspn(word, " ")) {
            const int length = (int)strcspn(word, " ");

            if (count++ == 0)
                fputs("static const struct lab_handout handouts[] = {\n", out);
            fprintf(out, "    {\"%.*s\", ", length, word);
            write_string(out, index->lab[i].name);
            fputs("},\n", out);
            word += length;
        }
    }
    if (count > 0)
        fputs("};\n\n", out);
    return count;
}

/* Writes the open TODOs of the source. Returns how many there are. */
static int write_todos(FILE *out, const char *list, const char *lab,
                       const struct course_todos *todos)
{
    int open = 0;

    for (int i = 0; i < todos->count; i++) {
        const struct course_todo *const todo = &todos->todo[i];

        if (!course_todo_is_open(list, lab, todo))
            continue;
        if (open++ == 0)
            fputs("static const struct lab_todo todos[] = {\n", out);
        fprintf(out, "    {\"%d.%d\", %d, ", todo->lab, todo->number,
                todo->line);
        write_string(out, todo->text);
        fputs("},\n", out);
    }
    if (open > 0)
        fputs("};\n\n", out);
    return open;
}

/* How many lines of this lab labs/TODOS has: its TODOs. */
static int count_todos(const char *list, const char *lab)
{
    const size_t length = strlen(lab);
    int count = 0;

    for (; *list != '\0'; list += *list == '\n') {
        if (strncmp(list, lab, length) == 0 && list[length] == ' ')
            count++;
        list += strcspn(list, "\n");
    }
    return count;
}

static void write_info(FILE *out, const struct course_index *index,
                       const struct course_lab *lab, const char *path,
                       int handouts, int open, int written)
{
    fputs("const struct lab_info lab_info = {\n    .name = ", out);
    write_string(out, lab->name);
    fputs(",\n    .title = ", out);
    write_string(out, lab->title);
    fputs(",\n    .source = ", out);
    write_string(out, path);
    fprintf(out, ",\n    .is_solution = %d,\n", in_solutions(path));
    fprintf(out, "    .entries = %d,\n    .shapes = %d,\n", lab->entries,
            course_index_shapes(index, lab));
    fprintf(out, "    .measures = %d,\n    .todos = %d,\n    .written = %d,\n",
            lab->measures, open, written);
    fputs("    .entry = entries,\n    .shape = shapes,\n    .counting = ", out);
    write_shape(out, &index->counting);
    fprintf(out, ",\n    .measure = %s,\n    .todo = %s,\n",
            lab->measures > 0 ? "measures" : "NULL",
            open > 0 ? "todos" : "NULL");
    fprintf(out, "    .handout = %s,\n    .handouts = %d,\n",
            handouts > 0 ? "handouts" : "NULL", handouts);
    if (lab->needs.what != NULL) {
        fputs("    .needs = {", out);
        write_string(out, lab->needs.what);
        fprintf(out, ", %d, %d, %d},\n", lab->needs.major, lab->needs.minor,
                lab->needs.exactly);
    }
    fputs("};\n", out);
}

char *course_describe(const struct course_index *index, const char *todos,
                      const char *name, const char *path, const char *source,
                      char *why, size_t size)
{
    const struct course_lab *const lab = course_index_find(index, name);
    struct course_todos found = {.todo = NULL, .count = 0};
    char *text = NULL;
    size_t length;
    int handouts, open;
    FILE *out;

    if (lab == NULL) {
        snprintf(why, size, "%s: labs/INDEX has no lab '%s'", path, name);
        return NULL;
    }
    if (!count_todos(todos, name)) {
        snprintf(why, size, "%s: labs/TODOS has no lab '%s' (make skeletons)",
                 path, name);
        return NULL;
    }
    if (course_todos_find(source, &found) != 0)
        goto bad;
    out = open_memstream(&text, &length);
    if (out == NULL)
        goto bad;

    fputs("/* Written by describe_lab. */\n"
          "#include <stddef.h>\n\n#include \"lab_info.h\"\n\n",
          out);
    write_entries(out, lab);
    write_shapes(out, index, lab);
    write_measures(out, lab);
    handouts = write_handouts(out, index, lab);
    open = write_todos(out, todos, name, &found);
    write_info(out, index, lab, path, handouts, open,
               count_todos(todos, name) - open);
    if (fclose(out) != 0)
        goto bad;
    course_todos_free(&found);
    return text;

bad:
    snprintf(why, size, "%s: %s", path, strerror(errno));
    course_todos_free(&found);
    free(text);
    return NULL;
}
