/* Does each operand in memory that nobody has told of become a call, of the
   right size, and is a write told apart from a read? */
#define _GNU_SOURCE

#include "../command.h"
#include "../testing.h"
#include "grade/runner/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WRITE = GRADE_WATCH_WRITE
};

/* The kind that is told of the instruction's operand; 0: nothing is. */
static int kind_of(const char *instruction)
{
    static const char mark[] = "movl\t$";
    struct command told = command_run("printf '\\t%%s\\n' '%s' | "
                                      "build/tools/grade_watch",
                                      instruction);
    const char *const at = strstr(told.text, mark);
    const int kind = at != NULL && strstr(at, "grade_watch_kind") != NULL
                         ? (int)strtol(at + sizeof mark - 1, NULL, 10)
                         : 0;

    command_ends(&told, 0);
    command_free(&told);
    return kind;
}

TEST(test_operands_are_told_with_their_size)
{
    static const struct {
        const char *instruction;
        int kind;
    } examples[] = {
        {"movl table(,%rbx,4), %eax", 4},
        {"movss %xmm0, (%rax,%rbx,4)", 4 | WRITE},
        {"addq $1, (%rax)", 8 | WRITE},
        {"cmpb $0, (%rax)", 1},
        {"imulq (%rax)", 8},
        {"divl (%rax)", 4},
        {"btsl %eax, (%rdx)", 4 | WRITE},
        {"btl %eax, (%rdx)", 4},
        {"lock cmpxchgl %eax, 4(%rsp)", 0},
        /* x87 */
        {"fadds table(,%rbx,4)", 4},
        {"fmull table(,%rbx,8)", 8},
        {"fldt 8(%rax)", 16},
        {"fstpt 8(%rax)", 16 | WRITE},
        {"fstps (%rax)", 4 | WRITE},
        {"filds (%rax)", 2},
        {"fiaddl (%rax)", 4},
        {"fildll (%rax)", 8},
        {"fistpll (%rax)", 8 | WRITE},
        {"fnstcw (%rax)", 2 | WRITE},
        {"fldcw (%rax)", 2},
        /* its own frame, and no access at all */
        {"movl 8(%rsp), %eax", 0},
        {"leaq (%rax,%rbx), %rcx", 0},
    };

    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const int kind = kind_of(examples[i].instruction);

        if (kind != examples[i].kind)
            fail_msg("%s: %d, not %d", examples[i].instruction, kind,
                     examples[i].kind);
    }
}
