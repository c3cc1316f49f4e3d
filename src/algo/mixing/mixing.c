/* mixing: who is joined to whom.  Do vertices of many neighbours have neighbours of many, and vertices of one group
 * those of the same [1]; is an arc answered by one back; are those of the highest degrees joined to each other [2]; are
 * two neighbours of a vertex joined?
 * The degree of a vertex is the length of its row, of a directed graph that of both.  Correlations go over arcs, from
 * the out-degree where one begins to the in-degree where it ends; an undirected edge is an arc both ways, a loop one.
 * Needs: any graph; a directed one gets its transpose.
 * Method: each row is gone through once, and what it adds to is integers, divided once at the end (correlate.h).  An
 * edge is counted at its end of smaller degree, so that sums from the highest degree down are the edges within the
 * rich.  Triangles are those of shared/triangles.
 * [1] Newman, "Mixing patterns in networks", Phys. Rev. E 67, 2003.
 * [2] Zhou, Mondragon, "The rich-club phenomenon in the Internet topology", IEEE Commun. Lett. 8(3), 2004. */
#include "algo/mixing/mixing.h"
#include "engines/triangles/triangles.h"
#include "graph/rows.h"
#include "weft/mixing.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

enum { SHARE = 1 << 14, ROWS_AT_ONCE = 64, FEW = 1024 };

static const char *const methods[] = {
    "one pass over rows; triangles, oriented by degree",
    "one pass over rows; triangles, rows as they are",
    "one pass over rows",
};

typedef struct arrays {
    wfi_mixing_columns to;
    uint64_t *degree;
    wfi_degree_counts counts;
    uint64_t *out_of, *in_of; /* arcs that leave and enter each group; NULL: there are no groups */
    uint64_t *corners;
    wfi_oriented o;
    wfi_orienting orienting;
    wfi_triangle_scratch scratch;
} arrays;

void wfi_mixing_lay_out(wfi_workspace *w, const weft_graph *g, wfi_mixing_columns *c) {
    *c = (wfi_mixing_columns){0};
    wfi_column(w, "neighbour_degree", WEFT_F64, g->n, &c->mean);
    wfi_column(w, "reciprocity", WEFT_F64, g->n, &c->reciprocity);
    for (int i = 0; i < 5; i++) wfi_growth(w, 8 * wfi_most_distinct_degrees(g)); /* the table */
}

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const weft_mixing_params *p, int method,
                    arrays *a) {
    *a = (arrays){0};
    wfi_mixing_lay_out(w, g, &a->to);
    uint64_t counting = wfi_mark(w);
    wfi_array(w, &a->degree, g->n);
    wfi_degree_counts_lay_out(w, g, &a->counts);
    if (p->groups) wfi_array(w, &a->out_of, g->n);
    if (p->groups) wfi_array(w, &a->in_of, g->n);
    wfi_rewind(w, counting);
    if (method == WFI_MIXING_NO_TRIANGLES) return;
    wfi_array(w, &a->corners, g->n);
    if (method == WFI_MIXING_LOW_MEMORY) return;
    wfi_oriented_lay_out(w, ctx, g, false, &a->o, &a->orienting);
    wfi_triangles_lay_out(w, ctx, g->n, wfi_oriented_most(g), false, &a->scratch);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_mixing_params *p = params;
    arrays a;
    wfi_workspace *w = &choice->space;
    bool transpose = wfi_need_in(w, ctx, g);
    choice->method = p->transitivity ? WFI_MIXING_ORIENTED : WFI_MIXING_NO_TRIANGLES;
    snprintf(choice->reason, sizeof choice->reason, "%s%s",
             p->transitivity ? "rows say all but how many neighbours of a vertex are joined"
                             : "rows say all, without triangles",
             transpose ? "; the transpose is built first" : "");
    lay_out(w, ctx, g, p, choice->method, &a);
    if (!p->transitivity) return;
    if (wfi_oriented_fits(ctx, choice, WFI_MIXING_LOW_MEMORY)) return;
    wfi_need_in(w, ctx, g);
    lay_out(w, ctx, g, p, WFI_MIXING_LOW_MEMORY, &a);
}

/* --- rows --------------------------------------------------------------------------------- */

typedef struct mixing {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_vid *group; /* NULL: there are none */
    arrays a;
    wfi_mixing_totals all;
    bool stop; /* atomically */
} mixing;

static bool stops(mixing *m) {
    if (wfi_cancelled(m->ctx)) __atomic_store_n(&m->stop, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&m->stop, __ATOMIC_RELAXED);
}

