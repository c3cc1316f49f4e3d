/* See triangles.h.
 * Method: the forward algorithm on degree-ordered rows.  As on one machine (engines/triangles/oriented.h), every edge
 * leads to its end of higher degree, ties by vertex, so that a triangle u, v, w is met once, from its lowest corner u,
 * and no row is longer than sqrt(2 edges).  A rank has the forward rows of its vertices u, and the same edges grouped
 * by their targets v.  Row v, its own or fetched from its owner, is marked, and each row u with an edge to v is looked
 * up in the marks.  Sums are added up for all vertices of the graph, and then over all ranks.
 * Memory: 21 bytes for each vertex of the graph and one for each thread, 8 to 10 for each of this rank's edges. */
#include "ranks/triangles.h"
#include "engines/triangles/oriented.h"
#include "graph/rows.h"

#include <omp.h>
#include <string.h>

enum { SHARE = 1 << 13, WANTS = 1 << 14, ROOM = 1 << 22 };

typedef struct counting {
    weft_ctx *ctx;
    const wfi_spread *s;
    const wfi_part *part;
    wfi_triangle_rule rule;
    wfi_rank_triangles *c;
    wfi_forward e; /* grown */
    uint64_t found;
    bool stop;
} counting;

void wfi_rank_triangles_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_spread *s, wfi_triangle_rule rule,
                                wfi_rank_triangles *c) {
    const weft_graph *g = s->g;
    bool arcs = rule != WFI_TRIANGLE_ONE;
    uint64_t ranks = (uint64_t)s->comm->link.size, edges = wfi_oriented_most(g),
             longest = wfi_oriented_longest(g->n, edges);
    uint64_t most = wfi_min_u64(edges, longest * s->vertices),
             capacity = wfi_max_u64(wfi_min_u64(ROOM, edges) / ranks, longest);
    c->threads = wfi_threads_for(ctx, g->arcs / ranks, SHARE);
    wfi_array(w, &c->degree, g->n);
    wfi_array(w, &c->sums, g->n);
    wfi_array(w, &c->group, (uint64_t)g->n + 1);
    wfi_array(w, &c->offsets, (uint64_t)s->vertices + 1);
    wfi_array(w, &c->marks, c->gpu ? 0 : (uint64_t)g->n * (uint64_t)c->threads);
    c->reciprocal = NULL;
    if (arcs) wfi_array(w, &c->reciprocal, s->vertices);
    wfi_array(w, &c->want, wfi_min_u64(WANTS, g->n));
    c->fetch.wants = wfi_min_u64(WANTS, g->n);
    c->fetch.capacity = capacity;
    c->fetch.with_beside = arcs;
    c->fetch.all_ask = true;
    wfi_fetch_lay_out(w, s, &c->fetch);
    wfi_growth(w, most * sizeof(weft_vid));
    wfi_growth(w, most * sizeof(weft_vid));
    if (arcs) wfi_growth(w, most);
    if (arcs) wfi_growth(w, most);
    if (c->gpu) c->gpu->lay_out(c->gpu, s, rule, c);
}

uint64_t wfi_rank_triangles_sends(const wfi_spread *s, wfi_triangle_rule rule, const wfi_rank_triangles *c) {
    const weft_graph *g = s->g;
    uint64_t others = (uint64_t)s->comm->link.size - 1, edges = wfi_oriented_most(g), away = g->n - s->vertices;
    uint64_t mine = wfi_min_u64(g->directed ? edges : s->arcs, wfi_oriented_longest(g->n, edges) * s->vertices);
    uint64_t asks = wfi_fetch_questions(&c->fetch, away, edges, 1),
             asked = wfi_fetch_questions(&c->fetch, s->vertices, edges, 1);
    if (!others) return 0;
    return sizeof *c->degree * wfi_spread_copies(s) + sizeof *c->sums * away + WFI_FETCH_ASK * asks +
           others * (WFI_FETCH_ANSWER * asked + (sizeof(weft_vid) + (rule != WFI_TRIANGLE_ONE)) * mine);
}

/* --- forward rows ------------------------------------------------------------------------------ */

static wfi_merger neighbours(const counting *t, weft_vid k) {
    return wfi_row_neighbours(&t->part->out, t->s->g->directed ? &t->part->in : NULL, k, t->part->first + k);
}

static weft_status count_degrees(counting *t) {
    wfi_rank_triangles *c = t->c;
#pragma omp parallel for schedule(dynamic, 256) num_threads(c->threads)
    for (weft_vid k = 0; k < t->s->vertices; k++) {
        uint32_t degree = 0, both = 0;
        for (wfi_merger m = neighbours(t, k); wfi_next_neighbour(&m);) degree++, both += m.ways == 2;
        c->degree[t->part->first + k] = degree;
        if (c->reciprocal) c->reciprocal[k] = both;
    }
    return wfi_spread_allgather(t->ctx, t->s, t->part, c->degree, sizeof *c->degree);
}

