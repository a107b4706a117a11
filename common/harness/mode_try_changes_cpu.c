/* Small changes of a lab: which are tried when, and how are those told that
   make it right? See mode_try.h. */
#include "mode_try.h"
#include "program.h"

#include "base/language.h"
#include "base/words.h"
#include "base/wrap.h"

#include <stdio.h>
#include <string.h>

enum {
    TURNS = 9
};

#pragma weak simt_alternatives
#pragma weak simt_pairs
#pragma weak simt_numbers

int lab_try_one_of(int number, int which)
{
    return number < LAB_TRY_PAIRS ? number
                                  : simt_pairs[number - LAB_TRY_PAIRS][which];
}

/* --- which are tried ------------------------------------------------------ */

const struct simt_alternatives *lab_try_of(int number)
{
    const struct simt_alternatives *a = simt_alternatives;

    number = lab_try_one_of(number, 0);
    while (a->first > 0 && (number < a->first || number >= a->first + a->count))
        a++;
    return a;
}

/* 1 if a change is of one of those lines, or one of its two is. */
static int is_of(int number, const int *line, int lines)
{
    const int members = number >= LAB_TRY_PAIRS ? 2 : 1;

    for (int which = 0; which < members; which++) {
        for (int i = 0; i < lines; i++) {
            if (line[i] == lab_try_of(lab_try_one_of(number, which))->line)
                return 1;
        }
    }
    return 0;
}

void lab_try_put_first(int *number, int count, const int *line, int lines)
{
    int first = 0;

    for (int i = 0; i < count; i++) {
        const int moved = number[i];

        if (!is_of(moved, line, lines))
            continue;
        memmove(number + first + 1, number + first,
                (size_t)(i - first) * sizeof *number);
        number[first++] = moved;
    }
}

/* When a change is tried: those of lines that were shown before others, and
   what has few forms before what has many, and one change before two. */
static int turn_of(int number, const int *line, int lines)
{
    const struct simt_alternatives *const a = lab_try_of(number);
    const int is_shown = is_of(number, line, lines);

    if (number >= LAB_TRY_PAIRS &&
        (a->kind == SIMT_ADJUSTMENT || a->kind == SIMT_SCALED))
        return 8;
    if (number >= LAB_TRY_PAIRS) { /* of one line: of a condition */
        return is_shown ||
                       a->line == lab_try_of(lab_try_one_of(number, 1))->line
                   ? 4
                   : 6;
    }
    switch ((enum simt_alternative_kind)a->kind) {
    case SIMT_PUT:
    case SIMT_REMOVED:
    case SIMT_MOVED:
        return 2;
    case SIMT_OPERAND:
        return is_shown ? 1 : 3;
    case SIMT_SCALED:
        return 5;
    case SIMT_DEALT_OUT:
    case SIMT_ADJUSTMENT:
        return is_shown ? 6 : 7;
    default:
        return is_shown ? 0 : 3;
    }
}

/* How many numbers there are, 0 with them, which is the last. */
static int count_numbers(void)
{
    int count = 0;

    while (simt_numbers[count++] != 0)
        ;
    return count;
}

int lab_try_puts_number(int number)
{
    const struct simt_alternatives *const a = lab_try_of(number);
    const int numbers = count_numbers();

    return a->kind == SIMT_OPERAND && a->count >= numbers &&
           lab_try_one_of(number, 0) - a->first >= a->count - numbers;
}

/* 1 for the number at that place if it is the same as one before it. */
static int is_repeated(int at)
{
    int before = 0;

    while (before < at && simt_numbers[before] != simt_numbers[at])
        before++;
    return before < at;
}

/* 1 if the change does the same as an earlier one of the group, or nothing
   (choices.h says in which order they are). */
static int is_idle(const struct simt_alternatives *a, int change)
{
    const int numbers = count_numbers();
    int at, form = 0;

    if (a->kind == SIMT_OPERAND && a->count >= numbers) {
        at = change - (a->count - numbers);
    } else if (a->kind == SIMT_SCALED) {
        at = change / 2 - (a->count / 2 - (numbers - 1));
        form = 1;
    } else if (a->kind == SIMT_ADJUSTMENT) {
        at = change / 6 - (a->count / 6 - (numbers - 1));
        form = change % 6 == 2 || change % 6 == 4;
    } else {
        return 0;
    }
    return at >= 0 && (is_repeated(at) || (form && simt_numbers[at] == 1));
}

int lab_try_choose(int *number, const int *line, int lines)
{
    int count = 0;

    for (int turn = 0; turn < TURNS; turn++) {
        const struct simt_alternatives *a = simt_alternatives;

        for (; a->first > 0; a++) {
            if (turn_of(a->first, line, lines) != turn)
                continue;
            for (int i = 0; i < a->tried && count < LAB_TRY_MOST; i++) {
                if (!is_idle(a, i))
                    number[count++] = a->first + i;
            }
        }
        for (int p = 0; simt_pairs[p][0] > 0 && count < LAB_TRY_MOST; p++) {
            if (turn_of(LAB_TRY_PAIRS + p, line, lines) == turn)
                number[count++] = LAB_TRY_PAIRS + p;
        }
    }
    return count;
}

/* --- what is told --------------------------------------------------------- */

