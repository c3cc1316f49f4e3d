/* sssp: no arc shortens a distance; every vertex but the source has a tight arc from its parent; parents follow the
 * rule (so they form a tree); and exactly the vertices found by an independent search are reached. Together these
 * prove shortest distances. */
#include "weft/sssp.h"
#include "checks.h"

#include <inttypes.h>
#include <math.h>

typedef struct inquiry {
    const weft_graph *g;
    weft_csr out;
    const weft_vid *sources;
    size_t source_count;
    double beyond; /* largest distance that was searched */
    const double *distance;
    const weft_vid *parent; /* NULL if not requested */
    weft_vid *queue, *want;
    uint32_t *hop; /* UINT32_MAX: none */
    check_watch *watch;
} inquiry;

static int vertex_wrong(inquiry *q, weft_vid v, const char *what) {
    return check_wrong(q->watch, "vertex %s: %s (distance %.17g)", check_id(q->g, v).text, what, q->distance[v]);
}

static int arc_wrong(inquiry *q, weft_vid u, weft_vid v, double weight) {
    return check_wrong(q->watch, "the edge from %s to %s of weight %.9g would shorten distance %.17g to %.17g",
                       check_id(q->g, u).text, check_id(q->g, v).text, weight, q->distance[v], q->distance[u] + weight);
}

static int reached_right(inquiry *q, uint64_t *reached) {
    weft_vid n = q->out.vertices, end = 0;
    for (weft_vid v = 0; v < n; v++) q->hop[v] = UINT32_MAX;
    for (size_t i = 0; i < q->source_count; i++) {
        if (q->hop[q->sources[i]] == 0) continue;
        q->hop[q->sources[i]] = 0;
        q->queue[end++] = q->sources[i];
    }
    for (weft_vid i = 0; i < end && !check_stops(q->watch, i); i++)
        for (weft_eid e = q->out.offsets[q->queue[i]]; e < q->out.offsets[q->queue[i] + 1]; e++) {
            weft_vid v = q->out.targets[e];
            /* A length that overflows a double is no path; a length beyond the targets is not searched. */
            double length = q->distance[q->queue[i]] + check_weight(q->g, &q->out, e);
            if (q->hop[v] == 0 || isinf(length) || length > q->beyond) continue;
            q->hop[v] = 0;
            q->queue[end++] = v;
        }
    for (weft_vid v = 0; v < n; v++) {
        if (isnan(q->distance[v]) || q->distance[v] < 0) return vertex_wrong(q, v, "this is not a distance");
        if (q->hop[v] == 0 && isinf(q->distance[v])) return vertex_wrong(q, v, "there is a path, but none was found");
        if (q->hop[v] != 0 && !isinf(q->distance[v])) return vertex_wrong(q, v, "there is no path to it");
    }
    *reached = end;
    return 1;
}

static int distances_right(inquiry *q) {
    for (size_t i = 0; i < q->source_count; i++)
        if (q->distance[q->sources[i]] != 0) return vertex_wrong(q, q->sources[i], "the source is not at distance 0");
    for (weft_vid u = 0; u < q->out.vertices && !check_stops(q->watch, u); u++)
        for (weft_eid e = q->out.offsets[u]; e < q->out.offsets[u + 1]; e++)
            if (q->distance[u] + check_weight(q->g, &q->out, e) < q->distance[q->out.targets[e]] &&
                q->distance[u] + check_weight(q->g, &q->out, e) <= q->beyond)
                return arc_wrong(q, u, q->out.targets[e], check_weight(q->g, &q->out, e));
    return 1;
}

static int tight(const inquiry *q, weft_vid u, weft_eid e) {
    double there = q->distance[q->out.targets[e]];
    return !isinf(there) && q->distance[u] + check_weight(q->g, &q->out, e) == there;
}

/* Parents at a smaller distance: as u ascends, the first one is the smallest. */
static void want_nearer(inquiry *q) {
    weft_vid n = q->out.vertices;
    for (weft_vid v = 0; v < n; v++) q->want[v] = WEFT_NO_VERTEX;
    for (weft_vid u = 0; u < n && !check_stops(q->watch, u); u++)
        for (weft_eid e = q->out.offsets[u]; e < q->out.offsets[u + 1]; e++) {
            weft_vid v = q->out.targets[e];
            if (q->want[v] == WEFT_NO_VERTEX && tight(q, u, e) && q->distance[u] < q->distance[v]) q->want[v] = u;
        }
    for (size_t i = 0; i < q->source_count; i++) q->want[q->sources[i]] = q->sources[i];
}

