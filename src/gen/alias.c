/* Filling an alias table: columns with less than their share take the rest from one with more, which then has less. */
#include "gen/alias.h"

void wfi_alias_set(wfi_alias *a, unsigned bits, const uint64_t *weight) {
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
    /* What is left holds exactly its share: threshold 0, and the alias is the column itself. */
    while (riches) {
        uint32_t i = rich[--riches];
        a->entry[i] = i;
    }
}
