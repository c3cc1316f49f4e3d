/* sssp: the distance of every vertex from a source over arcs of weight >= 0, and a tree of shortest paths.
 * The length of a path is the sum of its weights as doubles, from the source on; the distance is the least length.
 * Rounded addition is monotonic, so the distances are the unique fixpoint of d(v) = min(d(u) + w), in any order of
 * relaxations.  From several sources it is the minimum over all; with targets, vertices beyond the farthest target
 * count as not reached.  Integer weights are exact below 2^53.  In an unweighted graph every arc counts 1.  A shortest
 * path longer than the largest double is an error. */
#include "algo/sssp/sssp.h"
#include "core/comm.h"
#include "cuda/stream.h"
#include "run/method.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#define MOST_DELTA 1e300 /* weights may be as large as the largest double */

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_sssp_params *p = params;
    if (p->source != WEFT_NO_VERTEX && p->source >= g->n)
        return wfi_fail(ctx, WEFT_EINVAL, "sssp: the source is vertex number %u, but the graph has %u vertices",
                        p->source, g->n);
    if (p->source != WEFT_NO_VERTEX && p->sources)
        return wfi_fail(ctx, WEFT_EINVAL, "sssp: `source` and `sources` exclude each other");
    weft_status st = wfi_check_weights(ctx, g, "sssp", p->weights);
    if (!st) st = wfi_check_vertices(ctx, g, "sssp", "sources", p->sources, p->source_count);
    if (!st) st = wfi_check_vertices(ctx, g, "sssp", "targets", p->targets, p->target_count);
    if (!st && p->delta > 0 && !p->weights)
        wfi_note(ctx, "sssp: `delta` has no effect: without `weights` distances are counted in arcs");
    return st || wfi_has_ranks(ctx) ? st : wfi_check_not_negative(ctx, g, "sssp"); /* each rank checks its own rows */
}

/* From up to 1024 evenly spaced arcs: their mean weight, and the mean degree of their targets. */
static void sample_arcs(const weft_graph *g, double *weight, double *degree) {
    weft_eid step = g->arcs / 1024 + 1, count = 0;
    double weights = 0, degrees = 0;
    for (weft_eid e = 0; e < g->arcs; e += step, count++) {
        weights += wfi_weight_at(g->weight_type, g->out.weights, e);
        degrees += (double)wfi_degree(&g->out, g->out.targets[e]);
    }
    *weight = count ? fmin(weights / (double)count, MOST_DELTA) : 1;
    *degree = count ? degrees / (double)count : 1;
}

/* Delta is of the order of weight / degree [Meyer, Sanders 2003]: bins should hold much work, of which little is
 * repeated.  If a few vertices have most arcs, the degree that a path meets is larger than the mean, so both count.
 * With one thread, R-MAT, uniform and grid graphs of 2^18 vertices came within 10 % of the best power of two. */
static double choose_delta(const weft_graph *g) {
    double weight, met, mean = g->n ? (double)g->arcs / (double)g->n : 1;
    sample_arcs(g, &weight, &met);
    double delta = 3 * weight / sqrt(fmax(mean, 1) * fmax(met, 1));
    if (!wfi_weights_real(g->weight_type)) return fmax(delta, 1);
    return delta > 0 ? delta : 1;
}

void wfi_sssp_columns_lay_out(wfi_workspace *w, weft_vid n, const weft_sssp_params *params, wfi_sssp_columns *c) {
    c->parent = NULL;
    wfi_column(w, "distance", WEFT_F64, n, &c->distance);
    if (params->parents) wfi_column(w, "parent", WEFT_VERTEX, n, &c->parent);
}

typedef struct arrays {
    wfi_sssp_columns c;
    uint32_t *near; /* filter of the packed search; uses the memory of the parent column if there is one */
    wfi_sssp_search_arrays search;
    wfi_sssp_hops hops; /* after the search, in the memory of its scratch */
} arrays;

