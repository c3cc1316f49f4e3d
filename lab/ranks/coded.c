/* See coded.h. */
#include "coded.h"

#include <stdbool.h>
#include <string.h>

static uint64_t bit_words(uint64_t span) { return (span + 31) / 32; }

static bool as_list(uint64_t count, uint64_t span) { return count <= bit_words(span); }

uint64_t coded_words(uint64_t count, uint64_t span) { return as_list(count, span) ? count : bit_words(span); }

void coded_write(const uint32_t *member, uint64_t count, uint64_t span, uint32_t *words) {
    if (!count) return;
    if (as_list(count, span)) {
        memcpy(words, member, count * sizeof *words);
        return;
    }
    memset(words, 0, bit_words(span) * sizeof *words);
    for (uint64_t i = 0; i < count; i++) words[member[i] / 32] |= UINT32_C(1) << member[i] % 32;
}

void coded_read(const uint32_t *words, uint64_t count, uint64_t span, uint32_t *member) {
    if (!count) return;
    if (as_list(count, span)) {
        memcpy(member, words, count * sizeof *words);
        return;
    }
    uint64_t found = 0;
    for (uint64_t w = 0; w < bit_words(span); w++)
        for (uint32_t left = words[w]; left; left &= left - 1)
            member[found++] = (uint32_t)(32 * w) + (uint32_t)__builtin_ctz(left);
}
