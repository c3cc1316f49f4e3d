/* bfs on the GPUs of ranks: the direction-optimising levels of bfs_ranks.c.
 * Method: top-down each GPU keeps, for every target, the least of its vertices that leads there (atomicMin), and sends
 * it to the target's owner; bottom-up the frontier is gathered as a bitmap.  Either way the smallest parent wins,
 * whatever the order of threads.
 * Memory on each GPU: its rows; for each vertex of the graph 16 bytes and 1 or 2 bits, and 8 for each of its own and
 * each rank. */
#include "algo/bfs/rank_levels.h"
#include "cuda/launch.cuh"
#include "ranks/device.h"

enum { QUEUED, ARCS, UNMET, COUNTS };

/* A search as its kernels see it: all of it on the GPU. */
struct wfi_rank_search {
    wfi_view out, in;
    weft_vid first;  /* of this rank's vertices; row k is that of first + k */
    uint32_t *level; /* of these */
    weft_vid *parent;
    weft_vid *queue; /* rows: the frontier's part here */
    uint32_t *seen;  /* a bit for each vertex of the graph: found, or sent by this rank */
    uint32_t *front; /* the same, bottom-up: the frontier; NULL: always top-down */
    /* For each vertex of the graph: the smallest of this rank's that leads there in this level; WEFT_NO_VERTEX
     * between levels */
    weft_vid *offer;
    weft_vid *addressed;       /* those that have one, ... */
    uint64_t *addressed_count; /* ... so many */
    uint64_t *counts;          /* COUNTS */
};

namespace {

struct search {
    wfi_rank_levels l; /* first */
    wfi_rank_search b;
    wfi_view out[WFI_MOST_BLOCKS], in[WFI_MOST_BLOCKS];
    wfi_device_messages messages;
    weft_vid *sources, *targets; /* on the GPU */
    uint32_t *front_here;
    uint64_t *start; /* of ranks' bytes of `front` */
    uint32_t *level; /* columns */
    weft_vid *parent;
    wfi_bfs_table table;
    uint64_t here; /* in the queue */
};

} // namespace

static void lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, const weft_bfs_params *p,
                    bool both_ways, search *b) {
    const weft_graph *g = s->g;
    weft_vid mine = s->vertices;
    wfi_column(host, "level", WEFT_U32, mine, &b->level);
    b->parent = NULL;
    if (p->parents) wfi_column(host, "parent", WEFT_VERTEX, mine, &b->parent);
    wfi_bfs_table_lay_out(host, wfi_bfs_table_rows(p), &b->table);
    wfi_array(host, &b->start, (size_t)s->comm->link.size + 1);
    wfi_array(host, &b->front_here, both_ways ? wfi_device_words(g->n) : 0);
    wfi_device_rows_lay_out(device, s, false, true, false, b->out);
    if (both_ways && g->directed) wfi_device_rows_lay_out(device, s, true, true, false, b->in);
    wfi_array(device, &b->b.level, mine);
    wfi_array(device, &b->b.parent, mine);
    wfi_array(device, &b->b.queue, mine);
    wfi_array(device, &b->b.seen, wfi_device_words(g->n));
    b->b.front = NULL;
    if (both_ways) wfi_array(device, &b->b.front, wfi_device_words(g->n));
    wfi_array(device, &b->b.offer, g->n);
    wfi_array(device, &b->b.counts, COUNTS);
    wfi_array(device, &b->sources, p->sources ? p->source_count : 1);
    wfi_array(device, &b->targets, p->target_count);
    wfi_device_messages_lay_out(host, device, s, 2 * sizeof(uint32_t), &b->messages);
    b->b.addressed = b->messages.addressed;
    b->b.addressed_count = b->messages.addressed_count;
}

void wfi_bfs_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    search b;
    wfi_choice host = {};
    host.sends = UINT64_MAX;
    wfi_bfs_plan_ranks(ctx, spread, params, &host);
    choice->variant = host.variant;
    choice->method = host.method;
    choice->sends = host.sends;
    choice->space.needs_in = host.space.needs_in;
    lay_out(&choice->space, &choice->device, spread, (const weft_bfs_params *)params, host.variant == WFI_BFS_BOTH_WAYS,
            &b);
}

__device__ static inline bool has(const uint32_t *bits, weft_vid v) { return bits[v / 32] >> (v % 32) & 1; }
__device__ static inline void put(uint32_t *bits, weft_vid v) { atomicOr(bits + v / 32, 1u << (v % 32)); }