static bool packs(const weft_graph *g) { return !wfi_weights_real(g->weight_type); }

/* Half the bytes to read cost two locations to write.  On cores with 1 MiB of L2 cache (Neoverse N1, 2 threads) the
 * filter gained 18 and 31 % on R-MAT graphs of 2^20 and 2^22 vertices and lost up to 4 % on uniform graphs; with 2 MiB
 * (Xeon, 1 to 16 threads) it lost 2 to 14 % on nearly all graphs.  Sizes between were not measured. */
bool wfi_sssp_filters(const wfi_caches *caches, const weft_graph *g) {
    return packs(g) && caches->l2 && caches->l2 <= (uint64_t)1 << 20 && g->n * sizeof(uint64_t) > 4 * caches->l2;
}

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const weft_sssp_params *params,
                    arrays *a) {
    wfi_sssp_columns_lay_out(w, g->n, params, &a->c);
    uint64_t searching = wfi_mark(w);
    a->near = NULL;
    if (wfi_sssp_filters(wfi_caches_here(), g)) {
        a->near = a->c.parent;
        if (!params->parents) wfi_array(w, &a->near, g->n);
    }
    wfi_sssp_search_lay_out(w, ctx, g, &a->search);
    if (!params->parents) return;
    wfi_rewind(w, searching);
    wfi_array(w, &a->hops.queue, g->n);
    wfi_array(w, &a->hops.hop_known, g->n);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_sssp_params *p = params;
    if (g->weight_type == WEFT_WEIGHT_NONE) {
        wfi_sssp_unit_plan(g, p, choice);
        return;
    }
    choice->method = packs(g) ? WFI_SSSP_DELTA_PACKED : WFI_SSSP_DELTA_STEPPING;
    snprintf(choice->reason, sizeof choice->reason, "%s%s; delta %.6g %s",
             packs(g) ? "integer weights: distance and parent share a word"
                      : "fractional weights: distances first, parents in a pass after them",
             wfi_sssp_filters(wfi_caches_here(), g) ? ", behind a filter of distances" : "",
             p->delta > 0 ? p->delta : choose_delta(g), p->delta > 0 ? "as asked for" : "from weights and degrees");
    lay_out(&choice->space, ctx, g, p, &(arrays){.c = {NULL, NULL}});
}

/* The distance of the farthest target; infinity without targets, or if a target has no path. */
static double farthest_target(const wfi_sssp_ends *ends, bool packed, const uint64_t *word) {
    double most = 0;
    for (size_t i = 0; i < ends->target_count; i++) {
        uint64_t w = word[ends->targets[i]];
        double d = !packed ? wfi_double_of(w) : w == UINT64_MAX ? (double)INFINITY : (double)(w >> 32);
        most = fmax(most, d);
    }
    return ends->target_count ? most : (double)INFINITY;
}

/* Vertices farther than `beyond` count as not reached. */
static void cut(weft_ctx *ctx, weft_vid n, double beyond, double *distance) {
    if (isinf(beyond)) return;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, n, 1 << 14))
    for (weft_vid v = 0; v < n; v++)
        if (distance[v] > beyond) distance[v] = (double)INFINITY;
}

/* Packed words become distances in place, and parents if asked for; vertices farther than `beyond` count as not
 * reached. */
static void unpack(weft_ctx *ctx, weft_vid n, const wfi_sssp_ends *ends, double beyond, double *distance,
                   weft_vid *parent) {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, n, 1 << 14))
    for (weft_vid v = 0; v < n; v++) {
        uint64_t word;
        memcpy(&word, &distance[v], sizeof word);
        bool reached = word != UINT64_MAX && (double)(word >> 32) <= beyond;
        distance[v] = reached ? (double)(word >> 32) : INFINITY;
        if (parent) parent[v] = reached ? (weft_vid)word : WEFT_NO_VERTEX;
    }
    for (size_t i = 0; parent && i < ends->source_count; i++) parent[ends->sources[i]] = ends->sources[i];
}

