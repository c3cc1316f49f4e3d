/* bicomponents: the parts of a graph that stay connected when a vertex, or an edge, is removed.
 * The graph is seen without directions, and each arc as an edge.  Biconnected components are the maximal sets of edges
 * of which any two are on a common cycle; vertices in several of them are articulation points.  A bridge is an edge on
 * no cycle; removing the bridges leaves the two-edge-connected components.  A loop is on none of these cycles.
 * Components are numbered from 1 in the order of their first edges. */
#include "algo/bicomponents/bicomponents.h"
#include "core/atomic_min.h"
#include "core/scan.h"
#include "core/search.h"
#include "run/edge_rows.h"
#include "weft/bicomponents.h"

#include <stddef.h>
#include <string.h>

enum { SHARE = 1 << 14, BLOCK = 1 << 14, SAMPLE = 1 << 20 };

typedef struct arrays {
    wfi_blocks blocks;
    wfi_edge_rows edges;
    uint32_t *component, *bridge; /* columns of edges */
    uint64_t *first;              /* the first edge of each block, by its name */
    uint64_t *before;             /* components that begin before each stretch of edges */
    uint32_t *number;             /* number of each block, by its name */
    int pass;                     /* over the edges */
    weft_vid *in_tree;            /* position of the next edge of the tree, for each component */
    uint32_t *tree_block;         /* NULL: edges of the tree are only counted */
    weft_vid *tree_cut;
} arrays;

static bool needs_numbers(const weft_bicomponents_params *p) { return p->edges || p->tree; }

/* Upper bound of the edges of the block-cut tree: it has at most n - 1 components, and at most as many articulation
 * points. */
static uint64_t tree_most(const weft_graph *g) { return 2 * (uint64_t)g->n; }

static uint64_t stretches(const weft_graph *g) { return (g->edges + BLOCK - 1) / BLOCK; }

static void lay_out(wfi_workspace *w, const weft_graph *g, const weft_bicomponents_params *p, bool on_gpu, arrays *a) {
    wfi_column(w, "components", WEFT_U32, g->n, &a->blocks.count);
    wfi_column(w, "group", WEFT_VERTEX, g->n, &a->blocks.group);
    if (!on_gpu) wfi_blocks_lay_out(w, g->n, &a->blocks);
    if (!needs_numbers(p)) return;
    if (on_gpu) wfi_blocks_lay_out_named(w, g->n, &a->blocks);
    wfi_edge_rows_lay_out(w, g, &a->edges);
    wfi_edge_column(w, "component", WEFT_U32, g->edges, &a->component);
    wfi_edge_column(w, "bridge", WEFT_U32, g->edges, &a->bridge);
    wfi_array(w, &a->first, g->n);
    wfi_array(w, &a->number, g->n);
    wfi_array(w, &a->before, stretches(g) + 1);
    if (!p->tree) return;
    wfi_array(w, &a->in_tree, g->n);
    wfi_growth(w, sizeof *a->tree_block * tree_most(g));
    wfi_growth(w, sizeof *a->tree_cut * tree_most(g));
}

void wfi_bicomponents_declare(wfi_workspace *w, const weft_graph *g, const void *params, bool on_gpu) {
    arrays a;
    lay_out(w, g, params, on_gpu, &a);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_need_both(ctx, g, choice);
    wfi_bicomponents_declare(&choice->space, g, params, false);
}

/* --- numbers of components --------------------------------------------------------------- */

/* The block of edge i; WEFT_NO_VERTEX for a loop. */
static weft_vid block_of(const arrays *a, uint64_t i) {
    weft_vid u = a->edges.source[i], v = a->edges.target[i];
    return u == v ? WEFT_NO_VERTEX : wfi_blocks_of_edge(&a->blocks, u, v);
}

static void find_first(const arrays *a, uint64_t i) {
    weft_vid r = block_of(a, i);
    if (r != WEFT_NO_VERTEX) wfi_atomic_min_u64(&a->first[r], i);
}

static bool begins(const arrays *a, uint64_t i) {
    weft_vid r = block_of(a, i);
    return r != WEFT_NO_VERTEX && a->first[r] == i;
}

static bool is_bridge(const arrays *a, uint64_t i) {
    const weft_vid *group = a->blocks.group;
    return group[a->edges.source[i]] != group[a->edges.target[i]];
}

