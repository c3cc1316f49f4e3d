/* k-cores on the GPUs of ranks: the peeling of rank_rounds.h, with decrements added up by atomics.
 * Memory on each GPU: the rows of its vertices, both ways of a directed graph; for each vertex of the graph 16 bytes, 9
 * for each of its own, and 8 for each of these and each rank. */
#include "algo/kcore/kcore.h"
#include "algo/kcore/rank_rounds.h"
#include "ranks/device.h"

typedef struct peel {
    wfi_rank_rounds r; /* first */
    wfi_peel_gpu g;
    wfi_core_sides sides;
    wfi_view out[WFI_MOST_BLOCKS], in[WFI_MOST_BLOCKS];
    wfi_device_messages messages;
    uint64_t queued;
} peel;

static peel *of(wfi_rank_rounds *r) { return (peel *)r; }

static void lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, uint64_t k, peel *p) {
    weft_vid mine = s->vertices;
    wfi_rank_rounds_lay_out(host, s, k, &p->r);
    wfi_device_rows_lay_out(device, s, false, true, false, p->out);
    if (s->g->directed) wfi_device_rows_lay_out(device, s, true, true, false, p->in);
    wfi_array(device, &p->g.core, mine);
    wfi_array(device, &p->g.taken, mine);
    wfi_array(device, &p->g.queue, mine);
    wfi_array(device, &p->g.decrement, s->g->n);
    wfi_array(device, &p->g.counts_of, WFI_PEEL_COUNTS);
    wfi_device_messages_lay_out(host, device, s, 2 * sizeof(uint32_t), &p->messages);
    p->g.addressed = p->messages.addressed;
    p->g.addressed_count = p->messages.addressed_count;
}

void wfi_kcore_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    peel p;
    (void)ctx;
    wfi_rank_rounds_plan(spread, ((const weft_kcore_params *)params)->mode, choice);
    lay_out(&choice->space, &choice->device, spread, ((const weft_kcore_params *)params)->k, &p);
}

static weft_status agree(const wfi_rank_rounds *r, weft_status mine) { return wfi_device_agree(r->ctx, mine); }

static weft_status begin(wfi_rank_rounds *r) {
    peel *p = of(r);
    const uint64_t none[WFI_PEEL_COUNTS] = {[WFI_PEEL_LEAST] = UINT64_MAX};
    size_t mine = r->s->vertices;
    weft_status st = wfi_device_rows_send(r->ctx, r->s, false, p->out);
    if (!st && r->s->g->directed) st = wfi_device_rows_send(r->ctx, r->s, true, p->in);
    const wfi_view rows[] = {p->out[0], p->in[0], {.offsets = NULL}};
    for (int i = 0; i < 2; i++) {
        p->g.counts[i] = rows[p->sides.counts[i]];
        p->g.counted_by[i] = rows[p->sides.counted_by[i]];
    }
    p->g.first = r->part->first;
    p->g.vertices = r->s->vertices;
    p->g.merged = p->sides.merged;
    if (!st) st = wfi_upload(r->ctx, p->g.counts_of, none, sizeof none);
    if (!st) st = wfi_device_fill(r->ctx, p->g.core, 0, mine * sizeof *p->g.core);
    if (!st) st = wfi_device_fill(r->ctx, p->g.taken, 0, mine);
    if (!st) st = wfi_device_fill(r->ctx, p->g.decrement, 0, r->s->g->n * sizeof *p->g.decrement);
    if (!st) st = wfi_device_messages_begin(r->ctx, r->s, &p->messages);
    if (!st) st = wfi_peel_begin(r->ctx, &p->g);
    return agree(r, st);
}

static weft_status lowest(wfi_rank_rounds *r, uint64_t *k) {
    peel *p = of(r);
    weft_status st = wfi_peel_lowest(r->ctx, &p->g);
    if (!st) st = wfi_device_count(p->r.ctx, p->g.counts_of + WFI_PEEL_LEAST, UINT64_MAX, k);
    return agree(r, st);
}

static weft_status take(wfi_rank_rounds *r, uint32_t k, uint64_t *queued) {
    peel *p = of(r);
    weft_status st = wfi_peel_take(r->ctx, &p->g, k);
    if (!st) st = wfi_device_count(p->r.ctx, p->g.counts_of + WFI_PEEL_QUEUED, 0, &p->queued);
    *queued = p->queued;
    return agree(r, st);
}

static weft_status wave(wfi_rank_rounds *r, uint32_t k, uint64_t *queued) {
    peel *p = of(r);
    weft_status st = wfi_peel_decrement(r->ctx, &p->g, p->queued);
    st = wfi_device_messages_deliver(r->ctx, r->s, st, &p->messages, (wfi_message_values){p->g.decrement, 0, false});
    if (st) return st;
    st = wfi_peel_receive(r->ctx, &p->g, p->messages.received, p->messages.received_count, k);
    if (!st) st = wfi_device_count(p->r.ctx, p->g.counts_of + WFI_PEEL_QUEUED, 0, &p->queued);
    *queued = p->queued;
    return agree(r, st);
}

static weft_status end(wfi_rank_rounds *r) {
    return agree(r, wfi_download(r->ctx, r->core, of(r)->g.core, r->s->vertices * sizeof *r->core));
}

weft_status wfi_kcore_ranks_cuda(wfi_job *job) {
    static const wfi_rank_round_steps steps = {begin, lowest, take, wave, end};
    const weft_kcore_params *given = job->params;
    wfi_spread *s = job->spread;
    peel p = {.r = {.ctx = job->ctx, .s = s, .part = &s->part[0], .steps = &steps}};
    p.sides = wfi_core_sides_of(s->g, given->mode);
    weft_status st = wfi_open_device(job);
    if (!st) lay_out(job->space, job->device, s, given->k, &p);
    st = wfi_agree(job->ctx, st ? st : job->space->status);
    return st ? st : wfi_rank_rounds_run(job, &p.r);
}
