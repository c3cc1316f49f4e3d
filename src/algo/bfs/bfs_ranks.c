/* bfs on ranks: direction-optimising search [1] by levels, on a 1-D partition.
 * Method: top-down, each rank scans the outgoing arcs of its part of the frontier, in ascending order, and sends each
 * target that it has not sent before to its owner, with the smallest parent here.  Bottom-up, where incoming rows are
 * at hand, the frontier is gathered as a bitmap, and each vertex that was not found looks for its first source in it.
 * Either way the smallest parent wins.
 * Memory: one or two bits for each vertex of the graph; up to 24 bytes for messages, of which a level touches what it
 * needs.
 * [1] Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC 2012. */
#include "algo/bfs/rank_levels.h"
#include "core/scan.h"
#include "ranks/messages.h"

#include <stdlib.h>
#include <string.h>

enum { SCAN_ABOVE = 16 };

typedef struct search {
    wfi_rank_levels l; /* first */
    const wfi_part *part;
    uint32_t *level; /* of this rank's vertices */
    weft_vid *parent;
    weft_vid *queue; /* the frontier's part here, ascending */
    uint8_t *seen;   /* a bit for each vertex: found, or sent to its owner */
    uint8_t *front;  /* a bit for each vertex, bottom-up; NULL: always top-down */
    wfi_messages messages;
    uint64_t *start; /* of ranks' bytes of `front` */
    wfi_bfs_table table;
    const weft_vid *sources, *targets;
    uint64_t here; /* in the queue */
} search;

static void lay_out(wfi_workspace *w, const wfi_spread *s, const weft_bfs_params *params, bool both_ways, search *b) {
    weft_vid n = s->g->n, mine = s->vertices;
    wfi_column(w, "level", WEFT_U32, mine, &b->level);
    if (!params->parents)
        wfi_array(w, &b->parent, mine);
    else
        wfi_column(w, "parent", WEFT_VERTEX, mine, &b->parent);
    wfi_bfs_table_lay_out(w, wfi_bfs_table_rows(params), &b->table);
    wfi_array(w, &b->queue, mine);
    wfi_array(w, &b->seen, (size_t)n / 8 + 1);
    b->front = NULL;
    if (both_ways) wfi_array(w, &b->front, (size_t)n / 8 + 1);
    wfi_messages_lay_out(w, s, sizeof(wfi_message), &b->messages);
    wfi_array(w, &b->start, (size_t)s->comm->link.size + 1);
}

static inline bool has(const uint8_t *bits, weft_vid v) { return bits[v >> 3] >> (v & 7) & 1; }
static inline void put(uint8_t *bits, weft_vid v) { bits[v >> 3] = (uint8_t)(bits[v >> 3] | 1 << (v & 7)); }

/* --- after a level -------------------------------------------------------------------- */

/* What was found here in this level, into the queue in ascending order. */
static void line_up(search *b) {
    const wfi_part *p = b->part;
    if (b->here < (p->end - p->first) / SCAN_ABOVE) {
        qsort(b->queue, (size_t)b->here, sizeof *b->queue, wfi_by_u32);
        return;
    }
    b->here = 0;
    for (weft_vid k = 0; k < p->end - p->first; k++)
        if (b->level[k] == b->l.depth) b->queue[b->here++] = p->first + k;
}

static uint64_t count_unmet(const search *b) {
    uint64_t unmet = 0;
    for (size_t i = 0; i < b->l.target_count; i++) {
        weft_vid v = b->targets[i];
        unmet += v >= b->part->first && v < b->part->end && b->level[v - b->part->first] == WEFT_UNREACHED;
    }
    return unmet;
}

/* The level is done: the frontier of all ranks. */
static weft_status count_level(search *b) {
    uint64_t arcs = 0;
    for (uint64_t i = 0; i < b->here; i++) arcs += wfi_degree(&b->part->out, b->queue[i] - b->part->first);
    uint64_t sum[] = {b->here, arcs, count_unmet(b), wfi_cancelled(b->l.ctx)};
    weft_status st = wfi_allreduce(b->l.ctx, sum, 4, WFI_SUM);
    if (st) return st;
    wfi_rank_level_done(&b->l, sum[0], sum[1], sum[2]);
    return sum[3] ? wfi_fail_cancelled(b->l.ctx) : WEFT_OK;
}

/* --- top-down ------------------------------------------------------------------------- */

/* Targets that this rank has not sent, with their smallest source here: the frontier ascends. */
static void look_along_arcs(search *b) {
    const wfi_view *rows = &b->part->out;
    wfi_message *say = b->messages.send;
    for (uint64_t i = 0; i < b->here; i++) {
        weft_vid u = b->queue[i], k = u - b->part->first;
        for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
            weft_vid v = rows->targets[e];
            if (has(b->seen, v)) continue;
            put(b->seen, v);
            say[b->messages.send_count++] = (wfi_message){v, u};
        }
    }
}

static void take(search *b, const wfi_message *message) {
    weft_vid v = message->vertex, k = v - b->part->first;
    if (b->level[k] == WEFT_UNREACHED) {
        b->level[k] = b->l.depth;
        b->parent[k] = message->number;
        put(b->seen, v);
        b->queue[b->here++] = v;
    } else if (b->level[k] == b->l.depth && message->number < b->parent[k]) {
        b->parent[k] = message->number;
    }
}