static inline bool leads_up(const uint32_t *degree, weft_vid u, weft_vid v) {
    return degree[u] < degree[v] || (degree[u] == degree[v] && u < v);
}

/* Writes row k to its place, or only counts it; returns its length. */
static uint64_t forward_row(const counting *t, weft_vid k, bool put) {
    uint64_t length = 0, at = put ? t->c->offsets[k] : 0;
    for (wfi_merger m = neighbours(t, k); wfi_next_neighbour(&m);) {
        if (!leads_up(t->c->degree, t->part->first + k, m.neighbour)) continue;
        if (put) t->e.target[at + length] = m.neighbour;
        if (put && t->e.arcs) t->e.arcs[at + length] = (uint8_t)m.ways;
        length++;
    }
    return length;
}

/* Edges by their targets: group[v] ... group[v+1]-1 lead to v. */
static void make_groups(counting *t, uint64_t edges) {
    weft_eid *group = t->c->group;
    weft_vid n = t->s->g->n;
    memset(group, 0, ((size_t)n + 1) * sizeof *group);
    for (uint64_t i = 0; i < edges; i++) group[t->e.target[i] + 1]++;
    for (weft_vid v = 0; v < n; v++) group[v + 1] += group[v];
    for (weft_vid k = 0; k < t->s->vertices; k++)
        for (weft_eid i = t->c->offsets[k]; i < t->c->offsets[k + 1]; i++) {
            weft_eid at = group[t->e.target[i]]++;
            t->e.from[at] = k;
            if (t->e.arcs) t->e.from_arcs[at] = t->e.arcs[i];
        }
    memmove(group + 1, group, (size_t)n * sizeof *group); /* each entry is now the end of its group: shift to starts */
    group[0] = 0;
}

static weft_status make_edges(counting *t, wfi_workspace *w) {
    wfi_rank_triangles *c = t->c;
    weft_vid mine = t->s->vertices;
    weft_status st = count_degrees(t);
    if (st) return st;
    c->offsets[0] = 0;
#pragma omp parallel for schedule(dynamic, 256) num_threads(c->threads)
    for (weft_vid k = 0; k < mine; k++) c->offsets[k + 1] = forward_row(t, k, false);
    for (weft_vid k = 0; k < mine; k++) c->offsets[k + 1] += c->offsets[k];
    uint64_t edges = c->offsets[mine];
    t->e.target = wfi_grow(w, edges, sizeof *t->e.target);
    t->e.from = t->e.target ? wfi_grow(w, edges, sizeof *t->e.from) : NULL;
    if (t->rule && t->e.from) t->e.arcs = wfi_grow(w, edges, 1);
    if (t->rule && t->e.arcs) t->e.from_arcs = wfi_grow(w, edges, 1);
    st = wfi_agree(t->ctx, w->status);
    if (st) return st;
#pragma omp parallel for schedule(dynamic, 256) num_threads(c->threads)
    for (weft_vid k = 0; k < mine; k++) forward_row(t, k, true);
    make_groups(t, edges);
    return WEFT_OK;
}

/* --- triangles --------------------------------------------------------------------------------- */

/* The triangles u, v, w for the marked entries w of row u; uv: the arcs of that side. */
static uint64_t look_up(const counting *t, const uint8_t *marks, weft_vid k, weft_vid v, uint8_t uv) {
    uint64_t *sums = t->c->sums, triangles = 0, at_u = 0, at_v = 0;
    for (weft_eid i = t->c->offsets[k]; i < t->c->offsets[k + 1]; i++) {
        weft_vid w = t->e.target[i];
        uint8_t vw = marks[w], uw;
        if (!vw) continue;
        triangles++;
        switch (t->rule) {
        case WFI_TRIANGLE_ONE:
            wfi_add_to(&sums[w], 1);
            at_u++, at_v++;
            break;
        case WFI_TRIANGLE_OPPOSITE:
            wfi_add_to(&sums[w], uv);
            at_u += vw, at_v += t->e.arcs[i];
            break;
        case WFI_TRIANGLE_PRODUCT:
            uw = t->e.arcs[i];
            wfi_add_to(&sums[w], (uint64_t)uv * vw * uw);
            at_u += (uint64_t)uv * vw * uw, at_v += (uint64_t)uv * vw * uw;
            break;
        }
    }
    wfi_add_to(&sums[t->part->first + k], at_u);
    wfi_add_to(&sums[v], at_v);
    return triangles;
}

/* Row v against all rows here with an edge to v. */
static uint64_t close_triangles(const counting *t, uint8_t *marks, weft_vid v, const weft_vid *row, const uint8_t *arcs,
                                uint64_t length) {
    const weft_eid *group = t->c->group;
    uint64_t triangles = 0;
    if (!length || group[v] == group[v + 1]) return 0;
    for (uint64_t i = 0; i < length; i++) marks[row[i]] = arcs ? arcs[i] : 1;
    for (weft_eid i = group[v]; i < group[v + 1]; i++)
        triangles += look_up(t, marks, t->e.from[i], v, arcs ? t->e.from_arcs[i] : 1);
    for (uint64_t i = 0; i < length; i++) marks[row[i]] = 0;
    return triangles;
}