static weft_status search_and_parents(weft_ctx *ctx, const weft_graph *g, const wfi_sssp_ends *ends, double delta,
                                      const arrays *a) {
    wfi_sssp_outcome outcome = {true, true};
    weft_status st = WEFT_OK;
    bool packed = packs(g);
    uint64_t *word = (uint64_t *)(void *)a->c.distance;
    wfi_sssp_task task = {ends, delta, WFI_SSSP_PACKED, word, a->near, &a->search};
    if (packed) {
        st = wfi_sssp_search(ctx, g, &task, &outcome);
        if (!st && !outcome.too_far)
            unpack(ctx, g->n, ends, farthest_target(ends, true, word), a->c.distance, a->c.parent);
    }
    if (!st && packed && outcome.too_far) packed = false;
    task.encoding = WFI_SSSP_DOUBLE;
    if (!st && !packed) st = wfi_sssp_search(ctx, g, &task, &outcome);
    if (!st && !packed) cut(ctx, g->n, farthest_target(ends, false, word), a->c.distance);
    if (!st && a->c.parent && (!packed || outcome.zero_seen))
        st = wfi_sssp_parents(ctx, g, ends, a->c.distance, &a->hops, a->c.parent);
    return st;
}

/* *beyond: does an arc lead from a reached vertex to one whose distance overflows a double?  The target is read only if
 * the weight is large enough for that. */
static weft_status look_beyond(weft_ctx *ctx, const weft_graph *g, const double *distance, bool *beyond) {
    const double *weights = g->out.weights;
    bool found = false;
    _Atomic bool stop = false;
#pragma omp parallel for schedule(dynamic, 1024) reduction(|| : found) num_threads(wfi_threads_for(ctx, g->n, 1 << 14))
    for (weft_vid u = 0; u < g->n; u++) {
        if (u % 1024 == 0 && wfi_cancelled(ctx)) atomic_store(&stop, true);
        if (isinf(distance[u]) || atomic_load(&stop)) continue;
        for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++)
            if (isinf(distance[u] + weights[e]) && isinf(distance[g->out.targets[e]])) found = true;
    }
    *beyond = found;
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

weft_status wfi_sssp_scalars(weft_ctx *ctx, uint64_t reached, double farthest, bool beyond, weft_result *result) {
    weft_status st = beyond ? wfi_refuse_beyond(ctx, "sssp") : WEFT_OK;
    if (!st) st = wfi_result_scalar_u64(ctx, result, "reached", reached);
    return st ? st : wfi_result_scalar_f64(ctx, result, "max_distance", farthest);
}

static weft_status run_with_weights(wfi_job *job, const wfi_sssp_ends *ends) {
    const weft_sssp_params *p = job->params;
    const weft_graph *g = job->g;
    weft_ctx *ctx = job->ctx;
    arrays a;
    double farthest = 0;
    weft_vid n = g->n;
    uint64_t reached = 0;
    bool beyond = false;
    lay_out(job->space, ctx, g, p, &a);
    weft_status st = job->space->status;
    if (!st && n) st = search_and_parents(ctx, g, ends, p->delta > 0 ? p->delta : choose_delta(g), &a);
    if (st) return st;
    const double *distance = a.c.distance;
    int threads = wfi_threads_for(ctx, n, 1 << 14);
#pragma omp parallel for schedule(static) reduction(+ : reached) reduction(max : farthest) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) {
        if (isinf(distance[v])) continue;
        reached++;
        farthest = fmax(farthest, distance[v]);
    }
    if (g->weight_type == WEFT_WEIGHT_F64 && reached < n) st = look_beyond(ctx, g, distance, &beyond);
    return st ? st : wfi_sssp_scalars(ctx, reached, farthest, beyond, job->result);
}

