/* Walker's alias method [1] in whole numbers: draws one of 2^bits outcomes with given probabilities from one 32-bit
 * random word. Probabilities are multiples of 2^-32 and are met exactly.
 *
 * Encoding: the upper `bits` bits of the word select a column; the rest is compared with the column's threshold:
 * below it the outcome is the column itself, otherwise the column's alias. One 32-bit entry holds threshold and
 * alias.
 * [1] Walker, "An efficient method for generating discrete random variables with general distributions", ACM TOMS 3,
 *     1977. */
#ifndef WFI_ALIAS_H
#define WFI_ALIAS_H

#include <stdint.h>

enum { WFI_ALIAS_BITS = 10, WFI_ALIAS_ROOM = 1 << WFI_ALIAS_BITS };

typedef struct wfi_alias {
    uint32_t entry[WFI_ALIAS_ROOM]; /* threshold << bits | alias */
} wfi_alias;

/* Needs: weight[0 ... 2^bits-1] sum to 2^32; bits <= WFI_ALIAS_BITS. A column with less than its share is filled up
 * from a column with more. */
static inline void wfi_alias_set(wfi_alias *a, unsigned bits, const uint64_t *weight) {
    uint32_t outcomes = (uint32_t)1 << bits;
    uint64_t share = ((uint64_t)1 << 32) >> bits, left[WFI_ALIAS_ROOM];
    uint32_t poor[WFI_ALIAS_ROOM], rich[WFI_ALIAS_ROOM], poors = 0, riches = 0;
    for (uint32_t i = 0; i < outcomes; i++) {
        left[i] = weight[i];
        if (left[i] < share)
            poor[poors++] = i;
        else
            rich[riches++] = i;
    }
    /* The weights sum to outcomes * share, so while there is a poor column there is a rich one. */
    while (poors) {
        uint32_t i = poor[--poors], giver = rich[riches - 1];
        a->entry[i] = (uint32_t)left[i] << bits | giver;
        left[giver] -= share - left[i];
        if (left[giver] < share) {
            riches--;
            poor[poors++] = giver;
        }
    }
    /* The remaining columns have exactly their share: threshold 0, the alias is the column itself. */
    while (riches) {
        uint32_t i = rich[--riches];
        a->entry[i] = i;
    }
}

/* Needs bits > 0, the same as in wfi_alias_set. */
static inline uint32_t wfi_alias_draw(const wfi_alias *a, unsigned bits, uint32_t word) {
    uint32_t column = word >> (32 - bits), entry = a->entry[column], mask = ((uint32_t)1 << bits) - 1;
    /* Both sides are shifted up by `bits`: the column's bits fall out on the left, the alias is masked on the right. */
    return word << bits < (entry & ~mask) ? column : entry & mask;
}

#endif
