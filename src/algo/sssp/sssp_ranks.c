/* sssp on ranks, on CPU cores or GPUs: the arrays, and the driver of the kernels in sssp_bodies.h, which chooses the
 * next bucket, ends the search, and finds parents.
 * Method: ranks relax the arcs of a bucket locally until no distance falls, then exchange messages (vertex, length);
 * the bucket is empty when no rank has received a shorter length.  Distances do not depend on the order of work
 * (sssp.c).  Then every rank gets all distances, and finds the tight arcs of its rows. */
#include "algo/sssp/sssp.h"
#include "algo/sssp/sssp_bodies.h"
#include "ranks/spread.h"
#include "run/method.h"

#include <math.h>

WFI_KERNELS(sssp_buckets, SSSP_KERNELS)

enum { SAMPLE = 1024, PAIRS = 2 * sizeof(uint32_t), TRIPLES = 3 * sizeof(uint32_t) };

typedef struct search {
    wfi_ops *o;
    sssp_buckets *s;
    wfi_push *p;
    wfi_sssp_ends ends;
    uint64_t queued; /* rows in the queue */
    uint64_t sent;   /* messages, to other ranks or to itself */
    bool narrow;     /* a bucket is one distance */
} search;

/* A vertex may receive many messages.  When a rank has sent more than 8 * (its arcs + vertices of other ranks), buckets
 * become one distance wide: distances no longer fall within a bucket, so each arc sends one message from then on, at
 * the price of many collective calls.  GPUs, which would wait for these calls, have no such limit. */
enum { PATIENCE = 8 };
static uint64_t patience(const wfi_spread *s) { return PATIENCE * (s->arcs + (s->g->n - s->vertices)); }

static uint64_t count(const search *b, int counter) { return wfi_ops_count(b->o, b->p->counts + counter, 0); }

/* --- distances --------------------------------------------------------------------------- */

/* Relaxes the arcs of all near vertices until none is left; then exchanges lengths. */
static weft_status relax(search *b) {
    wfi_ops *o = b->o;
    while (b->queued && !wfi_ops_stops(o)) {
        if (o->gpu) wfi_ops_each(o, &sssp_wake_kernel, b->s, b->queued);
        wfi_ops_each(o, &sssp_relax_kernel, b->s, b->queued);
        wfi_push_swap(b->p);
        b->queued = count(b, WFI_PUSH_QUEUED);
    }
    weft_status st = wfi_ops_deliver(o, b->p, (wfi_message_values){b->s->best, 0, true});
    if (st) return st;
    b->sent += b->p->m.delivered;
    wfi_ops_each(o, &sssp_forget_kernel, b->s, b->p->m.delivered);
    wfi_ops_each(o, &sssp_hear_kernel, b->s, b->p->m.received_count);
    b->queued = count(b, WFI_PUSH_QUEUED);
    return WEFT_OK;
}

/* Moves the vertices of `far` (that many) below the bound to the queue.  Afterwards `far` has no vertex twice. */
static void fill(search *b, uint64_t far) {
    weft_vid *list = b->s->far;
    wfi_ops_each(b->o, &sssp_fill_kernel, b->s, far);
    b->s->far = b->s->kept;
    b->s->kept = list;
}

/* Puts near vertices back into `far`, to wait for the bucket of their distance. */
static void put_off(search *b) {
    b->narrow = true;
    b->s->bound = 0;
    fill(b, count(b, SSSP_FAR));
    wfi_ops_each(b->o, &sssp_put_off_kernel, b->s, b->queued);
}

static weft_status empty_bucket(search *b) {
    for (;;) {
        weft_status st = relax(b);
        if (st) return st;
        bool tired = !b->o->gpu && b->sent > patience(b->o->spread);
        uint64_t all[] = {b->queued, tired};
        st = wfi_ops_sum(b->o, all, 2);
        if (st || !all[0]) return st;
        if (!all[1] || b->narrow) continue;
        put_off(b);
        return WEFT_OK;
    }
}

