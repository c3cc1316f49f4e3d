/* Device selection: a plan runs on the device that was asked for, or on the faster one by the cost model of costs.h,
 * decided once, before the run.  The CUDA driver is touched last, and only if the model prefers the GPU, so that a run
 * on a small graph begins at once. */
#include "run/device.h"
#include "core/context.h"
#include "core/gpu_binding.h"
#include "core/machine.h"
#include "cuda/device.h"
#include "cuda/stream.h"
#include "ranks/device.h"
#include "ranks/grid.h"
#include "run/costs.h"
#include "weft/machine.h"

#include <stdio.h>
#include <string.h>

/* With fewer arcs the CPU is done before any driver has answered. */
enum { SMALL = 1 << 16 };

/* The part of the GPU's memory that is available; the driver keeps the rest. */
static const double USABLE = 0.95;

__attribute__((format(printf, 3, 4))) static void say(wfi_placement *v, weft_device_cause cause, const char *format,
                                                      ...) {
    WFI_FORMAT(v->reason, sizeof v->reason, format);
    v->cause = cause;
}

/* The run whose device is chosen. */
typedef struct request {
    weft_ctx *ctx;
    const wfi_algorithm *a;
    const weft_graph *g;
    const void *params;
} request;

/* A graph stays on the GPU of its first use. */
static bool lies_elsewhere(const request *q, wfi_placement *v) {
    const weft_graph *g = q->g;
    int here = wfi_ctx_gpu_binding(q->ctx)->index, there = g->mirror ? wfi_mirror_gpu(g->mirror) : here;
    if (here != there)
        say(v, WEFT_CAUSE_UNSERVED, "the graph is on GPU %d, and the context is for GPU %d", there, here);
    return here != there;
}

/* Why the GPU version does not support this run, in words; NULL = it does. */
static const char *unserved(const request *q) {
    if (wfi_ctx_checkpoints(q->ctx)->folder) return "checkpoints are of runs on the CPU";
    return q->a->serves_cuda ? q->a->serves_cuda(q->g, q->params) : NULL;
}

static weft_status must_be_cuda(const request *q) {
    weft_ctx *ctx = q->ctx;
    const char *name = q->a->info.name;
    char none[256];
    if (!q->a->run_cuda)
        return wfi_fail(ctx, WEFT_EDEVICE, "%s has no GPU version in this build; use `device=cpu` or auto", name);
    const char *unfit = unserved(q);
    if (unfit) return wfi_fail(ctx, WEFT_EDEVICE, "%s: %s; use `device=cpu` or auto", name, unfit);
    if (!wfi_cuda_devices(none, sizeof none)) return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: %s", none);
    wfi_placement elsewhere;
    if (lies_elsewhere(q, &elsewhere)) return wfi_fail(ctx, WEFT_EDEVICE, "%s", elsewhere.reason);
    return WEFT_OK;
}

/* 0.0123, 1.23, 12.3, 123, 1234. */
static const char *ms_text(char text[24], double ms) {
    snprintf(text, 24, ms < 100 ? "%.3g" : "%.0f", ms);
    return text;
}

/* Is the GPU faster?  *v says what each device would take. */
static bool gpu_pays(const wfi_situation *s, wfi_placement *v) {
    const wfi_machine_costs *m = wfi_machine_costs_here();
    wfi_estimate e = wfi_estimate_run(m, s);
    char parts[128] = "", a[24], b[24], c[24];
    size_t used = 0;
    if (e.start > 0) used += (size_t)snprintf(parts, sizeof parts, "%s to start it, ", ms_text(a, e.start));
    if (e.upload > 0)
        used += (size_t)snprintf(parts + used, sizeof parts - used, "%s to bring the graph, ", ms_text(a, e.upload));
    say(v, WEFT_CAUSE_ESTIMATE, "about %s ms on the GPU (%s%s to run) against %s on the CPU, by the costs of %s",
        ms_text(a, e.gpu), parts, ms_text(b, e.work), ms_text(c, e.cpu), m->machine);
    return e.gpu < e.cpu;
}

/* Columns that stay on the GPU are copied while all other arrays are still allocated. */
static uint64_t staying_bytes(const request *q) {
    return wfi_ctx_residents(q->ctx)->wanted ? wfi_column_bytes(q->a, q->g, q->params) : 0;
}

/* Plans the run with the whole graph on the GPU; if that does not fit, the streaming one.  The choice may still need
 * more memory than there is. */