/* What the arcs of one row say. */
typedef struct row {
    wfi_sum out, in; /* degrees at the other ends */
    uint64_t arcs, within, same, loops, mutual;
} row;

static void read_out(mixing *m, weft_vid v, row *r) {
    const weft_graph *g = m->g;
    const wfi_view *out = &g->out, *in = g->directed ? &g->in : &g->out;
    const uint64_t *degree = m->a.degree, mine = degree[v];
    r->arcs = wfi_degree(out, v);
    for (weft_eid e = out->offsets[v]; e < out->offsets[v + 1]; e++) {
        weft_vid u = out->targets[e];
        if (e % WFI_POLL_EVERY == 0 && stops(m)) return;
        r->out += wfi_degree(out, u);
        r->in += wfi_degree(in, u);
        r->same += m->group && m->group[u] == m->group[v];
        r->loops += u == v;
        /* An undirected edge between different degrees is met from its smaller end for both its arcs. */
        if (u != v) r->within += degree[u] > mine ? g->directed ? 1 : 2 : degree[u] == mine;
    }
}

/* Of arcs in those from higher degrees; and arcs out that are answered.  *answers: arcs in that are. */
static void read_in(mixing *m, weft_vid v, row *r, uint64_t *answers) {
    const wfi_view *out = &m->g->out, *in = &m->g->in;
    weft_eid e = out->offsets[v], end = out->offsets[v + 1];
    for (weft_eid i = in->offsets[v]; i < in->offsets[v + 1]; i++) {
        weft_vid u = in->targets[i];
        if (i % WFI_POLL_EVERY == 0 && stops(m)) return;
        if (u == v) continue;
        r->within += m->a.degree[u] > m->a.degree[v];
        bool first = i == in->offsets[v] || in->targets[i - 1] != u;
        while (first && e < end && out->targets[e] < u) e++;
        for (; first && e < end && out->targets[e] == u; e++) r->mutual++;
        *answers += e > out->offsets[v] && out->targets[e - 1] == u;
    }
}

static void read_row(mixing *m, weft_vid v, wfi_mixing_totals *t, uint64_t few[FEW]) {
    const weft_graph *g = m->g;
    const wfi_mixing_columns *to = &m->a.to;
    row r = {0};
    uint64_t answers = 0, out = wfi_degree(&g->out, v), in = g->directed ? wfi_degree(&g->in, v) : out;
    read_out(m, v, &r);
    if (g->directed)
        read_in(m, v, &r, &answers);
    else
        answers = r.mutual = r.arcs - r.loops;
    uint64_t ends = out + in - 2 * r.loops, place = wfi_lower_bound_u64(to->value, 0, to->distinct, m->a.degree[v]);
    to->mean[v] = out ? (double)r.out / (double)out : 0;
    to->reciprocity[v] = ends ? (double)(r.mutual + answers) / (double)ends : (double)NAN;
    if (place < FEW)
        few[place] += r.within;
    else
        wfi_add_to(&to->within[place], r.within);
    t->degrees.x += (wfi_sum)out * out;
    t->degrees.y += (wfi_sum)in * in;
    t->degrees.xx += (wfi_sum)out * out * out;
    t->degrees.yy += (wfi_sum)in * in * in;
    t->degrees.xy += out * r.in;
    t->same += r.same;
    t->mutual += r.mutual;
    t->loops += r.loops;
}

static weft_status read_rows(mixing *m) {
    const weft_graph *g = m->g;
#pragma omp parallel num_threads(wfi_threads_for(m->ctx, g->n + g->arcs, SHARE))
    {
        wfi_mixing_totals mine = {0};
        uint64_t few[FEW] = {0};
#pragma omp for schedule(dynamic, ROWS_AT_ONCE) nowait
        for (weft_vid v = 0; v < g->n; v++) {
            if (v % ROWS_AT_ONCE == 0) stops(m);
            if (!__atomic_load_n(&m->stop, __ATOMIC_RELAXED)) read_row(m, v, &mine, few);
        }
        for (size_t i = 0; i < FEW && i < m->a.to.distinct; i++) wfi_add_to(&m->a.to.within[i], few[i]);
#pragma omp critical(wfi_mixing)
        for (size_t i = 0; i < sizeof mine / sizeof(wfi_sum); i++) ((wfi_sum *)&m->all)[i] += ((wfi_sum *)&mine)[i];
    }
    return m->stop ? wfi_fail_cancelled(m->ctx) : WEFT_OK;
}

/* --- the table, and single figures ----------------------------------------------------------- */

/* The share of the possible arcs between so many vertices. */
static double share_of(uint64_t arcs, uint64_t vertices) {
    return (double)arcs / ((double)vertices * (double)(vertices - 1));
}

