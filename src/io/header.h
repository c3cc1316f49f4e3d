/* What the formats with a header of counts (Matrix Market, DIMACS) share. */
#ifndef WFI_HEADER_H
#define WFI_HEADER_H

#include "core/core.h"

/* Could a header that claims this many vertices be telling the truth about a graph of this many edges?  The arrays over
 * the vertices are made on the header's word alone, so a few bytes of input must not ask for tens of gigabytes: beyond
 * 2^24 vertices there has to be an edge for every 1024 of them. */
static inline bool wfi_vertices_plausible(uint64_t vertices, uint64_t edges) {
    return vertices <= (uint64_t)1 << 24 || vertices / 1024 <= edges;
}

#endif
