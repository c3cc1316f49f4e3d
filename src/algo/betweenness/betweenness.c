/* betweenness: how many shortest paths lead through each vertex, and on request along each edge, by hops.  On CPU
 * cores.  Needs: any graph; a directed one gets its transpose.
 * Method: Brandes' algorithm from many sources at once (ops/from_sources.h), then one factor. */
#include "algo/edge_rows.h"
#include "core/search.h"
#include "ops/from_sources.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { SHARE = 1 << 14, BLOCK = 1 << 14 };
enum { SIDE_BY_SIDE = 0, TOGETHER };

/* Batches side by side take no more than this beyond the first: 4 GiB. */
static const uint64_t MOST_BYTES = (uint64_t)4 << 30;

typedef struct arrays {
    double *betweenness;
    wfi_edge_rows edges;
    double *edge_betweenness;
    uint8_t *wanted, *sampled; /* sources still to be put in order; vertices that are one */
    uint8_t *is_target;
    weft_vid *order;
    wfi_from_sources from;
} arrays;

static uint64_t sources_most(const weft_graph *g, const weft_betweenness_params *p) {
    return p->sources ? wfi_min_u64(p->source_count, g->n) : g->n;
}

static int batches_at_once(const weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p) {
    uint64_t batches = (sources_most(g, p) + WFI_LANES_CPU - 1) / WFI_LANES_CPU, threads = (uint64_t)wfi_threads(ctx);
    bool room = wfi_from_sources_bytes(g, p->edges) <= MOST_BYTES / threads;
    return batches >= threads && room ? (int)threads : 1;
}

static void lay_out(wfi_workspace *w, const weft_graph *g, const weft_betweenness_params *p, int at_once, arrays *a) {
    wfi_column(w, "betweenness", WEFT_F64, g->n, &a->betweenness);
    if (p->edges) wfi_edge_rows_lay_out(w, g, &a->edges);
    if (p->edges) wfi_edge_column(w, "edge_betweenness", WEFT_F64, g->edges, &a->edge_betweenness);
    wfi_array(w, &a->wanted, g->n);
    wfi_array(w, &a->sampled, g->n);
    a->is_target = NULL;
    if (p->targets) wfi_array(w, &a->is_target, g->n);
    wfi_array_within(w, &a->order, sources_most(g, p));
    a->from = (wfi_from_sources){.g = g, .arcs = p->edges, .ends = p->endpoints, .at_once = at_once};
    wfi_from_sources_lay_out(w, g, &a->from);
}

static const char *const methods[] = {"16 searches at once, each core its own",
                                      "16 searches at once, cores share them"};

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_betweenness_params *p = params;
    wfi_workspace *w = &choice->space;
    arrays a;
    int at_once = batches_at_once(ctx, g, p);
    wfi_need_in(w, ctx, g);
    lay_out(w, g, p, at_once, &a);
    bool fits = wfi_workspace_fits(w, ctx);
    if (at_once > 1 && !fits) {
        *w = (wfi_workspace){0};
        wfi_need_in(w, ctx, g);
        at_once = 1;
        lay_out(w, g, p, at_once, &a);
    }
    choice->variant = at_once > 1 ? SIDE_BY_SIDE : TOGETHER;
    choice->method = methods[choice->variant];
    snprintf(choice->reason, sizeof choice->reason, "%llu source%s; %s", (unsigned long long)sources_most(g, p),
             wfi_s(sources_most(g, p)),
             at_once > 1 ? "there is memory for a batch on each core"
             : fits      ? "one batch at a time suffices, or is all that 4 GiB hold"
                         : "the memory limit has room for one batch at a time");
}

/* --- scaling ---------------------------------------------------------------------------- */

/* Factors of the sums: NetworkX's of version 3.6.  A sample stands for all sources; of a sampled vertex, which is no
 * end of a path through it, there is one source less. */
typedef struct factors {
    double source, other;
} factors;

static factors factors_of(const weft_graph *g, const weft_betweenness_params *p, uint64_t sources, bool ends) {
    double n = ends ? (double)g->n : (double)g->n - 1;
    bool sample = p->sources && !p->targets;
    double k = sample ? (double)sources : n, top = p->normalized ? 1 : n;
    double per_source = p->normalized ? n - 1 : g->directed ? 1 : 2;
    if (n < 2) return (factors){1, 1};
    factors f = {top / (k * per_source), top / (k * per_source)};
    if (sample && !ends) f.source = sources > 1 ? top / ((k - 1) * per_source) : (double)NAN;
    return f;
}

static weft_status tell_vertices(weft_ctx *ctx, const weft_graph *g, const arrays *a, factors f) {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->n, SHARE))
    for (weft_vid v = 0; v < g->n; v++)
        a->betweenness[v] = wfi_wide_value(a->from.batch.at_vertex[v]) * (a->sampled[v] ? f.source : f.other);
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* An undirected edge has two arcs: the k-th from u to v and the k-th from v to u. */
static wfi_wide_sum sum_of_edge(const weft_graph *g, const arrays *a, weft_vid u, weft_vid v, weft_eid e) {
    wfi_wide_sum sum = a->from.batch.at_arc[e];
    if (g->directed || u == v) return sum;
    const weft_eid *at = g->out.offsets;
    weft_eid first = wfi_lower_bound_u32(g->out.targets, at[u], at[u + 1], v);
    weft_eid back = wfi_lower_bound_u32(g->out.targets, at[v], at[v + 1], u) + (e - first);
    wfi_wide_join(&sum, a->from.batch.at_arc[back]);
    return sum;
}

