/* HITS on the GPUs of ranks.
 * Method: that of hits_cpu.c, which measures the rows and begins on the host; shares, what is pulled and what travels
 * are the GPU's.  Memory on each GPU: the rows of its vertices, both ways of a directed graph; 8 bytes for each vertex
 * of the graph. */
#include "algo/hits/hits_ranks_cuda.h"
#include "ranks/device.h"

enum { TOTALS = 4 };

typedef struct gpu_state {
    weft_ctx *ctx;
    const wfi_spread *s;
    bool weighted;
    wfi_view out[WFI_MOST_BLOCKS], in[WFI_MOST_BLOCKS]; /* in: of a directed graph */
    double *share;                                      /* of all vertices; the rest is of this rank's */
    double *value[2], *sums[2];                         /* of authorities, of hubs */
    uint64_t *totals;
} gpu_state;

static void lay_out(wfi_workspace *device, const wfi_spread *s, const weft_hits_params *p, gpu_state *g) {
    g->s = s;
    g->weighted = p->weights;
    wfi_device_rows_lay_out(device, s, false, true, p->weights, g->out);
    if (s->g->directed) wfi_device_rows_lay_out(device, s, true, true, p->weights, g->in);
    wfi_array(device, &g->share, s->g->n);
    for (int side = 0; side < 2; side++) {
        wfi_array(device, &g->value[side], s->vertices);
        g->sums[side] = NULL;
        if (p->weights) wfi_array(device, &g->sums[side], s->vertices);
    }
    wfi_array(device, &g->totals, TOTALS);
}

void wfi_hits_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    gpu_state g;
    wfi_hits_plan_ranks(ctx, spread, params, choice);
    lay_out(&choice->device, spread, params, &g);
}

static weft_status begin(wfi_hits_gpu *gpu, wfi_hits_side hubs, wfi_hits_side authorities) {
    gpu_state *g = gpu->state;
    const wfi_hits_side from[] = {authorities, hubs};
    size_t bytes = (size_t)g->s->vertices * sizeof(double);
    weft_status st = wfi_device_rows_send(g->ctx, g->s, false, g->out);
    if (!st && g->s->g->directed) st = wfi_device_rows_send(g->ctx, g->s, true, g->in);
    for (int side = 0; side < 2; side++) {
        if (!st) st = wfi_upload(g->ctx, g->value[side], from[side].value, bytes);
        if (!st && g->weighted) st = wfi_upload(g->ctx, g->sums[side], from[side].sums, bytes);
    }
    gpu->status = st;
    return WEFT_OK;
}

static weft_status half(wfi_hits_gpu *gpu, bool hubs, double factor, double unit, double *here, wfi_fixed mine[2]) {
    gpu_state *g = gpu->state;
    const wfi_part *p = &g->s->part[0];
    uint64_t all[TOTALS] = {0};
    wfi_hits_half h = {.rows = hubs || !g->s->g->directed ? g->out[0] : g->in[0],
                       .weight_type = g->s->g->weight_type,
                       .weighted = g->weighted,
                       .share = g->share,
                       .value = g->value[hubs],
                       .sums = g->sums[hubs],
                       .unit = unit,
                       .totals = g->totals};
    weft_status st = gpu->status;
    if (!st) st = wfi_device_fill(g->ctx, g->totals, 0, sizeof all);
    if (!st) st = wfi_hits_share(g->ctx, g->s->vertices, g->value[!hubs], factor, g->share + p->first);
    st = wfi_device_allgather_part(g->ctx, g->s, st, p, (wfi_staged){g->share, here}, sizeof *here);
    if (st) return st;
    st = wfi_hits_pull(g->ctx, &h);
    if (!st) st = wfi_download(g->ctx, all, g->totals, sizeof all);
    st = wfi_device_agree(g->ctx, st);
    for (int i = 0; i < 2; i++) {
        mine[i] = (wfi_fixed){all[2 * i], all[2 * i + 1]};
        wfi_fixed_settle(&mine[i]);
    }
    return st;
}

static weft_status end(wfi_hits_gpu *gpu, wfi_hits_side hubs, wfi_hits_side authorities) {
    gpu_state *g = gpu->state;
    size_t bytes = (size_t)g->s->vertices * sizeof(double);
    weft_status st = gpu->status;
    if (!st) st = wfi_download(g->ctx, authorities.value, g->value[0], bytes);
    if (!st) st = wfi_download(g->ctx, hubs.value, g->value[1], bytes);
    return wfi_device_agree(g->ctx, st);
}

weft_status wfi_hits_ranks_cuda(wfi_job *job) {
    gpu_state g = {.ctx = job->ctx, .s = job->spread};
    wfi_hits_gpu gpu = {begin, half, end, wfi_open_device(job), &g};
    if (!gpu.status) lay_out(job->device, job->spread, job->params, &g);
    return wfi_hits_with(job, &gpu);
}