/* From the highest degree down: who has as many or more, and what joins them. */
static void list_clubs(const weft_graph *g, const wfi_mixing_columns *c) {
    uint64_t vertices = 0, arcs = 0;
    for (size_t i = c->distinct; i--;) {
        vertices += c->count[i];
        arcs += c->within[i];
        c->club[i] = vertices;
        c->within[i] = g->directed ? arcs : arcs / 2;
        c->rich[i] = vertices > 1 ? share_of(arcs, vertices) : (double)NAN;
    }
}

static weft_status count_groups(mixing *m) {
    const weft_graph *g = m->g;
    const arrays *a = &m->a;
    if (!m->group) return WEFT_OK;
    for (weft_vid v = 0; v < g->n; v++) a->out_of[v] = a->in_of[v] = 0;
    for (weft_vid v = 0; v < g->n; v++) {
        if (v % SHARE == 0 && wfi_cancelled(m->ctx)) return wfi_fail_cancelled(m->ctx);
        a->out_of[m->group[v]] += wfi_degree(&g->out, v);
        a->in_of[m->group[v]] += wfi_degree(g->directed ? &g->in : &g->out, v);
    }
    for (weft_vid v = 0; v < g->n; v++) m->all.chance += (wfi_sum)a->out_of[v] * a->in_of[v];
    return WEFT_OK;
}

/* Newman's coefficient: arcs within groups against those that would be there by chance. */
static double likeness_of(const weft_graph *g, const wfi_mixing_totals *t) {
    double most = wfi_products_apart(g->arcs, g->arcs, 1, t->chance);
    return most > 0 ? wfi_products_apart(g->arcs, t->same, 1, t->chance) / most : (double)NAN;
}

static weft_status find_transitivity(wfi_job *job, arrays *a, double *transitivity) {
    const weft_graph *g = job->g;
    weft_ctx *ctx = job->ctx;
    bool lean = job->choice->method == WFI_MIXING_LOW_MEMORY;
    uint64_t triangles = 0, wedges = 0;
    weft_status st = lean ? wfi_count_triangles_lean(ctx, g, a->corners, &triangles)
                          : wfi_oriented_make(ctx, job->space, g, false, &a->orienting, &a->o);
    if (!st && !lean) st = wfi_count_triangles(ctx, &a->o, &a->scratch, a->corners, NULL, &triangles);
    if (st) return st;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : wedges) num_threads(wfi_threads_for(ctx, g->n, SHARE))
    for (weft_vid v = 0; v < g->n; v++) {
        uint64_t degree = lean ? 0 : a->o.degree[v];
        if (lean)
            for (wfi_merger near = wfi_neighbours(g, v); wfi_next_neighbour(&near);) degree++;
        wedges += degree * (degree - (degree > 0)) / 2;
    }
    *transitivity = wfi_clustering_transitivity(&(wfi_clustering_totals){triangles, wedges, 0, 0});
    return WEFT_OK;
}

/* --- run ----------------------------------------------------------------------------------- */

weft_status wfi_mixing_tell(wfi_job *job, const wfi_mixing_columns *c, const wfi_mixing_totals *t,
                            double transitivity) {
    const weft_graph *g = job->g;
    const weft_mixing_params *p = job->params;
    uint64_t arcs = g->arcs - (uint64_t)t->loops, mutual = (uint64_t)t->mutual;
    double likeness = p->groups ? likeness_of(g, t) : (double)NAN;
    list_clubs(g, c);
    return WFI_TELL(job->ctx, job->result, WFI_F64("density", g->n > 1 ? share_of(arcs, g->n) : 0),
                    WFI_F64("assortativity", wfi_correlation(g->arcs, &t->degrees)),
                    WFI_F64("group_assortativity", likeness),
                    WFI_F64("reciprocity", arcs ? (double)mutual / (double)arcs : (double)NAN),
                    WFI_U64("mutual", mutual), WFI_F64("transitivity", transitivity));
}

weft_status wfi_mixing_list(wfi_workspace *w, const wfi_degree_counts *counts, wfi_mixing_columns *c) {
    c->distinct = wfi_distinct_degrees(counts);
    wfi_grown_column(w, "degree", WEFT_U64, c->distinct, &c->value);
    wfi_grown_column(w, "count", WEFT_U64, c->distinct, &c->count);
    wfi_grown_column(w, "club", WEFT_U64, c->distinct, &c->club);
    wfi_grown_column(w, "club_edges", WEFT_U64, c->distinct, &c->within);
    wfi_grown_column(w, "rich_club", WEFT_F64, c->distinct, &c->rich);
    if (!w->status) wfi_list_degrees(counts, c->value, c->count);
    return w->status;
}

