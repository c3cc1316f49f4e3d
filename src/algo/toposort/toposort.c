/* toposort: the level of each vertex, an order in which every arc goes forward, or a cycle that forbids such an order.
 * The level of a vertex is the length of the longest path to it from a source; its position is that in the order by
 * (level, vertex).  Both are WEFT_UNREACHED on and behind cycles.
 * Needs: a directed graph.
 * Method: Kahn's algorithm by levels [1] (engines/kahn/kahn.c); positions by a counting sort over (level, vertex); a
 * cycle of the leftover by engines/kahn/witness.c.
 * Ranks: peeling by messages (ranks/peel.c).  Vertices ascend with ranks, so each rank adds up the counts of all ranks
 * for its share of the levels, and sends each rank the first positions of its vertices.  Memory: 8 bytes for each
 * vertex of the graph, 24 for messages; 4 for each level.
 * Encoding: the position column is first the queue of the peeling and scratch of the witness, and the counters of the
 * peeling become those of the sort, so that three numbers a vertex are held at most.
 * [1] Kahn, "Topological sorting of large networks", Communications of the ACM 5, 1962. */
#include "weft/toposort.h"
#include "ranks/device_steps.h"
#include "run/algorithm.h"

#include <stdio.h>
#include <string.h>

enum { SHARE = 1 << 16 };

/* One flag alone omits the other's column. */
static bool has_levels(const weft_toposort_params *p) { return p->levels || !p->order; }
static bool has_order(const weft_toposort_params *p) { return p->order || !p->levels; }

/* Adds the cycle, which lies at the end of job->space, as a table, and the scalars. */
static weft_status add_result(wfi_job *job, const wfi_cycle *cycle, bool acyclic, uint32_t levels) {
    wfi_cycle_compare_label(job->ctx, job->g, acyclic);
    weft_status st = wfi_cycle_column(job->space, cycle);
    return st ? st : WFI_TELL(job->ctx, job->result, WFI_U64("acyclic", acyclic), WFI_U64("levels", levels));
}

/* Counting sort.  The vertices are cut into `parts` chunks; count[part * levels + level] becomes the first position of
 * the vertices of that level in that chunk.  parts * levels is at most n, the length of count. */
static void number_positions(weft_ctx *ctx, const weft_graph *g, const uint32_t *level, uint32_t levels,
                             uint32_t *count, uint32_t *position) {
    weft_vid n = g->n;
    if (!levels) {
        memset(position, 0xff, (size_t)n * sizeof *position);
        return;
    }
    uint64_t most = n / levels;
    int threads = wfi_threads_for(ctx, n, SHARE);
    size_t parts = (uint64_t)threads < most ? (size_t)threads : (size_t)most;
    memset(count, 0, parts * levels * sizeof *count);
#pragma omp parallel for schedule(static, 1) num_threads((int)parts)
    for (size_t part = 0; part < parts; part++) {
        uint32_t *mine = count + part * levels;
        for (size_t v = n * part / parts; v < n * (part + 1) / parts; v++)
            if (level[v] != WEFT_UNREACHED) mine[level[v]]++;
    }
    uint32_t next = 0;
    for (uint32_t l = 0; l < levels; l++)
        for (size_t part = 0; part < parts; part++) {
            uint32_t here = count[part * levels + l];
            count[part * levels + l] = next;
            next += here;
        }
#pragma omp parallel for schedule(static, 1) num_threads((int)parts)
    for (size_t part = 0; part < parts; part++) {
        uint32_t *mine = count + part * levels;
        for (size_t v = n * part / parts; v < n * (part + 1) / parts; v++)
            position[v] = level[v] == WEFT_UNREACHED ? WEFT_UNREACHED : mine[level[v]]++;
    }
}

typedef struct arrays {
    wfi_kahn k;
    uint32_t *position;
    uint64_t *left; /* scratch of the witness; NULL if a loop is the cycle */
} arrays;

static void column_or_array(wfi_workspace *w, const char *name, bool wanted, weft_vid n, uint32_t **place) {
    if (wanted)
        wfi_column(w, name, WEFT_U32, n, place);
    else
        *place = wfi_carve(w, name, n, sizeof **place, false);
}

static void lay_out(wfi_workspace *w, const weft_graph *g, const weft_toposort_params *p, arrays *a) {
    column_or_array(w, "level", has_levels(p), g->n, &a->k.level);
    column_or_array(w, "position", has_order(p), g->n, &a->position);
    wfi_array(w, &a->k.waiting, g->n);
    wfi_array(w, &a->left, g->self_loops ? 0 : wfi_leftover_words(g->n));
    wfi_growth(w, sizeof(weft_vid) * (g->self_loops ? 1 : (uint64_t)g->n)); /* the cycle */
    a->k.order = a->position;
}

/* In the order of info.methods. */
enum { METHOD_LEVELS, METHOD_GPU_ROWS, METHOD_GPU_BITS, METHOD_MESSAGES };

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)ctx;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             wfi_in_at_hand(g) ? "in-degrees are available as row lengths of the transpose"
                               : "in-degrees are counted in one pass; no transpose is built");
    lay_out(&choice->space, g, params, &(arrays){0});
}

