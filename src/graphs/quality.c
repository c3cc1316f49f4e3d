/* weft_partition_quality. An undirected loop counts twice in its vertex's degree, parallel edges each count.
 *   modularity  [1]  undirected: sum over communities of in / 2m - G (k / 2m)^2, in = arcs inside, k = sum of
 *   degrees;
 *               [2]  directed: sum of e / m - G kout kin / m^2
 *   CPM         [3]  undirected: sum of e - G s(s-1)/2, e = edges inside, s = size; directed: sum of e - G s(s-1)
 *   conductance      edges that leave / the smaller of the degrees inside and outside; directed graphs as if
 *   undirected
 * Method: members are sorted by community; blocks of them are processed in parallel with integer sums per community;
 * communities that span blocks are added under a lock. Pieces are the trees of a disjoint-set forest.
 * Encoding: weights are whole numbers below 2^62: u32 as they are, others scaled by a power of two and truncated;
 * sums have 128 bits.
 * [1] Newman, Girvan, "Finding and evaluating community structure in networks", Phys. Rev. E 69, 2004.
 * [2] Leicht, Newman, "Community structure in directed networks", Phys. Rev. Lett. 100, 2008.
 * [3] Traag, Van Dooren, Nesterov, "Narrow scope for resolution-limit-free community detection", Phys. Rev. E 84,
 *     2011. */
#include "core/scan.h"
#include "engines/union_find/forest.h"
#include "graphs/partition.h"
#include "run/algorithm.h"

#include <math.h>

enum { MEMBERS_AT_ONCE = 1 << 10, WEIGHT_BITS = 62 };

__extension__ typedef unsigned __int128 wide;

/* Sums of one community: outgoing arcs, incoming arcs (directed graphs), and arcs inside, with undirected loops
 * twice. */
typedef struct sums {
    wide out, in, inside;
    uint64_t pieces;
} sums;

typedef struct evaluation {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_quality_params *p;
    weft_weight_type type; /* WEFT_WEIGHT_NONE: every arc counts 1 */
    int shift;             /* weights are scaled by 2^shift, in two factors, because one might overflow a double */
    double scale[2];
    wfi_partition parts;
    weft_vid *parent;
    sums *of; /* per community */
} evaluation;

/* --- weights ----------------------------------------------------------------------------- */

static uint64_t fixed_weight(const evaluation *q, const wfi_view *rows, weft_eid e) {
    return (uint64_t)(wfi_weight_at(q->type, rows->weights, e) * q->scale[0] * q->scale[1]);
}

static double real_value(const evaluation *q, wide x) { return ldexp((double)x, -q->shift); }

/* Chooses the scale by the largest weight; warns of weights that are truncated to 0. */
static weft_status scale_weights(evaluation *q) {
    const weft_graph *g = q->g;
    double largest = 0;
    weft_eid bad = UINT64_MAX;
    uint64_t vanished = 0;
    q->scale[0] = q->scale[1] = 1;
    if (!wfi_weights_real(q->type)) return WEFT_OK;
#pragma omp parallel for schedule(static) reduction(max                         \
                                                    : largest) reduction(min    \
                                                                         : bad) \
    num_threads(wfi_threads_for(q->ctx, g->arcs, 1 << 16))
    for (weft_eid e = 0; e < g->arcs; e++) {
        double w = wfi_weight_at(q->type, g->out.weights, e);
        if (!(w >= 0 && isfinite(w)))
            bad = e < bad ? e : bad;
        else if (w > largest)
            largest = w;
    }
    if (bad < UINT64_MAX)
        return wfi_fail_weight(q->ctx, "quality", g, bad, "weights must be finite numbers of 0 or more");
    int exponent;
    (void)frexp(largest, &exponent);
    q->shift = largest > 0 ? WEIGHT_BITS - exponent : 0;
    q->scale[0] = ldexp(1, q->shift / 2);
    q->scale[1] = ldexp(1, q->shift - q->shift / 2);
#pragma omp parallel for schedule(static) reduction(+ : vanished) num_threads(wfi_threads_for(q->ctx, g->arcs, 1 << 16))
    for (weft_eid e = 0; e < g->arcs; e++)
        vanished += wfi_weight_at(q->type, g->out.weights, e) > 0 && !fixed_weight(q, &g->out, e);
    if (vanished)
        wfi_warn(q->ctx, "quality: %llu arc%s with a weight below 2^-%d of the largest one count as 0",
                 (unsigned long long)vanished, wfi_plural(vanished), WEIGHT_BITS);
    return WEFT_OK;
}

/* --- sums ---------------------------------------------------------------------------------- */

/* Adds the outgoing row of v in community c. */
static void add_row(const evaluation *q, weft_vid v, uint32_t c, sums *to) {
    const weft_graph *g = q->g;
    for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) {
        weft_vid u = g->out.targets[e];
        uint64_t w = fixed_weight(q, &g->out, e);
        bool both_ends = u == v && !g->directed;
        to->out += (wide)w << both_ends;
        if (q->parts.community[u] != c) continue;
        to->inside += (wide)w << both_ends;
        wfi_join(q->parent, u, v);
    }
}