/* Row k was found. */
__device__ static inline void enqueue(const wfi_rank_search &b, weft_vid k) {
    b.queue[wfi_claim(b.counts + QUEUED)] = k;
    atomicAdd((unsigned long long *)b.counts + ARCS,
              (unsigned long long)(b.out.offsets[k + (uint64_t)1] - b.out.offsets[k]));
    put(b.seen, b.first + k);
}

/* How many of the targets are this rank's and have no level. */
static weft_status count_unmet(weft_ctx *ctx, wfi_rank_search b, const weft_vid *targets, uint64_t count) {
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        weft_vid v = targets[i], k = v - b.first;
        if (v >= b.first && k < b.out.count && b.level[k] == WEFT_UNREACHED) wfi_claim(b.counts + UNMET);
    });
}

/* A level is done: the frontier of all ranks. */
static weft_status count_level(search *b, weft_status mine) {
    uint64_t sum[COUNTS] = {0};
    if (!mine) mine = count_unmet(b->l.ctx, b->b, b->targets, b->l.target_count);
    if (!mine) mine = wfi_download(b->l.ctx, sum, b->b.counts, sizeof sum);
    if (!mine) mine = wfi_device_fill(b->l.ctx, b->b.counts, 0, sizeof sum);
    weft_status st = wfi_device_agree(b->l.ctx, mine);
    if (st) return st;
    b->here = sum[QUEUED];
    st = wfi_allreduce(b->l.ctx, sum, COUNTS, WFI_SUM);
    wfi_rank_level_done(&b->l, sum[QUEUED], sum[ARCS], sum[UNMET]);
    return st;
}

/* --- top-down ----------------------------------------------------------------------------- */

/* Offers along the arcs of the first `queued` of the queue. */
static weft_status offer(weft_ctx *ctx, wfi_rank_search b, uint64_t queued) {
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = b.queue[i], u = b.first + k;
        wfi_each_arc(b.out, k, lane, lanes, [&](weft_eid, weft_vid v) {
            if (has(b.seen, v)) return; /* which no thread changes meanwhile */
            if (atomicMin(b.offer + v, u) == WEFT_NO_VERTEX) b.addressed[wfi_claim(b.addressed_count)] = v;
        });
    });
}

/* Pairs (vertex, parent) of this rank's vertices: who is new has this depth, and is queued. */
static weft_status take(weft_ctx *ctx, wfi_rank_search b, const uint32_t *received, uint64_t count, uint32_t depth) {
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        weft_vid k = received[2 * i] - b.first;
        uint32_t was = atomicCAS(b.level + k, WEFT_UNREACHED, depth);
        if (was == WEFT_UNREACHED) enqueue(b, k);
        if (was == WEFT_UNREACHED || was == depth) atomicMin(b.parent + k, received[2 * i + 1]);
    });
}

static weft_status push(wfi_rank_levels *l) {
    search *t = (search *)l;
    wfi_device_messages *m = &t->messages;
    wfi_rank_search b = t->b;
    l->depth++;
    weft_status st = offer(l->ctx, b, t->here);
    st = wfi_device_messages_deliver(l->ctx, l->s, st, m, wfi_message_values{b.offer, WEFT_NO_VERTEX, false});
    if (st) return st;
    st = wfi_each(l->ctx, m->delivered, [=] __device__(uint64_t i) { put(b.seen, b.addressed[i]); });
    if (!st) st = take(l->ctx, b, m->received, m->received_count, l->depth);
    return count_level(t, st);
}

/* --- bottom-up ---------------------------------------------------------------------------- */

/* Who has no level looks for its first source in `front`, and is queued. */
static weft_status look_for_parents(weft_ctx *ctx, wfi_rank_search b, uint32_t depth) {
    return wfi_each(ctx, b.out.count, [=] __device__(uint64_t i) {
        weft_vid k = (weft_vid)i;
        if (b.level[k] != WEFT_UNREACHED) return;
        for (weft_eid e = b.in.offsets[i] - b.in.base, end = b.in.offsets[i + 1] - b.in.base; e < end; e++) {
            if (!has(b.front, b.in.targets[e])) continue;
            b.level[k] = depth;
            b.parent[k] = b.in.targets[e]; /* rows ascend: it is the smallest */
            enqueue(b, k);
            return;
        }
    });
}