static void plan_gpu(const request *q, wfi_choice *choice) {
    const wfi_algorithm *a = q->a;
    uint64_t staying = staying_bytes(q);
    wfi_choice streamed = {.algorithm = a, .device = {.on_device = true}};
    *choice = (wfi_choice){.algorithm = a, .device = {.on_device = true, .columns = staying}};
    a->plan_cuda(q->ctx, q->g, q->params, choice);
    choice->device_bytes = wfi_workspace_bytes(&choice->device);
    uint64_t left = wfi_device_available(q->ctx, choice->device_bytes);
    if (choice->device_bytes <= left || !a->plan_streamed) return;
    left = left > staying ? left - staying : 0;
    if (!a->plan_streamed(q->ctx, q->g, q->params, left, &streamed)) return;
    streamed.streamed = wfi_workspace_bytes(&streamed.device);
    streamed.device_bytes = streamed.streamed + staying;
    *choice = streamed;
}

/* True if streaming is faster than the CPU: arcs are sent again in each pass, and passes are not combined. */
static bool streaming_pays(wfi_situation s, wfi_placement *v) {
    char gpu[24], cpu[24];
    s.mirrored = false;
    s.work.gpu_at_once = 0;
    wfi_estimate e = wfi_estimate_run(wfi_machine_costs_here(), &s);
    double ms = e.start + s.work.passes * e.upload + e.work;
    say(v, WEFT_CAUSE_ESTIMATE,
        "too large for the GPU's memory, %s about %s ms there with the arcs sent in each pass, against %s on the CPU",
        ms < e.cpu ? "but" : "and", ms_text(gpu, ms), ms_text(cpu, e.cpu));
    return ms < e.cpu;
}

/* Plans the run on the GPU.  True if it fits the limits and the GPU's memory, and pays. */
static bool fits(const request *q, const wfi_situation *s, uint64_t memory, wfi_choice *choice, wfi_placement *v) {
    weft_ctx *ctx = q->ctx;
    char needed[24], there[24];
    plan_gpu(q, choice);
    uint64_t has = memory ? (uint64_t)((double)memory * USABLE) : UINT64_MAX, used = weft_ctx_device_memory_in_use(ctx);
    uint64_t left = wfi_min_u64(wfi_device_available(ctx, choice->device_bytes), has > used ? has - used : 0);
    if (choice->device_bytes > left) {
        say(v, WEFT_CAUSE_MEMORY, "it would need %s of GPU memory, and there are %s",
            wfi_size_text(needed, choice->device_bytes), wfi_size_text(there, left));
        return false;
    }
    if (wfi_choice_host_bytes(choice) > wfi_memory_left(ctx)) {
        say(v, WEFT_CAUSE_MEMORY, "the memory limit leaves no room for the GPU's results");
        return false;
    }
    return !choice->streamed || streaming_pays(*s, v);
}

/* Is there a GPU that can do the run within its memory? */
static bool gpu_serves(const request *q, const wfi_situation *s, wfi_choice *choice, wfi_placement *v) {
    char none[200];
    weft_machine machine = {.size = sizeof machine};
    if (!wfi_cuda_devices(none, sizeof none)) {
        say(v, WEFT_CAUSE_FAILED, "no GPU: %s", none);
        return false;
    }
    if (lies_elsewhere(q, v)) return false;
    if (wfi_cuda_describe(q->ctx, &machine, 0)) {
        say(v, WEFT_CAUSE_FAILED, "%.200s", weft_ctx_message(q->ctx));
        return false;
    }
    return fits(q, s, machine.gpu_memory_bytes, choice, v);
}

/* The device for `auto`; if it is the GPU, with its choice. */
static weft_device automatic(const request *q, wfi_choice *choice, wfi_placement *v) {
    const weft_graph *g = q->g;
    const char *unfit = q->a->run_cuda ? unserved(q) : "it has no GPU version in this build";
    wfi_situation s = {.algorithm = q->a->info.name,
                       .arcs = g->arcs,
                       .threads = wfi_threads(q->ctx),
                       .weight_bytes = wfi_weight_bytes(g->weight_type),
                       .started = wfi_cuda_started(),
                       .mirrored = g->mirror != NULL};
    if (unfit) {
        say(v, WEFT_CAUSE_UNSERVED, "%s", unfit);
        return WEFT_DEVICE_CPU;
    }
    s.work = wfi_work_of(q->a, g, q->params);
    if (g->arcs < SMALL && s.work.passes <= 100 && !s.mirrored) {
        say(v, WEFT_CAUSE_SMALL, "small: done before a GPU could start");
        return WEFT_DEVICE_CPU;
    }
    if (!gpu_pays(&s, v)) {
        if (!s.started && !wfi_gpu_seen("")) say(v, WEFT_CAUSE_NO_GPU, "no GPU is seen");
        return WEFT_DEVICE_CPU;
    }
    return gpu_serves(q, &s, choice, v) ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU;
}

