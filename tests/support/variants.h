/* Every algorithm of the registry with the option sets worth testing: what the tests that go through all of them share
 * (test_matrix, test_plan_memory, test_run_failures, test_cancel).
 *
 * An algorithm that is added later is taken with its defaults.  One whose defaults are refused because an input must be
 * given, or that has options worth a run of their own, gets a line in `hooks` and a function that adds them.
 * Tests see src/, so a method that only large graphs take can be forced: such a variant has a run function. */
#ifndef WEFT_TESTS_VARIANTS_H
#define WEFT_TESTS_VARIANTS_H

#include "support.h"

#include "algo/algo.h"
#include "algo/components/components.h"
#include "algo/pagerank/pagerank.h"
#include "run_as.h"
#include "weft_check.h"

enum { NEEDS_WEIGHTS = 1, NEEDS_DIRECTED = 2, NEEDS_VERTEX = 4 };
enum { MOST_VARIANTS = 16, PARAMS_ROOM = 256 };

typedef struct variant {
    const char *name;
    unsigned needs;
    int twin; /* the earlier variant that must give the same bytes; -1 = none */
    weft_status (*run)(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *r); /* NULL: as planned */
    _Alignas(16) char params[PARAMS_ROOM];
} variant;

typedef struct variants {
    const weft_algorithm_info *algorithm;
    bool brief; /* few iterations will do */
    size_t count;
    variant at[MOST_VARIANTS];
    void *input; /* what parameters point to */
} variants;

/* The next variant, with the defaults in its params. */
static inline void *add_variant(variants *list, const char *name, unsigned needs) {
    if (list->count == MOST_VARIANTS || list->algorithm->params_size > PARAMS_ROOM) {
        fprintf(stderr, "%s: no room for another variant\n", list->algorithm->name);
        exit(1);
    }
    variant *v = &list->at[list->count++];
    *v = (variant){.name = name, .needs = needs, .twin = -1};
    memcpy(v->params, list->algorithm->params_standard, list->algorithm->params_size);
    return v->params;
}

/* The variant added last is another way to the bytes of an earlier one. */
static inline void same_as(variants *list, int twin) { list->at[list->count - 1].twin = twin; }

/* --- what each algorithm wants --------------------------------------------------- */

static inline weft_status pagerank_in_tiles(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *r) {
    wfi_choice tiles = {.variant = WFI_TILED};
    wfi_pagerank_space(&tiles.space, g->n, g->arcs, params, wfi_threads(ctx), WFI_TILED);
    return run_as(ctx, wfi_pagerank_cpu, g, params, &tiles, r);
}

static inline void pagerank_variants(variants *list, const weft_graph *g) {
    weft_vid n = weft_graph_vertices(g);
    double *restart = malloc((n + 1) * sizeof *restart);
    if (!restart) exit(1);
    for (weft_vid v = 0; v < n; v++) restart[v] = v % 7 == 0 ? 1 + v % 5 : 0;
    list->input = restart;
    ((weft_pagerank_params *)add_variant(list, "defaults", 0))->max_iterations = list->brief ? 2 : 100;
    ((weft_pagerank_params *)add_variant(list, "personalised", 0))->restart = restart;
    ((weft_pagerank_params *)add_variant(list, "drop", 0))->dangling = WEFT_DANGLING_DROP;
    ((weft_pagerank_params *)add_variant(list, "f64", 0))->precision = WEFT_PRECISION_F64;
    ((weft_pagerank_params *)add_variant(list, "weights", NEEDS_WEIGHTS))->weights = 1;
    weft_pagerank_params *p = add_variant(list, "weights f64", NEEDS_WEIGHTS);
    p->weights = 1;
    p->precision = WEFT_PRECISION_F64;
    ((weft_pagerank_params *)add_variant(list, "tiles", 0))->max_iterations = list->brief ? 2 : 100;
    list->at[list->count - 1].run = pagerank_in_tiles;
    same_as(list, 0);
    ((weft_pagerank_params *)add_variant(list, "tiles, personalised", 0))->restart = restart;
    list->at[list->count - 1].run = pagerank_in_tiles;
    same_as(list, 1);
    ((weft_pagerank_params *)add_variant(list, "f16", 0))->precision = WEFT_PRECISION_F16;
    p = add_variant(list, "f16, personalised, drop", 0);
    p->precision = WEFT_PRECISION_F16;
    p->restart = restart;
    p->dangling = WEFT_DANGLING_DROP;
    p->iterations = 7;
    for (size_t i = 0; i < list->count; i++)
        if (list->brief || (i >= 2 && i <= 5)) ((weft_pagerank_params *)(void *)list->at[i].params)->iterations = 2 + i;
    if (list->brief) list->at[6].twin = list->at[7].twin = -1; /* another number of iterations */
}

