/* How many bytes a run must move, by a model that is said in words beside the figure.  A model counts what the definition
 * makes every method touch (effective bytes), so that methods can be compared; where methods differ in which arcs they
 * look at, as in searches, there is none. */
#include "bench.h"

#include <string.h>

static double iterations_of(const weft_result *result) {
    const weft_scalar *iterations = weft_result_scalar(result, "iterations");
    return iterations ? (double)iterations->value.u64 : 0;
}

static double pagerank(const weft_graph *g, const void *given, const weft_result *result) {
    const weft_pagerank_params *params = given;
    if (params->weights || params->precision != WEFT_PRECISION_F32) return 0;
    return iterations_of(result) * (8.0 * (double)weft_graph_arcs(g) + 20.0 * weft_graph_vertices(g));
}

static double labelprop(const weft_graph *g, const void *given, const weft_result *result) {
    (void)given;
    double sides = weft_graph_directed(g) ? 2 : 1;
    return iterations_of(result) *
           (8.0 * sides * (double)weft_graph_arcs(g) + (8.0 + 8.0 * sides) * weft_graph_vertices(g));
}

static double toposort(const weft_graph *g, const void *given, const weft_result *result) {
    (void)given;
    const weft_scalar *acyclic = weft_result_scalar(result, "acyclic");
    if (!acyclic || !acyclic->value.u64) return 0; /* how much is peeled before the cycle depends on the graph */
    return 12.0 * (double)weft_graph_arcs(g) + 24.0 * weft_graph_vertices(g);
}

static double degree(const weft_graph *g, const void *given, const weft_result *result) {
    (void)given, (void)result;
    return (weft_graph_directed(g) ? 40.0 : 32.0) * weft_graph_vertices(g);
}

static double aggregate(const weft_graph *g, const void *given, const weft_result *result) {
    const weft_aggregate_params *params = given;
    double bytes = (double)(params->features->width * cli_matrix_bytes(params->features->type));
    (void)result;
    if (params->backward && params->op == WEFT_AGGREGATE_MAX) return 0; /* which depends on who wins */
    return (4 + bytes) * (double)weft_graph_arcs(g) + (8 + bytes) * weft_graph_vertices(g);
}

static const struct {
    const char *algorithm;
    double (*bytes)(const weft_graph *g, const void *params, const weft_result *result);
    const char *text;
} models[] = {
    {"pagerank", pagerank,
     "in an iteration 8 an arc (target, share), 20 a vertex (offset, rank read and written, share)"},
    {"labelprop", labelprop,
     "in an iteration 8 an arc and side (target, label), 8 a vertex and side (offset), 8 (labels)"},
    {"toposort", toposort, "12 an arc (target, counter read and written), 24 a vertex (offsets, level, position)"},
    {"aggregate", aggregate, "4 an arc (target) and 8 a vertex (offset), and a vector of features an arc and a vertex"},
    {"degree", degree, "8 a vertex and side (offset), 24 (in, out, total)"},
};
enum { MODELS = sizeof models / sizeof *models };

double bench_model_bytes(const weft_algorithm_info *algorithm, const void *params, const weft_graph *g,
                         const weft_result *result) {
    for (size_t i = 0; i < MODELS; i++)
        if (strcmp(models[i].algorithm, algorithm->name) == 0) return models[i].bytes(g, params, result);
    return 0;
}

const char *bench_model_text(const weft_algorithm_info *algorithm) {
    for (size_t i = 0; i < MODELS; i++)
        if (strcmp(models[i].algorithm, algorithm->name) == 0) return models[i].text;
    return NULL;
}