/* The maximum of a counter over all ranks. */
static weft_status most_of_all(const search *b, int counter, uint64_t *most) {
    *most = count(b, counter);
    weft_status st = wfi_agree(b->o->ctx, b->o->status);
    return st ? st : wfi_allreduce(b->o->ctx, most, 1, WFI_MAX);
}

/* The distance of the farthest target, over all ranks; infinity without targets, or if a target has no path yet. */
static weft_status farthest_target(search *b, double *farthest) {
    uint64_t most = 0;
    *farthest = (double)INFINITY;
    if (!b->ends.target_count) return WEFT_OK;
    wfi_ops_each(b->o, &sssp_farthest_kernel, b->s, b->ends.target_count);
    weft_status st = most_of_all(b, SSSP_MOST, &most);
    *farthest = wfi_op_real(most);
    return st;
}

/* Chooses the bucket of the nearest waiting vertex; *any: false if there is none, or if all are beyond the targets.  A
 * rank that failed takes part, and reports its failure in the next step. */
static weft_status next_bucket(search *b, double delta, bool *any) {
    uint64_t far = count(b, SSSP_FAR);
    wfi_ops_each(b->o, &sssp_nearest_kernel, b->s, far);
    uint64_t least = wfi_ops_count(b->o, b->p->counts + SSSP_LEAST, SSSP_INFINITE);
    if (b->o->status) least = 0;
    weft_status st = wfi_allreduce(b->o->ctx, &least, 1, WFI_MIN);
    double nearest = wfi_op_real(least);
    *any = !isinf(nearest) && nearest <= b->s->beyond;
    if (st || !*any) return st;
    b->s->bound = fmax(b->narrow ? nearest : nearest + delta, nextafter(nearest, (double)INFINITY));
    fill(b, far);
    b->queued = count(b, WFI_PUSH_QUEUED);
    return WEFT_OK;
}

/* Ranks meet after each exchange, which costs as much as thousands of arcs: wide buckets, as on a GPU (sssp.c). */
static weft_status choose_delta(const wfi_ops *o, const weft_graph *g, double *delta) {
    const wfi_spread *s = o->spread;
    const wfi_view *rows = &s->part[0].out;
    weft_eid first = rows->offsets[0], end = rows->offsets[s->vertices], step = (end - first) / SAMPLE + 1, count = 0;
    double sum = 0, weight = 0, degree = g->n ? fmax((double)g->arcs / (double)g->n, 1) : 1;
    int ranks = s->comm->link.size, having = 0;
    for (weft_eid e = first; e < end; e += step, count++)
        sum += fmin(wfi_weight_at(g->weight_type, rows->weights, e), 1e300 / SAMPLE);
    weft_status st = wfi_allgather_u64(o->ctx, wfi_bits_of(count ? sum / (double)count : -1), s->start);
    for (int r = 0; r < ranks && !st; r++) {
        double mean = wfi_double_of(s->start[r]);
        if (mean >= 0) weight += mean, having++;
    }
    *delta = having ? 500 * (weight / having) / (degree * degree) : 1;
    if (!(*delta > 0)) *delta = 1;
    return st;
}

static weft_status find_distances(search *b, const weft_graph *g, double delta) {
    wfi_ops *o = b->o;
    bool any = true;
    wfi_ops_fill(o, b->s->state, 0, o->mine * sizeof *b->s->state);
    wfi_ops_fill(o, b->s->is_addressed, 0, wfi_device_words(o->n) * sizeof *b->s->is_addressed);
    wfi_ops_push_begin(o, b->p);
    (void)wfi_ops_count(o, b->p->counts + SSSP_LEAST, SSSP_INFINITE);
    wfi_ops_each(o, &sssp_begin_kernel, b->s, o->n);
    wfi_ops_each(o, &sssp_source_kernel, b->s, b->ends.source_count);
    weft_status st = delta > 0 ? WEFT_OK : choose_delta(o, g, &delta);
    if (!st) st = next_bucket(b, delta, &any);
    while (!st && any) {
        st = empty_bucket(b);
        if (!st) st = farthest_target(b, &b->s->beyond);
        if (!st) st = next_bucket(b, delta, &any);
    }
    return st;
}

