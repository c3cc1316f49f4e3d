/* mst on CPU cores: Boruvka's algorithm [1], light edges first.
 * Method: in a round every tree selects its smallest edge to another tree, and all join along these edges; rounds end
 * when no edge connects two trees.  Edges are a list, which every round filters and whose ends become the roots of
 * their trees.  In dense graphs the list has the light edges first, about three a vertex; afterwards most of the other
 * edges lie within a tree and never enter a list [2].
 * Encoding: a tree's smallest edge is the minimum of keys (mst.h), by compare-and-swap; if a key is the arc alone, the
 * smallest weight is found before.  There are two arrays of minima: a round uses one and clears the other for the next
 * round.  The list is cut into chunks by source arc, each compacted in place, so that it stays in the order of arcs.
 * The edges are those of the unique forest for any number of threads, kept as bits.
 * [1] Boruvka, "O jistem problemu minimalnim", 1926.
 * [2] Fallin, Gonzalez, Seo, Burtscher, "A High-Performance MST Implementation for GPUs", SC 2023. */
#include "algo/mst/mst.h"
#include "core/atomic_min.h"
#include "core/scan.h"
#include "core/search.h"
#include "engines/union_find/forest.h"
#include "weft/mst.h"

enum { PIECE = 1 << 15, SHARE = 1 << 14, CHUNK = 1 << 14 };
static const uint64_t nothing = UINT64_MAX;

/* An edge between the trees of u and v, which were roots in the last round. */
typedef struct edge {
    weft_vid u, v;
    uint64_t key;
} edge;

typedef struct forest {
    weft_ctx *ctx;
    const weft_graph *g;
    bool maximum, packed, light; /* light: the list has the light edges, else the others */
    wfi_mst_place last;
    weft_vid *parent;
    uint64_t *first[2], *order[2];  /* by root: key of its smallest edge; order of its weight, if keys lack it */
    uint64_t *taken;                /* a bit for each arc */
    uint64_t pieces, *begin, *left; /* chunks of the list: begin and number of edges of each */
    edge *list;
    int turn;
    wfi_mst_rows rows;
} forest;

static void lay_out(wfi_workspace *w, const weft_graph *g, forest *f) {
    f->pieces = (g->arcs + PIECE - 1) / PIECE;
    f->packed = wfi_mst_packed(g);
    wfi_array(w, &f->parent, g->n);
    for (int i = 0; i < 2; i++) wfi_array(w, &f->first[i], g->n);
    for (int i = 0; i < 2; i++) wfi_array(w, &f->order[i], f->packed ? 0 : g->n);
    wfi_array(w, &f->taken, (g->arcs + 63) / 64);
    wfi_array(w, &f->begin, f->pieces + 1);
    wfi_array(w, &f->left, f->pieces);
    wfi_growth(w, g->edges * sizeof *f->list); /* the light edges and the others, in two blocks */
    wfi_growth(w, 0);
    wfi_mst_rows_lay_out(w, g);
}

/* Calls `body` for each chunk, with its arcs from ... to - 1. */
static weft_status each_piece(forest *f, wfi_span_body *body) {
    return wfi_spans(f->ctx, f->g->arcs, PIECE, wfi_threads_for(f->ctx, f->g->arcs, SHARE), body, f);
}

/* Clears the minima: between the light edges and the others, a root whose last edge left the list still has an old
 * one. */
static void begin(void *state, uint64_t from, uint64_t to) {
    forest *f = state;
    for (uint64_t v = from; v < to; v++) {
        if (f->light)
            f->parent[v] = (weft_vid)v;
        else
            wfi_compress_path(f->parent, (weft_vid)v);
        for (int i = 0; i < 2; i++) {
            f->first[i][v] = nothing;
            if (!f->packed) f->order[i][v] = nothing;
        }
    }
}

/* --- the list ------------------------------------------------------------------------------- */

/* An iterator over the edges of a chunk of arcs. */
typedef struct walk {
    const weft_graph *g;
    weft_vid u, v;
    weft_eid next, end;
} walk;

/* The row with offsets[row] <= e < offsets[row + 1]. */
static weft_vid row_of(const weft_graph *g, weft_eid e) {
    weft_vid low = 0, high = g->n - 1;
    WFI_BISECT(low, high, middle, g->out.offsets[middle + 1] <= e);
    return low;
}

