/* Where no box can start, does the probe say what to do? */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../testing.h"
#include "../command.h"
#include "boxes.h"

#include "grade/box/box_parts.h"

BOX_TEST(a_box_can_start_where_one_did, EVERYWHERE)
{
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);
    char why[300] = "";

    assert_int_equal(grade_box_probe(job.isolation, why, sizeof why), 0);
    assert_string_equal(why, "");
}

static int write_text(const char *path, const char *text)
{
    int file = open(path, O_WRONLY);
    int bad = file < 0 || write(file, text, strlen(text)) < 0;

    if (file >= 0)
        (void)close(file);
    return bad;
}

/*
 * A machine without user namespaces: one namespace in which there may be no
 * further one. An ordinary user in there, as out here.
 */
static int without_namespaces(void)
{
    char map[64];
    uid_t outside = getuid();

    (void)snprintf(map, sizeof map, "1000 %d 1", (int)outside);
    return unshare(CLONE_NEWUSER) != 0 ||
           write_text("/proc/sys/user/max_user_namespaces", "0") != 0 ||
           write_text("/proc/self/uid_map", map) != 0;
}

/* What a remedy names must be there: the profile for AppArmor, of the program
   that makes the boxes; and no option that there is not. */
BOX_TEST(remedies_name_what_there_is, ONCE)
{
    struct command profile = command_run("cat common/grade/box/bwrap.apparmor");
    struct command named =
        command_run("grep -c 'common/grade/box/bwrap.apparmor' "
                    "common/grade/box/box_probe.c common/grade/README.md; "
                    "! grep -rn -e '--unsafe' common INSTRUCTORS.md README.md");

    command_ends(&profile, 0);
    command_says(&profile, "profile bwrap " BOX_BWRAP " flags=(unconfined) {");
    command_says(&profile, "  userns,\n");
    command_ends(&named, 0);
    assert_null(strstr(named.text, ":0"));
    command_free(&profile);
    command_free(&named);
}

BOX_TEST(switched_off_namespaces_are_told_with_a_remedy, BOXED)
{
    enum {
        CANNOT = 77
    };
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);
    pid_t child = fork();
    int status;

    if (child == 0) {
        char why[300] = "";

        if (without_namespaces() != 0)
            _exit(CANNOT);
        _exit(grade_box_probe(job.isolation, why, sizeof why) == -1 &&
                      strstr(why, "sysctl user.max_user_namespaces") &&
                      strstr(why, "ISOLATION=container") &&
                      strstr(why, "=unsafe") && !strchr(why, '\n')
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == CANNOT) {
        print_message("# skipped: no namespace to try it in\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* There too, what needs no namespaces works. */
BOX_TEST(a_container_needs_no_namespaces, CONTAINER)
{
    enum {
        CANNOT = 77
    };
    struct grade_box_job job = boxes_job(state, "control", NULL, NULL);
    pid_t child = fork();
    int status;

    if (child == 0) {
        char why[300] = "";

        if (without_namespaces() != 0)
            _exit(CANNOT);
        _exit(grade_box_probe(job.isolation, why, sizeof why) != 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT)
        skip();
    assert_int_equal(status, 0);
}
