/*
 * Are labs right and the counts the same on arm64? A bare Debian for arm64,
 * whose programs QEMU runs, gets this repository's last commit and does there
 * what make test WHAT=device does here.
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#define MACHINE "tests/fresh-machine -a arm64 "

TEST(test_labs_and_device_are_right_on_arm64)
{
    struct command run = command_run(
        "command -v qemu-aarch64-static >/dev/null || { "
        "echo 'QEMU is not installed (apt-get install qemu-user-static)'; "
        "exit 1; }; { " MACHINE "test \"\\$(uname -m)\" = aarch64; }");

    if (run.code != 0) {
        print_message("skipped: there is no arm64 machine: %s\n", run.text);
        command_free(&run);
        skip();
    }
    command_free(&run);
    RUN_GIVES(0, SAYS(" passed, 0 failed"),
              MACHINE "make deps test WHAT=device");
}
