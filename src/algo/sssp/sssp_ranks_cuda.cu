/* sssp on the GPUs of ranks: the delta-stepping of rank_paths.h.
 * Method: in a bucket each GPU relaxes the arcs of its vertices, worklist after worklist, until none of them falls;
 * then the lengths that it has found for vertices of others go to their owners, one message each.  Minima do not depend
 * on the order of threads.
 * Memory on each GPU: its rows with weights; for each vertex of the graph 28 bytes and a bit, 16 for each of its own,
 * and 12 for each of these and each rank. */
#include "algo/sssp/rank_paths.h"
#include "cuda/launch.cuh"
#include "ranks/device.h"

typedef unsigned long long word;

enum { QUEUED, LEAST, FOUND, COUNTS };
enum { IDLE = 0, NEAR, FAR };          /* where a vertex waits */
enum { ORPHAN = 0, HAS_ONE, ADOPTED }; /* hops: what it has, or was given in this one */

static const uint64_t INFINITE = 0x7ff0000000000000ull; /* the bits of infinity */

/* A search as its kernels see it: all of it on the GPU.  Distances are the bits of doubles, which order like them since
 * none is negative. */
struct wfi_paths_gpu {
    wfi_view out;
    weft_weight_type weight_type;
    weft_vid first; /* of this rank's vertices; row k is that of first + k */
    double bound;   /* of the bucket */
    uint64_t
        *best; /* of each vertex: this rank's have their distance, others the least length that this rank knows of */
    uint32_t *state;        /* of this rank's vertices: where they wait; in hops, what they have */
    weft_vid *near;         /* rows whose arcs are to be relaxed, ... */
    weft_vid *next;         /* ... and those that come near by that */
    uint32_t *is_addressed; /* a bit for each vertex of the graph: it is in `addressed` */
    weft_vid *parent;       /* of this rank's vertices */
    weft_vid *offer;     /* for each vertex of the graph: the smallest that offers itself; WEFT_NO_VERTEX in between */
    weft_vid *addressed; /* vertices of other ranks that get a message, ... */
    uint64_t *addressed_count; /* ... so many */
    uint64_t *counts;          /* COUNTS */
};

namespace {

struct search {
    wfi_rank_paths p; /* first */
    wfi_paths_gpu b;
    wfi_view out[WFI_MOST_BLOCKS];
    wfi_device_messages messages;
    weft_vid *sources, *targets; /* on the GPU */
    uint64_t *best_here;
    uint64_t queued; /* in near */
};

} // namespace

static search *of(wfi_rank_paths *p) { return (search *)p; }

