/* Coarsening of a component by heavy-edge matching [1].
 * Method: in the order of vertex numbers, each unmatched vertex is matched with the unmatched neighbour of largest
 * weight per mass (the first of equals).  Vertices without such a neighbour are matched with each other if they have
 * the same heaviest neighbour: leaves of a star.  A pair, or a vertex without partner, becomes a vertex of the next
 * graph.  A level is every second graph, since one matching shrinks the graph mostly in one direction, which would
 * stretch the drawing; a level has at most half of the arcs of the level before, so that all levels together have at
 * most as many as the component.  Coarsening ends when a matching removes less than a quarter of the vertices, or when
 * few are left.  Matching is sequential; rows are contracted by all threads.
 * Encoding: CSR rows with the weights of the edges, and the masses of the contracted vertices.
 * [1] Karypis, Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs", SISC 20, 1998. */
#include "algo/layout/layout.h"

#include <omp.h>
#include <string.h>

enum { FEW = 24, ROWS = 1 << 9, POLL = 1 << 14 };

static void lay_out_rows(wfi_workspace *w, uint64_t vertices, uint64_t arcs, wfi_coarse_rows *r) {
    wfi_array_within(w, &r->offsets, vertices + WFI_MOST_LEVELS);
    wfi_array_within(w, &r->targets, arcs);
    wfi_array_within(w, &r->weights, arcs);
    wfi_array_within(w, &r->mass, vertices);
}

void wfi_coarse_lay_out(wfi_workspace *w, const weft_ctx *ctx, weft_vid n, uint64_t arcs, wfi_coarse *c) {
    c->most = n;
    /* Vertices: 9/16 + 81/256 + ... = 9/7; the last level has up to 3/4 of the one before.  Arcs: 1/2 + 1/4 + ... = 1,
     * plus the last level. */
    c->vertex_capacity = 2 * (uint64_t)n;
    c->arc_capacity = 2 * arcs;
    lay_out_rows(w, c->vertex_capacity, c->arc_capacity, &c->kept);
    for (int i = 0; i < 2; i++) lay_out_rows(w, n, arcs, &c->between[i]);
    wfi_array_within(w, &c->parent, c->vertex_capacity + n);
    wfi_array_within(w, &c->mate, n);
    wfi_array_within(w, &c->first, n);
    wfi_array_within(w, &c->next, n);
    wfi_array_within(w, &c->mark, (uint64_t)wfi_threads(ctx) * n);
}

static inline float weight_of(const wfi_level *l, weft_eid e) { return l->weights ? l->weights[e] : 1; }
static inline float mass_of(const wfi_level *l, weft_vid v) { return l->mass ? l->mass[v] : 1; }

/* The neighbour of largest weight per mass, among unmatched neighbours only (alone) or all; WEFT_NO_VERTEX: none. */
static weft_vid heaviest(const wfi_level *l, weft_vid v, const weft_vid *mate, bool alone) {
    weft_vid best = WEFT_NO_VERTEX;
    float most = 0;
    for (weft_eid e = l->offsets[v]; e < l->offsets[v + 1]; e++) {
        weft_vid u = l->targets[e];
        if (alone && mate[u] != WEFT_NO_VERTEX) continue;
        float by = weight_of(l, e) / mass_of(l, u);
        if (by <= most) continue;
        most = by;
        best = u;
    }
    return best;
}

static void join(weft_vid *mate, weft_vid u, weft_vid v) {
    mate[u] = v;
    mate[v] = u;
}

