/* The context: settings, callbacks, cancellation, progress and the last message. */
#include "core/comm.h"
#include "core/context.h"
#include "core/core.h"
#include "core/gpu_binding.h"
#include "core/memory.h"
#include "core/stages.h"
#include "core/team.h"

#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MESSAGE_ROOM = 2048, PROGRESS_EVERY_MS = 50, PROGRESS_AGAIN_MS = 100 };

struct weft_ctx {
    _Atomic unsigned owners;
    wfi_memory *memory, *device_memory; /* device_memory only counts the GPU's memory */
    int threads;                        /* 0: OpenMP decides */
    bool weights_noted;                 /* the note that weights are unused has been given */
    int threads_warned;                 /* team size of the last warning that threads are missing */
    weft_device device;
    wfi_gpu_binding gpu_binding;
    wfi_comm *comm, alone; /* alone: the initial communicator of one rank */
    uint64_t alone_scratch[WFI_COMM_SCRATCH(1)];
    wfi_checkpoints checkpoints;
    weft_progress_fn progress;
    void *progress_user;
    double progress_last_ms;
    _Atomic uintptr_t progress_thread; /* thread that entered the library */
    const char *stage;                 /* last reported stage */
    uint64_t stage_done, stage_total;
    weft_cancel_fn cancel;
    void *cancel_user;
    _Atomic uint64_t stops; /* polls answered with a request to stop */
    weft_warning_fn warning;
    void *warning_user;
    weft_warning_fn note;
    void *note_user;
    wfi_residents residents;
    wfi_stages stages;            /* of the current run or the last one */
    pthread_mutex_t message_lock; /* threads of one call may fail at the same time */
    char message[MESSAGE_ROOM];
    weft_error_info error; /* of the last failure; its texts are the two below */
    char error_file[MESSAGE_ROOM / 4], error_parameter[64];
    _Atomic unsigned calls;   /* public functions that are running: one, and those that it calls */
    _Atomic bool interrupted; /* the outermost of them is to end */
};

weft_status weft_ctx_new(weft_ctx **out) {
    if (!out) return WEFT_EINVAL;
    *out = NULL;
    weft_ctx *ctx = calloc(1, sizeof *ctx);
    if (!ctx) return WEFT_ENOMEM;
    ctx->memory = wfi_memory_new();
    ctx->device_memory = wfi_memory_new();
    if (!ctx->memory || !ctx->device_memory) {
        wfi_memory_release(ctx->memory);
        wfi_memory_release(ctx->device_memory);
        free(ctx);
        return WEFT_ENOMEM;
    }
    pthread_mutex_init(&ctx->message_lock, NULL);
    ctx->alone = (wfi_comm){.link = {.size = 1, .local_size = 1, .local_cores = 1}, .scratch = ctx->alone_scratch};
    ctx->comm = &ctx->alone;
    ctx->owners = 1;
    *out = ctx;
    return WEFT_OK;
}

weft_ctx *wfi_ctx_with_memory(wfi_memory *memory) {
    weft_ctx *ctx;
    if (weft_ctx_new(&ctx)) return NULL;
    wfi_memory_release(ctx->memory);
    ctx->memory = wfi_memory_keep(memory);
    return ctx;
}

weft_ctx *wfi_ctx_keep(weft_ctx *ctx) {
    ctx->owners++;
    return ctx;
}

void weft_ctx_free(weft_ctx *ctx) {
    if (!ctx || --ctx->owners) return;
    wfi_ctx_detach_gpu(ctx);
    if (wfi_has_ranks(ctx)) wfi_comm_free(ctx->comm);
    free(ctx->checkpoints.folder);
    wfi_memory_release(ctx->memory);
    wfi_memory_release(ctx->device_memory);
    pthread_mutex_destroy(&ctx->message_lock);
    free(ctx);
}

const char *weft_ctx_message(const weft_ctx *ctx) { return ctx ? ctx->message : ""; }

