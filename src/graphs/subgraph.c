/* weft_subgraph: a conjunction of conditions, each applied to the vertices and edges that the previous ones left. */
#include "graphs/subgraph.h"
#include "weft/bfs.h"
#include "weft/components.h"
#include "weft/degree.h"
#include "weft/kcore.h"
#include "weft/subgraph.h"

#include <math.h>
#include <string.h>

typedef struct extraction {
    weft_ctx *ctx;
    const weft_graph *whole;
    const weft_subgraph_params *p;
    weft_vid *place; /* number of each vertex of the whole graph after the first step */
    weft_graph *now; /* current graph; NULL before the first step */
    weft_subgraph_info info;
} extraction;

static weft_status check(weft_ctx *ctx, const weft_graph *g, const weft_subgraph_params *p) {
    if (p->vertex_count) WFI_NEED_OR_RETURN(ctx, p->vertices);
    if (p->ego_count) WFI_NEED_OR_RETURN(ctx, p->ego);
    for (size_t i = 0; i < p->vertex_count; i++)
        if (p->vertices[i] >= g->n)
            return wfi_fail(ctx, WEFT_EINVAL, "subgraph: the graph has no vertex %u", p->vertices[i]);
    for (size_t i = 0; i < p->ego_count; i++)
        if (p->ego[i] >= g->n) return wfi_fail(ctx, WEFT_EINVAL, "subgraph: the graph has no vertex %u", p->ego[i]);
    if ((unsigned)p->largest_component > WEFT_COMPONENT_STRONG)
        return wfi_fail(ctx, WEFT_EINVAL, "subgraph: invalid `largest_component`");
    if (p->min_degree > p->max_degree)
        return wfi_fail(ctx, WEFT_EINVAL, "subgraph: `min_degree` is above `max_degree`");
    if (p->truss == 1) return wfi_fail(ctx, WEFT_EINVAL, "subgraph: `truss` is 2 or more, or 0 for all edges");
    if (!(p->min_weight <= p->max_weight))
        return wfi_fail(ctx, WEFT_EINVAL, "subgraph: `min_weight` is above `max_weight`");
    bool by_weight = p->min_weight > (double)-INFINITY || p->max_weight < (double)INFINITY;
    if (by_weight && g->weight_type == WEFT_WEIGHT_NONE && g->arcs)
        return wfi_fail(ctx, WEFT_EINVAL, "subgraph: a condition on weights, but the graph has none");
    if (!(p->sample_vertices >= 0 && p->sample_vertices <= 1) || !(p->sample_edges >= 0 && p->sample_edges <= 1))
        return wfi_fail(ctx, WEFT_EINVAL, "subgraph: `sample_vertices` and `sample_edges` are shares from 0 to 1");
    return by_weight ? wfi_graph_refuse_ambiguous(ctx, "subgraph", g) : WEFT_OK;
}

/* Keeps the marked vertices and arcs of the current graph; *count: number of removed vertices. */
static weft_status keep_arcs(extraction *c, const uint8_t *keep, const uint8_t *arcs, uint64_t *count) {
    wfi_selection by = {.keep = keep, .arcs = arcs, .edge_share = WFI_WHOLE};
    wfi_left_out none;
    weft_graph *next;
    weft_status st = wfi_induce(c->ctx, c->now, &by, NULL, &none, &next);
    if (st) return st;
    *count = c->now->n - next->n;
    weft_graph_free(c->now);
    c->now = next;
    return WEFT_OK;
}

static weft_status keep_some(extraction *c, const uint8_t *keep, uint64_t *count) {
    return keep_arcs(c, keep, NULL, count);
}

static uint64_t share_of(double p) { return (uint64_t)(p * 0x1p53); }

/* Conditions that depend on the whole graph only: weights, sampling, and the list of vertices. */
static weft_status first_step(extraction *c) {
    const weft_graph *g = c->whole;
    const weft_subgraph_params *p = c->p;
    uint64_t share = share_of(p->sample_vertices), listed = 0, stay = 0;
    wfi_selection by = {.min_weight = p->min_weight,
                        .max_weight = p->max_weight,
                        .by_weight = p->min_weight > (double)-INFINITY || p->max_weight < (double)INFINITY,
                        .edge_share = share_of(p->sample_edges),
                        .seed = p->seed};
    uint8_t *keep;
    weft_status st = wfi_alloc(c->ctx, &keep, g->n);
    if (st) return st;
    memset(keep, !p->vertices, g->n);
    for (size_t i = 0; i < p->vertex_count; i++) keep[p->vertices[i]] = 1;
#pragma omp parallel for schedule(static) reduction(+ : listed, stay) num_threads(wfi_threads_for(c->ctx, g->n, 1 << 14))
    for (weft_vid v = 0; v < g->n; v++) {
        listed += keep[v];
        keep[v] = keep[v] && wfi_chosen(p->seed, WFI_LANE_VERTICES, v, share);
        stay += keep[v];
    }
    c->info.vertices_by_list = g->n - listed;
    c->info.vertices_by_sampling = listed - stay;
    by.keep = keep;
    wfi_left_out left = {0, 0};
    st = wfi_induce(c->ctx, g, &by, c->place, &left, &c->now);
    c->info.edges_by_weight = left.by_weight;
    c->info.edges_by_sampling = left.by_chance;
    wfi_free(keep);
    return st;
}

