/* bipartite: every edge of a component with sides joins different sides; the component's smallest vertex is on side 0
 * (unless the graph has its own sides); a component without sides has an odd cycle, shown by colouring it again; the
 * cycle of the table is odd. */
#include "checks.h"
#include "weft/experimental.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct scene {
    const weft_graph *g;
    weft_csr out;
    const uint32_t *side;
    uint64_t *parent; /* disjoint-set forest of components, by smallest vertex */
    check_watch *watch;
} scene;

static int wrong(const scene *s, const char *what, weft_vid u, weft_vid v) {
    return check_wrong(s->watch, "%s: %s, %s", what, check_id(s->g, u).text, check_id(s->g, v).text);
}

static uint64_t root_of(uint64_t *parent, uint64_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

static void join(uint64_t *parent, uint64_t u, uint64_t v) {
    u = root_of(parent, u), v = root_of(parent, v);
    parent[u > v ? u : v] = u > v ? v : u;
}

/* Edges whose ends have sides cross; whole components have sides or none; smallest vertices are on side 0. */
static int sides_right(const scene *s) {
    int own = weft_graph_sides(s->g, NULL, NULL);
    for (weft_vid u = 0; u < s->out.vertices && !check_stops(s->watch, u); u++) {
        if (s->side[u] > 1 && s->side[u] != WEFT_UNREACHED) return wrong(s, "no such side", u, u);
        if (own && s->side[u] != (uint32_t)weft_graph_side(s->g, u)) return wrong(s, "not the graph's side", u, u);
        for (weft_eid e = s->out.offsets[u]; e < s->out.offsets[u + 1]; e++) {
            weft_vid v = s->out.targets[e];
            join(s->parent, u, v);
            if ((s->side[u] == WEFT_UNREACHED) != (s->side[v] == WEFT_UNREACHED))
                return wrong(s, "one end of an edge has a side, the other none", u, v);
            if (s->side[u] != WEFT_UNREACHED && s->side[u] == s->side[v])
                return wrong(s, "an edge within a side", u, v);
        }
    }
    for (weft_vid v = 0; v < s->out.vertices && !own; v++)
        if (root_of(s->parent, v) == v && s->side[v] == 1) return wrong(s, "the smallest vertex is on side 1", v, v);
    return 1;
}

/* A component is bipartite if in the double cover, where edges lead from copies 0 to copies 1, no vertex is connected
 * to its own copy: copy 1 of v is n + v. */
static int odd_cycles_right(const scene *s) {
    uint64_t n = s->out.vertices, *cover = check_take(s->watch, 2 * n, sizeof *cover);
    if (!cover) return 0;
    for (uint64_t i = 0; i < 2 * n; i++) cover[i] = i;
    for (weft_vid u = 0; u < n && !check_stops(s->watch, u); u++)
        for (weft_eid e = s->out.offsets[u]; e < s->out.offsets[u + 1]; e++) {
            join(cover, u, n + s->out.targets[e]);
            join(cover, n + u, s->out.targets[e]);
        }
    for (weft_vid v = 0; v < n; v++) {
        int odd = root_of(cover, v) == root_of(cover, n + v);
        if (odd != (s->side[v] == WEFT_UNREACHED))
            return wrong(s, odd ? "has a side, but an odd cycle" : "has neither a side nor an odd cycle", v, v);
    }
    return 1;
}

/* A cycle along arcs in any direction, with an odd number of distinct vertices. */
static int cycle_right(const scene *s, const weft_column *cycle) {
    const weft_vid *vertex = cycle->data;
    weft_vid *sorted = check_take(s->watch, cycle->length, sizeof *sorted);
    int right = sorted && cycle->length % 2 == 1;
    for (size_t i = 0; right && i < cycle->length; i++) {
        weft_vid u = vertex[i], v = vertex[(i + 1) % cycle->length];
        right = u < s->out.vertices && v < s->out.vertices &&
                (weft_graph_has_arc(s->g, u, v, NULL) || weft_graph_has_arc(s->g, v, u, NULL));
        sorted[i] = u;
    }
    if (right) qsort(sorted, cycle->length, sizeof *sorted, check_by_vertex);
    for (size_t i = 1; right && i < cycle->length; i++) right = sorted[i] != sorted[i - 1];
    right = right && sorted[0] == vertex[0];
    return right || check_wrong(s->watch, "this is not an odd cycle of the graph");
}

static int counts_right(const scene *s, const weft_result *result, size_t length) {
    static const char *const names[] = {"first", "second", "bipartite"};
    uint64_t is[] = {0, 0, length == 0};
    for (weft_vid v = 0; v < s->out.vertices; v++)
        if (s->side[v] < 2) is[s->side[v]]++;
    for (int i = 0; i < 3; i++) {
        const weft_scalar *says = weft_result_scalar(result, names[i]);
        if (says && says->value.u64 == is[i]) continue;
        return check_wrong(s->watch, "%s must be %" PRIu64 ", not %" PRIu64, names[i], is[i],
                           says ? says->value.u64 : UINT64_MAX);
    }
    return length > 0 || is[0] + is[1] == s->out.vertices;
}

int weft_check_bipartite(check_watch *w, const weft_graph *g, const void *given, const weft_result *result) {
    (void)given;
    const weft_column *side = weft_result_column(result, "side"), *cycle = weft_result_column(result, "cycle");
    scene s = {.g = g, .out = check_out(w, g), .watch = w};
    if (!side || side->type != WEFT_U32 || side->length != s.out.vertices || !cycle || cycle->type != WEFT_VERTEX)
        return check_wrong(w, "a column is missing");
    s.side = side->data;
    s.parent = check_take(w, s.out.vertices, sizeof *s.parent);
    if (!s.parent) return 0;
    for (weft_vid v = 0; v < s.out.vertices; v++) s.parent[v] = v;
    if (!sides_right(&s) || !odd_cycles_right(&s) || (cycle->length && !cycle_right(&s, cycle)) ||
        !counts_right(&s, result, cycle->length))
        return 0;
    return cycle->length ? check_right(w, "an odd cycle of %zu, and sides wherever there is none", cycle->length)
                         : check_right(w, "every edge goes from one side to the other");
}