static weft_status tell_edges(weft_ctx *ctx, const weft_graph *g, arrays *a, double factor) {
    weft_status st = wfi_edge_rows_make(ctx, g, &a->edges);
    if (st) return st;
    const uint64_t *from = wfi_edge_rows_from(g, &a->edges);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, a->edges.count, SHARE))
    for (uint64_t begin = 0; begin < a->edges.count; begin += BLOCK) {
        uint64_t end = wfi_min_u64(begin + BLOCK, a->edges.count);
        if (wfi_cancelled(ctx)) continue;
        for (uint64_t i = begin; i < end; i++) {
            weft_vid u = a->edges.source[i];
            weft_eid e = g->out.offsets[u + 1] - (from[u + 1] - i);
            a->edge_betweenness[i] = wfi_wide_value(sum_of_edge(g, a, u, a->edges.target[i], e)) * factor;
        }
    }
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* --- run -------------------------------------------------------------------------------- */

/* Marks what is asked for; a vertex that is listed twice counts once.  Returns the number of sources. */
static uint64_t mark(const weft_graph *g, const weft_betweenness_params *p, arrays *a) {
    uint64_t sources = p->sources ? 0 : g->n;
    memset(a->wanted, !p->sources, g->n);
    memset(a->sampled, 0, g->n);
    for (size_t i = 0; i < p->source_count; i++) {
        sources += !a->wanted[p->sources[i]];
        a->wanted[p->sources[i]] = a->sampled[p->sources[i]] = 1;
    }
    if (a->is_target) memset(a->is_target, 0, g->n);
    for (size_t i = 0; i < p->target_count; i++) a->is_target[p->targets[i]] = 1;
    return sources;
}

static weft_status run_cpu(wfi_job *job) {
    const weft_graph *g = job->g;
    const weft_betweenness_params *p = job->params;
    arrays a;
    int at_once = job->choice->variant == SIDE_BY_SIDE ? batches_at_once(job->ctx, g, p) : 1;
    lay_out(job->space, g, p, at_once, &a);
    weft_status st = job->space->status;
    if (st) return st;
    uint64_t sources = mark(g, p, &a);
    a.from.sources = a.order;
    a.from.targets = a.is_target;
    a.from.count = wfi_from_sources_order(g, a.wanted, a.order);
    st = wfi_from_sources_run(job->ctx, &a.from);
    if (!st) st = tell_vertices(job->ctx, g, &a, factors_of(g, p, sources, p->endpoints));
    if (!st && p->edges) st = tell_edges(job->ctx, g, &a, factors_of(g, p, sources, true).other);
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "sources", sources);
}

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_betweenness_params *p = params;
    if (p->endpoints && p->targets)
        return wfi_fail(ctx, WEFT_EINVAL, "betweenness: `endpoints` and `targets` exclude each other");
    weft_status st = wfi_check_vertices(ctx, g, "betweenness", "sources", p->sources, p->source_count);
    return st ? st : wfi_check_vertices(ctx, g, "betweenness", "targets", p->targets, p->target_count);
}

/* --- descriptor ------------------------------------------------------------------------- */

/* Out and back, for each source. */
static void work(const weft_graph *g, const void *params, wfi_work *w) {
    const weft_betweenness_params *p = params;
    double n = g ? g->n : 1e6;
    w->passes = p->sources ? (double)p->source_count : n;
    w->levels = 1;
}

#define FIELD(name) offsetof(weft_betweenness_params, name)
static const weft_param_info params_info[] = {
    {"sources", WEFT_PARAM_VERTICES, FIELD(sources), "", 0, 0, NULL,
     "only paths from these, which stand for all: ids, ids in a file or K random vertices"},
    {"targets", WEFT_PARAM_VERTICES, FIELD(targets), "", 0, 0, NULL,
     "only paths to these; then `sources` stand for themselves"},
    {"normalized", WEFT_PARAM_BOOL, FIELD(normalized), "no", 0, 1, NULL,
     "divide by the number of pairs of other vertices"},
    {"endpoints", WEFT_PARAM_BOOL, FIELD(endpoints), "no", 0, 1, NULL, "the ends of a path count as well"},
    {"edges", WEFT_PARAM_BOOL, FIELD(edges), "no", 0, 1, NULL, "rows are edges: the paths that lead along each"},
};
static const weft_result_info results[] = {
    {"betweenness", WEFT_F64, WEFT_SHAPE_VERTICES, "the part of shortest paths that leads through the vertex"},
    {"source", WEFT_VERTEX, WEFT_SHAPE_EDGES, "with `edges`: one end of the edge"},
    {"target", WEFT_VERTEX, WEFT_SHAPE_EDGES, "with `edges`: the other end"},
    {"edge_betweenness", WEFT_F64, WEFT_SHAPE_EDGES, "with `edges`: the part of shortest paths that leads along it"},
    {"sources", WEFT_U64, WEFT_SHAPE_SCALAR, "vertices that paths were counted from"},
};
static const weft_betweenness_params standard = WEFT_BETWEENNESS_DEFAULTS;

const wfi_algorithm wfi_algorithm_betweenness = {
    WFI_DESCRIBE(betweenness, standard, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "betweenness: the part of all shortest paths that leads through a vertex, or along an edge",
    .info.top_by = "betweenness",
    .info.model = "none: how many arcs searches look at depends on the graph",
    .cpu_cost = {20000, 400000, 400000, 0, 0},
    .on_request = (const char *const[]){"source", "target", "edge_betweenness", NULL},
    .validate = validate,
    .work = work,
    .plan_cpu = plan_cpu,
    .run_cpu = run_cpu,
};
