/*
 * Does a term go on as INSTRUCTORS.md says, whatever a class hands in?
 *
 * Each test lays a small class as a system delivers it, and grades it as an
 * instructor would. Verdicts are those of fake.c.
 */
#define _GNU_SOURCE
#include "../testing.h"
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>

EACH_TEST(folder_make_course, NULL);

static const char with_report[] = "report: 20\n";

/* --- the report ----------------------------------------------------------- */

/* Three archives make three reports and three answers.txt. */
TEST(test_answers_of_several_archives_are_one_report)
{
    folder_put("rubric", with_report);
    folder_put("labs/01_cpu_naive/questions.txt", "01.1: Why?\n");
    folder_put("labs/04_coalescing/questions.txt", "04.1: Why?\n04.2: How?\n");
    folder_put("c/anna_47_901_report.html", "-");
    folder_put("c/anna_47_902_report-1.html", "-");
    folder_put("c/anna_47_903_answers.txt", "01.1: so\n");
    folder_put("c/anna_47_904_answers-1.txt", "04.1: thus\n04.2: one\n");
    folder_put("c/anna_47_905_answers-2.txt", "04.2: two\n");
    grades("--rubric rubric --out out c", 0, "answers to 2 questions:");
    text_says("out/answers/01.1.html", "<p dir=\"auto\">so");
    text_says("out/answers/04.1.html", "<p dir=\"auto\">thus");
    text_says("out/grades.csv", "answers: 04.2 has two answers, in "
                                "answers-1.txt and in answers-2.txt");
    text_lacks("out/grades.csv", "not graded: ");
    text_says("out/feedback/0001_47.md", "04.2 has two answers");
}
