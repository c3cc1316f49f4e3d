/* Made-up algorithms in the place of the library's registry, linked with the program's own files: what the program
 * shows of unreached vertices, verdicts, wrong and drifting results must not wait for an algorithm that gives them.
 *   reach   levels, distances and parents of what is one arc from --source
 *   ring    a verdict: the first --length vertices as a cycle; 0 = there is none
 *   drift   another result each time it is run
 *   waver   the same, with a verifier that is content
 *   wrong   a result that its verifier refuses
 *   heavy   a plan of a tebibyte
 *   shaky   reach, with a GPU version that is well (MADE_UP_GPU=well in the environment), whose GPU is lost in the
 *   middle
 *           of the run (lost) or has no memory left (full); without the variable there is whatever GPU there is */
#include "checks.h"
#include "cuda/device.h"
#include "run/costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct made_up_params {
    size_t size;
    weft_vid source;
    uint64_t length;
} made_up_params;

static void plan(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)ctx, (void)params;
    snprintf(choice->reason, sizeof choice->reason, "it is made up");
    wfi_growth(&choice->space, 16ull * g->n);
}

static void plan_heavy(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    plan(ctx, g, params, choice);
    wfi_growth(&choice->space, 1ull << 40);
}

static weft_status run_reach(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *r) {
    const made_up_params *p = params;
    weft_vid from = p->source == WEFT_NO_VERTEX ? 0 : p->source;
    uint32_t *level;
    double *distance;
    weft_vid *parent;
    uint64_t reached = 0;
    weft_status st = wfi_result_column(ctx, r, wfi_new_column("level", WEFT_U32, WEFT_SHAPE_VERTICES, g->n), &level);
    if (!st) st = wfi_result_column(ctx, r, wfi_new_column("distance", WEFT_F64, WEFT_SHAPE_VERTICES, g->n), &distance);
    if (!st) st = wfi_result_column(ctx, r, wfi_new_column("parent", WEFT_VERTEX, WEFT_SHAPE_VERTICES, g->n), &parent);
    for (weft_vid v = 0; !st && v < g->n; v++) {
        bool beside = v != from && weft_graph_has_arc(g, from, v, NULL);
        level[v] = v == from ? 0 : beside ? 1 : WEFT_UNREACHED;
        distance[v] = v == from ? 0 : beside ? 0.5 : INFINITY;
        parent[v] = beside ? from : WEFT_NO_VERTEX;
        reached += v == from || beside;
    }
    return st ? st : wfi_result_scalar_u64(ctx, r, "reached", reached);
}

static const char *made_up_gpu(void) {
    const char *gpu = getenv("MADE_UP_GPU");
    return gpu ? gpu : "";
}

static void plan_shaky(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    plan(ctx, g, params, choice);
    choice->method = 1;
    wfi_growth(&choice->device, 1 << 20);
}

/* Trouble comes when there is something to clear away. */
static weft_status run_shaky(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    weft_status st = run_reach(ctx, job->g, job->params, job->result);
    if (!st && !strcmp(made_up_gpu(), "lost"))
        st = wfi_fail(ctx, WEFT_EDEVICE, "the GPU failed in cudaStreamSynchronize: it fell off the bus");
    if (!st && !strcmp(made_up_gpu(), "full"))
        st = wfi_fail(ctx, WEFT_ENOMEM, "the GPU failed in cudaMallocAsync: out of memory");
    return st;
}

static void much_work(const weft_graph *g, const void *params, wfi_work *work) {
    (void)g, (void)params;
    *work = (wfi_work){.passes = 1e9, .levels = 1};
}

/* A GPU for which everything is easy. */
__attribute__((constructor)) static void make_up_gpu(void) {
    static const wfi_costs easy = {"shaky", {1, 1000000, 0, 0, 0}, {1, 0, 0, 0, 0}};
    static const wfi_machine_costs costs = {.machine = "made up", .threads = 1, .count = 1, .at = &easy};
    if (*made_up_gpu()) wfi_cuda_pretend(true);
    wfi_machine_costs_pretend(&costs);
}

static weft_status run_ring(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *r) {
    const made_up_params *p = params;
    uint64_t length = wfi_min_u64(p->length, g->n);
    weft_vid *cycle;
    weft_status st = wfi_result_column(ctx, r, wfi_new_column("cycle", WEFT_VERTEX, WEFT_SHAPE_TABLE, length), &cycle);
    for (weft_vid v = 0; !st && v < length; v++) cycle[v] = v;
    return st ? st : wfi_result_scalar_u64(ctx, r, "acyclic", length == 0);
}

static weft_status run_drift(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *r) {
    static uint64_t runs;
    uint64_t *value;
    (void)params;
    weft_status st = wfi_result_column(ctx, r, wfi_new_column("value", WEFT_U64, WEFT_SHAPE_VERTICES, g->n), &value);
    for (weft_vid v = 0; !st && v < g->n; v++) value[v] = v + 1 == g->n ? runs++ : 0;
    return st;
}