/* mate[v] = the partner of v, or v itself.  waiting: scratch. */
static weft_status pair_up(weft_ctx *ctx, const wfi_level *l, weft_vid *mate, weft_vid *waiting) {
    memset(mate, 0xff, l->n * sizeof *mate);
    memset(waiting, 0xff, l->n * sizeof *waiting);
    for (weft_vid v = 0; v < l->n; v++) {
        if (v % POLL == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (mate[v] != WEFT_NO_VERTEX) continue;
        weft_vid u = heaviest(l, v, mate, true);
        if (u != WEFT_NO_VERTEX) join(mate, u, v);
    }
    for (weft_vid v = 0; v < l->n; v++) {
        if (v % POLL == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (mate[v] != WEFT_NO_VERTEX) continue;
        weft_vid hub = heaviest(l, v, mate, false), other = waiting[hub];
        mate[v] = v;
        if (other != WEFT_NO_VERTEX) join(mate, other, v);
        waiting[hub] = other == WEFT_NO_VERTEX ? v : WEFT_NO_VERTEX;
    }
    return WEFT_OK;
}

/* Numbers the pairs in the order of their smaller members. */
static weft_vid number_pairs(const wfi_level *l, const weft_vid *mate, weft_vid *parent, weft_vid *first) {
    weft_vid count = 0;
    for (weft_vid v = 0; v < l->n; v++) {
        parent[v] = mate[v] < v ? parent[mate[v]] : count;
        if (mate[v] >= v) first[count++] = v;
    }
    return count;
}

/* Counts the row of pair c, or writes it to targets and weights.  mark[t]: position of target t in the row, if
 * present. */
static weft_eid make_row(const wfi_level *l, const wfi_coarse *coarse, weft_vid c, weft_vid *mark, weft_vid *targets,
                         float *weights) {
    weft_vid v = coarse->first[c], member[2] = {v, coarse->mate[v]};
    weft_eid count = 0;
    for (int k = 0; k < (member[1] == v ? 1 : 2); k++) {
        for (weft_eid e = l->offsets[member[k]]; e < l->offsets[member[k] + 1]; e++) {
            weft_vid t = coarse->next[l->targets[e]];
            if (t == c) continue;
            if (!targets) {
                count += mark[t] != c;
                mark[t] = c;
            } else if (mark[t] < count && targets[mark[t]] == t) {
                weights[mark[t]] += weight_of(l, e);
            } else {
                mark[t] = (weft_vid)count;
                targets[count] = t;
                weights[count++] = weight_of(l, e);
            }
        }
    }
    return count;
}

/* Two calls over the rows: one counts them into the offsets, one writes them. */
static weft_status make_rows(weft_ctx *ctx, const wfi_level *l, const wfi_coarse *coarse, weft_vid n,
                             wfi_coarse_rows to) {
    weft_eid *offsets = to.offsets;
    weft_vid *targets = to.targets; /* NULL: count only */
#pragma omp parallel num_threads(wfi_threads_for(ctx, n, ROWS))
    {
        weft_vid *mark = coarse->mark + (size_t)omp_get_thread_num() * coarse->most;
        memset(mark, 0xff, n * sizeof *mark);
#pragma omp for schedule(dynamic, 1)
        for (weft_vid from = 0; from < n; from += ROWS) {
            weft_vid end = n - from < ROWS ? n : from + ROWS;
            if (wfi_cancelled(ctx)) continue;
            for (weft_vid c = from; c < end; c++) {
                weft_eid at = targets ? offsets[c] : 0;
                weft_eid count =
                    make_row(l, coarse, c, mark, targets ? targets + at : NULL, targets ? to.weights + at : NULL);
                if (!targets) offsets[c] = count;
            }
        }
    }
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

static weft_eid arcs_of(const wfi_level *l) { return l->offsets[l->n] - l->offsets[0]; }

/* Contracts the pairs of l into `to`; pairs->n is 0 if too many pairs are left. */
static weft_status collapse(weft_ctx *ctx, const wfi_coarse *c, const wfi_level *l, const wfi_coarse_rows *to,
                            wfi_level *pairs) {
    *pairs = (wfi_level){.n = 0};
    weft_status st = pair_up(ctx, l, c->mate, c->first);
    if (st) return st;
    weft_vid n = number_pairs(l, c->mate, c->next, c->first);
    if (n > l->n - l->n / 4) return WEFT_OK;
    for (weft_vid i = 0; i < n; i++) {
        weft_vid v = c->first[i], u = c->mate[v];
        to->mass[i] = mass_of(l, v) + (u == v ? 0 : mass_of(l, u));
    }
    st = make_rows(ctx, l, c, n, (wfi_coarse_rows){.offsets = to->offsets});
    if (st) return st;
    wfi_exclusive_scan(ctx, to->offsets, n);
    *pairs = (wfi_level){n, to->offsets, to->targets, to->weights, to->mass, NULL};
    return make_rows(ctx, l, c, n, *to);
}

/* Elements used by the levels so far, of the arrays shared by all levels. */
typedef struct used {
    uint64_t vertices, arcs, parents, offsets;
} used;

static void keep(const wfi_coarse *c, used *t, const wfi_level *from, wfi_level *to) {
    weft_eid *offsets = c->kept.offsets + t->offsets;
    weft_vid *targets = c->kept.targets + t->arcs;
    float *weights = c->kept.weights + t->arcs, *mass = c->kept.mass + t->vertices;
    memcpy(offsets, from->offsets, ((size_t)from->n + 1) * sizeof *offsets);
    memcpy(targets, from->targets, arcs_of(from) * sizeof *targets);
    memcpy(weights, from->weights, arcs_of(from) * sizeof *weights);
    memcpy(mass, from->mass, from->n * sizeof *mass);
    *to = (wfi_level){from->n, offsets, targets, weights, mass, NULL};
    t->vertices += from->n;
    t->offsets += (uint64_t)from->n + 1;
    t->arcs += arcs_of(from);
}

/* The level after l; next->n is 0 if there is none. */
static weft_status next_level(weft_ctx *ctx, const wfi_coarse *c, used *t, wfi_level *l, wfi_level *next) {
    wfi_level now = *l, pairs;
    weft_vid *parent = c->parent + t->parents;
    int times = 0;
    *next = (wfi_level){.n = 0};
    while (now.n > FEW && (times % 2 || times == 0 || arcs_of(&now) > arcs_of(l) / 2)) {
        weft_status st = collapse(ctx, c, &now, &c->between[times % 2], &pairs);
        if (st) return st;
        if (!pairs.n) break;
        for (weft_vid v = 0; v < l->n; v++) parent[v] = c->next[times ? parent[v] : v];
        now = pairs;
        times++;
    }
    if (!times || now.n > c->vertex_capacity - t->vertices || arcs_of(&now) > c->arc_capacity - t->arcs) return WEFT_OK;
    l->parent = parent;
    t->parents += l->n;
    keep(c, t, &now, next);
    return WEFT_OK;
}

weft_status wfi_coarsen(weft_ctx *ctx, const wfi_coarse *c, wfi_level level[WFI_MOST_LEVELS], int *count) {
    used t = {0, 0, 0, 0};
    weft_status st = WEFT_OK;
    for (*count = 1; !st && *count < WFI_MOST_LEVELS; ++*count) {
        st = next_level(ctx, c, &t, &level[*count - 1], &level[*count]);
        if (!level[*count].n) break;
    }
    return st;
}
