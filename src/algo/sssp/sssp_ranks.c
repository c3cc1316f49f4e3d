/* sssp on ranks.
 * Method: buckets of distances in rising order.  In a bucket each rank relaxes the arcs of its vertices until none of them falls any more, then tells
 * the ranks of the targets which lengths it has found, each target once; again until nothing is told.  Distances are the same whatever the
 * order of work (sssp.c).  A vertex may be told of again and again.  Once a rank has told PATIENCE times as much as it has arcs and others have vertices, buckets
 * have one distance each, in which nothing falls any more: from then on it tells of each arc once, at the price of many meetings.  Then each rank has all distances, finds the tight arcs of its rows, and tells of parents by the rule of parents.c.
 * Memory: 8 bytes for each vertex of the graph, 24 for what is told. */
#include "algo/sssp/sssp.h"
#include "ranks/tell.h"

#include <math.h>
#include <stdlib.h>

enum { POLL = 1 << 16, SAMPLE = 1024, PATIENCE = 8 };
enum { IDLE = 0, NEAR, FAR }; /* where a vertex waits */

/* A length, or a parent. */
typedef struct said {
    weft_vid vertex;
    uint32_t word[2];
} said;

typedef struct search {
    weft_ctx *ctx;
    wfi_spread *s;
    const wfi_part *part;
    wfi_sssp_columns c; /* of this rank's vertices */
    double *best; /* of each vertex: this rank's have their distance, others the least length that this rank knows of */
    uint8_t *state; /* the rest is of this rank's vertices, by their rows */
    weft_vid *near; /* a ring of those whose arcs are to be relaxed in this bucket */
    weft_vid *far;  /* a list of those of later buckets */
    uint64_t head, near_count, far_count;
    wfi_telling telling;
    double bound;  /* of the bucket */
    uint64_t told; /* lengths, to other ranks or to itself */
    bool narrow;   /* a bucket is one distance */
    uint64_t unpolled;
    bool stop;
} search;

static void lay_out(wfi_workspace *w, const wfi_spread *s, const weft_sssp_params *params, search *b) {
    wfi_sssp_columns_lay_out(w, s->vertices, params, &b->c);
    wfi_array(w, &b->best, s->g->n);
    wfi_array(w, &b->state, s->vertices);
    wfi_array(w, &b->near, s->vertices);
    wfi_array(w, &b->far, s->vertices);
    wfi_telling_lay_out(w, s, sizeof(said), &b->telling);
}

void wfi_sssp_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    uint64_t away = spread->g->n - spread->vertices, arcs = spread->arcs, each = arcs + away;
    (void)ctx;
    choice->method = "buckets, told of";
    /* Lengths until patience ends, in the exchange that ends it, and of each arc once; distances; parents, and those along arcs of weight 0. */
    choice->sends = sizeof(said) * (PATIENCE * each + away + arcs + wfi_min_u64(arcs, away) + arcs) +
                    sizeof(double) * wfi_spread_copies(spread);
    if (spread->comm->link.size == 1) choice->sends = 0;
    lay_out(&choice->space, spread, params, &(search){.ctx = NULL});
}

/* --- the search -------------------------------------------------------------------------- */

/* A vertex of this rank has a shorter way. */
static void reach(search *b, weft_vid k, double length) {
    b->best[b->part->first + k] = length;
    if (length < b->bound && b->state[k] != NEAR) {
        b->state[k] = NEAR;
        b->near[(b->head + b->near_count++) % b->s->vertices] = k;
    } else if (length >= b->bound && b->state[k] == IDLE) {
        b->state[k] = FAR;
        b->far[b->far_count++] = k;
    }
}

static void poll(search *b, uint64_t arcs) {
    b->unpolled += arcs + 1;
    if (b->unpolled < POLL) return;
    b->unpolled = 0;
    if (wfi_cancelled(b->ctx)) b->stop = true;
}

/* The arcs of all that is near, and of what comes near by that. */
static void relax(search *b) {
    const wfi_rows *rows = &b->part->out;
    weft_weight_type type = b->s->g->weight_type;
    while (b->near_count && !b->stop) {
        weft_vid k = b->near[b->head];
        b->head = (b->head + 1) % b->s->vertices;
        b->near_count--;
        b->state[k] = IDLE;
        double distance = b->best[b->part->first + k];
        for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
            weft_vid v = rows->targets[e];
            double length = distance + wfi_weight_at(type, rows->weights, e);
            if (!(length < b->best[v])) continue;
            if (wfi_part_has(b->part, v)) {
                reach(b, v - b->part->first, length);
            } else {
                b->best[v] = length;
                wfi_mention(&b->telling, v);
            }
        }
        poll(b, wfi_degree(rows, k));
    }
}

