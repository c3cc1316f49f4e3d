/* k-cores on ranks.  Needs: incoming rows of a directed graph.
 * Method: peeling in rounds of rising k, as on one machine (kcore_cpu.c), but a round goes in waves: each rank takes its vertices with no more than
 * k neighbours left, and tells the ranks of their neighbours by how much those fall, until no rank has taken any.
 * Memory: 24 bytes for each vertex of the graph. */
#include "algo/kcore/kcore.h"
#include "graph/neighbours.h"
#include "ranks/tell.h"

typedef struct peel {
    weft_ctx *ctx;
    wfi_spread *s;
    const wfi_part *part;
    const wfi_rows *counts[2], *counted_by[2]; /* as in kcore_cpu.c */
    bool merged;
    uint32_t *core; /* neighbours left, then the core number; of this rank's vertices, by their rows */
    uint8_t *taken;
    weft_vid *queue; /* rows of this rank */
    uint64_t queued;
    uint32_t *falls; /* of each vertex of the graph: by how much, 0 between waves */
    wfi_telling telling;
} peel;

static void lay_out(wfi_workspace *w, const wfi_spread *s, uint64_t k, peel *p) {
    wfi_column(w, "core", WEFT_U32, s->vertices, &p->core);
    wfi_growth(w, k ? sizeof(weft_vid) * (uint64_t)s->g->n : 0); /* members */
    wfi_array(w, &p->taken, s->vertices);
    wfi_array(w, &p->queue, s->vertices);
    wfi_array(w, &p->falls, s->g->n);
    wfi_telling_lay_out(w, s, sizeof(wfi_told), &p->telling);
}

void wfi_kcore_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    (void)ctx;
    choice->method = "peel in waves of rising k";
    choice->space.needs_in = true;
    const weft_kcore_params *p = params;
    bool directed = spread->g->directed, along = !directed || p->mode != WEFT_CORE_OUT;
    bool against = directed && p->mode != WEFT_CORE_IN;
    choice->sends =
        along ? sizeof(wfi_told) * spread->arcs : 0; /* for whom a vertex counts is told of that once, at most */
    if (against) choice->sends_in = sizeof(wfi_told);
    lay_out(&choice->space, spread, p->k, &(peel){0});
}

static void choose_rows(peel *p, weft_core_mode mode) {
    const wfi_rows *out = &p->part->out, *in = p->s->g->directed ? &p->part->in : NULL;
    bool one = in && (mode == WEFT_CORE_IN || mode == WEFT_CORE_OUT);
    p->merged = mode != WEFT_CORE_ALL;
    p->counts[0] = one && mode == WEFT_CORE_IN ? in : out;
    p->counted_by[0] = one && mode == WEFT_CORE_OUT ? in : out;
    p->counts[1] = p->counted_by[1] = one ? NULL : in;
}

static wfi_merger neighbours(const peel *p, const wfi_rows *const rows[2], weft_vid k) {
    return wfi_row_neighbours(rows[0], rows[1], k, p->part->first + k);
}

static void begin(peel *p) {
    for (weft_vid k = 0; k < p->s->vertices; k++) {
        wfi_merger m = neighbours(p, p->counts, k);
        weft_vid u;
        unsigned ways;
        p->core[k] = 0;
        p->taken[k] = 0;
        while (wfi_next_neighbour(&m, &u, &ways)) p->core[k] += p->merged ? 1 : ways;
    }
    for (weft_vid v = 0; v < p->s->g->n; v++) p->falls[v] = 0;
    wfi_telling_begin(p->s, &p->telling);
}

static void take(peel *p, weft_vid k) {
    p->taken[k] = 1;
    p->queue[p->queued++] = k;
}

/* For whom the vertices in the queue counted; the first that falls is said once, with all it falls by. */
static void let_fall(peel *p) {
    for (uint64_t i = 0; i < p->queued; i++) {
        wfi_merger m = neighbours(p, p->counted_by, p->queue[i]);
        weft_vid u;
        unsigned ways;
        while (wfi_next_neighbour(&m, &u, &ways)) {
            wfi_mention(&p->telling, u);
            p->falls[u] += p->merged ? 1 : ways;
        }
    }
    for (uint64_t i = 0; i < p->telling.said; i++) {
        wfi_told *told = wfi_said(&p->telling, i);
        told->number = p->falls[told->vertex];
        p->falls[told->vertex] = 0;
    }
}

