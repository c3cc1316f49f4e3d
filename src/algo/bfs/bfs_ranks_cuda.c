/* bfs on the GPUs of ranks: the direction-optimising levels of bfs_ranks.c.
 * Method: top-down each GPU keeps, for every target, the least of its vertices that leads there (atomicMin), and sends
 * it to the target's owner; bottom-up the frontier is gathered as a bitmap.  Either way the smallest parent wins,
 * whatever the order of threads.
 * Memory on each GPU: its rows; for each vertex of the graph 16 bytes and 1 or 2 bits, and 8 for each of its own and
 * each rank. */
#include "algo/bfs/bfs_ranks_cuda.h"
#include "algo/bfs/rank_levels.h"
#include "ranks/device.h"

typedef struct search {
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
} search;

static size_t words(weft_vid n) { return (size_t)n / 32 + 1; }

static void lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, const weft_bfs_params *p,
                    bool both_ways, search *b) {
    const weft_graph *g = s->g;
    weft_vid mine = s->vertices;
    wfi_column(host, "level", WEFT_U32, mine, &b->level);
    b->parent = NULL;
    if (p->parents) wfi_column(host, "parent", WEFT_VERTEX, mine, &b->parent);
    wfi_bfs_table_lay_out(host, wfi_bfs_table_rows(p), &b->table);
    wfi_array(host, &b->start, (size_t)s->comm->link.size + 1);
    wfi_array(host, &b->front_here, both_ways ? words(g->n) : 0);
    wfi_device_rows_lay_out(device, s, false, true, false, b->out);
    if (both_ways && g->directed) wfi_device_rows_lay_out(device, s, true, true, false, b->in);
    wfi_array(device, &b->b.level, mine);
    wfi_array(device, &b->b.parent, mine);
    wfi_array(device, &b->b.queue, mine);
    wfi_array(device, &b->b.seen, words(g->n));
    b->b.front = NULL;
    if (both_ways) wfi_array(device, &b->b.front, words(g->n));
    wfi_array(device, &b->b.offer, g->n);
    wfi_array(device, &b->b.counts, WFI_SEARCH_COUNTS);
    wfi_array(device, &b->sources, p->sources ? p->source_count : 1);
    wfi_array(device, &b->targets, p->target_count);
    wfi_device_messages_lay_out(host, device, s, 2 * sizeof(uint32_t), &b->messages);
    b->b.addressed = b->messages.addressed;
    b->b.addressed_count = b->messages.addressed_count;
}

void wfi_bfs_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    search b;
    wfi_choice host = {.method = NULL, .sends = UINT64_MAX};
    wfi_bfs_plan_ranks(ctx, spread, params, &host);
    choice->variant = host.variant;
    choice->method = host.method;
    choice->sends = host.sends;
    choice->space.needs_in = host.space.needs_in;
    lay_out(&choice->space, &choice->device, spread, params, host.variant == WFI_BFS_BOTH_WAYS, &b);
}

/* --- levels ------------------------------------------------------------------------------- */

/* A level is done: the frontier of all ranks. */
static weft_status count_level(search *b, weft_status mine) {
    uint64_t sum[WFI_SEARCH_COUNTS] = {0};
    if (!mine) mine = wfi_rank_search_unmet(b->l.ctx, &b->b, b->targets, b->l.target_count);
    if (!mine) mine = wfi_download(b->l.ctx, sum, b->b.counts, sizeof sum);
    if (!mine) mine = wfi_device_fill(b->l.ctx, b->b.counts, 0, sizeof sum);
    weft_status st = wfi_device_agree(b->l.ctx, mine);
    if (st) return st;
    b->here = sum[WFI_SEARCH_QUEUED];
    st = wfi_allreduce(b->l.ctx, sum, WFI_SEARCH_COUNTS, WFI_SUM);
    wfi_rank_level_done(&b->l, sum[WFI_SEARCH_QUEUED], sum[WFI_SEARCH_ARCS], sum[WFI_SEARCH_UNMET]);
    return st;
}

static weft_status push(wfi_rank_levels *l) {
    search *b = (search *)l;
    wfi_device_messages *t = &b->messages;
    b->l.depth++;
    weft_status st = wfi_rank_search_push(b->l.ctx, &b->b, b->here);
    st = wfi_device_messages_deliver(b->l.ctx, b->l.s, st, t, (wfi_message_values){b->b.offer, WEFT_NO_VERTEX, false});
    if (st) return st;
    st = wfi_rank_search_see(b->l.ctx, &b->b, t->delivered);
    if (!st) st = wfi_rank_search_take(b->l.ctx, &b->b, t->received, t->received_count, b->l.depth);
    return count_level(b, st);
}

/* Ranges begin at multiples of 8, so that no two ranks share a byte. */
static weft_status pull(wfi_rank_levels *l) {
    search *b = (search *)l;
    const wfi_part *p = &b->l.s->part[0];
    weft_vid n = b->l.s->g->n;
    weft_status st = wfi_device_fill(b->l.ctx, b->b.front, 0, words(n) * sizeof *b->b.front);
    if (!st) st = wfi_rank_search_show(b->l.ctx, &b->b, b->here);
    for (int r = 0; r <= b->l.s->comm->link.size; r++) b->start[r] = ((uint64_t)p->cut[r] + 7) / 8;
    st = wfi_device_allgather(b->l.ctx, st, (wfi_staged){b->b.front, b->front_here}, b->start);
    if (st) return st;
    b->l.depth++;
    st = wfi_rank_search_join(b->l.ctx, &b->b, words(n));
    if (!st) st = wfi_rank_search_pull(b->l.ctx, &b->b, b->l.depth);
    return count_level(b, st);
}

static weft_status begin(wfi_rank_levels *l, size_t i, size_t count) {
    search *b = (search *)l;
    weft_ctx *ctx = b->l.ctx;
    wfi_rank_search *k = &b->b;
    size_t mine = b->l.s->vertices * sizeof(uint32_t), n = b->l.s->g->n;
    b->here = 0;
    weft_status st = wfi_device_fill(ctx, k->level, 0xff, mine);
    if (!st) st = wfi_device_fill(ctx, k->parent, 0xff, mine);
    if (!st) st = wfi_device_fill(ctx, k->seen, 0, words((weft_vid)n) * sizeof *k->seen);
    if (!st) st = wfi_device_fill(ctx, k->offer, 0xff, n * sizeof *k->offer);
    if (!st) st = wfi_device_fill(ctx, k->counts, 0, WFI_SEARCH_COUNTS * sizeof *k->counts);
    if (!st) st = wfi_rank_search_seed(ctx, k, b->sources + i, count);
    return count_level(b, st);
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
    const weft_bfs_params *p = job->params;
    wfi_spread *s = job->spread;
    uint64_t depth = 0;
    const weft_vid *sources = wfi_bfs_sources(job->g, p);
    search b = {.l = {.ctx = job->ctx, .s = s, .begin = begin, .push = push, .pull = pull}};
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
