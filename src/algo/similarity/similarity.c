/* similarity: the most similar vertices of each vertex, or the similarity of given pairs or of all edges.  The
 * definition is in similarity.h, the methods are in best_cpu.c and pairs_cpu.c. */
#include "algo/similarity/similarity.h"

#include <stddef.h>
#include <stdio.h>

enum { STANDARD_ROWS = 10 };

static const char *const methods[] = {"count wedges", "look up pairs", "mark rows", "triangles of each edge"};

void wfi_similar_columns(wfi_workspace *w, uint64_t count, wfi_similar_edges *e) {
    e->rows = (wfi_edge_rows){.count = count};
    wfi_table_column(w, "source", WEFT_VERTEX, count, &e->rows.source);
    wfi_table_column(w, "target", WEFT_VERTEX, count, &e->rows.target);
    wfi_table_column(w, "similarity", WEFT_F64, count, &e->value);
}

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const weft_similarity_params *p,
                    bool on_gpu, wfi_similarity *a) {
    *a = (wfi_similarity){.edges = {.value = NULL}};
    wfi_similar_lay_out(w, ctx, g, p, &a->s);
    if (wfi_similar_method(p) == WFI_SIMILAR_BEST) wfi_similar_best_lay_out(w, ctx, &a->s, on_gpu, &a->best);
    if (wfi_similar_method(p) == WFI_SIMILAR_EDGES) wfi_similar_edges_lay_out(w, ctx, g, on_gpu, &a->edges);
    if (wfi_similar_method(p) == WFI_SIMILAR_PAIRS) wfi_similar_columns(w, p->pair_count, &a->edges);
}

static void describe_plan(const wfi_similar *s, bool on_gpu, wfi_choice *choice) {
    const weft_similarity_params *p = s->p;
    int method = wfi_similar_method(p);
    char *reason = choice->reason;
    size_t size = sizeof choice->reason;
    unsigned long long of = p->of ? p->of_count : s->g->n, wedges = wfi_similar_wedges(s);
    choice->method = on_gpu && method == WFI_SIMILAR_EDGES ? WFI_SIMILAR_PAIRS : method;
    if (method == WFI_SIMILAR_PAIRS)
        snprintf(reason, size, "%zu pair%s: the shorter row of each is looked up in the longer", p->pair_count,
                 wfi_plural(p->pair_count));
    else if (method == WFI_SIMILAR_EDGES)
        snprintf(reason, size, "shorter rows of edges are %s",
                 on_gpu ? "looked up in the longer ones" : "read where the longer ones are marked");
    else if (wedges == UINT64_MAX)
        snprintf(reason, size, "%llu vert%s; how many wedges is known when the incoming rows have been made", of,
                 of == 1 ? "ex" : "ices");
    else
        snprintf(reason, size, "%llu vert%s: %llu wedge%s at most", of, of == 1 ? "ex" : "ices", wedges,
                 wfi_plural(wedges));
}

void wfi_similarity_plan(const weft_ctx *ctx, const weft_graph *g, const void *params, bool on_gpu, wfi_choice *choice,
                         wfi_similarity *a) {
    wfi_need_in(&choice->space, ctx, g);
    lay_out(&choice->space, ctx, g, params, on_gpu, a);
    describe_plan(&a->s, on_gpu, choice);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_similarity a;
    wfi_similarity_plan(ctx, g, params, false, choice, &a);
}

/* --- run ------------------------------------------------------------------------------------- */

static void list_pairs(const wfi_similar *s, const wfi_similar_edges *e) {
    const weft_similarity_params *p = s->p;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(s->ctx, p->pair_count, 1 << 14))
    for (size_t i = 0; i < p->pair_count; i++) {
        e->rows.source[i] = p->pairs[2 * i];
        e->rows.target[i] = p->pairs[2 * i + 1];
    }
}

static weft_status tell(wfi_job *job, const wfi_similarity *a, int method) {
    const wfi_similar *s = &a->s;
    const wfi_similar_best *b = &a->best;
    uint64_t rows = method == WFI_SIMILAR_BEST ? b->rows : a->edges.rows.count;
    if (s->hubs)
        wfi_note(job->ctx, "similarity: %llu vert%s with more than %llu neighbours do%s not count as neighbours",
                 (unsigned long long)s->hubs, s->hubs == 1 ? "ex" : "ices", (unsigned long long)s->most,
                 s->hubs == 1 ? "es" : "");
    if (s->hubs && method == WFI_SIMILAR_BEST)
        wfi_note(job->ctx, "similarity: that leaves %llu of %llu wedges out", (unsigned long long)b->left_out,
                 (unsigned long long)(b->left_out + b->wedges));
    weft_status st = WFI_TELL(job->ctx, job->result, WFI_U64("pairs", rows), WFI_U64("hubs", s->hubs));
    if (st || method != WFI_SIMILAR_BEST) return st;
    return WFI_TELL(job->ctx, job->result, WFI_U64("wedges", b->wedges), WFI_U64("left_out", b->left_out));
}

weft_status wfi_similarity_run(wfi_job *job, bool on_gpu, wfi_similar_find *find) {
    int method = wfi_similar_method(job->params);
    wfi_similarity a;
    lay_out(job->space, job->ctx, job->g, job->params, on_gpu, &a);
    a.s.ctx = job->ctx;
    weft_status st = wfi_similar_make(job->space, &a.s);
    if (!st && method == WFI_SIMILAR_BEST) st = wfi_similar_best_begin(job->space, &a.s, &a.best);
    if (!st && method == WFI_SIMILAR_PAIRS) list_pairs(&a.s, &a.edges);
    if (!st && method == WFI_SIMILAR_EDGES) st = wfi_edge_rows_make(job->ctx, job->g, &a.edges.rows);
    if (!st) st = find(job, &a);
    if (!st && method == WFI_SIMILAR_BEST) st = wfi_similar_best_end(job->space, &a.s, &a.best);
    return st ? st : tell(job, &a, method);
}