void wfi_message_clear(weft_ctx *ctx) {
    ctx->message[0] = '\0';
    ctx->error = (weft_error_info){.size = sizeof ctx->error};
}

weft_ctx *wfi_call_begin(weft_ctx *ctx) {
    if (!atomic_load_explicit(&ctx->calls, memory_order_relaxed)) atomic_store(&ctx->interrupted, false);
    atomic_fetch_add(&ctx->calls, 1);
    wfi_message_clear(ctx);
    return ctx;
}

void wfi_call_end(weft_ctx *const *ctx) {
    if (atomic_fetch_sub(&(*ctx)->calls, 1) == 1) atomic_store(&(*ctx)->interrupted, false);
}

void weft_interrupt(weft_ctx *ctx) {
    if (ctx && atomic_load(&ctx->calls)) atomic_store(&ctx->interrupted, true);
}

weft_status weft_ctx_error(const weft_ctx *ctx, weft_error_info *info) {
    if (!ctx || !info || info->size < sizeof info->size) return WEFT_EINVAL;
    size_t size = info->size, known = size < sizeof ctx->error ? size : sizeof ctx->error;
    memcpy(info, &ctx->error, known);
    memset((char *)info + known, 0, size - known);
    info->size = size;
    return WEFT_OK;
}

bool wfi_fail_null(weft_ctx *ctx, const char *function, const char *names, const void *const pointers[], size_t count) {
    size_t missing = 0;
    while (missing < count && pointers[missing]) missing++;
    if (missing == count) return false;
    for (; missing; missing--) names += strcspn(names, ",") + strspn(strchr(names, ','), ", ");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(names, ","), names);
    wfi_fail_parameter(ctx, name, "%s: %s is NULL", function, name);
    return true;
}

/* A failure but for its message.  NULL and 0: unknown, or none. */
typedef struct failure {
    weft_status status;
    const char *file, *parameter;
    uint64_t line, column, bytes;
} failure;

