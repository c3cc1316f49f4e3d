/* Pointers in the order of memory.
 * What edges have (a dict, its table, a number, a node of their own) was mostly made in the order in which they were added, one beside the other of its kind.
 * Rows have another order: along them each entry is somewhere else, and a core waits for memory.  By address it is read as it lies.
 * Method: the highest 16 bits of what addresses differ in, and the entry's place below, in one word; two passes of a radix sort. */
#include "nx_walk.h"

enum { PAGE = 1 << 12, CACHED = 8 << 20, DIGIT = 8, DIGITS = 1 << DIGIT, SAMPLE = 1024 };

static inline uintptr_t address(const char *first, size_t stride, uint64_t i) {
    uintptr_t at;
    memcpy(&at, first + stride * i, sizeof at);
    return at;
}

/* Does a quarter of the steps from one entry to the next leave the page and its neighbours? */
bool nx_near_scattered(const void *pointers, size_t stride, uint64_t count) {
    const char *first = pointers;
    uint64_t far = 0, looks = 0, step = count / SAMPLE + 1;
    for (uint64_t i = 0; i + 1 < count; i += step, looks++)
        far += address(first, stride, i + 1) - address(first, stride, i) + PAGE > 2 * PAGE;
    return count >= NX_NEAR_FEW && 4 * far > looks;
}

static void sum_up(uint32_t *size) {
    uint32_t sum = 0;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t start = sum;
        sum += size[d];
        size[d] = start;
    }
}

bool nx_near_order(const void *pointers, size_t stride, uint64_t count, uint64_t *order) {
    const char *first = pointers;
    uintptr_t least = UINTPTR_MAX, largest = 0;
    uint64_t *other = order + count;
    uint32_t low[DIGITS] = {0}, high[DIGITS] = {0}; /* how many have the digit; then where the next one goes */
    unsigned drop = 0;
    if (!nx_near_scattered(pointers, stride, count)) return false;
    for (uint64_t i = 0; i < count; i++) {
        uintptr_t at = address(first, stride, i);
        least = at < least ? at : least;
        largest = at > largest ? at : largest;
    }
    if (largest - least < CACHED) return false;
    while ((largest - least) >> drop >> 2 * DIGIT) drop++;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t digits = (address(first, stride, i) - least) >> drop;
        low[digits & (DIGITS - 1)]++;
        high[digits >> DIGIT]++;
    }
    sum_up(low);
    sum_up(high);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t digits = (address(first, stride, i) - least) >> drop;
        other[low[digits & (DIGITS - 1)]++] = digits << 32 | i;
    }
    for (uint64_t i = 0; i < count; i++) order[high[other[i] >> (32 + DIGIT)]++] = other[i];
    return true;
}
