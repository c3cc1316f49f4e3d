/* cycle: whether there is a directed cycle, and a short one.  Needs: a directed graph.
 * Method: a loop is a cycle of one vertex.  Without loops, ids that rise (or fall) along every arc prove that there is
 * none: rows ascend, so that this reads two targets a row.  Otherwise, or if the general method is requested, Kahn's
 * algorithm removes the sources (engines/kahn/kahn.c), and engines/kahn/witness.c finds a cycle in the leftover.  In a
 * dense graph watched successors (engines/kahn/acyclic_dense.c) decide first, and sooner, whether there is one; the
 * cycle does not depend on the plan's choice.  Ranks peel by messages (ranks/peel.c), with 8 bytes for each vertex of
 * the graph and 24 for messages.
 * Kahn, "Topological sorting of large networks", Communications of the ACM 5, 1962. */
#include "algo/cycle/cycle.h"
#include "ranks/device_steps.h"
#include "run/algorithm.h"
#include "weft/cycle.h"

#include <stdio.h>

/* Density from which watching is used: at 1/32 a row of bits is no longer than a row of targets, and watching beats
 * counting on one thread, by 2 at a density of 1/4 and by 1.2 at 1/32.  One thread takes longer to make the bits than
 * to watch the rows, 28 ms against 21 ms for 10 000 vertices and 1/4, but threads share this work; from 1/8 on two
 * threads are enough (bench/NOTES.md). */
enum { DENSE = 32, VERY_DENSE = 8, FEWEST = 256 };

typedef struct arrays {
    wfi_watched_arrays watch;
    wfi_kahn k; /* after watching, in the memory of its arrays */
    uint64_t *left;
} arrays;

static void lay_out(wfi_workspace *w, weft_vid n, int threads, wfi_cycle_method method, arrays *a) {
    bool watches = method == WFI_CYCLE_WATCH || method == WFI_CYCLE_BITS, peels = watches || method == WFI_CYCLE_PEEL;
    uint64_t watching = wfi_mark(w);
    if (watches) wfi_watched_lay_out(w, n, method == WFI_CYCLE_BITS, threads, &a->watch);
    wfi_rewind(w, watching);
    wfi_array(w, &a->k.waiting, peels ? n : 0);
    wfi_array(w, &a->k.order, peels ? n : 0);
    wfi_array(w, &a->left, peels ? wfi_leftover_words(n) : 0);
    wfi_growth(w, peels ? sizeof(weft_vid) * (uint64_t)n : method == WFI_CYCLE_LOOP ? sizeof(weft_vid) : 0);
}

static uint64_t bytes_of(weft_vid n, int threads, wfi_cycle_method method) {
    wfi_workspace w = {0};
    lay_out(&w, n, threads, method, &(arrays){0});
    return wfi_workspace_bytes(&w);
}

wfi_cycle_method wfi_cycle_pick(weft_vid n, weft_eid arcs, int threads, uint64_t available, uint64_t *bytes,
                                const char **why) {
    uint64_t all = (uint64_t)n * n, bits = bytes_of(n, threads, WFI_CYCLE_BITS),
             rows = bytes_of(n, threads, WFI_CYCLE_WATCH), peeling = bytes_of(n, threads, WFI_CYCLE_PEEL);
    bool dense = n >= FEWEST && arcs >= all / DENSE, very = dense && threads > 1 && arcs >= all / VERY_DENSE;
    *bytes = bits;
    *why = "dense: threads share the building of a bit matrix, in which 64 arcs are looked at together";
    if (very && bits <= available) return WFI_CYCLE_BITS;
    *bytes = rows;
    *why = very ? "dense, but a bit matrix would be over the memory limit: each arc is looked at once at most"
                : "dense: each arc is looked at once at most, and nothing is counted";
    if (dense && rows <= available) return WFI_CYCLE_WATCH;
    *bytes = peeling;
    *why = dense ? "dense, but only counters are within the memory limit: the leftover of the peeling has the cycle"
                 : "ids neither ascend nor descend along all arcs: the leftover of the peeling has the cycle";
    return WFI_CYCLE_PEEL;
}

/* The reason if a loop or the order of the ids decides at once, and the parameters allow it; NULL = nothing does. */
static const char *decided_at_once(const weft_ctx *ctx, const weft_graph *g, const weft_cycle_params *p,
                                   wfi_choice *choice) {
    if (p->general) return NULL;
    if (g->self_loops) {
        choice->method = WFI_CYCLE_LOOP;
        return "the graph has a loop, the shortest cycle there is";
    }
    wfi_id_order order = wfi_ids_along_arcs(ctx, g);
    if (order == WFI_IDS_MIXED) return NULL;
    choice->method = WFI_CYCLE_IDS;
    return order == WFI_IDS_RISE ? "ids ascend along every arc: they are a topological order"
                                 : "ids descend along every arc: in reverse they are a topological order";
}