/* The degrees that occur, and how many vertices have each; then what the rows say of them. */
static weft_status mix(wfi_job *job, mixing *m) {
    arrays *a = &m->a;
    weft_status st = wfi_degrees(m->ctx, m->g, WEFT_SIDE_BOTH, a->degree);
    if (st) return st;
    wfi_count_degrees(m->ctx, a->degree, m->g->n, &a->counts);
    st = wfi_mixing_list(job->space, &a->counts, &a->to);
    if (st) return st;
    for (size_t i = 0; i < a->to.distinct; i++) a->to.within[i] = 0;
    st = read_rows(m);
    return st ? st : count_groups(m);
}

static weft_status run_cpu(wfi_job *job) {
    const weft_mixing_params *p = job->params;
    mixing m = {.ctx = job->ctx, .g = job->g, .group = p->groups};
    double transitivity = (double)NAN;
    lay_out(job->space, job->ctx, job->g, p, job->choice->method, &m.a);
    weft_status st = job->space->status;
    if (!st) st = mix(job, &m);
    if (!st && p->transitivity) st = find_transitivity(job, &m.a, &transitivity);
    return st ? st : wfi_mixing_tell(job, &m.a.to, &m.all, transitivity);
}

static void work(const weft_graph *g, const void *params, wfi_work *to) {
    if (((const weft_mixing_params *)params)->transitivity) wfi_work_of_triangles(g, params, to);
}

static const weft_param_info params_info[] = {
    {"groups", WEFT_PARAM_LABELS, offsetof(weft_mixing_params, groups), "", 0, 0, NULL,
     "a label for each vertex, such as a department: are arcs within groups more than chance would have them?"},
    {"transitivity", WEFT_PARAM_BOOL, offsetof(weft_mixing_params, transitivity), "yes", 0, 1, NULL,
     "with transitivity: triangles are counted, which takes longer than all the rest"},
};
static const weft_result_info results[] = {
    {"neighbour_degree", WEFT_F64, WEFT_SHAPE_VERTICES, "mean degree of the vertices that its arcs lead to"},
    {"reciprocity", WEFT_F64, WEFT_SHAPE_VERTICES, "share of the vertex's arcs whose reverse exists, loops left out"},
    {"degree", WEFT_U64, WEFT_SHAPE_TABLE, "each degree that occurs"},
    {"count", WEFT_U64, WEFT_SHAPE_TABLE, "vertices of this degree"},
    {"club", WEFT_U64, WEFT_SHAPE_TABLE, "vertices of this degree or more"},
    {"club_edges", WEFT_U64, WEFT_SHAPE_TABLE, "edges between two of these"},
    {"rich_club", WEFT_F64, WEFT_SHAPE_TABLE, "share of the possible edges between these that exist"},
    {"density", WEFT_F64, WEFT_SHAPE_SCALAR, "share of the possible edges that exist"},
    {"assortativity", WEFT_F64, WEFT_SHAPE_SCALAR, "correlation of the degrees at the two ends of an edge"},
    {"group_assortativity", WEFT_F64, WEFT_SHAPE_SCALAR,
     "with `groups`: 1 if edges are within groups only, 0 if as chance has them"},
    {"reciprocity", WEFT_F64, WEFT_SHAPE_SCALAR, "share of the arcs whose reverse exists, loops left out"},
    {"mutual", WEFT_U64, WEFT_SHAPE_SCALAR, "arcs whose reverse exists"},
    {"transitivity", WEFT_F64, WEFT_SHAPE_SCALAR, "3 x triangles / wedges of the undirected view"},
};
/* Sums along rows have 64 bits there. */
static const char *serves_cuda(const weft_graph *g, const void *params) {
    (void)params;
    return g->arcs > UINT32_MAX ? "mixing is on the GPU for graphs of fewer than 2^32 arcs" : NULL;
}

const wfi_algorithm wfi_algorithm_mixing = {
    WFI_DESCRIBE(mixing, (const weft_mixing_params)WEFT_MIXING_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "who is joined to whom: assortativity, reciprocity, rich club, transitivity, density",
    .info.top_by = "neighbour_degree",
    .info.model = "none: how far rows are compared for triangles depends on the graph",
    .serves_cuda = serves_cuda,
    .work = work,
    WFI_ON_CPU(plan_cpu, run_cpu),
    WFI_ON_CUDA(wfi_mixing_plan_cuda, wfi_mixing_cuda),
};