/* Parents at the same distance: hops over tight arcs from vertices with a parent, then the smallest vertex one hop
 * nearer. */
static void want_level(inquiry *q) {
    weft_vid n = q->out.vertices, end = 0;
    for (weft_vid v = 0; v < n; v++) {
        q->hop[v] = q->want[v] == WEFT_NO_VERTEX ? UINT32_MAX : 0;
        if (q->hop[v] == 0) q->queue[end++] = v;
    }
    for (weft_vid i = 0; i < end && !check_stops(q->watch, i); i++) {
        weft_vid u = q->queue[i];
        for (weft_eid e = q->out.offsets[u]; e < q->out.offsets[u + 1]; e++) {
            weft_vid v = q->out.targets[e];
            if (q->hop[v] != UINT32_MAX || !tight(q, u, e)) continue;
            q->hop[v] = q->hop[u] + 1;
            q->queue[end++] = v;
        }
    }
    for (weft_vid u = 0; u < n && !check_stops(q->watch, u); u++)
        for (weft_eid e = q->out.offsets[u]; e < q->out.offsets[u + 1]; e++) {
            weft_vid v = q->out.targets[e];
            if (q->want[v] == WEFT_NO_VERTEX && q->hop[u] != UINT32_MAX && tight(q, u, e) && q->hop[u] + 1 == q->hop[v])
                q->want[v] = u;
        }
}

static int parents_right(inquiry *q) {
    want_nearer(q);
    want_level(q);
    for (weft_vid v = 0; v < q->out.vertices; v++) {
        if (!q->parent && (q->want[v] == WEFT_NO_VERTEX) == (isinf(q->distance[v]) != 0)) continue;
        if (!q->parent) return vertex_wrong(q, v, "no path of that length ends there");
        if (q->want[v] == q->parent[v]) continue;
        return vertex_wrong(q, v,
                            q->want[v] == WEFT_NO_VERTEX ? "no path ends there, but it has a parent"
                                                         : "its parent is not the one of the rule");
    }
    return 1;
}

static int scalars_right(inquiry *q, const weft_result *result, uint64_t reached) {
    const weft_scalar *count = weft_result_scalar(result, "reached"),
                      *most = weft_result_scalar(result, "max_distance");
    double farthest = 0;
    for (weft_vid v = 0; v < q->out.vertices; v++)
        if (!isinf(q->distance[v]) && q->distance[v] > farthest) farthest = q->distance[v];
    if (count && most && count->value.u64 == reached && most->value.f64 == farthest) return 1;
    return check_wrong(q->watch,
                       "%" PRIu64 " vertices are reached, the farthest at %.17g, but the result says otherwise",
                       reached, farthest);
}

int weft_check_sssp(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    const weft_sssp_params *p = params;
    inquiry q = {.g = g, .out = check_out(w, g), .watch = w};
    uint64_t reached = 0;
    q.distance = weft_result_f64(result, "distance");
    q.parent = weft_result_u32(result, "parent");
    int parents = p->parents != 0;
    if (!q.distance || (q.parent != NULL) != parents ||
        weft_result_column(result, "distance")->length != q.out.vertices ||
        (parents && weft_result_column(result, "parent")->length != q.out.vertices))
        return check_wrong(w, "a column is missing or of another length");
    weft_vid one = p->source != WEFT_NO_VERTEX ? p->source : check_max_out_degree_vertex(&q.out);
    q.sources = p->sources ? p->sources : &one;
    q.source_count = p->sources ? p->source_count : 1;
    q.beyond = p->target_count ? 0 : (double)INFINITY;
    for (size_t i = 0; i < p->target_count; i++) q.beyond = fmax(q.beyond, q.distance[p->targets[i]]);
    q.queue = check_take(w, q.out.vertices, sizeof *q.queue);
    q.want = check_take(w, q.out.vertices, sizeof *q.want);
    q.hop = check_take(w, q.out.vertices, sizeof *q.hop);
    if (w->status) return 0;
    if (q.out.vertices && (!reached_right(&q, &reached) || !distances_right(&q) || !parents_right(&q))) return 0;
    return scalars_right(&q, result, reached) &&
           check_right(
               w,
               parents ? "no arc shortens a distance, and the parents of all %" PRIu64 " reached vertices are tight"
                       : "no arc shortens a distance, and a tight arc leads to each of %" PRIu64 " reached vertices",
               reached);
}