/* What this rank has found goes to the others; what they have found for its vertices comes. */
static weft_status exchange(search *b) {
    for (uint64_t i = 0; i < b->telling.said; i++) {
        said *it = wfi_said(&b->telling, i);
        memcpy(it->word, &b->best[it->vertex], sizeof it->word);
    }
    b->told += b->telling.said;
    weft_status st = wfi_tell(b->ctx, b->s, &b->telling);
    for (uint64_t i = 0; i < b->telling.heard_count; i++) {
        const said *it = wfi_heard(&b->telling, i);
        double length;
        memcpy(&length, it->word, sizeof length);
        if (length < b->best[it->vertex]) reach(b, it->vertex - b->part->first, length);
    }
    return st;
}

/* What is near waits for a bucket of its distance. */
static void put_off(search *b) {
    uint64_t kept = 0;
    for (uint64_t i = 0; i < b->far_count; i++)
        if (b->state[b->far[i]] == FAR) b->far[kept++] = b->far[i];
    b->far_count = kept;
    for (; b->near_count; b->near_count--, b->head = (b->head + 1) % b->s->vertices) {
        weft_vid k = b->near[b->head];
        b->state[k] = FAR;
        b->far[b->far_count++] = k;
    }
}

static weft_status empty_bucket(search *b) {
    uint64_t most = PATIENCE * (b->s->arcs + (b->s->g->n - b->s->vertices));
    for (;;) {
        relax(b);
        weft_status st = exchange(b);
        uint64_t all[] = {b->near_count, b->stop, b->told > most};
        if (!st) st = wfi_allreduce(b->ctx, b->s->comm, all, 3, WFI_SUM);
        if (st || (!all[0] && !all[1])) return st;
        if (all[1]) return wfi_fail_cancelled(b->ctx);
        if (!all[2] || b->narrow) continue;
        b->narrow = true;
        put_off(b);
        return WEFT_OK;
    }
}

/* The distance of the farthest target, of all ranks; infinity if there is none, or one has no path yet. */
static weft_status farthest_target(const search *b, const wfi_sssp_ends *ends, double *farthest) {
    uint64_t most = 0;
    *farthest = (double)INFINITY;
    if (!ends->target_count) return WEFT_OK;
    for (size_t i = 0; i < ends->target_count; i++)
        if (wfi_part_has(b->part, ends->targets[i])) most = wfi_max_u64(most, wfi_bits_of(b->best[ends->targets[i]]));
    weft_status st = wfi_allreduce(b->ctx, b->s->comm, &most, 1, WFI_MAX);
    *farthest = wfi_double_of(most);
    return st;
}

/* The bucket of the nearest that waits; false: there is none, or none that matters. */
static weft_status next_bucket(search *b, double delta, double beyond, bool *any) {
    uint64_t least = wfi_bits_of((double)INFINITY), kept = 0;
    for (uint64_t i = 0; i < b->far_count; i++)
        if (b->state[b->far[i]] == FAR) least = wfi_min_u64(least, wfi_bits_of(b->best[b->part->first + b->far[i]]));
    weft_status st = wfi_allreduce(b->ctx, b->s->comm, &least, 1, WFI_MIN);
    double nearest = wfi_double_of(least);
    *any = !isinf(nearest) && nearest <= beyond;
    if (st || !*any) return st;
    b->bound = fmax(b->narrow ? nearest : nearest + delta, nextafter(nearest, (double)INFINITY));
    for (uint64_t i = 0, count = b->far_count; i < count; i++) {
        weft_vid k = b->far[i];
        if (b->state[k] != FAR) continue;
        if (b->best[b->part->first + k] < b->bound)
            reach(b, k, b->best[b->part->first + k]);
        else
            b->far[kept++] = k;
    }
    b->far_count = kept;
    return WEFT_OK;
}

/* Ranks meet after each exchange, which costs as much as thousands of arcs: wide buckets, as on a GPU (sssp.c). */
static weft_status choose_delta(const search *b, double *delta) {
    const weft_graph *g = b->s->g;
    const wfi_rows *rows = &b->part->out;
    weft_eid first = rows->offsets[0], end = rows->offsets[b->s->vertices], step = (end - first) / SAMPLE + 1,
             count = 0;
    double sum = 0, weight = 0, degree = g->n ? fmax((double)g->arcs / (double)g->n, 1) : 1;
    int ranks = b->s->comm->link.size, having = 0;
    for (weft_eid e = first; e < end; e += step, count++)
        sum += fmin(wfi_weight_at(g->weight_type, rows->weights, e), 1e300 / SAMPLE);
    weft_status st = wfi_allgather_u64(b->ctx, b->s->comm, wfi_bits_of(count ? sum / (double)count : -1), b->s->start);
    for (int r = 0; r < ranks && !st; r++) {
        double mean = wfi_double_of(b->s->start[r]);
        if (mean >= 0) weight += mean, having++;
    }
    *delta = having ? 500 * (weight / having) / (degree * degree) : 1;
    if (!(*delta > 0)) *delta = 1;
    return st;
}

