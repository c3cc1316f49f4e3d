/* weft_graph_changes: differences between two graphs.
 * Method: both lists of ids ascend, and merging them matches the vertices. Then each row of the first graph is merged
 * with the row of the same vertex in the second, which finds missing edges and edges of another weight; the same in
 * the other direction finds added edges. Blocks of rows are walked twice, to count and to list, so that lists are in
 * order for any number of threads.
 * Encoding: weights of parallel edges are compared as 64-bit keys in the order of the weights. */
#include "attributes/sides.h"
#include "core/scan.h"
#include "graphs/match.h"
#include "run/algorithm.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_RUNS = 1 << 14 };

typedef struct side {
    const weft_graph *given, *g; /* as given, and in the order of ids */
    weft_graph *copy;
    weft_vid *match; /* match of each vertex of g in the other graph, or WEFT_NO_VERTEX */
} side;

/* One direction of the comparison: edges of x that y lacks, and edges with another weight in y. */
typedef struct sweep {
    weft_ctx *ctx;
    const side *x, *y;
    bool weights; /* weights are compared */
    wfi_row_blocks blocks;
    uint64_t *missing, *changed; /* per block: count, then position in the list */
    struct {
        weft_vid *source, *target;
        void *weight, *other; /* NULL: not requested, or unweighted */
    } lacks, differs;
} sweep;

/* Sorted weights of parallel edges; one per thread. */
typedef struct keys {
    uint64_t *x, *y;
    size_t capacity;
} keys;

/* --- vertices ------------------------------------------------------------------------------------------- */

