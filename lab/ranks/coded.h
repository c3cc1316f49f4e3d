/* A set of numbers below `span` as words of 32 bits: a list, or a bit for each, whichever is shorter.  Who knows count and span knows which. */
#ifndef WEFT_LAB_CODED_H
#define WEFT_LAB_CODED_H

#include <stdint.h>

uint64_t coded_words(uint64_t count, uint64_t span);
void coded_write(const uint32_t *member, uint64_t count, uint64_t span, uint32_t *words);
/* Lists come in the order in which they were written, bits in ascending order. */
void coded_read(const uint32_t *words, uint64_t count, uint64_t span, uint32_t *member);

#endif
