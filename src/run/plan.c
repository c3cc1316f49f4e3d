/* Plans: the device, the method, the bytes, and the reasons; then the run.
 * In a context with a communicator all ranks make and run a plan together.  After each step that may fail on one rank
 * they agree on its status (wfi_agree), so that all return it. */
#include "core/context.h"
#include "core/gpu_binding.h"
#include "core/memory.h"
#include "core/stages.h"
#include "cuda/device.h"
#include "cuda/trail.h"
#include "io/weft/binary.h"
#include "ranks/spread.h"
#include "run/checkpoint.h"
#include "run/device.h"
#include "run/method.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct weft_plan {
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_algorithm *algorithm;
    wfi_spread *spread;         /* this rank's part of the graph */
    wfi_checkpoint *checkpoint; /* NULL: no checkpoints */
    wfi_placement placement;
    bool may_change; /* auto: if the GPU fails, the CPU does the run */
    wfi_choice choice;
    uint64_t host_bytes;
    int threads;  /* when the choice was made */
    bool staying; /* likewise: whether columns stay on the GPU */
    void *params; /* our copy */
    wfi_pool *pool;
    void *arena;                           /* choice.space.peak bytes; NULL until the first run */
    struct wfi_device_block *device_arena; /* choice.device.peak bytes, likewise */
    weft_matrix matrix[WFI_MOST_MATRICES]; /* the targets of pointers in params */
    bool ran_on_gpu;                       /* at least once */
    bool packed_rows;                      /* the rows of a snapshot were packed for this plan, as its reason says */
    uint64_t sent;                         /* bytes to other ranks, in the last run */
    uint64_t iterations;                   /* of the last run; UINT64_MAX: there was none */
    bool had_in;                           /* incoming rows were made before the last run */
    double context_ms;                     /* planning spent on finding the GPU; counted in the first run */
};

/* True if ranks share the run; for some algorithms a single machine has code of its own. */
static bool is_shared(const weft_plan *plan) { return wfi_has_ranks(plan->ctx); }

const char *weft_ranks_refuse(const char *algorithm, const void *params) {
    const wfi_algorithm *a = wfi_algorithm_find(algorithm);
    if (!a) return "there is no such algorithm";
    if (!a->run_ranks) return "ranks cannot share it yet; run it on one";
    return a->serves_ranks ? a->serves_ranks(params ? params : a->info.params_standard) : NULL;
}

const char *weft_ranks_refuse_gpu(const char *algorithm, const void *params) {
    const wfi_algorithm *a = wfi_algorithm_find(algorithm);
    if (!a) return "there is no such algorithm";
    return wfi_ranks_unserved(a, params ? params : a->info.params_standard);
}

/* Refuses a run that would exceed the limit.  Called once, before the first run: a transpose that it makes and keeps is
 * part of the plan's bytes, and would count twice afterwards. */
static weft_status check_limit(const weft_plan *plan, const char *what, uint64_t more, const wfi_memory *memory) {
    uint64_t most = wfi_memory_limit(memory), used = wfi_memory_in_use(memory);
    if (!most || (used <= most && more <= most - used)) return WEFT_OK;
    char needed[24], held[24], limit[80], total[24];
    return wfi_fail(plan->ctx, WEFT_ENOMEM,
                    "%s (%s) would be over the %s limit of %s: it needs %s more on top of %s, %s in total",
                    plan->algorithm->info.name, weft_plan_method(plan), what, wfi_limit_text(limit, memory),
                    wfi_size_text(needed, more), wfi_size_text(held, used), wfi_size_text(total, used + more));
}

static weft_status check_memory(const weft_plan *plan) {
    weft_ctx *ctx = plan->ctx;
    weft_status st = check_limit(plan, "memory", plan->host_bytes, wfi_ctx_memory(ctx));
    if (st || plan->placement.device != WEFT_DEVICE_CUDA) return st;
    return check_limit(plan, "GPU memory", plan->choice.device_bytes, wfi_ctx_device_memory(ctx));
}

uint64_t wfi_column_bytes(const wfi_algorithm *a, const weft_graph *g, const void *params) {
    uint64_t each = 0;
    if (a->operators) return wfi_method_column_bytes(a->operators, g, params);
    if (a->bytes_a_vertex) return a->bytes_a_vertex(params) * g->n;
    for (size_t i = 0; i < a->info.result_count; i++)
        if (a->results[i].shape == WEFT_SHAPE_VERTICES) each += weft_type_size(a->results[i].type);
    return each * g->n;
}