static weft_status push(wfi_rank_levels *l) {
    search *b = (search *)l;
    b->l.depth++;
    look_along_arcs(b);
    weft_status st = wfi_messages_deliver(b->l.ctx, b->l.s, &b->messages);
    if (st) return st;
    b->here = 0;
    for (uint64_t i = 0; i < b->messages.received_count; i++) take(b, wfi_received(&b->messages, i));
    line_up(b);
    return count_level(b);
}

/* --- bottom-up ------------------------------------------------------------------------- */

/* The queues of all ranks as bits.  Ranges begin at multiples of 8, so that no two ranks share a byte. */
static weft_status gather_front(search *b) {
    const wfi_part *p = b->part;
    int ranks = b->l.s->comm->link.size;
    memset(b->front, 0, (size_t)b->l.s->g->n / 8 + 1);
    for (uint64_t i = 0; i < b->here; i++) put(b->front, b->queue[i]);
    for (int r = 0; r <= ranks; r++) b->start[r] = ((uint64_t)p->cut[r] + 7) / 8;
    weft_status st = wfi_allgather(b->l.ctx, b->front, b->start);
    for (size_t i = 0; i < (size_t)b->l.s->g->n / 8 + 1; i++) b->seen[i] |= b->front[i];
    return st;
}

static weft_status pull(wfi_rank_levels *l) {
    search *b = (search *)l;
    const wfi_part *p = b->part;
    const wfi_view *rows = &p->in;
    weft_vid mine = p->end - p->first;
    weft_status st = gather_front(b);
    if (st) return st;
    b->l.depth++;
    uint32_t depth = b->l.depth;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(wfi_threads_for(b->l.ctx, mine, 1 << 12))
    for (weft_vid k = 0; k < mine; k++) {
        if (b->level[k] != WEFT_UNREACHED) continue;
        for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
            if (!has(b->front, rows->targets[e])) continue;
            b->level[k] = depth;
            b->parent[k] = rows->targets[e];
            break;
        }
    }
    b->here = mine; /* as if all were: found by looking at the levels */
    line_up(b);
    for (uint64_t i = 0; i < b->here; i++) put(b->seen, b->queue[i]);
    return count_level(b);
}

/* ------------------------------------------------------------------------------------- */

static weft_status begin(wfi_rank_levels *l, size_t first, size_t count) {
    search *b = (search *)l;
    const wfi_part *p = b->part;
    for (weft_vid k = 0; k < p->end - p->first; k++) {
        b->level[k] = WEFT_UNREACHED;
        b->parent[k] = WEFT_NO_VERTEX;
    }
    memset(b->seen, 0, (size_t)b->l.s->g->n / 8 + 1);
    wfi_messages_begin(b->l.s, &b->messages);
    b->here = 0;
    for (size_t i = 0; i < count; i++) {
        weft_vid v = b->sources[first + i], k = v - p->first;
        put(b->seen, v);
        if (v < p->first || v >= p->end || b->level[k] == 0) continue;
        b->level[k] = 0;
        b->parent[k] = v;
        b->queue[b->here++] = v;
    }
    line_up(b);
    return count_level(b);
}

void wfi_bfs_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    bool both_ways = wfi_in_at_hand(spread->g);
    search b;
    (void)ctx;
    choice->variant = both_ways ? WFI_BFS_BOTH_WAYS : WFI_BFS_TOP_DOWN;
    choice->method = both_ways ? "direction-optimising" : "top-down";
    choice->space.needs_in = both_ways;
    /* Each search sends each vertex of another rank once, at most, and goes bottom-up so often, with a bit for each
     * of its own. */
    uint64_t searches = wfi_max_u64(wfi_bfs_table_rows(params), 1), others = (uint64_t)spread->comm->link.size - 1;
    choice->sends = searches * sizeof(wfi_message) * (spread->g->n - spread->vertices);
    if (both_ways) choice->sends += searches * WFI_RANK_PULLS * others * ((uint64_t)spread->vertices / 8 + 1);
    lay_out(&choice->space, spread, params, both_ways, &b);
}

weft_status wfi_bfs_ranks(wfi_job *job) {
    const weft_bfs_params *params = job->params;
    wfi_spread *s = job->spread;
    uint64_t depth = 0;
    search b = {.l = {.ctx = job->ctx, .s = s, .begin = begin, .push = push, .pull = pull}, .part = &s->part[0]};
    b.l.both_ways = job->choice->variant == WFI_BFS_BOTH_WAYS;
    b.l.target_count = params->target_count;
    lay_out(job->space, s, params, b.l.both_ways, &b);
    b.sources = wfi_bfs_sources(job->g, params);
    b.targets = params->targets;
    weft_status st = wfi_agree(job->ctx, job->space->status);
    if (!st) st = wfi_rank_searches(&b.l, params, b.sources, &b.table, &depth);
    return st ? st : wfi_bfs_job_end(job, b.l.reached, depth);
}

/* --- the driver, of CPUs and GPUs ----------------------------------------------------- */

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
