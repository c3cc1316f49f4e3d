/* sssp on the GPUs of ranks: the delta-stepping of rank_paths.h.
 * Method: in a bucket each GPU relaxes the arcs of its vertices, worklist after worklist, until none of them falls;
 * then the lengths that it has found for vertices of others go to their owners, one message each.  Minima do not depend
 * on the order of threads.
 * Memory on each GPU: its rows with weights; for each vertex of the graph 28 bytes and a bit, 16 for each of its own,
 * and 12 for each of these and each rank. */
#include "algo/sssp/sssp_ranks_cuda.h"
#include "algo/sssp/rank_paths.h"
#include "ranks/device.h"

#include <math.h>

typedef struct search {
    wfi_rank_paths p; /* first */
    wfi_paths_gpu b;
    wfi_view out[WFI_MOST_BLOCKS];
    wfi_device_messages messages;
    weft_vid *sources, *targets; /* on the GPU */
    uint64_t *best_here;
    uint64_t queued; /* in near */
} search;

static search *of(wfi_rank_paths *p) { return (search *)p; }

static size_t words(weft_vid n) { return (size_t)n / 32 + 1; }

static void lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, const weft_sssp_params *params,
                    search *t) {
    weft_vid n = s->g->n, mine = s->vertices;
    wfi_sssp_columns_lay_out(host, mine, params, &t->p.c);
    wfi_array(host, &t->best_here, n);
    wfi_device_rows_lay_out(device, s, false, true, s->g->weight_type != WEFT_WEIGHT_NONE, t->out);
    wfi_array(device, &t->b.best, n);
    wfi_array(device, &t->b.state, mine);
    wfi_array(device, &t->b.near, mine);
    wfi_array(device, &t->b.next, mine);
    wfi_array(device, &t->b.is_addressed, words(n));
    wfi_array(device, &t->b.parent, mine);
    wfi_array(device, &t->b.offer, n);
    wfi_array(device, &t->b.counts, WFI_PATHS_COUNTS);
    wfi_array(device, &t->sources, params->sources ? params->source_count : 1);
    wfi_array(device, &t->targets, params->target_count);
    wfi_device_messages_lay_out(host, device, s, 3 * sizeof(uint32_t), &t->messages);
    t->b.addressed = t->messages.addressed;
    t->b.addressed_count = t->messages.addressed_count;
}

void wfi_sssp_plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    search t;
    (void)ctx;
    choice->method = "buckets, by messages";
    lay_out(&choice->space, &choice->device, spread, params, &t);
}

/* --- distances -------------------------------------------------------------------------------- */

static weft_status agree(const wfi_rank_paths *p, weft_status mine) { return wfi_device_agree(p->ctx, mine); }

static weft_status begin(wfi_rank_paths *p, const wfi_sssp_ends *ends) {
    search *t = of(p);
    weft_ctx *ctx = p->ctx;
    weft_vid n = p->s->g->n;
    const uint64_t none[WFI_PATHS_COUNTS] = {[WFI_PATHS_LEAST] = wfi_bits_of((double)INFINITY)};
    weft_status st = wfi_device_rows_send(ctx, p->s, false, t->out);
    t->b.out = t->out[0];
    t->b.first = p->part->first;
    t->b.weight_type = p->s->g->weight_type;
    t->b.bound = 0;
    if (!st) st = wfi_upload(ctx, t->b.counts, none, sizeof none);
    if (!st) st = wfi_upload(ctx, t->sources, ends->sources, ends->source_count * sizeof *t->sources);
    if (!st) st = wfi_upload(ctx, t->targets, ends->targets, ends->target_count * sizeof *t->targets);
    if (!st) st = wfi_device_fill(ctx, t->b.state, 0, p->s->vertices * sizeof *t->b.state);
    if (!st) st = wfi_device_fill(ctx, t->b.is_addressed, 0, words(n) * sizeof *t->b.is_addressed);
    if (!st) st = wfi_device_messages_begin(ctx, p->s, &t->messages);
    if (!st) st = wfi_paths_begin(ctx, &t->b, n, t->sources, ends->source_count);
    return agree(p, st);
}

static weft_status nearest(wfi_rank_paths *p, uint64_t *least) {
    search *t = of(p);
    weft_status st = wfi_paths_nearest(p->ctx, &t->b);
    if (!st) st = wfi_device_count(t->p.ctx, t->b.counts + WFI_PATHS_LEAST, wfi_bits_of((double)INFINITY), least);
    return agree(p, st);
}

static weft_status fill(wfi_rank_paths *p) {
    search *t = of(p);
    t->b.bound = p->bound;
    weft_status st = wfi_paths_fill(p->ctx, &t->b);
    if (!st) st = wfi_device_count(t->p.ctx, t->b.counts + WFI_PATHS_QUEUED, 0, &t->queued);
    return agree(p, st);
}

/* Until nothing of this rank's is near. */
static weft_status relax_own(search *t) {
    weft_status st = WEFT_OK;
    while (!st && t->queued && !t->p.stop) {
        weft_vid *done = t->b.near;
        st = wfi_paths_relax(t->p.ctx, &t->b, t->queued);
        if (!st) st = wfi_device_count(t->p.ctx, t->b.counts + WFI_PATHS_QUEUED, 0, &t->queued);
        t->b.near = t->b.next;
        t->b.next = done;
        if (wfi_cancelled(t->p.ctx)) t->p.stop = true;
    }
    return st;
}