uint64_t wfi_choice_host_bytes(const wfi_choice *choice) {
    return wfi_workspace_bytes(&choice->space) + wfi_result_bytes();
}

weft_status wfi_choose(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params, wfi_placement *v,
                       wfi_choice *choice) {
    const request q = {ctx, a, g, params};
    weft_status st = WEFT_OK;
    v->device = wfi_device(ctx);
    say(v, WEFT_CAUSE_ASKED, "it was asked for");
    if (v->device == WEFT_DEVICE_AUTO) {
        v->device = automatic(&q, choice, v);
    } else if (v->device == WEFT_DEVICE_CUDA) {
        st = must_be_cuda(&q);
        if (!st) plan_gpu(&q, choice);
    }
    if (!st && v->device == WEFT_DEVICE_CPU) wfi_choose_cpu(ctx, a, g, params, choice);
    return st;
}

/* --- ranks ------------------------------------------------------------------------------------ */

weft_status wfi_plan_on_ranks(weft_ctx *ctx, const wfi_algorithm *a, wfi_spread *spread, const void *params,
                              bool on_gpu, wfi_choice *choice) {
    const wfi_comm *comm = spread->comm;
    wfi_grid_load load;
    char why[160];
    bool grids = !on_gpu && a->grid_load;
    if (grids) a->grid_load(spread->g, params, &load);
    weft_status st = wfi_grid_pick(ctx, spread, grids ? &load : NULL, why, sizeof why);
    for (int turn = 0; turn < 2; turn++) {
        *choice = (wfi_choice){.algorithm = a, .device = {.on_device = true}, .sends = UINT64_MAX};
        (on_gpu ? a->plan_ranks_cuda : a->plan_ranks)(ctx, spread, params, choice);
        bool rows = choice->space.needs_in || choice->counts_in;
        if (!rows || wfi_spread_in_at_hand(spread) || st || turn) break;
        st = wfi_spread_expect_in(ctx, spread);
        if (!on_gpu) break;
    }
    snprintf(choice->reason, sizeof choice->reason, "%d ranks (%s%s%s): %s%s", comm->link.size, comm->link.name,
             on_gpu ? ", GPUs: " : "", on_gpu ? comm->device_way : "", why,
             on_gpu && a->grid_load ? ", in 1-D: grids are for CPUs" : "");
    choice->device_bytes = wfi_workspace_bytes(&choice->device);
    if (st || wfi_spread_in_at_hand(spread)) return st;
    wfi_workspace *w = &choice->space;
    if (w->needs_in) wfi_keep_with_graph(w, wfi_spread_in_bytes(spread), wfi_spread_in_making(spread));
    if (choice->counts_in) wfi_growth(w, wfi_spread_in_counting(spread));
    return WEFT_OK;
}

const char *wfi_ranks_unserved(const wfi_algorithm *a, const void *params) {
    if (!a->run_ranks_cuda) return "ranks share it on CPUs only in this build";
    return a->serves_ranks_cuda ? a->serves_ranks_cuda(params) : NULL;
}

static const char *unserved_ranks(weft_ctx *ctx, const wfi_algorithm *a, const void *params) {
    const char *unfit = wfi_ranks_unserved(a, params);
    if (!unfit && wfi_ctx_comm(ctx)->columns > 1) return "ranks share a grid of several columns on CPUs";
    return !unfit && wfi_ctx_checkpoints(ctx)->folder ? "checkpoints are of runs on the CPU" : unfit;
}

/* Opens this rank's GPU and the transport to those of the others; collective. */
static weft_status open_gpus(weft_ctx *ctx) {
    char none[256];
    wfi_visit visit = {NULL, false};
    weft_status st = WEFT_OK;
    if (!wfi_device_pick(ctx, none, sizeof none)) st = wfi_fail(ctx, WEFT_EDEVICE, "no GPU: %s", none);
    if (!st) st = wfi_cuda_enter(ctx, &visit);
    st = wfi_agree(ctx, st);
    if (!st) st = wfi_device_open(ctx);
    wfi_cuda_leave(&visit);
    return st;
}