/* Does the change leave out an operator and its left side, 0, or its right
   side, 1 (choices.h)? Or -1. */
static int side_left_out(const struct simt_alternatives *a, int number)
{
    const int from_last = a->first + a->count - 1 - number;

    if (a->kind != SIMT_OPERATION || a->here[1] != '\0' ||
        strchr("+-*/%", a->here[0]) == NULL)
        return -1;
    if (from_last == 1 && strchr("+-*", a->here[0]) != NULL)
        return 0;
    return from_last == 0 ? 1 : -1;
}

/* "another operator for / in line 57" */
static void say_change(char *to, size_t size, int number)
{
    const struct simt_alternatives *const a = lab_try_of(number);
    const int line = a->line, side = side_left_out(a, number);
    char here[80];
    const size_t length = strlen(a->here);

    snprintf(here, sizeof here, "%.*s%s", length > 60 ? 57 : 60, a->here,
             length > 60 ? "..." : "");
    if (length > 0 && here[length < 60 ? length - 1 : 0] == ';')
        here[length - 1] = '\0';
    switch ((enum simt_alternative_kind)a->kind) {
    case SIMT_OPERAND:
        base_append(to, size, _("something else for %s in line %d"), here,
                    line);
        break;
    case SIMT_OPERATION:
        if (side >= 0) {
            base_append(to, size,
                        _("the %s and its %s side left out in line %d"), here,
                        side == 0 ? _("left") : _("right"), line);
        } else {
            base_append(to, size, _("another operator for %s in line %d"), here,
                        line);
        }
        break;
    case SIMT_DEALT_OUT:
        base_append(to, size, _("another formula for %s in line %d"), here,
                    line);
        break;
    case SIMT_AGAIN:
        base_append(to, size, _("a loop for the if in line %d"), line);
        break;
    case SIMT_SCALED:
    case SIMT_ADJUSTMENT:
        base_append(to, size, _("one more term or factor in %s, line %d"), here,
                    line);
        break;
    case SIMT_ORDER:
        base_append(to, size, _("the indices of %s exchanged in line %d"), here,
                    line);
        break;
    case SIMT_VALUES:
        base_append(to, size,
                    _("the values of %s exchanged, line %d and the next"), here,
                    line);
        break;
    case SIMT_SUM:
        base_append(to, size, _("%s for %s in line %d"),
                    strcmp(here, "=") == 0 ? "+=" : "=", here, line);
        break;
    case SIMT_PUT:
        base_append(to, size, _("one more %s behind line %d"), here, line);
        break;
    case SIMT_REMOVED:
        base_append(to, size, _("%s left out in line %d"), here, line);
        break;
    default:
        base_append(to, size, _("the %s of line %d at another place"), here,
                    line);
    }
}

/* The second change of a pair. */
static void say_other(char *to, size_t size, int pair)
{
    const struct simt_alternatives *const a =
        lab_try_of(lab_try_one_of(pair, 0));
    const struct simt_alternatives *const b =
        lab_try_of(lab_try_one_of(pair, 1));

    if (a->line == b->line && strcmp(a->here, b->here) == 0) {
        base_append(to, size, _(", at two places of it"));
    } else {
        base_append(to, size, _(" and "));
        say_change(to, size, lab_try_one_of(pair, 1));
    }
}

void lab_try_tell(const int *left, int count, int tried, const char *numbers)
{
    const struct simt_alternatives *told[2] = {NULL, NULL};
    int change[2] = {0, 0};
    char text[900];
    int tells = 0, others = 0;

    for (int turn = 0; turn < 4; turn++) {
        for (int i = 0; i < count; i++) {
            const struct simt_alternatives *a = lab_try_of(left[i]);
            const int its = left[i] >= LAB_TRY_PAIRS ? 3
                            : a->kind >= SIMT_SCALED &&
                                    a->kind <= SIMT_ADJUSTMENT &&
                                    a->kind != SIMT_AGAIN
                                ? 2
                            : a->kind == SIMT_PUT ? 1
                                                  : 0;
            int is_told = its != turn;

            for (int k = 0; k < tells; k++) {
                is_told |=
                    told[k] == a || (told[k]->line == a->line &&
                                     (told[k]->kind == a->kind || its == 2));
            }
            if (is_told)
                continue;
            if (tells < 2) {
                change[tells] = left[i];
                told[tells++] = a;
            } else {
                others++;
            }
        }
    }
    if (tells == 0)
        return;
    snprintf(text, sizeof text, _("%s is right with "), lab_result_name());
    for (int k = 0; k < tells; k++) {
        base_append(text, sizeof text, "%s", k > 0 ? _(", or with ") : "");
        say_change(text, sizeof text, lab_try_one_of(change[k], 0));
        if (change[k] >= LAB_TRY_PAIRS)
            say_other(text, sizeof text, change[k]);
    }
    if (others > 0) {
        base_append(text, sizeof text, _(" (%d other change%s it, too)"),
                    others, others == 1 ? " does" : "s do");
    }
    base_append(text, sizeof text,
                _("%s. %d small changes were tried, one or two at a time: at "
                  "sizes up to 4 million %s, and by the checks at small "
                  "ones."),
                numbers, tried,
                lab_info.lab->problem == NULL ? _("products") : _("elements"));
    base_wrap(stdout, "", text);
}
