/* Drawing one of 2^bits outcomes with given probabilities from one 32-bit random word: Walker's alias method [1], in
 * whole numbers.  Probabilities are multiples of 2^-32 and are met exactly.
 *
 * Encoding: the upper `bits` bits of the word pick a column, the rest is compared with the column's threshold: below it
 * the outcome is the column itself, otherwise the column's alias.  One 32-bit entry holds threshold and alias.
 * [1] Walker, "An efficient method for generating discrete random variables with general distributions", ACM TOMS 3,
 *     1977. */
#ifndef WFI_ALIAS_H
#define WFI_ALIAS_H

#include <stdint.h>

enum { WFI_ALIAS_BITS = 10, WFI_ALIAS_ROOM = 1 << WFI_ALIAS_BITS };

typedef struct wfi_alias {
    uint32_t entry[WFI_ALIAS_ROOM]; /* threshold << bits | alias */
} wfi_alias;

/* weight[0 ... 2^bits-1] sum to 2^32.  bits <= WFI_ALIAS_BITS. */
void wfi_alias_set(wfi_alias *a, unsigned bits, const uint64_t *weight);

/* bits > 0, as the table was set. */
static inline uint32_t wfi_alias_draw(const wfi_alias *a, unsigned bits, uint32_t word) {
    uint32_t column = word >> (32 - bits), entry = a->entry[column], mask = ((uint32_t)1 << bits) - 1;
    /* Both sides shifted up by `bits`: the column's bits fall out on the left, the alias is masked on the right. */
    return word << bits < (entry & ~mask) ? column : entry & mask;
}

#endif
