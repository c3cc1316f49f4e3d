/* bicomponents: what stays together when a vertex, or an edge, is taken away.
 * The graph is seen without directions, and each arc as an edge.  Biconnected components are the largest sets of edges
 * of which any two are on a common cycle; vertices in several of them are articulation points.  A bridge is an edge on
 * no cycle; without the bridges the two-edge-connected components are left.  A loop is on none of these cycles.
 * Components are numbered from 1 in the order of their first edges. */
#include "algo/bicomponents/bicomponents.h"
#include "algo/edge_rows.h"
#include "core/scan.h"

#include <stddef.h>
#include <stdio.h>

enum { SHARE = 1 << 14, BLOCK = 1 << 14 };

typedef struct arrays {
    wfi_blocks blocks;
    wfi_edge_rows edges;
    uint32_t *component, *bridge; /* of edges */
    uint64_t *first;              /* the first edge of each block, by its name */
    uint64_t *before;             /* components that begin before each stretch of edges */
    uint32_t *number;             /* of each block, by its name */
    weft_vid *in_tree;            /* of each component, where its next edge of the tree goes */
    uint32_t *tree_block;
    weft_vid *tree_cut;
} arrays;

static bool needs_numbers(const weft_bicomponents_params *p) { return p->edges || p->tree; }

/* Edges of the block-cut tree, at most: it has a component for each vertex but one, and no more articulation points. */
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
    bool transpose = wfi_need_in(&choice->space, ctx, g);
    choice->method = "spanning forest, blocks by its numbers";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             !g->directed ? "rows list all neighbours"
             : transpose  ? "directed: the transpose is made, and both rows of a vertex are read"
                          : "directed: both rows of a vertex are read");
    wfi_bicomponents_declare(&choice->space, g, params, false);
}

/* --- numbers of components --------------------------------------------------------------- */

/* The block of edge i; WEFT_NO_VERTEX: it is a loop. */
static weft_vid block_of(const arrays *a, uint64_t i) {
    weft_vid u = a->edges.source[i], v = a->edges.target[i];
    return u == v ? WEFT_NO_VERTEX : wfi_blocks_of_edge(&a->blocks, u, v);
}

