/* betweenness: how many shortest paths lead through each vertex, and on request along each edge.
 * Needs: any graph; a directed one gets its transpose, unless paths are by weights, which are above 0.
 * Method: Brandes' algorithm from many sources (algo/betweenness/brandes.h), then one factor; or random paths
 * (sampled.c). */
#include "algo/betweenness/betweenness.h"
#include "algo/betweenness/brandes.h"
#include "algo/betweenness/random_path.h"
#include "core/search.h"
#include "run/costs.h"
#include "run/edge_rows.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { SHARE = 1 << 14, BLOCK = 1 << 14 };

/* Searches side by side take no more than this beyond the first: 4 GiB. */
static const uint64_t MOST_BYTES = (uint64_t)4 << 30;

/* Random paths are for larger errors: fewer than 2^62 of them are enough. */
static const double LEAST_ERROR = 1e-8;

/* A search by weights beside one of 16 lanes by hops. */
static const double LENGTHS_DEARER = 16;
static const double SHORT_MS = 30000; /* who draws random paths is told that all would not take longer */

static const weft_betweenness_params standard = WEFT_BETWEENNESS_DEFAULTS;

/* What takes longer is begun when it is asked for twice: 10 minutes. */
static const double LONG_MS = 600000;

typedef struct arrays {
    double *betweenness;
    wfi_edge_rows edges;
    double *edge_betweenness;
    wfi_between_sources sources;
    wfi_brandes from;
} arrays;

uint64_t wfi_between_sources_most(const weft_graph *g, const weft_betweenness_params *p) {
    return p->sources ? wfi_min_u64(p->source_count, g->n) : g->n;
}

static int batches_at_once(const weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p) {
    uint64_t lanes = p->weights ? 1 : WFI_LANES, threads = (uint64_t)wfi_threads(ctx);
    uint64_t batches = (wfi_between_sources_most(g, p) + lanes - 1) / lanes;
    uint64_t bytes = p->weights ? wfi_brandes_length_bytes(g, p->edges) : wfi_brandes_bytes(g, p->edges);
    return batches >= threads && bytes <= MOST_BYTES / threads ? (int)threads : 1;
}

bool wfi_between_folds(const weft_graph *g, const weft_betweenness_params *p) {
    return !g->directed && !p->sources && !p->targets && !p->weights;
}

void wfi_between_sources_lay_out(wfi_workspace *w, const weft_graph *g, const weft_betweenness_params *p,
                                 wfi_between_sources *s) {
    wfi_array(w, &s->wanted, g->n);
    wfi_array(w, &s->sampled, g->n);
    s->is_target = NULL;
    if (p->targets) wfi_array(w, &s->is_target, g->n);
    wfi_array_within(w, &s->order, wfi_between_sources_most(g, p));
    s->folds = (wfi_pendant_trees){NULL, NULL};
    if (!wfi_between_folds(g, p)) return;
    wfi_array(w, &s->folds.below, g->n);
    wfi_array(w, &s->folds.all, g->n);
}

static void lay_out(wfi_workspace *w, const weft_graph *g, const weft_betweenness_params *p, int at_once, arrays *a) {
    wfi_column(w, "betweenness", WEFT_F64, g->n, &a->betweenness);
    if (p->edges) wfi_edge_rows_lay_out(w, g, &a->edges);
    if (p->edges) wfi_edge_column(w, "edge_betweenness", WEFT_F64, g->edges, &a->edge_betweenness);
    wfi_between_sources_lay_out(w, g, p, &a->sources);
    a->from = (wfi_brandes){.g = g, .arcs = p->edges, .ends = p->endpoints, .at_once = at_once};
    if (p->weights)
        wfi_brandes_lay_out_lengths(w, g, &a->from);
    else
        wfi_brandes_lay_out(w, g, &a->from);
}

