/* distances: eccentricities, diameter, radius and the distribution of distances of the largest weak component, by hops:
 * along the arcs, against them, or regardless of direction.  All results are exact up to a number of vertices; beyond
 * it diameter and radius usually are, and the others are bounds.  By weights: lengths.c. */
#include "algo/distances/distances.h"
#include "engines/union_find/weak_parts.h"
#include "weft/distances.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The cost of a search by weights, relative to one of 512 searches by hops, per arc. */
static const double LENGTHS_DEARER = 16;

typedef struct arrays {
    uint32_t *eccentricity, *at_most; /* the columns */
    wfi_weak_parts parts;
    wfi_all_pairs pairs;
    weft_eid *back;        /* offsets of the reversed arcs, if direction counts */
    uint8_t *roots;        /* vertices that reach all others, if direction counts */
    uint32_t *exact;       /* eccentricities of the component's vertices */
    wfi_arc_bounds bounds; /* if direction does not count, only `ecc` */
} arrays;

/* The rows that searches follow: outgoing arcs, incoming arcs, or both, which is the only choice in an undirected
 * graph. */
static weft_side side_of(const weft_graph *g, const weft_distances_params *p) {
    if (!g->directed || p->direction == WEFT_SIDE_BOTH) return WEFT_SIDE_BOTH;
    return p->direction == WEFT_SIDE_IN ? WEFT_SIDE_IN : WEFT_SIDE_OUT;
}

static weft_vid most_exact(const weft_graph *g, const weft_distances_params *p) {
    return p->all_pairs < g->n ? (weft_vid)p->all_pairs : g->n;
}

/* The arrays of the two methods share memory. */
static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const weft_distances_params *p,
                    arrays *a) {
    weft_vid exact = most_exact(g, p);
    wfi_column(w, "eccentricity", WEFT_U32, g->n, &a->eccentricity);
    wfi_column(w, "at_most", WEFT_U32, g->n, &a->at_most);
    wfi_growth(w, (uint64_t)exact * sizeof(uint32_t)); /* the table's columns */
    wfi_growth(w, (uint64_t)exact * sizeof(uint64_t));
    wfi_weak_parts_lay_out(w, g, &a->parts);
    bool arcs = side_of(g, p) != WEFT_SIDE_BOTH;
    a->back = NULL;
    a->roots = NULL;
    if (arcs) {
        wfi_array_within(w, &a->back, (uint64_t)g->n + 1);
        wfi_array_within(w, &a->roots, g->n);
    }
    uint64_t here = wfi_mark(w);
    wfi_array_within(w, &a->exact, exact);
    wfi_all_pairs_lay_out(w, ctx, exact, &a->pairs);
    wfi_rewind(w, here);
    if (g->n <= exact) return;
    if (arcs)
        wfi_arc_bounds_lay_out(w, g->n, &a->bounds);
    else
        wfi_ecc_bounds_lay_out(w, g->n, &a->bounds.ecc);
}

/* By side, from WEFT_SIDE_OUT on: all pairs, bounds. */
static const char *const methods[] = {"all pairs along the edges, 512 searches at once",
                                      "bounds from few searches along the edges",
                                      "all pairs against the edges, 512 searches at once",
                                      "bounds from few searches against the edges",
                                      "all pairs, 512 searches at once",
                                      "bounds from few searches",
                                      "all pairs by weights along the edges",
                                      "all pairs by weights against the edges",
                                      "all pairs by weights"};
enum { LENGTHS = 6 }; /* the first method by weights */

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_distances_params *p = params;
    arrays a;
    bool pairs = g->n <= p->all_pairs;
    wfi_need_in(&choice->space, ctx, g);
    if (p->weights) {
        choice->method = LENGTHS + (int)side_of(g, p) - WEFT_SIDE_OUT;
        snprintf(choice->reason, sizeof choice->reason, "a search from each vertex of the largest component");
        wfi_distances_plan_lengths(ctx, g, choice);
        return;
    }
    choice->method = 2 * ((int)side_of(g, p) - WEFT_SIDE_OUT) + !pairs;
    snprintf(choice->reason, sizeof choice->reason, "%u vertices; `all_pairs` is %llu%s", g->n,
             (unsigned long long)p->all_pairs, pairs ? "" : ": all pairs only if no component is larger");
    lay_out(&choice->space, ctx, g, p, &a);
}

/* --- results ----------------------------------------------------------------------------------------- */

