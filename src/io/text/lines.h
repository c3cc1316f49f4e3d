/* Reading a line of a block field by field, with an error at the field that is wrong; and what else the formats with a
 * header of counts and 1-based ids (Matrix Market, DIMACS) share. */
#ifndef WFI_LINES_H
#define WFI_LINES_H

#include "io/stream/source.h"
#include "io/text/collect.h"

#include <string.h>

/* Where a block is being read, and where to say what is wrong. */
typedef struct wfi_cursor {
    const char *p;
    const wfi_block *block;
    wfi_parse_error *error;
    bool as_double; /* weights */
} wfi_cursor;

static inline const char *wfi_line_end(const wfi_cursor *k) {
    return memchr(k->p, '\n', (size_t)(k->block->text + k->block->bytes + 1 - k->p));
}

/* An id of 1 ... most, called `what` in messages.  Skips blanks before it; one must follow, or the line's end. */
weft_status wfi_read_index(wfi_cursor *k, const char *what, uint64_t most, uint64_t *index);

/* A finite number. */
weft_status wfi_read_weight(wfi_cursor *k, wfi_weight *weight);

/* Nothing but blanks; leaves k->p at the '\n'. */
weft_status wfi_read_line_end(wfi_cursor *k, const char *after_what);

/* Has the number between these places a fraction or an exponent? */
static inline bool wfi_has_fraction(const char *from, const char *to) {
    for (; from < to; from++)
        if (*from == '.' || *from == 'e' || *from == 'E') return true;
    return false;
}

/* Adds an edge between vertices, which always fit in 32 bits; `weighted` if the collector takes weights. */
static inline void wfi_collect_vertices(wfi_collector *c, uint64_t u, uint64_t v, bool weighted, wfi_weight w) {
    c->narrow[2 * c->count] = (uint32_t)u;
    c->narrow[2 * c->count + 1] = (uint32_t)v;
    c->count++;
    if (weighted) wfi_collect_weight(c, w);
}

/* Could a header that claims this many vertices be telling the truth about a graph of this many edges?  The arrays over
 * the vertices are made on the header's word alone, so a few bytes of input must not ask for tens of gigabytes: beyond
 * 2^24 vertices there has to be an edge for every 1024 of them. */
static inline bool wfi_vertices_plausible(uint64_t vertices, uint64_t edges) {
    return vertices <= (uint64_t)1 << 24 || vertices / 1024 <= edges;
}

#endif
