/*
 * worst_names.h: which name of a student's folder may break something?
 *
 * Options, commands of a shell, formulas, words of a log, Markdown, XML, JSON,
 * terminals and file systems; two that differ in their last letter alone.
 */
#ifndef TESTS_GRADE_WORST_NAMES_H
#define TESTS_GRADE_WORST_NAMES_H

#define TEN   "abcdefghij"
#define FIFTY TEN TEN TEN TEN TEN

static const char *const worst_name[] = {
    "-rf",
    "--help",
    "$(touch X)",
    "`touch X`",
    "; touch X;",
    "| touch X",
    "& touch X",
    "> X",
    "two words",
    " blanks around ",
    "'single'",
    "\"double\"",
    "back\\slash",
    "new\nline",
    "tab\tand\rreturn",
    "=HYPERLINK(\"evil\",\"grade\")",
    "+1",
    "@SUM(A1)",
    "comma, semicolon; and {brackets}[]()",
    "*",
    "?",
    "~",
    "#comment",
    "%s%n",
    "!history",
    "invalid \xff\xfe UTF-8",
    "cut \xe2\x82",
    "J\xc3\xbcrgen",
    "\xe2\x80\xaereversed",
    "\x1b[2Jescape",
    "CON",
    "con",
    FIFTY FIFTY FIFTY FIFTY FIFTY "abcde", /* 255 bytes */
    FIFTY FIFTY FIFTY FIFTY FIFTY "abcdf",
    /* Harmless to whoever grades, but not to who reads exports. */
    "::error::x",
    "::set-output name=a::b",
    "##[error]x",
    "<script>alert(1)",
    "]]>&amp;&#0;",
    "{\"score\": 100}",
    "100:x",
    "`_**[a](b)|",
    "\xef\xbc\x9d"
    "1+1",
    "\xef\xbf\xbe",
};

enum {
    WORST_NAMES = sizeof worst_name / sizeof *worst_name,
    WORST_FOR_EXPORTS = 10 /* the last ones */
};

#undef TEN
#undef FIFTY

#endif /* TESTS_GRADE_WORST_NAMES_H */