/* One pass over one stretch of edges. */
static void take_edges(void *state, uint64_t from, uint64_t to) {
    arrays *a = state;
    uint64_t found = 0, *before = &a->before[from / BLOCK];
    for (uint64_t i = from; i < to; i++) {
        if (a->pass == 0) find_first(a, i);
        if (a->pass == 1) found += begins(a, i);
        if (a->pass == 2 && begins(a, i)) a->number[block_of(a, i)] = (uint32_t)(*before + ++found);
        if (a->pass == 3) a->bridge[i] = is_bridge(a, i);
        if (a->pass == 3) a->component[i] = block_of(a, i) == WEFT_NO_VERTEX ? 0 : a->number[block_of(a, i)];
    }
    if (a->pass == 1) *before = found;
}

/* Numbers the components in the order of their first edges, by an exclusive scan over stretches of edges. */
static weft_status number_components(weft_ctx *ctx, const weft_graph *g, arrays *a) {
    const int threads = wfi_threads_for(ctx, a->edges.count, SHARE);
    weft_status st = WEFT_OK;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < g->n; v++) a->first[v] = UINT64_MAX, a->number[v] = 0;
    for (a->pass = 0; a->pass < 4 && !st; a->pass++) {
        st = wfi_spans(ctx, a->edges.count, BLOCK, threads, take_edges, a);
        if (!st && a->pass == 1) wfi_exclusive_scan(ctx, a->before, (size_t)stretches(g));
    }
    return st;
}

/* --- the block-cut tree -------------------------------------------------------------------- */

/* Puts the tree's edge between a block and a vertex if that is an articulation point, or counts it for the block. */
static void put(const arrays *a, weft_vid block, weft_vid v) {
    if (a->blocks.count[v] < 2) return;
    weft_vid at = a->in_tree[a->number[block] - 1]++;
    if (!a->tree_block) return;
    a->tree_block[at] = a->number[block];
    a->tree_cut[at] = v;
}

/* First the articulation point above each block, then those of its own, ascending. */
static void put_all(const arrays *a) {
    const wfi_blocks *b = &a->blocks;
    for (weft_vid v = 0; v < b->n; v++)
        if (b->head[v] != WEFT_NO_VERTEX) put(a, v, b->head[v]);
    for (weft_vid v = 0; v < b->n; v++)
        if (!wfi_blocks_is_root(b, v)) put(a, b->block[v], v);
}

/* Lists the tree's edges by component. */
static weft_status list_tree(wfi_workspace *w, arrays *a) {
    uint64_t rows = 0;
    memset(a->in_tree, 0, a->blocks.n * sizeof *a->in_tree);
    put_all(a);
    for (weft_vid i = 0; i < a->blocks.n; i++) {
        weft_vid has = a->in_tree[i];
        a->in_tree[i] = (weft_vid)rows;
        rows += has;
    }
    wfi_grown_column(w, "tree_component", WEFT_U32, rows, &a->tree_block);
    wfi_grown_column(w, "tree_point", WEFT_VERTEX, rows, &a->tree_cut);
    if (!w->status) put_all(a);
    return w->status;
}

/* True if one of the first arcs of a directed graph has its reverse.  Searched in rows of outgoing arcs, which ascend,
 * as the host may have no others.  A sample, so that a note costs no pass over the graph. */
static bool has_reverse(const weft_graph *g) {
    const weft_eid *offsets = g->out.offsets, most = wfi_min_u64(g->arcs, SAMPLE);
    for (weft_vid v = 0; g->directed && v < g->n && offsets[v] < most; v++)
        for (weft_eid e = offsets[v]; e < offsets[v + 1] && e < most; e++) {
            weft_vid to = g->out.targets[e];
            weft_eid end = offsets[to + 1], at = wfi_lower_bound_u32(g->out.targets, offsets[to], end, v);
            if (to != v && at < end && g->out.targets[at] == v) return true;
        }
    return false;
}

/* --- run ----------------------------------------------------------------------------------- */