/* The first name in back quotes, `weights` of `weights=ignore`: messages name parameters in them. */
static size_t quoted_name(const char *message, const char **name) {
    const char *quote = strchr(message, '`');
    *name = quote ? quote + 1 : "";
    size_t length = strspn(*name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return quote && strchr("`=", (*name)[length]) ? length : 0;
}

/* Every failure is recorded here: the message, and its parts as weft_ctx_error gives them. */
static void record(weft_ctx *ctx, const failure *f, const char *format, va_list args) {
    if (!ctx) return;
    char text[MESSAGE_ROOM];
    const char *name = f->parameter;
    size_t used = 0, length;
    if (f->file)
        used = (size_t)snprintf(text, sizeof text, "%.400s:%llu:%llu: ", f->file, (unsigned long long)f->line,
                                (unsigned long long)f->column);
    vsnprintf(text + used, sizeof text - used, format, args);
    length = name ? strlen(name) : quoted_name(text + used, &name);
    pthread_mutex_lock(&ctx->message_lock);
    memcpy(ctx->message, text, sizeof text);
    snprintf(ctx->error_file, sizeof ctx->error_file, "%.400s", f->file ? f->file : "");
    snprintf(ctx->error_parameter, sizeof ctx->error_parameter, "%.*s", (int)length, name);
    ctx->error = (weft_error_info){
        .size = sizeof ctx->error,
        .code = f->status,
        .file = f->file ? ctx->error_file : NULL,
        .line = f->line,
        .column = f->column,
        .parameter = length ? ctx->error_parameter : NULL,
        .bytes = f->bytes,
    };
    pthread_mutex_unlock(&ctx->message_lock);
}

#define RECORD(ctx, ...)                                  \
    va_list args;                                         \
    va_start(args, format);                               \
    record((ctx), &(failure){__VA_ARGS__}, format, args); \
    va_end(args)

weft_status wfi_fail(weft_ctx *ctx, weft_status status, const char *format, ...) {
    RECORD(ctx, .status = status);
    return status;
}

weft_status wfi_fail_parameter(weft_ctx *ctx, const char *parameter, const char *format, ...) {
    RECORD(ctx, .status = WEFT_EINVAL, .parameter = parameter);
    return WEFT_EINVAL;
}

weft_status wfi_fail_bytes(weft_ctx *ctx, uint64_t bytes, const char *format, ...) {
    RECORD(ctx, .status = WEFT_ENOMEM, .bytes = bytes);
    return WEFT_ENOMEM;
}

weft_status wfi_fail_at(weft_ctx *ctx, const char *file, uint64_t line, uint64_t column, const char *format, ...) {
    RECORD(ctx, .status = WEFT_EINPUT, .file = file, .line = line, .column = column);
    return WEFT_EINPUT;
}

weft_status wfi_fail_prefixed(weft_ctx *ctx, const char *prefix) {
    char old[MESSAGE_ROOM];
    memcpy(old, ctx->message, sizeof old);
    wfi_fail(ctx, WEFT_EINPUT, "%s: %s", prefix, old);
    snprintf(ctx->error_file, sizeof ctx->error_file, "%.400s", prefix);
    ctx->error.file = ctx->error_file;
    return WEFT_EINPUT;
}

static void tell(weft_warning_fn listener, void *user, const char *format, va_list args) {
    if (!listener) return;
    char text[MESSAGE_ROOM];
    vsnprintf(text, sizeof text, format, args);
    listener(user, text);
}

void wfi_warn(weft_ctx *ctx, const char *format, ...) {
    va_list args;
    va_start(args, format);
    tell(ctx->warning, ctx->warning_user, format, args);
    va_end(args);
}

bool wfi_ctx_weights_noted(weft_ctx *ctx) {
    bool told = ctx->weights_noted;
    ctx->weights_noted = true;
    return told;
}

void wfi_note(weft_ctx *ctx, const char *format, ...) {
    va_list args;
    va_start(args, format);
    tell(ctx->note, ctx->note_user, format, args);
    va_end(args);
}

weft_status weft_ctx_set_threads(weft_ctx *ctx, int threads) {
    WFI_BEGIN_OR_RETURN(ctx);
    if (threads < 0 || threads > 4096)
        return wfi_fail(ctx, WEFT_EINVAL, "threads must be 0 (all cores) to 4096, not %d", threads);
    ctx->threads = threads;
    return WEFT_OK;
}

bool wfi_ctx_threads_given(const weft_ctx *ctx) { return ctx->threads > 0; }
int weft_ctx_threads(const weft_ctx *ctx) { return ctx ? wfi_threads(ctx) : 0; }
static int threads_wanted(const weft_ctx *ctx) { return ctx->threads > 0 ? ctx->threads : omp_get_max_threads(); }
int wfi_threads(const weft_ctx *ctx) { return wfi_team(threads_wanted(ctx)); }

void wfi_warn_threads(weft_ctx *ctx) {
    const char *why = wfi_team_shortage();
    int wanted = threads_wanted(ctx), there = why ? wfi_threads(ctx) : wanted;
    if (there >= wanted || there == ctx->threads_warned) return;
    ctx->threads_warned = there;
    wfi_warn(ctx, "only %d of %d threads could be started (%s); the run uses these", there, wanted, why);
}

int wfi_threads_for(const weft_ctx *ctx, uint64_t work, uint64_t share) {
    return work <= share ? 1 : wfi_team(threads_wanted(ctx));
}

weft_status weft_ctx_set_device(weft_ctx *ctx, weft_device device) {
    WFI_BEGIN_OR_RETURN(ctx);
    if ((int)device < WEFT_DEVICE_AUTO || device > WEFT_DEVICE_CUDA)
        return wfi_fail(ctx, WEFT_EINVAL, "there is no device %d", (int)device);
    ctx->device = device;
    return WEFT_OK;
}

weft_device wfi_device(const weft_ctx *ctx) { return ctx->device; }
wfi_gpu_binding *wfi_ctx_gpu_binding(weft_ctx *ctx) { return &ctx->gpu_binding; }
wfi_comm *wfi_ctx_comm(const weft_ctx *ctx) { return ctx->comm; }
void wfi_ctx_set_comm(weft_ctx *ctx, wfi_comm *comm) {
    if (wfi_has_ranks(ctx)) wfi_comm_free(ctx->comm);
    ctx->comm = comm;
}
wfi_checkpoints *wfi_ctx_checkpoints(weft_ctx *ctx) { return &ctx->checkpoints; }

void wfi_ctx_detach_gpu(weft_ctx *ctx) {
    if (ctx->gpu_binding.gpu) ctx->gpu_binding.detach(ctx->gpu_binding.gpu);
    ctx->gpu_binding.gpu = NULL;
}

weft_status weft_ctx_set_memory_limit(weft_ctx *ctx, uint64_t bytes) {
    WFI_BEGIN_OR_RETURN(ctx);
    wfi_memory_set_limit(ctx->memory, bytes, false);
    return WEFT_OK;
}

uint64_t weft_ctx_memory_limit(const weft_ctx *ctx) { return ctx ? wfi_memory_limit(ctx->memory) : 0; }

static uint64_t left(const wfi_memory *memory) {
    uint64_t limit = wfi_memory_limit(memory), used = wfi_memory_in_use(memory);
    return limit ? limit - wfi_min_u64(limit, used) : UINT64_MAX;
}

uint64_t wfi_memory_left(const weft_ctx *ctx) { return left(ctx->memory); }
uint64_t wfi_device_memory_left(const weft_ctx *ctx) { return left(ctx->device_memory); }

uint64_t weft_ctx_memory_in_use(const weft_ctx *ctx) { return ctx ? wfi_memory_in_use(ctx->memory) : 0; }
uint64_t weft_ctx_memory_peak(const weft_ctx *ctx) { return ctx ? wfi_memory_peak(ctx->memory) : 0; }
void weft_ctx_restart_memory_peak(weft_ctx *ctx) {
    if (!ctx) return;
    wfi_memory_restart_peak(ctx->memory);
    wfi_memory_restart_peak(ctx->device_memory);
}
uint64_t weft_ctx_device_memory_in_use(const weft_ctx *ctx) { return ctx ? wfi_memory_in_use(ctx->device_memory) : 0; }
uint64_t weft_ctx_device_memory_peak(const weft_ctx *ctx) { return ctx ? wfi_memory_peak(ctx->device_memory) : 0; }

weft_status weft_ctx_set_device_memory_limit(weft_ctx *ctx, uint64_t bytes) {
    WFI_BEGIN_OR_RETURN(ctx);
    wfi_memory_set_limit(ctx->device_memory, bytes, false);
    return WEFT_OK;
}

weft_status weft_ctx_set_allocator(weft_ctx *ctx, weft_alloc_fn alloc, weft_free_fn release, void *user) {
    WFI_BEGIN_OR_RETURN(ctx);
    if (!alloc != !release) return wfi_fail(ctx, WEFT_EINVAL, "an allocator needs both functions, or neither");
    if (wfi_memory_in_use(ctx->memory))
        return wfi_fail(ctx, WEFT_EINVAL, "the allocator cannot change while blocks are in use");
    wfi_memory_set_hooks(ctx->memory, alloc, release, user);
    return WEFT_OK;
}

wfi_memory *wfi_ctx_memory(weft_ctx *ctx) { return ctx->memory; }
wfi_memory *wfi_ctx_device_memory(weft_ctx *ctx) { return ctx->device_memory; }
wfi_residents *wfi_ctx_residents(weft_ctx *ctx) { return &ctx->residents; }

weft_status weft_ctx_set_results_on_device(weft_ctx *ctx, int stay) {
    WFI_BEGIN_OR_RETURN(ctx);
    ctx->residents.wanted = stay != 0;
    return WEFT_OK;
}

wfi_stages *wfi_ctx_stages(weft_ctx *ctx) { return &ctx->stages; }

void weft_ctx_set_progress(weft_ctx *ctx, weft_progress_fn progress, void *user) {
    if (!ctx) return;
    ctx->progress = progress;
    ctx->progress_user = user;
}

void weft_ctx_set_cancel(weft_ctx *ctx, weft_cancel_fn cancel, void *user) {
    if (!ctx) return;
    ctx->cancel = cancel;
    ctx->cancel_user = user;
}

void weft_ctx_set_warning(weft_ctx *ctx, weft_warning_fn warning, void *user) {
    if (!ctx) return;
    ctx->warning = warning;
    ctx->warning_user = user;
}

void weft_ctx_set_note(weft_ctx *ctx, weft_warning_fn note, void *user) {
    if (!ctx) return;
    ctx->note = note;
    ctx->note_user = user;
}

int weft_ctx_cancelled(const weft_ctx *ctx) {
    if (!ctx) return 0;
    return atomic_load_explicit(&ctx->interrupted, memory_order_relaxed) ||
           (ctx->cancel && ctx->cancel(ctx->cancel_user) != 0);
}

static void tell_after(weft_ctx *ctx, double ms) {
    double now = wfi_now_ms();
    if (now - ctx->progress_last_ms < ms) return;
    ctx->progress_last_ms = now;
    ctx->progress(ctx->progress_user, ctx->stage, ctx->stage_done, ctx->stage_total);
}

static uintptr_t this_thread(void) { return (uintptr_t)pthread_self(); }

/* Long loops call this every few milliseconds, so it also repeats the progress of the current stage. */
bool wfi_cancelled(weft_ctx *ctx) {
    bool entered = ctx->progress && atomic_load_explicit(&ctx->progress_thread, memory_order_relaxed) == this_thread();
    if (entered) tell_after(ctx, PROGRESS_AGAIN_MS);
    bool stops = weft_ctx_cancelled(ctx) != 0;
    if (stops) atomic_fetch_add_explicit(&ctx->stops, 1, memory_order_relaxed);
    return stops;
}

uint64_t wfi_ctx_stops(const weft_ctx *ctx) { return atomic_load_explicit(&ctx->stops, memory_order_relaxed); }

weft_status wfi_spans(weft_ctx *ctx, uint64_t count, uint64_t span, int threads, wfi_span_body *body, void *state) {
    const uint64_t spans = count / span + (count % span > 0);
    bool stop = false;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (uint64_t k = 0; k < spans; k++) {
        if (__atomic_load_n(&stop, __ATOMIC_RELAXED)) continue;
        if (wfi_cancelled(ctx))
            __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
        else
            body(state, k * span, wfi_min_u64((k + 1) * span, count));
    }
    return stop || wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

void wfi_share_done(weft_ctx *ctx, _Atomic int *through) {
    enum { NAP_NS = 200000 };
    atomic_fetch_add(through, 1);
    if (!ctx->progress || omp_get_thread_num() != 0) return;
    while (atomic_load(through) < omp_get_num_threads()) {
        nanosleep(&(struct timespec){0, NAP_NS}, NULL);
        wfi_cancelled(ctx);
    }
}

weft_status wfi_fail_cancelled(weft_ctx *ctx) { return wfi_fail(ctx, WEFT_ECANCELLED, "stopped on request"); }

void wfi_progress(weft_ctx *ctx, const char *stage, uint64_t done, uint64_t total) {
    if (!ctx->progress) return;
    ctx->stage = stage;
    ctx->stage_done = done;
    ctx->stage_total = total;
    if (atomic_load_explicit(&ctx->progress_thread, memory_order_relaxed) != this_thread())
        atomic_store_explicit(&ctx->progress_thread, this_thread(), memory_order_relaxed);
    tell_after(ctx, PROGRESS_EVERY_MS);
}

double wfi_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