static weft_status run_cpu(wfi_job *job) {
    const weft_toposort_params *p = job->params;
    const weft_graph *g = job->g;
    weft_ctx *ctx = job->ctx;
    wfi_cycle cycle = {NULL, 0};
    arrays a = {0};
    lay_out(job->space, g, p, &a);
    weft_status st = job->space->status;
    if (!st) st = wfi_kahn_or_cycle(ctx, job->space, g, &a.k, a.left, &cycle);
    if (st) return st;
    if (has_order(p)) number_positions(ctx, g, a.k.level, a.k.levels, a.k.waiting, a.position);
    return add_result(job, &cycle, a.k.peeled == g->n, a.k.levels);
}

/* --- ranks --- */

typedef struct rank_arrays {
    wfi_rank_peel p;
    uint32_t *position;
    uint32_t *count;  /* by level: number of this rank's vertices, then their first position */
    uint32_t *counts; /* this rank's share of the levels: the counts of each rank */
    uint64_t *send_bytes, *receive_bytes;
} rank_arrays;

static void lay_out_ranks(wfi_workspace *w, const wfi_spread *s, const weft_toposort_params *p, rank_arrays *a) {
    size_t ranks = (size_t)s->comm->link.size;
    bool order = has_order(p);
    column_or_array(w, "level", has_levels(p), s->vertices, &a->p.level);
    if (order) wfi_column(w, "position", WEFT_U32, s->vertices, &a->position);
    wfi_rank_peel_lay_out(w, s, &a->p);
    wfi_array_within(w, &a->count, order ? s->g->n : 0);
    wfi_array_within(w, &a->counts, order ? (uint64_t)s->g->n + ranks : 0);
    wfi_array(w, &a->send_bytes, ranks + 1);
    wfi_array(w, &a->receive_bytes, ranks + 1);
}

static void plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    (void)ctx;
    choice->method = METHOD_MESSAGES;
    choice->counts_in = true;
    rank_arrays a = {.position = NULL};
    lay_out_ranks(&choice->space, spread, params, &a);
    choice->sends = wfi_rank_peel_sends(spread, &a.p);
    /* Counts of levels go to the ranks that own the levels, and come back as positions. */
    if (has_order(params) && spread->comm->link.size > 1)
        choice->sends += 2 * sizeof *a.count * ((uint64_t)spread->g->n + (uint64_t)spread->comm->link.size);
}

/* The first level of rank r's share. */
static uint64_t share(uint64_t levels, int ranks, int r) { return levels * (uint64_t)r / (uint64_t)ranks; }

/* The counts of this rank's share of the levels, in the order of ranks, become positions. */
static weft_status add_up(weft_ctx *ctx, const wfi_spread *s, uint32_t *counts, uint64_t levels) {
    int ranks = s->comm->link.size;
    uint64_t sum = 0, before = 0;
    for (uint64_t i = 0; i < levels * (uint64_t)ranks; i++) sum += counts[i];
    weft_status st = wfi_allgather_u64(ctx, sum, s->start);
    for (int r = 0; r < s->comm->link.rank && !st; r++) before += s->start[r];
    for (uint64_t level = 0; level < levels && !st; level++)
        for (int r = 0; r < ranks; r++) {
            uint32_t *place = &counts[(uint64_t)r * levels + level], here = *place;
            *place = (uint32_t)before;
            before += here;
        }
    return st;
}

static weft_status number_on_ranks(weft_ctx *ctx, const wfi_spread *s, rank_arrays *a) {
    int ranks = s->comm->link.size, me = s->comm->link.rank;
    uint64_t levels = a->p.levels, mine = share(levels, ranks, me + 1) - share(levels, ranks, me);
    const uint32_t *level = a->p.level;
    if (levels) memset(a->count, 0, (size_t)levels * sizeof *a->count);
    for (weft_vid k = 0; k < s->vertices; k++)
        if (level[k] != WEFT_UNREACHED) a->count[level[k]]++;
    for (int r = 0; r <= ranks; r++) {
        a->send_bytes[r] = share(levels, ranks, r) * sizeof *a->count;
        a->receive_bytes[r] = mine * (uint64_t)r * sizeof *a->count;
    }
    weft_status st = wfi_alltoall(ctx, a->count, a->send_bytes, a->counts, a->receive_bytes);
    if (!st) st = add_up(ctx, s, a->counts, mine);
    if (!st) st = wfi_alltoall(ctx, a->counts, a->receive_bytes, a->count, a->send_bytes);
    for (weft_vid k = 0; k < s->vertices && !st; k++)
        a->position[k] = level[k] == WEFT_UNREACHED ? WEFT_UNREACHED : a->count[level[k]]++;
    return st;
}