static const char *const methods[] = {
    "16 searches at once, each core its own",    "16 searches at once, cores share them",
    "searches by weights, each core its own",    "searches by weights, one after another",
    "random paths, each core its own",           "random paths, one after another",
    "16 searches at once, levels in one kernel",
};

/* Out and back, for each source.  How many paths will be drawn is not known, nor which part of the arcs a search for
 * one looks at: as if they were few sources. */
static void work(const weft_graph *g, const void *params, wfi_work *w) {
    const weft_betweenness_params *p = params;
    double n = g->n;
    wfi_work_of_search(g, params, w); /* levels, and whether they have a few vertices each */
    w->passes = p->error > 0 ? fmin(n, 64) : p->sources ? (double)p->source_count : n;
    w->levels *= ceil(w->passes / WFI_LANES);
    if (p->weights) w->cpu_dearer = LENGTHS_DEARER;
}

/* By the built-in costs, so that a plan is the same everywhere. */
static double predicted_ms(const weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p, bool on_gpu) {
    wfi_situation s = {.algorithm = "betweenness", .arcs = g->arcs, .threads = wfi_threads(ctx)};
    work(g, p, &s.work);
    wfi_estimate e = wfi_estimate_run(wfi_machine_costs_here(), &s);
    return on_gpu ? e.work : e.cpu;
}

static const char *time_text(char room[32], double ms) {
    double s = ms / 1000;
    if (s < 0.1)
        snprintf(room, 32, "0.1 s or less");
    else if (s < 100)
        snprintf(room, 32, "%.2g s", s);
    else if (s < 7200)
        snprintf(room, 32, "%.0f minutes", s / 60);
    else
        snprintf(room, 32, "%.0f hours", s / 3600);
    return room;
}

void wfi_between_expect(const weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p, bool on_gpu,
                        wfi_choice *choice) {
    char time[32];
    uint64_t most = wfi_between_sources_most(g, p);
    snprintf(choice->reason, sizeof choice->reason, "%llu source%s, about %s; ", (unsigned long long)most,
             wfi_plural(most), time_text(time, predicted_ms(ctx, g, p, on_gpu)));
}

static void plan_sources(const weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p,
                         wfi_choice *choice) {
    wfi_workspace *w = &choice->space, empty = *w;
    arrays a;
    int at_once = batches_at_once(ctx, g, p);
    if (!p->weights) wfi_need_in(w, ctx, g);
    lay_out(w, g, p, at_once, &a);
    bool fits = wfi_workspace_fits(w, ctx);
    if (at_once > 1 && !fits) {
        *w = empty;
        if (!p->weights) wfi_need_in(w, ctx, g);
        at_once = 1;
        lay_out(w, g, p, at_once, &a);
    }
    *WFI_DECIDED(int, choice) = at_once;
    if (p->weights)
        choice->method = at_once > 1 ? WFI_BETWEEN_LENGTHS : WFI_BETWEEN_LENGTHS_ALONE;
    else
        choice->method = at_once > 1 ? WFI_BETWEEN_SIDE_BY_SIDE : WFI_BETWEEN_TOGETHER;
    const char *what = p->weights ? "search" : "batch";
    wfi_between_expect(ctx, g, p, false, choice);
    size_t said = strlen(choice->reason);
    snprintf(choice->reason + said, sizeof choice->reason - said,
             at_once > 1 ? "there is memory for a %s on each core"
             : fits      ? "one %s at a time suffices, or is all that 4 GiB hold"
                         : "the memory limit has room for one %s at a time",
             what);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_betweenness_params *p = params;
    if (p->error > 0)
        wfi_betweenness_plan_sampled(ctx, g, p, choice);
    else
        plan_sources(ctx, g, p, choice);
}

/* --- scaling ---------------------------------------------------------------------------- */

/* Factors of the sums: NetworkX's of version 3.6.  A sample stands for all sources; of a sampled vertex, which is no
 * end of a path through it, there is one source less. */