/* The first three in the order of wfi_cycle_method. */
static const char *const methods[] = {
    "peel sources, search what is left",
    "peel sinks, watching one successor",
    "peel sinks in a bit matrix",
    "find a loop",
    "look at the ids",
    "peel sources, one kernel",
    "peel both ends of a bit matrix",
    "peel sources, by messages",
};

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const char *reason = decided_at_once(ctx, g, params, choice);
    int threads = wfi_threads(ctx);
    if (!reason) {
        uint64_t bytes;
        choice->method = (int)wfi_cycle_pick(g->n, g->arcs, threads, wfi_plan_room(ctx), &bytes, &reason);
    }
    lay_out(&choice->space, g->n, threads, (wfi_cycle_method)choice->method, &(arrays){0});
    snprintf(choice->reason, sizeof choice->reason, "%s", reason);
}

/* The cycle, grown in job->space, as a table; the verdict and the length. */
static weft_status add_result(wfi_job *job, const wfi_cycle *cycle) {
    weft_status st = wfi_cycle_column(job->space, cycle);
    if (st) return st;
    wfi_cycle_compare_label(job->ctx, job->g, !cycle->length);
    return WFI_TELL(job->ctx, job->result, WFI_U64("acyclic", !cycle->length), WFI_U64("length", cycle->length));
}

/* Leaves cycle->length 0 if there is no cycle. */
static weft_status search_as(wfi_job *job, wfi_cycle_method method, arrays *a, wfi_cycle *cycle) {
    bool acyclic = false;
    weft_status st = WEFT_OK;
    if (method == WFI_CYCLE_IDS) return WEFT_OK;
    if (method == WFI_CYCLE_LOOP) return wfi_cycle_of_loop(job->ctx, job->space, job->g, cycle);
    if (method != WFI_CYCLE_PEEL)
        st = wfi_watched_acyclic(job->ctx, job->g, method == WFI_CYCLE_BITS, &a->watch, &acyclic);
    return st || acyclic ? st : wfi_kahn_or_cycle(job->ctx, job->space, job->g, &a->k, a->left, cycle);
}

static weft_status run_cpu(wfi_job *job) {
    wfi_cycle_method method = (wfi_cycle_method)job->choice->method;
    wfi_cycle cycle = {NULL, 0};
    arrays a = {0};
    if (wfi_cancelled(job->ctx)) return wfi_fail_cancelled(job->ctx);
    lay_out(job->space, job->g->n, wfi_threads(job->ctx), method, &a);
    weft_status st = job->space->status;
    if (!st) st = search_as(job, method, &a, &cycle);
    return st ? st : add_result(job, &cycle);
}

/* --- ranks ---------------------------------------------------------------------------- */

static void lay_out_ranks(wfi_workspace *w, const wfi_spread *s, wfi_rank_peel *p) {
    wfi_array(w, &p->level, s->vertices);
    wfi_rank_peel_lay_out(w, s, p);
}

static void plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    (void)ctx, (void)params;
    choice->method = WFI_CYCLE_MESSAGES;
    choice->counts_in = true;
    wfi_rank_peel p = {.level = NULL};
    lay_out_ranks(&choice->space, spread, &p);
    choice->sends = wfi_rank_peel_sends(spread, &p);
}

/* *order: ids rise along every arc of all ranks, or fall along every arc. */
static weft_status ids_are_an_order(weft_ctx *ctx, const wfi_spread *s, bool *order) {
    const wfi_part *part = &s->part[0];
    const wfi_view *rows = &part->out;
    uint64_t some[2] = {0, 0}; /* an arc falls, an arc rises */
    for (weft_vid k = 0; k < s->vertices; k++) {
        if (!wfi_degree(rows, k)) continue;
        some[0] |= rows->targets[rows->offsets[k]] <= part->first + k;
        some[1] |= rows->targets[rows->offsets[k + 1] - 1] >= part->first + k;
    }
    weft_status st = wfi_allreduce(ctx, some, 2, WFI_MAX);
    *order = !some[0] || !some[1];
    return st;
}

/* gpu: the steps of peeling on GPUs, or NULL; mine: the status of preparing them on this rank. */
static weft_status run_ranks_with(wfi_job *job, struct wfi_rank_peel_gpu *gpu, weft_status mine) {
    const weft_cycle_params *params = job->params;
    const wfi_spread *s = job->spread;
    weft_ctx *ctx = job->ctx;
    wfi_cycle cycle = {NULL, 0};
    wfi_rank_peel p = {.gpu = gpu};
    bool ordered = false;
    lay_out_ranks(job->space, s, &p);
    weft_status st = wfi_agree(ctx, mine ? mine : job->space->status);
    if (!st && !params->general) st = wfi_rank_loop(ctx, job->space, s, &cycle);
    if (!st && !params->general && !cycle.length) st = ids_are_an_order(ctx, s, &ordered);
    bool searches = !ordered && !cycle.length;
    if (!st && searches) st = wfi_rank_peel_run(ctx, s, &p);
    if (!st && searches) st = wfi_rank_cycle(ctx, job->space, s, &p, &cycle);
    return st ? st : add_result(job, &cycle);
}