static weft_status cpu_reach(wfi_job *j) { return run_reach(j->ctx, j->g, j->params, j->result); }
static weft_status cpu_ring(wfi_job *j) { return run_ring(j->ctx, j->g, j->params, j->result); }
static weft_status cpu_drift(wfi_job *j) { return run_drift(j->ctx, j->g, j->params, j->result); }

static const made_up_params standard = {sizeof standard, WEFT_NO_VERTEX, 3};
static const weft_param_info params[] = {
    {"source", WEFT_PARAM_VERTEX, offsetof(made_up_params, source), "", 0, 0, NULL, "where to begin"},
    {"length", WEFT_PARAM_U64, offsetof(made_up_params, length), "3", 0, 1e9, NULL, "vertices of the cycle"},
};
static const weft_result_info reach_results[] = {
    {"level", WEFT_U32, 1, "arcs from the source"},
    {"distance", WEFT_F64, 1, "half of that"},
    {"parent", WEFT_VERTEX, 1, "the vertex before"},
    {"reached", WEFT_U64, 0, "vertices with a level"},
};
static const weft_result_info ring_results[] = {
    {"cycle", WEFT_VERTEX, 2, "the vertices of a cycle"},
    {"acyclic", WEFT_U64, 0, "1 when there is none"},
};
static const weft_result_info drift_results[] = {{"value", WEFT_U64, 1, "how often it ran"}};

static const char *const methods[] = {"by hand", "by magic"};
#define PARAMS                                                                                         \
    .help = "made up", .param_count = 2, .params_size = sizeof standard, .params_standard = &standard, \
    .methods = methods, .method_count = 2
#define RESULTS(list) .result_count = sizeof list / sizeof *list, .on_cpu = 1

static const wfi_algorithm reach = {.info = {.name = "reach", PARAMS, RESULTS(reach_results), .top_by = "level"},
                                    .params = params,
                                    .results = reach_results,
                                    .plan_cpu = plan,
                                    .run_cpu = cpu_reach};
static const wfi_algorithm ring = {
    .info =
        {.name = "ring", PARAMS, RESULTS(ring_results), .top_by = "cycle", .verdict = "acyclic", .witness = "cycle"},
    .params = params,
    .results = ring_results,
    .plan_cpu = plan,
    .run_cpu = cpu_ring};
static const wfi_algorithm drift = {.info = {.name = "drift", PARAMS, RESULTS(drift_results), .top_by = "value"},
                                    .params = params,
                                    .results = drift_results,
                                    .plan_cpu = plan,
                                    .run_cpu = cpu_drift};
static const wfi_algorithm waver = {.info = {.name = "waver", PARAMS, RESULTS(drift_results), .top_by = "value"},
                                    .params = params,
                                    .results = drift_results,
                                    .plan_cpu = plan,
                                    .run_cpu = cpu_drift};
static const wfi_algorithm wrong = {.info = {.name = "wrong", PARAMS, RESULTS(reach_results), .top_by = "level"},
                                    .params = params,
                                    .results = reach_results,
                                    .plan_cpu = plan,
                                    .run_cpu = cpu_reach};
static const wfi_algorithm heavy = {.info = {.name = "heavy", PARAMS, RESULTS(reach_results), .top_by = "level"},
                                    .params = params,
                                    .results = reach_results,
                                    .plan_cpu = plan_heavy,
                                    .run_cpu = cpu_reach};

static const wfi_algorithm shaky = {
    .info = {.name = "shaky", PARAMS, RESULTS(reach_results), .top_by = "level", .on_cuda = 1},
    .params = params,
    .results = reach_results,
    .plan_cpu = plan,
    .run_cpu = cpu_reach,
    .plan_cuda = plan_shaky,
    .run_cuda = run_shaky,
    .work = much_work};

/* What src/algo/registry.c and the generated table of verifiers define: with these here, those stay in their
 * libraries. */
const wfi_algorithm *const wfi_algorithms[] = {&reach, &ring, &drift, &waver, &wrong, &heavy, &shaky};
const size_t wfi_algorithm_total = sizeof wfi_algorithms / sizeof *wfi_algorithms;

static int content(check_watch *w, const weft_graph *g, const void *given, const weft_result *r) {
    (void)g, (void)given, (void)r;
    return check_right(w, "looked at it");
}

static int refusing(check_watch *w, const weft_graph *g, const void *given, const weft_result *r) {
    (void)g, (void)given, (void)r;
    return check_wrong(w, "vertex 7 is not as it should be");
}

check_fn check_find(const char *algorithm) {
    if (!strcmp(algorithm, "drift")) return NULL;
    return strcmp(algorithm, "wrong") ? content : refusing;
}