/* --- parents ------------------------------------------------------------------------------- */

static weft_status tell_offers(search *b) {
    b->p->m.each = PAIRS;
    return wfi_ops_deliver(b->o, b->p, (wfi_message_values){b->s->offer, WEFT_NO_VERTEX, false});
}

/* Weights of 0: hop by hop from the vertices with a parent. */
static weft_status hop_on(search *b) {
    wfi_ops *o = b->o;
    wfi_ops_each(o, &sssp_first_hop_kernel, b->s, o->mine);
    for (uint64_t given = count(b, WFI_PUSH_QUEUED);;) {
        uint64_t all = given;
        weft_status st = wfi_ops_sum(o, &all, 1);
        if (st || !all) return st;
        wfi_ops_each(o, &sssp_offer_on_kernel, b->s, given);
        st = tell_offers(b);
        if (st) return st;
        wfi_ops_each(o, &sssp_adopt_late_kernel, b->s, b->p->m.received_count);
        given = count(b, WFI_PUSH_QUEUED);
        wfi_ops_each(o, &sssp_end_hop_kernel, b->s, given);
    }
}

static weft_status find_parents(search *b) {
    wfi_ops *o = b->o;
    sssp_buckets *s = b->s;
    wfi_ops_fill(o, s->parent, 0xff, o->mine * sizeof *s->parent);
    wfi_ops_fill(o, s->offer, 0xff, o->n * sizeof *s->offer);
    wfi_ops_each(o, &sssp_offer_kernel, s, o->mine);
    weft_status st = tell_offers(b);
    if (st) return st;
    wfi_ops_each(o, &sssp_adopt_kernel, s, b->p->m.received_count);
    wfi_ops_each(o, &sssp_own_kernel, s, b->ends.source_count);
    wfi_ops_each(o, &sssp_count_orphans_kernel, s, o->mine);
    uint64_t orphans = count(b, SSSP_FOUND);
    st = wfi_ops_sum(o, &orphans, 1);
    return st || !orphans ? st : hop_on(b);
}

/* --- plan and run ---------------------------------------------------------------------------------- */

/* Finds the first arc of this rank with a negative weight; all ranks report that of the first rank with one. */
static weft_status check_weights(weft_ctx *ctx, const weft_graph *g, const wfi_part *part) {
    bool none = part->first == part->end; /* then its offsets may not be in memory */
    if (!wfi_weights_real(g->weight_type)) return WEFT_OK;
    weft_eid e = none ? 0 : g->out.offsets[part->first], end = none ? 0 : g->out.offsets[part->end];
    while (e < end && !(wfi_weight_at(g->weight_type, g->out.weights, e) < 0)) e++;
    return wfi_agree(ctx, e < end ? wfi_refuse_weight(ctx, "sssp", g, e) : WEFT_OK);
}