wfi_between_factors wfi_between_factors_of(const weft_graph *g, const weft_betweenness_params *p, uint64_t sources,
                                           bool ends) {
    double n = ends ? (double)g->n : (double)g->n - 1;
    bool sample = p->sources && !p->targets;
    double k = sample ? (double)sources : n, top = p->normalized ? 1 : n;
    double per_source = p->normalized ? n - 1 : g->directed ? 1 : 2;
    if (n < 2) return (wfi_between_factors){1, 1};
    wfi_between_factors f = {top / (k * per_source), top / (k * per_source)};
    if (sample && !ends) f.source = sources > 1 ? top / ((k - 1) * per_source) : (double)NAN;
    return f;
}

static const wfi_wide_sum *vertex_sums(const arrays *a) {
    return a->from.search.at_vertex ? a->from.search.at_vertex : a->from.batch.at_vertex;
}

static const wfi_wide_sum *arc_sums(const arrays *a) {
    return a->from.search.at_vertex ? a->from.search.at_arc : a->from.batch.at_arc;
}

static weft_status tell_vertices(weft_ctx *ctx, const weft_graph *g, const arrays *a, wfi_between_factors f) {
    const wfi_wide_sum *sum = vertex_sums(a);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->n, SHARE))
    for (weft_vid v = 0; v < g->n; v++)
        a->betweenness[v] = wfi_wide_value(sum[v]) * (a->sources.sampled[v] ? f.source : f.other);
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* An undirected edge has two arcs: the k-th from u to v and the k-th from v to u. */
static wfi_wide_sum sum_of_edge(const weft_graph *g, const arrays *a, weft_vid u, weft_vid v, weft_eid e) {
    const wfi_wide_sum *at_arc = arc_sums(a);
    wfi_wide_sum sum = at_arc[e];
    if (g->directed || u == v) return sum;
    const weft_eid *at = g->out.offsets;
    weft_eid first = wfi_lower_bound_u32(g->out.targets, at[u], at[u + 1], v);
    weft_eid back = wfi_lower_bound_u32(g->out.targets, at[v], at[v + 1], u) + (e - first);
    wfi_wide_join(&sum, at_arc[back]);
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
static uint64_t mark(const weft_graph *g, const weft_betweenness_params *p, wfi_between_sources *s) {
    uint64_t sources = p->sources ? 0 : g->n;
    memset(s->wanted, !p->sources, g->n);
    memset(s->sampled, 0, g->n);
    for (size_t i = 0; i < p->source_count; i++) {
        sources += !s->wanted[p->sources[i]];
        s->wanted[p->sources[i]] = s->sampled[p->sources[i]] = 1;
    }
    if (s->is_target) memset(s->is_target, 0, g->n);
    for (size_t i = 0; i < p->target_count; i++) s->is_target[p->targets[i]] = 1;
    return sources;
}

weft_status wfi_between_sources_make(weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p,
                                     wfi_between_sources *s) {
    s->marked = mark(g, p, s);
    weft_status st = s->folds.below ? wfi_pendant_trees_make(ctx, g, &s->folds, s->order) : WEFT_OK;
    if (st) return st;
    for (weft_vid v = 0; v < g->n && s->folds.below; v++) s->wanted[v] = !s->folds.below[v];
    s->count = wfi_brandes_order(ctx, g, s->wanted, s->order);
    return WEFT_OK;
}

weft_status wfi_between_may_begin(weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p,
                                  const wfi_between_sources *s, bool on_gpu) {
    char time[32];
    double ms = p->exact || p->sources || !g->n ? 0 : predicted_ms(ctx, g, p, on_gpu) * (double)s->count / g->n;
    if (ms <= LONG_MS) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL,
                    "betweenness: from all %u vertices it takes about %s; `error=0.01` draws random paths until no "
                    "normalised value is off by more, `sources=random:64` goes from a few, and `exact` does it all",
                    g->n, time_text(time, ms));
}