/* --- the GPU ---------------------------------------------------------------------------- */

#ifdef WEFT_HAVE_CUDA
static void plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const char *reason = decided_at_once(ctx, g, params, choice);
    if (reason) {
        lay_out(&choice->space, g->n, wfi_threads(ctx), (wfi_cycle_method)choice->method, &(arrays){0});
    } else {
        wfi_kahn_way way = wfi_kahn_pick_cuda(ctx, g, true);
        bool bits = way == WFI_KAHN_BITS;
        *WFI_DECIDED(wfi_kahn_way, choice) = way;
        choice->method = bits ? WFI_CYCLE_GPU_BITS : WFI_CYCLE_KERNEL;
        reason = bits ? "dense: a thread has the counters of its columns in registers, and a level is one barrier"
                      : "the leftover of the peeling has the cycle";
        wfi_kahn_plan_cuda(g, way, false, false, &choice->space, &choice->device);
    }
    snprintf(choice->reason, sizeof choice->reason, "%s", reason);
}

static weft_status run_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    wfi_kahn_request verdict = {.way = *WFI_DECIDED(wfi_kahn_way, job->choice)};
    wfi_kahn_answer answer = {.cycle = {NULL, 0}};
    if (job->choice->method < WFI_CYCLE_KERNEL) return run_cpu(job);
    weft_status st = wfi_kahn_upload_rows(ctx, job->g);
    if (!st) st = wfi_open_device(job);
    if (!st) st = wfi_kahn_cuda(ctx, job->g, job->space, job->device, &verdict, &answer);
    return st ? st : add_result(job, &answer.cycle);
}

/* The GPUs of ranks peel (ranks/device_peel.cu); a loop, the order of the ids, and the cycle of a leftover are found on
 * the host. */
static void plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    wfi_device_peel d;
    wfi_device_peel_lay_out(&choice->space, &choice->device, spread, &d);
    plan_ranks(ctx, spread, params, choice);
}

static weft_status run_ranks_cuda(wfi_job *job) {
    wfi_device_peel d = {.gpu = wfi_device_peel_steps};
    weft_status st = wfi_open_device(job);
    if (!st) wfi_device_peel_lay_out(job->space, job->device, job->spread, &d);
    return run_ranks_with(job, &d.gpu, st);
}
#endif

static weft_status run_ranks(wfi_job *job) { return run_ranks_with(job, NULL, WEFT_OK); }

/* Counting and removing.  The depth of a graph is unknown before. */
static void work(const weft_graph *g, const void *params, wfi_work *to) {
    wfi_work_of_search(g, NULL, to);
    if (g->self_loops && !((const weft_cycle_params *)params)->general) *to = (wfi_work){.passes = 0};
}

static const weft_param_info params_info[] = {
    {"general", WEFT_PARAM_BOOL, offsetof(weft_cycle_params, general), "no", 0, 0, NULL,
     "use the general method even if a loop or the order of the ids would decide at once; for benchmarks"},
};
static const weft_result_info results[] = {
    {"cycle", WEFT_VERTEX, WEFT_SHAPE_TABLE, "vertices of the shortest cycle found, in order; empty if there is none"},
    {"acyclic", WEFT_U64, WEFT_SHAPE_SCALAR, "1: there is no cycle; 0: there is"},
    {"length", WEFT_U64, WEFT_SHAPE_SCALAR, "number of vertices on the cycle"},
};

const wfi_algorithm wfi_algorithm_cycle = {
    WFI_DESCRIBE(cycle, (const weft_cycle_params)WEFT_CYCLE_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "is the graph acyclic?  If not, shows a short cycle",
    .info.top_by = "cycle",
    .info.verdict = "acyclic",
    .info.witness = "cycle",
    .info.model = "none: the part that is peeled before the answer is known depends on the graph",
    .directed_only = "each edge of an undirected one goes there and back, a cycle of two",
    WFI_ON_CPU(plan_cpu, run_cpu),
    WFI_ON_RANKS(plan_ranks, run_ranks),
    .work = work,
    WFI_ON_CUDA(plan_cuda, run_cuda),
    WFI_ON_RANKS_CUDA(plan_ranks_cuda, run_ranks_cuda),
    .follower = &wfi_follow_cycle,
};
