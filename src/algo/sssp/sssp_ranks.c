/* sssp on ranks.
 * Method: buckets of distances in rising order.  In a bucket each rank relaxes the arcs of its vertices until none of
 * them falls any more, then tells the ranks of the targets which lengths it has found, each target once; again until
 * nothing is told.  Distances are the same whatever the order of work (sssp.c).  Then each rank has all distances,
 * finds the tight arcs of its rows, and tells of parents by the rule of sssp_parents.c.  The order of buckets and hops
 * is rank_paths.c's.
 * Memory: 8 bytes for each vertex of the graph, 24 for what is told. */
#include "algo/sssp/rank_paths.h"
#include "core/scan.h"
#include "ranks/messages.h"

#include <math.h>
#include <stdlib.h>

enum { POLL = 1 << 16 };
enum { IDLE = 0, NEAR, FAR }; /* where a vertex waits */

/* A length, or a parent. */
typedef struct message {
    weft_vid vertex;
    uint32_t word[2];
} message;

typedef struct search {
    wfi_rank_paths p; /* first */
    double *best; /* of each vertex: this rank's have their distance, others the least length that this rank knows of */
    uint8_t *state; /* the rest is of this rank's vertices, by their rows */
    weft_vid *near; /* a ring of those whose arcs are to be relaxed in this bucket */
    weft_vid *far;  /* a list of those of later buckets */
    uint64_t head, near_count, far_count;
    wfi_messages messages;
    uint64_t unpolled;
    uint64_t queued; /* hops: in `near` */
} search;

static search *of(wfi_rank_paths *p) { return (search *)p; }

static void lay_out(wfi_workspace *w, const wfi_spread *s, const weft_sssp_params *params, search *b) {
    wfi_sssp_columns_lay_out(w, s->vertices, params, &b->p.c);
    wfi_array(w, &b->best, s->g->n);
    wfi_array(w, &b->state, s->vertices);
    wfi_array(w, &b->near, s->vertices);
    wfi_array(w, &b->far, s->vertices);
    wfi_messages_lay_out(w, s, sizeof(message), &b->messages);
}

void wfi_sssp_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    uint64_t away = spread->g->n - spread->vertices, arcs = spread->arcs;
    (void)ctx;
    choice->method = "buckets, by messages";
    /* Lengths until patience ends, in the exchange that ends it, and of each arc once; distances; parents, and those
     * along arcs of weight 0. */
    choice->sends = sizeof(message) * (wfi_paths_patience(spread) + away + arcs + wfi_min_u64(arcs, away) + arcs) +
                    sizeof(double) * wfi_spread_copies(spread);
    if (spread->comm->link.size == 1) choice->sends = 0;
    lay_out(&choice->space, spread, params, &(search){.best = NULL});
}

/* --- the search -------------------------------------------------------------------------- */

/* A vertex of this rank has a shorter way. */
static void reach(search *b, weft_vid k, double length) {
    b->best[b->p.part->first + k] = length;
    if (length < b->p.bound && b->state[k] != NEAR) {
        b->state[k] = NEAR;
        b->near[(b->head + b->near_count++) % b->p.s->vertices] = k;
    } else if (length >= b->p.bound && b->state[k] == IDLE) {
        b->state[k] = FAR;
        b->far[b->far_count++] = k;
    }
}

static void poll(search *b, uint64_t arcs) {
    b->unpolled += arcs + 1;
    if (b->unpolled < POLL) return;
    b->unpolled = 0;
    if (wfi_cancelled(b->p.ctx)) b->p.stop = true;
}

/* The arcs of all that is near, and of what comes near by that. */
static void relax(search *b) {
    const wfi_view *rows = &b->p.part->out;
    weft_weight_type type = b->p.s->g->weight_type;
    while (b->near_count && !b->p.stop) {
        weft_vid k = b->near[b->head];
        b->head = (b->head + 1) % b->p.s->vertices;
        b->near_count--;
        b->state[k] = IDLE;
        double distance = b->best[b->p.part->first + k];
        for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
            weft_vid v = rows->targets[e];
            double length = distance + wfi_weight_at(type, rows->weights, e);
            if (!(length < b->best[v])) continue;
            if (wfi_part_has(b->p.part, v)) {
                reach(b, v - b->p.part->first, length);
            } else {
                b->best[v] = length;
                wfi_address(&b->messages, v);
            }
        }
        poll(b, wfi_degree(rows, k));
    }
}