static void lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, const void *given, search *t) {
    const weft_sssp_params *params = (const weft_sssp_params *)given;
    weft_vid n = s->g->n, mine = s->vertices;
    wfi_sssp_columns_lay_out(host, mine, params, &t->p.c);
    wfi_array(host, &t->best_here, n);
    wfi_device_rows_lay_out(device, s, false, true, s->g->weight_type != WEFT_WEIGHT_NONE, t->out);
    wfi_array(device, &t->b.best, n);
    wfi_array(device, &t->b.state, mine);
    wfi_array(device, &t->b.near, mine);
    wfi_array(device, &t->b.next, mine);
    wfi_array(device, &t->b.is_addressed, wfi_device_words(n));
    wfi_array(device, &t->b.parent, mine);
    wfi_array(device, &t->b.offer, n);
    wfi_array(device, &t->b.counts, COUNTS);
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

static weft_status agree(const wfi_rank_paths *p, weft_status mine) { return wfi_device_agree(p->ctx, mine); }

/* A counter, after the kernels before it, if all went well with them. */
static weft_status count(const search *t, weft_status mine, int which, uint64_t *value) {
    return mine ? mine : wfi_device_count(t->p.ctx, t->b.counts + which, which == LEAST ? INFINITE : 0, value);
}

/* --- on the GPU ------------------------------------------------------------------------------- */

__device__ static inline double number(uint64_t bits) { return __longlong_as_double((long long)bits); }
__device__ static inline uint64_t bits_of(double number) { return (uint64_t)__double_as_longlong(number); }

__device__ static inline bool owns(const wfi_paths_gpu &b, weft_vid v) {
    return v >= b.first && v - b.first < b.out.count;
}

/* Row k has a shorter way, and waits where it belongs. */
__device__ static inline void reach(const wfi_paths_gpu &b, weft_vid k, double length, weft_vid *list) {
    uint64_t bits = bits_of(length);
    if (atomicMin((word *)b.best + b.first + k, (word)bits) <= bits) return;
    if (length >= b.bound)
        atomicCAS(b.state + k, (uint32_t)IDLE, (uint32_t)FAR);
    else if (atomicExch(b.state + k, (uint32_t)NEAR) != NEAR)
        list[wfi_claim(b.counts + QUEUED)] = k;
}

/* Along tight arcs of row k from a smaller distance, or to the same: it offers itself as a parent. */
__device__ static inline void offer_row(const wfi_paths_gpu &b, weft_vid k, bool same, unsigned lane, unsigned lanes) {
    weft_vid u = b.first + k;
    double here = number(b.best[u]);
    if (b.best[u] == INFINITE) return;
    wfi_each_arc(b.out, k, lane, lanes, [&](weft_eid e, weft_vid v) {
        double there = number(b.best[v]);
        if (b.best[v] == INFINITE || (same ? here != there : !(here < there))) return;
        if (here + wfi_weight_at(b.weight_type, b.out.weights, e) != there) return;
        if (atomicMin(b.offer + v, u) == WEFT_NO_VERTEX) b.addressed[wfi_claim(b.addressed_count)] = v;
    });
}

/* --- distances -------------------------------------------------------------------------------- */

static weft_status begin(wfi_rank_paths *p, const wfi_sssp_ends *ends) {
    search *t = of(p);
    weft_ctx *ctx = p->ctx;
    weft_vid n = p->s->g->n, *sources = t->sources;
    const uint64_t none[COUNTS] = {0, INFINITE, 0};
    weft_status st = wfi_device_rows_send(ctx, p->s, false, t->out);
    t->b.out = t->out[0];
    t->b.first = p->part->first;
    t->b.weight_type = p->s->g->weight_type;
    t->b.bound = 0;
    wfi_paths_gpu b = t->b;
    if (!st) st = wfi_upload(ctx, b.counts, none, sizeof none);
    if (!st) st = wfi_upload(ctx, sources, ends->sources, ends->source_count * sizeof *sources);
    if (!st) st = wfi_upload(ctx, t->targets, ends->targets, ends->target_count * sizeof *t->targets);
    if (!st) st = wfi_device_fill(ctx, b.state, 0, p->s->vertices * sizeof *b.state);
    if (!st) st = wfi_device_fill(ctx, b.is_addressed, 0, wfi_device_words(n) * sizeof *b.is_addressed);
    if (!st) st = wfi_device_messages_begin(ctx, p->s, &t->messages);
    if (!st) st = wfi_each(ctx, n, [=] __device__(uint64_t v) { b.best[v] = INFINITE; });
    if (!st)
        st = wfi_each(ctx, ends->source_count, [=] __device__(uint64_t i) {
            if (owns(b, sources[i])) reach(b, sources[i] - b.first, 0, b.near);
        });
    return agree(p, st);
}

static weft_status nearest(wfi_rank_paths *p, uint64_t *value) {
    wfi_paths_gpu b = of(p)->b;
    volatile uint64_t *least = b.counts + LEAST;
    weft_status st = wfi_each(p->ctx, b.out.count, [=] __device__(uint64_t k) {
        uint64_t here = b.best[b.first + k];
        if (b.state[k] == FAR && here < *least) atomicMin((word *)b.counts + LEAST, (word)here);
    });
    return agree(p, count(of(p), st, LEAST, value));
}

static weft_status fill(wfi_rank_paths *p) {
    search *t = of(p);
    t->b.bound = p->bound;
    wfi_paths_gpu b = t->b;
    weft_status st = wfi_each(p->ctx, b.out.count, [=] __device__(uint64_t k) {
        if (b.state[k] != FAR || !(number(b.best[b.first + k]) < b.bound)) return;
        b.state[k] = NEAR;
        b.near[wfi_claim(b.counts + QUEUED)] = (weft_vid)k;
    });
    return agree(p, count(t, st, QUEUED, &t->queued));
}

/* The arcs of the first `queued` of near: who comes near is put into `next`, who is another rank's is addressed.
 * Whoever falls while its arcs are relaxed comes near again: so all are idle before the first is. */
static weft_status relax_near(weft_ctx *ctx, wfi_paths_gpu b, uint64_t queued) {
    weft_status st = wfi_each(ctx, queued, [=] __device__(uint64_t i) { b.state[b.near[i]] = IDLE; });
    if (st) return st;
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = b.near[i];
        double distance = number(*(volatile uint64_t *)(b.best + b.first + k));
        wfi_each_arc(b.out, k, lane, lanes, [&](weft_eid e, weft_vid v) {
            double length = distance + wfi_weight_at(b.weight_type, b.out.weights, e);
            if (!(length < number(*(volatile uint64_t *)(b.best + v)))) return;
            if (owns(b, v)) {
                reach(b, v - b.first, length, b.next);
                return;
            }
            uint64_t bits = bits_of(length);
            uint32_t bit = 1u << v % 32;
            if (atomicMin((word *)b.best + v, (word)bits) <= bits) return;
            if (!(atomicOr(b.is_addressed + v / 32, bit) & bit)) b.addressed[wfi_claim(b.addressed_count)] = v;
        });
    });
}