typedef struct figures {
    uint64_t diameter, diameter_at_most, radius, radius_at_least, open, unreachable;
} figures;

/* The radius is over the vertices that reach all others; roots NULL: all do. */
static figures tell_bounds(const wfi_component *c, const uint32_t *lower, const uint32_t *upper, const arrays *a) {
    uint64_t none = c->n ? WEFT_NO_VALUE : 0;
    figures f = {0, 0, none, none, 0, 0};
    for (weft_vid i = 0; i < c->n; i++) {
        bool root = !a->roots || a->roots[i];
        if (lower[i] > f.diameter) f.diameter = lower[i];
        if (upper[i] > f.diameter_at_most) f.diameter_at_most = upper[i];
        if (root && upper[i] < f.radius) f.radius = upper[i];
        if (root && lower[i] < f.radius_at_least) f.radius_at_least = lower[i];
        f.open += lower[i] != upper[i];
        a->eccentricity[c->vertex[i]] = lower[i];
        a->at_most[c->vertex[i]] = upper[i];
    }
    return f;
}

/* The effective diameter: nine in ten of the pairs are at most this far apart, interpolated linearly; and the mean. */
typedef struct spread {
    double effective, mean;
} spread;

/* count: ordered pairs; if direction does not count, each pair is reported once. */
static weft_status tell_pairs(wfi_job *job, const uint64_t *count, uint32_t diameter, unsigned ways, spread *out) {
    uint32_t *distance;
    uint64_t *pairs, all = 0, sum = 0, before = 0;
    wfi_grown_column(job->space, "distance", WEFT_U32, diameter, &distance);
    wfi_grown_column(job->space, "pairs", WEFT_U64, diameter, &pairs);
    if (!pairs) return WEFT_ENOMEM;
    for (uint32_t d = 1; d <= diameter; d++) {
        distance[d - 1] = d;
        pairs[d - 1] = count[d] / ways;
        all += count[d] / ways;
        sum += count[d] / ways * d;
    }
    *out = (spread){0, all ? (double)sum / (double)all : 0};
    double wanted = 0.9 * (double)all;
    for (uint32_t d = 1; d <= diameter; d++) {
        uint64_t now = before + pairs[d - 1];
        if ((double)now >= wanted) {
            out->effective = d - 1 + (wanted - (double)before) / (double)pairs[d - 1];
            break;
        }
        before = now;
    }
    return WEFT_OK;
}

static weft_status tell_scalars(wfi_job *job, const wfi_component *c, const figures *f, const spread *s,
                                uint64_t searches) {
    return WFI_TELL(job->ctx, job->result, WFI_U64("diameter", f->diameter),
                    WFI_U64("diameter_at_most", f->diameter_at_most), WFI_U64("radius", f->radius),
                    WFI_U64("radius_at_least", f->radius_at_least), WFI_U64("open", f->open), WFI_U64("vertices", c->n),
                    WFI_U64("searches", searches), WFI_U64("unreachable_pairs", f->unreachable),
                    WFI_F64("effective_diameter", s->effective), WFI_F64("mean_distance", s->mean));
}

static weft_status find_largest(weft_ctx *ctx, const weft_graph *g, weft_side side, const arrays *a, wfi_component *c) {
    const wfi_weak_parts *p = &a->parts;
    weft_vid begin = 0, longest = 0;
    weft_status st = wfi_weak_parts_find(ctx, g, p);
    if (st) return st;
    for (weft_vid at = 0, end; at < g->n; at = end) {
        end = wfi_part_end(p, g->n, at);
        if (end - at <= longest) continue;
        begin = at;
        longest = end - at;
    }
    wfi_view along = wfi_view_of(longest, WEFT_WEIGHT_NONE);
    along.offsets = p->offsets;
    along.targets = p->targets;
    *c = (wfi_component){longest, p->order + begin, along, {0}};
    st = wfi_weak_parts_rows(ctx, g, p, side, begin, longest);
    if (st || side == WEFT_SIDE_BOTH) return st;
    wfi_weak_parts other = *p; /* its targets have capacity for both rows */
    other.offsets = a->back;
    other.targets = p->targets + g->arcs;
    c->back = along;
    c->back.offsets = other.offsets;
    c->back.targets = other.targets;
    return wfi_weak_parts_rows(ctx, g, &other, side == WEFT_SIDE_OUT ? WEFT_SIDE_IN : WEFT_SIDE_OUT, begin, longest);
}