static weft_status find_distances(search *b, const wfi_sssp_ends *ends, double delta, double *beyond) {
    bool any = true;
    for (weft_vid v = 0; v < b->s->g->n; v++) b->best[v] = (double)INFINITY;
    for (weft_vid k = 0; k < b->s->vertices; k++) b->state[k] = IDLE;
    wfi_telling_begin(b->s, &b->telling);
    for (size_t i = 0; i < ends->source_count; i++)
        if (wfi_part_has(b->part, ends->sources[i])) reach(b, ends->sources[i] - b->part->first, 0);
    weft_status st = delta > 0 ? WEFT_OK : choose_delta(b, &delta);
    *beyond = (double)INFINITY;
    if (!st) st = next_bucket(b, delta, *beyond, &any);
    while (!st && any) {
        st = empty_bucket(b);
        if (!st) st = farthest_target(b, ends, beyond);
        if (!st) st = next_bucket(b, delta, *beyond, &any);
    }
    return st;
}

/* --- parents ------------------------------------------------------------------------------- */

/* Says that u may be the parent of those that tight arcs lead to: from a smaller distance, or from the same.  Vertices come in ascending
 * order, so that the first is the smallest of this rank's. */
static void offer(search *b, weft_vid k, bool same) {
    const wfi_rows *rows = &b->part->out;
    weft_weight_type type = b->s->g->weight_type;
    weft_vid u = b->part->first + k;
    double here = b->best[u];
    if (isinf(here)) return;
    for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
        weft_vid v = rows->targets[e];
        double there = b->best[v];
        if (isinf(there) || (same ? here != there : !(here < there))) continue;
        if (here + wfi_weight_at(type, rows->weights, e) != there || !wfi_mention(&b->telling, v)) continue;
        ((said *)wfi_said(&b->telling, b->telling.said - 1))->word[0] = u;
    }
    poll(b, wfi_degree(rows, k));
}

static weft_status tell_offers(search *b) {
    uint64_t stop = b->stop;
    weft_status st = wfi_tell(b->ctx, b->s, &b->telling);
    if (!st) st = wfi_allreduce(b->ctx, b->s->comm, &stop, 1, WFI_SUM);
    return !st && stop ? wfi_fail_cancelled(b->ctx) : st;
}

static int ascending(const void *a, const void *b) {
    weft_vid x = *(const weft_vid *)a, y = *(const weft_vid *)b;
    return (x > y) - (x < y);
}

/* Weights of 0: hop by hop from those that have a parent.  state: 1 has one, 2 was given one in this hop. */
static weft_status walk_hops(search *b) {
    uint64_t count = 0, all = 1;
    weft_vid *queue = b->near, *parent = b->c.parent;
    weft_status st = WEFT_OK;
    for (weft_vid k = 0; k < b->s->vertices; k++) {
        b->state[k] = parent[k] != WEFT_NO_VERTEX;
        if (b->state[k]) queue[count++] = k;
    }
    while (!st && all) {
        for (uint64_t i = 0; i < count; i++) offer(b, queue[i], true);
        st = tell_offers(b);
        count = 0;
        for (uint64_t i = 0; i < b->telling.heard_count; i++) {
            const said *it = wfi_heard(&b->telling, i);
            weft_vid k = it->vertex - b->part->first;
            if (b->state[k] == 1) continue;
            if (it->word[0] < parent[k]) parent[k] = it->word[0];
            if (b->state[k] == 0) queue[count++] = k;
            b->state[k] = 2;
        }
        for (uint64_t i = 0; i < count; i++) b->state[queue[i]] = 1;
        qsort(queue, (size_t)count, sizeof *queue, ascending);
        all = count;
        if (!st) st = wfi_allreduce(b->ctx, b->s->comm, &all, 1, WFI_SUM);
    }
    return st;
}

