/* toposort: the level of each vertex, an order in which every arc goes forward, or a cycle that forbids one.
 * level = longest path from a source; position by (level, vertex).  Both are WEFT_UNREACHED on and behind cycles. */
#include "algo/toposort/toposort.h"
#include "ranks/device_steps.h"

#include <stdio.h>

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)ctx;
    choice->method = "peel sources level by level";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             wfi_in_at_hand(g) ? "in-degrees are available as row lengths of the transpose"
                               : "in-degrees are counted in one pass; no transpose is built");
    wfi_toposort_space(&choice->space, g, params);
}

weft_status wfi_toposort_result(wfi_job *job, const wfi_cycle *cycle, bool acyclic, uint32_t levels) {
    wfi_cycle_compare_label(job->ctx, job->g, acyclic);
    weft_status st = wfi_cycle_column(job->space, cycle);
    if (!st) st = wfi_result_scalar_u64(job->ctx, job->result, "acyclic", acyclic);
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "levels", levels);
}

#ifdef WEFT_HAVE_CUDA
static void columns(wfi_workspace *w, const weft_graph *g, const weft_toposort_params *p, wfi_kahn_wish *wish) {
    if (wfi_toposort_levels(p)) wfi_column(w, "level", WEFT_U32, g->n, &wish->level);
    if (wfi_toposort_order(p)) wfi_column(w, "position", WEFT_U32, g->n, &wish->position);
}

static void plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_kahn_wish wish = {.level = NULL};
    wfi_kahn_way way = wfi_kahn_pick_cuda(ctx, g, false);
    choice->variant = (int)way;
    choice->method = way == WFI_KAHN_BITS ? "peel sources of a bit matrix" : "peel sources, one kernel";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             way == WFI_KAHN_BITS
                 ? "dense: a thread has the counters of its columns in registers, and a level is one barrier"
                 : "the whole GPU takes wide levels, and one block at a time narrow ones");
    columns(&choice->space, g, params, &wish);
    wfi_kahn_plan_cuda(g, way, wfi_toposort_levels(params), wfi_toposort_order(params), &choice->space,
                       &choice->device);
}

static weft_status run_cuda(wfi_job *job) {
    wfi_kahn_wish wish = {.way = (wfi_kahn_way)job->choice->variant};
    wfi_kahn_answer answer = {.cycle = {NULL, 0}};
    columns(job->space, job->g, job->params, &wish);
    weft_status st = job->space->status;
    if (!st) st = wfi_kahn_bring(job->ctx, job->g);
    if (!st) st = wfi_open_device(job);
    if (!st) st = wfi_kahn_cuda(job->ctx, job->g, job->space, job->device, &wish, &answer);
    return st ? st : wfi_toposort_result(job, &answer.cycle, answer.acyclic, answer.levels);
}

/* Peeled by the GPUs of ranks (ranks/device_peel.cu); positions, and a cycle of the leftover, are found on the host. */
static void plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    wfi_device_peel d;
    wfi_device_peel_lay_out(&choice->space, &choice->device, spread, &d);
    wfi_toposort_plan_ranks(ctx, spread, params, choice);
}

static weft_status run_ranks_cuda(wfi_job *job) {
    wfi_device_peel d = {.gpu = wfi_device_peel_steps};
    weft_status st = wfi_open_device(job);
    if (!st) wfi_device_peel_lay_out(job->space, job->device, job->spread, &d);
    return wfi_toposort_ranks(job, &d.gpu, st);
}
#endif

static weft_status run_ranks(wfi_job *job) { return wfi_toposort_ranks(job, NULL, WEFT_OK); }

/* Counting and striking.  How deep a graph is nobody knows before. */
static void work(const weft_graph *g, const void *params, wfi_work *to) {
    (void)params;
    wfi_work_of_search(g, NULL, to);
}

/* How much is peeled before a cycle depends on the graph. */
static double model_bytes(const weft_graph *g, const void *params, const weft_result *result) {
    (void)params;
    const weft_scalar *acyclic = weft_result_scalar(result, "acyclic");
    return acyclic && acyclic->value.u64 ? 12.0 * (double)g->arcs + 24.0 * g->n : 0;
}

static const weft_param_info params_info[] = {
    {"levels", WEFT_PARAM_BOOL, offsetof(weft_toposort_params, levels), "no", 0, 0, NULL,
     "only the column level, unless `order` is given too"},
    {"order", WEFT_PARAM_BOOL, offsetof(weft_toposort_params, order), "no", 0, 0, NULL,
     "only the column position, and rows in that order, unless `levels` is given too"},
};

static uint64_t bytes_a_vertex(const void *params) {
    return sizeof(uint32_t) * ((unsigned)wfi_toposort_levels(params) + (unsigned)wfi_toposort_order(params));
}

static const weft_result_info results[] = {
    {"level", WEFT_U32, 1, "length of the longest path from a source; 4294967295 on or after a cycle"},
    {"position", WEFT_U32, 1, "place in the order by (level, vertex); 4294967295 on or after a cycle"},
    {"cycle", WEFT_VERTEX, 2, "vertices of one cycle, in order; empty if there is none"},
    {"acyclic", WEFT_U64, 0, "1: every vertex has a place; 0: there is a cycle"},
    {"levels", WEFT_U64, 0, "number of levels"},
};
static const weft_toposort_params standard = WEFT_TOPOSORT_DEFAULTS;

static const char *const methods[] = {
    "peel sources level by level",
    "peel sources, one kernel",
    "peel sources of a bit matrix",
    "peel sources, by messages",
};

extern const struct wfi_follower wfi_follow_toposort; /* src/dynamic */

const wfi_algorithm wfi_algorithm_toposort = {
    WFI_DESCRIBE(toposort, standard, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "topological order and levels, or a cycle if there is none",
    .info.top_by = "level",
    .info.verdict = "acyclic",
    .info.witness = "cycle",
    .info.ordinal = "position",
    .info.model = "12 an arc (target, counter read and written), 24 a vertex (offsets, level, position)",
    .info.on_cuda = WFI_HAVE_CUDA,
    .info.on_ranks = 1,
    .cpu_cost = {23400, 2280000, 12600000, 0, 0},
    .gpu_cost = {201000, 352000, 1410000, 1690, 210000},
    .model_bytes = model_bytes,
    .directed_only = "each edge of an undirected one goes both ways, so nothing comes first",
    .plan_cpu = plan_cpu,
    .run_cpu = wfi_toposort_cpu,
    .plan_ranks = wfi_toposort_plan_ranks,
    .run_ranks = run_ranks,
    .bytes_a_vertex = bytes_a_vertex,
    .work = work,
    .plan_cuda = WFI_WITH_CUDA(plan_cuda),
    .run_cuda = WFI_WITH_CUDA(run_cuda),
    .plan_ranks_cuda = WFI_WITH_CUDA(plan_ranks_cuda),
    .run_ranks_cuda = WFI_WITH_CUDA(run_ranks_cuda),
    .follower = &wfi_follow_toposort,
};
