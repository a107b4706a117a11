#include "predictions.h"

#include "base/language.h"
#include "base/wrap.h"
#include "banks/banks.h"

#include <string.h>

const int lab_strides[LAB_STRIDES] = {1, 2, 3, 4, 5, 8, 16, 32, 33};

enum {
    WORD = 4
}; /* bytes that a bank hands out in a wavefront */

void lab_bank_table_fill(struct lab_bank_table *table)
{
    static const enum banks_rule rule[LAB_BANK_RULES] = {
        [LAB_BANKS_CC1] = BANKS_CC1, [LAB_BANKS_TODAY] = BANKS_TODAY};

    for (int t = 0; t < LAB_TYPES; t++) {
        for (int i = 0; i < LAB_STRIDES; i++) {
            for (int r = 0; r < LAB_BANK_RULES; r++) {
                table->wavefronts[t][i][r] =
                    banks_of_stride(rule[r], t, lab_strides[i]);
            }
        }
    }
}

/* The stride whose pair a row lacks, if all that follow have moved up by one
   and the last place is empty; else -1. */
static int find_left_out(const int (*is)[LAB_BANK_RULES],
                         const int (*right)[LAB_BANK_RULES])
{
    int first = 0;

    while (first < LAB_STRIDES &&
           memcmp(is[first], right[first], sizeof *is) == 0)
        first++;
    /* Two alone may be so by chance. */
    if (first > LAB_STRIDES - 4 || is[LAB_STRIDES - 1][0] != 0 ||
        is[LAB_STRIDES - 1][1] != 0)
        return -1;
    for (int i = first; i < LAB_STRIDES - 1; i++) {
        if (memcmp(is[i], right[i + 1], sizeof *is) != 0)
            return -1;
    }
    return first;
}

struct lab_prediction_score
lab_predictions_score(const int (*prediction)[LAB_STRIDES][LAB_BANK_RULES],
                      const struct lab_bank_table *table)
{
    struct lab_prediction_score s = {0};

    /* Today's columns are to be filled in first. */
    for (int r = LAB_BANK_RULES; r-- > 0;) {
        for (int t = 0; t < LAB_TYPES; t++) {
            for (int i = 0; i < LAB_STRIDES; i++) {
                const int wavefronts = prediction[t][i][r];

                if (wavefronts == 0) {
                    s.unfilled++;
                } else if (wavefronts == table->wavefronts[t][i][r]) {
                    s.right++;
                } else if (s.wrong++ == 0) {
                    s.type = (enum lab_type)t;
                    s.stride = i;
                    s.rule = (enum lab_banks)r;
                }
            }
        }
    }
    s.is_exchanged = s.wrong > 0;
    s.like = -1;
    for (int t = 0; t < LAB_TYPES && s.wrong > 0; t++) {
        if (memcmp(prediction[s.type], table->wavefronts[t],
                   sizeof prediction[s.type]) == 0)
            s.like = t;
    }
    for (int i = 0; i < LAB_STRIDES; i++) {
        const int *is = prediction[s.type][i];
        const int *right = table->wavefronts[s.type][i];

        s.is_exchanged &= is[0] == right[1] && is[1] == right[0];
    }
    s.left_out = find_left_out(prediction[s.type], table->wavefronts[s.type]);
    return s;
}

/* A cell, with a mark if it is not right. */
static void print_prediction(FILE *stream, int wavefronts, int right)
{
    char text[24];

    if (wavefronts == 0) {
        snprintf(text, sizeof text, "_");
    } else {
        snprintf(text, sizeof text, "%s%d", right ? "" : "*", wavefronts);
    }
    fprintf(stream, " %7s", text);
}

void lab_predictions_print(FILE *stream,
                           const int (*prediction)[LAB_STRIDES][LAB_BANK_RULES],
                           const struct lab_bank_table *table)
{
    fprintf(
        stream,
        _("  Your predictions, wavefronts for a request of s[stride * tid]:\n"
          "  %6s"),
        "");
    for (int t = 0; t < LAB_TYPES; t++)
        fprintf(stream, "  %16s", banks_type_name(t));
    fputc('\n', stream);
    base_cell(stream, 8, _("stride"));
    for (int t = 0; t < LAB_TYPES; t++) {
        fprintf(stream, "   %7s", "cc 1.x");
        base_cell(stream, 8, _("today"));
    }

    for (int i = 0; i < LAB_STRIDES; i++) {
        fprintf(stream, "\n  %6d", lab_strides[i]);
        for (int t = 0; t < LAB_TYPES; t++) {
            fputs("  ", stream);
            for (int r = 0; r < LAB_BANK_RULES; r++) {
                const int wavefronts = prediction[t][i][r];

                print_prediction(stream, wavefronts,
                                 wavefronts == table->wavefronts[t][i][r]);
            }
        }
    }
    fputc('\n', stream);
}

void lab_predictions_nudge(FILE *stream, const struct lab_prediction_score *s)
{
    const int stride = lab_strides[s->stride];
    const int size = banks_type_size((int)s->type);
    const int banks = s->rule == LAB_BANKS_CC1 ? 16 : 32;

    if (s->is_exchanged) {
        fprintf(stream,
                _("  In each cell of %s the two numbers stand in each other's "
                  "place: {1.x, now}.\n"),
                banks_type_name((int)s->type));
        return;
    }
    if (s->left_out >= 0) {
        fprintf(
            stream,
            _("  The row of %s lacks a pair, that of stride %d: from there on "
              "each pair is\n  that of the next stride, and the last place is "
              "empty.\n"),
            banks_type_name((int)s->type), lab_strides[s->left_out]);
        return;
    }
    fprintf(stream, _("  The first wrong one, %s with stride %d on %s:\n"),
            banks_type_name((int)s->type), stride,
            s->rule == LAB_BANKS_CC1 ? _("compute capability 1.x")
                                     : _("the banks of today"));
    for (int lane = 0; lane < 3; lane++) {
        const int byte = lane * stride * size;

        fprintf(stream,
                _("    lane %d reads s[%d]: byte %d, in word %d, in bank %d of "
                  "%d\n"),
                lane, lane * stride, byte, byte / WORD, byte / WORD % banks,
                banks);
    }
    if (s->like >= 0) {
        fprintf(
            stream,
            _("  Your row of %s is that of %s. Count in bytes: an element of "
              "%s has %d.\n"),
            banks_type_name((int)s->type), banks_type_name(s->like),
            banks_type_name((int)s->type), size);
    } else if (s->rule == LAB_BANKS_CC1) {
        fprintf(
            stream,
            _("  Go on to lane 15: half a warp is one request there. In a "
              "wavefront one word\n  serves all lanes that want it, and any "
              "other word serves one lane.\n"));
    } else {
        fprintf(stream,
                _("  Go on to lane 31. Into which bank fall the most different "
                  "words? Lanes that\n  want the same word share it.\n"));
    }
}