/* gpu: the engine that peels on GPUs, or NULL; mine: status of its preparation on this rank. */
static weft_status run_ranks_with(wfi_job *job, struct wfi_rank_peel_gpu *gpu, weft_status mine) {
    const weft_toposort_params *p = job->params;
    const wfi_spread *s = job->spread;
    weft_ctx *ctx = job->ctx;
    wfi_cycle cycle = {NULL, 0};
    rank_arrays a = {.p = {.gpu = gpu}};
    lay_out_ranks(job->space, s, p, &a);
    weft_status st = wfi_agree(ctx, mine ? mine : job->space->status);
    if (!st) st = wfi_rank_peel_run(ctx, s, &a.p);
    bool acyclic = a.p.peeled == s->g->n;
    if (!st && has_order(p)) st = number_on_ranks(ctx, s, &a);
    if (!st) st = wfi_rank_cycle(ctx, job->space, s, &a.p, &cycle);
    return st ? st : add_result(job, &cycle, acyclic, a.p.levels);
}

/* --- GPU --- */

#ifdef WEFT_HAVE_CUDA
static void columns(wfi_workspace *w, const weft_graph *g, const weft_toposort_params *p, wfi_kahn_request *wish) {
    if (has_levels(p)) wfi_column(w, "level", WEFT_U32, g->n, &wish->level);
    if (has_order(p)) wfi_column(w, "position", WEFT_U32, g->n, &wish->position);
}

static void plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_kahn_request wish = {.level = NULL};
    wfi_kahn_way way = wfi_kahn_pick_cuda(ctx, g, false);
    *WFI_DECIDED(wfi_kahn_way, choice) = way;
    choice->method = way == WFI_KAHN_BITS ? METHOD_GPU_BITS : METHOD_GPU_ROWS;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             way == WFI_KAHN_BITS
                 ? "dense: a thread has the counters of its columns in registers, and a level is one barrier"
                 : "the whole GPU takes wide levels, and one block at a time narrow ones");
    columns(&choice->space, g, params, &wish);
    wfi_kahn_plan_cuda(g, way, has_levels(params), has_order(params), &choice->space, &choice->device);
}

static weft_status run_cuda(wfi_job *job) {
    wfi_kahn_request wish = {.way = *WFI_DECIDED(wfi_kahn_way, job->choice)};
    wfi_kahn_answer answer = {.cycle = {NULL, 0}};
    columns(job->space, job->g, job->params, &wish);
    weft_status st = job->space->status;
    if (!st) st = wfi_kahn_upload_rows(job->ctx, job->g);
    if (!st) st = wfi_open_device(job);
    if (!st) st = wfi_kahn_cuda(job->ctx, job->g, job->space, job->device, &wish, &answer);
    return st ? st : add_result(job, &answer.cycle, answer.acyclic, answer.levels);
}

/* Peeling by the GPUs of ranks (ranks/device_peel.cu); positions, and a cycle of the leftover, by the host. */
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

/* Counting in-degrees and removing arcs.  The depth of a graph is not known in advance. */
static void work(const weft_graph *g, const void *params, wfi_work *to) {
    (void)params;
    wfi_work_of_search(g, NULL, to);
}

/* The part that is peeled before a cycle is met depends on the graph: no model then. */
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
    return sizeof(uint32_t) * ((unsigned)has_levels(params) + (unsigned)has_order(params));
}

static const weft_result_info results[] = {
    {"level", WEFT_U32, WEFT_SHAPE_VERTICES,
     "length of the longest path from a source; 4294967295 on or after a cycle"},
    {"position", WEFT_U32, WEFT_SHAPE_VERTICES,
     "place in the order by (level, vertex); 4294967295 on or after a cycle"},
    {"cycle", WEFT_VERTEX, WEFT_SHAPE_TABLE, "vertices of one cycle, in order; empty if there is none"},
    {"acyclic", WEFT_U64, WEFT_SHAPE_SCALAR, "1: every vertex has a place; 0: there is a cycle"},
    {"levels", WEFT_U64, WEFT_SHAPE_SCALAR, "number of levels"},
};

static const char *const methods[] = {
    "peel sources level by level",
    "peel sources, one kernel",
    "peel sources of a bit matrix",
    "peel sources, by messages",
};

const wfi_algorithm wfi_algorithm_toposort = {
    WFI_DESCRIBE(toposort, (const weft_toposort_params)WEFT_TOPOSORT_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "topological order and levels, or a cycle if there is none",
    .info.top_by = "level",
    .info.verdict = "acyclic",
    .info.witness = "cycle",
    .info.ordinal = "position",
    .info.model = "12 an arc (target, counter read and written), 24 a vertex (offsets, level, position)",
    .model_bytes = model_bytes,
    .directed_only = "an undirected edge goes both ways, so there is no order",
    WFI_ON_CPU(plan_cpu, run_cpu),
    WFI_ON_RANKS(plan_ranks, run_ranks),
    .bytes_a_vertex = bytes_a_vertex,
    .work = work,
    WFI_ON_CUDA(plan_cuda, run_cuda),
    WFI_ON_RANKS_CUDA(plan_ranks_cuda, run_ranks_cuda),
    .follower = &wfi_follow_toposort,
};