/* What this rank has found goes to the others; what they have found for its vertices comes. */
static weft_status exchange(search *b) {
    for (uint64_t i = 0; i < b->messages.send_count; i++) {
        message *it = wfi_to_send(&b->messages, i);
        memcpy(it->word, &b->best[it->vertex], sizeof it->word);
    }
    b->p.sent += b->messages.send_count;
    weft_status st = wfi_messages_deliver(b->p.ctx, b->p.s, &b->messages);
    for (uint64_t i = 0; i < b->messages.received_count; i++) {
        const message *it = wfi_received(&b->messages, i);
        double length;
        memcpy(&length, it->word, sizeof length);
        if (length < b->best[it->vertex]) reach(b, it->vertex - b->p.part->first, length);
    }
    return st;
}

static weft_status relax_bucket(wfi_rank_paths *p, uint64_t *near) {
    search *b = of(p);
    relax(b);
    weft_status st = exchange(b);
    *near = b->near_count;
    return st;
}

static void put_off(wfi_rank_paths *p) {
    search *b = of(p);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < b->far_count; i++)
        if (b->state[b->far[i]] == FAR) b->far[kept++] = b->far[i];
    b->far_count = kept;
    for (; b->near_count; b->near_count--, b->head = (b->head + 1) % p->s->vertices) {
        weft_vid k = b->near[b->head];
        b->state[k] = FAR;
        b->far[b->far_count++] = k;
    }
}

static weft_status farthest(wfi_rank_paths *p, const wfi_sssp_ends *ends, uint64_t *most) {
    const double *best = of(p)->best;
    for (size_t i = 0; i < ends->target_count; i++)
        if (wfi_part_has(p->part, ends->targets[i])) *most = wfi_max_u64(*most, wfi_bits_of(best[ends->targets[i]]));
    return WEFT_OK;
}

static weft_status nearest(wfi_rank_paths *p, uint64_t *least) {
    const search *b = of(p);
    for (uint64_t i = 0; i < b->far_count; i++)
        if (b->state[b->far[i]] == FAR) *least = wfi_min_u64(*least, wfi_bits_of(b->best[p->part->first + b->far[i]]));
    return WEFT_OK;
}

static weft_status fill(wfi_rank_paths *p) {
    search *b = of(p);
    uint64_t kept = 0;
    for (uint64_t i = 0, count = b->far_count; i < count; i++) {
        weft_vid k = b->far[i];
        if (b->state[k] != FAR) continue;
        if (b->best[p->part->first + k] < p->bound)
            reach(b, k, b->best[p->part->first + k]);
        else
            b->far[kept++] = k;
    }
    b->far_count = kept;
    return WEFT_OK;
}

static weft_status begin(wfi_rank_paths *p, const wfi_sssp_ends *ends) {
    search *b = of(p);
    for (weft_vid v = 0; v < p->s->g->n; v++) b->best[v] = (double)INFINITY;
    for (weft_vid k = 0; k < p->s->vertices; k++) b->state[k] = IDLE;
    wfi_messages_begin(p->s, &b->messages);
    for (size_t i = 0; i < ends->source_count; i++)
        if (wfi_part_has(p->part, ends->sources[i])) reach(b, ends->sources[i] - p->part->first, 0);
    return WEFT_OK;
}

static weft_status settle(wfi_rank_paths *p, double beyond) {
    for (weft_vid k = 0; k < p->s->vertices; k++) {
        double *d = &of(p)->best[p->part->first + k];
        if (*d > beyond) *d = (double)INFINITY;
        p->c.distance[k] = *d;
    }
    return WEFT_OK;
}

static weft_status share(wfi_rank_paths *p) {
    return wfi_spread_allgather(p->ctx, p->s, p->part, of(p)->best, sizeof *of(p)->best);
}

/* --- parents ------------------------------------------------------------------------------- */

/* Says that u may be the parent of those that tight arcs lead to: from a smaller distance, or from the same.  Vertices
 * come in ascending order, so that the first is the smallest of this rank's. */