/* Falls are heard; who is down at k is taken. */
static void hear(peel *p, uint32_t k) {
    p->queued = 0;
    for (uint64_t i = 0; i < p->telling.heard_count; i++) {
        const wfi_told *told = wfi_heard(&p->telling, i);
        weft_vid at = told->vertex - p->part->first;
        if (p->taken[at]) continue;
        uint32_t left = p->core[at];
        p->core[at] = left - k > told->number ? left - told->number : k; /* left > k, or it had been taken */
        if (p->core[at] == k) take(p, at);
    }
}

/* Waves until nobody takes any. */
static weft_status round_of(peel *p, uint32_t k) {
    p->queued = 0;
    for (weft_vid at = 0; at < p->s->vertices; at++)
        if (!p->taken[at] && p->core[at] == k) take(p, at);
    for (;;) {
        uint64_t all[] = {p->queued, wfi_cancelled(p->ctx)};
        weft_status st = wfi_allreduce(p->ctx, p->s->comm, all, 2, WFI_SUM);
        if (st || !all[0]) return st;
        if (all[1]) return wfi_fail_cancelled(p->ctx);
        let_fall(p);
        st = wfi_tell(p->ctx, p->s, &p->telling);
        if (st) return st;
        hear(p, k);
    }
}

/* The smallest count left among all ranks; false: nothing is left. */
static weft_status next_round(peel *p, uint64_t *k) {
    *k = UINT64_MAX;
    for (weft_vid at = 0; at < p->s->vertices; at++)
        if (!p->taken[at] && p->core[at] < *k) *k = p->core[at];
    return wfi_allreduce(p->ctx, p->s->comm, k, 1, WFI_MIN);
}

/* The members of the k-core, of all ranks on each. */
static weft_status add_members(const wfi_job *job, const peel *p, uint64_t k) {
    wfi_spread *s = p->s;
    int ranks = s->comm->link.size;
    uint64_t mine = 0, sum = 0;
    for (weft_vid at = 0; k && at < s->vertices; at++) mine += p->core[at] >= k;
    weft_status st = wfi_allgather_u64(job->ctx, s->comm, mine, s->start);
    for (int r = 0; r < ranks && !st; r++) {
        uint64_t here = s->start[r];
        s->start[r] = sum * sizeof(weft_vid);
        sum += here;
    }
    s->start[ranks] = sum * sizeof(weft_vid);
    weft_vid *members = st ? NULL : wfi_grow(job->space, (size_t)sum, sizeof *members);
    st = wfi_agree(job->ctx, s->comm, members || st ? st : WEFT_ENOMEM);
    if (st) return st;
    weft_vid *to = members + s->start[s->comm->link.rank] / sizeof *members;
    for (weft_vid at = 0; k && at < s->vertices; at++)
        if (p->core[at] >= k) *to++ = p->part->first + at;
    st = wfi_allgather_figures(job->ctx, s->comm, members, s->start);
    return st ? st : wfi_column_of_grown(job->space, "members", WEFT_VERTEX, (size_t)sum, members);
}

weft_status wfi_kcore_ranks(wfi_job *job) {
    const weft_kcore_params *given = job->params;
    wfi_spread *s = job->spread;
    uint64_t k, degeneracy = 0;
    peel p = {.ctx = job->ctx, .s = s, .part = &s->part[0]};
    choose_rows(&p, given->mode);
    lay_out(job->space, s, given->k, &p);
    weft_status st = wfi_agree(job->ctx, s->comm, job->space->status);
    if (st) return st;
    begin(&p);
    for (st = next_round(&p, &k); !st && k != UINT64_MAX; st = st ? st : next_round(&p, &k)) {
        degeneracy = k;
        st = round_of(&p, (uint32_t)k);
    }
    if (!st) st = add_members(job, &p, given->k);
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "degeneracy", degeneracy);
}