weft_status wfi_bicomponents_run(wfi_job *job, bool on_gpu, wfi_find_blocks find) {
    const weft_graph *g = job->g;
    const weft_bicomponents_params *p = job->params;
    arrays a = {
        .blocks = {.ctx = job->ctx, .g = g, .n = g->n, .sides = g->directed ? 2 : 1, .rows = {&g->out, &g->in}}};
    lay_out(job->space, g, p, on_gpu, &a);
    weft_status st = job->space->status;
    if (!st) st = find(job, &a.blocks);
    if (!st && needs_numbers(p)) st = wfi_edge_rows_make(job->ctx, g, &a.edges);
    if (!st && needs_numbers(p)) st = number_components(job->ctx, g, &a);
    if (!st && p->tree) st = list_tree(job->space, &a);
    const wfi_blocks *b = &a.blocks;
    if (!st && has_reverse(g))
        wfi_note(job->ctx, "bicomponents: arcs in both directions between two vertices are a cycle, and no bridges; "
                           "`direction=undirected` takes them for one edge");
    return st ? st
              : WFI_TELL(job->ctx, job->result, WFI_U64("components", b->blocks), WFI_U64("points", b->points),
                         WFI_U64("bridges", b->bridges), WFI_U64("groups", b->groups));
}

static weft_status run_cpu(wfi_job *job) { return wfi_bicomponents_run(job, false, wfi_blocks_find); }

/* Tours have two arcs a vertex, numbered in 32 bits. */
static const char *serves_cuda(const weft_graph *g, const void *params) {
    (void)params;
    return g->n < (weft_vid)1 << 31 ? NULL : "a graph of 2^31 vertices and more runs on the CPU";
}

static const weft_param_info params_info[] = {
    {"edges", WEFT_PARAM_BOOL, offsetof(weft_bicomponents_params, edges), "no", 0, 1, NULL,
     "rows are edges: the biconnected component of each, and whether it is a bridge"},
    {"tree", WEFT_PARAM_BOOL, offsetof(weft_bicomponents_params, tree), "no", 0, 1, NULL,
     "as `edges`, and the block-cut tree: which articulation points are in which component"},
};
static const weft_result_info results[] = {
    {"components", WEFT_U32, WEFT_SHAPE_VERTICES,
     "number of biconnected components with the vertex; several for an articulation point"},
    {"group", WEFT_VERTEX, WEFT_SHAPE_VERTICES, "smallest vertex of the two-edge-connected component"},
    {"source", WEFT_VERTEX, WEFT_SHAPE_EDGES, "with `edges`: one end of the edge"},
    {"target", WEFT_VERTEX, WEFT_SHAPE_EDGES, "with `edges`: the other end"},
    {"component", WEFT_U32, WEFT_SHAPE_EDGES, "with `edges`: number of the component, from 1; 0 for a loop"},
    {"bridge", WEFT_U32, WEFT_SHAPE_EDGES, "with `edges`: 1 if the edge is a bridge, else 0"},
    {"tree_component", WEFT_U32, WEFT_SHAPE_TABLE, "with `tree`: one end of an edge of the block-cut tree"},
    {"tree_point", WEFT_VERTEX, WEFT_SHAPE_TABLE, "with `tree`: the other end, an articulation point"},
    {"components", WEFT_U64, WEFT_SHAPE_SCALAR, "number of biconnected components"},
    {"points", WEFT_U64, WEFT_SHAPE_SCALAR, "number of articulation points"},
    {"bridges", WEFT_U64, WEFT_SHAPE_SCALAR, "number of bridges"},
    {"groups", WEFT_U64, WEFT_SHAPE_SCALAR, "number of two-edge-connected components, single vertices among them"},
};
static const char *const methods[] = {"spanning forest, blocks by its numbers", "spanning forest, blocks by its tours"};

const wfi_algorithm wfi_algorithm_bicomponents = {
    WFI_DESCRIBE(bicomponents, (const weft_bicomponents_params)WEFT_BICOMPONENTS_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "articulation points, bridges, biconnected and two-edge-connected components",
    .info.top_by = "components",
    .info.model = "none: the lengths of paths to a common root depend on the graph",
    .on_request =
        (const char *const[]){"source", "target", "component", "bridge", "tree_component", "tree_point", NULL},
    .serves_cuda = serves_cuda,
    WFI_ON_CPU(plan_cpu, run_cpu),
    WFI_ON_CUDA(wfi_bicomponents_plan_cuda, wfi_bicomponents_cuda),
};