static inline void bfs_variants(variants *list, const weft_graph *g) {
    enum { MOST = 70 };
    weft_ctx *ctx = NULL;
    weft_vid *drawn = malloc(MOST * sizeof *drawn);
    bool any = weft_graph_vertices(g) > 0;
    if (!drawn || weft_ctx_new(&ctx) || (any && weft_random_sources(ctx, g, MOST, 1, drawn))) exit(1);
    weft_ctx_free(ctx);
    list->input = drawn;
    add_variant(list, "defaults", 0);
    ((weft_bfs_params *)add_variant(list, "source", NEEDS_VERTEX))->source = 0;
    weft_bfs_params *many = add_variant(list, "many sources", NEEDS_VERTEX);
    many->sources = drawn;
    many->source_count = 9;
    ((weft_bfs_params *)add_variant(list, "max-depth", 0))->max_depth = 3;
    weft_bfs_params *several = add_variant(list, "several sources, max-depth", NEEDS_VERTEX);
    several->sources = drawn;
    several->source_count = 3;
    several->max_depth = 4;
    if (list->brief) return;
    weft_bfs_params *batches = add_variant(list, "two batches of sources", NEEDS_VERTEX);
    batches->sources = drawn;
    batches->source_count = MOST;
    batches->max_depth = 300; /* paths have thousands of levels */
}

static inline void sssp_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_sssp_params *)add_variant(list, "delta", 0))->delta = 1000;
    same_as(list, 0);
    ((weft_sssp_params *)add_variant(list, "source", NEEDS_VERTEX))->source = 0;
}

/* As components.c does from 2^19 vertices on. */
static inline weft_status strong_with_core(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *r) {
    (void)params;
    weft_vid *label = NULL, *stack = NULL;
    weft_eid *cursor = NULL;
    uint8_t *mark = NULL;
    uint64_t count = 0, largest = 0;
    weft_status st = wfi_result_column(ctx, r, "component", WEFT_VERTEX, g->n, 1, &label);
    if (!st) st = wfi_alloc(ctx, &stack, g->n);
    if (!st) st = wfi_alloc(ctx, &cursor, g->n);
    if (!st) st = wfi_alloc(ctx, &mark, g->n);
    if (!st) st = wfi_components_strong(ctx, g, label, stack, cursor, mark);
    if (!st) wfi_components_measure(ctx, label, g->n, stack, &count, &largest);
    if (!st) st = wfi_result_scalar_u64(ctx, r, "count", count);
    if (!st) st = wfi_result_scalar_u64(ctx, r, "largest", largest);
    wfi_free(mark);
    wfi_free(cursor);
    wfi_free(stack);
    return st;
}

static inline void components_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "weak", 0);
    ((weft_components_params *)add_variant(list, "strong", 0))->strong = 1;
    ((weft_components_params *)add_variant(list, "strong, core first", NEEDS_DIRECTED | NEEDS_VERTEX))->strong = 1;
    list->at[2].run = strong_with_core;
    same_as(list, 1);
}