static void drop_arenas(weft_plan *plan) {
    wfi_free(plan->arena);
    plan->arena = NULL;
    if (plan->device_arena) wfi_device_block_free(plan->device_arena);
    plan->device_arena = NULL;
    if (plan->spread) wfi_spread_forget_gpu_rows(plan->spread);
}

__attribute__((format(printf, 2, 3))) static void add_reason(weft_plan *plan, const char *format, ...) {
    size_t said = strlen(plan->choice.reason);
    WFI_FORMAT(plan->choice.reason + said, sizeof plan->choice.reason - said, format);
}

/* Adds how a snapshot gets to the GPU. */
static void tell_mirror(weft_plan *plan) {
    uint64_t changes;
    if (!plan->g->trail || plan->g->mirror) return;
    if (wfi_trail_reaches(plan->g, wfi_ctx_gpu_binding(plan->ctx)->index, &changes))
        add_reason(plan, "; on the GPU its rows follow from an earlier state's by %" PRIu64 " changed arcs", changes);
    else
        add_reason(plan, "; its rows are uploaded");
}

static weft_status complete(weft_plan *plan) {
    drop_arenas(plan);
    plan->threads = wfi_threads(plan->ctx);
    plan->staying = wfi_ctx_residents(plan->ctx)->wanted;
    plan->host_bytes = wfi_choice_host_bytes(&plan->choice);
    if (plan->packed_rows) add_reason(plan, "; the snapshot's rows were packed first");
    if (plan->placement.device == WEFT_DEVICE_CUDA && !plan->choice.streamed) tell_mirror(plan);
    return check_memory(plan);
}

static weft_status choose(weft_plan *plan) {
    weft_status st =
        is_shared(plan)
            ? wfi_choose_ranks(plan->ctx, plan->algorithm, plan->spread, plan->params, &plan->placement, &plan->choice)
            : wfi_choose(plan->ctx, plan->algorithm, plan->g, plan->params, &plan->placement, &plan->choice);
    return wfi_agree(plan->ctx, st ? st : complete(plan));
}

/* All ranks must have opened the same file: on another machine the same name may be another file. */
static weft_status same_file(weft_ctx *ctx, const weft_graph *g) {
    uint64_t digest = wfi_weft_digest(g), least = digest, most = digest;
    weft_status st = wfi_allreduce(ctx, &least, 1, WFI_MIN);
    if (!st) st = wfi_allreduce(ctx, &most, 1, WFI_MAX);
    if (st || least == most) return st;
    return wfi_fail(ctx, WEFT_EINPUT, "ranks have opened different graphs: the file is not the same on all machines");
}

/* Targets of large files are unverified on opening; each rank verifies its own rows. */
static weft_status rows_sound(weft_ctx *ctx, const wfi_spread *s) {
    weft_status st = WEFT_OK;
    for (size_t b = 0; b < s->blocks && !st; b++)
        st = wfi_weft_verify_rows(ctx, s->g, s->part[b].first, s->part[b].end);
    return wfi_agree(ctx, st);
}

/* Spreads the graph over the ranks, if they support this run; a single rank has all of it. */
static weft_status spread(weft_plan *plan) {
    const wfi_algorithm *a = plan->algorithm;
    weft_vid block = a->rank_block ? a->rank_block(plan->g, plan->params) : 0;
    if (!is_shared(plan)) return wfi_spread_new(plan->ctx, plan->g, block, &plan->spread);
    const char *unfit = weft_ranks_refuse(a->info.name, plan->params);
    if (unfit) return wfi_fail(plan->ctx, WEFT_EUNSUPPORTED, "%s: %s", a->info.name, unfit);
    if (wfi_ctx_comm(plan->ctx)->columns > 1 && !a->grid_load)
        return wfi_fail(plan->ctx, WEFT_EUNSUPPORTED, "%s: its ranks share vertices only, in a grid of one column",
                        a->info.name);
    weft_status st = same_file(plan->ctx, plan->g);
    if (!st) st = wfi_spread_new(plan->ctx, plan->g, block, &plan->spread);
    return st ? st : rows_sound(plan->ctx, plan->spread);
}

