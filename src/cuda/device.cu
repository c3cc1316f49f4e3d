/* Finding GPUs, and the reason if there is none.  The run-time library is linked statically and loads the driver on its
 * first call, so two functions guard everything that may touch the driver: looking (is there a driver, are there
 * devices), once, and making the driver's context of a GPU (some hundred milliseconds), once for each GPU.
 * The driver's own functions are looked up by name: nothing is linked that a machine without a driver lacks. */
#include "core/gpu_binding.h"
#include "core/team.h"
#include "cuda/buffers.cuh"
#include "cuda/stages.cuh"
#include "weft/machine.h"

#include <cuda.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GPUS = 64 };

/* Facts that are looked up once. */
static struct {
    pthread_once_t looked;
    bool asked;     /* the driver was called, or is being called */
    unsigned forks; /* the process's forks before the look */
    int driver, runtime, devices;
    cudaError_t look_error;
    double look_ms;
    CUresult (*get_device)(CUdevice *device, int index);
    CUresult (*retain)(CUcontext *context, CUdevice device);
    CUresult (*get_current)(CUcontext *context);
    CUresult (*set_current)(CUcontext context);
} gpu = {PTHREAD_ONCE_INIT, false, 0, 0, 0, 0, cudaSuccess, 0, NULL, NULL, NULL, NULL};

/* The driver's primary contexts, which the whole process shares; never released, as other libraries may have come to
 * use them. */
static struct {
    pthread_mutex_t lock;
    bool some; /* at least one exists */
    struct {
        CUcontext context; /* NULL: not made yet */
        double ms;
    } at[MOST_GPUS];
} started = {PTHREAD_MUTEX_INITIALIZER, false, {}};

/* --- looking ------------------------------------------------------------------------------ */

template <class F> static cudaError_t find(const char *name, F *function) {
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    void *at = NULL;
#if CUDART_VERSION >= 12050
    cudaError_t error = cudaGetDriverEntryPointByVersion(name, &at, 12000, cudaEnableDefault, &found);
#else
    cudaError_t error = cudaGetDriverEntryPoint(name, &at, cudaEnableDefault, &found);
#endif
    if (error == cudaSuccess && (found != cudaDriverEntryPointSuccess || !at)) error = cudaErrorSymbolNotFound;
    *function = (F)at;
    return error;
}

static void look(void) {
    double begin = wfi_now_ms();
    wfi_detect_forks();
    gpu.forks = wfi_forks();
    __atomic_store_n(&gpu.asked, true, __ATOMIC_RELEASE);
    cudaDriverGetVersion(&gpu.driver);
    cudaRuntimeGetVersion(&gpu.runtime);
    gpu.look_error = cudaGetDeviceCount(&gpu.devices);
    if (gpu.look_error == cudaSuccess && gpu.devices) {
        gpu.look_error = find("cuDeviceGet", &gpu.get_device);
        if (gpu.look_error == cudaSuccess) gpu.look_error = find("cuDevicePrimaryCtxRetain", &gpu.retain);
        if (gpu.look_error == cudaSuccess) gpu.look_error = find("cuCtxGetCurrent", &gpu.get_current);
        if (gpu.look_error == cudaSuccess) gpu.look_error = find("cuCtxSetCurrent", &gpu.set_current);
    }
    if (gpu.look_error != cudaSuccess) gpu.devices = 0;
    if (gpu.devices > MOST_GPUS) gpu.devices = MOST_GPUS;
    cudaGetLastError(); /* the error is noted: later calls must not see it */
    gpu.look_ms = wfi_now_ms() - begin;
}

bool wfi_cuda_lost(void) { return __atomic_load_n(&gpu.asked, __ATOMIC_ACQUIRE) && gpu.forks != wfi_forks(); }

/* --- the driver's contexts ------------------------------------------------------------------ */

void wfi_driver_move(void *context, wfi_visit *visit) {
    CUcontext before = NULL;
    *visit = {NULL, false};
    if (wfi_cuda_lost() || gpu.get_current(&before) != CUDA_SUCCESS || before == (CUcontext)context) return;
    visit->moved = gpu.set_current((CUcontext)context) == CUDA_SUCCESS;
    visit->before = before;
}