static void find_first(const arrays *a, uint64_t i) {
    weft_vid r = block_of(a, i);
    if (r == WEFT_NO_VERTEX) return;
    uint64_t seen = __atomic_load_n(&a->first[r], __ATOMIC_RELAXED);
    while (i < seen && !__atomic_compare_exchange_n(&a->first[r], &seen, i, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static bool begins(const arrays *a, uint64_t i) {
    weft_vid r = block_of(a, i);
    return r != WEFT_NO_VERTEX && a->first[r] == i;
}

static bool is_bridge(const arrays *a, uint64_t i) {
    const weft_vid *group = a->blocks.group;
    return group[a->edges.source[i]] != group[a->edges.target[i]];
}

/* Components by the order of their first edges: stretches of edges count those that begin in them. */
static weft_status number_components(weft_ctx *ctx, const weft_graph *g, const arrays *a) {
    const uint64_t edges = a->edges.count, count = stretches(g);
    const int threads = wfi_threads_for(ctx, edges, SHARE);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < g->n; v++) a->first[v] = UINT64_MAX, a->number[v] = 0;
    for (int pass = 0; pass < 4 && !wfi_cancelled(ctx); pass++) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (uint64_t k = 0; k < count; k++) {
            uint64_t end = wfi_min_u64((k + 1) * BLOCK, edges), found = 0;
            if (wfi_cancelled(ctx)) continue;
            for (uint64_t i = k * BLOCK; i < end; i++) {
                if (pass == 0) find_first(a, i);
                if (pass == 1) found += begins(a, i);
                if (pass == 2 && begins(a, i)) a->number[block_of(a, i)] = (uint32_t)(a->before[k] + ++found);
                if (pass == 3) a->bridge[i] = is_bridge(a, i);
                if (pass == 3) a->component[i] = block_of(a, i) == WEFT_NO_VERTEX ? 0 : a->number[block_of(a, i)];
            }
            if (pass == 1) a->before[k] = found;
        }
        if (pass == 1) wfi_exclusive_scan(ctx, a->before, (size_t)count);
    }
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* --- the block-cut tree -------------------------------------------------------------------- */

static bool is_cut(const wfi_blocks *b, weft_vid v) { return b->count[v] > 1; }

/* Its edges, by component: first the articulation point above it, then those of its own, ascending. */
static weft_status list_tree(wfi_job *job, arrays *a) {
    const wfi_blocks *b = &a->blocks;
    wfi_workspace *w = job->space;
    uint64_t rows = 0, at = 0;
    weft_vid n = b->n, *end = a->in_tree;
    a->tree_block = wfi_grow(w, tree_most(job->g), sizeof *a->tree_block);
    a->tree_cut = a->tree_block ? wfi_grow(w, tree_most(job->g), sizeof *a->tree_cut) : NULL;
    if (!a->tree_cut) return WEFT_ENOMEM;
    for (weft_vid i = 0; i < n; i++) end[i] = 0;
    for (weft_vid v = 0; v < n; v++) {
        if (b->head[v] != WEFT_NO_VERTEX) end[a->number[v] - 1] += is_cut(b, b->head[v]);
        if (!wfi_blocks_is_root(b, v) && is_cut(b, v)) end[a->number[b->block[v]] - 1]++;
    }
    for (weft_vid i = 0; i < n; i++) {
        weft_vid has = end[i];
        end[i] = (weft_vid)rows;
        rows += has;
    }
    for (weft_vid v = 0; v < n; v++) {
        if (b->head[v] == WEFT_NO_VERTEX || !is_cut(b, b->head[v])) continue;
        at = end[a->number[v] - 1]++;
        a->tree_block[at] = a->number[v];
        a->tree_cut[at] = b->head[v];
    }
    for (weft_vid v = 0; v < n; v++) {
        if (wfi_blocks_is_root(b, v) || !is_cut(b, v)) continue;
        at = end[a->number[b->block[v]] - 1]++;
        a->tree_block[at] = a->number[b->block[v]];
        a->tree_cut[at] = v;
    }
    weft_status st = wfi_column_of_grown(w, "tree_component", WEFT_U32, (size_t)rows, a->tree_block);
    return st ? st : wfi_column_of_grown(w, "tree_point", WEFT_VERTEX, (size_t)rows, a->tree_cut);
}

/* --- run ----------------------------------------------------------------------------------- */

static weft_status tell(wfi_job *job, const wfi_blocks *b) {
    weft_status st = wfi_result_scalar_u64(job->ctx, job->result, "components", b->blocks);
    if (!st) st = wfi_result_scalar_u64(job->ctx, job->result, "points", b->points);
    if (!st) st = wfi_result_scalar_u64(job->ctx, job->result, "bridges", b->bridges);
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "groups", b->groups);
}

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
    if (!st && p->tree) st = list_tree(job, &a);
    return st ? st : tell(job, &a.blocks);
}

static weft_status run_cpu(wfi_job *job) { return wfi_bicomponents_run(job, false, wfi_blocks_find); }

/* Tours have two arcs a vertex, which are numbers of 32 bits. */
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
     "biconnected components that the vertex is in; of an articulation point more than one"},
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
    .info.model = "none: how far paths to a common root are depends on the graph",
    .cpu_cost = {20000, 12000000, 12000000, 0, 0},
    .gpu_cost = {800000, 300000, 300000, 0, 125000},
    .on_request =
        (const char *const[]){"source", "target", "component", "bridge", "tree_component", "tree_point", NULL},
    .serves_cuda = serves_cuda,
    WFI_ON_CPU(plan_cpu, run_cpu),
    WFI_ON_CUDA(wfi_bicomponents_plan_cuda, wfi_bicomponents_cuda),
};