static inline void clustering_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "ldbc", 0);
    ((weft_clustering_params *)add_variant(list, "fagiolo", NEEDS_DIRECTED))->directed_mode = WEFT_DIRECTED_FAGIOLO;
}

static inline void labelprop_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_labelprop_params *)add_variant(list, "3 iterations", 0))->max_iterations = 3;
}

static inline void kcore_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_kcore_params *)add_variant(list, "k = 3", 0))->k = 3;
}

/* One more way back. */
static inline weft_aggregate_params *add_backward(variants *list, const char *name, int op) {
    weft_aggregate_params *p = add_variant(list, name, 0);
    p->op = op;
    p->backward = 1;
    return p;
}

/* Features that are no round numbers, a few columns of them, in each type; and others that a maximum was taken of. */
static inline void aggregate_variants(variants *list, const weft_graph *g) {
    enum { WIDTH = 5, TYPES = 3 };
    weft_vid n = weft_graph_vertices(g);
    size_t count = (size_t)n * WIDTH;
    float *x = malloc((count + 1) * 3 * sizeof *x);
    if (!x) exit(1);
    float *forward = x + count;
    uint16_t *half = (uint16_t *)(forward + count), *upper = half + count;
    for (size_t i = 0; i < count; i++) {
        x[i] = (float)(random_at(31, i) % 2000001) / 1000 - 1000;
        half[i] = weft_f16_of(x[i]);
        upper[i] = weft_bf16_of(x[i]);
        forward[i] = (float)(random_at(32, i) % 5); /* of which many are equal */
    }
    const weft_matrix *const features[TYPES] = {matrix_at(x, n, WIDTH, WEFT_MATRIX_F32),
                                                matrix_at(half, n, WIDTH, WEFT_MATRIX_F16),
                                                matrix_at(upper, n, WIDTH, WEFT_MATRIX_BF16)};
    list->input = x;
    add_variant(list, "mean", 0);
    ((weft_aggregate_params *)add_variant(list, "sum", 0))->op = WEFT_AGGREGATE_SUM;
    ((weft_aggregate_params *)add_variant(list, "max", 0))->op = WEFT_AGGREGATE_MAX;
    ((weft_aggregate_params *)add_variant(list, "gcn", 0))->normalize = WEFT_NORMALIZE_GCN;
    ((weft_aggregate_params *)add_variant(list, "self loops", 0))->self_loop = 1;
    add_backward(list, "back from a sum", WEFT_AGGREGATE_SUM);
    add_backward(list, "back from a mean", WEFT_AGGREGATE_MEAN)->self_loop = 1;
    add_backward(list, "back from gcn", WEFT_AGGREGATE_SUM)->normalize = WEFT_NORMALIZE_GCN;
    add_backward(list, "back from a maximum", WEFT_AGGREGATE_MAX)->self_loop = 1;
    add_variant(list, "mean of f16", 0);
    ((weft_aggregate_params *)add_variant(list, "gcn of bf16", 0))->normalize = WEFT_NORMALIZE_GCN;
    ((weft_aggregate_params *)add_variant(list, "max of bf16", 0))->op = WEFT_AGGREGATE_MAX;
    add_backward(list, "back from a mean of bf16", WEFT_AGGREGATE_MEAN);
    add_backward(list, "back from a maximum of f16", WEFT_AGGREGATE_MAX);
    for (size_t i = 0; i < list->count; i++) {
        weft_aggregate_params *p = (void *)list->at[i].params;
        const char *name = list->at[i].name;
        p->features = features[strstr(name, "bf16") ? 2 : strstr(name, "f16") ? 1 : 0];
        if (p->backward && p->op == WEFT_AGGREGATE_MAX) p->forward = matrix_at(forward, n, WIDTH, WEFT_MATRIX_F32);
    }
}

static inline void toposort_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_toposort_params *)add_variant(list, "levels", 0))->levels = 1;
    ((weft_toposort_params *)add_variant(list, "order", 0))->order = 1;
}