/* Until nothing of this rank's is near. */
static weft_status relax_own(search *t) {
    weft_status st = WEFT_OK;
    while (!st && t->queued && !t->p.stop) {
        weft_vid *done = t->b.near;
        st = count(t, relax_near(t->p.ctx, t->b, t->queued), QUEUED, &t->queued);
        t->b.near = t->b.next;
        t->b.next = done;
        if (wfi_cancelled(t->p.ctx)) t->p.stop = true;
    }
    return st;
}

static weft_status relax(wfi_rank_paths *p, uint64_t *near) {
    search *t = of(p);
    weft_status st = relax_own(t);
    wfi_paths_gpu b = t->b;
    st = wfi_device_messages_deliver(p->ctx, p->s, st, &t->messages, wfi_message_values{b.best, 0, true});
    if (st) return st;
    const uint32_t *received = t->messages.received; /* triples (vertex, length) */
    st = wfi_each(p->ctx, t->messages.delivered,
                  [=] __device__(uint64_t i) { b.is_addressed[b.addressed[i] / 32] = 0; });
    if (!st)
        st = wfi_each(p->ctx, t->messages.received_count, [=] __device__(uint64_t i) {
            const uint32_t *it = received + 3 * i;
            reach(b, it[0] - b.first, number((uint64_t)it[2] << 32 | it[1]), b.near);
        });
    st = count(t, st, QUEUED, &t->queued);
    *near = t->queued;
    return agree(p, st);
}

static weft_status farthest(wfi_rank_paths *p, const wfi_sssp_ends *ends, uint64_t *most) {
    wfi_paths_gpu b = of(p)->b;
    const weft_vid *targets = of(p)->targets;
    weft_status st = wfi_each(p->ctx, ends->target_count, [=] __device__(uint64_t i) {
        if (owns(b, targets[i])) atomicMax((word *)b.counts + FOUND, (word)b.best[targets[i]]);
    });
    return agree(p, count(of(p), st, FOUND, most));
}

static weft_status settle(wfi_rank_paths *p, double beyond) {
    wfi_paths_gpu b = of(p)->b;
    weft_status st = wfi_each(p->ctx, b.out.count, [=] __device__(uint64_t k) {
        if (number(b.best[b.first + k]) > beyond) b.best[b.first + k] = INFINITE;
    });
    if (!st) st = wfi_download(p->ctx, p->c.distance, b.best + b.first, p->s->vertices * sizeof *p->c.distance);
    return agree(p, st);
}

static weft_status share(wfi_rank_paths *p) {
    search *t = of(p);
    return wfi_device_allgather_part(p->ctx, p->s, WEFT_OK, p->part, wfi_staged{t->b.best, t->best_here},
                                     sizeof *t->b.best);
}

/* --- parents ------------------------------------------------------------------------------------- */

/* Offers go to the owners of their vertices: pairs (vertex, parent). */
static weft_status tell_offers(search *t, weft_status mine) {
    t->messages.each = 2 * sizeof(uint32_t);
    return wfi_device_messages_deliver(t->p.ctx, t->p.s, mine, &t->messages,
                                       wfi_message_values{t->b.offer, WEFT_NO_VERTEX, false});
}

/* The smallest; sources are their own; then counts[FOUND] grows by those that are reached and have no parent. */
static weft_status adopt(search *t, uint64_t sources_count) {
    weft_ctx *ctx = t->p.ctx;
    wfi_paths_gpu b = t->b;
    const uint32_t *received = t->messages.received;
    const weft_vid *sources = t->sources;
    weft_status st = wfi_each(ctx, t->messages.received_count, [=] __device__(uint64_t i) {
        atomicMin(b.parent + (received[2 * i] - b.first), received[2 * i + 1]);
    });
    if (!st)
        st = wfi_each(ctx, sources_count, [=] __device__(uint64_t i) {
            if (owns(b, sources[i])) b.parent[sources[i] - b.first] = sources[i];
        });
    if (st) return st;
    return wfi_each(ctx, b.out.count, [=] __device__(uint64_t k) {
        if (b.parent[k] == WEFT_NO_VERTEX && b.best[b.first + k] != INFINITE) wfi_claim(b.counts + FOUND);
    });
}

