/* The shapes of variables that the linker gives a place, and the names of
   parameters. */
#include "parts.h"

#include <inttypes.h>

enum {
    DEEPEST = 100 /* array of a type that is an array of ... */
};

/* Names that were written so far, for their labels. */
struct names {
    FILE *to;
    int count;
};

/* Writes the place of a name, and the name elsewhere. Names are few and short,
   and the same one may be there again. */
static int put_array_name(struct names *names, const char *name)
{
    fprintf(names->to,
            "\t.pushsection simt_names,\"a\",@progbits\n"
            ".Lsimt_name%d:\n",
            ++names->count);
    simt_tables_put_string(names->to, name);
    fputs("\t.popsection\n", names->to);
    return names->count;
}

static void refer(const struct names *names, int name)
{
    fprintf(names->to, "\t.long .Lsimt_name%d - .\n", name);
}

/* --- shapes --------------------------------------------------------------- */

/* Adds the dimensions of one array type. Returns 0, or -1 if one is not known
   or the array becomes too large. */
static int add_dimensions(const struct simt_debug *d,
                          const struct simt_die *array,
                          struct simt_shape_entry *shape)
{
    const int index = (int)(array - d->die);

    for (size_t i = (size_t)index + 1;
         i < d->count && d->die[i].parent >= index; i++) {
        const uint64_t count = d->die[i].count;

        if (d->die[i].tag != SIMT_TAG_SUBRANGE)
            continue;
        if (count == 0 || count > INT32_MAX ||
            __builtin_mul_overflow(shape->bytes, count, &shape->bytes))
            return -1;
        if (shape->dimensions == SIMT_DIMENSIONS)
            shape->dimensions = -1;
        if (shape->dimensions >= 0)
            shape->dimension[shape->dimensions++] = (int)count;
    }
    return 0;
}

int simt_shape_of(const struct simt_debug *d, const struct simt_die *variable,
                  struct simt_shape_entry *shape)
{
    const struct simt_die *type = simt_debug_type(d, variable);

    *shape = (struct simt_shape_entry){.dimension = {1, 1, 1}, .bytes = 1};
    for (int i = 0; type != NULL && type->tag == SIMT_TAG_ARRAY; i++) {
        if (i == DEEPEST || add_dimensions(d, type, shape) != 0)
            return -1;
        type = simt_debug_type(d, type);
    }
    if (type == NULL || type->bytes == 0 || type->bytes > INT32_MAX ||
        __builtin_mul_overflow(shape->bytes, type->bytes, &shape->bytes))
        return -1;
    shape->element_bytes = (int)type->bytes;
    return 0;
}

static void put_shape(struct names *names, const char *name,
                      const struct simt_shape_entry *shape)
{
    const int number = put_array_name(names, name);

    fputs("\t.pushsection simt_shapes,\"a\",@progbits\n\t.p2align 3\n",
          names->to);
    refer(names, number);
    fprintf(names->to, "\t.long %d\n", shape->dimensions);
    for (int i = 0; i < SIMT_DIMENSIONS; i++)
        fprintf(names->to, "\t.long %d\n", shape->dimension[i]);
    fprintf(names->to, "\t.long %d\n\t.quad %" PRIu64 "\n\t.popsection\n",
            shape->element_bytes, shape->bytes);
}

/* --- parameters ----------------------------------------------------------- */

int simt_pointed_bytes(const struct simt_debug *d,
                       const struct simt_die *parameter)
{
    const struct simt_die *type = simt_debug_type(d, parameter);

    if (type == NULL || type->tag != SIMT_TAG_POINTER)
        return 0;
    type = simt_debug_type(d, type);
    return type != NULL && type->bytes <= INT32_MAX ? (int)type->bytes : 0;
}

/* Those of one function, which stand behind it. */
static void put_parameters(const struct simt_debug *d, size_t index,
                           struct names *names)
{
    const char *function = simt_debug_name(d, &d->die[index]);
    int number = 0, function_name = 0;

    for (size_t i = index + 1;
         i < d->count && d->die[i].parent >= (int)index && function != NULL;
         i++) {
        const struct simt_die *die = &d->die[i];
        const char *name;
        int n;

        if (die->tag != SIMT_TAG_PARAMETER || die->parent != (int)index)
            continue;
        name = simt_debug_name(d, die);
        if (name != NULL) {
            if (function_name == 0)
                function_name = put_array_name(names, function);
            n = put_array_name(names, name);
            simt_tables_open(names->to, "simt_parameters", NULL);
            refer(names, function_name);
            refer(names, n);
            fprintf(names->to, "\t.long %d\n\t.long %d\n\t.popsection\n",
                    number, simt_pointed_bytes(d, die));
        }
        number++;
    }
}

int simt_debug_is_plain_function(const struct simt_debug *d,
                                 const struct simt_die *die)
{
    return die->tag == SIMT_TAG_FUNCTION && !die->is_declaration &&
           !die->is_copy && die->parent >= 0 &&
           d->die[die->parent].tag == SIMT_TAG_NAMESPACE;
}

void simt_shapes_write(const struct simt_debug *d, FILE *to)
{
    struct names names = {.to = to};

    for (size_t i = 0; i < d->count; i++) {
        const struct simt_die *die = &d->die[i];
        struct simt_shape_entry shape;

        if (die->tag == SIMT_TAG_VARIABLE && simt_debug_is_static(d, die)) {
            const char *name = simt_debug_name(d, die);

            if (name != NULL && simt_shape_of(d, die, &shape) == 0)
                put_shape(&names, name, &shape);
        } else if (simt_debug_is_plain_function(d, die)) {
            put_parameters(d, i, &names);
        }
    }
}
