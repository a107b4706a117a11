/* The operations of one instruction. x86-64: Intel, Software Developer's
   Manual, volume 2; AArch64: Arm, A64 Instruction Set Architecture. */
#define _GNU_SOURCE
#include "parts.h"

#include <ctype.h>
#include <string.h>

enum {
    LONGEST = 24 /* characters of a mnemonic that is looked at, and the 0 */
};

static int is_one_of(const char *word, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strcmp(word, *list) == 0)
            return 1;
    }
    return 0;
}

/* Numbers in the vector register of x86 that the operands name. */
static int lanes_of_x86(const char *suffix, const char *operands)
{
    const int bytes = strstr(operands, "%zmm")   ? 64
                      : strstr(operands, "%ymm") ? 32
                                                 : 16;

    if (strcmp(suffix, "ss") == 0 || strcmp(suffix, "sd") == 0)
        return 1;
    if (strcmp(suffix, "ps") == 0)
        return bytes / 4;
    return strcmp(suffix, "pd") == 0 ? bytes / 8 : 0;
}

/* mulss, vaddpd, vfmadd231ps and their like. */
static int of_x86(const char *mnemonic, const char *operands)
{
    static const char *const single[] = {
        "add", "sub", "mul", "div", "sqrt", "hadd", "hsub", "addsub", NULL};
    static const char *const fused[] = {
        "fmadd", "fmsub", "fnmadd", "fnmsub", "fmaddsub", "fmsubadd", NULL};
    char word[LONGEST];
    size_t length = strlen(mnemonic);
    int lanes;

    if (length < 3)
        return 0;
    lanes = lanes_of_x86(mnemonic + length - 2, operands);
    mnemonic += mnemonic[0] == 'v';
    snprintf(word, sizeof word, "%s", mnemonic);
    length = strlen(word) - 2;
    word[length] = '\0';
    if (is_one_of(word, single))
        return lanes;
    while (length > 0 && isdigit((unsigned char)word[length - 1]))
        word[--length] = '\0'; /* the order of operands: 132, 213, 231 */
    return is_one_of(word, fused) ? 2 * lanes : 0;
}

/* Numbers in the register of AArch64 that the result goes to: s0, d0 and h0
   hold one, v0.4s four. Anything else, as x87's %st, holds none. */
static int lanes_of_arm(const char *operands)
{
    size_t digits;

    if (*operands == '\0' || strchr("hsdv", *operands) == NULL)
        return 0;
    digits = strspn(operands + 1, "0123456789");
    if (digits == 0)
        return 0;
    if (*operands != 'v')
        return 1;
    operands += 1 + digits;
    if (*operands != '.' || !isdigit((unsigned char)operands[1]))
        return 0;
    return operands[1] - '0';
}

/* fadd s0, s1, s2 and its like. */
static int of_arm(const char *mnemonic, const char *operands)
{
    static const char *const single[] = {"fadd", "fsub",  "fmul",
                                         "fdiv", "fsqrt", "fnmul",
                                         "fabd", "faddp", NULL};
    static const char *const fused[] = {"fmadd", "fmsub", "fnmadd", "fnmsub",
                                        "fmla",  "fmls",  NULL};

    if (is_one_of(mnemonic, single))
        return lanes_of_arm(operands);
    return is_one_of(mnemonic, fused) ? 2 * lanes_of_arm(operands) : 0;
}

/* fadds (%rax), faddp, fdivrp %st, %st(1) and their like, of long double. */
static int of_x87(const char *mnemonic, const char *operands)
{
    static const char *const words[] = {"add", "sub", "mul", "div", NULL};
    static const char *const endings[] = {"",   "p",  "s",  "l", "r",
                                          "rp", "rs", "rl", NULL};
    char word[LONGEST];

    if (mnemonic[0] != 'f' ||
        (strchr(operands, '%') == NULL && !isspace((unsigned char)*operands) &&
         *operands != '\0'))
        return 0;
    if (strcmp(mnemonic, "fsqrt") == 0)
        return 1;
    mnemonic += 1 + (mnemonic[1] == 'i');
    snprintf(word, sizeof word, "%.3s", mnemonic);
    return is_one_of(word, words) &&
           is_one_of(mnemonic + strlen(word), endings);
}

/* The function that is called or jumped to. */
static int of_call(const char *mnemonic, const char *operands)
{
    static const char *const calls[] = {"call", "callq", "jmp",
                                        "bl",   "b",     NULL};
    char name[LONGEST];
    size_t length;

    if (!is_one_of(mnemonic, calls))
        return 0;
    operands += *operands == '*';
    length = strcspn(operands, "@( \t\n");
    snprintf(name, sizeof name, "%.*s", (int)length, operands);
    if (strcmp(name, "fmaf") == 0 || strcmp(name, "fma") == 0)
        return 2;
    return strcmp(name, "sqrtf") == 0 || strcmp(name, "sqrt") == 0;
}

int simt_flops_of(const char *instruction)
{
    char mnemonic[LONGEST];
    const char *operands;
    size_t length;
    int flops;

    instruction += strspn(instruction, " \t");
    length = strcspn(instruction, " \t\n");
    if (length >= sizeof mnemonic)
        return 0;
    memcpy(mnemonic, instruction, length);
    mnemonic[length] = '\0';
    operands = instruction + length + strspn(instruction + length, " \t");
    flops = of_x86(mnemonic, operands);
    if (flops == 0)
        flops = of_arm(mnemonic, operands);
    if (flops == 0)
        flops = of_x87(mnemonic, operands);
    return flops != 0 ? flops : of_call(mnemonic, operands);
}