void wfi_cuda_leave(wfi_visit *visit) {
    if (visit->moved) gpu.set_current((CUcontext)visit->before);
    visit->moved = false;
}

/* The driver's errors have the numbers of the run-time library's. */
static cudaError_t make_context(int index, CUcontext *context) {
    CUdevice device;
    wfi_visit visit;
    CUresult failed = gpu.get_device(&device, index);
    if (failed == CUDA_SUCCESS) failed = gpu.retain(context, device);
    if (failed != CUDA_SUCCESS) return (cudaError_t)failed;
    wfi_driver_move(*context, &visit);
    cudaError_t error = cudaFree(NULL); /* makes the run-time library use the context */
    wfi_cuda_leave(&visit);
    return error;
}

cudaError_t wfi_driver_context(int index, void **context) {
    cudaError_t error = cudaSuccess;
    pthread_mutex_lock(&started.lock);
    if (!started.at[index].context) {
        double begin = wfi_now_ms();
        CUcontext made = NULL;
        error = make_context(index, &made);
        started.at[index].ms = wfi_now_ms() - begin;
        if (error == cudaSuccess) started.at[index].context = made;
        if (error == cudaSuccess) __atomic_store_n(&started.some, true, __ATOMIC_RELEASE);
    }
    *context = started.at[index].context;
    pthread_mutex_unlock(&started.lock);
    return error;
}

bool wfi_cuda_started(void) { return __atomic_load_n(&started.some, __ATOMIC_ACQUIRE) && !wfi_cuda_lost(); }

/* The time that making the driver's context of this context's GPU took, however long ago; 0 if it does not exist. */
static double context_ms(const weft_ctx *ctx) {
    int index = wfi_cuda_index(ctx);
    if (!wfi_cuda_started() || index >= MOST_GPUS || !started.at[index].context) return 0;
    return gpu.look_ms + started.at[index].ms;
}

/* --- injected failures for tests ------------------------------------------------------------------- */

static struct {
    long left; /* calls until the failure; below 0: it has come, or there is none */
    int error;
    bool lasts;
} injected = {-1, 0, false};

void wfi_cuda_inject_failure(long after, int error, bool lasts) {
    injected.error = error;
    injected.lasts = lasts;
    __atomic_store_n(&injected.left, error ? after : -1, __ATOMIC_RELEASE);
}

cudaError_t wfi_cuda_injected_failure(void) {
    if (!injected.error) return cudaSuccess;
    long left = __atomic_fetch_sub(&injected.left, 1, __ATOMIC_ACQ_REL);
    return left == 0 || (left < 0 && injected.lasts) ? (cudaError_t)injected.error : cudaSuccess;
}

static void say_why_none(char *reason, size_t size) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (gpu.driver == 0)
        snprintf(reason, size, "no NVIDIA driver on this machine");
    else if (wfi_cuda_lost())
        snprintf(reason, size, "this process was forked from one that used CUDA, and cannot use it itself");
    else if (gpu.look_error == cudaErrorInitializationError)
        snprintf(reason, size, "CUDA cannot be initialised; was this process forked from one that used it?");
    else if (gpu.look_error == cudaErrorInsufficientDriver)
        snprintf(reason, size, "the NVIDIA driver is too old: it supports CUDA %d.%d, this build needs %d.%d",
                 gpu.driver / 1000, gpu.driver % 1000 / 10, gpu.runtime / 1000, gpu.runtime % 1000 / 10);
    else if (gpu.look_error == cudaSuccess || gpu.look_error == cudaErrorNoDevice)
        snprintf(reason, size, "the NVIDIA driver shows no GPU%s%.60s%s", visible ? " (CUDA_VISIBLE_DEVICES is \"" : "",
                 visible ? visible : "", visible ? "\")" : "");
    else
        snprintf(reason, size, "the NVIDIA driver failed: %s", cudaGetErrorString(gpu.look_error));
}

static bool pretended;

void wfi_cuda_pretend(bool there) { pretended = there; }
bool wfi_cuda_pretended(void) { return pretended; }

int wfi_cuda_devices(char *reason, size_t size) {
    if (pretended) return 1;
    if (!wfi_cuda_lost()) pthread_once(&gpu.looked, look);
    int devices = wfi_cuda_lost() ? 0 : gpu.devices;
    if (size) reason[0] = '\0';
    if (!devices) say_why_none(reason, size);
    return devices;
}

