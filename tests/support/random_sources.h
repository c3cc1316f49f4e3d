/* Random sources for breadth-first searches. */
#ifndef WEFT_TESTS_RANDOM_SOURCES_H
#define WEFT_TESTS_RANDOM_SOURCES_H

#include "support.h"

#include "weft/bfs.h"

/* bfs from `count` random sources, as the program's random:K.  The list is kept until 32 later ones were made; a graph
 * without vertices has none. */
static inline void draw_sources(weft_bfs_params *p, const weft_graph *g, size_t count) {
    static weft_vid made[32][128];
    static unsigned next;
    weft_vid *list = made[next++ % 32];
    weft_ctx *ctx = NULL;
    bool any = count && weft_graph_vertices(g);
    if (count > 128 || weft_ctx_new(&ctx) || (any && weft_random_sources(ctx, g, count, 1, list))) exit(1);
    weft_ctx_free(ctx);
    p->sources = any ? list : NULL;
    p->source_count = any ? count : 0;
    p->each = any;
}

#endif
