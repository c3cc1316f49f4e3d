/* See rank_levels.h. */
#include "algo/bfs/rank_levels.h"

/* When a step goes bottom-up, and until when: as on one machine. */
enum { ALPHA = 40, BETA = 18, PULL_FLOOR = 16 };

void wfi_rank_level_done(wfi_rank_levels *l, uint64_t awake, uint64_t arcs, uint64_t unmet) {
    l->awake = awake;
    l->awake_arcs = arcs;
    l->unmet = unmet;
    l->reached += awake;
    l->distances += awake * l->depth;
    wfi_progress(l->ctx, "bfs", l->reached, l->s->g->n);
}

static bool goes_on(const wfi_rank_levels *l, uint64_t max_depth) {
    return l->awake && l->depth < max_depth && !(l->target_count && !l->unmet);
}

static weft_status search_from(wfi_rank_levels *l, size_t i, size_t count, uint64_t max_depth, uint64_t *depth) {
    const weft_graph *g = l->s->g;
    uint64_t unseen = g->arcs;
    unsigned pulls = 0;
    l->reached = l->distances = 0;
    l->depth = 0;
    weft_status st = l->begin(l, i, count);
    while (!st && goes_on(l, max_depth)) {
        bool bottom_up = l->both_ways && pulls < WFI_RANK_PULLS && l->awake_arcs > unseen / ALPHA &&
                         l->awake_arcs > g->n / PULL_FLOOR;
        uint64_t before;
        if (!bottom_up) {
            unseen -= l->awake_arcs;
            st = l->push(l);
            continue;
        }
        do {
            before = l->awake;
            st = l->pull(l);
            pulls++;
        } while (!st && pulls < WFI_RANK_PULLS && goes_on(l, max_depth) &&
                 (l->awake >= before || l->awake > g->n / BETA));
    }
    *depth = l->awake ? l->depth : l->depth - 1;
    return st;
}

weft_status wfi_rank_searches(wfi_rank_levels *l, const weft_bfs_params *p, const weft_vid *sources,
                              wfi_bfs_table *table, uint64_t *depth) {
    uint64_t max_depth = p->max_depth ? p->max_depth : UINT64_MAX;
    size_t rows = wfi_bfs_table_rows(p), at_once = p->sources && !p->each ? p->source_count : 1;
    size_t searches = !l->s->g->n ? 0 : rows ? rows : 1;
    weft_status st = WEFT_OK;
    for (size_t i = 0; !st && i < searches; i++) {
        st = search_from(l, i, at_once, max_depth, depth);
        if (st || !rows) continue;
        table->source[i] = sources[i];
        table->reached[i] = l->reached;
        table->depth[i] = *depth;
        table->distances[i] = l->distances;
    }
    return st;
}