static weft_status search_all(wfi_job *job, const wfi_component *c, const arrays *a, figures *f, spread *s) {
    uint64_t pairs = 0, reached = 0;
    weft_status st = wfi_all_pairs_run(job->ctx, c, &a->pairs, a->exact);
    if (st) return st;
    *f = tell_bounds(c, a->exact, a->exact, a);
    for (uint64_t d = 1; d <= f->diameter; d++) reached += a->pairs.count[d];
    pairs = c->n ? (uint64_t)c->n * (c->n - 1) : 0;
    f->unreachable = pairs - reached;
    return tell_pairs(job, a->pairs.count, (uint32_t)f->diameter, a->roots ? 1 : 2, s);
}

static weft_status search_few(wfi_job *job, const wfi_component *c, weft_vid roots, arrays *a, figures *f) {
    const weft_distances_params *p = job->params;
    wfi_ecc_bounds *b = &a->bounds.ecc;
    uint32_t *no_distance;
    uint64_t *no_pairs;
    weft_status st = a->roots ? wfi_arc_bounds_run(job->ctx, c, p->searches, a->roots, &a->bounds)
                              : wfi_ecc_bounds_run(job->ctx, c, p->searches, b);
    if (st) return st;
    *f = tell_bounds(c, b->lower, b->upper, a);
    f->unreachable = roots == c->n ? 0 : WEFT_NO_VALUE;
    wfi_table_column(job->space, "distance", WEFT_U32, 0, &no_distance);
    wfi_table_column(job->space, "pairs", WEFT_U64, 0, &no_pairs);
    return job->space->status;
}

static const weft_distances_params standard = WEFT_DISTANCES_DEFAULTS;

static weft_status run_cpu(wfi_job *job) {
    const weft_graph *g = job->g;
    const weft_distances_params *p = job->params;
    arrays a;
    wfi_component c;
    figures f;
    spread s = {(double)NAN, (double)NAN};
    if (p->weights) return wfi_distances_run_lengths(job, side_of(g, p));
    lay_out(job->space, job->ctx, g, p, &a);
    weft_status st = job->space->status;
    if (!st) st = find_largest(job->ctx, g, side_of(g, p), &a, &c);
    if (st) return st;
    memset(a.eccentricity, 0xff, g->n * sizeof *a.eccentricity);
    memset(a.at_most, 0xff, g->n * sizeof *a.at_most);
    bool pairs = c.n <= p->all_pairs;
    if (pairs && p->searches != standard.searches)
        wfi_note(job->ctx,
                 "distances: `searches` has no effect: the largest component has no more vertices than `all_pairs`, "
                 "and is searched from each");
    uint32_t *distance = pairs ? a.pairs.searches.level : a.bounds.ecc.distance[0];
    weft_vid *queue = pairs ? a.pairs.searches.met : a.bounds.ecc.queue[0], roots = c.n;
    if (a.roots) st = wfi_find_roots(job->ctx, &c, distance, queue, a.roots, &roots);
    if (!st) st = pairs ? search_all(job, &c, &a, &f, &s) : search_few(job, &c, roots, &a, &f);
    return st ? st : tell_scalars(job, &c, &f, &s, pairs ? c.n : a.bounds.ecc.searches);
}