static walk walk_piece(const weft_graph *g, uint64_t from, uint64_t to) {
    return (walk){g, row_of(g, from), 0, from, to};
}

/* The next edge: arc next - 1, from u to v. */
static inline bool next_edge(walk *w) {
    const wfi_view *out = &w->g->out;
    while (w->next < w->end) {
        while (w->next >= out->offsets[w->u + 1]) w->u++;
        w->v = out->targets[w->next++];
        if (w->g->directed ? w->v != w->u : w->v > w->u) return true;
    }
    return false;
}

static inline uint64_t order_of(const forest *f, weft_eid arc) {
    return wfi_mst_order(f->g->weight_type, f->g->out.weights, arc, f->maximum);
}

/* Does the edge enter the list?  After the light edges every vertex is a child of its root. */
static inline bool wanted(const forest *f, const walk *w, uint64_t order) {
    bool light = wfi_mst_light(f->last, order, w->next - 1);
    return f->light ? light : !light && f->parent[w->u] != f->parent[w->v];
}

static void count_edges(void *state, uint64_t from, uint64_t to) {
    forest *f = state;
    uint64_t count = 0;
    for (walk w = walk_piece(f->g, from, to); next_edge(&w);) count += wanted(f, &w, order_of(f, w.next - 1));
    f->begin[from / PIECE] = f->left[from / PIECE] = count;
}

static void list_edges(void *state, uint64_t from, uint64_t to) {
    forest *f = state;
    edge *at = f->list + f->begin[from / PIECE];
    for (walk w = walk_piece(f->g, from, to); next_edge(&w);) {
        weft_eid arc = w.next - 1;
        uint64_t order = order_of(f, arc);
        if (wanted(f, &w, order)) *at++ = (edge){w.u, w.v, f->packed ? order << 32 | arc : arc};
    }
}

static weft_status make_list(forest *f, wfi_workspace *w) {
    weft_status st = each_piece(f, count_edges);
    if (st) return st;
    wfi_exclusive_scan(f->ctx, f->begin, f->pieces);
    if (!(f->list = wfi_grow(w, f->begin[f->pieces], sizeof *f->list))) return WEFT_ENOMEM;
    return each_piece(f, list_edges);
}

/* --- a round -------------------------------------------------------------------------------- */

/* The edges of the chunk that begins with this arc. */
static edge *piece_of(const forest *f, uint64_t from, edge **end) {
    edge *list = f->list + f->begin[from / PIECE];
    *end = list + f->left[from / PIECE];
    return list;
}

/* Replaces ends by roots, removes edges within a tree, and offers the others as minima of their trees. */
static void offer(void *state, uint64_t arc, uint64_t arc_end) {
    forest *f = state;
    edge *end, *from = piece_of(f, arc, &end), *to = from;
    uint64_t *place = (f->packed ? f->first : f->order)[f->turn];
    for (; from < end; from++) {
        edge e = {wfi_root_of(f->parent, from->u), wfi_root_of(f->parent, from->v), from->key};
        if (e.u == e.v) continue;
        *to++ = e;
        uint64_t by = f->packed ? e.key : order_of(f, e.key);
        wfi_atomic_min_u64(&place[e.u], by);
        wfi_atomic_min_u64(&place[e.v], by);
    }
    f->left[arc / PIECE] -= (uint64_t)(end - to);
    (void)arc_end;
}

/* Keys without weight: the smallest arc among the edges of smallest weight. */
static void offer_first(void *state, uint64_t arc, uint64_t arc_end) {
    forest *f = state;
    uint64_t *first = f->first[f->turn];
    edge *end, *e = piece_of(f, arc, &end);
    for (; e < end; e++) {
        uint64_t order = order_of(f, e->key);
        if (order == f->order[f->turn][e->u]) wfi_atomic_min_u64(&first[e->u], e->key);
        if (order == f->order[f->turn][e->v]) wfi_atomic_min_u64(&first[e->v], e->key);
    }
    (void)arc_end;
}

/* Only the one edge that is the minimum of `root` calls this. */
static inline void clear(forest *f, weft_vid root) {
    int next = !f->turn;
    __atomic_store_n(&f->first[next][root], nothing, __ATOMIC_RELAXED);
    if (!f->packed) __atomic_store_n(&f->order[next][root], nothing, __ATOMIC_RELAXED);
}

