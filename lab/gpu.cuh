/* What every rung on the GPU needs, and all it needs: memory, copies, clocks and errors, each charged to the right part of the run.
 *
 *     static weft_status run(lab_run *r) {
 *         lab_gpu gpu(r);                                                      the clock is in LAB_ALLOCATE
 *         const weft_eid *offsets = gpu.bring(r->in.offsets, n + 1);           allocate, then copy in
 *         float *rank = gpu.take<float>(n);                                    allocate
 *         if (gpu.begin(step)) return gpu.status;                              kernels; `step` is the main one
 *         step<<<gpu.grid(n), r->block>>>(offsets, rank);
 *         gpu.end();                                                           waits; the kernels' time is complete
 *         float *answer = gpu.fetch(rank, n);                                  copy out, into memory of lab_take
 *         if (gpu.status) return gpu.status;
 *         lab_column(r, "rank", WEFT_F32, answer, n);
 *         ...
 *     }
 *
 * The status sticks: after a failure (no memory, an error of CUDA, a kernel that went wrong) every call returns at once and
 * gives NULL or zero, so it need be asked only where the code says so: at begin(), after peek() in a loop, and at the end.
 * Nothing is given back by the rung: the runner frees all of it, in LAB_FREE, after a failure too.
 *
 * Everything happens on CUDA's default stream.  Whoever turns from one part to the next has waited for the GPU: a copy is not
 * charged for the kernels before it.  Memory comes from cudaMalloc and goes by cudaFree, and copies are plain cudaMemcpy from
 * pageable memory, as in the documents: what that costs is part of what the lab shows.
 *
 * The number of threads in a block is r->block (256 unless a sweep is made); kernels that are launched with it are declared
 *
 *     __global__ static void LAB_ANY_BLOCK step(...)
 *
 * so that 1024 threads have registers enough.  A kernel with a block size of its own just uses it.  begin() is given the kernel
 * that the rung is about, and the shared memory it is launched with beside what it declares: its occupancy stands beside its
 * time in the sweep (weft lab LADDER --blocks 128,256,512,1024).  begin(NULL): there is no such kernel, and no sweep.
 *
 * The ceiling of the GPU ("% of ceiling") is the runner's: the machine's measured reading speed.
 * In a build without CUDA this header is empty and the rung is compiled as C: kernels and run() stand between #ifdef __CUDACC__
 * and #endif, the descriptor outside with .run = LAB_ON_GPU(run); it must be declared extern in the ladder's header, within
 * extern "C", before it is defined. */
#ifndef WEFT_LAB_GPU_CUH
#define WEFT_LAB_GPU_CUH

#include "lab.h"

#ifdef __CUDACC__
#include "cuda/gpu.cuh"

#define LAB_ANY_BLOCK __launch_bounds__(1024)

struct lab_gpu {
    lab_run *r;
    weft_status status;
    int sms; /* multiprocessors */

    /* Starts the GPU, which is in no part's time. */
    explicit lab_gpu(lab_run *run);

    /* NULL after a failure; never NULL else, also for 0 elements. */
    template <class T> T *take(size_t count) { return static_cast<T *>(take_bytes(count * sizeof(T))); }
    template <class T> T *take_zeroed(size_t count) {
        T *block = take<T>(count);
        fill_bytes(block, 0, count * sizeof(T));
        return block;
    }
    template <class T> T *bring(const T *host, size_t count) {
        T *block = take<T>(count);
        copy_in(block, host, count);
        return block;
    }
    template <class T> void copy_in(T *device, const T *host, size_t count) {
        copy_bytes(LAB_COPY_IN, device, host, count * sizeof(T));
    }

    /* The kernels' time begins, and ends.  Between them the rung launches kernels, reads back single values with peek(), and does what
     * it must on the host.  There may be several such stretches. */
    weft_status begin(const void *main_kernel, size_t shared_bytes = 0);
    template <class... A> weft_status begin(void (*main_kernel)(A...), size_t shared_bytes = 0) {
        return begin(reinterpret_cast<const void *>(main_kernel), shared_bytes);
    }
    weft_status end();

    /* One value from the GPU, after the kernels before it; zeros after a failure.  Belongs to the kernels. */
    template <class T> T peek(const T *device) {
        T value = {};
        peek_bytes(&value, device, sizeof value);
        return value;
    }

    /* For the kernels launched so far: where each takes long, so that lab_stopped is asked in time. */
    void wait();

    /* The answer, on the host: NULL after a failure. */
    template <class T> T *fetch(const T *device, size_t count) {
        return static_cast<T *>(fetch_bytes(device, count * sizeof(T)));
    }

    /* Blocks of r->block threads (or so many): a thread for each of `work`, or for loops that stride: no more than run at once. */
    unsigned grid(uint64_t work, int block = 0) const;
    unsigned grid_filling(uint64_t work, int block = 0) const;

    void *take_bytes(size_t bytes);
    void fill_bytes(void *device, int byte, size_t bytes);
    void copy_bytes(lab_part part, void *to, const void *from, size_t bytes);
    void peek_bytes(void *to, const void *from, size_t bytes);
    void *fetch_bytes(const void *device, size_t bytes);
    void failed(const char *call, cudaError_t error);
};

/* This thread's number in the whole grid, and how many there are. */
__device__ static inline uint64_t lab_thread(void) { return blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; }
__device__ static inline uint64_t lab_threads(void) { return gridDim.x * (uint64_t)blockDim.x; }

/* The sum over a warp whose lanes are all there; lane 0 has it. */
template <class T> __device__ static inline T lab_warp_sum(T value) {
    for (int far = 16; far; far /= 2) value += __shfl_down_sync(~0u, value, far);
    return value;
}

#endif
#endif