static const weft_param_info params_info[] = {
    {"all-pairs", WEFT_PARAM_U64, offsetof(weft_distances_params, all_pairs), "50000", 0, 4294967295.0, NULL,
     "components of at most this many vertices are searched from each: all eccentricities and the distribution"},
    {"searches", WEFT_PARAM_U64, offsetof(weft_distances_params, searches), "1000", 1, 1e18, NULL,
     "in larger components, stop after this many searches and report bounds"},
    {"direction", WEFT_PARAM_CHOICE, offsetof(weft_distances_params, direction), "auto", 0, 0, "auto|out|in|both",
     "along the edges, against them, or regardless of direction; auto: along those of a directed graph"},
    {"weights", WEFT_PARAM_BOOL, offsetof(weft_distances_params, weights), "no", 0, 1, NULL,
     "distances are sums of weights of 0 or more; else hops"},
};
static const weft_result_info results[] = {
    {"eccentricity", WEFT_U32, WEFT_SHAPE_VERTICES,
     "the largest distance from the vertex (`in`: to it), or a lower bound of it; none outside the component"},
    {"at_most", WEFT_U32, WEFT_SHAPE_VERTICES, "upper bound of the eccentricity; equal to it if it is known"},
    {"weighted_eccentricity", WEFT_F64, WEFT_SHAPE_VERTICES,
     "with `weights`: the largest distance from the vertex (`in`: to it)"},
    {"distance", WEFT_U32, WEFT_SHAPE_TABLE, "distribution: a distance"},
    {"length", WEFT_F64, WEFT_SHAPE_TABLE, "distribution with `weights`: where a class of distances begins"},
    {"pairs", WEFT_U64, WEFT_SHAPE_TABLE,
     "distribution: pairs of vertices at this distance, ordered pairs if direction counts; empty beyond "
     "`all_pairs`"},
    {"diameter", WEFT_U64, WEFT_SHAPE_SCALAR, "the largest eccentricity"},
    {"diameter_at_most", WEFT_U64, WEFT_SHAPE_SCALAR, "upper bound of the diameter; equal to it if it is known"},
    {"radius", WEFT_U64, WEFT_SHAPE_SCALAR,
     "the smallest eccentricity of the vertices that reach all others; none if there is no such vertex"},
    {"radius_at_least", WEFT_U64, WEFT_SHAPE_SCALAR, "lower bound of the radius; equal to it if it is known"},
    {"open", WEFT_U64, WEFT_SHAPE_SCALAR, "vertices whose eccentricity is not known exactly"},
    {"vertices", WEFT_U64, WEFT_SHAPE_SCALAR, "vertices of the largest weak component, to which all results refer"},
    {"searches", WEFT_U64, WEFT_SHAPE_SCALAR, "number of searches"},
    {"unreachable_pairs", WEFT_U64, WEFT_SHAPE_SCALAR,
     "ordered pairs without a path from the first to the second; none if they were not counted"},
    {"effective_diameter", WEFT_F64, WEFT_SHAPE_SCALAR,
     "nine in ten pairs are this near or nearer, interpolated; none beyond `all_pairs`"},
    {"mean_distance", WEFT_F64, WEFT_SHAPE_SCALAR, "mean over all pairs; none beyond `all_pairs`"},
    {"weighted_diameter", WEFT_F64, WEFT_SHAPE_SCALAR, "with `weights`: the largest distance"},
    {"weighted_radius", WEFT_F64, WEFT_SHAPE_SCALAR,
     "with `weights`: the smallest eccentricity of the vertices that reach all others; none if there is no such "
     "vertex"},
    {"class_width", WEFT_F64, WEFT_SHAPE_SCALAR, "with `weights`: of the classes of the distribution, a power of two"},
};

/* A search from each vertex, 512 at once. */
static void work(const weft_graph *g, const void *params, wfi_work *w) {
    const weft_distances_params *p = params;
    double n = g->n;
    w->passes = n <= (double)p->all_pairs ? n / 64 + 1 : 100;
    w->levels = 1;
    if (p->weights) w->passes = n;
    if (p->weights) w->cpu_dearer = LENGTHS_DEARER;
}

/* Two columns of u32, or one of f64. */
static uint64_t bytes_a_vertex(const void *params) {
    (void)params;
    return sizeof(double);
}

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_distances_params *p = params;
    weft_status st = wfi_check_weights(ctx, g, "distances", p->weights);
    if (!p->weights) wfi_note_weights_unused(ctx, g, "distances");
    if (st || !p->weights) return st;
    if (p->searches != standard.searches)
        return wfi_fail(ctx, WEFT_EINVAL,
                        "distances: `weights` and `searches` exclude each other: there are no bounds "
                        "by weights");
    return wfi_check_not_negative(ctx, g, "distances");
}

const wfi_algorithm wfi_algorithm_distances = {
    WFI_DESCRIBE(distances, standard, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "diameter, radius, eccentricities and the distribution of distances",
    .info.top_by = "eccentricity",
    .info.weights = "weights",
    .info.excludes = "searches weights",
    .info.model = "none: the number of searches depends on the graph",
    .on_request = (const char *const[]){"weighted_eccentricity", "length", "weighted_diameter", "weighted_radius",
                                        "class_width", NULL},
    .bytes_a_vertex = bytes_a_vertex,
    .least_weights = true,
    .validate = validate,
    .work = work,
    .plan_cpu = plan_cpu,
    .run_cpu = run_cpu,
};