static void join(void *state, uint64_t from, uint64_t to) {
    forest *f = state;
    const uint64_t *first = f->first[f->turn];
    edge *end, *e = piece_of(f, from, &end);
    for (; e < end; e++) {
        bool of_u = first[e->u] == e->key, of_v = first[e->v] == e->key;
        if (of_u) clear(f, e->u);
        if (of_v) clear(f, e->v);
        if (!of_u && !of_v) continue;
        weft_eid arc = f->packed ? (uint32_t)e->key : e->key;
        __atomic_fetch_or(&f->taken[arc / 64], (uint64_t)1 << (arc % 64), __ATOMIC_RELAXED);
        wfi_join(f->parent, e->u, e->v);
    }
    (void)to;
}

static uint64_t edges_left(const forest *f) {
    uint64_t left = 0;
    for (uint64_t p = 0; p < f->pieces; p++) left += f->left[p];
    return left;
}

static weft_status empty_list(forest *f) {
    uint64_t all = f->begin[f->pieces], left = all;
    weft_status st = WEFT_OK;
    while (left && !st) {
        wfi_progress(f->ctx, f->light ? "joining trees by light edges" : "joining trees", all - left, all);
        st = each_piece(f, offer);
        if (!st && !f->packed) st = each_piece(f, offer_first);
        if (!st) st = each_piece(f, join);
        left = edges_left(f);
        f->turn = !f->turn;
    }
    return st;
}

/* --- the run -------------------------------------------------------------------------------- */

static void count_taken(void *state, uint64_t from, uint64_t to) {
    forest *f = state;
    uint64_t count = 0;
    for (uint64_t word = from / 64; word * 64 < to; word++) count += (uint64_t)__builtin_popcountll(f->taken[word]);
    f->begin[from / PIECE] = count;
}

static void list_taken(void *state, uint64_t from, uint64_t to) {
    const forest *f = state;
    const weft_graph *g = f->g;
    uint64_t at = f->begin[from / PIECE];
    weft_vid u = row_of(g, from);
    for (uint64_t word = from / 64; word * 64 < to; word++)
        for (uint64_t bits = f->taken[word]; bits; bits &= bits - 1, at++) {
            weft_eid arc = word * 64 + (uint64_t)__builtin_ctzll(bits);
            while (arc >= g->out.offsets[u + 1]) u++;
            f->rows.source[at] = u;
            f->rows.target[at] = g->out.targets[arc];
            f->rows.weight[at] = wfi_weight_at(g->weight_type, g->out.weights, arc);
        }
}

static weft_status tell(wfi_job *job, forest *f) {
    weft_status st = each_piece(f, count_taken);
    if (st) return st;
    wfi_exclusive_scan(f->ctx, f->begin, f->pieces);
    st = wfi_mst_rows_grow(job->space, f->begin[f->pieces], &f->rows);
    if (!st) st = each_piece(f, list_taken);
    return st ? st : wfi_mst_end(job, &f->rows, f->begin[f->pieces]);
}

/* Rounds over the light edges or the others, as f->light says, until no edge connects two trees. */
static weft_status join_by_edges(forest *f, wfi_workspace *w) {
    weft_vid n = f->g->n;
    weft_status st = wfi_spans(f->ctx, n, CHUNK, wfi_threads_for(f->ctx, n, SHARE), begin, f);
    if (!st) st = make_list(f, w);
    return st ? st : empty_list(f);
}

weft_status wfi_mst_cpu(wfi_job *job) {
    forest f = {
        .ctx = job->ctx, .g = job->g, .maximum = ((const weft_mst_params *)job->params)->maximum, .light = true};
    lay_out(job->space, job->g, &f);
    weft_status st = job->space->status;
    if (st) return st;
    f.last = *WFI_DECIDED(wfi_mst_place, job->choice);
    memset(f.taken, 0, (f.g->arcs + 63) / 64 * sizeof *f.taken);
    st = join_by_edges(&f, job->space);
    f.light = false;
    if (!st && f.last.order != UINT64_MAX) st = join_by_edges(&f, job->space);
    return st ? st : tell(job, &f);
}

void wfi_mst_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)ctx;
    wfi_mst_describe_plan(g, params, choice);
    lay_out(&choice->space, g, &(forest){.g = g});
}