static weft_status find_on_cpu(wfi_job *job, wfi_similarity *a) {
    int method = wfi_similar_method(job->params);
    return method == WFI_SIMILAR_BEST    ? wfi_similar_best_search(&a->s, &a->best)
           : method == WFI_SIMILAR_PAIRS ? wfi_similar_pairs(&a->s, a->edges.value)
                                         : wfi_similar_edges_value(&a->s, &a->edges);
}

static weft_status run_cpu(wfi_job *job) { return wfi_similarity_run(job, false, find_on_cpu); }

/* --- descriptor ------------------------------------------------------------------------------ */

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_similarity_params *p = params;
    const char *instead = p->pairs ? "pairs" : p->edges ? "edges" : NULL;
    const char *unused = p->of ? "of" : p->per_vertex != STANDARD_ROWS ? "per_vertex" : p->unjoined ? "unjoined" : NULL;
    if (instead && unused)
        return wfi_fail(ctx, WEFT_EINVAL, "similarity: `%s` cannot be combined with `%s`", unused, instead);
    if (p->pairs && p->edges) return wfi_fail(ctx, WEFT_EINVAL, "similarity: pairs and edges exclude each other");
    weft_status st = wfi_check_vertices(ctx, g, "similarity", "of", p->of, p->of_count);
    if (!st) st = wfi_check_vertices(ctx, g, "similarity", "pairs", p->pairs, 2 * p->pair_count);
    for (size_t i = 0; i < p->pair_count && !st; i++)
        if (p->pairs[2 * i] == p->pairs[2 * i + 1])
            st = wfi_fail(ctx, WEFT_EINVAL, "similarity: pair %zu is vertex %u and itself; pairs are of two vertices",
                          i + 1, p->pairs[2 * i]);
    return st;
}

static const char *serves_cuda(const weft_graph *g, const void *params) {
    const weft_similarity_params *p = params;
    bool many = wfi_similar_method(p) == WFI_SIMILAR_BEST && wfi_min_u64(p->per_vertex, g->n) > WFI_SIMILAR_MOST_LISTED;
    return many ? "the GPU lists at most 512 vertices for each (`per_vertex`)" : NULL;
}

#define FIELD(name) offsetof(weft_similarity_params, name)
static const weft_param_info params_info[] = {
    {"of", WEFT_PARAM_VERTICES, FIELD(of), "", 0, 0, NULL,
     "rows of these vertices only: ids, ids in a file or K random vertices [all vertices]"},
    {"pairs", WEFT_PARAM_PAIRS, FIELD(pairs), "", 0, 0, NULL,
     "similarity of these pairs instead: two ids a line of a file"},
    {"edges", WEFT_PARAM_BOOL, FIELD(edges), "no", 0, 1, NULL, "similarity of all edges instead"},
    {"measure", WEFT_PARAM_CHOICE, FIELD(measure), "jaccard", 0, 0,
     "jaccard|common|overlap|cosine|sorensen|adamic-adar|resource-allocation|preferential-attachment",
     "measure of the common neighbours"},
    {"per-vertex", WEFT_PARAM_U64, FIELD(per_vertex), "10", 1, 1e18, NULL,
     "number of rows of each vertex: the most similar vertices"},
    {"unjoined", WEFT_PARAM_BOOL, FIELD(unjoined), "no", 0, 1, NULL, "only pairs without an edge: links to recommend"},
    {"most-degree", WEFT_PARAM_U64, FIELD(most_degree), "0", 0, 1e18, NULL,
     "ignore common neighbours of higher degree; 0 = no limit"},
};
static const weft_result_info results[] = {
    {"source", WEFT_VERTEX, WEFT_SHAPE_TABLE, "the vertex, repeated for each of its rows; one end of an edge"},
    {"target", WEFT_VERTEX, WEFT_SHAPE_TABLE,
     "the vertices most similar to it, the most similar first; or the other end"},
    {"similarity", WEFT_F64, WEFT_SHAPE_TABLE, "the measure of the two; 0 for a loop"},
    {"pairs", WEFT_U64, WEFT_SHAPE_SCALAR, "number of rows"},
    {"hubs", WEFT_U64, WEFT_SHAPE_SCALAR, "number of vertices with more than `most-degree` neighbours"},
    {"wedges", WEFT_U64, WEFT_SHAPE_SCALAR, "wedges (walks over two edges) visited; not with `pairs` or `edges`"},
    {"left_out", WEFT_U64, WEFT_SHAPE_SCALAR, "wedges left out, over hubs; not with `pairs` or `edges`"},
};

const wfi_algorithm wfi_algorithm_similarity = {
    WFI_DESCRIBE(similarity, (const weft_similarity_params)WEFT_SIMILARITY_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "how much two vertices have in common: the most similar to each, or of pairs or edges",
    .info.top_by = "similarity",
    .info.rows_each = "per-vertex",
    .info.excludes = "of edges,pairs|per-vertex edges,pairs|unjoined edges,pairs|pairs edges",
    .info.model = "none: how many wedges there are depends on the degrees",
    WFI_ON_CPU(plan_cpu, run_cpu),
    WFI_ON_CUDA(wfi_similarity_plan_cuda, wfi_similarity_cuda),
    .serves_cuda = serves_cuda,
    .validate = validate,
    .work = wfi_work_of_triangles,
};
