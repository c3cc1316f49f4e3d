/* Random numbers of the report: SplitMix64, Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
 * OOPSLA 2014. */
#ifndef WEFT_CLI_REPORT_DRAW_H
#define WEFT_CLI_REPORT_DRAW_H

#include <stdint.h>

static inline uint64_t report_draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

#endif
