/* Finding the GPU and saying why there is none.  The run-time library is linked statically and loads the driver on its
 * first call, so everything that may touch the driver is behind the two `once`s below: looking (is there a driver, are
 * there devices) and starting (the context, some hundred milliseconds). */
#include "cuda/buffers.cuh"
#include "cuda/stages.cuh"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    pthread_once_t looked, started;
    int driver, runtime, devices;
    cudaError_t look_error, start_error;
    double look_ms, start_ms;
    cudaStream_t stream;
    bool there; /* started, and well */
} gpu = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT, 0, 0, 0, cudaSuccess, cudaSuccess, 0, 0, NULL, false};

cudaStream_t wfi_cuda_stream(void) { return gpu.stream; }

static void look(void) {
    double begin = wfi_now_ms();
    cudaDriverGetVersion(&gpu.driver);
    cudaRuntimeGetVersion(&gpu.runtime);
    gpu.look_error = cudaGetDeviceCount(&gpu.devices);
    if (gpu.look_error != cudaSuccess) gpu.devices = 0;
    cudaGetLastError(); /* it has been noted: later calls must not find it */
    gpu.look_ms = wfi_now_ms() - begin;
}

static void start(void) {
    double begin = wfi_now_ms();
    gpu.start_error = cudaSetDevice(0);
    if (gpu.start_error == cudaSuccess) gpu.start_error = cudaFree(NULL);
    if (gpu.start_error == cudaSuccess) gpu.start_error = cudaStreamCreateWithFlags(&gpu.stream, cudaStreamNonBlocking);
    cudaMemPool_t pool;
    uint64_t all = UINT64_MAX; /* what is given back stays ready for the next run */
    if (gpu.start_error == cudaSuccess) gpu.start_error = cudaDeviceGetDefaultMemPool(&pool, 0);
    if (gpu.start_error == cudaSuccess)
        gpu.start_error = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
    gpu.start_ms = wfi_now_ms() - begin;
    __atomic_store_n(&gpu.there, gpu.start_error == cudaSuccess, __ATOMIC_RELEASE);
}

double wfi_cuda_context_ms(void) { return wfi_cuda_started() ? gpu.look_ms + gpu.start_ms : 0; }
bool wfi_cuda_started(void) { return __atomic_load_n(&gpu.there, __ATOMIC_ACQUIRE); }

/* --- trouble for tests ------------------------------------------------------------------- */

static struct {
    long left; /* calls that still work; below 0: the trouble has come, or there is none */
    int error;
    bool lasts;
} trouble = {-1, 0, false};

void wfi_cuda_trouble(long after, int error, bool lasts) {
    trouble.error = error;
    trouble.lasts = lasts;
    __atomic_store_n(&trouble.left, error ? after : -1, __ATOMIC_RELEASE);
}

cudaError_t wfi_cuda_troubled(void) {
    if (!trouble.error) return cudaSuccess;
    long left = __atomic_fetch_sub(&trouble.left, 1, __ATOMIC_ACQ_REL);
    return left == 0 || (left < 0 && trouble.lasts) ? (cudaError_t)trouble.error : cudaSuccess;
}

static void say_why_none(char *reason, size_t room) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (gpu.driver == 0)
        snprintf(reason, room, "no NVIDIA driver on this machine");
    else if (gpu.look_error == cudaErrorInsufficientDriver)
        snprintf(reason, room, "the NVIDIA driver is too old: it serves CUDA %d.%d, this build needs %d.%d",
                 gpu.driver / 1000, gpu.driver % 1000 / 10, gpu.runtime / 1000, gpu.runtime % 1000 / 10);
    else if (gpu.look_error == cudaSuccess || gpu.look_error == cudaErrorNoDevice)
        snprintf(reason, room, "the NVIDIA driver shows no GPU%s%.60s%s", visible ? " (CUDA_VISIBLE_DEVICES is \"" : "",
                 visible ? visible : "", visible ? "\")" : "");
    else
        snprintf(reason, room, "the NVIDIA driver failed: %s", cudaGetErrorString(gpu.look_error));
}

static bool pretended;

void wfi_cuda_pretend(bool there) { pretended = there; }

int wfi_cuda_devices(char *reason, size_t room) {
    if (pretended) return 1;
    pthread_once(&gpu.looked, look);
    if (room) reason[0] = '\0';
    if (!gpu.devices) say_why_none(reason, room);
    return gpu.devices;
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

weft_status wfi_cuda_start(weft_ctx *ctx, double *ms) {
    char reason[256];
    *ms = 0;
    if (!wfi_cuda_devices(reason, sizeof reason)) return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: %s", reason);
    pthread_once(&gpu.started, start);
    if (gpu.start_error != cudaSuccess) return wfi_cuda_fail(ctx, "cudaSetDevice", gpu.start_error);
    WFI_CUDA(cudaSetDevice(0)); /* the choice belongs to the thread, and this may be another one */
    *ms = gpu.look_ms + gpu.start_ms;
    return WEFT_OK;
}

/* --- ahead of time -------------------------------------------------------------------------- */

static struct {
    pthread_mutex_t lock;
    pthread_t thread;
    bool runs;
} ahead = {PTHREAD_MUTEX_INITIALIZER, 0, false};

/* Whoever needs the context meanwhile waits at the same `once`s. */
static void *make_ahead(void *unused) {
    char none[256];
    if (wfi_cuda_devices(none, sizeof none) && !pretended) pthread_once(&gpu.started, start);
    return unused;
}

void wfi_cuda_begin(void) {
    pthread_mutex_lock(&ahead.lock);
    if (!ahead.runs) ahead.runs = pthread_create(&ahead.thread, NULL, make_ahead, NULL) == 0;
    pthread_mutex_unlock(&ahead.lock);
}

void wfi_cuda_settle(void) {
    pthread_mutex_lock(&ahead.lock);
    if (ahead.runs) pthread_join(ahead.thread, NULL);
    ahead.runs = false;
    pthread_mutex_unlock(&ahead.lock);
}

weft_status wfi_cuda_ready(weft_ctx *ctx) {
    wfi_stage_scope stage(ctx, "context");
    double ms;
    if (pretended) return WEFT_OK;
    return wfi_cuda_start(ctx, &ms);
}

weft_status wfi_cuda_describe(weft_ctx *ctx, weft_machine *machine, int measure) {
    cudaDeviceProp properties;
    if (pretended) return WEFT_OK;
    WFI_CUDA(cudaGetDeviceProperties(&properties, 0));
    snprintf(machine->gpu, sizeof machine->gpu, "%.*s", (int)sizeof machine->gpu - 1, properties.name);
    machine->gpu_sms = properties.multiProcessorCount;
    machine->gpu_major = properties.major;
    machine->gpu_minor = properties.minor;
    machine->gpu_driver = gpu.driver;
    machine->gpu_runtime = gpu.runtime;
    machine->gpu_memory_bytes = properties.totalGlobalMem;
    machine->gpu_l2_bytes = (uint64_t)properties.l2CacheSize;
    if (!measure) return WEFT_OK;

    size_t available, total;
    weft_status st = wfi_cuda_start(ctx, &machine->gpu_context_ms);
    if (st) return st;
    WFI_CUDA(cudaMemGetInfo(&available, &total));
    machine->gpu_memory_free_bytes = available;
    return wfi_cuda_measure(ctx, machine);
}
