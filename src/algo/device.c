/* Where a plan runs: what was asked for, or what auto.h says is sooner done.
 * The driver is touched last, and only when the figures speak for the GPU: a run on a small graph begins at once. */
#include "cuda/device.h"
#include "algo/auto.h"
#include "core/machine.h"

#include <stdio.h>
#include <string.h>

/* Below this many arcs the CPU is done before any driver has answered; no figures are looked for. */
enum { SMALL = 1 << 16 };

/* Of the GPU's memory, the driver keeps some for itself. */
static const double USABLE = 0.95;

static weft_status must_be_cuda(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params) {
    char none[256];
    if (!a->run_cuda)
        return wfi_fail(ctx, WEFT_EDEVICE, "%s has no GPU version in this build; use `device=cpu` or auto",
                        a->info.name);
    const char *unfit = a->serves_cuda ? a->serves_cuda(g, params) : NULL;
    if (unfit) return wfi_fail(ctx, WEFT_EDEVICE, "%s: %s; use `device=cpu` or auto", a->info.name, unfit);
    if (!wfi_cuda_devices(none, sizeof none)) return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: %s", none);
    return WEFT_OK;
}

/* 0.0123, 1.23, 12.3, 123, 1234. */
static const char *ms_text(char room[24], double ms) {
    snprintf(room, 24, ms < 100 ? "%.3g" : "%.0f", ms);
    return room;
}

/* Which is sooner done, and the sentence for it. */
static bool gpu_pays(const wfi_figures *f, const char *source, const wfi_situation *s, char *reason, size_t room) {
    wfi_estimate e = wfi_estimate_run(f, s);
    char parts[128] = "", a[24], b[24], c[24];
    size_t used = 0;
    if (e.start > 0) used += (size_t)snprintf(parts, sizeof parts, "%s to start it, ", ms_text(a, e.start));
    if (e.bring > 0)
        used += (size_t)snprintf(parts + used, sizeof parts - used, "%s to bring the graph, ", ms_text(a, e.bring));
    snprintf(reason, room, "about %s ms on the GPU (%s%s to run) against %s on the CPU; %s", ms_text(a, e.gpu), parts,
             ms_text(b, e.work), ms_text(c, e.cpu), source);
    return e.gpu < e.cpu;
}

/* A graph that does not fit there is brought over again in each pass, and passes are made one by one. */
static bool streaming_pays(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params,
                           const wfi_figures *f, wfi_situation s, uint64_t left, char *reason, size_t room) {
    wfi_choice choice = {.method = NULL};
    char gpu[24], cpu[24];
    s.mirrored = false;
    s.work.gpu_at_once = 0;
    wfi_estimate e = wfi_estimate_run(f, &s);
    double ms = e.start + s.work.passes * e.bring + e.work;
    if (ms >= e.cpu || !a->plan_streamed || !a->plan_streamed(ctx, g, params, left, &choice)) return false;
    if (choice.device_bytes > left || choice.host_bytes > wfi_plan_room(ctx)) return false;
    snprintf(
        reason, room,
        "too large for the GPU's memory, but about %s ms there with the arcs sent in each pass, against %s on the CPU",
        ms_text(gpu, ms), ms_text(cpu, e.cpu));
    return true;
}

/* Does the plan for the GPU keep to the limits and to what the GPU has? */
static bool fits(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params, const wfi_figures *f,
                 const wfi_situation *s, uint64_t memory, char *reason, size_t room) {
    wfi_choice choice = {.method = NULL};
    char needed[24], there[24];
    a->plan_cuda(ctx, g, params, &choice);
    uint64_t has = memory ? (uint64_t)((double)memory * USABLE) : UINT64_MAX, used = weft_ctx_device_memory_in_use(ctx);
    uint64_t left = wfi_min_u64(wfi_device_memory_left(ctx), has > used ? has - used : 0);
    if (choice.device_bytes <= left && choice.host_bytes <= wfi_plan_room(ctx)) return true;
    if (choice.device_bytes <= left) {
        snprintf(reason, room, "the memory limit leaves no room for the GPU's results");
        return false;
    }
    if (streaming_pays(ctx, a, g, params, f, *s, left, reason, room)) return true;
    snprintf(reason, room, "it would need %s of GPU memory, and there are %s",
             wfi_size_text(needed, choice.device_bytes), wfi_size_text(there, left));
    return false;
}

/* The GPU that is there, with figures that are its own: those of another make way for the built-in ones. */
static bool gpu_serves(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params, wfi_figures *f,
                       const wfi_situation *s, char *reason, size_t room) {
    char none[200];
    weft_machine machine = {.size = sizeof machine};
    if (!wfi_cuda_devices(none, sizeof none)) {
        snprintf(reason, room, "no GPU: %s", none);
        return false;
    }
    if (wfi_cuda_describe(ctx, &machine, 0)) {
        snprintf(reason, room, "%.200s", weft_ctx_message(ctx));
        return false;
    }
    if (*f->gpu && strcmp(f->gpu, machine.gpu) != 0) {
        *f = wfi_figures_standard;
        if (!gpu_pays(f, "built-in figures: the calibration in the cache is of another GPU", s, reason, room))
            return false;
    }
    return fits(ctx, a, g, params, f, s, machine.gpu_memory_bytes, reason, room);
}

static weft_device automatic(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params,
                             char *reason, size_t room) {
    const char *unfit = !a->run_cuda     ? "it has no GPU version in this build"
                        : a->serves_cuda ? a->serves_cuda(g, params)
                                         : NULL;
    wfi_situation s = {.algorithm = a->info.name,
                       .arcs = g->arcs,
                       .threads = wfi_threads(ctx),
                       .weighted = g->weight_type != WEFT_WEIGHT_NONE,
                       .started = wfi_cuda_started(),
                       .mirrored = g->mirror != NULL};
    wfi_figures figures;
    char source[WFI_FIGURES_SOURCE];
    if (unfit) {
        snprintf(reason, room, "%s", unfit);
        return WEFT_DEVICE_CPU;
    }
    s.work = wfi_work_of(a, g, params);
    if (g->arcs < SMALL && s.work.passes <= 100 && !s.mirrored) {
        snprintf(reason, room, "small: done before a GPU could start");
        return WEFT_DEVICE_CPU;
    }
    wfi_figures_now(&figures, source, sizeof source);
    if (!gpu_pays(&figures, source, &s, reason, room)) {
        if (!s.started && !wfi_gpu_seen("")) snprintf(reason, room, "no GPU is seen");
        return WEFT_DEVICE_CPU;
    }
    return gpu_serves(ctx, a, g, params, &figures, &s, reason, room) ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU;
}

weft_status wfi_choose_device(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params,
                              weft_device *device, char *reason, size_t room) {
    *device = wfi_device(ctx);
    snprintf(reason, room, "it was asked for");
    if (*device == WEFT_DEVICE_AUTO)
        *device = automatic(ctx, a, g, params, reason, room);
    else if (*device == WEFT_DEVICE_CUDA)
        return must_be_cuda(ctx, a, g, params);
    return WEFT_OK;
}