bool wfi_need_in(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g) {
    if (wfi_in_at_hand(g)) return false;
    w->needs_in = true;
    /* The transpose has the weights too, used or not. */
    wfi_keep_with_graph(w, wfi_rows_bytes(g->n, g->arcs, g->weight_type),
                        wfi_transpose_bytes(ctx, g->n, g->arcs, g->weight_type));
    return true;
}

void wfi_need_both(const weft_ctx *ctx, const weft_graph *g, wfi_choice *choice) {
    bool transpose = wfi_need_in(&choice->space, ctx, g);
    snprintf(choice->reason, sizeof choice->reason, "%s",
             !g->directed ? "rows list all neighbours"
             : transpose  ? "directed: the transpose is made, and both rows of a vertex are read"
                          : "directed: both rows of a vertex are read");
}

uint64_t wfi_plan_room(const weft_ctx *ctx) {
    uint64_t left = wfi_memory_left(ctx), result = wfi_result_bytes();
    return left == UINT64_MAX ? left : left > result ? left - result : 0;
}

bool wfi_workspace_fits(const wfi_workspace *w, const weft_ctx *ctx) {
    return wfi_workspace_bytes(w) <= wfi_plan_room(ctx);
}

bool wfi_oriented_fits(const weft_ctx *ctx, wfi_choice *choice, int lean) {
    char needed[24];
    if (wfi_workspace_fits(&choice->space, ctx)) return true;
    choice->method = lean;
    snprintf(
        choice->reason, sizeof choice->reason,
        "edges oriented by degree would need %s, over the memory limit; rows as they are need no copy, but more time",
        wfi_size_text(needed, wfi_workspace_bytes(&choice->space)));
    choice->space = (wfi_workspace){0};
    return false;
}

static weft_status fill_params(weft_plan *plan, const void *params) {
    weft_ctx *ctx = plan->ctx;
    const wfi_algorithm *a = plan->algorithm;
    size_t size = a->info.params_size;
    plan->params = plan->pool ? wfi_take(ctx, size, 1) : NULL;
    if (!plan->params) return WEFT_ENOMEM;
    memcpy(plan->params, a->info.params_standard, size);
    weft_status st = wfi_sized_in(ctx, a->info.name, params, plan->params, size);
    if (!st) st = wfi_params_own(ctx, a, plan->params, plan->matrix);
    return st ? st : wfi_params_check(ctx, a, plan->g, plan->params);
}

/* A search without a given source starts at the vertex with the most outgoing arcs; weft_plan_params has it. */
static weft_status choose_source(weft_plan *plan) {
    weft_vid *source = plan->g->n ? wfi_params_open_source(plan->algorithm, plan->params) : NULL;
    return source ? wfi_spread_max_out_degree_vertex(plan->ctx, plan->spread, source) : WEFT_OK;
}

static weft_status fill(weft_plan *plan, const void *params) {
    weft_ctx *ctx = plan->ctx;
    weft_status st = wfi_agree(ctx, fill_params(plan, params));
    if (!st) st = spread(plan);
    if (!st) st = choose_source(plan);
    if (!st) {
        st = wfi_checkpoint_new(ctx, plan->algorithm, plan->params, plan->g, plan->spread, &plan->checkpoint);
        st = wfi_agree(ctx, st);
    }
    if (st) return st;
    bool started = wfi_cuda_started();
    double begin = wfi_now_ms();
    st = choose(plan);
    plan->may_change = wfi_device(ctx) == WEFT_DEVICE_AUTO;
    /* The time of finding the GPU, or of asking for its free memory. */
    bool counts = plan->placement.device == WEFT_DEVICE_CUDA || (!started && wfi_cuda_started());
    plan->context_ms = counts ? wfi_now_ms() - begin : 0;
    return st;
}

weft_status weft_plan_new(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params,
                          weft_plan **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, algorithm, g, out);
    const wfi_algorithm *a = wfi_algorithm_find(algorithm);
    if (!a) return wfi_fail(ctx, WEFT_ENOTFOUND, "no algorithm is called '%s'", algorithm);
    bool packed = wfi_graph_is_packed(g);
    weft_status ready = wfi_graph_ready(ctx, g);
    if (!ready && !wfi_has_ranks(ctx)) ready = wfi_graph_whole(ctx, g);
    if (ready) return ready;
    weft_plan *plan = wfi_take_zeroed(ctx, 1, sizeof *plan);
    if (!plan) return WEFT_ENOMEM;
    plan->packed_rows = !packed;
    plan->ctx = wfi_ctx_keep(ctx);
    plan->g = wfi_graph_keep(g);
    plan->algorithm = a;
    plan->iterations = UINT64_MAX;
    plan->pool = wfi_pool_new(ctx);
    weft_status st = fill(plan, params);
    if (st)
        weft_plan_free(plan);
    else
        *out = plan;
    return st;
}

