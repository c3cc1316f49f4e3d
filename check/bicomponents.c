/* bicomponents: found again by depth-first searches (Hopcroft, Tarjan, "Algorithm 447: efficient algorithms for graph
 * manipulation", CACM 16(6), 1973) with a stack of edges. All columns and scalars are compared. Each row of the
 * block-cut tree must be an articulation point in a component, once, and the number of rows must match the
 * articulation points. */
#include "weft/bicomponents.h"
#include "checks.h"

#include <inttypes.h>
#include <string.h>

typedef struct scene {
    weft_vid n;
    uint64_t edges;
    weft_vid *end[2]; /* of each edge */
    uint64_t *row;    /* n + 1: the edges at v begin at at[row[v]] */
    uint64_t *at, *next, *stack, *by;
    weft_vid *path, *discovered, *low, *group;
    uint32_t *component, *count, *number;
    uint8_t *bridge;
    uint64_t components, points, bridges, groups, steps;
    check_watch *watch;
} scene;

static int set_up(scene *s, const weft_csr *out, int directed) {
    for (int i = 0; i < 2; i++) s->end[i] = check_take(s->watch, s->edges, sizeof *s->end[i]);
    s->row = check_take(s->watch, (size_t)s->n + 1, sizeof *s->row);
    s->at = check_take(s->watch, 2 * s->edges, sizeof *s->at);
    s->next = check_take(s->watch, s->n, sizeof *s->next);
    s->stack = check_take(s->watch, s->edges, sizeof *s->stack);
    s->by = check_take(s->watch, s->n, sizeof *s->by);
    s->path = check_take(s->watch, s->n, sizeof *s->path);
    s->discovered = check_take(s->watch, s->n, sizeof *s->discovered);
    s->low = check_take(s->watch, s->n, sizeof *s->low);
    s->group = check_take(s->watch, s->n, sizeof *s->group);
    s->component = check_take(s->watch, s->edges, sizeof *s->component);
    s->count = check_take(s->watch, s->n, sizeof *s->count);
    s->number = check_take(s->watch, s->edges, sizeof *s->number);
    s->bridge = check_take(s->watch, s->edges, sizeof *s->bridge);
    if (s->watch->status) return 0;
    uint64_t i = 0;
    for (weft_vid u = 0; u < s->n; u++)
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            weft_vid v = out->targets[e];
            if (!directed && v < u) continue;
            s->end[0][i] = u;
            s->end[1][i++] = v;
            if (u != v) s->row[u + 1]++, s->row[v + 1]++;
        }
    for (weft_vid v = 0; v < s->n; v++) s->row[v + 1] += s->row[v];
    for (weft_vid v = 0; v < s->n; v++) s->next[v] = s->row[v];
    for (i = 0; i < s->edges; i++)
        for (int k = 0; k < 2 && s->end[0][i] != s->end[1][i]; k++) s->at[s->next[s->end[k][i]]++] = i;
    for (weft_vid v = 0; v < s->n; v++) s->next[v] = s->row[v];
    return 1;
}

/* v is finished; p is its parent. */
static void finish_vertex(scene *s, weft_vid v, weft_vid p, uint64_t *top) {
    if (s->low[v] < s->low[p]) s->low[p] = s->low[v];
    s->bridge[s->by[v]] = s->low[v] == s->discovered[v];
    s->count[v]++;
    if (s->low[v] < s->discovered[p]) return;
    s->count[p]++;
    s->components++;
    do s->component[s->stack[--*top]] = (uint32_t)s->components;
    while (s->stack[*top] != s->by[v]);
}

static void search_from(scene *s, weft_vid root, weft_vid *clock) {
    uint64_t top = 0, depth = 1;
    s->path[0] = root;
    s->by[root] = UINT64_MAX;
    s->discovered[root] = s->low[root] = ++*clock;
    while (!check_stops(s->watch, ++s->steps)) {
        weft_vid v = s->path[depth - 1];
        if (s->next[v] == s->row[v + 1]) {
            if (!--depth) return;
            finish_vertex(s, v, s->path[depth - 1], &top);
            continue;
        }
        uint64_t i = s->at[s->next[v]++];
        weft_vid u = s->end[0][i] ^ s->end[1][i] ^ v;
        if (i == s->by[v] || s->discovered[u] > s->discovered[v]) continue; /* the other end has stacked it */
        s->stack[top++] = i;
        if (s->discovered[u]) {
            if (s->discovered[u] < s->low[v]) s->low[v] = s->discovered[u];
            continue;
        }
        s->by[u] = i;
        s->discovered[u] = s->low[u] = ++*clock;
        s->path[depth++] = u;
    }
}

/* Numbers components by first edges; finds groups and scalars. */
static void finish(scene *s) {
    uint32_t numbers = 0;
    for (weft_vid v = 0; v < s->n; v++) s->group[v] = v;
    for (uint64_t i = 0; i < s->edges; i++) {
        uint32_t c = s->component[i];
        if (c && !s->number[c - 1]) s->number[c - 1] = ++numbers;
        if (c) s->component[i] = s->number[c - 1];
        s->bridges += s->bridge[i];
        if (s->bridge[i]) continue;
        weft_vid a = check_root(s->group, s->end[0][i]), b = check_root(s->group, s->end[1][i]);
        s->group[a > b ? a : b] = a > b ? b : a;
    }
    for (weft_vid v = 0; v < s->n; v++) {
        s->group[v] = check_root(s->group, v);
        s->groups += s->group[v] == v;
        s->points += s->count[v] > 1;
    }
}

