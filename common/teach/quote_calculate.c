#define _POSIX_C_SOURCE 200809L
#include "teach/quote.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An expression being read. */
struct reader {
    const char *at;
    int (*value)(void *context, const char *name, double *result);
    void *context;
    char *why;
    size_t size;
};

static int sum(struct reader *r, double *result);

static int name(struct reader *r, double *result)
{
    char text[80];
    size_t length = 0;

    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')
        length++;
    if (length == 0 || length >= sizeof text) {
        snprintf(r->why, r->size, "'%s' is no number and no column", r->at);
        return -1;
    }
    memcpy(text, r->at, length);
    text[length] = '\0';
    r->at += length;
    if (r->value == NULL || r->value(r->context, text, result) != 0) {
        snprintf(r->why, r->size, "there is no number in a column '%s' here",
                 text);
        return -1;
    }
    return 0;
}

static int factor(struct reader *r, double *result)
{
    if (*r->at == '(') {
        r->at++;
        if (sum(r, result) != 0)
            return -1;
        if (*r->at != ')') {
            snprintf(r->why, r->size, "a ')' is missing before '%s'", r->at);
            return -1;
        }
        r->at++;
        return 0;
    }
    if (isdigit((unsigned char)*r->at)) {
        char *end;

        *result = strtod(r->at, &end);
        r->at = end;
        return 0;
    }
    return name(r, result);
}

static int read_product(struct reader *r, double *result)
{
    double other;

    if (factor(r, result) != 0)
        return -1;
    while (*r->at == '*' || *r->at == '/') {
        const char sign = *r->at++;

        if (factor(r, &other) != 0)
            return -1;
        *result = sign == '*' ? *result * other : *result / other;
    }
    return 0;
}

static int sum(struct reader *r, double *result)
{
    double other;

    if (read_product(r, result) != 0)
        return -1;
    while (*r->at == '+' || *r->at == '-') {
        const char sign = *r->at++;

        if (read_product(r, &other) != 0)
            return -1;
        *result = sign == '+' ? *result + other : *result - other;
    }
    return 0;
}

int quote_calculate(const char *expression,
                    int (*value)(void *context, const char *name,
                                 double *result),
                    void *context, double *result, char *why, size_t size)
{
    struct reader reader = {expression, value, context, why, size};

    if (sum(&reader, result) != 0)
        return -1;
    if (*reader.at != '\0') {
        snprintf(why, size, "what is '%s' in '%s'?", reader.at, expression);
        return -1;
    }
    if (!isfinite(*result)) {
        snprintf(why, size, "'%s' is no finite number", expression);
        return -1;
    }
    return 0;
}

int quote_print(char *text, size_t size, const char *format, double value)
{
    const int grouped = strncmp(format, "%'.", 3) == 0;
    const char *const digit = format + (grouped ? 3 : 2);
    char plain[64];
    size_t length, whole;

    if ((!grouped && strncmp(format, "%.", 2) != 0) ||
        !isdigit((unsigned char)digit[0]) || strcmp(digit + 1, "f") != 0)
        return -1;
    length =
        (size_t)snprintf(plain, sizeof plain, "%.*f", digit[0] - '0', value);
    if (length >= sizeof plain)
        return -1;
    whole = strspn(plain, "-0123456789");
    for (size_t i = 0, at = 0; i <= length && at + 2 < size; i++) {
        if (grouped && i > 0 && i < whole && (whole - i) % 3 == 0 &&
            plain[i - 1] != '-')
            text[at++] = ',';
        text[at++] = plain[i];
        text[at] = '\0';
    }
    return 0;
}