/* *fit: the plan fits the memory of the GPUs on all ranks. */
static weft_status all_fit(weft_ctx *ctx, const wfi_choice *choice, bool *fit) {
    weft_machine machine = {.size = sizeof machine};
    uint64_t good = !wfi_cuda_describe(ctx, &machine, 0);
    uint64_t has = (uint64_t)((double)machine.gpu_memory_bytes * USABLE);
    good = good && choice->device_bytes <= wfi_min_u64(wfi_device_memory_left(ctx), has ? has : UINT64_MAX) &&
           wfi_choice_host_bytes(choice) <= wfi_memory_left(ctx);
    weft_status st = wfi_allreduce(ctx, &good, 1, WFI_MIN);
    *fit = good;
    return st;
}

/* Chooses the GPUs if each rank has one and the graph is not small; then *choice is theirs. */
static weft_status automatic_ranks(weft_ctx *ctx, const wfi_algorithm *a, wfi_spread *spread, const void *params,
                                   wfi_choice *choice, wfi_placement *v) {
    const weft_graph *g = spread->g;
    int ranks = wfi_ranks(ctx);
    const char *unfit = unserved_ranks(ctx, a, params);
    char why[256];
    bool good = false;
    v->device = WEFT_DEVICE_CPU;
    say(v, WEFT_CAUSE_UNSERVED, "%d ranks share the run, on their CPUs", ranks);
    if (unfit) return WEFT_OK;
    if (g->arcs / (uint64_t)ranks < SMALL && wfi_work_of(a, g, params).passes <= 100) {
        say(v, WEFT_CAUSE_SMALL, "%d ranks share the run, on their CPUs: small: done before GPUs could start", ranks);
        return WEFT_OK;
    }
    weft_status st = wfi_device_one_each(ctx, &good, why, sizeof why);
    if (!st && !good) say(v, WEFT_CAUSE_NO_GPU, "%d ranks share the run, on their CPUs: %.180s", ranks, why);
    if (st || !good) return st;
    st = open_gpus(ctx);
    if (st == WEFT_EDEVICE || st == WEFT_ENOMEM) {
        say(v, WEFT_CAUSE_FAILED, "%.250s", weft_ctx_message(ctx));
        return WEFT_OK;
    }
    if (!st) st = wfi_plan_on_ranks(ctx, a, spread, params, true, choice);
    if (!st) st = all_fit(ctx, choice, &good);
    if (st) return st;
    if (good) v->device = WEFT_DEVICE_CUDA;
    say(v, good ? WEFT_CAUSE_ESTIMATE : WEFT_CAUSE_MEMORY,
        good ? "%d ranks share the run, each with a GPU"
             : "%d ranks share the run, on their CPUs: GPUs lack the memory",
        ranks);
    return WEFT_OK;
}

weft_status wfi_choose_ranks(weft_ctx *ctx, const wfi_algorithm *a, wfi_spread *spread, const void *params,
                             wfi_placement *v, wfi_choice *choice) {
    weft_status st = WEFT_OK;
    bool nccl, staged;
    v->device = wfi_device(ctx);
    if (v->device != WEFT_DEVICE_CPU) st = wfi_agree(ctx, wfi_device_transport(ctx, &nccl, &staged));
    if (st) return st;
    if (v->device == WEFT_DEVICE_CUDA) {
        const char *unfit = unserved_ranks(ctx, a, params);
        say(v, WEFT_CAUSE_ASKED, "it was asked for");
        if (unfit) return wfi_fail(ctx, WEFT_EDEVICE, "%s: %s; use `device=cpu` or auto", a->info.name, unfit);
        st = open_gpus(ctx);
        return st ? st : wfi_plan_on_ranks(ctx, a, spread, params, true, choice);
    }
    if (v->device == WEFT_DEVICE_AUTO)
        st = automatic_ranks(ctx, a, spread, params, choice, v);
    else
        say(v, WEFT_CAUSE_UNSERVED, "%d ranks share the run, on their CPUs", spread->comm->link.size);
    if (st || v->device == WEFT_DEVICE_CUDA) return st;
    return wfi_plan_on_ranks(ctx, a, spread, params, false, choice);
}

void wfi_choose_cpu(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params,
                    wfi_choice *choice) {
    *choice = (wfi_choice){.algorithm = a};
    a->plan_cpu(ctx, g, params, choice);
}
