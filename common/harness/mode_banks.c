/* Did the student predict the passes that lab 05's reads take? */
#include "program.h"

#include "base/language.h"
#include "base/wrap.h"
#include "bank_reads.h"
#include "device_kind.h"
#include "measure.h"
#include "predictions.h"
#include "screen.h"

#include <stdio.h>

/* Only lab 05 has this table; the other labs are linked without it. */
#pragma weak lab_prediction

/* Runs the microkernels and says what came of them; the wavefronts that were
   counted, which are a column of the table, only if they are told. 0, 1 or -1.
 */
static int run_reads(struct lab_program *program, int is_told)
{
    struct lab_bank_reads reads;

    if (lab_bank_reads_run(&reads, program->options.banks, program->why,
                           sizeof program->why) != 0)
        return -1;
    if (reads.story.rank != LAB_NOTHING) {
        fprintf(lab_screen(),
                _("%s  s[stride * tid] in each type and stride\n"),
                lab_screen_word(lab_wrong_verdict()));
        if (!reads.story.is_message || lab_info.open.count == 0)
            base_wrap(lab_screen(), "      ", reads.story.text);
        return 1;
    }
    fprintf(lab_screen(),
            _("%s  s[stride * tid] in %d types and %d strides%s\n"),
            lab_screen_word(LAB_PASS), LAB_TYPES, LAB_STRIDES,
            lab_can_count() ? _(", wavefronts as in the model") : "");
    if (is_told)
        lab_bank_reads_print(lab_screen_summary(), &reads);
    if (!lab_can_count())
        return 0;
    program->checks = reads.checks;
    lab_tell_checks(program);
    return simt_checks_failed(&program->checks);
}

int lab_mode_banks(struct lab_program *program)
{
    struct lab_bank_table table;
    struct lab_prediction_score score;
    struct lab_result *result =
        lab_program_add(program, lab_info.lab->entry[0].variant,
                        (struct course_shape){0, 0, 0});
    int wrong, verdict = LAB_PASS;

    if (result == NULL)
        return -1;
    lab_bank_table_fill(&table);
    score = lab_predictions_score(lab_prediction, &table);
    result->counter[LAB_RIGHT_CELLS] = (double)score.right / LAB_CELLS;
    result->measure_ok = lab_measures_reached(lab_info.lab, result->counter);
    lab_predictions_print(lab_screen(), lab_prediction, &table);
    fprintf(lab_screen(),
            _("  %d of %d are right, %d wrong (*), %d not filled in (_)\n"),
            score.right, LAB_CELLS, score.wrong, score.unfilled);
    if (score.wrong > 0)
        lab_predictions_nudge(lab_screen(), &score);
    wrong = run_reads(program, score.right == LAB_CELLS);
    if (wrong < 0)
        return -1;
    snprintf(program->summary, sizeof program->summary,
             _("%d of %d cells right"), score.right, LAB_CELLS);
    if (score.unfilled > 0 && lab_info.open.count == 0) {
        verdict = LAB_UNFINISHED; /* the comments went, the zeros stayed */
    } else if (wrong > 0 || score.right < LAB_CELLS) {
        verdict = lab_mode_wrong();
    }
    result->verdict = lab_verdict_word((enum lab_verdict)verdict);
    return verdict;
}