static weft_status run_sources(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_betweenness_params *p = job->params;
    arrays a;
    lay_out(job->space, g, p, *WFI_DECIDED(int, job->choice), &a);
    weft_status st = job->space->status;
    if (!st) st = wfi_between_sources_make(ctx, g, p, &a.sources);
    if (!st) st = wfi_between_may_begin(ctx, g, p, &a.sources, false);
    if (st) return st;
    uint64_t sources = a.sources.marked;
    a.from.sources = a.sources.order;
    a.from.targets = a.sources.is_target;
    a.from.folds = a.sources.folds;
    a.from.count = a.sources.count;
    st = p->weights ? wfi_brandes_run_lengths(ctx, &a.from) : wfi_brandes_run(ctx, &a.from);
    if (!st) st = tell_vertices(ctx, g, &a, wfi_between_factors_of(g, p, sources, p->endpoints));
    if (!st && p->edges) st = tell_edges(ctx, g, &a, wfi_between_factors_of(g, p, sources, true).other);
    return st ? st : wfi_result_scalar_u64(ctx, job->result, "sources", sources);
}

static weft_status run_cpu(wfi_job *job) {
    const weft_betweenness_params *p = job->params;
    return p->error > 0 ? wfi_betweenness_run_sampled(job) : run_sources(job);
}

static const char *serves_cuda(const weft_graph *g, const void *params) {
    const weft_betweenness_params *p = params;
    (void)g;
    if (p->error > 0) return "random paths are drawn on the CPU";
    return p->weights ? "paths by weights are searched on the CPU" : NULL;
}

/* --- what may be asked for -------------------------------------------------------------- */

static weft_status check_sampled(weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p) {
    const struct {
        bool given;
        const char *name, *why;
    } refused[] = {
        {p->sources, "sources", "paths are drawn from all vertices"},
        {p->targets, "targets", "paths are drawn to all vertices"},
        {p->endpoints, "endpoints", "the bound is of inner vertices"},
        {p->edges, "edges", "the bound is of vertices"},
        {p->weights, "weights", "paths are drawn by hops"},
        {p->exact, "exact", "values from random paths are not"},
    };
    for (size_t i = 0; i < WFI_LENGTH(refused); i++)
        if (refused[i].given)
            return wfi_fail(ctx, WEFT_EINVAL, "betweenness: `error` and `%s` exclude each other: %s", refused[i].name,
                            refused[i].why);
    if (p->error < LEAST_ERROR)
        return wfi_fail(ctx, WEFT_EINVAL, "betweenness: error is %g, but must be %g or more, or 0: no random paths",
                        p->error, LEAST_ERROR);
    if (g->n > WFI_RANDOM_PATH_MOST)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "betweenness: `error` is for graphs of up to %u vertices",
                        WFI_RANDOM_PATH_MOST);
    weft_betweenness_params all = *p;
    char time[32];
    all.error = 0;
    double ms = predicted_ms(ctx, g, &all, false);
    if (ms < SHORT_MS)
        wfi_note(ctx, "betweenness: from all vertices it takes about %s, and then there is no error",
                 time_text(time, ms));
    return WEFT_OK;
}

static weft_status check_weights(weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p) {
    weft_status st = wfi_check_weights(ctx, g, "betweenness", p->weights);
    weft_eid first = g->arcs;
    if (!p->weights) wfi_note_weights_unused(ctx, g, "betweenness");
    if (st || !p->weights) return st;
#pragma omp parallel for schedule(static) reduction(min : first) num_threads(wfi_threads_for(ctx, g->arcs, 1 << 18))
    for (weft_eid e = 0; e < g->arcs; e++) {
        double w = wfi_weight_at(g->weight_type, g->out.weights, e);
        if (!(w > 0 && w < (double)INFINITY) && e < first) first = e;
    }
    return first < g->arcs ? wfi_fail_weight(ctx, "betweenness", g, first, "`weights` asks for finite numbers above 0")
                           : WEFT_OK;
}

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_betweenness_params *p = params;
    bool drawn = p->confidence != standard.confidence || p->seed != standard.seed || p->apart;
    if (p->error > 0) return check_sampled(ctx, g, p);
    if (drawn)
        return wfi_fail(ctx, WEFT_EINVAL, "betweenness: `%s` is about random paths, which are drawn with `error`",
                        p->apart                               ? "apart"
                        : p->confidence != standard.confidence ? "confidence"
                                                               : "seed");
    if (p->endpoints && p->targets)
        return wfi_fail(ctx, WEFT_EINVAL, "betweenness: `endpoints` and `targets` exclude each other");
    weft_status st = wfi_check_vertices(ctx, g, "betweenness", "sources", p->sources, p->source_count);
    if (!st) st = wfi_check_vertices(ctx, g, "betweenness", "targets", p->targets, p->target_count);
    return st ? st : check_weights(ctx, g, p);
}

