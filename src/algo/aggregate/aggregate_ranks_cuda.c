/* aggregate on the GPUs of ranks.
 * Method: the run is aggregate_cpu.c's, which computes the factors of vertices on the host; each GPU has all features
 * and the rows of its rank's vertices, and makes their part of the column.  For the gradient of a maximum, the winners
 * of each strip of columns are gathered from all GPUs.  Memory on each GPU: its rows; the features of the whole graph
 * and its part of the result; 4 bytes for each vertex of the graph if terms are scaled, 4 for each vertex and each
 * column of a strip for the gradient of a maximum. */
#include "algo/aggregate/aggregate.h"
#include "algo/aggregate/aggregate_cpu.h"
#include "ranks/device.h"

typedef struct summing {
    weft_status status;
    wfi_view in[WFI_MOST_BLOCKS], out[WFI_MOST_BLOCKS];
    char *features, *forward, *result; /* NULL if the caller's features are on the GPU */
    uint8_t *joins;
    float *scale;
    weft_vid *winner;
} summing;

/* Numbers added between two polls. */
static const uint64_t AT_ONCE = (uint64_t)1 << 32;

static void lay_out(wfi_workspace *device, const wfi_spread *s, const weft_aggregate_params *p, summing *t) {
    uint64_t n = s->g->n, width = p->features->width, each = wfi_matrix_bytes(p->features->type);
    bool back_max = wfi_aggregate_is_back_max(p), brings = !p->features_on_device;
    if (!p->backward || (back_max && s->g->directed)) wfi_device_rows_lay_out(device, s, true, true, false, t->in);
    if (p->backward) wfi_device_rows_lay_out(device, s, false, true, false, t->out);
    if (brings) wfi_array(device, &t->features, each * width * n);
    if (brings && back_max) wfi_array(device, &t->forward, wfi_matrix_bytes(p->forward->type) * width * n);
    wfi_array(device, &t->result, each * width * s->vertices);
    if (p->self_loop) wfi_array(device, &t->joins, s->vertices);
    if (wfi_aggregate_scales(p)) wfi_array(device, &t->scale, n);
    if (back_max) wfi_array(device, &t->winner, n * wfi_min_u64(width, WFI_AGGREGATE_STRIP));
}

void wfi_aggregate_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params,
                                   wfi_choice *choice) {
    summing t;
    wfi_aggregate_plan_ranks(ctx, spread, params, choice);
    lay_out(&choice->device, spread, params, &t);
}

static weft_status bring(weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *p, const weft_matrix *m,
                         void *copy, const void **data) {
    return g->n ? wfi_aggregate_upload(ctx, m, p->features_on_device, copy, data) : WEFT_OK;
}

/* Uploads the inputs of the kernels. */
static weft_status begin(const wfi_aggregate_job *j, summing *t, wfi_rank_sums *sums) {
    const wfi_spread *s = j->spread;
    bool back_max = wfi_aggregate_is_back_max(j->p), both = back_max && s->g->directed;
    weft_status st = t->status;
    if (!st && (!j->p->backward || both)) st = wfi_device_rows_send(j->ctx, s, true, t->in);
    if (!st && j->p->backward) st = wfi_device_rows_send(j->ctx, s, false, t->out);
    if (!st) st = bring(j->ctx, s->g, j->p, j->p->features, t->features, &sums->x);
    if (!st && back_max) st = bring(j->ctx, s->g, j->p, j->p->forward, t->forward, &sums->forward);
    if (!st && j->scale) st = wfi_upload(j->ctx, t->scale, j->scale, s->g->n * sizeof *t->scale);
    if (st) return st;
    sums->p = j->p;
    sums->along = j->p->backward ? t->out[0] : t->in[0];
    sums->in = both ? t->in[0] : sums->along;
    sums->first = j->first;
    sums->out = t->result;
    sums->scale = t->scale;
    sums->joins = t->joins;
    sums->winner = t->winner;
    sums->strip = wfi_min_u64(j->width, WFI_AGGREGATE_STRIP);
    return j->p->self_loop ? wfi_rank_joins(j->ctx, sums, t->joins) : WEFT_OK;
}

/* Computes and downloads some rows at a time. */
static weft_status add(wfi_aggregate_job *j, const wfi_rank_sums *sums) {
    size_t row = j->width * wfi_matrix_bytes(j->p->features->type);
    double arcs = (double)(j->rows->offsets[j->n] - j->rows->offsets[0]) + j->n + 1;
    double share = (double)AT_ONCE / (arcs * (double)j->width);
    weft_vid step = share < 1 ? (weft_vid)(share * j->n) + 1 : j->n;
    for (weft_vid from = 0; from < j->n; from += step) {
        weft_vid count = j->n - from < step ? j->n - from : step;
        weft_status st = wfi_rank_add(j->ctx, sums, from, count);
        char *to = (char *)j->out + (size_t)from * row;
        if (!st) st = wfi_download(j->ctx, to, (const char *)sums->out + (size_t)from * row, (size_t)count * row);
        if (!st && wfi_cancelled(j->ctx)) st = wfi_fail_cancelled(j->ctx);
        if (st) return st;
        wfi_progress(j->ctx, "aggregating", from, j->n);
        if (count < step) break;
    }
    return WEFT_OK;
}

/* The failure of a single rank is reported with the winners of the next strip. */
static weft_status back_max(wfi_aggregate_job *j, weft_status mine, const wfi_rank_sums *sums) {
    const wfi_spread *s = j->spread;
    for (size_t first = 0; first < j->width; first += WFI_AGGREGATE_STRIP) {
        size_t columns = (size_t)wfi_min_u64(j->width - first, WFI_AGGREGATE_STRIP);
        if (!mine) mine = wfi_rank_compare(j->ctx, sums, first, columns);
        weft_status st = wfi_device_allgather_part(j->ctx, s, mine, &s->part[0], (wfi_staged){sums->winner, j->winner},
                                                   (size_t)sums->strip * sizeof *j->winner);
        if (st) return st;
        mine = wfi_rank_collect(j->ctx, sums, first, columns);
        if (!mine && wfi_cancelled(j->ctx)) mine = wfi_fail_cancelled(j->ctx);
        wfi_progress(j->ctx, "aggregating", first, j->width);
    }
    size_t bytes = (size_t)j->n * j->width * wfi_matrix_bytes(j->p->features->type);
    return mine ? mine : wfi_download(j->ctx, j->out, sums->out, bytes);
}

static weft_status run(wfi_aggregate_job *j, void *state) {
    wfi_rank_sums sums = {.p = j->p};
    weft_status st = begin(j, state, &sums);
    sums.strip = wfi_min_u64(j->width, WFI_AGGREGATE_STRIP); /* also after a failure, because all ranks must meet */
    if (wfi_aggregate_is_back_max(j->p))
        st = back_max(j, st, &sums);
    else if (!st)
        st = add(j, &sums);
    return wfi_device_agree(j->ctx, st);
}

weft_status wfi_aggregate_ranks_cuda(wfi_job *job) {
    summing t = {.status = wfi_open_device(job)};
    if (!t.status) lay_out(job->device, job->spread, job->params, &t);
    return wfi_aggregate_with(job, run, &t);
}
