/* See rank_rounds.h. */
#include "algo/kcore/rank_rounds.h"
#include "ranks/messages.h"

wfi_core_sides wfi_core_sides_of(const weft_graph *g, weft_core_mode mode) {
    wfi_core_side out = WFI_CORE_SIDE_OUT, in = WFI_CORE_SIDE_IN, none = WFI_CORE_SIDE_NONE;
    bool one = g->directed && (mode == WEFT_CORE_IN || mode == WEFT_CORE_OUT);
    wfi_core_side second = one || !g->directed ? none : in;
    return (wfi_core_sides){.counts = {one && mode == WEFT_CORE_IN ? in : out, second},
                            .counted_by = {one && mode == WEFT_CORE_OUT ? in : out, second},
                            .merged = mode != WEFT_CORE_ALL};
}

void wfi_rank_rounds_lay_out(wfi_workspace *host, const wfi_spread *s, uint64_t k, wfi_rank_rounds *p) {
    wfi_column(host, "core", WEFT_U32, s->vertices, &p->core);
    wfi_growth(host, k ? sizeof(weft_vid) * (uint64_t)s->g->n : 0); /* members */
}

void wfi_rank_rounds_plan(const wfi_spread *s, weft_core_mode mode, wfi_choice *choice) {
    bool directed = s->g->directed;
    choice->method = "peel in waves of rising k";
    choice->space.needs_in = true;
    /* A vertex decrements each neighbour once, at most. */
    if (!directed || mode != WEFT_CORE_OUT) choice->sends = sizeof(wfi_message) * s->arcs;
    if (directed && mode != WEFT_CORE_IN) choice->sends_in = sizeof(wfi_message);
}

/* Waves until nobody takes any. */
static weft_status round_of(wfi_rank_rounds *p, uint32_t k) {
    uint64_t queued = 0;
    weft_status st = p->steps->take(p, k, &queued);
    while (!st) {
        uint64_t all[] = {queued, wfi_cancelled(p->ctx)};
        st = wfi_allreduce(p->ctx, all, 2, WFI_SUM);
        if (st || !all[0]) return st;
        if (all[1]) return wfi_fail_cancelled(p->ctx);
        st = p->steps->wave(p, k, &queued);
    }
    return st;
}

/* The smallest count left among all ranks; UINT64_MAX: nothing is left. */
static weft_status next_round(wfi_rank_rounds *p, uint64_t *k) {
    *k = UINT64_MAX;
    weft_status st = p->steps->lowest(p, k);
    return st ? st : wfi_allreduce(p->ctx, k, 1, WFI_MIN);
}

/* The members of the k-core, of all ranks on each. */
static weft_status add_members(const wfi_job *job, const wfi_rank_rounds *p, uint64_t k) {
    wfi_spread *s = p->s;
    int ranks = s->comm->link.size;
    uint64_t mine = 0, sum = 0;
    for (weft_vid at = 0; k && at < s->vertices; at++) mine += p->core[at] >= k;
    weft_status st = wfi_allgather_u64(job->ctx, mine, s->start);
    for (int r = 0; r < ranks && !st; r++) {
        uint64_t here = s->start[r];
        s->start[r] = sum * sizeof(weft_vid);
        sum += here;
    }
    s->start[ranks] = sum * sizeof(weft_vid);
    weft_vid *members = st ? NULL : wfi_grow(job->space, (size_t)sum, sizeof *members);
    st = wfi_agree(job->ctx, members || st ? st : WEFT_ENOMEM);
    if (st) return st;
    weft_vid *to = members + s->start[s->comm->link.rank] / sizeof *members;
    for (weft_vid at = 0; k && at < s->vertices; at++)
        if (p->core[at] >= k) *to++ = p->part->first + at;
    st = wfi_allgather_figures(job->ctx, members, s->start);
    return st ? st : wfi_column_of_grown(job->space, "members", WEFT_VERTEX, (size_t)sum, members);
}

weft_status wfi_rank_rounds_run(wfi_job *job, wfi_rank_rounds *p) {
    uint64_t k = UINT64_MAX, degeneracy = 0;
    weft_status st = p->steps->begin(p);
    if (!st) st = next_round(p, &k);
    while (!st && k != UINT64_MAX) {
        degeneracy = k;
        st = round_of(p, (uint32_t)k);
        if (!st) st = next_round(p, &k);
    }
    if (!st) st = p->steps->end(p);
    if (!st) st = add_members(job, p, ((const weft_kcore_params *)job->params)->k);
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "degeneracy", degeneracy);
}