static int wrong(const scene *s, const char *what, uint64_t at, uint64_t says, uint64_t is) {
    return check_wrong(s->watch, "%s %" PRIu64 ": the result says %" PRIu64 ", it is %" PRIu64, what, at, says, is);
}

static int scalar_right(const scene *s, const weft_result *result, const char *name, uint64_t is) {
    const weft_scalar *says = weft_result_scalar(result, name);
    return says && says->value.u64 == is ? 1 : wrong(s, name, 0, says ? says->value.u64 : UINT64_MAX, is);
}

static int vertices_right(const scene *s, const weft_result *result) {
    const weft_column *count = weft_result_column(result, "components"), *group = weft_result_column(result, "group");
    if (!count || count->type != WEFT_U32 || count->length != s->n || !group || group->type != WEFT_VERTEX ||
        group->length != s->n)
        return check_wrong(s->watch, "the result lacks a column");
    const uint32_t *counts = count->data;
    const weft_vid *groups = group->data;
    for (weft_vid v = 0; v < s->n; v++) {
        if (counts[v] != s->count[v]) return wrong(s, "components of vertex", v, counts[v], s->count[v]);
        if (groups[v] != s->group[v]) return wrong(s, "group of vertex", v, groups[v], s->group[v]);
    }
    return 1;
}

static int edges_right(const scene *s, const weft_graph *g, const weft_result *result) {
    if (!check_edges(s->watch, g, result, "component", WEFT_U32) ||
        !check_edges(s->watch, g, result, "bridge", WEFT_U32))
        return 0;
    const uint32_t *component = weft_result_column(result, "component")->data;
    const uint32_t *bridge = weft_result_column(result, "bridge")->data;
    for (uint64_t i = 0; i < s->edges; i++) {
        if (component[i] != s->component[i]) return wrong(s, "component of edge", i, component[i], s->component[i]);
        if (bridge[i] != s->bridge[i]) return wrong(s, "bridge, edge", i, bridge[i], s->bridge[i]);
    }
    return 1;
}

/* Vertices of component c have the mark c in `seen`; `at` lists edges by component. */
static int tree_right(scene *s, const weft_result *result) {
    const weft_column *of = weft_result_column(result, "tree_component"),
                      *point = weft_result_column(result, "tree_point");
    if (!of || !point || of->length != point->length || of->type != WEFT_U32 || point->type != WEFT_VERTEX)
        return check_wrong(s->watch, "the result lacks the block-cut tree");
    const uint32_t *component = of->data;
    const weft_vid *points = point->data;
    uint64_t rows = 0, row = 0, *begin = s->stack, sum = 0;
    for (weft_vid v = 0; v < s->n; v++) rows += s->count[v] > 1 ? s->count[v] : 0;
    if (of->length != rows) return wrong(s, "rows of the tree", 0, of->length, rows);
    memset(begin, 0, (s->edges + 1) * sizeof *begin);
    memset(s->discovered, 0, ((size_t)s->n + 1) * sizeof *s->discovered);
    for (uint64_t i = 0; i < s->edges; i++) begin[s->component[i]]++;
    for (uint64_t c = 0; c <= s->components && c <= s->edges; c++) {
        uint64_t has = begin[c];
        begin[c] = sum;
        sum += has;
    }
    for (uint64_t i = 0; i < s->edges; i++) s->at[begin[s->component[i]]++] = i;
    for (uint32_t c = 1; c <= s->components; c++) {
        for (uint64_t k = begin[c - 1]; k < begin[c]; k++)
            s->discovered[s->end[0][s->at[k]]] = s->discovered[s->end[1][s->at[k]]] = c;
        for (; row < rows && component[row] == c; row++) {
            weft_vid v = points[row];
            if (v >= s->n || s->count[v] < 2 || s->discovered[v] != c) return wrong(s, "row of the tree", row, v, 0);
            s->discovered[v] = 0;
        }
    }
    return row == rows ? 1 : wrong(s, "component in row of the tree", row, component[row], 0);
}

int weft_check_bicomponents(check_watch *w, const weft_graph *g, const void *given, const weft_result *result) {
    const weft_bicomponents_params *p = given;
    weft_csr out = check_out(w, g);
    scene s = {.n = out.vertices, .edges = weft_graph_edges(g), .watch = w};
    weft_vid clock = 0;
    if (!set_up(&s, &out, weft_graph_directed(g))) return 0;
    for (weft_vid v = 0; v < s.n; v++)
        if (!s.discovered[v]) search_from(&s, v, &clock);
    finish(&s);
    return vertices_right(&s, result) && scalar_right(&s, result, "components", s.components) &&
           scalar_right(&s, result, "points", s.points) && scalar_right(&s, result, "bridges", s.bridges) &&
           scalar_right(&s, result, "groups", s.groups) && (!(p->edges || p->tree) || edges_right(&s, g, result)) &&
           (!p->tree || tree_right(&s, result)) &&
           check_right(w,
                       "a depth-first search finds the same %" PRIu64 " components, %" PRIu64
                       " articulation points and %" PRIu64 " bridges",
                       s.components, s.points, s.bridges);
}