static weft_status find_parents(search *b, const wfi_sssp_ends *ends) {
    weft_vid *parent = b->c.parent, first = b->part->first;
    uint64_t orphans = 0;
    for (weft_vid k = 0; k < b->s->vertices; k++) parent[k] = WEFT_NO_VERTEX;
    for (weft_vid k = 0; k < b->s->vertices && !b->stop; k++) offer(b, k, false);
    weft_status st = tell_offers(b);
    for (uint64_t i = 0; i < b->telling.heard_count; i++) {
        const said *it = wfi_heard(&b->telling, i);
        weft_vid *place = &parent[it->vertex - first];
        if (it->word[0] < *place) *place = it->word[0];
    }
    for (size_t i = 0; i < ends->source_count; i++)
        if (wfi_part_has(b->part, ends->sources[i])) parent[ends->sources[i] - first] = ends->sources[i];
    for (weft_vid k = 0; k < b->s->vertices; k++) orphans += parent[k] == WEFT_NO_VERTEX && !isinf(b->best[first + k]);
    if (!st) st = wfi_allreduce(b->ctx, b->s->comm, &orphans, 1, WFI_SUM);
    return !st && orphans ? walk_hops(b) : st;
}

/* --------------------------------------------------------------------------------------------- */

/* The first arc of this rank's with a negative weight: of the first rank that has one all are told. */
static weft_status check_weights(const search *b) {
    const weft_graph *g = b->s->g;
    bool none = b->part->first == b->part->end; /* then its offsets may not be here */
    if (!wfi_weights_real(g->weight_type)) return WEFT_OK;
    weft_eid e = none ? 0 : g->out.offsets[b->part->first], end = none ? 0 : g->out.offsets[b->part->end];
    while (e < end && !(wfi_weight_at(g->weight_type, g->out.weights, e) < 0)) e++;
    return wfi_agree(b->ctx, b->s->comm, e < end ? wfi_refuse_weight(b->ctx, "sssp", g, e) : WEFT_OK);
}

/* Does an arc lead to a vertex that is too far for doubles?  All distances are here. */
static weft_status look_beyond(const search *b, bool *beyond) {
    const wfi_rows *rows = &b->part->out;
    uint64_t found = 0;
    for (weft_vid k = 0; k < b->s->vertices; k++) {
        double here = b->best[b->part->first + k];
        if (isinf(here)) continue;
        for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++)
            found |= isinf(here + ((const double *)rows->weights)[e]) && isinf(b->best[rows->targets[e]]);
    }
    weft_status st = wfi_allreduce(b->ctx, b->s->comm, &found, 1, WFI_MAX);
    *beyond = found;
    return st;
}

/* What lies beyond is not reached; the rest is counted. */
static weft_status measure(search *b, double beyond, uint64_t *reached, double *farthest) {
    uint64_t most = 0;
    *reached = 0;
    for (weft_vid k = 0; k < b->s->vertices; k++) {
        double *d = &b->best[b->part->first + k];
        if (*d > beyond) *d = (double)INFINITY;
        b->c.distance[k] = *d;
        if (isinf(*d)) continue;
        ++*reached;
        most = wfi_max_u64(most, wfi_bits_of(*d));
    }
    weft_status st = wfi_allreduce(b->ctx, b->s->comm, reached, 1, WFI_SUM);
    if (!st) st = wfi_allreduce(b->ctx, b->s->comm, &most, 1, WFI_MAX);
    *farthest = wfi_double_of(most);
    return st;
}

weft_status wfi_sssp_ranks(wfi_job *job) {
    const weft_sssp_params *p = job->params;
    wfi_spread *s = job->spread;
    const weft_graph *g = s->g;
    search b = {.ctx = job->ctx, .s = s, .part = &s->part[0]};
    double beyond, farthest = 0;
    uint64_t reached = 0;
    bool too_far = false;
    weft_vid one = p->source;
    lay_out(job->space, s, p, &b);
    weft_status st = wfi_agree(job->ctx, s->comm, job->space->status);
    if (!st) st = check_weights(&b);
    if (!st && g->n && !p->sources && one == WEFT_NO_VERTEX) st = wfi_spread_busiest(job->ctx, s, &one);
    wfi_sssp_ends ends = {p->sources ? p->sources : &one, p->targets, p->sources ? p->source_count : 1,
                          p->target_count};
    if (!g->n) ends.source_count = 0;
    if (!st) st = find_distances(&b, &ends, p->delta, &beyond);
    if (!st) st = measure(&b, beyond, &reached, &farthest);
    bool look = g->weight_type == WEFT_WEIGHT_F64 && reached < g->n;
    if (!st && (b.c.parent || look)) st = wfi_spread_allgather(job->ctx, s, b.part, b.best, sizeof *b.best);
    if (!st && b.c.parent) st = find_parents(&b, &ends);
    if (!st && look) st = look_beyond(&b, &too_far);
    return st ? st : wfi_sssp_scalars(job->ctx, reached, farthest, too_far, job->result);
}
