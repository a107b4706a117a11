/* The only place where lab 05 and the bank model meet. */
#include "predictions.h"

#include "banks/banks.h"

void lab_bank_table_fill(struct lab_bank_table *table)
{
    static const enum banks_rule rule[LAB_BANK_RULES] = {
        [LAB_BANKS_CC1] = BANKS_CC1, [LAB_BANKS_TODAY] = BANKS_TODAY};
    uint64_t address[BANKS_LANES];

    for (int t = 0; t < LAB_TYPES; t++) {
        const int size = lab_type_size((enum lab_type)t);

        for (int i = 0; i < LAB_STRIDES; i++) {
            for (int lane = 0; lane < BANKS_LANES; lane++) {
                address[lane] =
                    (uint64_t)lane * (uint64_t)lab_strides[i] * (uint64_t)size;
            }
            for (int r = 0; r < LAB_BANK_RULES; r++) {
                table->wavefronts[t][i][r] =
                    banks_wavefronts(rule[r], address, UINT32_MAX, size, 0);
            }
        }
    }
}
