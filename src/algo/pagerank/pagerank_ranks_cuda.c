/* PageRank on the GPUs of ranks.
 * Method: that of pagerank_cpu.c, which begins and ends the run on the host; the GPU does the sweeps, the scaling after
 * them and the exchange of shares.  Memory on each GPU: the incoming rows of its vertices, and a share for each vertex
 * of the graph. */
#include "algo/pagerank/pagerank_cpu.h"
#include "ranks/device.h"
#include "weft/pagerank.h"

typedef struct gpu_state {
    const wfi_spread *s;
    wfi_view in[WFI_MOST_BLOCKS];
    size_t each, rank_bytes; /* bytes of a share, of a rank */
    bool weighted;
    char *share; /* by vertex of the graph; the other arrays are by vertex of this rank */
    char *next, *rank;
    double *give, *restart, *dangling_to;
    uint64_t *totals;
} gpu_state;

enum { TOTALS = 6 };

static void lay_out(wfi_workspace *device, const wfi_spread *s, const weft_pagerank_params *p, gpu_state *g) {
    bool single = p->precision != WEFT_PRECISION_F64;
    *g = (gpu_state){.s = s,
                     .weighted = p->weights,
                     .each = single && !p->weights ? sizeof(float) : sizeof(double),
                     .rank_bytes = single ? sizeof(float) : sizeof(double)};
    wfi_device_rows_lay_out(device, s, true, true, p->weights, g->in);
    g->share = wfi_carve(device, "share", s->g->n, g->each, false);
    g->next = wfi_carve(device, "next", s->vertices, g->each, false);
    g->rank = wfi_carve(device, "rank", s->vertices, g->rank_bytes, false);
    wfi_array(device, &g->give, s->vertices);
    if (p->restart) wfi_array(device, &g->restart, s->vertices);
    if (p->dangling_to) wfi_array(device, &g->dangling_to, s->vertices);
    wfi_array(device, &g->totals, TOTALS);
}

void wfi_pagerank_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params,
                                  wfi_choice *choice) {
    gpu_state g;
    wfi_pagerank_plan_ranks(ctx, spread, params, choice);
    lay_out(&choice->device, spread, params, &g);
}

static weft_status begin(wfi_ranking *r) {
    gpu_state *g = r->gpu->state;
    size_t mine = r->mine;
    weft_status st = wfi_device_rows_send(r->ctx, g->s, true, g->in);
    if (!st) st = wfi_upload(r->ctx, g->share, r->pull.share, r->g->n * g->each);
    if (!st) st = wfi_upload(r->ctx, g->rank, r->rank, mine * g->rank_bytes);
    if (!st) st = wfi_upload(r->ctx, g->give, r->inverse, mine * sizeof *g->give);
    if (!st && r->restart) st = wfi_upload(r->ctx, g->restart, r->restart, mine * sizeof *g->restart);
    if (!st && r->dangling_to) st = wfi_upload(r->ctx, g->dangling_to, r->dangling_to, mine * sizeof *g->dangling_to);
    r->gpu->status = st;
    return WEFT_OK;
}

/* New ranks for part b; their shares go to the positions of this rank's vertices. */
static weft_status sweep_part(wfi_ranking *r, const gpu_state *g, size_t b) {
    const wfi_part *p = &g->s->part[b];
    size_t at = p->place, count = p->end - p->first;
    if (!count) return WEFT_OK;
    wfi_rank_sweep w = {.in = g->in[b],
                        .weight_type = r->g->weight_type,
                        .weighted = g->weighted,
                        .single = r->single,
                        .share = g->share,
                        .next = g->next + at * g->each,
                        .rank = g->rank + at * g->rank_bytes,
                        .give = g->give + at,
                        .restart = g->restart ? g->restart + at : NULL,
                        .dangling_to = g->dangling_to ? g->dangling_to + at : NULL,
                        .teleport = r->teleport,
                        .damping = r->damping,
                        .uniform = r->uniform,
                        .dangling = r->dangling,
                        .totals = g->totals};
    weft_status st = wfi_rank_sweep_rows(r->ctx, &w);
    return st ? st : wfi_device_copy(r->ctx, g->share + p->first * g->each, w.next, count * g->each);
}

static weft_status sweep(wfi_ranking *r, wfi_totals *t) {
    gpu_state *g = r->gpu->state;
    uint64_t all[TOTALS] = {0};
    weft_status st = r->gpu->status;
    if (!st) st = wfi_device_fill(r->ctx, g->totals, 0, sizeof all);
    for (size_t b = 0; b < g->s->blocks; b++) {
        if (!st) st = sweep_part(r, g, b);
        st =
            wfi_device_allgather_part(r->ctx, g->s, st, &g->s->part[b], (wfi_staged){g->share, r->pull.share}, g->each);
        if (st) return st;
    }
    st = wfi_device_agree(r->ctx, wfi_download(r->ctx, all, g->totals, sizeof all));
    *t = (wfi_totals){{all[0], all[1]}, {all[2], all[3]}, {all[4], all[5]}};
    wfi_fixed_carry(&t->change);
    wfi_fixed_carry(&t->dangling);
    wfi_fixed_carry(&t->sum);
    return st;
}

static void scale(wfi_ranking *r, double by) {
    gpu_state *g = r->gpu->state;
    weft_status st = wfi_rank_scale(r->ctx, g->rank, r->single, r->mine, by);
    if (!st) st = wfi_rank_scale(r->ctx, g->share, g->each == sizeof(float), r->g->n, by);
    r->gpu->status = st;
}

static weft_status end(wfi_ranking *r) {
    gpu_state *g = r->gpu->state;
    weft_status st = r->gpu->status;
    if (!st) st = wfi_download(r->ctx, r->rank, g->rank, r->mine * g->rank_bytes);
    return wfi_device_agree(r->ctx, st);
}

weft_status wfi_pagerank_ranks_cuda(wfi_job *job) {
    gpu_state g = {.s = job->spread};
    wfi_ranking_gpu gpu = {begin, sweep, scale, end, wfi_open_device(job), &g};
    if (!gpu.status) lay_out(job->device, job->spread, job->params, &g);
    return wfi_pagerank_with(job, &gpu);
}