/* Ranges begin at multiples of 8, so that no two ranks share a byte. */
static weft_status pull(wfi_rank_levels *l) {
    search *t = (search *)l;
    wfi_rank_search b = t->b;
    const weft_vid *cut = l->s->part[0].cut;
    size_t all = wfi_device_words(l->s->g->n);
    weft_status st = wfi_device_fill(l->ctx, b.front, 0, all * sizeof *b.front);
    if (!st) st = wfi_each(l->ctx, t->here, [=] __device__(uint64_t i) { put(b.front, b.first + b.queue[i]); });
    for (int r = 0; r <= l->s->comm->link.size; r++) t->start[r] = ((uint64_t)cut[r] + 7) / 8;
    st = wfi_device_allgather(l->ctx, st, wfi_staged{b.front, t->front_here}, t->start);
    if (st) return st;
    l->depth++;
    st = wfi_each(l->ctx, all, [=] __device__(uint64_t i) { b.seen[i] |= b.front[i]; });
    if (!st) st = look_for_parents(l->ctx, b, l->depth);
    return count_level(t, st);
}

/* ------------------------------------------------------------------------------------------- */

static weft_status seed(weft_ctx *ctx, wfi_rank_search b, const weft_vid *sources, uint64_t count) {
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        weft_vid v = sources[i], k = v - b.first;
        put(b.seen, v);
        if (v < b.first || k >= b.out.count) return;
        if (atomicCAS(b.level + k, WEFT_UNREACHED, 0u) != WEFT_UNREACHED) return;
        b.parent[k] = v;
        enqueue(b, k);
    });
}

static weft_status begin(wfi_rank_levels *l, size_t i, size_t count) {
    search *t = (search *)l;
    weft_ctx *ctx = l->ctx;
    const wfi_rank_search &b = t->b;
    size_t mine = l->s->vertices * sizeof(uint32_t), n = l->s->g->n;
    t->here = 0;
    weft_status st = wfi_device_fill(ctx, b.level, 0xff, mine);
    if (!st) st = wfi_device_fill(ctx, b.parent, 0xff, mine);
    if (!st) st = wfi_device_fill(ctx, b.seen, 0, wfi_device_words((weft_vid)n) * sizeof *b.seen);
    if (!st) st = wfi_device_fill(ctx, b.offer, 0xff, n * sizeof *b.offer);
    if (!st) st = wfi_device_fill(ctx, b.counts, 0, COUNTS * sizeof *b.counts);
    if (!st) st = seed(ctx, b, t->sources + i, count);
    return count_level(t, st);
}

/* Rows, sources and targets are sent.  What fails here the first level tells. */
static weft_status send(search *b, const weft_bfs_params *p, const weft_vid *sources) {
    weft_ctx *ctx = b->l.ctx;
    weft_status st = wfi_device_rows_send(ctx, b->l.s, false, b->out);
    bool both = b->b.front && b->l.s->g->directed;
    if (!st && both) st = wfi_device_rows_send(ctx, b->l.s, true, b->in);
    b->b.first = b->l.s->part[0].first;
    b->b.out = b->out[0];
    b->b.in = both ? b->in[0] : b->b.out;
    if (!st) st = wfi_upload(ctx, b->sources, sources, (p->sources ? p->source_count : 1) * sizeof *sources);
    if (!st) st = wfi_upload(ctx, b->targets, p->targets, p->target_count * sizeof *p->targets);
    if (!st) st = wfi_device_messages_begin(ctx, b->l.s, &b->messages);
    return wfi_device_agree(ctx, st);
}

static weft_status bring(search *b) {
    size_t bytes = (size_t)b->l.s->vertices * sizeof(uint32_t);
    weft_status st = wfi_download(b->l.ctx, b->level, b->b.level, bytes);
    if (!st && b->parent) st = wfi_download(b->l.ctx, b->parent, b->b.parent, bytes);
    return wfi_device_agree(b->l.ctx, st);
}

weft_status wfi_bfs_ranks_cuda(wfi_job *job) {
    const weft_bfs_params *p = (const weft_bfs_params *)job->params;
    wfi_spread *s = job->spread;
    uint64_t depth = 0;
    const weft_vid *sources = wfi_bfs_sources(job->g, p);
    search b = {};
    b.l.ctx = job->ctx;
    b.l.s = s;
    b.l.begin = begin;
    b.l.push = push;
    b.l.pull = pull;
    b.l.both_ways = job->choice->variant == WFI_BFS_BOTH_WAYS;
    b.l.target_count = p->target_count;
    weft_status st = wfi_open_device(job);
    if (!st) lay_out(job->space, job->device, s, p, b.l.both_ways, &b);
    st = wfi_agree(job->ctx, st ? st : job->space->status);
    if (!st && s->g->n) st = send(&b, p, sources);
    if (!st) st = wfi_rank_searches(&b.l, p, sources, &b.table, &depth);
    if (!st && s->g->n) st = bring(&b);
    return st ? st : wfi_bfs_job_end(job, b.l.reached, depth);
}