void weft_plan_free(weft_plan *plan) {
    if (!plan) return;
    drop_arenas(plan);
    wfi_checkpoint_free(plan->checkpoint);
    wfi_spread_free(plan->spread);
    if (plan->pool) wfi_pool_close(plan->pool);
    wfi_pool_release(plan->pool);
    wfi_graph_drop(plan->g);
    weft_ctx_free(plan->ctx);
    WFI_FREE(plan->params, plan);
}

weft_device weft_plan_device(const weft_plan *plan) { return plan ? plan->placement.device : WEFT_DEVICE_AUTO; }
const char *weft_plan_device_reason(const weft_plan *plan) { return plan ? plan->placement.reason : ""; }
weft_device_cause weft_plan_device_cause(const weft_plan *plan) {
    return plan ? plan->placement.cause : WEFT_CAUSE_ASKED;
}
int weft_plan_streamed(const weft_plan *plan) { return plan && plan->choice.streamed > 0; }
const void *weft_plan_params(const weft_plan *plan) { return plan ? plan->params : NULL; }
const char *weft_plan_method(const weft_plan *plan) {
    return plan ? plan->algorithm->info.methods[plan->choice.method] : "";
}
int weft_plan_method_id(const weft_plan *plan) { return plan ? plan->choice.method : -1; }
const char *weft_plan_reason(const weft_plan *plan) { return plan ? plan->choice.reason : ""; }
uint64_t weft_plan_host_bytes(const weft_plan *plan) { return plan ? plan->host_bytes : 0; }
uint64_t weft_plan_device_bytes(const weft_plan *plan) { return plan ? plan->choice.device_bytes : 0; }
double weft_plan_model_bytes(const weft_plan *plan, const weft_result *r) {
    const wfi_algorithm *a = plan && r ? plan->algorithm : NULL;
    if (a && a->operators && a->operators->arc_bytes)
        return wfi_method_model_bytes(a->operators, plan->g, plan->params, r);
    return a && a->model_bytes ? a->model_bytes(plan->g, plan->params, r) : 0;
}

weft_ctx *wfi_plan_ctx(const weft_plan *plan) { return plan->ctx; }
const wfi_spread *wfi_plan_spread(const weft_plan *plan) { return plan->spread; }
int weft_plan_grid_columns(const weft_plan *plan) { return plan ? plan->spread->columns : 1; }
wfi_checkpoint *wfi_plan_checkpoint_of(const weft_plan *plan) { return plan->checkpoint; }
uint64_t wfi_plan_sent(const weft_plan *plan) { return plan->sent; }
uint64_t wfi_plan_sends(const weft_plan *plan) {
    const wfi_choice *c = &plan->choice;
    bool rows = c->space.needs_in && !plan->had_in, counts = c->counts_in && !c->space.needs_in;
    if (c->sends == UINT64_MAX) return UINT64_MAX;
    uint64_t iterations = plan->iterations == UINT64_MAX ? c->iterations : plan->iterations;
    bool exchange = !wfi_spread_in_at_hand(plan->spread) && (rows || counts);
    /* A resumed run sends its state instead of what a new one sends at its beginning. */
    uint64_t begin = wfi_checkpoint_resumed_from(plan->checkpoint) ? wfi_checkpoint_sent(plan->checkpoint) : c->sends;
    uint64_t entering = c->sends_in ? c->sends_in * wfi_spread_in_arcs(plan->spread) : 0;
    return begin + entering + c->sends_each * iterations + (exchange ? wfi_spread_in_sends(plan->spread, rows) : 0);
}
const wfi_choice *wfi_plan_choice(const weft_plan *plan) { return &plan->choice; }
void *wfi_plan_arena(const weft_plan *plan) { return plan->arena; }
struct wfi_device_block *wfi_plan_device_arena(const weft_plan *plan) {
    return plan->device_arena;
}