static inline void cycle_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_cycle_params *)add_variant(list, "general", 0))->general = 1;
    same_as(list, 0);
}

static const struct {
    const char *algorithm;
    void (*fill)(variants *list, const weft_graph *g);
} hooks[] = {
    {"pagerank", pagerank_variants},
    {"bfs", bfs_variants},
    {"sssp", sssp_variants},
    {"components", components_variants},
    {"clustering", clustering_variants},
    {"labelprop", labelprop_variants},
    {"kcore", kcore_variants},
    {"aggregate", aggregate_variants},
    {"toposort", toposort_variants},
    {"cycle", cycle_variants},
};

/* The variants of the algorithm for this graph, those that need what it lacks included (variant_fits). */
static inline variants variants_of(const weft_algorithm_info *algorithm, const weft_graph *g, bool brief) {
    variants list = {.algorithm = algorithm, .brief = brief};
    for (size_t i = 0; i < LENGTH(hooks); i++)
        if (!strcmp(hooks[i].algorithm, algorithm->name)) hooks[i].fill(&list, g);
    if (!list.count) add_variant(&list, "defaults", 0);
    return list;
}

static inline void variants_free(variants *list) { free(list->input); }

static inline bool variant_fits(const variant *v, const weft_graph *g) {
    if (v->needs & NEEDS_WEIGHTS && weft_graph_weight_type(g) == WEFT_WEIGHT_NONE) return false;
    if (v->needs & NEEDS_DIRECTED && !weft_graph_directed(g)) return false;
    return !(v->needs & NEEDS_VERTEX) || weft_graph_vertices(g) > 0;
}

/* Some algorithms are of directed graphs only, and say so. */
static inline bool refused_as_undirected(const weft_ctx *ctx, const weft_graph *g, weft_status st) {
    return st == WEFT_EINVAL && !weft_graph_directed(g) && strstr(weft_ctx_message(ctx), "directed graph");
}

/* --- runs and results -------------------------------------------------------------- */

static inline weft_status run_variant(weft_ctx *ctx, const weft_algorithm_info *a, const variant *v,
                                      const weft_graph *g, weft_result **out) {
    if (!v->run) return wfi_run(ctx, a->name, g, v->params, out);
    *out = NULL;
    weft_result *r = wfi_result_new(ctx, NULL);
    if (!r) return WEFT_ENOMEM;
    weft_status st = v->run(ctx, g, v->params, r);
    if (st)
        weft_result_free(r);
    else
        *out = r;
    return st;
}

static inline void forget_transpose(weft_graph *g) {
    if (!g->directed || !g->in.offsets) return;
    wfi_free(g->in.offsets);
    wfi_free(g->in.targets);
    wfi_free(g->in.weights);
    g->in = (wfi_rows){NULL, NULL, NULL};
}

/* The first column or scalar in which two results differ; NULL when all bytes are the same. */
static inline const char *difference(const weft_result *a, const weft_result *b) {
    size_t columns = weft_result_column_count(a), scalars = weft_result_scalar_count(a);
    if (columns != weft_result_column_count(b) || scalars != weft_result_scalar_count(b)) return "their number";
    for (size_t i = 0; i < columns; i++) {
        const weft_column *x = weft_result_column_at(a, i), *y = weft_result_column_at(b, i);
        if (strcmp(x->name, y->name) || x->type != y->type || x->length != y->length || x->width != y->width)
            return x->name;
        size_t values = x->length * (x->width ? x->width : 1);
        if (values && memcmp(x->data, y->data, values * weft_type_size(x->type))) return x->name;
    }
    for (size_t i = 0; i < scalars; i++) {
        const weft_scalar *x = weft_result_scalar_at(a, i), *y = weft_result_scalar_at(b, i);
        if (strcmp(x->name, y->name) || x->type != y->type || memcmp(&x->value, &y->value, sizeof x->value))
            return x->name;
    }
    return NULL;
}

#endif
