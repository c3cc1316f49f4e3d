/* components: descriptor, plan and run of connected components.  Weak: paths ignore the direction of arcs; strong:
 * paths both ways.  A component is named by its smallest vertex, so the answer is unique.  Strong components of an
 * undirected graph are its weak ones. */
#include "algo/components/components.h"
#include "ranks/spread.h"
#include "run/method.h"
#include "weft/components.h"

#include <stdio.h>

static bool is_strong(const weft_graph *g, const weft_components_params *p) { return p->strong && g->directed; }

/* Only directed graphs without a transpose need the bitmap of the largest intermediate component. */
static bool needs_bitmap(const weft_graph *g) { return !wfi_in_at_hand(g); }

/* Below this, depth-first search keeps its table in a core's cache and takes about 20 ms; cnr-2000 (326 k vertices)
 * takes 19 ms by the search alone and 50 ms with a core first, uniform graphs of 10^6 vertices 383 ms and 218 ms, with
 * one thread. */
static bool needs_core(const weft_graph *g) { return g->n >= 1 << 19; }

typedef struct arrays {
    weft_vid *label;
    uint32_t *size; /* sizes of components, or the stack of the search */
    weft_eid *cursor;
    uint8_t *mark;
    uint64_t *giant;
    wfi_components_number_arrays numbering; /* after the search, in the memory of its scratch */
} arrays;

/* The columns: the column of the components' order, if requested, grows once they are counted. */
static void columns(wfi_workspace *w, weft_vid n, bool order, weft_vid **label) {
    wfi_column(w, "component", WEFT_VERTEX, n, label);
    if (order) wfi_growth(w, sizeof **label * (uint64_t)n);
}

static void lay_out(wfi_workspace *w, weft_vid n, int method, bool order, arrays *a) {
    bool strong = method == WFI_COMPONENTS_TARJAN || method == WFI_COMPONENTS_CORE_FIRST;
    columns(w, n, order, &a->label);
    uint64_t searching = wfi_mark(w);
    wfi_array(w, &a->size, n);
    if (strong) wfi_array(w, &a->cursor, n);
    if (method == WFI_COMPONENTS_CORE_FIRST) wfi_array(w, &a->mark, n);
    if (method == WFI_COMPONENTS_EVERY_ARC) wfi_array(w, &a->giant, wfi_components_giant_words(n));
    if (!order) return;
    wfi_rewind(w, searching);
    wfi_array(w, &a->numbering.number, n);
    wfi_array(w, &a->numbering.head, n);
    wfi_array(w, &a->numbering.next, n);
    wfi_array(w, &a->numbering.queue, n);
    wfi_array(w, &a->numbering.waiting, n);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)ctx;
    const weft_components_params *p = params;
    const char *reason;
    if (is_strong(g, p) && needs_core(g)) {
        choice->method = WFI_COMPONENTS_CORE_FIRST;
        reason = "many vertices: most of the largest component is found in parallel, the rest by depth-first search";
    } else if (is_strong(g, p)) {
        choice->method = WFI_COMPONENTS_TARJAN;
        reason = "few vertices: depth-first search stays in the cache, and nothing in parallel would beat it";
    } else if (needs_bitmap(g)) {
        choice->method = WFI_COMPONENTS_EVERY_ARC;
        reason = "directed without a transpose: arcs inside the largest component are passed over by a bitmap of it";
    } else {
        choice->method = WFI_COMPONENTS_AFFOREST;
        reason = p->strong ? "undirected: strong components are the weak ones; rows of the largest are skipped"
                           : "arcs are stored at both ends: rows of the largest component are skipped";
    }
    snprintf(choice->reason, sizeof choice->reason, "%s", reason);
    lay_out(&choice->space, g->n, choice->method, p->order, &(arrays){.label = NULL});
}

weft_status wfi_components_scalars(const wfi_job *job, uint64_t count, uint64_t largest) {
    return WFI_TELL(job->ctx, job->result, WFI_U64("count", count), WFI_U64("largest", largest));
}

static weft_status add_order(const wfi_job *job, const arrays *a, uint64_t count) {
    weft_vid *order;
    wfi_grown_column(job->space, "order", WEFT_VERTEX, count, &order);
    if (!order) return WEFT_ENOMEM;
    for (weft_vid v = 0; v < job->g->n; v++)
        if (a->label[v] == v) order[a->numbering.number[v]] = v;
    return WEFT_OK;
}

static weft_status run_cpu(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    int method = job->choice->method;
    arrays a = {.label = NULL};
    bool order = ((const weft_components_params *)job->params)->order;
    uint64_t count = 0, largest = 0;
    lay_out(job->space, g->n, method, order, &a);
    weft_status st = job->space->status;
    if (!st && g->n)
        st = method == WFI_COMPONENTS_TARJAN || method == WFI_COMPONENTS_CORE_FIRST
                 ? wfi_components_strong(ctx, g, a.label, a.size, a.cursor, a.mark)
                 : wfi_components_weak(ctx, g, a.label, a.giant);
    if (!st && g->n) wfi_components_measure(ctx, a.label, g->n, a.size, &count, &largest);
    if (!st && order) st = wfi_components_number(ctx, g, a.label, &a.numbering);
    if (!st && order) st = add_order(job, &a, count);
    return st ? st : wfi_components_scalars(job, count, largest);
}