static weft_status keep_egos(extraction *c) {
    const weft_subgraph_params *p = c->p;
    weft_bfs_params search = WEFT_BFS_DEFAULTS;
    weft_result *r = NULL;
    weft_vid *from = NULL;
    uint8_t *keep = NULL;
    size_t count = 0;
    weft_status st = wfi_alloc(c->ctx, &from, p->ego_count);
    if (!st) st = wfi_alloc_zeroed(c->ctx, &keep, c->now->n);
    for (size_t i = 0; i < p->ego_count && !st; i++) {
        weft_vid v = c->place[p->ego[i]];
        if (v == WEFT_NO_VERTEX || keep[v]) continue;
        keep[v] = 1;
        from[count++] = v;
    }
    search.sources = from;
    search.source_count = count;
    search.parents = 0;
    search.max_depth = p->radius;
    if (!st && count && p->radius && !(st = weft_bfs(c->ctx, c->now, &search, &r))) {
        const uint32_t *level = weft_result_u32(r, "level");
        for (weft_vid v = 0; v < c->now->n; v++) keep[v] = level[v] != WEFT_UNREACHED;
    }
    if (!st) st = keep_some(c, keep, &c->info.vertices_by_ego);
    weft_result_free(r);
    WFI_FREE(keep, from);
    return st;
}

static weft_status by_degree(extraction *c) {
    weft_result *r = NULL;
    uint8_t *keep = NULL;
    weft_status st = weft_degree(c->ctx, c->now, NULL, &r);
    if (!st) st = wfi_alloc(c->ctx, &keep, c->now->n);
    const uint64_t *total = st ? NULL : weft_result_u64(r, "total");
    for (weft_vid v = 0; total && v < c->now->n; v++)
        keep[v] = total[v] >= c->p->min_degree && total[v] <= c->p->max_degree;
    if (!st) st = keep_some(c, keep, &c->info.vertices_by_degree);
    weft_result_free(r);
    wfi_free(keep);
    return st;
}

static weft_status by_core(extraction *c) {
    weft_result *r = NULL;
    uint8_t *keep = NULL;
    weft_status st = weft_kcore(c->ctx, c->now, NULL, &r);
    if (!st) st = wfi_alloc(c->ctx, &keep, c->now->n);
    const uint32_t *core = st ? NULL : weft_result_u32(r, "core");
    for (weft_vid v = 0; core && v < c->now->n; v++) keep[v] = core[v] >= c->p->core;
    if (!st) st = keep_some(c, keep, &c->info.vertices_by_core);
    weft_result_free(r);
    wfi_free(keep);
    return st;
}

static weft_status by_truss(extraction *c) {
    wfi_truss_part part;
    weft_status st = wfi_subgraph_truss(c->ctx, c->now, c->p->truss, &part);
    if (!st) st = keep_arcs(c, part.vertices, part.arcs, &c->info.vertices_by_truss);
    c->info.edges_by_truss = part.left_out;
    WFI_FREE(part.arcs, part.vertices);
    return st;
}

/* Of several largest components, the one with the smallest vertex. */
static weft_status by_component(extraction *c) {
    weft_components_params p = WEFT_COMPONENTS_DEFAULTS;
    weft_result *r = NULL;
    weft_vid *count = NULL, largest = 0;
    uint8_t *keep = NULL;
    p.strong = c->p->largest_component == WEFT_COMPONENT_STRONG;
    weft_status st = weft_components(c->ctx, c->now, &p, &r);
    if (!st) st = wfi_alloc_zeroed(c->ctx, &count, c->now->n);
    if (!st) st = wfi_alloc(c->ctx, &keep, c->now->n);
    const weft_vid *component = st ? NULL : weft_result_u32(r, "component");
    for (weft_vid v = 0; component && v < c->now->n; v++) count[component[v]]++;
    for (weft_vid v = 0; component && v < c->now->n; v++)
        if (count[v] > count[largest]) largest = v;
    for (weft_vid v = 0; component && v < c->now->n; v++) keep[v] = component[v] == largest;
    if (!st) st = keep_some(c, keep, &c->info.vertices_by_component);
    weft_result_free(r);
    WFI_FREE(count, keep);
    return st;
}

weft_status weft_subgraph(weft_ctx *ctx, const weft_graph *g, const weft_subgraph_params *params, weft_graph **out,
                          weft_subgraph_info *left_out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, out);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    weft_subgraph_params p = WEFT_SUBGRAPH_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_subgraph_params", params, &p, sizeof p);
    if (!st) st = check(ctx, g, &p);
    if (st) return st;
    extraction c = {.ctx = ctx, .whole = g, .p = &p, .info = {.size = sizeof c.info}};
    st = wfi_alloc(ctx, &c.place, g->n);
    if (!st) st = first_step(&c);
    if (!st && p.ego_count) st = keep_egos(&c);
    if (!st && (p.min_degree || p.max_degree < UINT64_MAX)) st = by_degree(&c);
    if (!st && p.core) st = by_core(&c);
    if (!st && p.truss) st = by_truss(&c);
    if (!st && p.largest_component) st = by_component(&c);
    wfi_free(c.place);
    if (!st) {
        c.info.vertices = g->n - c.now->n;
        c.info.edges = g->edges - c.now->edges;
        if (left_out) st = wfi_sized_out(ctx, "weft_subgraph_info", &c.info, sizeof c.info, left_out);
    }
    if (st)
        weft_graph_free(c.now);
    else
        *out = c.now;
    return st;
}