weft_status wfi_cuda_fail(weft_ctx *ctx, const char *call, cudaError_t error) {
    int length = (int)strcspn(call, "(");
    cudaGetLastError();
    if (error == cudaErrorNoKernelImageForDevice)
        return wfi_fail(ctx, WEFT_EDEVICE, "the GPU failed: this build of Weft has no code for its architecture (%.*s)",
                        length, call);
    return wfi_fail(ctx, error == cudaErrorMemoryAllocation ? WEFT_ENOMEM : WEFT_EDEVICE, "the GPU failed in %.*s: %s",
                    length, call, cudaGetErrorString(error));
}

/* Fails if the machine does not have the context's GPU. */
static weft_status check_index(weft_ctx *ctx) {
    char reason[256];
    int devices = wfi_cuda_devices(reason, sizeof reason), index = wfi_cuda_index(ctx);
    if (!devices) return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: %s", reason);
    if (index < devices) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EDEVICE, "there is no GPU %d: the driver shows %d, counted from 0", index, devices);
}

weft_status wfi_cuda_start(weft_ctx *ctx, double *ms) {
    void *context;
    *ms = 0;
    weft_status st = check_index(ctx);
    if (st || pretended) return st;
    cudaError_t error = wfi_driver_context(wfi_cuda_index(ctx), &context);
    if (error != cudaSuccess) return wfi_cuda_fail(ctx, "cuDevicePrimaryCtxRetain", error);
    *ms = context_ms(ctx);
    return WEFT_OK;
}

/* --- ahead of time -------------------------------------------------------------------------- */

static struct { /* guarded by WFI_LOCK_AHEAD */
    pthread_t thread;
    bool runs;
    unsigned forks; /* the process's forks before the thread was made */
} ahead;

/* A thread that needs the context meanwhile waits at the same lock. */
static void *make_ahead(void *unused) {
    char none[256];
    void *context;
    if (wfi_cuda_devices(none, sizeof none) && !pretended) wfi_driver_context(0, &context);
    return unused;
}

void wfi_cuda_startup_begin(void) {
    wfi_lock(WFI_LOCK_AHEAD);
    if (!ahead.runs) ahead.runs = pthread_create(&ahead.thread, NULL, make_ahead, NULL) == 0;
    ahead.forks = wfi_forks();
    wfi_unlock(WFI_LOCK_AHEAD);
}

void wfi_cuda_startup_wait(void) {
    wfi_lock(WFI_LOCK_AHEAD);
    if (ahead.runs && ahead.forks == wfi_forks()) pthread_join(ahead.thread, NULL);
    ahead.runs = false;
    wfi_unlock(WFI_LOCK_AHEAD);
}

/* --- description ------------------------------------------------------------------------------- */

static weft_status measure_gpu(weft_ctx *ctx, weft_machine *machine) {
    size_t available, total;
    WFI_CUDA_OR_RETURN(cudaMemGetInfo(&available, &total));
    machine->gpu_memory_free_bytes = available;
    return wfi_cuda_measure(ctx, machine);
}

weft_status wfi_cuda_describe(weft_ctx *ctx, weft_machine *machine, int measure) {
    cudaDeviceProp properties;
    wfi_visit visit;
    weft_status st = check_index(ctx);
    if (st || pretended) return st;
    WFI_CUDA_OR_RETURN(cudaGetDeviceProperties(&properties, wfi_cuda_index(ctx)));
    snprintf(machine->gpu, sizeof machine->gpu, "%.*s", (int)sizeof machine->gpu - 1, properties.name);
    machine->gpu_sms = properties.multiProcessorCount;
    machine->gpu_major = properties.major;
    machine->gpu_minor = properties.minor;
    machine->gpu_driver = gpu.driver;
    machine->gpu_runtime = gpu.runtime;
    machine->gpu_memory_bytes = properties.totalGlobalMem;
    machine->gpu_l2_bytes = (uint64_t)properties.l2CacheSize;
    if (!measure) return WEFT_OK;

    st = wfi_cuda_enter(ctx, &visit);
    machine->gpu_context_ms = context_ms(ctx);
    if (!st) st = measure_gpu(ctx, machine);
    wfi_cuda_leave(&visit);
    return st;
}
