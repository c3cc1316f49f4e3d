/* Weak components on ranks.
 * Method: each rank joins the ends of its own arcs in a forest over all vertices.  Forests are then merged in pairs of ranks, of twos, of
 * fours and so on, until the first rank has the whole; it gives every rank the labels of its vertices.
 * Encoding: a forest travels as its labels, or where that is shorter, as pairs (vertex, label) of those that are no roots.
 * Memory: 8 bytes a vertex of the graph on each rank. */
#include "algo/components/forest.h"
#include "ranks/spread.h"

enum { CHUNK = 1 << 12 };

typedef struct merging {
    weft_ctx *ctx;
    wfi_spread *s;
    weft_vid *parent;
    weft_vid *travels; /* n: what goes or comes */
    uint64_t *go, *come;
} merging;

void wfi_components_weak_ranks_lay_out(wfi_workspace *w, const wfi_spread *s, wfi_weak_ranks *a) {
    size_t ranks = (size_t)s->comm->link.size;
    wfi_column(w, "component", WEFT_VERTEX, s->vertices, &a->label);
    wfi_array(w, &a->parent, s->g->n);
    wfi_array(w, &a->travels, s->g->n);
    wfi_array(w, &a->go, ranks + 1);
    wfi_array(w, &a->come, ranks + 1);
}

uint64_t wfi_components_weak_sends(const wfi_spread *s) {
    uint64_t others = s->comm->link.size > 1 ? s->g->n - s->vertices : 0;
    return sizeof(weft_vid) * (s->comm->link.rank ? s->g->n : others);
}

static weft_status join_own_arcs(const merging *m) {
    const wfi_part *p = &m->s->part[0];
    const wfi_rows *rows = &p->out;
    weft_vid n = m->s->g->n, mine = p->end - p->first;
    weft_vid *parent = m->parent;
    _Atomic int stop = 0;
#pragma omp parallel num_threads(wfi_threads_for(m->ctx, m->s->arcs, CHUNK))
    {
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < n; v++) parent[v] = v;
#pragma omp for schedule(dynamic, 1)
        for (weft_vid first = 0; first < mine; first += CHUNK) {
            weft_vid end = mine - first < CHUNK ? mine : first + CHUNK;
            if (wfi_cancelled(m->ctx)) atomic_store(&stop, 1);
            for (weft_vid k = first; k < end && !atomic_load_explicit(&stop, memory_order_relaxed); k++)
                for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++)
                    wfi_join(parent, p->first + k, rows->targets[e]);
        }
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(m->ctx) : WEFT_OK;
}

/* Labels instead of parents; returns how many vertices are no roots. */
static uint64_t flatten(const merging *m) {
    weft_vid n = m->s->g->n, *parent = m->parent;
    uint64_t hung = 0;
    for (weft_vid v = 0; v < n; v++) { /* parents are smaller: theirs are labels already */
        parent[v] = parent[parent[v]];
        hung += parent[v] != v;
    }
    return hung;
}

/* The forests of ranks step, 3 step, 5 step, ... join those of the ranks `step` before them, all at once. */
static weft_status merge(const merging *m, int step) {
    weft_vid n = m->s->g->n, *parent = m->parent, *travels = m->travels;
    wfi_comm *comm = m->s->comm;
    int ranks = comm->link.size, me = comm->link.rank;
    bool gives = me % (2 * step) == step;
    uint64_t count = 0, hung = gives ? flatten(m) : 0;
    bool pairs = 2 * hung < n;
    if (gives && pairs)
        for (weft_vid v = 0; v < n; v++)
            if (parent[v] != v) travels[count++] = v, travels[count++] = parent[v];
    if (gives && !pairs) count = n;
    for (int r = 0; r <= ranks; r++) m->go[r] = gives && r > me - step ? count * sizeof *travels : 0;
    weft_status st = wfi_receive_starts(m->ctx, comm, m->go, m->come);
    if (!st) st = wfi_alltoall(m->ctx, comm, pairs ? travels : parent, m->go, travels, m->come);
    if (st) return st;
    count = m->come[ranks] / sizeof *travels;
    if (count == n && n)
        for (weft_vid v = 0; v < n; v++) wfi_join(parent, v, travels[v]);
    else
        for (uint64_t i = 0; i < count; i += 2) wfi_join(parent, travels[i], travels[i + 1]);
    return WEFT_OK;
}

/* The first rank's labels go to the ranks that have the vertices. */
static weft_status give_labels(const merging *m, weft_vid *label) {
    const wfi_part *p = &m->s->part[0];
    int me = m->s->comm->link.rank, ranks = m->s->comm->link.size;
    for (int r = 0; r <= ranks; r++) {
        m->go[r] = me ? 0 : (uint64_t)p->cut[r] * sizeof *label;
        m->come[r] = r ? (uint64_t)(p->end - p->first) * sizeof *label : 0;
    }
    return wfi_alltoall(m->ctx, m->s->comm, m->parent, m->go, label, m->come);
}

weft_status wfi_components_weak_ranks(weft_ctx *ctx, wfi_spread *s, const wfi_weak_ranks *a, uint64_t *count,
                                      uint64_t *largest) {
    merging m = {ctx, s, a->parent, a->travels, a->go, a->come};
    int ranks = s->comm->link.size, me = s->comm->link.rank;
    uint64_t found[2] = {0, 0};
    weft_status st = wfi_agree(ctx, s->comm, join_own_arcs(&m));
    for (int step = 1; step < ranks && !st; step *= 2) st = merge(&m, step);
    if (!st && !me) flatten(&m);
    if (!st) st = give_labels(&m, a->label);
    if (!st && !me && s->g->n) wfi_components_measure(ctx, m.parent, s->g->n, m.travels, &found[0], &found[1]);
    if (!st) st = wfi_allreduce(ctx, s->comm, found, 2, WFI_SUM);
    *count = found[0];
    *largest = found[1];
    return st;
}