static void add_incoming(const evaluation *q, weft_vid v, sums *to) {
    const wfi_view *in = &q->g->in;
    if (q->type == WEFT_WEIGHT_NONE) {
        to->in += wfi_degree(in, v);
        return;
    }
    for (weft_eid e = in->offsets[v]; e < in->offsets[v + 1]; e++) to->in += fixed_weight(q, in, e);
}

/* Adds the members order[first] ... order[end - 1]. */
static void add_block(const evaluation *q, uint64_t first, uint64_t end) {
    const wfi_partition *p = &q->parts;
    for (uint64_t at = first, stop; at < end; at = stop) {
        uint32_t c = p->community[p->order[at]];
        sums s = {0, 0, 0, 0};
        for (stop = at; stop < end && stop < p->start[c + 1]; stop++) {
            add_row(q, p->order[stop], c, &s);
            if (q->g->directed) add_incoming(q, p->order[stop], &s);
        }
        if (at == p->start[c] && stop == p->start[c + 1]) {
            q->of[c] = s;
            continue;
        }
#pragma omp critical(wfi_partition_sums)
        {
            q->of[c].out += s.out;
            q->of[c].in += s.in;
            q->of[c].inside += s.inside;
        }
    }
}

static weft_status add_all(evaluation *q) {
    const weft_graph *g = q->g;
    const wfi_partition *p = &q->parts;
    int threads = wfi_threads_for(q->ctx, g->n + g->arcs, 1 << 14);
    for (weft_vid v = 0; v < g->n; v++) q->parent[v] = v;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (uint64_t first = 0; first < g->n; first += MEMBERS_AT_ONCE)
        if (!wfi_cancelled(q->ctx)) add_block(q, first, wfi_min_u64(first + MEMBERS_AT_ONCE, g->n));
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (uint64_t c = 0; c < p->count; c++)
        for (uint64_t i = p->start[c]; i < p->start[c + 1]; i++)
            q->of[c].pieces += q->parent[p->order[i]] == p->order[i];
    return wfi_cancelled(q->ctx) ? wfi_fail_cancelled(q->ctx) : WEFT_OK;
}

/* --- measures -------------------------------------------------------------------------------- */

typedef struct totals {
    wide out, inside; /* out: m of a directed graph, else 2m */
    uint64_t pairs, largest, disconnected;
} totals;

static totals total_of(const evaluation *q) {
    totals t = {0, 0, 0, 0, 0};
    for (uint64_t c = 0; c < q->parts.count; c++) {
        uint64_t size = wfi_community_size(&q->parts, c);
        t.out += q->of[c].out;
        t.inside += q->of[c].inside;
        t.pairs += size * (size - 1) / 2;
        t.largest = wfi_max_u64(t.largest, size);
        t.disconnected += q->of[c].pieces > 1;
    }
    return t;
}

static unsigned bits_of(wide x) { return x >> 64 ? 64 + wfi_bits((uint64_t)(x >> 64)) : wfi_bits((uint64_t)x); }

/* Products must fit 128 bits: sums of more than 62 bits, which only real weights have, lose their lowest bits. */
static double modularity(const evaluation *q, const totals *t) {
    unsigned cut = bits_of(t->out) > WEIGHT_BITS ? bits_of(t->out) - WEIGHT_BITS : 0;
    wide all = t->out >> cut, expected = 0;
    if (!all) return 0;
    for (uint64_t c = 0; c < q->parts.count; c++) {
        const sums *s = &q->of[c];
        expected += (s->out >> cut) * ((q->g->directed ? s->in : s->out) >> cut);
    }
    return ((double)((t->inside >> cut) * all) - q->p->resolution * (double)expected) / (double)(all * all);
}

static double cpm(const evaluation *q, const totals *t) {
    double penalty = q->p->resolution * (double)t->pairs;
    return q->g->directed ? real_value(q, t->inside) - 2 * penalty : real_value(q, t->inside / 2) - penalty;
}

/* Weight of edges across the community's boundary, and its ratio to the smaller side. */
static double cut_of(const evaluation *q, const totals *t, const sums *s, double *conductance) {
    bool directed = q->g->directed;
    wide cut = directed ? s->out + s->in - 2 * s->inside : s->out - s->inside;
    wide volume = directed ? s->out + s->in : s->out, other = (directed ? 2 * t->out : t->out) - volume;
    wide smaller = volume < other ? volume : other;
    *conductance = smaller ? (double)cut / (double)smaller : 0;
    return real_value(q, cut);
}

/* --- the result ------------------------------------------------------------------------------- */

typedef struct table {
    uint32_t *community;
    uint64_t *size, *pieces;
    double *internal, *cut, *conductance;
} table;

