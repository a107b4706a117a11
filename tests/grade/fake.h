/*
 * fake.h: a grader that needs no box, for tests of all that is around it.
 *
 * grade_source reads its verdict from the source's first words: "PASS",
 * "FAIL" and so on; "half" passes with half of the number's points; "crash" and
 * "hang" are faults of the grader's own process. The control (control.cu) comes
 * out as it should, unless fake_control_breaks is 1.
 */
#ifndef TESTS_GRADE_FAKE_H
#define TESTS_GRADE_FAKE_H

extern int fake_control_breaks;

#endif /* TESTS_GRADE_FAKE_H */
