/* version.h: which course is this? */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

/* "cuda-labs 1.0.0": the number is that of the file VERSION. */
extern const char base_version[];

/* Answers --version: prints it, and ends the program with exit code 0, or 2 if
   it cannot be printed. */
_Noreturn void base_version_show(void);

#endif /* BASE_VERSION_H */