static weft_status parents(wfi_rank_paths *p, const wfi_sssp_ends *ends, uint64_t *orphans) {
    search *t = of(p);
    wfi_paths_gpu b = t->b;
    weft_status st = wfi_device_fill(p->ctx, b.parent, 0xff, p->s->vertices * sizeof *b.parent);
    if (!st) st = wfi_device_fill(p->ctx, b.offer, 0xff, p->s->g->n * sizeof *b.offer);
    if (!st)
        st = wfi_each_warp(p->ctx, b.out.count, [=] __device__(uint64_t k, unsigned lane, unsigned lanes) {
            offer_row(b, (weft_vid)k, false, lane, lanes);
        });
    st = tell_offers(t, st);
    return st ? st : agree(p, count(t, adopt(t, ends->source_count), FOUND, orphans));
}

/* Whoever has a parent is put into near. */
static weft_status first_hop(search *t) {
    wfi_paths_gpu b = t->b;
    weft_status st = wfi_each(t->p.ctx, b.out.count, [=] __device__(uint64_t k) {
        bool has = b.parent[k] != WEFT_NO_VERTEX;
        b.state[k] = has ? HAS_ONE : ORPHAN;
        if (has) b.near[wfi_claim(b.counts + QUEUED)] = (weft_vid)k;
    });
    return count(t, st, QUEUED, &t->queued);
}

/* Those that had no parent before this hop adopt one, and are put into near. */
static weft_status take_parents(search *t) {
    wfi_paths_gpu b = t->b;
    const uint32_t *received = t->messages.received;
    weft_status st = wfi_each(t->p.ctx, t->messages.received_count, [=] __device__(uint64_t i) {
        weft_vid k = received[2 * i] - b.first;
        uint32_t was = atomicCAS(b.state + k, (uint32_t)ORPHAN, (uint32_t)ADOPTED);
        if (was == HAS_ONE) return;
        if (was == ORPHAN) b.near[wfi_claim(b.counts + QUEUED)] = k;
        atomicMin(b.parent + k, received[2 * i + 1]);
    });
    st = count(t, st, QUEUED, &t->queued);
    return st ? st : wfi_each(t->p.ctx, t->queued, [=] __device__(uint64_t i) { b.state[b.near[i]] = HAS_ONE; });
}

static weft_status hop(wfi_rank_paths *p, bool first, uint64_t *given) {
    search *t = of(p);
    weft_status st = first ? first_hop(t) : WEFT_OK;
    wfi_paths_gpu b = t->b;
    if (!st)
        st = wfi_each_warp(p->ctx, t->queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
            offer_row(b, b.near[i], true, lane, lanes);
        });
    if (!st && wfi_cancelled(p->ctx)) st = wfi_fail_cancelled(p->ctx);
    st = tell_offers(t, st);
    if (st) return st;
    st = take_parents(t);
    *given = t->queued;
    return agree(p, st);
}

static weft_status beyond(wfi_rank_paths *p, uint64_t *found) {
    wfi_paths_gpu b = of(p)->b;
    weft_status st = wfi_each_warp(p->ctx, b.out.count, [=] __device__(uint64_t k, unsigned lane, unsigned lanes) {
        uint64_t here = b.best[b.first + k];
        if (here == INFINITE) return;
        wfi_each_arc(b.out, k, lane, lanes, [&](weft_eid e, weft_vid v) {
            double length = number(here) + wfi_weight_at(b.weight_type, b.out.weights, e);
            if (bits_of(length) == INFINITE && b.best[v] == INFINITE) b.counts[FOUND] = 1;
        });
    });
    return agree(p, count(of(p), st, FOUND, found));
}

static weft_status end(wfi_rank_paths *p) {
    size_t bytes = p->s->vertices * sizeof *p->c.parent;
    return agree(p, wfi_download(p->ctx, p->c.parent, of(p)->b.parent, bytes));
}

weft_status wfi_sssp_ranks_cuda(wfi_job *job) {
    static const wfi_rank_path_steps steps = {begin,  nearest, fill,    relax, NULL,   farthest,
                                              settle, share,   parents, hop,   beyond, end};
    search t = {};
    t.p.ctx = job->ctx;
    t.p.s = job->spread;
    t.p.part = &job->spread->part[0];
    t.p.steps = &steps;
    weft_status st = wfi_open_device(job);
    if (!st) lay_out(job->space, job->device, job->spread, job->params, &t);
    st = wfi_agree(job->ctx, st ? st : job->space->status);
    return st ? st : wfi_rank_paths_run(job, &t.p);
}
