#define _POSIX_C_SOURCE 200809L
#include "grade/publish/export/export.h"

#include <errno.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "grade/base/text.h"

/* What a lab is in JUnit's words. */
enum outcome {
    PASSED,
    FAILED,  /* points are missing */
    ERROR,   /* nobody decided */
    SKIPPED, /* nothing was handed in */
    OUTCOMES
};

static enum outcome outcome_of(const struct grade_class *class,
                               const struct grade_row *row, int lab)
{
    if (!grade_row_is_settled(class, row, lab))
        return ERROR;
    if (grade_row_points(class, row, lab) >= class->of[lab])
        return PASSED;
    return row->result[lab].verdict == GRADE_MISSING ? SKIPPED : FAILED;
}

static void count_outcomes(const struct grade_class *class,
                           const struct grade_row *row, int counts[OUTCOMES])
{
    for (int i = 0; i < class->labs; i++)
        counts[outcome_of(class, row, i)]++;
}

/* libxml2 notes its own errors, so that the text at the end is NULL or whole;
   what it is given is UTF-8 without controls. */
static void put_attribute(xmlTextWriterPtr to, const char *name,
                          const char *value)
{
    xmlTextWriterWriteAttribute(to, BAD_CAST name, BAD_CAST value);
}

static void put_counts(xmlTextWriterPtr to, const int counts[OUTCOMES],
                       double seconds)
{
    static const char *const name[OUTCOMES] = {NULL, "failures", "errors",
                                               "skipped"};
    char text[32];
    int sum = 0;

    for (int i = 0; i < OUTCOMES; i++)
        sum += counts[i];
    snprintf(text, sizeof text, "%d", sum);
    put_attribute(to, "tests", text);
    for (int i = FAILED; i < OUTCOMES; i++) {
        snprintf(text, sizeof text, "%d", counts[i]);
        put_attribute(to, name[i], text);
    }
    snprintf(text, sizeof text, "%.3f", seconds);
    put_attribute(to, "time", text);
}

/* Returns -1 without memory. */
static int put_case(xmlTextWriterPtr to, const struct grade_class *class,
                    const struct grade_row *row, int lab, const char *student)
{
    static const char *const element[OUTCOMES] = {NULL, "failure", "error",
                                                  "skipped"};
    const enum outcome outcome = outcome_of(class, row, lab);
    char *const feedback = grade_feedback_text(class, row, lab);
    char text[80];

    if (feedback == NULL)
        return -1;
    xmlTextWriterStartElement(to, BAD_CAST "testcase");
    put_attribute(to, "classname", student);
    put_attribute(to, "name", class->lab[lab]->name);
    snprintf(text, sizeof text, "%.3f", row->seconds[lab]);
    put_attribute(to, "time", text);
    if (outcome != PASSED) {
        snprintf(text, sizeof text, "%g of %g points",
                 grade_row_points(class, row, lab), class->of[lab]);
        xmlTextWriterStartElement(to, BAD_CAST element[outcome]);
        put_attribute(to, "type", grade_verdict_word[row->result[lab].verdict]);
        put_attribute(to, "message",
                      outcome == ERROR ? "no points were decided" : text);
        xmlTextWriterWriteString(to, BAD_CAST feedback);
        xmlTextWriterEndElement(to);
    }
    xmlTextWriterEndElement(to);
    free(feedback);
    return 0;
}

static int put_junit_row(xmlTextWriterPtr to, const struct grade_class *class,
                         const struct grade_row *row)
{
    char *const student = grade_text_shown(row->student);
    int counts[OUTCOMES] = {0}, failed = student == NULL;

    if (failed)
        return -1;
    count_outcomes(class, row, counts);
    xmlTextWriterStartElement(to, BAD_CAST "testsuite");
    put_attribute(to, "name", student);
    put_counts(to, counts, grade_row_seconds(class, row));
    for (int i = 0; i < class->labs && !failed; i++)
        failed = put_case(to, class, row, i, student) != 0;
    xmlTextWriterEndElement(to);
    free(student);
    return failed ? -1 : 0;
}

static int put_class(xmlTextWriterPtr to, const struct grade_class *class)
{
    int counts[OUTCOMES] = {0}, failed = 0;
    double seconds = 0.0;

    for (size_t i = 0; i < class->rows; i++) {
        count_outcomes(class, &class->row[i], counts);
        seconds += grade_row_seconds(class, &class->row[i]);
    }
    xmlTextWriterSetIndent(to, 1);
    xmlTextWriterStartDocument(to, NULL, "UTF-8", NULL);
    xmlTextWriterStartElement(to, BAD_CAST "testsuites");
    put_counts(to, counts, seconds);
    for (size_t i = 0; i < class->rows && !failed; i++)
        failed = put_junit_row(to, class, &class->row[i]) != 0;
    return failed || xmlTextWriterEndDocument(to) < 0 ? -1 : 0;
}

int grade_export_junit(const char *path, const struct grade_class *class,
                       char *why, size_t size)
{
    const xmlBufferPtr buffer = xmlBufferCreate();
    const xmlTextWriterPtr writer =
        buffer != NULL ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    int result = -1;

    if (writer != NULL)
        result = put_class(writer, class);
    if (writer != NULL)
        xmlFreeTextWriter(writer); /* what it held goes to the buffer */
    if (result == 0) {
        result = base_write_file(path, (const char *)xmlBufferContent(buffer),
                                 why, size);
    } else {
        snprintf(why, size, "%s: %s", path, strerror(ENOMEM));
    }
    if (buffer != NULL)
        xmlBufferFree(buffer);
    return result;
}
