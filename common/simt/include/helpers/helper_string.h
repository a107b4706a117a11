/*
 * helper_string.h: a program's options, "-size=64" or "--verbose", and the
 * files that it reads.
 */
#ifndef SIMT_HELPER_STRING_H
#define SIMT_HELPER_STRING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/* What stands behind the name of an option and its "="; "" if nothing does.
   NULL: the option is not there. Small and large letters are alike. */
static inline const char *simt_helper_option(int count, const char **argument,
                                             const char *name)
{
    const size_t length = strlen(name);

    for (int i = 1; i < count; i++) {
        const char *at = argument[i] + strspn(argument[i], "-");

        if (at == argument[i] || strncasecmp(at, name, length) != 0)
            continue;
        if (at[length] == '=')
            return at + length + 1;
        if (at[length] == '\0')
            return at + length;
    }
    return NULL;
}

static inline bool checkCmdLineFlag(int count, const char **argument,
                                    const char *name)
{
    return simt_helper_option(count, argument, name) != NULL;
}

static inline int getCmdLineArgumentInt(int count, const char **argument,
                                        const char *name)
{
    const char *value = simt_helper_option(count, argument, name);

    return value ? atoi(value) : 0;
}

static inline float getCmdLineArgumentFloat(int count, const char **argument,
                                            const char *name)
{
    const char *value = simt_helper_option(count, argument, name);

    return value ? (float)atof(value) : 0;
}

/* *value points into the arguments, or is NULL. */
static inline bool getCmdLineArgumentString(int count, const char **argument,
                                            const char *name, char **value)
{
    *value = const_cast<char *>(simt_helper_option(count, argument, name));
    return *value != NULL;
}

/* The file's path, here or in data/; NULL: there is none. The caller frees
   it. */
static inline char *sdkFindFilePath(const char *name, const char *)
{
    for (const char *folder : {"", "data/", "../data/"}) {
        const std::string path = std::string(folder) + name;

        if (FILE *file = fopen(path.c_str(), "r")) {
            fclose(file);
            return strdup(path.c_str());
        }
    }
    return NULL;
}

#endif /* SIMT_HELPER_STRING_H */