static weft_status relax(wfi_rank_paths *p, uint64_t *near) {
    search *t = of(p);
    weft_status st = relax_own(t);
    st = wfi_device_messages_deliver(p->ctx, p->s, st, &t->messages, (wfi_message_values){t->b.best, 0, true});
    if (st) return st;
    st = wfi_paths_clear_addressed(p->ctx, &t->b, t->messages.delivered);
    if (!st) st = wfi_paths_take(p->ctx, &t->b, t->messages.received, t->messages.received_count);
    if (!st) st = wfi_device_count(t->p.ctx, t->b.counts + WFI_PATHS_QUEUED, 0, &t->queued);
    *near = t->queued;
    return agree(p, st);
}

static weft_status farthest(wfi_rank_paths *p, const wfi_sssp_ends *ends, uint64_t *most) {
    search *t = of(p);
    weft_status st = wfi_paths_farthest(p->ctx, &t->b, t->targets, ends->target_count);
    if (!st) st = wfi_device_count(t->p.ctx, t->b.counts + WFI_PATHS_FOUND, 0, most);
    return agree(p, st);
}

static weft_status settle(wfi_rank_paths *p, double beyond) {
    search *t = of(p);
    weft_status st = wfi_paths_cut(p->ctx, &t->b, beyond);
    if (!st)
        st = wfi_download(p->ctx, p->c.distance, t->b.best + p->part->first, p->s->vertices * sizeof *p->c.distance);
    return agree(p, st);
}

static weft_status share(wfi_rank_paths *p) {
    search *t = of(p);
    return wfi_device_allgather_part(p->ctx, p->s, WEFT_OK, p->part, (wfi_staged){t->b.best, t->best_here},
                                     sizeof *t->b.best);
}

/* --- parents ------------------------------------------------------------------------------------- */

/* Offers go to the owners of their vertices. */
static weft_status tell_offers(search *t, weft_status mine) {
    t->messages.each = 2 * sizeof(uint32_t);
    return wfi_device_messages_deliver(t->p.ctx, t->p.s, mine, &t->messages,
                                       (wfi_message_values){t->b.offer, WEFT_NO_VERTEX, false});
}

static weft_status parents(wfi_rank_paths *p, const wfi_sssp_ends *ends, uint64_t *orphans) {
    search *t = of(p);
    weft_status st = wfi_device_fill(p->ctx, t->b.parent, 0xff, p->s->vertices * sizeof *t->b.parent);
    if (!st) st = wfi_device_fill(p->ctx, t->b.offer, 0xff, p->s->g->n * sizeof *t->b.offer);
    if (!st) st = wfi_paths_offer(p->ctx, &t->b);
    st = tell_offers(t, st);
    if (st) return st;
    st = wfi_paths_adopt(p->ctx, &t->b, t->messages.received, t->messages.received_count);
    if (!st) st = wfi_paths_orphans(p->ctx, &t->b, t->sources, ends->source_count);
    if (!st) st = wfi_device_count(t->p.ctx, t->b.counts + WFI_PATHS_FOUND, 0, orphans);
    return agree(p, st);
}

static weft_status hop(wfi_rank_paths *p, bool first, uint64_t *given) {
    search *t = of(p);
    weft_status st = first ? wfi_paths_hop_begin(p->ctx, &t->b) : WEFT_OK;
    if (!st && first) st = wfi_device_count(t->p.ctx, t->b.counts + WFI_PATHS_QUEUED, 0, &t->queued);
    if (!st) st = wfi_paths_offer_same(p->ctx, &t->b, t->queued);
    if (!st && wfi_cancelled(p->ctx)) st = wfi_fail_cancelled(p->ctx);
    st = tell_offers(t, st);
    if (st) return st;
    st = wfi_paths_hop_take(p->ctx, &t->b, t->messages.received, t->messages.received_count);
    if (!st) st = wfi_device_count(t->p.ctx, t->b.counts + WFI_PATHS_QUEUED, 0, &t->queued);
    if (!st) st = wfi_paths_hop_end(p->ctx, &t->b, t->queued);
    *given = t->queued;
    return agree(p, st);
}

static weft_status beyond(wfi_rank_paths *p, uint64_t *found) {
    search *t = of(p);
    weft_status st = wfi_paths_beyond(p->ctx, &t->b);
    if (!st) st = wfi_device_count(t->p.ctx, t->b.counts + WFI_PATHS_FOUND, 0, found);
    return agree(p, st);
}

static weft_status end(wfi_rank_paths *p) {
    size_t bytes = p->s->vertices * sizeof *p->c.parent;
    return agree(p, wfi_download(p->ctx, p->c.parent, of(p)->b.parent, bytes));
}

weft_status wfi_sssp_ranks_cuda(wfi_job *job) {
    static const wfi_rank_path_steps steps = {begin,  nearest, fill,    relax, NULL,   farthest,
                                              settle, share,   parents, hop,   beyond, end};
    wfi_spread *s = job->spread;
    search t = {.p = {.ctx = job->ctx, .s = s, .part = &s->part[0], .steps = &steps}};
    weft_status st = wfi_open_device(job);
    if (!st) lay_out(job->space, job->device, s, job->params, &t);
    st = wfi_agree(job->ctx, st ? st : job->space->status);
    return st ? st : wfi_rank_paths_run(job, &t.p);
}