static weft_status match_ids(weft_ctx *ctx, side *a, side *b, weft_vid *both) {
    const weft_graph *x = a->g, *y = b->g;
    weft_vid i = 0, k = 0;
    *both = 0;
    if (wfi_alloc(ctx, &a->match, x->n) || wfi_alloc(ctx, &b->match, y->n)) return WEFT_ENOMEM;
    for (uint64_t step = 1; i < x->n || k < y->n; step++) {
        if (step % WFI_POLL_EVERY == 0) wfi_progress(ctx, "matching vertices", i, x->n);
        if (step % WFI_POLL_EVERY == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        int order = i == x->n ? 1 : k == y->n ? -1 : wfi_id_order(x, i, y, k);
        if (order < 0) {
            a->match[i++] = WEFT_NO_VERTEX;
        } else if (order > 0) {
            b->match[k++] = WEFT_NO_VERTEX;
        } else {
            ++*both;
            a->match[i] = k;
            b->match[k++] = i++;
        }
    }
    return WEFT_OK;
}

/* Lists vertices without a match, by their original numbers. */
static weft_status list_unmatched(weft_ctx *ctx, const side *s, const char *name, weft_vid both, weft_result *r) {
    weft_vid *list, count = 0;
    weft_column column = wfi_new_column(name, WEFT_VERTEX, WEFT_SHAPE_TABLE, s->g->n - both);
    weft_status st = wfi_result_column(ctx, r, column, &list);
    for (weft_vid v = 0; v < s->g->n && !st; v++)
        if (s->match[v] == WEFT_NO_VERTEX) list[count++] = wfi_original_vertex(s->given, v);
    return st;
}

static weft_status list_match(weft_ctx *ctx, const side *a, const side *b, weft_result *r) {
    weft_vid *match;
    weft_status st =
        wfi_result_column(ctx, r, wfi_new_column("match", WEFT_VERTEX, WEFT_SHAPE_VERTICES, a->g->n), &match);
    for (weft_vid v = 0; v < a->g->n && !st; v++) {
        weft_vid there = a->match[v];
        match[wfi_original_vertex(a->given, v)] =
            there == WEFT_NO_VERTEX ? there : wfi_original_vertex(b->given, there);
    }
    return st;
}

/* --- weights -------------------------------------------------------------------------------------------- */

static double weight_of(const weft_graph *g, weft_eid e) { return wfi_weight_at(g->weight_type, g->out.weights, e); }

static void put_weight(weft_weight_type type, void *to, uint64_t at, double w) {
    switch (type) {
    case WEFT_WEIGHT_NONE: break;
    case WEFT_WEIGHT_U32: ((uint32_t *)to)[at] = (uint32_t)w; break;
    case WEFT_WEIGHT_F32: ((float *)to)[at] = (float)w; break;
    case WEFT_WEIGHT_F64: ((double *)to)[at] = w; break;
    }
}

/* -0 counts as 0. */
static uint64_t key_of(double w) {
    const uint64_t sign = (uint64_t)1 << 63;
    uint64_t bits;
    w += 0.0;
    memcpy(&bits, &w, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static double weight_of_key(uint64_t key) {
    const uint64_t sign = (uint64_t)1 << 63;
    double w;
    key = key & sign ? key & ~sign : ~key;
    memcpy(&w, &key, sizeof w);
    return w;
}

/* Sorted keys of a run's weights. */
static void sort_weights(const weft_graph *g, wfi_arc_run run, uint64_t *to) {
    for (uint64_t i = 0; i < run.count; i++) to[i] = key_of(weight_of(g, run.at + i));
    qsort(to, (size_t)run.count, sizeof *to, wfi_by_u64);
}

static weft_status reserve(weft_ctx *ctx, keys *k, uint64_t count) {
    if (count <= k->capacity) return WEFT_OK;
    weft_status st = wfi_widen(ctx, &k->x, (size_t)count);
    if (!st) st = wfi_widen(ctx, &k->y, (size_t)count);
    if (!st) k->capacity = (size_t)count;
    return st;
}

/* Removes common elements, with multiplicity, from two ascending lists. */
static void cancel_common(uint64_t *x, uint64_t *x_count, uint64_t *y, uint64_t *y_count) {
    uint64_t i = 0, k = 0, left_x = 0, left_y = 0;
    while (i < *x_count && k < *y_count)
        if (x[i] == y[k])
            i++, k++;
        else if (x[i] < y[k])
            x[left_x++] = x[i++];
        else
            y[left_y++] = y[k++];
    while (i < *x_count) x[left_x++] = x[i++];
    while (k < *y_count) y[left_y++] = y[k++];
    *x_count = left_x;
    *y_count = left_y;
}

/* --- edges ---------------------------------------------------------------------------------------------- */

/* Walk over a block: counts of findings or, with `list`, positions for the next ones. */
typedef struct walk {
    const sweep *s;
    keys *k;
    bool list;
    weft_vid u;
    uint64_t missing, changed;
} walk;

static void put_missing(walk *w, weft_eid e, double weight) {
    const side *x = w->s->x;
    uint64_t at = w->missing++;
    if (!w->list) return;
    w->s->lacks.source[at] = wfi_original_vertex(x->given, w->u);
    w->s->lacks.target[at] = wfi_original_vertex(x->given, x->g->out.targets[e]);
    if (w->s->lacks.weight) put_weight(x->g->weight_type, w->s->lacks.weight, at, weight);
}

static void put_changed(walk *w, weft_eid e, double before, double after) {
    const side *x = w->s->x;
    uint64_t at = w->changed++;
    if (!w->list || !w->s->differs.source) return;
    w->s->differs.source[at] = wfi_original_vertex(x->given, w->u);
    w->s->differs.target[at] = wfi_original_vertex(x->given, x->g->out.targets[e]);
    put_weight(x->g->weight_type, w->s->differs.weight, at, before);
    put_weight(w->s->y->g->weight_type, w->s->differs.other, at, after);
}

static weft_status compare_weights(walk *w, wfi_arc_run x, wfi_arc_run y) {
    const weft_graph *a = w->s->x->g, *b = w->s->y->g;
    if (x.count == 1 && y.count == 1) {
        double before = weight_of(a, x.at), after = weight_of(b, y.at);
        if (key_of(before) != key_of(after)) put_changed(w, x.at, before, after);
        return WEFT_OK;
    }
    weft_status st = reserve(w->s->ctx, w->k, wfi_max_u64(x.count, y.count));
    if (st) return st;
    sort_weights(a, x, w->k->x);
    sort_weights(b, y, w->k->y);
    cancel_common(w->k->x, &x.count, w->k->y, &y.count);
    for (uint64_t i = 0; i < x.count; i++)
        if (i < y.count)
            put_changed(w, x.at, weight_of_key(w->k->x[i]), weight_of_key(w->k->y[i]));
        else
            put_missing(w, x.at, weight_of_key(w->k->x[i]));
    return WEFT_OK;
}

static weft_status walk_block(const sweep *s, size_t block, bool list, keys *k) {
    walk w = {.s = s, .k = k, .list = list};
    if (list) w.missing = s->missing[block];
    if (list) w.changed = s->changed[block];
    wfi_arc_run x, y;
    uint64_t runs = 0;
    for (w.u = s->blocks.first[block]; w.u < s->blocks.first[block + 1]; w.u++) {
        wfi_row_pair rows = wfi_pair_rows(s->x->g, s->y->g, s->x->match, w.u);
        while (wfi_next_run(&rows, &x, &y)) {
            if (++runs % POLL_RUNS == 0 && wfi_cancelled(s->ctx)) return wfi_fail_cancelled(s->ctx);
            if (s->weights && y.count) {
                weft_status st = compare_weights(&w, x, y);
                if (st) return st;
                continue;
            }
            for (uint64_t i = y.count; i < x.count; i++) put_missing(&w, x.at + i, weight_of(s->x->g, x.at + i));
        }
    }
    if (list) return WEFT_OK;
    s->missing[block] = w.missing;
    s->changed[block] = w.changed;
    return WEFT_OK;
}

static weft_status walk_all(const sweep *s, bool list) {
    _Atomic int status = WEFT_OK;
    uint64_t work = s->x->g->n + s->x->g->arcs + s->y->g->arcs;
#pragma omp parallel num_threads(wfi_threads_for(s->ctx, work, 1 << 14))
    {
        keys k = {NULL, NULL, 0};
#pragma omp for schedule(dynamic, 1)
        for (size_t block = 0; block < s->blocks.count; block++) {
            if (atomic_load(&status)) continue;
            weft_status st = wfi_cancelled(s->ctx) ? wfi_fail_cancelled(s->ctx) : walk_block(s, block, list, &k);
            wfi_keep_status(&status, st);
            if (omp_get_thread_num() == 0) wfi_progress(s->ctx, "comparing", block, s->blocks.count);
        }
        wfi_free(k.x);
        wfi_free(k.y);
    }
    return (weft_status)atomic_load(&status);
}

/* Column names of a list of edges; weight is NULL if the list has none. */
typedef struct names {
    const char *source, *target, *weight, *other;
} names;

static weft_status make_column(sweep *s, weft_result *r, const char *name, weft_type type, uint64_t rows, void *data) {
    return wfi_result_column(s->ctx, r, wfi_new_column(name, type, WEFT_SHAPE_TABLE, (size_t)rows), data);
}

static weft_status make_lists(sweep *s, const names *lacks, const names *differs, weft_result *r) {
    uint64_t missing = s->missing[s->blocks.count], changed = s->changed[s->blocks.count];
    weft_type mine = (weft_type)s->x->g->weight_type, other = (weft_type)s->y->g->weight_type;
    weft_status st = make_column(s, r, lacks->source, WEFT_VERTEX, missing, &s->lacks.source);
    if (!st) st = make_column(s, r, lacks->target, WEFT_VERTEX, missing, &s->lacks.target);
    if (!st && mine != WEFT_NONE) st = make_column(s, r, lacks->weight, mine, missing, &s->lacks.weight);
    if (st || !differs) return st;
    st = make_column(s, r, differs->source, WEFT_VERTEX, changed, &s->differs.source);
    if (!st) st = make_column(s, r, differs->target, WEFT_VERTEX, changed, &s->differs.target);
    if (!st && mine != WEFT_NONE) st = make_column(s, r, differs->weight, mine, changed, &s->differs.weight);
    if (!st && other != WEFT_NONE) st = make_column(s, r, differs->other, other, changed, &s->differs.other);
    return st;
}

/* Lists edges that x has and y lacks and, with `differs`, edges of another weight. The last entries of missing and
 * changed are the totals. */
static weft_status find(sweep *s, const names *lacks, const names *differs, weft_result *r) {
    weft_status st = wfi_cut_rows(s->ctx, s->x->g, &s->blocks);
    if (!st) st = wfi_alloc(s->ctx, &s->missing, s->blocks.count + 1);
    if (!st) st = wfi_alloc(s->ctx, &s->changed, s->blocks.count + 1);
    if (!st) st = walk_all(s, false);
    if (st) return st;
    wfi_exclusive_scan(s->ctx, s->missing, s->blocks.count);
    wfi_exclusive_scan(s->ctx, s->changed, s->blocks.count);
    st = make_lists(s, lacks, differs, r);
    bool any = s->missing[s->blocks.count] || (differs && s->changed[s->blocks.count]);
    return st || !any ? st : walk_all(s, true);
}

static void sweep_end(sweep *s) {
    wfi_free(s->blocks.first);
    wfi_free(s->missing);
    wfi_free(s->changed);
}

/* --- the call -------------------------------------------------------------------------------------------- */

static bool has_weights(const weft_graph *g) { return g->weight_type != WEFT_WEIGHT_NONE; }

/* Decides whether weights are compared, with a note if only one graph has weights. */
static weft_status decide_weights(weft_ctx *ctx, const weft_graph *a, const weft_graph *b, bool *weights, bool *mixed) {
    *mixed = *weights && a->arcs && b->arcs && has_weights(a) != has_weights(b);
    *weights = *weights && has_weights(a) && has_weights(b);
    if (*mixed)
        wfi_note(ctx, "the %s graph has weights, the %s has none: edges are compared without them",
                 has_weights(a) ? "first" : "second", has_weights(a) ? "second" : "first");
    if (!*weights) return WEFT_OK;
    weft_status st = wfi_graph_refuse_ambiguous(ctx, "the first graph", a);
    return st ? st : wfi_graph_refuse_ambiguous(ctx, "the second graph", b);
}

typedef struct comparing {
    weft_ctx *ctx;
    side a, b;
    weft_vid both; /* vertices */
    bool weights, mixed;
    weft_result *result;
} comparing;

static bool same_sides(const weft_graph *a, const weft_graph *b) {
    const wfi_sides *s = a->sides, *t = b->sides;
    if (!s || !t) return s == t;
    return s->bytes == t->bytes && !memcmp(s->second, t->second, s->bytes) && !strcmp(s->name[0], t->name[0]) &&
           !strcmp(s->name[1], t->name[1]);
}

static weft_status tell(const comparing *c, uint64_t removed, uint64_t added, uint64_t changed) {
    static const char *const type[] = {"no", "u32", "f32", "f64"};
    const weft_graph *a = c->a.g, *b = c->b.g;
    if (weft_graph_attributes(c->a.given) || weft_graph_attributes(c->b.given))
        wfi_note(c->ctx, "attributes of vertices are not compared");
    if (weft_graph_edge_columns(c->a.given) || weft_graph_edge_columns(c->b.given))
        wfi_note(c->ctx, "columns of edges are not compared");
    if (!same_sides(c->a.given, c->b.given)) wfi_note(c->ctx, "sides of bipartite graphs are not compared");
    bool same = c->both == a->n && c->both == b->n && !removed && !added && !changed && !c->mixed;
    const struct {
        const char *name;
        uint64_t value;
    } scalars[] = {{"equal", same},
                   {"vertices_a", a->n},
                   {"vertices_b", b->n},
                   {"vertices_removed", a->n - c->both},
                   {"vertices_added", b->n - c->both},
                   {"edges_a", a->edges},
                   {"edges_b", b->edges},
                   {"edges_removed", removed},
                   {"edges_added", added},
                   {"weights_changed", changed},
                   {"weights_compared", c->weights}};
    if (changed && a->weight_type != b->weight_type)
        wfi_note(c->ctx, "the first graph has %s weights, the second %s: `weight_type` reads both alike",
                 type[a->weight_type], type[b->weight_type]);
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars && !st; i++)
        st = wfi_result_scalar_u64(c->ctx, c->result, scalars[i].name, scalars[i].value);
    return st;
}

static weft_status compare(comparing *c) {
    static const names removed = {"removed_source", "removed_target", "removed_weight", NULL};
    static const names added = {"added_source", "added_target", "added_weight", NULL};
    static const names changed = {"changed_source", "changed_target", "weight_before", "weight_after"};
    sweep forth = {.ctx = c->ctx, .x = &c->a, .y = &c->b, .weights = c->weights};
    sweep back = {.ctx = c->ctx, .x = &c->b, .y = &c->a, .weights = c->weights};
    weft_status st = wfi_sorted_by_id(c->ctx, c->a.given, &c->a.copy);
    if (!st) st = wfi_sorted_by_id(c->ctx, c->b.given, &c->b.copy);
    c->a.g = c->a.copy ? c->a.copy : c->a.given;
    c->b.g = c->b.copy ? c->b.copy : c->b.given;
    if (!st) st = match_ids(c->ctx, &c->a, &c->b, &c->both);
    if (!st && !(c->result = wfi_result_new(c->ctx, NULL))) st = WEFT_ENOMEM;
    if (!st) st = list_match(c->ctx, &c->a, &c->b, c->result);
    if (!st) st = list_unmatched(c->ctx, &c->a, "removed_vertex", c->both, c->result);
    if (!st) st = list_unmatched(c->ctx, &c->b, "added_vertex", c->both, c->result);
    if (!st) st = find(&forth, &removed, &changed, c->result);
    if (!st) st = find(&back, &added, NULL, c->result);
    if (!st)
        st = tell(c, forth.missing[forth.blocks.count], back.missing[back.blocks.count],
                  forth.changed[forth.blocks.count]);
    sweep_end(&forth);
    sweep_end(&back);
    return st;
}

weft_status weft_graph_changes(weft_ctx *ctx, const weft_graph *a, const weft_graph *b,
                               const weft_changes_params *params, weft_result **out) {
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_OR_RETURN(ctx, out);
    WFI_NEED_ROWS_OR_RETURN(ctx, a);
    WFI_NEED_ROWS_OR_RETURN(ctx, b);
    weft_changes_params p = WEFT_CHANGES_DEFAULTS;
    comparing c = {.ctx = ctx, .a = {.given = a}, .b = {.given = b}};
    weft_status st = wfi_sized_in(ctx, "weft_changes_params", params, &p, sizeof p);
    c.weights = p.weights;
    if (!st) st = wfi_check_matchable(ctx, "compare", (const weft_graph *const[]){a, b}, 2);
    if (!st) st = decide_weights(ctx, a, b, &c.weights, &c.mixed);
    if (!st) st = compare(&c);
    weft_graph_free(c.a.copy);
    weft_graph_free(c.b.copy);
    wfi_free(c.a.match);
    wfi_free(c.b.match);
    wfi_warn_threads(ctx);
    if (st)
        weft_result_free(c.result);
    else
        *out = c.result;
    return st;
}
