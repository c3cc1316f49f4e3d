/* labelprop on the GPUs of ranks.
 * Method: the run is labelprop_cpu.c's; each GPU counts around its rank's vertices as that of one machine does
 * (labelprop_count.cu), and the labels of all are gathered after each step.
 * Memory on each GPU: the rows of its vertices, both ways of a directed graph; 8 bytes for each vertex of the graph, 12
 * where a row may be a giant; some for each of its own. */
#include "algo/labelprop/labelprop.h"
#include "algo/labelprop/labelprop_count.h"
#include "ranks/device.h"

typedef struct counting {
    weft_ctx *ctx;
    const wfi_spread *s;
    wfi_view out[WFI_MOST_BLOCKS], in[WFI_MOST_BLOCKS];
    wfi_label_counter c;
} counting;

static void lay_out(wfi_workspace *device, const wfi_spread *s, counting *t) {
    const weft_graph *g = s->g;
    uint64_t arcs = g->directed ? 2 * g->arcs : g->arcs;
    wfi_device_rows_lay_out(device, s, false, true, false, t->out);
    if (g->directed) wfi_device_rows_lay_out(device, s, true, true, false, t->in);
    t->c = (wfi_label_counter){
        .n = g->n, .first = s->part[0].first, .vertices = s->vertices, .out_arcs = s->arcs, .directed = g->directed};
    wfi_label_counter_lay_out(device, arcs, arcs > wfi_label_giant(), &t->c);
}

void wfi_labelprop_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params,
                                   wfi_choice *choice) {
    counting t;
    (void)ctx;
    wfi_labelprop_plan_counted(spread, params, choice);
    lay_out(&choice->device, spread, &t);
}

static void begin(wfi_labelprop_gpu *gpu, const weft_vid *label) {
    counting *t = gpu->state;
    size_t bytes = (size_t)t->c.n * sizeof *label;
    weft_status st = gpu->status;
    if (!st) st = wfi_device_rows_send(t->ctx, t->s, false, t->out);
    if (!st && t->c.directed) st = wfi_device_rows_send(t->ctx, t->s, true, t->in);
    t->c.out = t->out[0];
    if (t->c.directed) t->c.in = t->in[0];
    if (!st) st = wfi_label_counter_begin(t->ctx, &t->c); /* before the labels, which lie where vertices are listed */
    for (int i = 0; i < 2; i++)
        if (!st) st = wfi_upload(t->ctx, t->c.label[i], label, bytes);
    gpu->status = st;
}

static weft_status step(wfi_labelprop_gpu *gpu, uint64_t i, weft_vid *here, bool *changed, bool *differs) {
    counting *t = gpu->state;
    wfi_label_tally seen = {false, false, 0};
    weft_vid *now = t->c.label[i % 2], *next = t->c.label[(i + 1) % 2];
    weft_status st = gpu->status;
    if (!st) st = wfi_label_counter_step(t->ctx, &t->c, &(wfi_label_step){now, next, NULL, !i}, &seen);
    *changed = seen.changed;
    *differs = seen.differs;
    return wfi_device_allgather_part(t->ctx, t->s, st, &t->s->part[0], (wfi_staged){next, here}, sizeof *next);
}

static weft_status end(wfi_labelprop_gpu *gpu, uint64_t i, weft_vid *label) {
    counting *t = gpu->state;
    weft_status st = gpu->status;
    if (!st) st = wfi_download(t->ctx, label, t->c.label[i % 2], (size_t)t->c.n * sizeof *label);
    return wfi_device_agree(t->ctx, st);
}

weft_status wfi_labelprop_ranks_cuda(wfi_job *job) {
    counting t = {.ctx = job->ctx, .s = job->spread};
    wfi_labelprop_gpu gpu = {begin, step, end, wfi_open_device(job), &t};
    if (!gpu.status) lay_out(job->device, job->spread, &t);
    return wfi_labelprop_with(job, &gpu);
}