static void offer(search *b, weft_vid k, bool same) {
    const wfi_view *rows = &b->p.part->out;
    weft_weight_type type = b->p.s->g->weight_type;
    weft_vid u = b->p.part->first + k;
    double here = b->best[u];
    if (isinf(here)) return;
    for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
        weft_vid v = rows->targets[e];
        double there = b->best[v];
        if (isinf(there) || (same ? here != there : !(here < there))) continue;
        if (here + wfi_weight_at(type, rows->weights, e) != there || !wfi_address(&b->messages, v)) continue;
        ((message *)wfi_to_send(&b->messages, b->messages.send_count - 1))->word[0] = u;
    }
    poll(b, wfi_degree(rows, k));
}

static weft_status tell_offers(search *b) {
    uint64_t stop = b->p.stop;
    weft_status st = wfi_messages_deliver(b->p.ctx, b->p.s, &b->messages);
    if (!st) st = wfi_allreduce(b->p.ctx, &stop, 1, WFI_SUM);
    return !st && stop ? wfi_fail_cancelled(b->p.ctx) : st;
}

/* state: 1 has a parent, 2 was given one in this hop. */
static weft_status hop(wfi_rank_paths *p, bool first, uint64_t *given) {
    search *b = of(p);
    weft_vid *queue = b->near, *parent = p->c.parent;
    if (first) b->queued = 0;
    for (weft_vid k = 0; first && k < p->s->vertices; k++) {
        b->state[k] = parent[k] != WEFT_NO_VERTEX;
        if (b->state[k]) queue[b->queued++] = k;
    }
    for (uint64_t i = 0; i < b->queued; i++) offer(b, queue[i], true);
    weft_status st = tell_offers(b);
    b->queued = 0;
    for (uint64_t i = 0; i < b->messages.received_count; i++) {
        const message *it = wfi_received(&b->messages, i);
        weft_vid k = it->vertex - p->part->first;
        if (b->state[k] == 1) continue;
        if (it->word[0] < parent[k]) parent[k] = it->word[0];
        if (b->state[k] == 0) queue[b->queued++] = k;
        b->state[k] = 2;
    }
    for (uint64_t i = 0; i < b->queued; i++) b->state[queue[i]] = 1;
    qsort(queue, (size_t)b->queued, sizeof *queue, wfi_by_u32);
    *given = b->queued;
    return st;
}

static weft_status parents(wfi_rank_paths *p, const wfi_sssp_ends *ends, uint64_t *orphans) {
    search *b = of(p);
    weft_vid *parent = p->c.parent, first = p->part->first;
    for (weft_vid k = 0; k < p->s->vertices; k++) parent[k] = WEFT_NO_VERTEX;
    for (weft_vid k = 0; k < p->s->vertices && !p->stop; k++) offer(b, k, false);
    weft_status st = tell_offers(b);
    for (uint64_t i = 0; i < b->messages.received_count; i++) {
        const message *it = wfi_received(&b->messages, i);
        weft_vid *place = &parent[it->vertex - first];
        if (it->word[0] < *place) *place = it->word[0];
    }
    for (size_t i = 0; i < ends->source_count; i++)
        if (wfi_part_has(p->part, ends->sources[i])) parent[ends->sources[i] - first] = ends->sources[i];
    for (weft_vid k = 0; k < p->s->vertices; k++) *orphans += parent[k] == WEFT_NO_VERTEX && !isinf(b->best[first + k]);
    return st;
}

/* --------------------------------------------------------------------------------------------- */

static weft_status look_beyond(wfi_rank_paths *p, uint64_t *found) {
    const wfi_view *rows = &p->part->out;
    const double *best = of(p)->best;
    for (weft_vid k = 0; k < p->s->vertices; k++) {
        double here = best[p->part->first + k];
        if (isinf(here)) continue;
        for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++)
            *found |= isinf(here + ((const double *)rows->weights)[e]) && isinf(best[rows->targets[e]]);
    }
    return WEFT_OK;
}

static weft_status end(wfi_rank_paths *p) {
    (void)p; /* parents are found in their column */
    return WEFT_OK;
}

weft_status wfi_sssp_ranks(wfi_job *job) {
    static const wfi_rank_path_steps steps = {begin,  nearest, fill,    relax_bucket, put_off,     farthest,
                                              settle, share,   parents, hop,          look_beyond, end};
    wfi_spread *s = job->spread;
    search b = {.p = {.ctx = job->ctx, .s = s, .part = &s->part[0], .steps = &steps}};
    lay_out(job->space, s, job->params, &b);
    weft_status st = wfi_agree(job->ctx, job->space->status);
    return st ? st : wfi_rank_paths_run(job, &b.p);
}
