/* editor.h: what an editor marks of what a command prints, by the problem
   matcher of .vscode/tasks.json. */
#ifndef TESTS_EDITOR_H
#define TESTS_EDITOR_H

/* 1 if it marks this place, as "tiling.cu:59", or with "tiling.cu" any line of
   that file. */
int editor_marks(const char *text, const char *place);

#endif /* TESTS_EDITOR_H */