static weft_status make_table(weft_ctx *ctx, weft_result *r, size_t rows, table *to) {
    const weft_shape shape = WEFT_SHAPE_TABLE;
    weft_status st = wfi_result_column(ctx, r, wfi_new_column("community", WEFT_U32, shape, rows), &to->community);
    if (!st) st = wfi_result_column(ctx, r, wfi_new_column("size", WEFT_U64, shape, rows), &to->size);
    if (!st) st = wfi_result_column(ctx, r, wfi_new_column("internal", WEFT_F64, shape, rows), &to->internal);
    if (!st) st = wfi_result_column(ctx, r, wfi_new_column("cut", WEFT_F64, shape, rows), &to->cut);
    if (!st) st = wfi_result_column(ctx, r, wfi_new_column("conductance", WEFT_F64, shape, rows), &to->conductance);
    if (!st) st = wfi_result_column(ctx, r, wfi_new_column("pieces", WEFT_U64, shape, rows), &to->pieces);
    return st;
}

/* Rows by descending size, with a stable sort by n - size. */
static weft_status fill_table(evaluation *q, const uint32_t *labels, const totals *t, weft_result *r) {
    const wfi_partition *p = &q->parts;
    table to;
    uint64_t *lack = NULL;
    uint32_t *order = NULL;
    weft_status st = make_table(q->ctx, r, (size_t)p->count, &to);
    if (!st) st = wfi_alloc(q->ctx, &lack, (size_t)p->count);
    if (!st) st = wfi_alloc(q->ctx, &order, (size_t)p->count);
    for (uint64_t c = 0; c < p->count && !st; c++) {
        lack[c] = q->g->n - wfi_community_size(p, c);
        order[c] = (uint32_t)c;
    }
    if (!st) st = wfi_sort_pairs(q->ctx, lack, order, (size_t)p->count, wfi_bits(q->g->n));
    for (uint64_t i = 0; i < p->count && !st; i++) {
        uint32_t c = order[i];
        const sums *s = &q->of[c];
        to.community[i] = labels[p->order[p->start[c]]];
        to.size[i] = wfi_community_size(p, c);
        to.internal[i] = real_value(q, q->g->directed ? s->inside : s->inside / 2);
        to.cut[i] = cut_of(q, t, s, &to.conductance[i]);
        to.pieces[i] = s->pieces;
    }
    wfi_free(order);
    wfi_free(lack);
    return st;
}

static weft_status tell(evaluation *q, const uint32_t *labels, weft_result *r) {
    totals t = total_of(q);
    if (!isfinite(real_value(q, t.out)))
        return wfi_fail(q->ctx, WEFT_EINPUT, "quality: the weights sum to more than a double can hold");
    if (!t.out)
        wfi_note(q->ctx, "%s: modularity, coverage and conductance are 0 by convention",
                 q->g->arcs ? "all weights are 0" : "the graph has no edges");
    weft_status st = fill_table(q, labels, &t, r);
    return st ? st
              : WFI_TELL(q->ctx, r, WFI_F64("modularity", modularity(q, &t)), WFI_F64("cpm", cpm(q, &t)),
                         WFI_F64("coverage", t.out ? (double)t.inside / (double)t.out : 0),
                         WFI_U64("communities", q->parts.count), WFI_U64("largest", t.largest),
                         WFI_U64("disconnected", t.disconnected));
}

static weft_status check(weft_ctx *ctx, const weft_graph *g, const weft_quality_params *p) {
    if (!(p->resolution > 0 && isfinite(p->resolution)))
        return wfi_fail(ctx, WEFT_EINVAL, "quality: `resolution` is %g, expected a number above 0", p->resolution);
    weft_status st = wfi_check_weights(ctx, g, "quality", p->weights);
    return st || !p->weights ? st : wfi_graph_refuse_ambiguous(ctx, "quality", g);
}

weft_status weft_partition_quality(weft_ctx *ctx, const weft_graph *g, const uint32_t *labels,
                                   const weft_quality_params *params, weft_result **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, out);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    if (g->n) WFI_NEED_OR_RETURN(ctx, labels);
    weft_quality_params p = WEFT_QUALITY_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_quality_params", params, &p, sizeof p);
    if (!st) st = check(ctx, g, &p);
    if (st) return st;
    evaluation q = {.ctx = ctx, .g = g, .p = &p, .type = p.weights ? g->weight_type : WEFT_WEIGHT_NONE};
    weft_result *r = NULL;
    if (!p.weights) wfi_note_weights_unused(ctx, g, "quality");
    st = scale_weights(&q);
    if (!st && g->directed) st = wfi_graph_need_in(ctx, g);
    if (!st) st = wfi_partition_of(ctx, labels, g->n, &q.parts);
    if (!st) st = wfi_alloc(ctx, &q.parent, g->n);
    if (!st) st = wfi_alloc_zeroed(ctx, &q.of, (size_t)q.parts.count);
    if (!st) st = add_all(&q);
    if (!st && !(r = wfi_result_new(ctx, NULL))) st = WEFT_ENOMEM;
    if (!st) st = tell(&q, labels, r);
    wfi_free(q.of);
    wfi_free(q.parent);
    wfi_partition_free(&q.parts);
    if (st)
        weft_result_free(r);
    else
        *out = r;
    return st;
}