static weft_status drive(wfi_ops *o, void *state, wfi_job *job) {
    const weft_sssp_params *given = job->params;
    const weft_graph *g = job->g;
    sssp_buckets *s = state;
    search b = {.o = o, .s = s, .p = &s->p};
    uint64_t reached = 0, farthest = 0, too_far = 0;
    weft_vid one = given->source;
    b.ends = (wfi_sssp_ends){given->sources ? given->sources : &one, given->targets,
                             given->sources ? given->source_count : 1, given->target_count};
    if (!g->n) b.ends.source_count = 0;
    s->out = *o->out;
    s->type = g->weight_type;
    s->beyond = (double)INFINITY;
    s->p.m.each = TRIPLES;
    weft_status st = check_weights(o->ctx, g, &o->spread->part[0]);
    if (st) return st;
    wfi_ops_bring(o, &s->sources, b.ends.sources, b.ends.source_count);
    wfi_ops_bring(o, &s->targets, b.ends.targets, b.ends.target_count);
    st = find_distances(&b, g, given->delta);
    wfi_ops_each(o, &sssp_write_kernel, s, o->mine);
    if (!st) reached = count(&b, SSSP_FOUND);
    if (!st) st = wfi_ops_sum(o, &reached, 1);
    if (!st) st = most_of_all(&b, SSSP_MOST, &farthest);
    bool look = g->weight_type == WEFT_WEIGHT_F64 && reached < g->n;
    if (!st && (s->parent || look)) st = wfi_ops_gather(o, s->best, sizeof *s->best);
    if (!st && s->parent) st = find_parents(&b);
    if (!st && look) wfi_ops_each(o, &sssp_beyond_kernel, s, o->mine);
    if (!st && look) st = most_of_all(&b, SSSP_FOUND, &too_far);
    return st ? st : wfi_sssp_scalars(o->ctx, reached, wfi_op_real(farthest), too_far, job->result);
}

static void choose(const wfi_spread *s, const void *params, bool gpu, wfi_choice *choice) {
    uint64_t away = s->g->n - s->vertices, arcs = s->arcs;
    (void)params;
    choice->method = WFI_SSSP_BUCKETS;
    if (gpu) return; /* no limit of messages */
    /* Lengths: up to the limit, in the exchange that reaches it, and once for each arc; then distances, and parents,
     * those along arcs of weight 0 included. */
    choice->sends =
        TRIPLES * (patience(s) + away + arcs + wfi_min_u64(arcs, away) + arcs) + sizeof(double) * wfi_spread_copies(s);
    if (s->comm->link.size == 1) choice->sends = 0;
}

static void more(wfi_workspace *host, wfi_workspace *device, const void *params, void *state) {
    const weft_sssp_params *p = params;
    sssp_buckets *s = state;
    (void)host;
    if (!device) return;
    wfi_array(device, &s->sources, p->sources ? p->source_count : 1);
    wfi_array(device, &s->targets, p->target_count);
}

static bool parents(const weft_graph *g, const void *params) {
    return (void)g, ((const weft_sssp_params *)params)->parents;
}

#define AT(field) offsetof(sssp_buckets, field)
static const wfi_array_info arrays[] = {
    {"distance", WFI_COLUMN, WEFT_F64, WFI_OF_MINE, AT(distance), NULL, false},
    {"parent", WFI_COLUMN, WEFT_VERTEX, WFI_OF_MINE, AT(parent), parents, false},
    {"best", WFI_ARRAY, WEFT_U64, WFI_OF_ALL, AT(best), NULL, false},
    {"offer", WFI_ARRAY, WEFT_U32, WFI_OF_ALL, AT(offer), parents, false},
    {"is_addressed", WFI_ARRAY, WEFT_U32, WFI_OF_ALL_BITS, AT(is_addressed), NULL, false},
    {"state", WFI_ARRAY, WEFT_U32, WFI_OF_MINE, AT(state), NULL, false},
    {"far", WFI_ARRAY, WEFT_U32, WFI_OF_MINE, AT(far), NULL, false},
    {"kept", WFI_ARRAY, WEFT_U32, WFI_OF_MINE, AT(kept), NULL, false},
};
const wfi_method wfi_sssp_on_ranks = {.arrays = arrays,
                                      .array_count = WFI_LENGTH(arrays),
                                      .state_size = sizeof(sssp_buckets),
                                      .sides = WFI_OUT_ROWS,
                                      .drive = drive,
                                      .brings_weights = true,
                                      .gathered = sizeof(double),
                                      .push = AT(p),
                                      .message = TRIPLES,
                                      .choose = choose,
                                      .more = more};