static weft_status run_cpu(wfi_job *job) {
    const weft_sssp_params *p = job->params;
    const weft_graph *g = job->g;
    wfi_sssp_ends ends = {p->sources ? p->sources : &p->source, p->targets, p->sources ? p->source_count : 1,
                          p->target_count};
    return g->weight_type == WEFT_WEIGHT_NONE ? wfi_sssp_unit_cpu(job, &ends) : run_with_weights(job, &ends);
}

static const char *serves_cuda(const weft_graph *g, const void *params) {
    const weft_sssp_params *p = params;
    (void)g;
    if (p->sources) return "a search from several sources runs on the CPU";
    return p->targets ? "a search up to targets runs on the CPU" : NULL;
}

#ifdef WEFT_HAVE_CUDA
/* The share of arcs shorter than `below`, from up to 4096 evenly spaced arcs. */
static double share_below(const weft_graph *g, double below) {
    weft_eid step = g->arcs / 4096 + 1, count = 0, found = 0;
    for (weft_eid e = 0; e < g->arcs; e += step, count++)
        found += wfi_weight_at(g->weight_type, g->out.weights, e) < below;
    return count ? (double)found / (double)count : 0;
}

/* Delta for the GPU, larger than on CPU cores since a barrier of the grid costs as much as thousands of arcs.  The best
 * delta was half a mean weight for R-MAT graphs of degree 30, and some hundred mean weights for a road network of
 * degree 2.5; the square of the degree interpolates.  If that delta excludes most arcs from a bucket, and hubs have
 * many of them (without hubs it took a sixth more time), light edges get rows of their own: about 4 a vertex, which
 * still reach all near vertices. */
wfi_sssp_how wfi_sssp_choose_cuda(const weft_graph *g, const weft_sssp_params *params, bool light) {
    wfi_sssp_how how = {.parents = params->parents};
    double weight, met, degree = g->n ? fmax((double)g->arcs / (double)g->n, 1) : 1;
    sample_arcs(g, &weight, &met);
    if (light && !g->directed && g->weight_type != WEFT_WEIGHT_NONE && degree >= 16 && met >= 2 * degree) {
        how.below = g->weight_type == WEFT_WEIGHT_U32 ? fmax(8 * weight / degree, 2) : 8 * weight / degree;
        how.share = share_below(g, how.below);
    }
    if (params->delta > how.below || how.share <= 0 || how.share > 0.25) how.below = how.share = 0;
    how.delta = params->delta > 0 ? params->delta : how.below > 0 ? how.below : 500 * weight / (degree * degree);
    if (how.delta <= 0) how.delta = 1;
    return how;
}

/* If GPU memory is short, a run drops optional arrays: the incoming rows of a search by levels, the rows of light
 * edges. */
static bool fits_on_gpu(const weft_ctx *ctx, const wfi_workspace *device) {
    uint64_t bytes = wfi_workspace_bytes(device);
    return bytes <= wfi_device_available(ctx, bytes);
}

static int declare_cuda(const weft_ctx *ctx, const weft_graph *g, const weft_sssp_params *p, wfi_workspace *device) {
    wfi_workspace before = *device;
    if (g->weight_type == WEFT_WEIGHT_NONE) {
        wfi_sssp_unit_declare(g, device);
        if (!g->directed || fits_on_gpu(ctx, device)) return WFI_SSSP_UNIT;
        *device = before;
    }
    wfi_sssp_how how = wfi_sssp_choose_cuda(g, p, true);
    wfi_sssp_declare_cuda(g, &how, device);
    if (how.below <= 0) return WFI_SSSP_ALL;
    if (fits_on_gpu(ctx, device)) return WFI_SSSP_LIGHT;
    *device = before;
    how = wfi_sssp_choose_cuda(g, p, false);
    wfi_sssp_declare_cuda(g, &how, device);
    return WFI_SSSP_ALL;
}