size_t wfi_plan_notes(const weft_plan *plan, bool on_device, wfi_array_note *notes, size_t capacity) {
    const wfi_algorithm *a = plan->algorithm;
    wfi_choice again = {.algorithm = a, .device = {.on_device = true}};
    wfi_workspace *of = on_device ? &again.device : &again.space;
    of->notes = notes;
    of->note_capacity = capacity;
    if (is_shared(plan))
        (plan->placement.device == WEFT_DEVICE_CUDA ? a->plan_ranks_cuda : a->plan_ranks)(plan->ctx, plan->spread,
                                                                                          plan->params, &again);
    else if (plan->placement.device == WEFT_DEVICE_CPU)
        a->plan_cpu(plan->ctx, plan->g, plan->params, &again);
    else if (plan->choice.streamed)
        a->plan_streamed(plan->ctx, plan->g, plan->params, plan->choice.streamed, &again);
    else
        a->plan_cuda(plan->ctx, plan->g, plan->params, &again);
    return of->note_count;
}

/* The transpose stays with the graph.  It is made before the arena is allocated, since making it needs memory too. */
static weft_status need_transpose(weft_plan *plan) {
    const wfi_workspace *space = &plan->choice.space;
    bool shared = is_shared(plan);
    weft_status st = space->needs_in && !shared ? wfi_graph_need_in(plan->ctx, plan->g) : WEFT_OK;
    if (st == WEFT_ENOMEM && space->transpose_optional) {
        wfi_warn(plan->ctx, "%s: no memory for the transpose, so the run continues without it",
                 plan->algorithm->info.name);
        st = WEFT_OK;
    }
    bool wanted = shared ? space->needs_in : wfi_in_at_hand(plan->g) != NULL;
    return !st && wanted ? wfi_spread_need_in(plan->ctx, plan->spread) : st;
}

weft_status wfi_open_device(wfi_job *job) {
    uint64_t bytes = job->choice->device.peak;
    weft_status st = !bytes || *job->arena ? WEFT_OK : wfi_device_block_new(job->ctx, (size_t)bytes, job->arena);
    if (st || !bytes) return st;
    job->device->arena = (char *)(uintptr_t)wfi_device_block_data(*job->arena);
    job->device->arena_bytes = bytes;
    return WEFT_OK;
}

static weft_status run_in_arena(weft_plan *plan, weft_result *r) {
    const wfi_algorithm *a = plan->algorithm;
    const wfi_choice *choice = &plan->choice;
    weft_status st =
        wfi_checkpoint_open(plan->checkpoint); /* first, so that nothing is prepared for a run that it refuses */
    if (st) return st;
    st = need_transpose(plan);
    if (!st && !plan->arena && choice->space.peak) {
        plan->arena = wfi_take(plan->ctx, (size_t)choice->space.peak, 1);
        if (!plan->arena) st = WEFT_ENOMEM;
    }
    st = wfi_agree(plan->ctx, st);
    if (st) return st;
    wfi_workspace space = {
        .ctx = plan->ctx, .arena = plan->arena, .arena_bytes = choice->space.peak, .result = r, .pool = plan->pool};
    wfi_workspace device = {.ctx = plan->ctx, .on_device = true};
    wfi_job job = {plan->ctx, plan->g, plan->params,        choice,       &space,
                   &device,   r,       &plan->device_arena, plan->spread, plan->checkpoint};
    if (plan->placement.device == WEFT_DEVICE_CPU)
        st = is_shared(plan) ? a->run_ranks(&job) : a->run_cpu(&job);
    else if (is_shared(plan))
        st = a->run_ranks_cuda(&job);
    else
        st = choice->streamed ? a->run_streamed(&job) : a->run_cuda(&job);
    wfi_give_grown(&space);
    return st;
}

/* A request to stop that any poll of the run received ends it, whatever status the algorithm returned; one more poll at
 * the end covers runs that are too short to poll. */
static weft_status run_unless_stopped(weft_plan *plan, weft_result *r) {
    uint64_t before = wfi_ctx_stops(plan->ctx);
    weft_status st = run_in_arena(plan, r);
    bool stops = !st && (wfi_cancelled(plan->ctx) || wfi_ctx_stops(plan->ctx) != before);
    return stops ? wfi_fail_cancelled(plan->ctx) : st;
}

/* Pinning costs as much as some downloads, so that only plans that run more than once pin their columns. */
static void care_for_results(weft_plan *plan) {
    if (plan->ran_on_gpu && !wfi_pool_cared_for(plan->pool)) wfi_pool_set_care(plan->pool, wfi_cuda_care(plan->ctx));
    plan->ran_on_gpu = true;
}