static const char *serves_ranks(const void *params) {
    const weft_components_params *p = params;
    return p->order ? "components are put in order on one rank only" : NULL;
}

static void plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    if (is_strong(spread->g, params))
        wfi_method_plan_ranks(ctx, spread, params, choice);
    else
        wfi_components_plan_weak_ranks(spread, choice);
}

static weft_status run_ranks(wfi_job *job) {
    return is_strong(job->g, job->params) ? wfi_method_run_cpu(job) : wfi_components_weak_ranks(job);
}

/* On CPUs an arc costs about 15 times as much for strong components as for weak ones (R-MAT 20: 14 on 2 cores, 16 on
 * 16); on the GPU the difference is small. */
static void work(const weft_graph *g, const void *params, wfi_work *to) {
    *to = (wfi_work){.passes = 1, .levels = 1, .cpu_dearer = is_strong(g, params) ? 15 : 0};
}

static const char *serves_cuda(const weft_graph *g, const void *params) {
    (void)g;
    return ((const weft_components_params *)params)->order ? "components are put in order on the CPU" : NULL;
}

#ifdef WEFT_HAVE_CUDA
static void plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    weft_vid *label;
    (void)ctx;
    columns(&choice->space, g->n, false, &label);
    (is_strong(g, params) ? wfi_components_plan_strong_cuda : wfi_components_plan_weak_cuda)(g, choice);
}

typedef weft_status (*method_fn)(wfi_job *job, weft_vid *label, uint64_t *count, uint64_t *largest);

static weft_status run_gpu(wfi_job *job, method_fn method) {
    weft_vid *label;
    uint64_t count = 0, largest = 0;
    columns(job->space, job->g->n, false, &label);
    weft_status st = job->space->status;
    if (!st && job->g->n) st = method(job, label, &count, &largest);
    return st ? st : wfi_components_scalars(job, count, largest);
}

static weft_status run_cuda(wfi_job *job) {
    return run_gpu(job, is_strong(job->g, job->params) ? wfi_components_strong_cuda : wfi_components_weak_cuda);
}

static bool plan_streamed(const weft_ctx *ctx, const weft_graph *g, const void *params, uint64_t available,
                          wfi_choice *choice) {
    weft_vid *label;
    (void)ctx;
    if (is_strong(g, params)) return false;
    columns(&choice->space, g->n, false, &label);
    wfi_components_plan_weak_stream(g, available, choice);
    return true;
}

static weft_status run_streamed(wfi_job *job) { return run_gpu(job, wfi_components_weak_stream); }

static void plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    if (is_strong(spread->g, params))
        wfi_method_plan_ranks_cuda(ctx, spread, params, choice);
    else
        wfi_components_plan_weak_ranks_cuda(spread, choice);
}

static weft_status run_ranks_cuda(wfi_job *job) {
    return is_strong(job->g, job->params) ? wfi_method_run_ranks_cuda(job) : wfi_components_weak_ranks_cuda(job);
}
#endif

static const weft_param_info params_info[] = {
    {"strong", WEFT_PARAM_BOOL, offsetof(weft_components_params, strong), "no", 0, 0, NULL,
     "strongly connected components: paths in both directions along the arcs"},
    {"order", WEFT_PARAM_BOOL, offsetof(weft_components_params, order), "no", 0, 0, NULL,
     "list the components as well, strong ones in a reverse topological order: arcs lead to earlier ones"},
};
static const weft_result_info results[] = {
    {"component", WEFT_VERTEX, WEFT_SHAPE_VERTICES, "the smallest vertex of the component"},
    {"order", WEFT_VERTEX, WEFT_SHAPE_TABLE,
     "with `order`: the smallest vertex of each component; arcs lead to earlier ones"},
    {"count", WEFT_U64, WEFT_SHAPE_SCALAR, "number of components"},
    {"largest", WEFT_U64, WEFT_SHAPE_SCALAR, "number of vertices in the largest component"},
};

static const char *const methods[] = {
    "Tarjan",
    "forward-backward + Tarjan",
    "Afforest, every arc",
    "Afforest",
    "forward-backward + largest names",
    "union of every edge",
    "marks, then Afforest",
    "union of every arc, streamed",
    "Afforest, copies merged",
    "colours, in rounds",
};

const wfi_algorithm wfi_algorithm_components = {
    WFI_DESCRIBE(components, (const weft_components_params)WEFT_COMPONENTS_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "connected components, weak or strong",
    .info.top_by = "component",
    .info.model = "none: the number of arcs read depends on the graph and on the method",
    .info.groups = "component",
    WFI_ON_CPU(plan_cpu, run_cpu),
    .serves_ranks = serves_ranks,
    .operators = &wfi_components_strong_on_ranks,
    WFI_ON_RANKS(plan_ranks, run_ranks),
    .work = work,
    .serves_cuda = serves_cuda,
    WFI_ON_CUDA(plan_cuda, run_cuda),
    WFI_STREAMED(plan_streamed, run_streamed),
    WFI_ON_RANKS_CUDA(plan_ranks_cuda, run_ranks_cuda),
    .follower = &wfi_follow_components,
    .on_request = (const char *const[]){"order", NULL},
};