static void plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_sssp_params *p = params;
    wfi_sssp_columns c;
    choice->method = declare_cuda(ctx, g, p, &choice->device);
    wfi_sssp_columns_lay_out(&choice->space, g->n, p, &c);
    if (choice->method == WFI_SSSP_UNIT) {
        snprintf(choice->reason, sizeof choice->reason, "no weights: every arc counts 1, and distances are levels");
        return;
    }
    snprintf(choice->reason, sizeof choice->reason, "%s; delta %.6g %s",
             wfi_weights_real(g->weight_type) ? "fractional weights: distances are doubles"
                                              : "integer weights: distances take 32 bits while they fit",
             wfi_sssp_choose_cuda(g, p, choice->method == WFI_SSSP_LIGHT).delta,
             p->delta > 0 ? "as asked for" : "from weights and degrees");
}
#endif

static const weft_param_info params_info[] = {
    {"source", WEFT_PARAM_VERTEX, offsetof(weft_sssp_params, source), "the vertex with the most out-arcs", 0, 0, NULL,
     "where paths begin"},
    {"delta", WEFT_PARAM_F64, offsetof(weft_sssp_params, delta), "0", 0, 1e300, NULL,
     "width of a bucket of distances; 0 = chosen from the weights.  Changes the time, never the answer"},
    {"parents", WEFT_PARAM_BOOL, offsetof(weft_sssp_params, parents), "yes", 0, 1, NULL, "the column parent"},
    {"sources", WEFT_PARAM_VERTICES, offsetof(weft_sssp_params, sources), "", 0, 0, NULL,
     "distances from the nearest of these, ids in a file or K random vertices"},
    {"targets", WEFT_PARAM_VERTICES, offsetof(weft_sssp_params, targets), "", 0, 0, NULL,
     "go no further than the farthest of these, ids in a file or K random vertices"},
    {"weights", WEFT_PARAM_BOOL, offsetof(weft_sssp_params, weights), "no", 0, 1, NULL,
     "fail without weights instead of counting hops; existing weights count either way"},
};

static const weft_result_info results[] = {
    {"distance", WEFT_F64, WEFT_SHAPE_VERTICES, "length of a shortest path from the source; infinity if there is none"},
    {"parent", WEFT_VERTEX, WEFT_SHAPE_VERTICES,
     "the vertex before it on a shortest path; the source is its own parent"},
    {"reached", WEFT_U64, WEFT_SHAPE_SCALAR, "number of vertices with a path from the source, including itself"},
    {"max_distance", WEFT_F64, WEFT_SHAPE_SCALAR, "the largest distance of a reached vertex"},
};

static const char *const methods[] = {
    "delta-stepping, packed",    "delta-stepping",
    "near and far, one kernel",  "near and far, light edges first",
    "breadth-first, one kernel", "breadth-first, direction-optimising",
    "breadth-first, top-down",   "buckets, by messages",
};

const wfi_algorithm wfi_algorithm_sssp = {
    WFI_DESCRIBE(sssp, (const weft_sssp_params)WEFT_SSSP_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "shortest paths from one vertex, with weights of 0 or more",
    .info.formerly = "no_parents parents=no",
    .info.top_by = "distance",
    .info.weights = "",
    .info.model = "none: how often an arc is looked at depends on the weights and on the method",
    .validate = validate,
    .work = wfi_work_of_search,
    WFI_ON_CPU(plan_cpu, run_cpu),
    .least_weights = true,
    .operators = &wfi_sssp_on_ranks,
    WFI_ON_RANKS(wfi_method_plan_ranks, wfi_method_run_cpu),
    .serves_cuda = serves_cuda,
    WFI_ON_CUDA(plan_cuda, wfi_sssp_cuda),
    WFI_ON_RANKS_CUDA(wfi_method_plan_ranks_cuda, wfi_method_run_ranks_cuda),
    .follower = &wfi_follow_sssp,
};
