/* See rank_paths.h.  Distances are the same whatever the order of work (sssp.c); parents follow the rule of
 * sssp_parents.c. */
#include "algo/sssp/rank_paths.h"

#include <math.h>

enum { SAMPLE = 1024 };

/* --- distances --------------------------------------------------------------------------- */

static weft_status empty_bucket(wfi_rank_paths *p) {
    for (;;) {
        uint64_t near = 0;
        weft_status st = p->steps->relax(p, &near);
        uint64_t all[] = {near, p->stop, p->sent > wfi_paths_patience(p->s)};
        if (!st) st = wfi_allreduce(p->ctx, all, 3, WFI_SUM);
        if (st || (!all[0] && !all[1])) return st;
        if (all[1]) return wfi_fail_cancelled(p->ctx);
        if (!all[2] || p->narrow || !p->steps->put_off) continue;
        p->narrow = true;
        p->steps->put_off(p);
        return WEFT_OK;
    }
}

/* The distance of the farthest target, of all ranks; infinity if there is none, or one has no path yet. */
static weft_status farthest_target(wfi_rank_paths *p, const wfi_sssp_ends *ends, double *farthest) {
    uint64_t most = 0;
    *farthest = (double)INFINITY;
    if (!ends->target_count) return WEFT_OK;
    weft_status st = p->steps->farthest(p, ends, &most);
    if (!st) st = wfi_allreduce(p->ctx, &most, 1, WFI_MAX);
    *farthest = wfi_double_of(most);
    return st;
}

/* The bucket of the nearest that waits; false: there is none, or none that matters. */
static weft_status next_bucket(wfi_rank_paths *p, double delta, double beyond, bool *any) {
    uint64_t least = wfi_bits_of((double)INFINITY);
    weft_status st = p->steps->nearest(p, &least);
    if (!st) st = wfi_allreduce(p->ctx, &least, 1, WFI_MIN);
    double nearest = wfi_double_of(least);
    *any = !isinf(nearest) && nearest <= beyond;
    if (st || !*any) return st;
    p->bound = fmax(p->narrow ? nearest : nearest + delta, nextafter(nearest, (double)INFINITY));
    return p->steps->fill(p);
}

/* Ranks meet after each exchange, which costs as much as thousands of arcs: wide buckets, as on a GPU (sssp.c). */
static weft_status choose_delta(const wfi_rank_paths *p, double *delta) {
    const weft_graph *g = p->s->g;
    const wfi_view *rows = &p->part->out;
    weft_eid first = rows->offsets[0], end = rows->offsets[p->s->vertices], step = (end - first) / SAMPLE + 1,
             count = 0;
    double sum = 0, weight = 0, degree = g->n ? fmax((double)g->arcs / (double)g->n, 1) : 1;
    int ranks = p->s->comm->link.size, having = 0;
    for (weft_eid e = first; e < end; e += step, count++)
        sum += fmin(wfi_weight_at(g->weight_type, rows->weights, e), 1e300 / SAMPLE);
    weft_status st = wfi_allgather_u64(p->ctx, wfi_bits_of(count ? sum / (double)count : -1), p->s->start);
    for (int r = 0; r < ranks && !st; r++) {
        double mean = wfi_double_of(p->s->start[r]);
        if (mean >= 0) weight += mean, having++;
    }
    *delta = having ? 500 * (weight / having) / (degree * degree) : 1;
    if (!(*delta > 0)) *delta = 1;
    return st;
}

static weft_status find_distances(wfi_rank_paths *p, const wfi_sssp_ends *ends, double delta, double *beyond) {
    bool any = true;
    weft_status st = p->steps->begin(p, ends);
    if (!st && !(delta > 0)) st = choose_delta(p, &delta);
    *beyond = (double)INFINITY;
    if (!st) st = next_bucket(p, delta, *beyond, &any);
    while (!st && any) {
        st = empty_bucket(p);
        if (!st) st = farthest_target(p, ends, beyond);
        if (!st) st = next_bucket(p, delta, *beyond, &any);
    }
    return st;
}

/* --- parents ------------------------------------------------------------------------------- */

/* Weights of 0: hop by hop from those that have a parent. */
static weft_status find_parents(wfi_rank_paths *p, const wfi_sssp_ends *ends) {
    uint64_t left = 0;
    weft_status st = p->steps->parents(p, ends, &left);
    if (!st) st = wfi_allreduce(p->ctx, &left, 1, WFI_SUM);
    for (bool first = true; !st && left; first = false) {
        st = p->steps->hop(p, first, &left);
        if (!st) st = wfi_allreduce(p->ctx, &left, 1, WFI_SUM);
    }
    return st ? st : p->steps->end(p);
}

/* --------------------------------------------------------------------------------------------- */

/* The first arc of this rank's with a negative weight: of the first rank that has one all are told. */
static weft_status check_weights(const wfi_rank_paths *p) {
    const weft_graph *g = p->s->g;
    bool none = p->part->first == p->part->end; /* then its offsets may not be here */
    if (!wfi_weights_real(g->weight_type)) return WEFT_OK;
    weft_eid e = none ? 0 : g->out.offsets[p->part->first], end = none ? 0 : g->out.offsets[p->part->end];
    while (e < end && !(wfi_weight_at(g->weight_type, g->out.weights, e) < 0)) e++;
    return wfi_agree(p->ctx, e < end ? wfi_refuse_weight(p->ctx, "sssp", g, e) : WEFT_OK);
}

static weft_status measure(wfi_rank_paths *p, double beyond, uint64_t *reached, double *farthest) {
    uint64_t most = 0;
    weft_status st = p->steps->settle(p, beyond);
    *reached = 0;
    for (weft_vid k = 0; k < p->s->vertices && !st; k++) {
        if (isinf(p->c.distance[k])) continue;
        ++*reached;
        most = wfi_max_u64(most, wfi_bits_of(p->c.distance[k]));
    }
    if (!st) st = wfi_allreduce(p->ctx, reached, 1, WFI_SUM);
    if (!st) st = wfi_allreduce(p->ctx, &most, 1, WFI_MAX);
    *farthest = wfi_double_of(most);
    return st;
}

weft_status wfi_rank_paths_run(wfi_job *job, wfi_rank_paths *p) {
    const weft_sssp_params *given = job->params;
    const weft_graph *g = p->s->g;
    double beyond, farthest = 0;
    uint64_t reached = 0, too_far = 0;
    weft_vid one = given->source;
    weft_status st = check_weights(p);
    wfi_sssp_ends ends = {given->sources ? given->sources : &one, given->targets,
                          given->sources ? given->source_count : 1, given->target_count};
    if (!g->n) ends.source_count = 0;
    if (!st) st = find_distances(p, &ends, given->delta, &beyond);
    if (!st) st = measure(p, beyond, &reached, &farthest);
    bool look = g->weight_type == WEFT_WEIGHT_F64 && reached < g->n;
    if (!st && (p->c.parent || look)) st = p->steps->share(p);
    if (!st && p->c.parent) st = find_parents(p, &ends);
    if (!st && look) st = p->steps->beyond(p, &too_far);
    if (!st && look) st = wfi_allreduce(p->ctx, &too_far, 1, WFI_MAX);
    return st ? st : wfi_sssp_scalars(job->ctx, reached, farthest, too_far, job->result);
}