static uint8_t *marks_of_thread(const counting *t) { return t->c->marks + (size_t)omp_get_thread_num() * t->s->g->n; }

static bool stopped(counting *t) {
    if (wfi_cancelled(t->ctx)) __atomic_store_n(&t->stop, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&t->stop, __ATOMIC_RELAXED);
}

static void close_own(counting *t) {
    const weft_eid *offsets = t->c->offsets;
    uint64_t found = 0;
#pragma omp parallel for schedule(dynamic, 64) num_threads(t->c->threads) reduction(+ : found)
    for (weft_vid k = 0; k < t->s->vertices; k++) {
        if (stopped(t)) continue;
        const uint8_t *arcs = t->e.arcs ? t->e.arcs + offsets[k] : NULL;
        found += close_triangles(t, marks_of_thread(t), t->part->first + k, t->e.target + offsets[k], arcs,
                                 offsets[k + 1] - offsets[k]);
    }
    t->found += found;
}

static void close_fetched(counting *t) {
    const wfi_fetch *f = &t->c->fetch;
    uint64_t found = 0;
#pragma omp parallel for schedule(dynamic, 16) num_threads(t->c->threads) reduction(+ : found)
    for (uint64_t i = 0; i < f->fetched; i++) {
        if (stopped(t)) continue;
        const uint8_t *arcs = f->rows_beside ? f->rows_beside + f->at[i] : NULL;
        found += close_triangles(t, marks_of_thread(t), t->c->want[i], f->rows + f->at[i], arcs, f->length[i]);
    }
    t->found += found;
}

/* The next vertices of other ranks that are targets of rows here. */
static uint64_t list_wants(const counting *t, weft_vid from) {
    const weft_eid *group = t->c->group;
    uint64_t count = 0;
    for (weft_vid v = from; v < t->s->g->n && count < t->c->fetch.wants; v++)
        if (group[v] < group[v + 1] && !wfi_part_has(t->part, v)) t->c->want[count++] = v;
    return count;
}

static weft_status close_others(counting *t) {
    wfi_fetch *f = &t->c->fetch;
    weft_vid next = 0;
    f->offsets = t->c->offsets;
    f->targets = t->e.target;
    f->beside = t->e.arcs;
    for (bool idle = false;;) {
        uint64_t stop = t->stop;
        weft_status st = wfi_fetch_round(t->ctx, t->s, f, t->c->want, list_wants(t, next), &idle);
        if (!st) st = wfi_allreduce(t->ctx, &stop, 1, WFI_SUM);
        if (st || idle || stop) return !st && stop ? wfi_fail_cancelled(t->ctx) : st;
        if (t->c->gpu)
            t->c->gpu->close_fetched(t->c->gpu, t->ctx, t->c, &t->stop);
        else
            close_fetched(t);
        if (f->fetched) next = t->c->want[f->fetched - 1] + 1;
        wfi_progress(t->ctx, "counting triangles", next, t->s->g->n);
    }
}

static weft_status close_here(counting *t) {
    wfi_rank_triangles *c = t->c;
    const wfi_spread *s = t->s;
    if (s->g->n) {
        memset(c->sums, 0, (size_t)s->g->n * sizeof *c->sums);
        memset(c->marks, 0, (size_t)s->g->n * (size_t)c->threads);
    }
    close_own(t);
    weft_status st = close_others(t);
    for (int r = 0; r <= s->comm->link.size; r++) s->start[r] = t->part->cut[r];
    return st ? st : wfi_reduce_scatter(t->ctx, c->sums, s->start, c->sum);
}

static weft_status close_there(counting *t) {
    wfi_rank_triangles_gpu *gpu = t->c->gpu;
    gpu->begin(gpu, t->ctx, t->s, t->c, &t->e);
    gpu->close_own(gpu, t->ctx, t->s, t->c, &t->stop);
    weft_status st = close_others(t);
    return st ? st : gpu->end(gpu, t->ctx, t->s, t->c, &t->found);
}

weft_status wfi_rank_triangles_run(weft_ctx *ctx, wfi_workspace *w, const wfi_spread *s, wfi_triangle_rule rule,
                                   wfi_rank_triangles *c) {
    counting t = {.ctx = ctx, .s = s, .part = &s->part[0], .rule = rule, .c = c};
    weft_status st = make_edges(&t, w);
    if (!st) st = c->gpu ? close_there(&t) : close_here(&t);
    c->triangles = t.found;
    return st ? st : wfi_allreduce(ctx, &c->triangles, 1, WFI_SUM);
}
