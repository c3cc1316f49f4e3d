/* Pointers in the order of memory.
 * The data of an edge (a dict, its table, a number) were mostly allocated in the order in which edges were added,
 * adjacent to their own kind.  Rows have another order: along a row each entry is elsewhere, and a core waits for
 * memory; in the order of addresses, reads are sequential.  Method: a pointer and its position in one word, so that
 * neither has to be looked up; two passes of a radix sort by the highest 16 bits in which pointers differ. */
#include "nx/walk.h"

enum { PAGE = 1 << 12, CACHED = 8 << 20, DIGIT = 8, DIGITS = 1 << DIGIT };

uint64_t nx_near_far(PyObject *const *pointers, uint64_t count) {
    uint64_t far = 0;
    for (uint64_t i = 0; i + 1 < count; i++)
        far += (uintptr_t)pointers[i + 1] - (uintptr_t)pointers[i] + PAGE > 2 * PAGE;
    return far;
}

static void sum_up(uint32_t *size) {
    uint32_t sum = 0;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t start = sum;
        sum += size[d];
        size[d] = start;
    }
}

/* The words of pointers are written in the order of their low digits, then moved to the order of their high digits. */
static void sort(nx_near_order *order, PyObject *const *pointers, uint64_t count, unsigned shift) {
    uint32_t low[DIGITS] = {0}, high[DIGITS] = {0}; /* counts of each digit; then the next index for it */
    uint64_t *other = order->words + count;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t digits = nx_near_word(order, pointers[i], i) >> shift;
        low[digits & (DIGITS - 1)]++;
        high[digits >> DIGIT]++;
    }
    sum_up(low);
    sum_up(high);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t word = nx_near_word(order, pointers[i], i);
        other[low[word >> shift & (DIGITS - 1)]++] = word;
    }
    for (uint64_t i = 0; i < count; i++) order->words[high[other[i] >> shift >> DIGIT]++] = other[i];
}

bool nx_near_sort(nx_near_order *order, PyObject *const *pointers, uint64_t count) {
    uintptr_t least = UINTPTR_MAX, largest = 0, low = 0;
    for (uint64_t i = 0; i < count; i++) {
        uintptr_t at = (uintptr_t)pointers[i];
        low |= at;
        least = at < least ? at : least;
        largest = at > largest ? at : largest;
    }
    if (!count) return true;
    if (low % NX_NEAR_ALIGN || (largest - least) / NX_NEAR_ALIGN >> (64 - NX_NEAR_PLACE)) return false;
    order->least = least;
    unsigned shift = NX_NEAR_PLACE;
    while ((largest - least) / NX_NEAR_ALIGN >> (shift - NX_NEAR_PLACE) >> 2 * DIGIT) shift++;
    if (largest - least >= CACHED) {
        sort(order, pointers, count, shift);
    } else {
        for (uint64_t i = 0; i < count; i++) order->words[i] = nx_near_word(order, pointers[i], i);
    }
    return true;
}
