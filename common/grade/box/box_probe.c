/* box_probe.c: can a box start on this machine, and what helps if not? See
   box.h. */
#include "grade/box/box_parts.h"

#include "base/file.h"
#include "base/refuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OTHERWISE                                                             \
    "; in a container that is thrown away use ISOLATION=container, for your " \
    "own code alone ISOLATION=unsafe"

/* Ways in which a machine keeps user namespaces from ordinary users. */
static const struct {
    const char *file;
    long bad;
    const char *remedy;
} settings[] = {
    {"/proc/sys/user/max_user_namespaces", 0,
     "user namespaces are off: as root, sysctl user.max_user_namespaces=10000"},
    {"/proc/sys/kernel/unprivileged_userns_clone", 0,
     "user namespaces are off: as root, sysctl "
     "kernel.unprivileged_userns_clone=1"},
    {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 1,
     "AppArmor keeps user namespaces from bubblewrap: as root, cp "
     "common/grade/box/bwrap.apparmor /etc/apparmor.d/bwrap && apparmor_parser "
     "-r /etc/apparmor.d/bwrap"}};

/* The remedy of the setting that is in the way, or NULL. */
static const char *remedy(void)
{
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        char why[200];
        char *const text = base_read_file(settings[i].file, why, sizeof why);
        const int is_bad =
            text != NULL && strtol(text, NULL, 10) == settings[i].bad;

        free(text);
        if (is_bad)
            return settings[i].remedy;
    }
    return NULL;
}

int grade_box_probe(enum grade_isolation isolation, char *why, size_t size)
{
    /* box_init alone does nothing, successfully. */
    const char *const boxed[] = {BOX_INIT_PATH, NULL};
    const char *const plain[] = {"/bin/true", NULL};
    const struct grade_box_job job = {.isolation = isolation,
                                      .kind = GRADE_BOX_RUN,
                                      .folder = "/usr",
                                      .argv = isolation == GRADE_BOXED ? boxed
                                                                       : plain,
                                      .limit = {1, 1, 4096},
                                      .wall_seconds = 10.0,
                                      .cpu_seconds = 5,
                                      .address_bytes = (size_t)1 << 30,
                                      .processes = 1};
    struct grade_box_outcome outcome;
    int works = 0;

    if (isolation == GRADE_BOXED && access(BOX_BWRAP, X_OK) != 0) {
        return base_refuse(
            why, size,
            "bubblewrap is not installed: make deps grade" OTHERWISE);
    }
    /* The first one may have been killed for want of memory, say. */
    for (int i = 0; i < 2 && !works; i++) {
        grade_box_run(&job, &outcome);
        works = outcome.end == GRADE_ENDED && outcome.code == 0;
        grade_box_free(&outcome);
    }
    if (!works && isolation == GRADE_BOXED && remedy()) {
        (void)snprintf(why, size, "%s" OTHERWISE, remedy());
    } else if (!works) {
        (void)snprintf(why, size, "%s%s",
                       outcome.why[0] ? outcome.why
                                      : "a program that does nothing failed",
                       isolation == GRADE_BOXED ? OTHERWISE : "");
    }
    return works ? 0 : -1;
}
