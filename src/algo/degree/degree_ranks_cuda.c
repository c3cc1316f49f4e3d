/* degree on the GPUs of ranks.
 * Method: out-degrees are row lengths.  In-degrees are too where incoming rows are at hand; else each rank counts the
 * targets of its arcs, for all vertices of the graph, and the counts are added up where the vertices are (a
 * reduce-scatter).  The distribution is counted on the host.  Memory: 8 bytes for each vertex of the graph where
 * targets are counted, on the GPU and on the host. */
#include "algo/degree/degree.h"
#include "ranks/device.h"

typedef struct arrays {
    wfi_degree_arrays a;
    uint64_t *in, *out, *total; /* on the GPU, of this rank's vertices */
    uint64_t *counts;           /* of all vertices; NULL: none are counted */
    uint64_t *counts_here;
    uint64_t *in_here;
    wfi_view rows[WFI_MOST_BLOCKS], in_rows[WFI_MOST_BLOCKS];
} arrays;

static bool lengths(const weft_graph *g, const weft_degree_params *p) {
    return wfi_in_at_hand(g) || p->mode == WEFT_SIDE_OUT;
}

static void lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, const weft_degree_params *p,
                    arrays *a) {
    bool targets = !lengths(s->g, p), in = p->mode != WEFT_SIDE_OUT;
    *a = (arrays){.in = NULL};
    wfi_degree_lay_out_part(host, s->g, p, s->vertices, &a->a);
    wfi_device_rows_lay_out(device, s, false, targets, false, a->rows);
    if (in && s->g->directed && !targets) wfi_device_rows_lay_out(device, s, true, false, false, a->in_rows);
    wfi_array(device, &a->in, s->vertices);
    wfi_array(device, &a->out, s->vertices);
    wfi_array(device, &a->total, s->vertices);
    if (!targets) return;
    wfi_array(device, &a->counts, s->g->n);
    wfi_array(host, &a->counts_here, s->g->n);
    wfi_array(host, &a->in_here, s->vertices);
}

void wfi_degree_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    arrays a;
    bool rows = lengths(spread->g, params);
    (void)ctx;
    choice->method = rows ? WFI_DEGREE_LENGTHS : WFI_DEGREE_COUNT;
    choice->sends = rows ? 0 : sizeof(uint64_t) * (spread->g->n - spread->vertices);
    lay_out(&choice->space, &choice->device, spread, params, &a);
}

/* What this rank can do by itself. */
static weft_status measure(weft_ctx *ctx, const wfi_spread *s, arrays *a) {
    weft_status st = wfi_device_rows_send(ctx, s, false, a->rows);
    if (!st) st = wfi_degree_lengths(ctx, a->rows[0], a->out);
    if (!st && a->in_rows[0].offsets) st = wfi_device_rows_send(ctx, s, true, a->in_rows);
    if (!st && a->in_rows[0].offsets) st = wfi_degree_lengths(ctx, a->in_rows[0], a->in);
    if (!st && a->counts) st = wfi_device_fill(ctx, a->counts, 0, (size_t)s->g->n * sizeof *a->counts);
    if (!st && a->counts) st = wfi_degree_count_targets(ctx, a->rows[0].targets, s->arcs, a->counts);
    return st;
}

weft_status wfi_degree_ranks_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const wfi_spread *s = job->spread;
    size_t bytes = (size_t)s->vertices * sizeof(uint64_t);
    arrays a = {.in = NULL};
    weft_status st = wfi_open_device(job);
    if (!st) lay_out(job->space, job->device, s, job->params, &a);
    st = wfi_agree(ctx, st ? st : job->space->status);
    if (st) return st;
    st = measure(ctx, s, &a);
    if (a.counts) {
        for (int r = 0; r <= s->comm->link.size; r++) s->start[r] = s->part[0].cut[r];
        st = wfi_device_reduce_scatter(ctx, st, (wfi_staged){a.counts, a.counts_here}, s->start,
                                       (wfi_staged){a.in, a.in_here});
    }
    bool both = s->g->directed && a.a.in;
    if (!st) st = wfi_degree_add(ctx, s->vertices, both ? a.in : NULL, a.out, a.total);
    if (!st && a.a.in) st = wfi_download(ctx, a.a.in, s->g->directed ? a.in : a.out, bytes);
    if (!st && a.a.out) st = wfi_download(ctx, a.a.out, a.out, bytes);
    if (!st && a.a.total) st = wfi_download(ctx, a.a.total, a.total, bytes);
    st = wfi_device_agree(ctx, st);
    return st ? st : wfi_degree_ranks_table(job, &a.a);
}
