/* triangles: by definition, a triangle at v is a joined pair of its neighbours. All vertices of a small graph are
 * recounted, and a sample of a large one, whose total must also match the share of closed random wedges. Every
 * triangle has three corners.
 * support: the number of common neighbours of an edge's ends, counted by merging their rows, for all edges or some;
 * every triangle has three edges. */
#include "weft/triangles.h"
#include "checks.h"

#include <inttypes.h>
#include <stdio.h>

/* Limit of the neighbours visited to recount the support of edges. */
enum { MOST_LOOKS = 100000000 };

/* Each pair is met from both of its vertices. */
static uint64_t closed_wedges(const check_simple *s, weft_vid v) {
    uint64_t ends = 0;
    for (uint64_t i = s->offsets[v]; i < s->offsets[v + 1] && !check_stops(s->watch, 0); i++)
        ends += check_simple_common(s, v, s->targets[i], NULL);
    return ends / 2;
}

static int corners_right(const check_simple *s, const uint64_t *got, uint64_t total) {
    uint64_t sum = 0;
    for (weft_vid v = 0; v < s->n; v++) sum += got[v];
    if (sum == 3 * total) return 1;
    return check_wrong(s->watch,
                       "the vertices are corners of %" PRIu64 " triangles in all, which is not 3 times %" PRIu64, sum,
                       total);
}

static int counts_right(const weft_graph *g, const check_simple *s, const uint64_t *got, uint64_t *recounted) {
    uint64_t spent = 0;
    weft_vid v = 0;
    for (*recounted = 0; check_simple_pick(s, *recounted, &spent, &v); (*recounted)++) {
        uint64_t want = closed_wedges(s, v);
        if (got[v] == want) continue;
        return check_wrong(s->watch,
                           "vertex %s: triangles is %" PRIu64 ", but %" PRIu64 " pairs of its neighbours are joined",
                           check_id(g, v).text, got[v], want);
    }
    return 1;
}

static int total_believable(const check_simple *s, uint64_t total) {
    uint64_t wedges = s->wedges[s->n];
    if (check_simple_closed(s, wedges ? 3 * (double)total / (double)wedges : (double)total)) return 1;
    return check_wrong(s->watch, "%" PRIu64 " triangles do not fit the share of random wedges that are closed", total);
}

/* --- support ----------------------------------------------------------------------------- */

/* Counts each pair once: the first of parallel edges, and of arcs in both directions the one from the smaller
 * vertex. */
static int edges_add_up(const weft_graph *g, const check_simple *s, const weft_vid *source, const weft_vid *target,
                        const uint64_t *support, uint64_t total) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < weft_graph_edges(g) && !check_stops(s->watch, i); i++) {
        weft_vid u = source[i], v = target[i];
        int again = i && source[i - 1] == u && target[i - 1] == v;
        if (!again && (u <= v || !weft_graph_has_arc(g, v, u, NULL))) sum += support[i];
    }
    if (sum == 3 * total) return 1;
    return check_wrong(s->watch, "the edges are in %" PRIu64 " triangles in all, which is not 3 times %" PRIu64, sum,
                       total);
}

static int support_right(const weft_graph *g, const check_simple *s, const weft_vid *source, const weft_vid *target,
                         const uint64_t *support, uint64_t *recounted) {
    uint64_t count = weft_graph_edges(g), looks = 0, spent = 0;
    for (uint64_t i = 0; i < count && !check_stops(s->watch, i); i++)
        looks += check_simple_degree(s, source[i]) + check_simple_degree(s, target[i]);
    for (*recounted = 0; *recounted < count && spent < MOST_LOOKS && !check_stops(s->watch, *recounted);
         (*recounted)++) {
        uint64_t i = looks <= MOST_LOOKS ? *recounted : *recounted * 0x9e3779b97f4a7c15u % count;
        uint64_t want = check_simple_common(s, source[i], target[i], NULL);
        spent += check_simple_degree(s, source[i]) + check_simple_degree(s, target[i]);
        if (support[i] == want) continue;
        return check_wrong(
            s->watch, "edge %" PRIu64 ": support is %" PRIu64 ", but its ends have %" PRIu64 " neighbours in common", i,
            support[i], want);
    }
    return 1;
}

static int edges_right(const weft_graph *g, const check_simple *s, const weft_result *result, uint64_t total,
                       uint64_t *recounted) {
    if (!check_edges(s->watch, g, result, "support", WEFT_U64)) return 0;
    const weft_vid *source = weft_result_u32(result, "source"), *target = weft_result_u32(result, "target");
    const uint64_t *support = weft_result_u64(result, "support");
    return support_right(g, s, source, target, support, recounted) &&
           edges_add_up(g, s, source, target, support, total);
}

int weft_check_triangles(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    int edges = ((const weft_triangles_params *)params)->edges;
    const weft_column *column = weft_result_column(result, "triangles");
    const weft_scalar *scalar = weft_result_scalar(result, "triangles");
    const uint64_t *got = weft_result_u64(result, "triangles");
    if (!got || !scalar || column->length != weft_graph_vertices(g))
        return check_wrong(w, "the column or the total is missing");
    check_simple s;
    if (!check_simple_make(g, w, &s)) return 0;
    uint64_t total = scalar->value.u64, recounted = 0, sides = 0;
    char and_sides[64] = "";
    if ((edges && !edges_right(g, &s, result, total, &sides)) || !corners_right(&s, got, total) ||
        !counts_right(g, &s, got, &recounted) || (!check_simple_exact(&s) && !total_believable(&s, total)))
        return 0;
    if (edges) snprintf(and_sides, sizeof and_sides, " and %" PRIu64 " edges", sides);
    return check_right(w, "%s %" PRIu64 " vertices%s recounted, %" PRIu64 " triangles%s",
                       check_simple_exact(&s) ? "all" : "a sample of", recounted, and_sides, total,
                       check_simple_exact(&s) ? "" : " fit the share of closed wedges");
}