/* Runs on the plan's device. */
static weft_status run(weft_plan *plan, weft_result **out) {
    weft_ctx *ctx = plan->ctx;
    bool on_gpu = plan->placement.device == WEFT_DEVICE_CUDA;
    wfi_visit visit = {NULL, false};
    weft_result *r = wfi_result_new(ctx, plan->pool);
    weft_status made = wfi_agree(ctx, r ? WEFT_OK : WEFT_ENOMEM);
    if (made) {
        weft_result_free(r);
        return made;
    }
    wfi_progress(ctx, plan->algorithm->info.name, 0, 0);
    wfi_stages_begin(ctx, on_gpu ? "other" : "run");
    wfi_stage_spent(ctx, "context", plan->context_ms);
    plan->context_ms = 0;
    wfi_result_residents_begin(ctx, on_gpu && !is_shared(plan)); /* ranks gather columns on the host */
    weft_status st = on_gpu ? wfi_cuda_enter(ctx, &visit) : WEFT_OK;
    if (on_gpu) st = wfi_agree(ctx, st);
    if (!st && on_gpu) care_for_results(plan);
    if (!st) st = wfi_agree(ctx, run_unless_stopped(plan, r));
    wfi_checkpoint_close(plan->checkpoint);
    wfi_result_residents_end(ctx, st ? NULL : r);
    wfi_stages_end(ctx);
    if (!st) wfi_result_stages(ctx, r);
    if (on_gpu && st) wfi_cuda_drain(ctx);
    if (st)
        weft_result_free(r);
    else
        *out = r;
    wfi_cuda_leave(&visit);
    return st;
}

/* After a failure of the GPU, which has left nothing of the run: changes the plan to the CPU. */
static weft_status fall_back(weft_plan *plan) {
    snprintf(plan->placement.reason, sizeof plan->placement.reason, "%.250s", weft_ctx_message(plan->ctx));
    plan->placement.cause = WEFT_CAUSE_FAILED;
    plan->placement.device = WEFT_DEVICE_CPU;
    weft_status st = WEFT_OK;
    if (is_shared(plan))
        st = wfi_plan_on_ranks(plan->ctx, plan->algorithm, plan->spread, plan->params, false, &plan->choice);
    else
        wfi_choose_cpu(plan->ctx, plan->algorithm, plan->g, plan->params, &plan->choice);
    st = wfi_agree(plan->ctx, st ? st : complete(plan));
    if (!st) wfi_warn(plan->ctx, "%s; it runs on the CPU instead", plan->placement.reason);
    return st;
}

weft_status weft_plan_run(weft_plan *plan, weft_result **out) {
    if (out) *out = NULL;
    if (!plan) return WEFT_EINVAL;
    WFI_BEGIN_OR_RETURN(plan->ctx);
    WFI_NEED_OR_RETURN(plan->ctx, out);
    weft_status st = WEFT_OK;
    bool other = wfi_threads(plan->ctx) != plan->threads || wfi_ctx_residents(plan->ctx)->wanted != plan->staying;
    if (other) st = choose(plan); /* arrays depend on the threads, and on where columns stay */
    uint64_t before = plan->spread->comm->sent;
    plan->had_in = plan->spread->in_made;
    if (!st) st = run(plan, out);
    if (is_shared(plan) && !st) {
        plan->sent = plan->spread->comm->sent - before;
        plan->iterations = (uint64_t)wfi_iterations_of(*out) - wfi_checkpoint_resumed_from(plan->checkpoint);
    }
    wfi_warn_threads(plan->ctx);
    bool failed = st == WEFT_EDEVICE || st == WEFT_ENOMEM;
    if (!failed || plan->placement.device != WEFT_DEVICE_CUDA || !plan->may_change) return st;
    st = fall_back(plan);
    return st ? st : run(plan, out);
}

weft_status wfi_run(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params, weft_result **out) {
    weft_plan *plan;
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    if (!out) return wfi_fail_parameter(ctx, "out", "weft_%s: out is NULL", algorithm);
    if (!g) return wfi_fail_parameter(ctx, "g", "weft_%s: g is NULL", algorithm);
    weft_status st = weft_plan_new(ctx, algorithm, g, params, &plan);
    if (st) return st;
    st = weft_plan_run(plan, out);
    weft_plan_free(plan);
    return st;
}