/* --- descriptor ------------------------------------------------------------------------- */

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
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, "paths are as long as their weights together"},
    {"error", WEFT_PARAM_F64, FIELD(error), "0", 0, 1, NULL,
     "draw random paths until no normalised value is off by more; 0 = count all"},
    {"confidence", WEFT_PARAM_F64, FIELD(confidence), "0.99", 0.5, 0.999999999, NULL,
     "with `error`: the probability that none is"},
    {"seed", WEFT_PARAM_U64, FIELD(seed), "1", 0, 18446744073709551615.0, NULL,
     "with `error`: another one, other paths"},
    {"apart", WEFT_PARAM_U64, FIELD(apart), "0", 0, 4294967295.0, NULL,
     "with `error`: end too once the order of the first so many is certain; 0 = by the error alone"},
    {"exact", WEFT_PARAM_BOOL, FIELD(exact), "no", 0, 1, NULL,
     "begin it also if all sources take more than 10 minutes"},
};
static const weft_result_info results[] = {
    {"betweenness", WEFT_F64, WEFT_SHAPE_VERTICES, "the part of shortest paths that leads through the vertex"},
    {"source", WEFT_VERTEX, WEFT_SHAPE_EDGES, "with `edges`: one end of the edge"},
    {"target", WEFT_VERTEX, WEFT_SHAPE_EDGES, "with `edges`: the other end"},
    {"edge_betweenness", WEFT_F64, WEFT_SHAPE_EDGES, "with `edges`: the part of shortest paths that leads along it"},
    {"sources", WEFT_U64, WEFT_SHAPE_SCALAR, "vertices that paths were counted from"},
    {"samples", WEFT_U64, WEFT_SHAPE_SCALAR, "with `error`: paths that were drawn"},
    {"error", WEFT_F64, WEFT_SHAPE_SCALAR, "with `error`: no normalised value is off by more"},
    {"value_error", WEFT_F64, WEFT_SHAPE_SCALAR, "with `error`: the same in the unit of `betweenness`"},
    {"confidence", WEFT_F64, WEFT_SHAPE_SCALAR, "with `error`: the probability of that"},
    {"apart", WEFT_U64, WEFT_SHAPE_SCALAR, "with `apart`: of the first so many the order is certain"},
};

const wfi_algorithm wfi_algorithm_betweenness = {
    WFI_DESCRIBE(betweenness, standard, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "betweenness: the part of all shortest paths that leads through a vertex, or along an edge",
    .info.top_by = "betweenness",
    .info.weights = "weights",
    .info.needs = "confidence error|seed error|apart error",
    .info.excludes = "endpoints edges,targets",
    .info.model = "none: how many arcs searches look at depends on the graph",
    .on_request = (const char *const[]){"source", "target", "edge_betweenness", "samples", "error", "value_error",
                                        "confidence", "apart", NULL},
    .least_weights = true,
    .validate = validate,
    .work = work,
    .plan_cpu = plan_cpu,
    .run_cpu = run_cpu,
    .serves_cuda = serves_cuda,
    WFI_ON_CUDA(wfi_betweenness_plan_cuda, wfi_betweenness_cuda),
};
